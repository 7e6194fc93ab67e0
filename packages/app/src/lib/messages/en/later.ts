// The English texts that come with the code that says them (addTexts).

import { deliveries } from './deliveries.ts';
import { factor } from './factor.ts';
import { importNotices } from './import-notices.ts';
import { plans } from './plans.ts';
import { workflows } from './workflows.ts';

export const later = {
  ...deliveries,
  ...factor,
  ...importNotices,
  ...plans,
  ...workflows,
} as const;
