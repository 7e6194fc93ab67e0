// Dashboards: reports that people put on one page, keep and share (docs/design/reports.md). The statements of
// control/stored/dashboard-rows.ts decide who sees one, plan/read/dashboard-plan.ts decides what it may have.

import { uuidv7 } from 'uuidv7';
import { lockLimitsOf } from '../../control/people/people.ts';
import {
  appendDashboard,
  countDashboards,
  deleteDashboardById,
  loadDashboard,
  loadDashboards,
  lockDashboard,
  putDashboard,
} from '../../control/stored/dashboard-rows.ts';
import type { PlacedView } from '../../control/stored/view-rows.ts';
import { administer, administrationOf } from '../../control/workspace/administer.ts';
import { subjectEvent } from '../../control/workspace/administrative-audit.ts';
import { ApiError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { say } from '../../messages/message.ts';
import { parseRecordId } from '../../model/values/record-id.ts';
import {
  addedReports,
  type DashboardFields,
  type DashboardPatch,
  type DashboardRow,
  planDashboardChange,
  requireReports,
} from '../../plan/read/dashboard-plan.ts';
import { canChangeView } from '../../plan/read/view-plan.ts';
import { isMet, type Precondition } from '../../plan/write/precondition.ts';
import type { Queryable } from '../../postgres/db.ts';
import { listReports, readerOf, type ViewQuestion } from './view-flow.ts';

/** A dashboard with those of its reports that the caller sees. */
export interface FilledDashboard {
  readonly dashboard: DashboardRow;
  readonly reports: readonly PlacedView[];
}

/** Dashboards that the caller sees and that are older than an id, newest first. */
export function listDashboards(
  { db, model, caller }: ViewQuestion,
  page: { readonly before: string | undefined; readonly limit: number },
): Promise<readonly DashboardRow[]> {
  return loadDashboards(db, model.schema, readerOf(caller, []), page);
}

/** One of the dashboards the caller sees. Errors: `record_not_found`. */
export async function getDashboard(asked: ViewQuestion, id: string): Promise<FilledDashboard> {
  return filled(asked, await requireDashboard(asked.db, asked, id));
}

/** Errors: `validation_failed`, `invalid_write`, `conflict` when there are too many. */
export async function createDashboard(
  asked: ViewQuestion,
  given: DashboardPatch & Pick<DashboardFields, 'name'>,
): Promise<FilledDashboard> {
  const { db, model, caller } = asked;
  const empty: DashboardFields = { name: given.name, shared: 'private', tiles: [] };
  const { after } = planDashboardChange(empty, given);
  await refuseUnseen(asked, empty, after);
  const id = uuidv7();
  const owner_user_id = caller.user.id;
  await administer(administrationOf(asked), async (tx) => {
    await lockLimitsOf(tx, model.workspace.id, owner_user_id);
    if ((await countDashboards(tx, model.schema, owner_user_id)) >= LIMITS.dashboardsOfOwner) {
      throw tooManyDashboards();
    }
    await appendDashboard(tx, model.schema, { id, owner_user_id, ...after });
    const changed_fields = ['name', 'shared', 'tiles'];
    const events = [{ ...subjectEvent('dashboard', id, 'create'), changed_fields }];
    return { result: undefined, events };
  });
  return filled(asked, await requireDashboard(db, asked, id));
}

/**
 * Errors: `validation_failed`, `invalid_write`, `record_not_found`, `permission_denied` for dashboards of others,
 * `stale_record`.
 */
export async function changeDashboard(
  asked: ViewQuestion,
  id: string,
  patch: DashboardPatch,
  precondition: Precondition | undefined,
): Promise<FilledDashboard> {
  const { model } = asked;
  const changed = await administer(administrationOf(asked), async (tx) => {
    const before = await requireDashboard(tx, asked, id, lockDashboard);
    requireChange(asked, before);
    if (!isMet(precondition, { ...before })) throw new ApiError('stale_record');
    const { after, changed_fields } = planDashboardChange(before, patch);
    if (changed_fields.length === 0) return { result: before, events: [] };
    await refuseUnseen(asked, before, after);
    await putDashboard(tx, model.schema, before.id, after);
    const events = [{ ...subjectEvent('dashboard', before.id, 'update'), changed_fields }];
    // An administrator who makes the dashboard of another person private no longer sees it.
    const unseen = { ...before, ...after, version: before.version + 1 };
    return { result: (await findDashboard(tx, asked, before.id)) ?? unseen, events };
  });
  return filled(asked, changed);
}

/** Delete a dashboard, not its reports; answers its id. Errors: `record_not_found`, `permission_denied`. */
export function deleteDashboard(asked: ViewQuestion, id: string): Promise<string> {
  return administer(administrationOf(asked), async (tx) => {
    const dashboard = await requireDashboard(tx, asked, id, lockDashboard);
    requireChange(asked, dashboard);
    await deleteDashboardById(tx, asked.model.schema, dashboard.id);
    return { result: dashboard.id, events: [subjectEvent('dashboard', dashboard.id, 'delete')] };
  });
}

async function filled(asked: ViewQuestion, dashboard: DashboardRow): Promise<FilledDashboard> {
  const ids = dashboard.tiles.map(({ view_id }) => view_id);
  const reports = await listReports(asked, ids);
  const placeOf = ({ id }: PlacedView) => ids.indexOf(id);
  return { dashboard, reports: reports.toSorted((one, other) => placeOf(one) - placeOf(other)) };
}

async function refuseUnseen(
  asked: ViewQuestion,
  before: DashboardFields,
  after: DashboardFields,
): Promise<void> {
  const added = addedReports(before, after);
  const wellFormed = added.filter((id) => parseRecordId(id) !== undefined);
  const reports = await listReports(asked, wellFormed);
  requireReports(after, added, new Set(reports.map(({ id }) => id)));
}

function requireChange({ caller }: ViewQuestion, dashboard: DashboardRow): void {
  if (canChangeView(caller, dashboard)) return;
  throw new ApiError('permission_denied', { message: say('dashboard_not_yours') });
}

type Seen = Pick<ViewQuestion, 'model' | 'caller'>;

async function findDashboard(
  db: Queryable,
  { model, caller }: Seen,
  id: string,
  load = loadDashboard,
): Promise<DashboardRow | undefined> {
  const dashboardId = parseRecordId(id);
  if (dashboardId === undefined) return undefined;
  return load(db, model.schema, readerOf(caller, []), dashboardId);
}

async function requireDashboard(
  db: Queryable,
  seen: Seen,
  id: string,
  load = loadDashboard,
): Promise<DashboardRow> {
  const dashboard = await findDashboard(db, seen, id, load);
  if (dashboard !== undefined) return dashboard;
  const message = say('dashboard_not_found');
  throw new ApiError('record_not_found', { param: 'dashboard_id', message });
}

function tooManyDashboards(): ApiError {
  const message = say('too_many_dashboards', { most: LIMITS.dashboardsOfOwner });
  return new ApiError('conflict', { message });
}
