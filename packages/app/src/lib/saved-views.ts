// Converts saved views to the terms of a list, and back. Parts that can no longer be queried are left out; the
// service has reported them.

import { queryOptions } from '@tanstack/react-query';
import {
  type Field,
  type ObjectDefinition,
  type View,
  WHERE_OPERATORS,
  type Where,
} from '@workspace-records/client';
import { columnField } from './board-fields.ts';
import { calendarField } from './calendar-fields.ts';
import { isQueryable } from './field-facts.ts';
import { columnsOf } from './list-columns.ts';
import type { Session } from './session.ts';
import { MOST_TOTALS, totalNamed } from './totals.ts';
import {
  isKnownPath,
  MOST_SORTS,
  NO_SUM,
  PLAIN_VIEW,
  type Sorting,
  type ViewState,
} from './view-state.ts';
import { orderedParts, parseTree, treeOf } from './where.ts';

/** Says that no view is meant, also where one opens by itself. */
export const NO_VIEW = 'all';
/** Milliseconds: views change seldom, and one's own changes are known here. */
const SETTLED = 60_000;

/** Tables and boards, in the person's own order. */
export function viewsQuery(
  { workspace, client }: Pick<Session, 'workspace' | 'client'>,
  type: string,
) {
  return queryOptions({
    queryKey: [workspace, type, 'views'],
    queryFn: async ({ signal }) => {
      const found: View[] = [];
      const all = client.views.all({ object_type: type, limit: 100 }, { signal });
      for await (const view of all) if (view.kind !== 'report') found.push(view);
      return found;
    },
    staleTime: SETTLED,
  });
}

/**
 * The views of all objects that the person has as favorites. They come with the session and are read again after a
 * change.
 */
export function favoritesQuery({ workspace, client, me }: Session) {
  return queryOptions({
    queryKey: [workspace, 'views', 'favorites'],
    queryFn: async ({ signal }) => {
      const found: Favorite[] = [];
      const all = client.views.all({ favorite: true, limit: 100 }, { signal });
      for await (const view of all) if (view.kind !== 'report') found.push(favoriteOf(view));
      return found;
    },
    initialData: () => me.favorite_views,
    staleTime: SETTLED,
  });
}

export type Favorite = Pick<View, 'id' | 'object_type' | 'name'>;

function favoriteOf({ id, object_type, name }: View): Favorite {
  return { id, object_type, name };
}

/** Reports of all objects, by name. */
export function reportsQuery({ workspace, client }: Pick<Session, 'workspace' | 'client'>) {
  return queryOptions({
    queryKey: [workspace, 'reports'],
    queryFn: async ({ signal }) => {
      const found: View[] = [];
      const all = client.views.all({ kind: 'report', limit: 100 }, { signal });
      for await (const view of all) found.push(view);
      return found.sort((one, other) => one.name.localeCompare(other.name));
    },
    staleTime: SETTLED,
  });
}

interface KeptQuestion {
  readonly query?: string;
  readonly filters?: Readonly<Record<string, unknown>>;
  readonly where?: unknown;
  readonly sort?: readonly { readonly field: string; readonly direction?: 'asc' | 'desc' }[];
  readonly fields?: readonly string[];
}

type KnownFields = ReadonlyMap<string, Field>;

export function stateOfView(view: View, fields: readonly Field[]): ViewState {
  const fieldsByKey: KnownFields = new Map(fields.map((field) => [field.key, field]));
  const { query: q = '', sort = [], fields: asked = [] } = view.query as KeptQuestion;
  const keys = view.columns.length > 0 ? view.columns.map(({ field }) => field) : asked;
  const columnKeys = keys.filter((key) => fieldsByKey.has(key));
  const grouped =
    view.group_by === null || !fieldsByKey.has(view.group_by) ? undefined : view.group_by;
  const isCalendar = view.kind === 'calendar';
  const isBoard = view.kind === 'board';
  return {
    ...PLAIN_VIEW,
    view: view.id,
    q,
    sort: sortOf(sort, fieldsByKey),
    // The column of a calendar is the field of its colours.
    color: isCalendar ? columnKeys[0] : undefined,
    fields: columnKeys.length === 0 || isCalendar ? undefined : columnKeys,
    where: orderedParts(partsOfView(view, fieldsByKey)),
    layout: isBoard || isCalendar ? (view.kind as 'board' | 'calendar') : 'table',
    by: isCalendar || (isBoard && grouped !== 'status') ? grouped : undefined,
    sum: sumOf(view, fieldsByKey),
    group: isBoard || isCalendar ? undefined : grouped,
    totals: totalsOf(view, fieldsByKey),
  };
}

/** Undefined where a view does not say, or names what no longer exists. */
function sumOf({ metrics }: View, known: KnownFields): string | undefined {
  if (metrics === null) return undefined;
  const [metric] = metrics;
  if (metric === undefined) return NO_SUM;
  return known.has(metric.field) ? metric.field : undefined;
}

