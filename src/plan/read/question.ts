// A question: a complete query on the records of an object, as one JSON value. Requests send it and views store it;
// both are parsed here. Pure.

import { errorFromProblems, type Problems } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { about } from '../../messages/message.ts';
import type { ObjectModel } from '../../model/definition/model.ts';
import type { AggregateRequest, GroupInput, MetricInput } from './aggregate-plan.ts';
import { parsePath } from './parse-where.ts';
import { parseRecordQuery, type RecordQuery } from './record-query.ts';
import { isTimeZone, TIME_ZONE_PROBLEM, type TimeUnit } from './relative-time.ts';

/** The JSON, of the shape that the route checks. */
export interface Question extends Selecting {
  readonly fields?: readonly string[];
  readonly sort?: readonly { readonly field: string; readonly direction?: 'asc' | 'desc' }[];
  readonly expand?: readonly string[];
  readonly count?: 'none' | 'exact';
  readonly limit?: number;
  readonly cursor?: string;
}

/** The parts that select records: the same for lists and aggregates. */
export interface Selecting {
  readonly query?: string;
  readonly filters?: Readonly<Record<string, unknown>>;
  readonly where?: unknown;
  /** The time zone of the days, weeks and months in the question. */
  readonly timezone?: string;
}

export interface ParsedQuestion {
  readonly object: ObjectModel;
  readonly query: RecordQuery;
  /** True: the answer says how many records there are. */
  readonly counted: boolean;
  readonly limit: number;
  readonly cursor: string | undefined;
}

/**
 * Parse a question; `place` is the client's name of the value that has it, such as `query.`, and '' for a body.
 * Throws `validation_failed` and `invalid_filter`; `requireObject` is called between them (D1).
 */
export function parseQuestion(
  given: Question,
  place: string,
  requireObject: () => ObjectModel,
): ParsedQuestion {
  const { fields, sort, expand, count, limit, cursor } = given;
  const { text, textParam, filters, question } = selectingParts(given, place);
  const source = { text, textParam, filters, fields, sort, expand, place, question };
  const { object, query } = parseRecordQuery(source, requireObject);
  return {
    object,
    query,
    counted: count === 'exact',
    limit: limit ?? LIMITS.defaultPageSize.records,
    cursor: cursor || undefined,
  };
}

/** A question about groups: what differs from an aggregate of the specification. */
export interface GroupedQuestion extends Selecting {
  readonly group_by?: readonly (string | PeriodItem)[];
  readonly metrics: readonly MetricInput[];
}

interface PeriodItem {
  readonly field: string;
  readonly by: TimeUnit;
  readonly timezone?: string;
}

/** Parse the selection of records, their groups and the metrics. Throws as `parseQuestion`. */
export function parseGroupedQuestion(
  given: GroupedQuestion,
  place: string,
  requireObject: () => ObjectModel,
): Pick<ParsedQuestion, 'object' | 'query'> &
  Pick<AggregateRequest, 'metrics'> & { readonly group_by: readonly GroupInput[] } {
  const items = given.group_by ?? [];
  const params = items.map((_, index) => `${place}group_by[${index}]`);
  items.forEach((item, index) => {
    if (typeof item === 'string' || item.timezone === undefined) return;
    requireTimeZone(item.timezone, `${params[index]}.timezone`);
  });
  const { object, query } = parseRecordQuery(selectingParts(given, place), requireObject);
  const problems: Problems = [];
  const group_by = items.flatMap((item, index) => {
    const input = groupInput(item, params[index] as string, given.timezone);
    const path = parsePath(input.field, input.param, problems);
    return path === undefined ? [] : [{ ...input, ...path }];
  });
  const metrics = given.metrics.map((metric, index) => {
    if (metric.field === undefined) return metric;
    const param = `${place}metrics[${index}].field`;
    return { ...metric, ...parsePath(metric.field, param, problems) };
  });
  if (problems.length > 0) throw errorFromProblems(problems);
  return { object, query, group_by, metrics };
}

/** Columns of periods are named after the field and the period: `created_at:month`. */
function groupInput(item: string | PeriodItem, param: string, timezone = 'UTC'): GroupInput {
  if (typeof item === 'string') return { name: item, param, field: item, timezone };
  const { field, by } = item;
  return {
    ...{ name: `${field}:${by}`, param: `${param}.field`, field, by },
    timezone: item.timezone ?? timezone,
    ...(item.timezone === undefined ? {} : { timezoneParam: `${param}.timezone` }),
  };
}

/** The parts of a query that say which records. Throws `validation_failed`. */
export function selectingParts(given: Selecting, place: string) {
  const { query: text, filters = {}, where, timezone = 'UTC' } = given;
  requireTimeZone(timezone, `${place}timezone`);
  const question = { where, timezone };
  return { place, text, textParam: `${place}query`, filters, question };
}

/**
 * The parts of a request that is a question only when it has a condition: keys behind references are for questions.
 * Throws `validation_failed`.
 */
export function selectedParts(given: Selecting) {
  const { question, ...parts } = selectingParts(given, '');
  return given.where === undefined ? parts : { ...parts, question };
}

/** Throws `validation_failed`. */
export function requireTimeZone(timezone: string, param: string): void {
  if (isTimeZone(timezone)) return;
  const message = about('The value', TIME_ZONE_PROBLEM);
  throw errorFromProblems([{ param, code: 'validation_failed', message }]);
}
