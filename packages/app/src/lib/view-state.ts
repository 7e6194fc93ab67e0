// The state of a list, as its address has it: `q`, `sort`, `fields` and filters in the words of the interface,
// `where` for conditions that filters cannot say, `layout` with what it needs, `totals` of columns, the height of
// `rows`, and the saved view that all of that differs from. Other parameters, and those that name an unknown field, are dropped, and the page reports them.

import { type Field, LIMITS, type Where } from '@workspace-records/client';
import { factsOf, isOfRecord, isQueryable } from './field-facts.ts';
import type { SearchParams } from './search-params.ts';
import { parseTotals, printTotals, type Total } from './totals.ts';
import {
  type Condition,
  type Operator,
  orderedParts,
  parseTree,
  splitPlain,
  treeOf,
} from './where.ts';

export interface Sorting {
  readonly key: string;
  readonly isDescending: boolean;
}

export const LAYOUTS = ['table', 'board', 'calendar'] as const;
export type LayoutName = (typeof LAYOUTS)[number];

export const ROW_HEIGHTS = ['compact', 'normal', 'tall'] as const;
export type RowHeight = (typeof ROW_HEIGHTS)[number];

export interface ViewState {
  readonly q: string;
  readonly sort: readonly Sorting[];
  /** Undefined: those that a list begins with. */
  readonly fields: readonly string[] | undefined;
  /** All of them must be true. */
  readonly where: readonly Where[];
  readonly layout: LayoutName;
  /** The field whose values are the columns of a board, or the days of a calendar; undefined: the first of these. */
  readonly by: string | undefined;
  /** The month or day that a calendar shows, such as `2027-01`; undefined: the present. No part of a saved view. */
  readonly on: string | undefined;
  /** The field whose options colour the records of a calendar; undefined: the status, else the first one. */
  readonly color: string | undefined;
  /** The field that the columns of a board add up; undefined: the first amount, `none`: none. */
  readonly sum: string | undefined;
  /** The field whose values are the groups of a table. */
  readonly group: string | undefined;
  /** The totals of columns in the footer of a table; undefined: the sums of amounts. */
  readonly totals: readonly Total[] | undefined;
  /** Undefined: as this browser had the object before. No part of a saved view. */
  readonly rows: RowHeight | undefined;
  /** The saved view that it began with; `all` is none, even where one opens by itself. */
  readonly view: string | undefined;
}

export interface ParsedView {
  readonly view: ViewState;
  /** Names of the address without a meaning here. */
  readonly dropped: readonly string[];
}

export const PLAIN_VIEW: ViewState = Object.freeze({
  q: '',
  sort: [],
  fields: undefined,
  where: [],
  layout: 'table',
  by: undefined,
  on: undefined,
  color: undefined,
  sum: undefined,
  group: undefined,
  totals: undefined,
  rows: undefined,
  view: undefined,
});

export const MOST_SORTS = LIMITS.sortKeys;
/** The most fields of one request; a list with more columns sends several (record-lists.ts). */
export const MOST_FIELDS = LIMITS.selectedFields;
/** Columns of a list: three requests for a page. */
export const MOST_COLUMNS = 60;

/** The value in the place of a field for a board without sums. */
export const NO_SUM = 'none';

type FieldsByKey = ReadonlyMap<string, Field>;

/** `base` is the saved view; the address has the differences. */
export function parseView(
  search: SearchParams,
  fields: readonly Field[],
  base: ViewState = PLAIN_VIEW,
): ParsedView {
  const fieldsByKey: FieldsByKey = new Map(fields.map((field) => [field.key, field]));
  const dropped: string[] = [];
  const where: Where[] = [];
  let view: ViewState = base;
  for (const [name, text] of Object.entries(search)) {
    const part = parsePart(name, text, fieldsByKey);
    if (part === undefined) dropped.push(name);
    else {
      dropped.push(...(part.dropped ?? []));
      where.push(...(part.where ?? []));
      view = { ...view, ...part.said };
      if (part.where !== undefined) view = { ...view, where: orderedParts(where) };
    }
  }
  return { view, dropped };
}

