// The English texts that come with the code that says them (addTexts).

import { agents } from './agents.ts';
import { deliveries } from './deliveries.ts';
import { factor } from './factor.ts';
import { icons } from './icons.ts';
import { importNotices } from './import-notices.ts';
import { merge } from './merge.ts';
import { plans } from './plans.ts';
import { workflows } from './workflows.ts';

export const later = {
  ...agents,
  ...deliveries,
  ...factor,
  ...icons,
  ...importNotices,
  ...merge,
  ...plans,
  ...workflows,
} as const;
