// The way of every record write, single or batch: plan and authorise → look up and lock → judge →
// apply with audit and search rows → COMMIT. One transaction; a failure anywhere leaves nothing.

import { uuidv7 } from 'uuidv7';
import { ApiError } from '../errors.ts';
import type { Caller } from '../model/access.ts';
import type { ObjectModel, WorkspaceModel } from '../model/model.ts';
import { uniqueIndexName } from '../model/physical-names.ts';
import { planGet, type ReadPlan } from '../plan/read-plan.ts';
import { searchChangeOf } from '../plan/search-rows.ts';
import { AUTHOR_KEY, planWrites, type WritePlan, type WriteRequest } from '../plan/write-plan.ts';
import { type Change, type Found, judgeWrites } from '../plan/write-verdict.ts';
import { type Statement, toStatement } from '../sql/sql.ts';
import {
  type AuditContext,
  type AuditEntry,
  deleteSql,
  insertSql,
  updateSql,
} from '../sql/write-sql.ts';
import { type Database, isDatabaseError, type Row } from '../store/db.ts';
import { lookUp, NOTHING_FOUND, planLookups } from './lookups.ts';

/** Who writes, through what. */
export interface WriteContext {
  readonly db: Database;
  readonly model: WorkspaceModel;
  readonly caller: Caller;
  readonly requestId: string | null;
}

/** The outcome of one operation: `row` is the record as written, undefined after a delete. */
export interface WriteResult {
  readonly action: string;
  readonly id: string;
  readonly created: boolean;
  /** False when the record had all these values already. */
  readonly changed: boolean;
  readonly row: Row | undefined;
}

/** Results in the order of the operations, and the plan that says how to show their rows. */
export interface Written {
  readonly plan: ReadPlan;
  readonly results: readonly WriteResult[];
}

/** Apply all operations or none. Errors: every code of specification §4.3 for writes. */
export async function writeRecords(
  context: WriteContext,
  object: ObjectModel,
  request: WriteRequest,
): Promise<Written> {
  const { db, model, caller } = context;
  const plan = planWrites(model, caller, object, request);
  const shown = planGet(model, caller, object, { ids: [], fields: undefined });
  const lookups = planLookups(plan);
  try {
    if (lookups.length === 0) {
      const changes = judgeWrites(plan, NOTHING_FOUND);
      return await applyAtOnce(context, { plan, shown, found: NOTHING_FOUND, changes });
    }
    return await db.transaction(async (tx) => {
      const found = await lookUp(tx, lookups);
      const changes = judgeWrites(plan, found);
      const statements = changeStatements(context, { plan, shown, found, changes });
      const written = await tx.finish(statements);
      return { plan: shown, results: resultsOf(plan, changes, written.flat(), found) };
    });
  } catch (error) {
    throw mapConstraint(error, object);
  }
}

interface Judged {
  readonly plan: WritePlan;
  readonly shown: ReadPlan;
  readonly found: Found;
  readonly changes: readonly Change[];
}

/** Creates that need no look-up: one statement is its own transaction, one round trip. */
async function applyAtOnce(context: WriteContext, judged: Judged): Promise<Written> {
  const statements = changeStatements(context, judged);
  const rows = await Promise.all(statements.map((statement) => context.db.query(statement)));
  const results = resultsOf(judged.plan, judged.changes, rows.flat(), NOTHING_FOUND);
  return { plan: judged.shown, results };
}

/** In the order of the operations (D51): one statement a run of inserts or deletes, one an update. */
function changeStatements(context: WriteContext, judged: Judged): readonly Statement[] {
  const { plan, shown, found, changes } = judged;
  const auditContext = auditOf(context, plan);
  return runsOf(changes).map((run) => {
    const search = searchChangeOf(plan.object, run, found);
    const traces = { context: auditContext, entries: run.map(auditEntry), search };
    const inserted = run.flatMap((effect) => (effect.kind === 'insert' ? [effect.columns] : []));
    if (inserted.length > 0) {
      const columns = insertedColumns(plan.object, inserted);
      return toStatement(insertSql(shown, columns, inserted, traces));
    }
    const [first] = run;
    if (first?.kind === 'update') return toStatement(updateSql(shown, first, traces));
    const ids = run.map(({ id }) => id);
    return toStatement(deleteSql(shown, ids, traces));
  });
}

type Effect = Exclude<Change, { kind: 'none' }>;

function runsOf(changes: readonly Change[]): readonly (readonly Effect[])[] {
  const runs: Effect[][] = [];
  for (const change of changes) {
    if (change.kind === 'none') continue;
    const last = runs[runs.length - 1];
    if (change.kind !== 'update' && last?.[0]?.kind === change.kind) last.push(change);
    else runs.push([change]);
  }
  return runs;
}

/** The columns any of the rows has, in the order of the definition: a stable text per shape. */
function insertedColumns(object: ObjectModel, rows: readonly Row[]): ReadonlyMap<string, string> {
  const used = new Set(rows.flatMap((row) => Object.keys(row)));
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

function auditOf(context: WriteContext, plan: WritePlan): AuditContext {
  const { model, caller, requestId } = context;
  return {
    schema: model.schema,
    api_key_id: caller.key?.id ?? null,
    api_key_prefix: caller.key?.prefix ?? null,
    user_id: caller.user.id,
    object_type: plan.object.object_type,
    source: plan.source,
    request_id: requestId,
    batch_id: plan.batch ? uuidv7() : null,
  };
}

function auditEntry(change: Effect): AuditEntry {
  const actions = { insert: 'create', delete: 'delete' } as const;
  const action = change.kind === 'update' ? change.action : actions[change.kind];
  return { record_id: change.id, action, changed_fields: change.keys };
}

function resultsOf(
  plan: WritePlan,
  changes: readonly Change[],
  rows: readonly Row[],
  found: Found,
): readonly WriteResult[] {
  const written = new Map(rows.map((row) => [String(row.id), row]));
  return plan.writes.map(({ operation, index }) => {
    const change = changes[index] as Change;
    const unchanged = found.rows.get(change.id) ?? found.matches.get(index)?.[0];
    const row = change.kind === 'none' ? unchanged : written.get(change.id);
    const created = change.kind === 'insert';
    return {
      action: operation.action,
      id: change.id,
      created,
      changed: change.kind !== 'none',
      row: change.kind === 'delete' ? undefined : row,
    };
  });
}

/** Foreign key violated: by a row that is gone, or (since PostgreSQL 18) by a restricted delete. */
const FOREIGN_KEY: ReadonlySet<unknown> = new Set(['23503', '23001']);

/** Constraints say what no look-up could know for certain: somebody else was faster. */
function mapConstraint(error: unknown, object: ObjectModel): unknown {
  if (!isDatabaseError(error)) return error;
  if (error.code === '23505') {
    const field = [...object.fields.values()].find(
      (candidate) => error.constraint === uniqueIndexName(object.table, candidate.column),
    );
    return new ApiError('conflict', {
      ...(field === undefined ? {} : { param: `fields.${field.key}` }),
      message: 'Another record has this value already.',
      cause: error,
    });
  }
  if (FOREIGN_KEY.has(error.code)) {
    return new ApiError('conflict', {
      message: 'Other records refer to this one, or one it refers to is gone.',
      cause: error,
    });
  }
  return error;
}
