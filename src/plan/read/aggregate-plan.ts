// The decision behind an aggregate: which rows the caller may see, grouped by which readable fields,
// measured how, in which total order. Same rules for fields and reach as every other read.

import { errorFromProblems, type Problems } from '../../errors.ts';
import { type Message, say } from '../../messages/message.ts';
import type { Field, ObjectModel, WorkspaceModel } from '../../model/definition/model.ts';
import { dateField } from '../../model/fields/date-field.ts';
import type { Planner, Rights } from '../../model/rights/access.ts';
import { comparedTraits, FIELD_TYPE_TRAITS } from '../../model/values/field-types.ts';
import type { AnswerSize } from '../../model/values/value-size.ts';
import { type LongColumn, longColumn, mostOfRow, WHOLE_ANSWER } from './answer-size.ts';
import { type CursorValue, encodeCursor } from './cursor.ts';
import {
  basePlan,
  bindingOf,
  type OrderKey,
  ownBinding,
  planSelection,
  type ReadPlan,
  withMoment,
} from './read-plan.ts';
import type { RecordQuery } from './record-query.ts';
import type { TimeUnit } from './relative-time.ts';
import { type KeyScope, type PlannedField, resolvePath } from './resolve-field.ts';

export const METRIC_OPERATIONS = ['count', 'count_distinct', 'sum', 'avg', 'min', 'max'] as const;
export type MetricOperation = (typeof METRIC_OPERATIONS)[number];

export interface MetricInput {
  readonly name: string;
  readonly op: MetricOperation;
  readonly field?: string;
  /** The reference that leads to the record with the field. */
  readonly through?: string;
}

/** A field to group by, of the object or behind a reference, and the periods its values fall into. */
export interface GroupInput {
  /** The column of the result. */
  readonly name: string;
  readonly param: string;
  readonly field: string;
  readonly through?: string;
  readonly by?: TimeUnit;
  /** Where the periods begin; `timezoneParam` is the client's name of it, when it was said. */
  readonly timezone: string;
  readonly timezoneParam?: string;
}

/** The aggregate of a request (specification §4.3): over the rows of a query, whatever its order. */
export interface AggregateRequest {
  /** Cursors belong to one of them; `aggregate` when left out. */
  readonly endpoint?: 'aggregate' | 'aggregate query';
  readonly query: RecordQuery;
  /** Keys of fields, or more that is said of them. */
  readonly group_by: readonly (string | GroupInput)[];
  readonly metrics: readonly MetricInput[];
  readonly order_by: { readonly name: string; readonly direction: 'asc' | 'desc' } | undefined;
  readonly limit: number;
  readonly cursor: string | undefined;
  /** The part of an answer to several questions; undefined: the whole answer. */
  readonly size?: AnswerSize;
}

/** A column of the answer: `alias` in SQL, `name` on the wire. */
export interface GroupColumn {
  readonly name: string;
  readonly alias: string;
  readonly field: PlannedField;
  /** Periods in place of values; periods of days have no time zone. */
  readonly period?: { readonly by: TimeUnit; readonly timezone: string | undefined };
}

export interface MetricColumn {
  readonly name: string;
  readonly alias: string;
  readonly op: MetricOperation;
  readonly field: PlannedField | undefined;
}

export interface AggregatePlan
  extends Pick<ReadPlan, 'schema' | 'object' | 'reach' | 'ids' | 'linked' | 'where' | 'text'> {
  readonly groups: readonly GroupColumn[];
  readonly metrics: readonly MetricColumn[];
  /** Pseudo fields whose columns are aliases of the grouped rows. */
  readonly order: readonly OrderKey[];
  readonly after: readonly CursorValue[] | undefined;
  readonly limit: number;
  /** Seconds since 1970: that of the first page, where conditions are relative to it. */
  readonly moment?: number;
  /** The largest size of its rows, where they could be larger. */
  readonly size?: AnswerSize;
  readonly binding: string;
}