/** Undefined where a view names none, unless it says that it adds up nothing. */
function totalsOf({ columns, metrics }: View, known: KnownFields): ViewState['totals'] {
  const totals = columns
    .flatMap(({ field, total }) => totalNamed(known.get(field), total) ?? [])
    .slice(0, MOST_TOTALS);
  return totals.length > 0 || metrics?.length === 0 ? totals : undefined;
}

function sortOf(sort: NonNullable<KeptQuestion['sort']>, known: KnownFields): readonly Sorting[] {
  return sort
    .filter(({ field }) => isQueryable(known.get(field)))
    .slice(0, MOST_SORTS)
    .map(({ field, direction }) => ({ key: field, isDescending: direction === 'desc' }));
}

/** Conditions that the service would refuse are not sent: the problems of the view name their places. */
function partsOfView({ query, problems }: View, known: KnownFields): readonly Where[] {
  const { filters = {}, where } = query as KeptQuestion;
  const isRefused = (place: string) =>
    problems.some(({ param }) => param === place || param.startsWith(`${place}.`));
  const fromFilters = Object.entries(filters).flatMap(([field, filter]) =>
    isRefused(`query.filters.${field}`) ? [] : conditionsOfFilter(field, filter),
  );
  const sound = where === undefined ? undefined : withoutRefused(where, 'query.where', isRefused);
  const isKnown = (path: string) => isKnownPath(path, known);
  return [...fromFilters, ...(sound === undefined ? [] : [sound])].flatMap(
    (part) => parseTree(part, isKnown).parts,
  );
}

/** A value (equals), null (is empty), or operators. */
function conditionsOfFilter(field: string, filter: unknown): readonly unknown[] {
  if (filter === null) return [{ field, op: 'is_null', value: true }];
  if (typeof filter !== 'object') return [{ field, op: 'eq', value: filter }];
  return Object.entries(filter)
    .filter(([op]) => (WHERE_OPERATORS as readonly string[]).includes(op))
    .map(([op, value]) => ({ field, op, value }));
}

/** The tree without the conditions at these places; undefined when none is left. */
function withoutRefused(
  part: unknown,
  place: string,
  isRefused: (place: string) => boolean,
): unknown {
  if (typeof part !== 'object' || part === null) return undefined;
  const one = part as Readonly<Record<string, unknown>>;
  if ('field' in one) return isRefused(place) ? undefined : part;
  const [name = ''] = Object.keys(one);
  const inner = one[name];
  const at = `${place}.${name}`;
  if (!Array.isArray(inner)) {
    const kept = withoutRefused(inner, at, isRefused);
    return kept === undefined ? undefined : { [name]: kept };
  }
  const kept = inner.flatMap((each: unknown, index) => {
    return withoutRefused(each, `${at}[${index}]`, isRefused) ?? [];
  });
  return kept.length === 0 ? undefined : { [name]: kept };
}

/** The content of a view as the API creates and updates it; the column widths of the view stay. */
export function contentOfState(
  state: ViewState,
  object: Pick<ObjectDefinition, 'fields' | 'display_field'>,
  before?: Pick<View, 'columns'>,
) {
  const { q, sort, where, layout, totals } = state;
  const sum = layout === 'table' && totals?.length === 0 ? NO_SUM : state.sum;
  const tree = treeOf(where);
  return {
    kind: layout,
    query: {
      ...(q === '' ? {} : { query: q }),
      ...(tree === undefined ? {} : { where: tree }),
      ...(sort.length === 0
        ? {}
        : {
            sort: sort.map(({ key, isDescending }) => ({
              field: key,
              direction: isDescending ? 'desc' : 'asc',
            })),
          }),
    },
    columns: columnsOfState(state, object, before),
    group_by: groupOfState(state, object),
    metrics: metricsOf(sum),
  };
}

/** The columns of a board, the days of a calendar, or the groups of a table. */
function groupOfState(
  { layout, by, group }: ViewState,
  object: Pick<ObjectDefinition, 'fields'>,
): string | null {
  if (layout === 'board') return columnField(object, by)?.key ?? null;
  if (layout === 'calendar') return calendarField(object, by)?.key ?? null;
  return group ?? null;
}

/** A total has its place in a column: with one, columns that nobody chose are those of a new list. */
function columnsOfState(
  { fields, totals, layout, color }: ViewState,
  object: Pick<ObjectDefinition, 'fields' | 'display_field'>,
  before: Pick<View, 'columns'> | undefined,
): View['columns'] {
  if (layout === 'calendar') return color === undefined ? [] : [{ field: color }];
  const first =
    totals === undefined || totals.length === 0
      ? []
      : columnsOf(object, undefined).map(({ key }) => key);
  return (fields ?? first).map((field) => {
    const width = before?.columns.find((column) => column.field === field)?.width;
    const total = totals?.find(({ key }) => key === field)?.kind;
    return {
      field,
      ...(width === undefined ? {} : { width }),
      ...(total === undefined ? {} : { total }),
    };
  });
}

function metricsOf(sum: string | undefined): View['metrics'] {
  if (sum === undefined) return null;
  return sum === NO_SUM ? [] : [{ op: 'sum', field: sum }];
}
