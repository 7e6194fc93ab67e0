// The decision behind every read of records: which rows the caller may see, which fields, in which
// order, from where on. Field keys are resolved through the caller's readable set here, before any
// SQL exists. The plan is inert data; read-sql.ts makes the statement from it.

import { ApiError, errorFromProblems, messageOf, type Problems } from '../../errors.ts';
import { say } from '../../messages/message.ts';
import type {
  Field,
  LinkKind,
  ObjectModel,
  Reach,
  Rollup,
  WorkspaceModel,
} from '../../model/definition/model.ts';
import {
  canReadField,
  canReadObject,
  objectAccess,
  type Planner,
  type Rights,
  reachColumn,
} from '../../model/rights/access.ts';
import { FIELD_TYPE_TRAITS } from '../../model/values/field-types.ts';
import type { AnswerSize } from '../../model/values/value-size.ts';
import { type CursorValue, decodeCursor, encodeCursor } from './cursor.ts';
import type { RecordQuery } from './record-query.ts';
import { type KeyScope, type PlannedField, resolvePath, unknownField } from './resolve-field.ts';
import { boundWhere, EVERYTHING, isEverything, planWhere, type Where } from './where.ts';

/** The requested page; without `fields` it has identity properties only. */
export interface ListRequest {
  readonly endpoint: string;
  readonly query: RecordQuery;
  readonly limit: number;
  readonly cursor: string | undefined;
}

export interface OrderKey {
  readonly field: PlannedField;
  readonly direction: 'asc' | 'desc';
}

/** The part of a page with the records, or the people, that a field refers to. */
export interface Expansion {
  /** The key of the field, which has the ids. */
  readonly key: string;
  readonly column: string;
  /** How the records are read and shown; `user`: as people; undefined: the caller may see none. */
  readonly target: ReadPlan | 'user' | undefined;
}

/** Rows the caller may see: `user_ids` undefined means all of them. */
export interface ReachPredicate {
  readonly column: string;
  readonly user_ids: readonly number[] | undefined;
}

/** The column that stores a relationship: of the record, or of the others. */
interface StoringColumn {
  readonly kind: 'reference' | 'inverse';
  readonly column: string;
}

/** A record and the relationship to others: `table` is that of the record. */
export interface LinkedTo {
  readonly via: LinkKind | StoringColumn;
  readonly table: string;
  readonly id: string;
  /** Selects the record, where a row must not be found unless the caller may read it. */
  readonly source?: ReadPlan;
}

/** A rollup with the records that it is computed from. */
export interface PlannedRollup {
  readonly rollup: Rollup;
  /** Selects those that meet its conditions, of any record. */
  readonly source: ReadPlan;
  readonly reference: Field;
  /** The field of their values; undefined: they are counted. */
  readonly value: Field | undefined;
}

export interface ReadPlan {
  readonly schema: string;
  readonly object: ObjectModel;
  readonly reach: ReachPredicate;
  readonly ids: readonly string[] | undefined;
  /** Only records that this one is linked to. */
  readonly linked: LinkedTo | undefined;
  readonly where: Where;
  readonly text: { readonly field: Field; readonly value: string } | undefined;
  /** Display field when the caller may read it. */
  readonly display: Field | undefined;
  /** Fields to show under `fields`; undefined leaves `fields` out. */
  readonly fields: readonly Field[] | undefined;
  readonly order: readonly OrderKey[];
  /** Values of the order keys after which the page starts. */
  readonly after: readonly CursorValue[] | undefined;
  readonly limit: number | undefined;
  /** The expansions under `expanded`; undefined leaves it out. */
  readonly expand: readonly Expansion[] | undefined;
  /** Fields to show under `fields` that are computed from the page when it has been read. */
  readonly rollups?: readonly PlannedRollup[];
  /** Seconds since 1970: that of the first page, where conditions are relative to it. */
  readonly moment?: number;
  /** The largest size of its rows, where they could be larger. */
  readonly size?: AnswerSize;
  /** The binding of cursors of this plan, for every caller. */
  readonly binding: string;
}

/** The object, or 404 when it is unknown or the caller has no read grant on it (D21). */
export function requireObject(
  model: WorkspaceModel,
  caller: Rights,
  objectType: string,
): ObjectModel {
  const object = model.objects.get(objectType);
  if (object === undefined || !canReadObject(caller, object)) {
    throw new ApiError('object_not_available', { param: 'object_type' });
  }
  return object;
}

