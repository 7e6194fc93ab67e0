// Rewrites views for the renames of a definition (docs/decisions.md, D421, D290): the same question in the new keys.
// Pure.

import { isObject } from '../../model/definition/definition.ts';
import {
  type ObjectModel,
  STATUS_ALIAS_KEY,
  WORK_ITEMS,
  type WorkspaceModel,
} from '../../model/definition/model.ts';
import type { KeyedView, ViewColumn, ViewQuery } from '../../plan/read/view-plan.ts';
import type { RenamedInViews } from './change-kind.ts';

/** The new keys, by the previous object types and keys. */
export interface RenamedKeys {
  /** The definition before. */
  readonly model: WorkspaceModel;
  readonly objects: ReadonlyMap<string, string>;
  /** The fields by object type and key. */
  readonly fields: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** By object type and key; work items of several types may have several new keys for one. */
  readonly statuses: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;
  readonly relationships: ReadonlyMap<string, string>;
}

/** The renames that concern views; undefined when there are none. */
export function renamedKeysOf(
  model: WorkspaceModel,
  renames: readonly RenamedInViews[],
): RenamedKeys | undefined {
  if (renames.length === 0) return undefined;
  const ofObjects = renames.filter(({ of }) => of === 'objects');
  const before = new Map(ofObjects.map(({ old_key, new_key }) => [new_key, old_key]));
  const fields = new Map<string, Map<string, string>>();
  const statuses = new Map<string, Map<string, readonly string[]>>();
  for (const { of, objects, old_key, new_key } of renames) {
    if (of === 'objects') continue;
    for (const { object_type } of objects) {
      const typeBefore = before.get(object_type) ?? object_type;
      if (of === 'fields') put(fields, typeBefore, [old_key, new_key]);
      else if (object_type !== WORK_ITEMS) put(statuses, typeBefore, [old_key, [new_key]]);
      else put(statuses, typeBefore, [old_key, keysOfItems(model, renames, old_key)]);
    }
  }
  const keysOf = (section: RenamedInViews['of']) =>
    new Map(
      renames.filter(({ of }) => of === section).map(({ old_key, new_key }) => [old_key, new_key]),
    );
  return {
    model,
    objects: keysOf('objects'),
    fields,
    statuses,
    relationships: keysOf('relationships'),
  };
}

function put<To>(
  maps: Map<string, Map<string, To>>,
  objectType: string,
  [from, to]: readonly [string, To],
): void {
  const keys = maps.get(objectType) ?? new Map<string, To>();
  maps.set(objectType, keys.set(from, to));
}

/** The keys that a status of work items has from now on: each type has its workflow. */
function keysOfItems(
  { work_item_types }: WorkspaceModel,
  renames: readonly RenamedInViews[],
  status: string,
): readonly string[] {
  const having = [...work_item_types.values()].filter(({ workflow }) =>
    workflow.statuses.has(status),
  );
  const keys = having.map(({ id }) => {
    const renamed = renames.find(
      ({ of, types, old_key }) =>
        of === 'statuses' && old_key === status && types?.includes(id) === true,
    );
    return renamed?.new_key ?? status;
  });
  return [...new Set(keys)];
}

/** The view in the new keys; the same object when it names no renamed key. */
export function renamedView<View extends KeyedView>(renamed: RenamedKeys, view: View): View {
  const object = renamed.model.objects.get(view.object_type);
  if (object === undefined) return view;
  const naming = { renamed, object };
  const after = {
    object_type: renamed.objects.get(view.object_type) ?? view.object_type,
    query: renamedQuery(naming, view.query),
    columns: view.columns.map(
      (column): ViewColumn => ({ ...column, field: renamedPath(naming, column.field) }),
    ),
    group_by: view.group_by === null ? null : renamedPath(naming, view.group_by),
    metrics:
      view.metrics?.map((metric) => ({ ...metric, field: renamedPath(naming, metric.field) })) ??
      null,
  };
  const { object_type, query, columns, group_by, metrics } = view;
  const before = { object_type, query, columns, group_by, metrics };
  const isSame = JSON.stringify(after) === JSON.stringify(before);
  return isSame ? view : { ...view, ...after };
}

export interface Naming {
  readonly renamed: RenamedKeys;
  readonly object: ObjectModel;
}

type Json = Readonly<Record<string, unknown>>;

const STATUS_FIELDS: ReadonlySet<string> = new Set(['status', STATUS_ALIAS_KEY]);

