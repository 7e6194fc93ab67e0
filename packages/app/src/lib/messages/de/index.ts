// German.

import type { Catalogue } from '../index.ts';
import { audit } from './audit.ts';
import { auth } from './auth.ts';
import { board } from './board.ts';
import { filters } from './filters.ts';
import { grid } from './grid.ts';
import { live } from './live.ts';
import { notifications } from './notifications.ts';
import { people } from './people.ts';
import { recordParts } from './record-parts.ts';
import { records } from './records.ts';
import { roles } from './roles.ts';
import { search } from './search.ts';
import { sentences } from './service.ts';
import { settings } from './settings.ts';
import { shell } from './shell.ts';
import { views } from './views.ts';
import { webhooks } from './webhooks.ts';

export { sentences };

export const catalogue: Catalogue = {
  ...audit,
  ...auth,
  ...board,
  ...grid,
  ...filters,
  ...views,
  ...people,
  ...recordParts,
  ...live,
  ...notifications,
  ...records,
  ...roles,
  ...search,
  ...settings,
  ...shell,
  ...webhooks,
};