/** Plan one page of a list or search. Throws `invalid_filter`, `permission_denied` and the like. */
export function planList(
  model: WorkspaceModel,
  caller: Planner,
  object: ObjectModel,
  request: ListRequest,
): ReadPlan {
  const problems: Problems = [];
  const { query, limit, cursor } = request;
  const { where, text } = planSelection({ model, caller, object }, query, problems);
  const sorted = query.sort.flatMap(({ param, field: key, through, direction }) => {
    const field = resolvePath({ model, caller, object }, { param, key, through }, problems);
    return field && isSortable(field, param, problems) ? [{ field, direction }] : [];
  });
  const fields = selectFields(caller, object, query.fields ?? undefined, problems);
  if (problems.length > 0) throw errorFromProblems(problems);
  const order = orderBy(object, sorted);
  const binding = JSON.stringify([
    ...bindingOf(request.endpoint, { object, where, text }),
    order.map(boundKey),
    fields?.map((field) => field.key) ?? null,
  ]);
  const first = { ...basePlan(model, caller, object), where, text, fields, order, limit };
  return { ...first, binding, after: startAfter(model, caller, binding, cursor) };
}

/** A cursor is of one order: that of another language would continue at another record. */
function boundKey({ field: { key, collation }, direction }: OrderKey): readonly unknown[] {
  return collation === null ? [key, direction] : [key, direction, collation];
}

/** Where the page after a cursor starts; undefined without one. Errors: `invalid_cursor`. */
export function startAfter(
  model: WorkspaceModel,
  caller: Rights,
  binding: string,
  cursor: string | undefined,
): ReadPlan['after'] {
  if (cursor === undefined || cursor === '') return undefined;
  return decodeCursor(model.cursor_secret, ownBinding(model, caller, binding), cursor);
}

/** The binding of the cursors of one caller: a plan, which may be kept for others, has it without them. */
export function ownBinding(
  { workspace }: WorkspaceModel,
  { user }: Rights,
  binding: string,
): string {
  return `[[${workspace.id},${user.id},${binding.slice('[['.length)}`;
}

/**
 * True for pages of everything the caller may see, newest first: an index has their rows in order, so that
 * none of them is slow.
 */
export function isPlainWalk({ where, text, linked, ids, order, reach }: ReadPlan): boolean {
  const isNewestFirst =
    order.length === 2 &&
    order.every(({ direction }) => direction === 'desc') &&
    order[0]?.field.key === 'created_at';
  const isSelected = !isEverything(where) || [text, linked, ids].some((one) => one !== undefined);
  return isNewestFirst && !isSelected && (reach.user_ids?.length ?? 1) === 1;
}

/** Plan the retrieval of single records; `fields` undefined means every readable field. */
export function planGet(
  model: WorkspaceModel,
  caller: Planner,
  object: ObjectModel,
  request: { readonly ids: readonly string[]; readonly fields: readonly string[] | undefined },
): ReadPlan {
  const problems: Problems = [];
  const fields = selectFields(caller, object, request.fields, problems);
  if (problems.length > 0) throw errorFromProblems(problems);
  return {
    ...basePlan(model, caller, object),
    ids: request.ids,
    fields: fields ?? readableFields(caller, object),
  };
}

/** The rows of a query: its conditions with fields and values, its text. */
export function planSelection(
  scope: KeyScope,
  query: RecordQuery,
  problems: Problems,
): Pick<ReadPlan, 'where' | 'text'> {
  const { caller, object } = scope;
  const where = planWhere(scope, query.where, problems);
  return { where, text: planText(caller, object, query.text, problems) };
}

/** The binding of a cursor besides its order, its fields and its caller. */
export function bindingOf(
  endpoint: string,
  { object, where, text }: Pick<ReadPlan, 'object' | 'where' | 'text'>,
): readonly unknown[] {
  return [[endpoint, object.object_type], boundWhere(where), text?.value ?? null];
}

/** Every field of the object that the caller may read, in the order of the definition. */
export function readableFields(caller: Planner, object: ObjectModel): readonly Field[] {
  const { readable } = objectAccess(caller, object);
  return [...object.fields.values()].filter((field) => readable.has(field.key));
}

