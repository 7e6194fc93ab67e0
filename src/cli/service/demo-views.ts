// The views, the reports and the dashboard of the demo, shared with everybody. After an interrupted load, the next one
// makes only those that are missing.

import { checkQuestionShape } from '../../api/read/present-view.ts';
import { loadEmails, loadMembersById } from '../../control/people/people.ts';
import { requireModel, type WorkspaceRow } from '../../control/workspace/workspaces.ts';
import { createDashboard, listDashboards } from '../../flow/views/dashboard-flow.ts';
import {
  createView,
  listViews,
  orderViews,
  type ViewQuestion,
} from '../../flow/views/view-flow.ts';
import { requireImporter } from '../../import/importer.ts';
import { callerOf } from '../../model/rights/access.ts';
import type { NewView } from '../../plan/read/view-plan.ts';
import type { Database } from '../../postgres/db.ts';

type DemoReport = Required<Pick<NewView, 'name' | 'query'>> &
  Pick<NewView, 'object_type' | 'chart'> & {
    /** Columns on the dashboard. */
    readonly width: number;
  };

const DASHBOARD = 'Sales overview';
const COUNT = { name: 'metric_1', op: 'count' } as const;
const VALUE = { name: 'metric_1', op: 'sum', field: 'close_value' } as const;
const HOW_MANY = { name: 'metric_2', op: 'count' } as const;
const IS_WON = { field: 'status', op: 'eq', value: 'won' } as const;
const IS_OPEN = { field: 'status', op: 'in', value: ['prospecting', 'engaging'] } as const;
const BY_MONTH = { field: 'close_date', by: 'month' } as const;

const deals = (
  name: string,
  chart: NonNullable<NewView['chart']>,
  { width, ...query }: { readonly width: number } & NewView['query'],
): DemoReport => ({ object_type: 'deals', name, chart, width, query });

const REPORTS: readonly DemoReport[] = [
  deals('Open deals', 'number', { width: 1, where: IS_OPEN, group_by: [], metrics: [COUNT] }),
  deals('Won value', 'number', { width: 1, where: IS_WON, group_by: [], metrics: [VALUE] }),
  deals('Average won deal', 'number', {
    ...{ width: 1, where: IS_WON, group_by: [] },
    metrics: [{ ...VALUE, op: 'avg' }],
  }),
  deals('Largest won deal', 'number', {
    ...{ width: 1, where: IS_WON, group_by: [] },
    metrics: [{ ...VALUE, op: 'max' }],
  }),
  deals('Pipeline', 'funnel', { width: 2, group_by: ['status'], metrics: [COUNT] }),
  deals('Won by month', 'bars', {
    ...{ width: 2, where: IS_WON, group_by: [BY_MONTH] },
    metrics: [VALUE, HOW_MANY],
  }),
  deals('Won by owner', 'bars', {
    ...{ width: 2, where: IS_WON, group_by: ['owner_user_id'] },
    metrics: [VALUE, HOW_MANY],
  }),
  deals('Won by product series', 'lines', {
    ...{ width: 2, where: IS_WON, group_by: [BY_MONTH, 'product_id.series'] },
    metrics: [VALUE],
  }),
  deals('Deals by owner', 'table', {
    ...{ width: 4, group_by: ['owner_user_id', 'status'], metrics: [COUNT] },
  }),
];

const VIEWS: readonly NewView[] = [
  {
    object_type: 'deals',
    name: 'Open deals',
    kind: 'table',
    query: { where: IS_OPEN, sort: [{ field: 'close_date', direction: 'asc' }] },
  },
  {
    object_type: 'deals',
    name: 'Pipeline',
    kind: 'board',
    query: { where: IS_OPEN, sort: [{ field: 'close_date', direction: 'asc' }] },
    group_by: 'status',
  },
];

/**
 * Creates the demo views in the name of this person, an administrator. For everybody deals open with those that close next.
 */
export async function makeDemoViews(
  db: Database,
  workspace: WorkspaceRow,
  user: string,
): Promise<void> {
  const model = await requireModel(db, workspace);
  const caller = await requireImporter(db, model, user);
  const question = { db, model, caller, requestId: 'demo', checkShape: checkQuestionShape };
  const view_ids = [];
  for (const view of VIEWS) view_ids.push(await idOfView(question, view));
  const [default_view_id = null] = view_ids;
  const order = { object_type: 'deals', view_ids, default_view_id };
  const everybody = [...(await loadEmails(db, model.schema)).keys()];
  for (const member of await loadMembersById(db, model.schema, everybody)) {
    await orderViews({ ...question, caller: callerOf(model, member, { kind: 'import' }) }, order);
  }
  const tiles = [];
  for (const { width, ...report } of REPORTS) {
    tiles.push({ view_id: await idOfView(question, { ...report, kind: 'report' }), width });
  }
  const dashboards = await listDashboards(question, { before: undefined, limit: 100 });
  if (dashboards.some(({ name }) => name === DASHBOARD)) return;
  await createDashboard(question, { name: DASHBOARD, shared: 'workspace', tiles });
}

async function idOfView(asked: ViewQuestion, view: NewView): Promise<string> {
  const known = await listViews(asked, view.object_type, { after: undefined, limit: 100 });
  const found = known.find(({ kind, name }) => kind === view.kind && name === view.name);
  return (found ?? (await createView(asked, { ...view, shared: 'workspace' }))).id;
}