interface ParsedPart {
  readonly said?: Partial<ViewState>;
  readonly where?: readonly Where[];
  readonly dropped?: readonly string[];
}

function parsePart(name: string, text: string, known: FieldsByKey): ParsedPart | undefined {
  const isSortable = (key: string) => isQueryable(known.get(key));
  switch (name) {
    case 'q':
    case 'view':
      return { said: { [name]: text } };
    case 'sort': {
      const sort = parseSort(text).filter(({ key }) => isSortable(key));
      return { said: { sort }, dropped: cut(name, text, printSort(sort)) };
    }
    case 'fields': {
      const fields = parseKeys(text).filter((key) => known.has(key));
      return { said: { fields }, dropped: cut(name, text, fields) };
    }
    case 'layout':
      return isOneOf(LAYOUTS, text) ? { said: { layout: text } } : undefined;
    case 'by':
    case 'group':
    case 'color':
    case 'sum':
      if (text === '') return { said: { [name]: undefined } };
      if (!isSortable(text) && !(name === 'sum' && text === NO_SUM)) return undefined;
      return { said: { [name]: text } };
    case 'totals': {
      const totals = parseTotals(text, known);
      return { said: { totals }, dropped: cut(name, text, printTotals(totals)) };
    }
    case 'on':
      return /^\d{4}-\d\d(?:-\d\d)?$/.test(text) ? { said: { on: text } } : undefined;
    case 'rows':
      return isOneOf(ROW_HEIGHTS, text) ? { said: { rows: text } } : undefined;
    case 'where':
      return parseWhere(text, known);
    default: {
      const condition = parseFilter(name, text, known);
      if (condition === undefined || !isSortable(condition.field)) return undefined;
      return { where: [condition] };
    }
  }
}

/** `base`: the saved view that the address names; equal parts are left out. */
export function printView(view: ViewState, base: ViewState = PLAIN_VIEW): SearchParams {
  const { filters, others } = splitPlain(view.where);
  const tree = treeOf(others);
  const differs = (name: keyof ViewState) => !isEqual(view[name], base[name]);
  return {
    ...(view.view === undefined ? {} : { view: view.view }),
    ...(differs('q') ? { q: view.q } : {}),
    ...(differs('layout') ? { layout: view.layout } : {}),
    ...(differs('by') ? { by: view.by ?? '' } : {}),
    ...(differs('color') ? { color: view.color ?? '' } : {}),
    ...(differs('sum') ? { sum: view.sum ?? '' } : {}),
    ...(differs('group') ? { group: view.group ?? '' } : {}),
    ...(differs('totals') ? { totals: printTotals(view.totals ?? []).join(',') } : {}),
    ...(differs('on') ? { on: view.on ?? '' } : {}),
    ...(differs('rows') ? { rows: view.rows ?? '' } : {}),
    ...(differs('sort') ? { sort: printSort(view.sort).join(',') } : {}),
    ...(differs('fields') && view.fields !== undefined ? { fields: view.fields.join(',') } : {}),
    ...(differs('where')
      ? {
          ...printFilters(filters),
          ...(tree === undefined ? {} : { where: JSON.stringify(tree) }),
          ...(view.where.length === 0 ? { where: '' } : {}),
        }
      : {}),
  };
}

function printFilters(filters: ReturnType<typeof splitPlain>['filters']): SearchParams {
  return Object.fromEntries(
    Object.entries(filters).flatMap(([key, operators]) =>
      Object.entries(operators).map(([operator, operand]) => [
        `filter[${key}][${operator}]`,
        Array.isArray(operand)
          ? operand.map((one) => quoted(String(one))).join(',')
          : String(operand),
      ]),
    ),
  );
}