/** Plan one page of groups. Throws `validation_failed`, `invalid_filter`, `permission_denied`. */
export function planAggregate(
  model: WorkspaceModel,
  caller: Planner,
  object: ObjectModel,
  request: Omit<AggregateRequest, 'cursor'>,
): AggregatePlan {
  const problems: Problems = [];
  checkNames(request, problems);
  if (problems.length > 0) throw errorFromProblems(problems);
  const selection = planSelection({ model, caller, object }, request.query, problems);
  const inputs = request.group_by.map(groupInput);
  const groups = inputs.flatMap((input, index) =>
    groupColumn({ model, caller, object }, { input, alias: `g${index}` }, problems),
  );
  const metrics = request.metrics.map((metric, index) => ({
    name: metric.name,
    alias: `m${index}`,
    op: metric.op,
    field: metricField(
      { model, caller, object },
      { metric, param: `metrics[${index}].field` },
      problems,
    ),
  }));
  if (problems.length > 0) throw errorFromProblems(problems);
  const order = orderGroups(groups, metrics, request.order_by);
  const binding = JSON.stringify([
    ...bindingOf(request.endpoint ?? 'aggregate', { object, ...selection }),
    request.group_by,
    request.metrics.map(({ name, op, field = null, through }) => [
      name,
      op,
      through === undefined ? field : `${through}.${field}`,
    ]),
    request.order_by ?? null,
    ...new Set(order.flatMap(({ field }) => field.collation ?? [])),
  ]);
  const { limit, size = WHOLE_ANSWER } = request;
  const { schema, reach } = basePlan(model, caller, object);
  const isLong = limit * mostOfRow(longGroupColumns({ groups, metrics, order })) > size.page;
  return {
    ...(isLong ? { size } : {}),
    ...selection,
    schema,
    object,
    reach,
    ids: undefined,
    linked: undefined,
    groups,
    metrics,
    order,
    after: undefined,
    limit,
    binding,
  };
}

/** The cursor after a group; `orderColumn` names the exact text of each order value. */
export function cursorAfterGroup(
  model: WorkspaceModel,
  caller: Rights,
  plan: AggregatePlan,
  row: Readonly<Record<string, unknown>>,
): string {
  const values = plan.order.map((_, index) => row[orderAlias(index)] as CursorValue);
  const binding = ownBinding(model, caller, plan.binding);
  return encodeCursor(model.cursor_secret, binding, withMoment(plan, values));
}

/** The columns of groups that may be long: values of fields, and the same as text to continue after. */
export function longGroupColumns({
  groups,
  metrics,
  order,
}: Pick<AggregatePlan, 'groups' | 'metrics' | 'order'>): readonly LongColumn[] {
  const shown = [
    ...groups.filter(({ period }) => period === undefined),
    ...metrics.filter(({ op }) => op === 'min' || op === 'max'),
  ];
  const fieldOf = new Map(shown.map(({ alias, field }) => [alias, field]));
  const columns = [
    ...fieldOf,
    ...order.map(({ field }, index) => [orderAlias(index), fieldOf.get(field.column)] as const),
  ];
  return columns.flatMap(([name, field]) => (field === undefined ? [] : longColumn(name, [field])));
}

/** Order values are selected as text in addition to the values shown, because JSON numbers may round. */
export function orderAlias(index: number): string {
  return `o${index}`;
}

/** Column names of the statement; they do not depend on the object. */
function checkNames(request: Omit<AggregateRequest, 'cursor'>, problems: Problems): void {
  const { metrics, order_by: order } = request;
  const groups = request.group_by.map((group) => groupInput(group, 0).name);
  const refuse = (param: string, message: Message) =>
    problems.push({ param, code: 'validation_failed', message });
  groups.forEach((key, index) => {
    if (groups.indexOf(key) !== index) refuse(`group_by[${index}]`, say('field_repeated'));
  });
  metrics.forEach(({ name, op, field }, index) => {
    const first = metrics.findIndex((metric) => metric.name === name);
    if (first !== index || groups.includes(name)) {
      refuse(`metrics[${index}].name`, say('metric_name_taken'));
    }
    if (op !== 'count' && field === undefined) {
      refuse(`metrics[${index}].field`, say('metric_needs_field', { op }));
    }
  });
  const names = [...groups, ...metrics.map(({ name }) => name)];
  if (order !== undefined && !names.includes(order.name)) {
    refuse('order_by.name', say('order_unknown'));
  }
}

