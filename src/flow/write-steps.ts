// The steps that the ways of a write share: what was looked up becomes judged changes, these become
// statements, and their rows become results. What is sent when is up to the ways.

import { uuidv7 } from 'uuidv7';
import { ApiError } from '../errors.ts';
import type { Caller } from '../model/access.ts';
import type { WorkspaceModel } from '../model/model.ts';
import { planGet, type ReadPlan } from '../plan/read-plan.ts';
import { treeStrength } from '../plan/work-items.ts';
import type { Counts, Found } from '../plan/write-case.ts';
import type { PlannedWrite, WriteOperation, WritePlan } from '../plan/write-plan.ts';
import { judgeWrites } from '../plan/write-verdict.ts';
import { clearedVersions, rowBefore, rowWritten } from '../plan/written-rows.ts';
import type { AuditContext } from '../sql/audit-sql.ts';
import type { Sql, Statement } from '../sql/sql.ts';
import { ASSUMPTION_FAILED } from '../sql/write-sql.ts';
import { type Database, isDatabaseError, type Queryable, type Row } from '../store/db.ts';
import { changeStatements, type Judged } from './change-statements.ts';
import { keepPlan } from './kept-plans.ts';
import { type Assumption, assumeFound, numberItems } from './lookups.ts';

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
  /** False when everything was as asked for already. */
  readonly changed: boolean;
  readonly row: Row | undefined;
  /** Of a delete: records that lost their reference to it, as far as the caller may read them. */
  readonly cleared: Counts | undefined;
}

/** Results in the order of the operations, and the plan that says how to show their rows. */
export interface Written {
  readonly plan: ReadPlan;
  readonly results: readonly WriteResult[];
}

/** A request with the plan of its writes. */
export interface PlannedRequest {
  readonly context: WriteContext;
  readonly plan: WritePlan;
}

/** Errors: those of `judgeWrites`. */
export function judge(context: WriteContext, plan: WritePlan, found: Found): Judged {
  const { model, caller } = context;
  const { object, answered: fields } = plan;
  const question = `written ${object.object_type} ${JSON.stringify(fields ?? null)}`;
  const shown = keepPlan(context, question, () =>
    planGet(model, caller, object, { ids: [], fields }),
  );
  return { plan, shown, found, changes: judgeWrites(plan, found) };
}

/** Creates as they are when all that they refer to is there; their statement makes sure of it. */
export async function judgeAssumed(
  db: Queryable,
  { context, plan }: PlannedRequest,
  { found, condition }: Assumption,
): Promise<Judged> {
  const numbered = await numberItems(db, plan, found);
  return { ...judge(context, plan, numbered), assumed: condition };
}

/** True when a write on an assumption has to look first, to succeed or to tell all that is wrong. */
export function isUnfounded(error: unknown, assumption: Assumption | undefined): boolean {
  if (assumption?.condition === undefined) return false;
  if (isDatabaseError(error)) return error.code === ASSUMPTION_FAILED;
  return error instanceof ApiError && error.status < 500;
}

/** True for one operation that is no batch and gives no work item a place in a tree. */
export function isSingle(plan: WritePlan, action: WriteOperation['action']): boolean {
  const { batch, writes } = plan;
  if (batch || writes.length !== 1 || writes[0]?.operation.action !== action) return false;
  return treeStrength(plan) === undefined;
}

/** What single writes of a caller must have in common to be planned as one. */
export function kindOf({ object, source, answered, writes }: WritePlan): string {
  const { operation } = writes[0] as PlannedWrite;
  return `${operation.action} ${object.object_type} ${source} ${JSON.stringify(answered ?? null)}`;
}

/** The writes of requests of one kind as those of one request, which has no id of its own. */
export function mergePlans(requests: readonly PlannedRequest[]): PlannedRequest {
  const [{ context, plan }] = requests as readonly [PlannedRequest];
  const planned = requests.flatMap((one) => one.plan.writes);
  const writes = planned.map((write, index) => ({ ...write, index }));
  return { context: { ...context, requestId: null }, plan: { ...plan, writes } };
}

/** Creates judged on an assumption, as one, and what of it is whose. */
export async function judgeCreates(
  db: Queryable,
  creates: readonly PlannedRequest[],
): Promise<{ readonly judged: Judged; readonly shares: readonly Judged[] }> {
  const merged = mergePlans(creates);
  const assumption = assumeFound(merged.plan) as Assumption;
  const judged = await judgeAssumed(db, merged, assumption);
  const shares = creates.map(({ plan }, index) => {
    return { ...judged, plan, changes: judged.changes.slice(index, index + 1) };
  });
  const requests = judged.changes.map(
    ({ id }, index) => [id, creates[index]?.context.requestId] as const,
  );
  return { judged: { ...judged, requests: new Map(requests) }, shares };
}

/** The statements of judged changes; `remembered` is sent with the last of them. */
export function statementsOf(
  context: WriteContext,
  judged: Judged,
  remembered?: Sql,
): readonly Statement[] {
  return changeStatements(judged, auditOf(context, judged.plan), remembered);
}

/** Whose change it is, for the audit rows. */
export function auditOf({ model, caller, requestId }: WriteContext, plan: WritePlan): AuditContext {
  return {
    schema: model.schema,
    revision: model.revision,
    api_key_id: caller.key?.id ?? null,
    api_key_prefix: caller.key?.prefix ?? null,
    user_id: caller.user.id,
    object_type: plan.object.object_type,
    source: plan.source,
    request_id: requestId,
    batch_id: plan.batch ? uuidv7() : null,
  };
}

/** What the statements answered, by the id of the record. */
export function rowsById(answers: readonly (readonly Row[])[]): ReadonlyMap<string, Row> {
  return new Map(answers.flat().map((row) => [String(row.id), row]));
}

/** The records as they will be, told before they are written, so that the answer can be stored. */
export function foresee({ plan, found, changes }: Judged, now: string): ReadonlyMap<string, Row> {
  return new Map(
    changes.flatMap((change) => {
      const row = rowWritten(plan.object, change, found, now);
      return row === undefined ? [] : [[change.id, row] as const];
    }),
  );
}

/** What the records as written say, by id. */
export function resultsOf(
  { plan, shown, found, changes }: Judged,
  written: ReadonlyMap<string, Row>,
): Written {
  const versions = clearedVersions(plan, changes, found);
  const results = changes.map((change, index): WriteResult => {
    const { kind, id } = change;
    const isWritten = kind === 'insert' || kind === 'update';
    const known = isWritten ? written.get(id) : rowBefore(change, found);
    const row = kind === 'delete' ? undefined : known;
    const version = versions.get(id);
    return {
      action: plan.writes[index]?.operation.action as string,
      id,
      created: kind === 'insert',
      changed: kind !== 'none' && written.has(id),
      row: row === undefined || version === undefined ? row : { ...row, version },
      cleared: kind === 'delete' ? change.cleared : undefined,
    };
  });
  return { plan: shown, results };
}
