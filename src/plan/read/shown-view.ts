// A view as its reader may see it: without the keys and constants of fields that they may not know of
// (docs/decisions.md, D397). The rest is a valid question, which they can keep as a copy. Pure.

import type { Problem } from '../../errors.ts';
import { say, writtenMessage } from '../../messages/message.ts';
import { isObject } from '../../model/definition/definition.ts';
import { plainKey } from '../../model/definition/storage-key.ts';
import { HIDDEN } from './parse-where.ts';
import { requireObject } from './read-plan.ts';
import {
  canChangeView,
  type NewView,
  shownProblems,
  type ViewFields,
  type ViewQuery,
  type ViewRow,
  type ViewScope,
  viewProblems,
} from './view-plan.ts';

/** The parts of a view that an answer shows. */
export interface ShownView extends Pick<ViewFields, 'query' | 'columns' | 'group_by' | 'metrics'> {
  /** True: something of it is left out. */
  readonly hidden: boolean;
  readonly problems: readonly { readonly message: string }[];
}

export function shownView(scope: ViewScope, view: ViewRow): ShownView {
  const sight = sightOf(scope, view);
  const rest = restOf(sight, view);
  const hidden = PARTS.filter((part) => JSON.stringify(rest[part]) !== JSON.stringify(view[part]));
  const { query, columns, group_by, metrics } = rest;
  const viewOnlyProblems = viewProblems(scope, { ...view, ...rest }).filter(
    ({ param = '' }) => !hidden.some((part) => param.split(/[.[]/, 1)[0] === part),
  );
  return {
    query: hidden.includes('query') ? markedQuery(sight, view.query, query) : query,
    ...{ columns, group_by, metrics },
    hidden: hidden.length > 0,
    problems: [...hidden.map(hiddenProblem), ...viewOnlyProblems].map(
      ({ message, ...problem }) => ({
        ...problem,
        ...writtenMessage(message),
      }),
    ),
  };
}

/** The part of a view that its reader may keep as their own. A board without its groups is a table. */
export function planCopy(scope: ViewScope, view: ViewRow, name = view.name): NewView {
  const { query, columns, group_by, metrics } = restOf(sightOf(scope, view), view);
  const { object_type } = view;
  const isTable = group_by === null && (view.kind === 'board' || view.kind === 'calendar');
  const shown = { columns, group_by, metrics: isTable ? null : metrics };
  const { chart } = view;
  return { object_type, name, kind: isTable ? 'table' : view.kind, query, chart, ...shown };
}

const PARTS = ['query', 'columns', 'group_by', 'metrics'] as const;
type Part = (typeof PARTS)[number];
type Json = Readonly<Record<string, unknown>>;

function hiddenProblem(part: Part): Pick<Problem, 'param' | 'code' | 'message'> {
  const what = part === 'query' ? 'The question has a part' : 'It shows a part';
  return { param: part, code: 'permission_denied', message: say('view_hidden_field', { what }) };
}

/** The reader, and the part of a view that they may know. */
interface Sight {
  /** Whether they may know of the field at a path. */
  readonly sees: (path: string) => boolean;
  /** A text is searched for in the display field. */
  readonly seesText: boolean;
}

/**
 * People who may change the view see fields that are gone. Whether others were allowed to know them is no longer
 * known.
 */
function sightOf(scope: ViewScope, view: ViewRow): Sight {
  const isOwn = canChangeView(scope.caller, view);
  const object = requireObject(scope.model, scope.caller, view.object_type);
  const sees = (path: string) => {
    const [problem] = shownProblems(scope, object, { path: plainKey(path), param: '' });
    return problem === undefined || (isOwn && problem.code === 'invalid_filter');
  };
  return { sees, seesText: object.display_field === null || sees(object.display_field) };
}

function restOf(
  sight: Sight,
  { query, columns, group_by, metrics }: ViewFields,
): Pick<ViewFields, Part> {
  const { sees } = sight;
  return {
    query: restOfQuery(sight, query),
    columns: columns.filter(({ field }) => sees(field)),
    group_by: group_by === null || sees(group_by) ? group_by : null,
    metrics: metrics?.filter(({ field }) => sees(field)) ?? null,
  };
}

function restOfQuery({ sees, seesText }: Sight, query: ViewQuery): ViewQuery {
  const isSeen = (item: unknown) => {
    const path = isObject(item) ? item.field : item;
    return typeof path !== 'string' || sees(path);
  };
  const listed = (given: unknown) => (Array.isArray(given) ? given.filter(isSeen) : given);
  const rest: Readonly<Record<string, (given: unknown) => unknown>> = {
    query: (given) => (seesText ? given : undefined),
    where: (given) => restOfWhere(sees, given, undefined),
    filters: (given) => restOfFilters(sees, given),
    ...{ fields: listed, expand: listed, sort: listed, group_by: listed, metrics: listed },
    order_by: (given) => (namesIn(query, isSeen).has(orderOf(given)) ? undefined : given),
  };
  return Object.fromEntries(
    Object.entries(query)
      .map(([word, given]) => [word, rest[word] === undefined ? given : rest[word](given)] as const)
      .filter(([, given]) => given !== undefined),
  );
}

/** The names by which a report could be ordered but for the reader's rights. */
function namesIn(query: ViewQuery, isSeen: (item: unknown) => boolean): ReadonlySet<unknown> {
  const items = (given: unknown) => (Array.isArray(given) ? given : []);
  const unseen = [...items(query.metrics), ...items(query.group_by)].filter((one) => !isSeen(one));
  return new Set(
    unseen.map((one) => {
      if (!isObject(one)) return one;
      return one.name ?? `${one.field}:${one.by}`;
    }),
  );
}

function orderOf(given: unknown): unknown {
  return isObject(given) ? given.name : undefined;
}

/** Conditions on hidden fields become `mark`; undefined: they are left out, and groups that have none left. */
function restOfWhere(sees: Sight['sees'], given: unknown, mark: Json | undefined): unknown {
  if (!isObject(given)) return given;
  for (const group of ['all', 'any'] as const) {
    const parts = given[group];
    if (!Array.isArray(parts)) continue;
    const rest = parts
      .map((part) => restOfWhere(sees, part, mark))
      .filter((part) => part !== undefined);
    return rest.length === 0 ? undefined : { [group]: rest };
  }
  if ('not' in given) {
    const rest = restOfWhere(sees, given.not, mark);
    return rest === undefined ? undefined : { not: rest };
  }
  return typeof given.field !== 'string' || sees(given.field) ? given : mark;
}

function restOfFilters(sees: Sight['sees'], given: unknown): unknown {
  if (!isObject(given)) return given;
  return Object.fromEntries(Object.entries(given).filter(([key]) => sees(key)));
}

/** The rest with a mark for each hidden condition, and one for a hidden text, groups, measures and orders. */
function markedQuery({ sees }: Sight, query: ViewQuery, rest: ViewQuery): ViewQuery {
  const where = restOfWhere(sees, query.where, HIDDEN);
  const isLess = (word: string) => JSON.stringify(rest[word]) !== JSON.stringify(query[word]);
  const filters = Object.keys(query.filters ?? {})
    .filter((key) => !sees(key))
    .map(() => HIDDEN);
  const others = ['query', 'sort', 'group_by', 'metrics', 'order_by'].some(isLess) ? [HIDDEN] : [];
  const marks = [...filters, ...others];
  if (marks.length === 0) return where === undefined ? rest : { ...rest, where };
  return { ...rest, where: { all: [...marks, ...(where === undefined ? [] : [where])] } };
}
