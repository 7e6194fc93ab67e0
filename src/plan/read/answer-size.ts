// Limits the size of the rows of a read (D385). The sizes of a plan's fields decide whether it has to be measured:
// most pages cannot be too large, and are not measured. Pure.

import { LIMITS } from '../../limits.ts';
import type { Field } from '../../model/definition/model.ts';
import { comparedTraits } from '../../model/values/field-types.ts';
import { type AnswerSize, mostBytesOf, type Sized } from '../../model/values/value-size.ts';
import { type Expansion, orderColumn, type ReadPlan } from './read-plan.ts';

/** The size of an answer to a request with a single query. */
export const WHOLE_ANSWER: AnswerSize = Object.freeze({
  page: LIMITS.answerBytes,
  record: LIMITS.recordBytes,
});

/** The size of a page of other things than records: it has one row at least. */
export const LISTED_ANSWER: AnswerSize = Object.freeze({
  page: LIMITS.answerBytes,
  record: Number.MAX_SAFE_INTEGER,
});

/** The part of each of so many questions. */
export function sharedAnswer(questions: number): AnswerSize {
  const { page, record } = WHOLE_ANSWER;
  return { page: Math.floor(page / questions), record: Math.floor(record / questions) };
}

/** A column of a row that may be long. `stored`: PostgreSQL knows its stored size, not its size as text. */
export interface LongColumn {
  readonly name: string;
  readonly measure: 'text' | 'stored';
  readonly most: number;
}

/** The rest of a row: ids, times, numbers, names of properties. */
export const SHORT_BYTES = 1000;
/** The bytes of a short value: longer values are measured one by one. */
const SHORT_VALUE_BYTES = 200;

/** The long columns of the rows of a plan. */
export function longColumns(plan: ReadPlan): readonly LongColumn[] {
  const { object, display, fields = [], order } = plan;
  const own = [...(display === undefined ? [] : [display]), ...fields];
  const named = new Map([
    ...own.map((field) => [field.column, field] as const),
    ...order.map((key, place) => [orderColumn(key, place), key.field] as const),
  ]);
  return [...named].flatMap(([name, field]) => {
    // All of its fields are in one column, which is read as a whole.
    const isShared = field.storage === 'jsonb';
    const within = isShared ? [...object.fields.values()].filter(isInJson) : [field];
    return longColumn(name, within, isShared);
  });
}

/** A column that has values of these fields; none when they are short. */
export function longColumn(
  name: string,
  fields: readonly Sized[],
  isJson = false,
): readonly LongColumn[] {
  const most = fields.reduce((sum, field) => sum + mostBytesOf(field), 0);
  if (most <= SHORT_VALUE_BYTES) return [];
  const isText = !isJson && fields.every((field) => comparedTraits(field).textual);
  return [{ name, measure: isText ? 'text' : 'stored', most }];
}

/** Bytes of the largest row that has these columns. */
export function mostOfRow(columns: readonly LongColumn[]): number {
  return columns.reduce((sum, { most }) => sum + most, SHORT_BYTES);
}

/** The plan; its rows are measured when a page of them, with the records they refer to, could be too large. */
export function withinSize(plan: ReadPlan, most: AnswerSize): ReadPlan {
  const { expand, limit = 1 } = plan;
  const row = mostOfRow(longColumns(plan)) + mostOfExpansions(expand ?? []);
  if (limit * row <= most.page) return plan;
  return { ...plan, size: most, expand: expand && sizedWithin(most, expand) };
}

/** Bytes of all that a row shows of others. */
export function mostOfExpansions(expand: readonly Expansion[]): number {
  return expand.reduce((sum, { target }) => {
    return sum + (isRecords(target) ? mostOfRow(longColumns(target)) : SHORT_BYTES);
  }, 0);
}

/**
 * A target is read once, however many rows refer to it, so the targets of one reference together may be as large as
 * one record.
 */
export function sizedWithin(
  { record }: AnswerSize,
  expand: readonly Expansion[],
): readonly Expansion[] {
  const size = { page: record, record };
  return expand.map((one) => {
    const { target } = one;
    return isRecords(target) ? { ...one, target: { ...target, size } } : one;
  });
}

function isRecords(target: Expansion['target']): target is ReadPlan {
  return target !== undefined && target !== 'user';
}

function isInJson({ storage }: Field): boolean {
  return storage === 'jsonb';
}
