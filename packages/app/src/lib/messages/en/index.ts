// English, the measure of the other languages: of several files, each of a part of the application.

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
import { settings } from './settings.ts';
import { shell } from './shell.ts';
import { views } from './views.ts';
import { webhooks } from './webhooks.ts';

export const en = {
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
} as const;