/** A key alone says all there is to say of values. */
function groupInput(given: string | GroupInput, index: number): GroupInput {
  if (typeof given !== 'string') return given;
  return { name: given, param: `group_by[${index}]`, field: given, timezone: 'UTC' };
}

function groupColumn(
  scope: KeyScope,
  { input, alias }: { readonly input: GroupInput; readonly alias: string },
  problems: Problems,
): readonly GroupColumn[] {
  const { name, param, field: key, through } = input;
  const field = resolvePath(scope, { param, key, through }, problems);
  if (field === undefined) return [];
  const traits = FIELD_TYPE_TRAITS[field.type];
  if (!traits.groupable) {
    const message = say('field_not_groupable', { type: field.type });
    problems.push({ param, code: 'invalid_filter', message });
    return [];
  }
  if (input.by === undefined) return [{ name, alias, field }];
  const wrong = periodProblem(input, field);
  if (wrong !== undefined) {
    problems.push({ code: 'invalid_filter', ...wrong });
    return [];
  }
  const timezone = traits.time === 'day' ? undefined : input.timezone;
  return [{ name, alias, field, period: { by: input.by, timezone } }];
}

/** A part that cannot be applied is refused and never dropped: days have no time zone. */
function periodProblem(
  { param, timezoneParam }: GroupInput,
  { type }: Field,
): { readonly param: string; readonly message: Message } | undefined {
  const { time } = FIELD_TYPE_TRAITS[type];
  if (time === undefined) return { param, message: say('field_without_periods', { type }) };
  if (time !== 'day' || timezoneParam === undefined) return undefined;
  return { param: timezoneParam, message: say('field_without_time_zone', { type }) };
}

function metricField(
  scope: KeyScope,
  { metric, param }: { readonly metric: MetricInput; readonly param: string },
  problems: Problems,
): PlannedField | undefined {
  const { op, field: key, through } = metric;
  if (key === undefined) return undefined;
  const field = resolvePath(scope, { param, key, through }, problems);
  if (field === undefined || op === 'count' || op === 'count_distinct') return field;
  // Ids and references are uuid columns, for which PostgreSQL has no min and max.
  const traits = comparedTraits(field);
  if (traits.aggregates.includes(op)) return field;
  const isIdentity = traits.refersTo === 'record';
  const message = say('metric_impossible', {
    op,
    what: isIdentity ? 'an id' : `a ${field.type} field`,
  });
  problems.push({ param, code: 'invalid_filter', message });
  return undefined;
}

/** `order_by` first, then the group keys, so that the order is total (D42). */
function orderGroups(
  groups: readonly GroupColumn[],
  metrics: readonly MetricColumn[],
  orderBy: AggregateRequest['order_by'],
): readonly OrderKey[] {
  const keys = groups.map((group): OrderKey => ({ field: pseudoField(group), direction: 'asc' }));
  if (orderBy === undefined) return keys;
  const { name, direction } = orderBy;
  const metric = metrics.find((column) => column.name === name);
  if (metric !== undefined) return [{ field: pseudoField(metric), direction }, ...keys];
  const index = groups.findIndex((group) => group.name === name);
  const first = groups[index] as GroupColumn;
  return [{ field: pseudoField(first), direction }, ...keys.toSpliced(index, 1)];
}

/** A column of the grouped rows, with the type its values are compared in. */
function pseudoField(column: GroupColumn | MetricColumn): Field {
  const cast = 'op' in column ? metricType(column) : groupType(column);
  const { join: _, ...base }: PlannedField = column.field ?? ({} as PlannedField);
  // The count of a text field is a number, so it has no collation.
  const collation = base.collation !== null && cast === base.cast_type ? base.collation : null;
  return { ...base, column: column.alias, cast_type: cast, collation, nullable: true };
}

/** The first day of a period identifies it. */
function groupType({ field, period }: GroupColumn): string {
  return period === undefined ? field.cast_type : dateField.castType;
}

/** An average is a double, so that the printed value is the compared one (D42). */
function metricType({ op, field }: MetricColumn): string {
  if (op === 'avg') return 'double precision';
  return op === 'min' || op === 'max' ? (field as Field).cast_type : 'numeric';
}
