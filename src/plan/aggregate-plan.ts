// The decision behind an aggregate: which rows the caller may see, grouped by which readable fields,
// measured how, in which total order. Same rules for fields and reach as every other read.

import { errorFromProblems } from '../errors.ts';
import type { Caller } from '../model/access.ts';
import { comparedTraits, FIELD_TYPE_TRAITS } from '../model/field-types.ts';
import type { Field, ObjectModel, WorkspaceModel } from '../model/model.ts';
import { type CursorValue, decodeCursor, encodeCursor } from './cursor.ts';
import type { Problems } from './filter.ts';
import { basePlan, bindingOf, type OrderKey, planSelection, type ReadPlan } from './read-plan.ts';
import type { RecordQuery } from './record-query.ts';
import { resolveField } from './resolve-field.ts';

export const METRIC_OPERATIONS = ['count', 'count_distinct', 'sum', 'avg', 'min', 'max'] as const;
export type MetricOperation = (typeof METRIC_OPERATIONS)[number];

export interface MetricInput {
  readonly name: string;
  readonly op: MetricOperation;
  readonly field?: string;
}

/**
 * The aggregate a client asked for (specification §4.3): of the rows of a query, whatever its
 * order.
 */
export interface AggregateRequest {
  readonly query: RecordQuery;
  readonly group_by: readonly string[];
  readonly metrics: readonly MetricInput[];
  readonly order_by: { readonly name: string; readonly direction: 'asc' | 'desc' } | undefined;
  readonly limit: number;
  readonly cursor: string | undefined;
}

/** A column of the answer: `alias` in SQL, `name` on the wire. */
export interface GroupColumn {
  readonly name: string;
  readonly alias: string;
  readonly field: Field;
}

export interface MetricColumn {
  readonly name: string;
  readonly alias: string;
  readonly op: MetricOperation;
  readonly field: Field | undefined;
}

export interface AggregatePlan
  extends Pick<ReadPlan, 'schema' | 'object' | 'reach' | 'ids' | 'linked' | 'where' | 'text'> {
  readonly groups: readonly GroupColumn[];
  readonly metrics: readonly MetricColumn[];
  /** Pseudo fields whose columns are aliases of the grouped rows. */
  readonly order: readonly OrderKey[];
  readonly after: readonly CursorValue[] | undefined;
  readonly limit: number;
  readonly binding: string;
}

/** Plan one page of groups. Throws `validation_failed`, `invalid_filter`, `permission_denied`. */
export function planAggregate(
  model: WorkspaceModel,
  caller: Caller,
  object: ObjectModel,
  request: AggregateRequest,
): AggregatePlan {
  const problems: Problems = [];
  checkNames(request, problems);
  if (problems.length > 0) throw errorFromProblems(problems);
  const selection = planSelection({ model, caller, object }, request.query, problems);
  const groups = request.group_by.flatMap((key, index) => {
    const field = groupField(caller, object, { param: `group_by[${index}]`, key }, problems);
    return field === undefined ? [] : [{ name: key, alias: `g${index}`, field }];
  });
  const metrics = request.metrics.map((metric, index) => ({
    name: metric.name,
    alias: `m${index}`,
    op: metric.op,
    field: metricField(caller, object, { metric, param: `metrics[${index}].field` }, problems),
  }));
  if (problems.length > 0) throw errorFromProblems(problems);
  const order = orderGroups(groups, metrics, request.order_by);
  const binding = JSON.stringify([
    ...bindingOf(model, caller, 'aggregate', { object, ...selection }),
    request.group_by,
    request.metrics.map(({ name, op, field }) => [name, op, field ?? null]),
    request.order_by ?? null,
  ]);
  const { limit, cursor } = request;
  const after = cursor && decodeCursor(model.cursor_secret, binding, cursor);
  const { schema, reach } = basePlan(model, caller, object);
  return {
    ...selection,
    schema,
    object,
    reach,
    ids: undefined,
    linked: undefined,
    groups,
    metrics,
    order,
    after: after || undefined,
    limit,
    binding,
  };
}

/** The cursor after a group; `orderColumn` names the exact text of each order value. */
export function cursorAfterGroup(
  model: WorkspaceModel,
  plan: AggregatePlan,
  row: Readonly<Record<string, unknown>>,
): string {
  const values = plan.order.map((_, index) => row[orderAlias(index)] as CursorValue);
  return encodeCursor(model.cursor_secret, plan.binding, values);
}

/** Order values come as text beside the values shown, because JSON numbers may round. */
export function orderAlias(index: number): string {
  return `o${index}`;
}

/** Column names of the statement; they do not depend on the object. */
function checkNames(request: AggregateRequest, problems: Problems): void {
  const { group_by: groups, metrics, order_by: order } = request;
  const refuse = (param: string, message: string) =>
    problems.push({ param, code: 'validation_failed', message });
  groups.forEach((key, index) => {
    if (groups.indexOf(key) !== index) refuse(`group_by[${index}]`, 'The field is repeated.');
  });
  metrics.forEach(({ name, op, field }, index) => {
    const first = metrics.findIndex((metric) => metric.name === name);
    if (first !== index || groups.includes(name)) {
      refuse(`metrics[${index}].name`, 'The name is taken by another column.');
    }
    if (op !== 'count' && field === undefined) {
      refuse(`metrics[${index}].field`, `${op} needs a field.`);
    }
  });
  const names = [...groups, ...metrics.map(({ name }) => name)];
  if (order !== undefined && !names.includes(order.name)) {
    refuse('order_by.name', 'Order by the name of a metric or a field of group_by.');
  }
}

function groupField(
  caller: Caller,
  object: ObjectModel,
  input: { readonly param: string; readonly key: string },
  problems: Problems,
): Field | undefined {
  const field = resolveField(caller, object, input, problems);
  if (field === undefined || FIELD_TYPE_TRAITS[field.type].groupable) return field;
  const message = `A ${field.type} field cannot be grouped by.`;
  problems.push({ param: input.param, code: 'invalid_filter', message });
  return undefined;
}

function metricField(
  caller: Caller,
  object: ObjectModel,
  { metric, param }: { readonly metric: MetricInput; readonly param: string },
  problems: Problems,
): Field | undefined {
  if (metric.field === undefined) return undefined;
  const field = resolveField(caller, object, { param, key: metric.field }, problems);
  const { op } = metric;
  if (field === undefined || op === 'count' || op === 'count_distinct') return field;
  // Ids and references are uuid columns, for which PostgreSQL has no min and max.
  const traits = comparedTraits(field);
  if (traits.aggregates.includes(op)) return field;
  const isIdentity = traits.refersTo === 'record';
  const message = `${op} does not work on ${isIdentity ? 'an id' : `a ${field.type} field`}.`;
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
  const cast = 'op' in column ? metricType(column) : (column.field as Field).cast_type;
  const base = column.field ?? ({} as Field);
  return { ...base, column: column.alias, cast_type: cast, nullable: true };
}

/** An average is a double, so that what is printed is what is compared (D42). */
function metricType({ op, field }: MetricColumn): string {
  if (op === 'avg') return 'double precision';
  return op === 'min' || op === 'max' ? (field as Field).cast_type : 'numeric';
}
