// A query for records of an object: which ones, in which order, with which fields. Plain
// JSON that never changes, so it can be kept, compared and sent; lists, searches, aggregates, exports,
// look-ups and linked lists are all planned from one. Pure.

import { ApiError, errorFromProblems, type Problems, shownName } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { say } from '../../messages/message.ts';
import type { ObjectModel } from '../../model/definition/model.ts';
import { parseBodyFilters, parseQueryFilters, parseTextQuery, type QueryFilter } from './filter.ts';
import { parsePath, parseWhere } from './parse-where.ts';
import { EVERYTHING, type WhereInput } from './where.ts';

export interface SortInput {
  readonly param: string;
  readonly field: string;
  /** The key of the reference that leads to the object of the field. */
  readonly through?: string;
  readonly direction: 'asc' | 'desc';
}

/** `param` is the client's name of a part, for error messages. */
export interface RecordQuery {
  readonly where: WhereInput;
  /** A text that the display field contains. */
  readonly text: { readonly param: string; readonly value: string } | null;
  /** Keys of the fields to show; null: identity properties only. */
  readonly fields: readonly string[] | null;
  readonly sort: readonly SortInput[];
  readonly expand: readonly ExpandInput[];
}

/** A reference whose record is shown with each record, or a person. */
export interface ExpandInput {
  readonly param: string;
  readonly field: string;
  /** Keys of the fields of that record to show; null: identity properties only. */
  readonly fields: readonly string[] | null;
}

/** The parts as clients spell them: in a query string, or in a body. */
export interface QuerySource {
  readonly text: string | undefined;
  readonly textParam: string;
  readonly filters: readonly QueryFilter[] | Readonly<Record<string, unknown>>;
  readonly fields?: string | readonly string[] | undefined;
  readonly sort?: string | readonly SortItem[] | undefined;
  readonly expand?: string | readonly string[] | undefined;
  /** The client's name of the value that has the parts, such as `query.`. */
  readonly place?: string;
  /** Parts of questions only: keys behind references, conditions of any form. */
  readonly question?: { readonly where: unknown; readonly timezone: string };
}

interface SortItem extends Partial<SortInput> {
  readonly field: string;
}

/** A query of these parts; without any, everything. */
export function recordQuery(parts: Partial<RecordQuery>): RecordQuery {
  const { where = EVERYTHING, text = null, fields = null, sort = [], expand = [] } = parts;
  frozenWhere(where);
  for (const key of sort) Object.freeze(key);
  Object.freeze(sort);
  frozen(expand);
  Object.freeze(text);
  Object.freeze(fields);
  return Object.freeze({ where, text, fields, sort, expand });
}

/**
 * Parse the parts, in any spelling. `requireObject` is called after the checks that do not need the
 * object and before those of the filters (D1). Throws `validation_failed` and `invalid_filter`.
 */
export function parseRecordQuery(
  source: QuerySource,
  requireObject: () => ObjectModel,
): { readonly object: ObjectModel; readonly query: RecordQuery } {
  const problems: Problems = [];
  const { textParam: param, place: prefix = '' } = source;
  const value = parseTextQuery(source.text, param, problems);
  const keys = parseFields(source.fields, problems);
  const sorted = parseSort(source.sort, problems, prefix);
  const expanded = parseExpand(source.expand, { place: prefix, problems });
  if (problems.length > 0) throw errorFromProblems(problems);
  const object = requireObject();
  const where = parseConditions(source, problems);
  const isWide = source.question !== undefined;
  const sort = isWide ? sorted.map((key) => withPath(key, problems)) : sorted;
  const shown = splitFields(keys, expanded, { place: prefix, problems });
  if (problems.length > 0) throw errorFromProblems(problems);
  const text = value === undefined ? null : { param, value };
  const { fields, expand } = shown;
  return { object, query: recordQuery({ where, text, fields, sort, expand }) };
}

/** The place of the parts, and the list of problems. */
interface Parsing {
  readonly place: string;
  readonly problems: Problems;
}

/** Filters in either spelling, and the tree of a question in addition. */
function parseConditions(
  { filters, place = '', question }: QuerySource,
  problems: Problems,
): WhereInput {
  const all = isInBrackets(filters)
    ? parseQueryFilters(filters, problems)
    : parseBodyFilters(filters, problems, place);
  if (question?.where === undefined) return { all };
  const { where, timezone } = question;
  const tree = parseWhere(where, `${place}where`, problems, timezone);
  return { all: [...all, ...('all' in tree ? tree.all : [tree])] };
}

function withPath(key: SortInput, problems: Problems): SortInput {
  const path = parsePath(key.field, key.param, problems);
  return path === undefined ? key : { ...key, ...path };
}

