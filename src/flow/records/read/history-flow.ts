// The history of a record: a page of what its changes have replaced, and the restore of values, which is an update of the
// record as it was read (docs/design/history.md). The rights are those of now.

import { loadFieldChanges } from '../../../control/workspace/definition-revisions.ts';
import { ApiError, recordNotFound, unavailable } from '../../../errors.ts';
import { LIMITS } from '../../../limits.ts';
import type { ObjectModel, WorkspaceModel } from '../../../model/definition/model.ts';
import type { FieldChange } from '../../../model/definition/revision.ts';
import type { Caller } from '../../../model/rights/access.ts';
import { parseRecordId } from '../../../model/values/record-id.ts';
import { decodeCursor, encodeCursor } from '../../../plan/read/cursor.ts';
import { END_OF_SPANS, type KeySpan, keySpans } from '../../../plan/read/key-spans.ts';
import { basePlan, type ReadPlan, readableFields } from '../../../plan/read/read-plan.ts';
import type { Precondition } from '../../../plan/write/precondition.ts';
import {
  type KeptState,
  planRestore,
  planRestoredFields,
  type UpdateOperation,
} from '../../../plan/write/restore-plan.ts';
import type { Row, Shareable } from '../../../postgres/db.ts';
import { historySql, KEPT, keptValuesSql } from '../../../sql/events/history-sql.ts';
import { toStatement } from '../../../sql/sql.ts';
import { ask, type ReadContext } from './read-statement.ts';

/** A change of the record, as far as the caller may read it now. */
export interface HistoryRow {
  readonly revision: number;
  readonly at: string;
  readonly user_id: number;
  readonly source: string;
  readonly action: string;
  readonly changes: readonly {
    readonly field: string;
    readonly old: unknown;
    readonly new: unknown;
  }[];
}

export interface HistoryPage {
  /** The id in the form of the database. */
  readonly id: string;
  readonly rows: readonly HistoryRow[];
  readonly next_cursor: string | null;
}

export interface HistoryRequest {
  readonly id: string;
  /** Only changes of this field, which the caller may read. */
  readonly field: string | undefined;
  readonly limit: number;
  readonly cursor: string | undefined;
}

/** Changes of a record, the last one first. Errors: `record_not_found`, `invalid_cursor`. */
export async function readHistory(
  context: ReadContext,
  object: ObjectModel,
  { id, field, limit, cursor }: HistoryRequest,
): Promise<HistoryPage> {
  const { model, caller } = context;
  requireHistory(object);
  const source = recordPlan(model, caller, object, id);
  const [recordId = ''] = source.ids ?? [];
  const asked = [
    'history',
    model.workspace.id,
    caller.user.id,
    object.object_type,
    recordId,
    field,
  ];
  const binding = JSON.stringify(asked);
  const [before = END_OF_SPANS] =
    cursor === undefined || cursor === '' ? [] : decodeCursor(model.cursor_secret, binding, cursor);
  const keys = field === undefined ? readableFields(caller, object).map(({ key }) => key) : [field];
  const spans = await spansOf(context, object, keys);
  const bytes = LIMITS.answerBytes;
  const page = { source, spans, before: Number(before), limit, bytes };
  const found = await ask({ ...context, isHeavy: true }, toStatement(historySql(page)));
  if (found.length === 0) throw recordNotFound();
  const rows = found.filter(({ revision }) => revision !== null);
  const last = rows.at(-1);
  const isMore = last?.more === true;
  return {
    id: recordId,
    rows: rows as unknown as readonly HistoryRow[],
    next_cursor: isMore
      ? encodeCursor(model.cursor_secret, binding, [Number(last.revision)])
      : null,
  };
}

export interface RestoreRequest {
  readonly id: string;
  readonly revision: number;
  /** Keys of fields. */
  readonly fields: readonly string[];
  readonly precondition: Precondition | undefined;
}

/** How often the values are computed again, because somebody has changed the record meanwhile. */
const ATTEMPTS = 5;

/**
 * Calls `write` with the update that restores the values. Errors: those of `write`, `record_not_found`,
 * `permission_denied` and `invalid_write`.
 */
export async function restoreValues<Result>(
  context: ReadContext,
  object: ObjectModel,
  request: RestoreRequest,
  write: (operation: UpdateOperation) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    const operation = await readRestore(context, object, request);
    try {
      return await write(operation);
    } catch (error) {
      if (!isOvertaken(error, request)) throw error;
      if (attempt === ATTEMPTS) throw unavailable(error);
    }
  }
}

/** The client has named no version, and the one that was read is no longer the present one. */
function isOvertaken(error: unknown, { precondition }: RestoreRequest): boolean {
  const isStale = error instanceof ApiError && error.code === 'stale_record';
  return isStale && (precondition === undefined || precondition === 'exists');
}

async function readRestore(
  context: ReadContext,
  object: ObjectModel,
  { id, revision, fields: keys, precondition }: RestoreRequest,
): Promise<UpdateOperation> {
  const { model, caller } = context;
  requireHistory(object);
  const { fields, broken } = planRestoredFields(caller, object, keys);
  const own = fields.map(({ key }) => key);
  const spans = await spansOf(context, object, own);
  const source = { ...recordPlan(model, caller, object, id), fields };
  const statement = toStatement(keptValuesSql(source, spans, revision));
  const [row] = await ask(context, statement);
  if (row === undefined) throw recordNotFound();
  const restoring = { caller, object, revision, fields, broken, spans, precondition };
  return planRestore(restoring, row, stateOf(row));
}

function stateOf(row: Row): KeptState {
  return {
    owner: row[KEPT.owner] as number | null,
    reached: row[KEPT.reached] === true,
    next: row[KEPT.next] as number | null,
    definition: row[KEPT.definition] as number | null,
    values: (row[KEPT.values] ?? []) as KeptState['values'],
  };
}

function requireHistory({ history }: ObjectModel): void {
  if (history === null) throw new ApiError('history_not_supported', { param: 'object_type' });
}

/** Selects the record. Errors: `record_not_found`. */
function recordPlan(
  model: WorkspaceModel,
  caller: Caller,
  object: ObjectModel,
  sent: string,
): ReadPlan {
  const id = parseRecordId(sent);
  if (id === undefined) throw recordNotFound();
  return { ...basePlan(model, caller, object), ids: [id] };
}

async function spansOf(
  { db, model }: ReadContext,
  object: ObjectModel,
  keys: readonly string[],
): Promise<readonly KeySpan[]> {
  return keySpans(object, keys, await fieldChangesOf(db, model));
}

const known = new WeakMap<WorkspaceModel, Promise<readonly FieldChange[]>>();

/** Loaded once for a definition. */
function fieldChangesOf(db: Shareable, model: WorkspaceModel): Promise<readonly FieldChange[]> {
  const found = known.get(model);
  if (found !== undefined) return found;
  const { schema, revision } = model;
  const loaded = loadFieldChanges(db.near(schema), schema, revision);
  known.set(model, loaded);
  loaded.catch(() => known.delete(model));
  return loaded;
}
