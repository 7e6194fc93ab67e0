// What a list shows, as its address says it: `q`, `sort`, `fields` and filters in the words of the interface. What is
// none of that, or names a field that is not there, is dropped, and the page tells of it.

import type { Field, FilterOperators } from '@workspace-records/client';
import type { SearchParams } from './search-params.ts';

export interface Sorting {
  readonly key: string;
  readonly isDescending: boolean;
}

export type FieldFilters = Readonly<Record<string, FilterOperators<string>>>;

export interface ViewState {
  readonly q: string;
  readonly sort: readonly Sorting[];
  /** Undefined: those that a list begins with. */
  readonly fields: readonly string[] | undefined;
  readonly filters: FieldFilters;
}

export interface ParsedView {
  readonly view: ViewState;
  /** Names of the address that mean nothing here. */
  readonly dropped: readonly string[];
}

/** As the service has it (limits.ts there). */
const MOST_SORTS = 3;
export const MOST_FIELDS = 20;

const OPERATORS: ReadonlySet<string> = new Set([
  'eq',
  'ne',
  'lt',
  'lte',
  'gt',
  'gte',
  'in',
  'is_null',
]);

export function parseView(search: SearchParams, fields: readonly Field[]): ParsedView {
  const columns = new Map(fields.map((field) => [field.key, field]));
  const isPhysical = (key: string) => columns.get(key)?.storage === 'physical';
  const dropped: string[] = [];
  const filters: Record<string, FilterOperators<string>> = {};
  let view: ViewState = { q: '', sort: [], fields: undefined, filters };
  for (const [name, value] of Object.entries(search)) {
    const filter = parseFilter(name, value);
    if (name === 'q') view = { ...view, q: value };
    else if (name === 'sort')
      view = { ...view, sort: parseSort(value).filter(({ key }) => isPhysical(key)) };
    else if (name === 'fields')
      view = { ...view, fields: parseKeys(value).filter((key) => columns.has(key)) };
    else if (filter !== undefined && isPhysical(filter.key)) {
      filters[filter.key] = { ...filters[filter.key], ...filter.condition };
      continue;
    } else dropped.push(name);
    if (isCut(name, value, view)) dropped.push(name);
  }
  return { view, dropped };
}

export function printView({ q, sort, fields, filters }: ViewState): SearchParams {
  return {
    ...(q === '' ? {} : { q }),
    ...(sort.length === 0 ? {} : { sort: printSort(sort).join(',') }),
    ...(fields === undefined ? {} : { fields: fields.join(',') }),
    ...Object.fromEntries(
      Object.entries(filters).flatMap(([key, operators]) =>
        Object.entries(operators).map(([operator, operand]) => [
          `filter[${key}][${operator}]`,
          Array.isArray(operand) ? operand.map(quoted).join(',') : String(operand),
        ]),
      ),
    ),
  };
}

/** As the client takes it: `-` before a key sorts descending. */
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
  return [...new Set(keys)].slice(0, MOST_FIELDS);
}

/** Some of what `sort` or `fields` named is not there. */
function isCut(name: string, value: string, view: ViewState): boolean {
  const kept = name === 'sort' ? printSort(view.sort) : name === 'fields' ? view.fields : undefined;
  return kept !== undefined && kept.join(',') !== value;
}

function parseFilter(name: string, value: string) {
  const [, key, operator = 'eq'] = /^filter\[([^\]]+)\](?:\[(\w+)\])?$/.exec(name) ?? [];
  if (key === undefined || !OPERATORS.has(operator)) return undefined;
  const condition: FilterOperators<string> =
    operator === 'in'
      ? { in: listOf(value) }
      : operator === 'is_null'
        ? { is_null: value === 'true' }
        : { [operator]: value };
  return { key, condition };
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