/** A key, or one behind a reference. */
function renamedPath(naming: Naming, path: string): string {
  const [key = '', behind] = path.split(/\.(.*)/s, 2);
  const { renamed, object } = naming;
  const now = renamed.fields.get(object.object_type)?.get(key) ?? key;
  if (behind === undefined) return now;
  const target = targetOf(naming, key);
  return `${now}.${target === undefined ? behind : renamedPath({ renamed, object: target }, behind)}`;
}

function targetOf({ renamed, object }: Naming, key: string): ObjectModel | undefined {
  return renamed.model.objects.get(object.fields.get(key)?.reference_object_type ?? '');
}

function renamedQuery(naming: Naming, query: ViewQuery): ViewQuery {
  const path = (given: unknown) => (typeof given === 'string' ? renamedPath(naming, given) : given);
  const inField = (given: unknown) =>
    isObject(given) && 'field' in given ? { ...given, field: path(given.field) } : path(given);
  const inName = (given: unknown) =>
    isObject(given) ? { ...given, name: renamedColumn(naming, String(given.name)) } : given;
  const change: Readonly<Record<string, (given: unknown) => unknown>> = {
    where: (given) => renamedWhere(naming, given),
    filters: (given) => renamedFilters(naming, given),
    fields: (given) => mapped(given, path),
    expand: (given) => mapped(given, path),
    sort: (given) => mapped(given, inField),
    group_by: (given) => mapped(given, inField),
    metrics: (given) => mapped(given, inField),
    // The name of a metric is not a field and differs from all groups.
    order_by: (given) => (isGroup(query, given) ? inName(given) : given),
  };
  return Object.fromEntries(
    Object.entries(query).map(([word, given]) => [word, change[word]?.(given) ?? given]),
  );
}

/** Columns of periods are named `created_at:month`. */
function renamedColumn(naming: Naming, name: string): string {
  const [path = '', ...period] = name.split(':');
  return [renamedPath(naming, path), ...period].join(':');
}

function isGroup({ metrics }: ViewQuery, order: unknown): boolean {
  const names = Array.isArray(metrics) ? metrics.map((metric: Json) => metric.name) : [];
  return isObject(order) && !names.includes(order.name);
}

export function renamedWhere(naming: Naming, given: unknown): unknown {
  if (!isObject(given)) return given;
  if ('all' in given) return { all: mapped(given.all, (part) => renamedWhere(naming, part)) };
  if ('any' in given) return { any: mapped(given.any, (part) => renamedWhere(naming, part)) };
  if ('not' in given) return { not: renamedWhere(naming, given.not) };
  const { field, op, value } = given;
  if (typeof field !== 'string') return given;
  const operand = renamedOperand(naming, field, value);
  const operator = isSplit(operand, value) ? { op: op === 'ne' ? 'not_in' : 'in' } : {};
  return { ...given, ...operator, field: renamedPath(naming, field), value: operand };
}

function renamedFilters(naming: Naming, given: unknown): unknown {
  if (!isObject(given)) return given;
  return Object.fromEntries(
    Object.entries(given).map(([key, filter]) => {
      const conditionNow = (op: string, value: unknown): [string, unknown] => {
        const now = renamedOperand(naming, key, value);
        if (!isSplit(now, value)) return [op, now];
        return op === 'eq' ? ['in', now] : [op, now[0]];
      };
      const path = renamedPath(naming, key);
      if (isObject(filter)) {
        const conditions = Object.entries(filter).map(([op, value]) => conditionNow(op, value));
        return [path, Object.fromEntries(conditions)];
      }
      const [op, now] = conditionNow('eq', filter);
      return [path, op === 'eq' ? now : { [op]: now }];
    }),
  );
}

/** Whether one value has become several. */
function isSplit(now: unknown, value: unknown): now is readonly unknown[] {
  return Array.isArray(now) && !Array.isArray(value);
}

/** Ids of statuses are values. A list in place of one value: it has several keys from now on. */
function renamedOperand(naming: Naming, path: string, value: unknown): unknown {
  const [key = '', behind] = path.split(/\.(.*)/s, 2);
  if (behind !== undefined) {
    const object = targetOf(naming, key);
    return object === undefined ? value : renamedOperand({ ...naming, object }, behind, value);
  }
  const statuses = naming.renamed.statuses.get(naming.object.object_type);
  if (statuses === undefined || !STATUS_FIELDS.has(key)) return value;
  const now = (one: unknown) =>
    typeof one === 'string' ? (statuses.get(one) ?? [one]) : [one as string];
  if (Array.isArray(value)) return [...new Set(value.flatMap(now))];
  const keys = now(value);
  return keys.length === 1 ? keys[0] : keys;
}

function mapped(given: unknown, change: (item: unknown) => unknown): unknown {
  return Array.isArray(given) ? given.map(change) : given;
}
