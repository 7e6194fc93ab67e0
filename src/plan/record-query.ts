// A query for records of an object: which ones, in which order, with which fields. Plain
// JSON that never changes, so it can be kept, compared and sent; lists, searches, aggregates, exports,
// look-ups and linked lists are all planned from one. Pure.

import { ApiError, errorFromProblems } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import type { ObjectModel } from '../model/model.ts';
import {
  type Problems,
  parseBodyFilters,
  parseQueryFilters,
  parseTextQuery,
  type QueryFilter,
} from './filter.ts';
import { EVERYTHING, type WhereInput } from './where.ts';

export interface SortInput {
  readonly param: string;
  readonly field: string;
  readonly direction: 'asc' | 'desc';
}

/** `param` is the client's name of a part, for error messages. */
export interface RecordQuery {
  readonly where: WhereInput;
  /** What the display field holds. */
  readonly text: { readonly param: string; readonly value: string } | null;
  /** Keys of the fields to show; null: identity properties only. */
  readonly fields: readonly string[] | null;
  readonly sort: readonly SortInput[];
}

/** The parts as clients spell them: in a query string, or in a body. */
export interface QuerySource {
  readonly text: string | undefined;
  readonly textParam: string;
  readonly filters: readonly QueryFilter[] | Readonly<Record<string, unknown>>;
  readonly fields?: string | readonly string[] | undefined;
  readonly sort?: string | readonly SortItem[] | undefined;
}

interface SortItem extends Partial<SortInput> {
  readonly field: string;
}

/** A query of these parts; without any, everything. */
export function recordQuery(parts: Partial<RecordQuery>): RecordQuery {
  const { where = EVERYTHING, text = null, fields = null, sort = [] } = parts;
  frozenWhere(where);
  for (const key of sort) Object.freeze(key);
  Object.freeze(sort);
  return Object.freeze({ where, text: Object.freeze(text), fields: Object.freeze(fields), sort });
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
  const { textParam: param, filters } = source;
  const value = parseTextQuery(source.text, param, problems);
  const fields = parseFields(source.fields, problems) ?? null;
  const sort = parseSort(source.sort, problems);
  if (problems.length > 0) throw errorFromProblems(problems);
  const object = requireObject();
  const all = isInBrackets(filters)
    ? parseQueryFilters(filters, problems)
    : parseBodyFilters(filters, problems);
  if (problems.length > 0) throw errorFromProblems(problems);
  const text = value === undefined ? null : { param, value };
  return { object, query: recordQuery({ where: { all }, text, fields, sort }) };
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
    const message = `Name 1 to ${LIMITS.selectedFields} field keys, separated by commas.`;
    problems.push({ param: 'fields', code: 'validation_failed', message });
  }
  return keys;
}

/** Split `sort` into keys and directions; no key may be empty or repeated. */
export function parseSort(given: QuerySource['sort'], problems: Problems): readonly SortInput[] {
  if (given === undefined) return [];
  if (typeof given !== 'string') return parseSortItems(given);
  const sort = given.split(',').map((item): SortInput => {
    const descending = item.startsWith('-');
    const field = descending ? item.slice(1) : item;
    return { param: 'sort', field, direction: descending ? 'desc' : 'asc' };
  });
  const keys = new Set(sort.map(({ field }) => field));
  const wellFormed = sort.every(({ field }) => field !== '' && !field.startsWith('-'));
  if (!wellFormed || keys.size !== sort.length || sort.length > LIMITS.sortKeys) {
    const message = `Name 1 to ${LIMITS.sortKeys} different field keys, "-" before one descends.`;
    problems.push({ param: 'sort', code: 'validation_failed', message });
  }
  return sort;
}

function parseSortItems(items: readonly SortItem[]): readonly SortInput[] {
  return items.map(({ field, direction = 'asc', param }, index) => {
    const name = param ?? `sort[${index}].field`;
    if (items.findIndex((other) => other.field === field) !== index) {
      const message = 'The field is repeated.';
      throw new ApiError('validation_failed', { param: name, message });
    }
    return { param: name, field, direction };
  });
}

function isInBrackets(filters: QuerySource['filters']): filters is readonly QueryFilter[] {
  return Array.isArray(filters);
}

/** Freezes only what is new: this runs for each request, and a generic deep freeze takes longer. */
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