/** The cursor after `row`; its order values are in the columns that `orderColumn` names. */
export function cursorAfter(
  model: WorkspaceModel,
  caller: Rights,
  plan: ReadPlan,
  row: Readonly<Record<string, unknown>>,
): string {
  const values = plan.order.map((key, place) => row[orderColumn(key, place)] as CursorValue);
  const binding = ownBinding(model, caller, plan.binding);
  return encodeCursor(model.cursor_secret, binding, withMoment(plan, values));
}

/** The values of a cursor: pages after the first have its moment. */
export function withMoment(
  { moment }: { readonly moment?: number },
  values: readonly CursorValue[],
): readonly CursorValue[] {
  return moment === undefined ? values : [...values, moment];
}

/** Where the row of a page has the value of an order key. No field has such a key as those of joined ones. */
export function orderColumn({ field }: OrderKey, place: number): string {
  return field.join === undefined ? field.column : `_o${place}`;
}

/** Turn a reach into a predicate on the owner, or the creator where records have no owner (D20). */
export function reachPredicate(
  caller: Planner,
  object: ObjectModel,
  reach: Reach | null,
): ReachPredicate {
  const column = reachColumn(object);
  if (reach === 'organisation') return { column, user_ids: undefined };
  if (reach === 'team') return { column, user_ids: caller.colleague_ids };
  return { column, user_ids: reach === 'own' ? [caller.user.id] : [] };
}

/** The start of every plan: the object within the caller's reach, with an empty selection. */
export function basePlan(model: WorkspaceModel, caller: Planner, object: ObjectModel): ReadPlan {
  const display = object.fields.get(object.display_field ?? '');
  return {
    schema: model.schema,
    object,
    reach: reachPredicate(caller, object, objectAccess(caller, object).reach.read),
    ids: undefined,
    linked: undefined,
    where: EVERYTHING,
    text: undefined,
    display: display && canReadField(caller, object, display) ? display : undefined,
    fields: undefined,
    order: [],
    after: undefined,
    limit: undefined,
    expand: undefined,
    binding: '',
  };
}

function isSortable(field: Field, param: string, problems: Problems): boolean {
  if (FIELD_TYPE_TRAITS[field.type].sortable) return true;
  const message = say('field_not_sortable', { type: field.type });
  problems.push({ param, code: 'invalid_filter', message });
  return false;
}

/** Requested keys to fields: unknown is `invalid_filter`, unreadable is left out (D36, D37). */
function selectFields(
  caller: Planner,
  object: ObjectModel,
  keys: readonly string[] | undefined,
  problems: Problems,
): readonly Field[] | undefined {
  if (keys === undefined) return undefined;
  return [...new Set(keys)].flatMap((key) => {
    const field = object.fields.get(key);
    if (field === undefined) {
      problems.push({ param: 'fields', code: 'invalid_filter', message: unknownField(key) });
      return [];
    }
    return canReadField(caller, object, field) ? [field] : [];
  });
}

function planText(
  caller: Planner,
  object: ObjectModel,
  text: RecordQuery['text'],
  problems: Problems,
): ReadPlan['text'] {
  if (text === null) return undefined;
  const { param, value } = text;
  const field = object.fields.get(object.display_field ?? '');
  if (field === undefined || !object.capabilities.search) {
    const message = messageOf('search_not_supported');
    problems.push({ param, code: 'search_not_supported', message });
    return undefined;
  }
  if (!canReadField(caller, object, field)) {
    problems.push({ param, code: 'permission_denied', message: say('display_field_not_readable') });
    return undefined;
  }
  return { field, value };
}

/** The sort keys, then the id in the direction of the last one; newest first by default (D29). */
function orderBy(object: ObjectModel, sorted: readonly OrderKey[]): readonly OrderKey[] {
  const createdAt = object.fields.get('created_at') as Field;
  const id = object.fields.get('id') as Field;
  const keys: readonly OrderKey[] =
    sorted.length > 0 ? sorted : [{ field: createdAt, direction: 'desc' }];
  const last = keys[keys.length - 1] as OrderKey;
  if (keys.some((key) => key.field.key === 'id')) return keys;
  return [...keys, { field: id, direction: last.direction }];
}