/** Plain JSON, whose keys come in one order. */
export function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The sort of the client: `-` before a key sorts descending. */
export function printSort(sort: readonly Sorting[]): readonly string[] {
  return sort.map(({ key, isDescending }) => (isDescending ? `-${key}` : key));
}

/** The next state of a heading that is pressed: ascending, descending, none; `isAdded` keeps the others. */
export function nextSort(
  sort: readonly Sorting[],
  key: string,
  isAdded: boolean,
): readonly Sorting[] {
  const present = sort.find((one) => one.key === key);
  const others = isAdded ? sort.filter((one) => one.key !== key) : [];
  if (present?.isDescending === true) return others;
  const next = { key, isDescending: present !== undefined };
  return [...others.slice(0, MOST_SORTS - 1), next];
}

function isOneOf<Name extends string>(names: readonly Name[], text: string): text is Name {
  return (names as readonly string[]).includes(text);
}

function parseSort(text: string): readonly Sorting[] {
  return parseKeys(text)
    .slice(0, MOST_SORTS)
    .map((key) => {
      const isDescending = key.startsWith('-');
      return { key: isDescending ? key.slice(1) : key, isDescending };
    });
}

function parseKeys(text: string): readonly string[] {
  const keys = text.split(',').filter((key) => key !== '');
  return [...new Set(keys)].slice(0, MOST_COLUMNS);
}

/** The name of a part of the address when parsing has dropped something of it; else nothing. */
function cut(name: string, text: string, kept: readonly string[]): readonly string[] {
  return kept.join(',') === text ? [] : [name];
}

function parseWhere(text: string, known: FieldsByKey): ParsedPart | undefined {
  if (text === '') return { where: [] };
  try {
    const { parts, dropped } = parseTree(JSON.parse(text), (path) => isKnownPath(path, known));
    const names = dropped.map((name) => (name === 'where' ? name : `where ${name}`));
    return { where: parts, dropped: names };
  } catch {
    return undefined;
  }
}

/** A field, or one behind a reference that only the service can check. */
export function isKnownPath(path: string, known: FieldsByKey): boolean {
  const [key = '', behind, ...rest] = path.split('.');
  const field = known.get(key);
  if (field?.storage !== 'physical' || rest.length > 0) return false;
  return behind === undefined || (isOfRecord(field) && behind !== '');
}

function parseFilter(name: string, text: string, known: FieldsByKey): Condition | undefined {
  const [, field, op = 'eq'] = /^filter\[([^\]]+)\](?:\[(\w+)\])?$/.exec(name) ?? [];
  if (field === undefined || !isPlainOperator(op)) return undefined;
  const type = known.get(field)?.type ?? '';
  if (op === 'in') return { field, op, value: listOf(text).map((one) => typedValue(one, type)) };
  if (op === 'is_null') return { field, op, value: text === 'true' };
  return { field, op, value: typedValue(text, type) };
}

function isPlainOperator(op: string): op is Operator {
  return /^(?:eq|ne|lte?|gte?|in|is_null)$/.test(op);
}

/** The value as JSON; text that does not fit the type stays unchanged, and the service reports it. */
function typedValue(text: string, type: string): string | number | boolean {
  const { value } = factsOf({ type });
  if (value === 'boolean' && /^(?:true|false)$/.test(text)) return text === 'true';
  const isNumber = value === 'number' || value === 'integer';
  return isNumber && String(Number(text)) === text ? Number(text) : text;
}

/** Values between commas; quotation marks around one keep its own. */
function listOf(text: string): readonly string[] {
  const items = text.match(/"(?:[^"]|"")*"|[^,]+/g) ?? [];
  return items.map((item) =>
    item.startsWith('"') ? item.slice(1, -1).replaceAll('""', '"') : item,
  );
}

function quoted(item: string): string {
  return /[",]/.test(item) ? `"${item.replaceAll('"', '""')}"` : item;
}
