// German.

import type { Catalogue, ServiceTexts } from '../index.ts';
import { sentenceTranslator } from '../sentences.ts';
import { agents } from './agents.ts';
import { approvals } from './approvals.ts';
import { audit } from './audit.ts';
import { auth } from './auth.ts';
import { baseNames } from './base-names.ts';
import { board } from './board.ts';
import { deliveries } from './deliveries.ts';
import { edits } from './edits.ts';
import { erasure } from './erasure.ts';
import { factor } from './factor.ts';
import { files } from './files.ts';
import { filters } from './filters.ts';
import { grid } from './grid.ts';
import { history } from './history.ts';
import { icons } from './icons.ts';
import { importNotices } from './import-notices.ts';
import { imports } from './imports.ts';
import { lists } from './lists.ts';
import { live } from './live.ts';
import { matching } from './matching.ts';
import { merge } from './merge.ts';
import { model } from './model.ts';
import { notifications } from './notifications.ts';
import { people } from './people.ts';
import { plans } from './plans.ts';
import { recordPage } from './record-page.ts';
import { recordParts } from './record-parts.ts';
import { records } from './records.ts';
import { renames } from './renames.ts';
import { reports } from './reports.ts';
import { roles } from './roles.ts';
import { search } from './search.ts';
import texts from './service.json' with { type: 'json' };
import { settings } from './settings.ts';
import { shell } from './shell.ts';
import { shortcuts } from './shortcuts.ts';
import { start } from './start.ts';
import { trash } from './trash.ts';
import { views } from './views.ts';
import { webhooks } from './webhooks.ts';
import { workflows } from './workflows.ts';

export { baseNames };

/** A missing message of the service does not compile. */
export const service: ServiceTexts = texts;

export const tell = sentenceTranslator(service);

export const catalogue: Catalogue = {
  ...approvals,
  ...audit,
  ...auth,
  ...board,
  ...edits,
  ...erasure,
  ...grid,
  ...files,
  ...filters,
  ...views,
  ...people,
  ...recordPage,
  ...recordParts,
  ...history,
  ...imports,
  ...lists,
  ...live,
  ...matching,
  ...model,
  ...notifications,
  ...records,
  ...roles,
  ...renames,
  ...reports,
  ...search,
  ...start,
  ...settings,
  ...shell,
  ...shortcuts,
  ...trash,
  ...webhooks,
  ...agents,
  ...deliveries,
  ...factor,
  ...icons,
  ...importNotices,
  ...merge,
  ...plans,
  ...workflows,
};
