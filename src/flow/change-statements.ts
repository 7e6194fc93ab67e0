// The statements of judged changes, in the order of the operations (D51): one for a run of inserts or
// deletes, one for each update, link and unlink. Each carries its audit and search rows with it.

import { LIMITS } from '../limits.ts';
import { reachColumn } from '../model/access.ts';
import type { LinkKind, ObjectModel } from '../model/model.ts';
import type { ReadPlan } from '../plan/read-plan.ts';
import { clearedReferrers } from '../plan/referrers.ts';
import { searchChangeOf } from '../plan/search-rows.ts';
import { plantedItems } from '../plan/work-items.ts';
import type { Change, Found } from '../plan/write-case.ts';
import { AUTHOR_KEY } from '../plan/write-fields.ts';
import type { WritePlan } from '../plan/write-plan.ts';
import { rowBefore } from '../plan/written-rows.ts';
import type { AuditContext, AuditEntry } from '../sql/audit-sql.ts';
import { deleteSql } from '../sql/delete-sql.ts';
import { linkSql, unlinkSql } from '../sql/link-sql.ts';
import { type Sql, type Statement, toStatement } from '../sql/sql.ts';
import { requireTreeSql } from '../sql/work-item-sql.ts';
import { insertSql, type Traces, updateSql } from '../sql/write-sql.ts';
import type { Row } from '../store/db.ts';

/** What was decided, and how the records as written are shown. */
export interface Judged {
  readonly plan: WritePlan;
  readonly shown: ReadPlan;
  readonly found: Found;
  readonly changes: readonly Change[];
  /** What the inserts check themselves. */
  readonly assumed?: Sql | undefined;
  /** Ids of requests by record, of several that are written together. */
  readonly requests?: ReadonlyMap<string, string | null | undefined> | undefined;
}

/**
 * The statements; each answers a row for every record it has changed. The last of them stores the answer
 * to the request, when there is one to store; behind them trees of work items are checked.
 */
export function changeStatements(
  judged: Judged,
  context: AuditContext,
  remembered?: Sql,
): readonly Statement[] {
  const runs = runsOf(judged.changes);
  if (runs.length === 0) return remembered === undefined ? [] : [toStatement(remembered)];
  const statements = runs.map((run, index) => {
    const last = index === runs.length - 1 ? remembered : undefined;
    return toStatement(runSql(judged, run, { context, remembered: last }));
  });
  const planted = plantedItems(judged.plan, judged.changes);
  if (planted.length === 0) return statements;
  const tree = requireTreeSql(context.schema, planted, LIMITS.workItemLevels);
  return [...statements, toStatement(tree)];
}

type Effect = Exclude<Change, { kind: 'none' }>;

/** Neighbours that one statement can do. */
function runsOf(changes: readonly Change[]): readonly (readonly Effect[])[] {
  const runs: Effect[][] = [];
  for (const change of changes) {
    if (change.kind === 'none') continue;
    const last = runs[runs.length - 1];
    const joins = change.kind === 'insert' || change.kind === 'delete';
    if (joins && last?.[0]?.kind === change.kind) last.push(change);
    else runs.push([change]);
  }
  return runs;
}

function runSql(
  judged: Judged,
  run: readonly Effect[],
  { context, remembered }: Pick<Traces, 'context' | 'remembered'>,
): Sql {
  const { plan, shown, found, assumed } = judged;
  const [first] = run as readonly [Effect];
  const entries = run.map((change) => auditEntry(judged, change));
  if (first.kind === 'link' || first.kind === 'unlink') {
    const traces = { context, entry: entries[0] as AuditEntry, remembered };
    const linked = first.kind === 'link' ? linkSql : unlinkSql;
    return linked(first.relationship.via as LinkKind, first, traces);
  }
  const search = searchChangeOf(plan.object, run, found);
  const traces = { context, entries, search, remembered };
  if (first.kind === 'update') return updateSql(shown, first, traces);
  if (first.kind === 'insert') {
    const inserted = run.flatMap((effect) => (effect.kind === 'insert' ? [effect.columns] : []));
    const columns = insertedColumns(plan.object, inserted);
    return insertSql(shown, { columns, rows: inserted, assumed }, traces);
  }
  const attached = {
    cleared: clearedReferrers(plan.model, plan.object),
    linked: plan.object.relationships.some(({ via }) => via.kind === 'link'),
    commented: plan.object.commentable,
  };
  const ids = run.map(({ id }) => id);
  return deleteSql(shown, ids, attached, traces);
}

/** The columns any of the rows has, in the order of the definition: a stable text per shape. */
function insertedColumns(object: ObjectModel, rows: readonly Row[]): ReadonlyMap<string, string> {
  const used = new Set<string>();
  for (const row of rows) for (const name in row) used.add(name);
  const columns = new Map<string, string>([
    ['id', 'uuid'],
    [AUTHOR_KEY, 'integer'],
  ]);
  for (const field of object.fields.values()) {
    if (!used.has(field.column)) continue;
    columns.set(field.column, field.storage === 'jsonb' ? 'jsonb' : field.cast_type);
  }
  return columns;
}

function auditEntry({ plan, found, requests }: Judged, change: Effect): AuditEntry {
  const action = change.kind === 'insert' ? 'create' : change.kind;
  const entry = {
    record_id: change.id,
    action: change.kind === 'update' ? change.action : action,
    changed_fields: change.keys,
    request_id: requests?.get(change.id),
  };
  if (change.kind !== 'delete') return entry;
  const owner = rowBefore(change, found)?.[reachColumn(plan.object)];
  return { ...entry, reach_user_id: (owner ?? null) as number | null };
}