/** Parse `expand` where the request has no other part of a query. Throws `validation_failed`. */
export function parseExpansions(given: string | undefined): readonly ExpandInput[] {
  const problems: Problems = [];
  const expand = parseExpand(given, { place: '', problems });
  if (problems.length > 0) throw errorFromProblems(problems);
  return expand;
}

/** References to expand; each once. */
function parseExpand(
  given: QuerySource['expand'],
  { place, problems }: Parsing,
): readonly ExpandInput[] {
  const isText = typeof given === 'string';
  const keys = isText ? given.split(',').map((key) => key.trim()) : (given ?? []);
  if (isText && given.trim() === '') return [];
  const most = LIMITS.expandedReferences;
  if (new Set(keys).size > most || keys.includes('')) {
    const message = say('expand_count', { most });
    problems.push({ param: `${place}expand`, code: 'validation_failed', message });
  }
  return [...new Set(keys)].map((field) => {
    const param = isText ? `${place}expand` : `${place}expand[${keys.indexOf(field)}]`;
    return { param, field, fields: null };
  });
}

/** Keys of the records themselves, and those of the records that references lead to: `company_id.name`. */
function splitFields(
  keys: readonly string[] | undefined,
  expanded: readonly ExpandInput[],
  { place, problems }: Parsing,
): Pick<RecordQuery, 'fields' | 'expand'> {
  if (keys === undefined || expanded.length === 0)
    return { fields: keys ?? null, expand: expanded };
  const ownKeys: string[] = [];
  const behind = new Map<string, string[]>(expanded.map(({ field }) => [field, []]));
  for (const key of keys) {
    const [through = '', field] = key.split('.', 2);
    if (field === undefined || key === `${through}.`) ownKeys.push(key);
    else if (behind.has(through)) behind.get(through)?.push(key.slice(through.length + 1));
    else {
      const message = say('expand_missing', { field: JSON.stringify(shownName(through)) });
      problems.push({ param: `${place}fields`, code: 'invalid_filter', message });
    }
  }
  const expand = expanded.map((one) => {
    const fields = behind.get(one.field) ?? [];
    return fields.length === 0 ? one : { ...one, fields };
  });
  // Fields behind references alone do not hide the fields of the record itself.
  return { fields: ownKeys.length === 0 ? null : ownKeys, expand };
}

/** Split `fields`; empty means omitted, more than 20 different keys are too many. */
export function parseFields(
  given: QuerySource['fields'],
  problems: Problems,
): readonly string[] | undefined {
  if (typeof given !== 'string') return given;
  if (given.trim() === '') return undefined;
  const keys = [...new Set(given.split(',').map((key) => key.trim()))];
  if (keys.length > LIMITS.selectedFields || keys.includes('')) {
    const message = say('fields_count', { most: LIMITS.selectedFields });
    problems.push({ param: 'fields', code: 'validation_failed', message });
  }
  return keys;
}

/** Split `sort` into keys and directions; no key may be empty or repeated. */
export function parseSort(
  given: QuerySource['sort'],
  problems: Problems,
  place = '',
): readonly SortInput[] {
  if (given === undefined) return [];
  if (typeof given !== 'string') return parseSortItems(given, place);
  const sort = given.split(',').map((item): SortInput => {
    const descending = item.startsWith('-');
    const field = descending ? item.slice(1) : item;
    return { param: 'sort', field, direction: descending ? 'desc' : 'asc' };
  });
  const keys = new Set(sort.map(({ field }) => field));
  const wellFormed = sort.every(({ field }) => field !== '' && !field.startsWith('-'));
  if (!wellFormed || keys.size !== sort.length || sort.length > LIMITS.sortKeys) {
    const message = say('sort_count', { most: LIMITS.sortKeys });
    problems.push({ param: 'sort', code: 'validation_failed', message });
  }
  return sort;
}

function parseSortItems(items: readonly SortItem[], place: string): readonly SortInput[] {
  return items.map(({ field, direction = 'asc', param }, index) => {
    const name = param ?? `${place}sort[${index}].field`;
    if (items.findIndex((other) => other.field === field) !== index) {
      throw new ApiError('validation_failed', { param: name, message: say('field_repeated') });
    }
    return { param: name, field, direction };
  });
}

function isInBrackets(filters: QuerySource['filters']): filters is readonly QueryFilter[] {
  return Array.isArray(filters);
}

/** Freezes only new objects: this runs for each request, and a generic deep freeze takes longer. */
function frozenWhere(where: WhereInput): WhereInput {
  if ('field' in where) frozen(where.value);
  else if ('not' in where) frozenWhere(where.not);
  else frozenParts('all' in where ? where.all : where.any);
  return Object.freeze(where);
}

function frozenParts(parts: readonly WhereInput[]): void {
  for (const part of parts) frozenWhere(part);
  Object.freeze(parts);
}

function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}
