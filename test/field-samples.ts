// The samples of a field type (test/fields, one file for each type): the values that a field of the type accepts,
// refuses and stores, and the expected traits. Tests of all types use them.

import type fc from 'fast-check';
import type { FilterOperator, ValueRules } from '../src/model/values/field-type.ts';

/** A value as a client sends it and its canonical value. */
export type Accepted = readonly [given: unknown, canonical: unknown];

/** A section of docs/guide/field-types.md. */
export interface PageOfType {
  readonly about: string;
  readonly rules?: ValueRules;
  /** Examples of values, as a client sends them. */
  readonly takes: readonly unknown[];
  readonly refuses: readonly unknown[];
}

/** Of the field `a_<type>` of test/sample-definition.ts. */
export interface FieldSamples {
  readonly accepted: readonly Accepted[];
  /** Refused when they are written. */
  readonly refused: readonly unknown[];
  /** Canonical values that records have; few, so that many are equal. */
  readonly pool: readonly unknown[];
  /** Anything that is taken. */
  readonly arbitrary: fc.Arbitrary<unknown>;
  /** Cells of files besides those that are written, and their canonical values. */
  readonly cells: readonly (readonly [text: string, canonical: unknown])[];
  readonly operators: readonly FilterOperator[];
  readonly aggregates: readonly ('sum' | 'avg' | 'min' | 'max')[];
  /** Fields can be sorted and grouped by. */
  readonly isOrdered: boolean;
  /** Values that are taken although the JSON Schema of the field has another form for them. */
  readonly isTakenAsWell?: (value: unknown) => boolean;
  /** Values that are refused for what JSON Schema cannot say, or says in words only. */
  readonly isRefusedAsWell: (value: unknown) => boolean;
  readonly page: PageOfType;
}

export const ORDERED: readonly FilterOperator[] = [
  'eq',
  'ne',
  'lt',
  'lte',
  'gt',
  'gte',
  'in',
  'is_null',
];
export const EQUAL: readonly FilterOperator[] = ['eq', 'ne', 'in', 'is_null'];

/** The options of select fields. */
export const OPTIONS = ['red', 'green', 'blue', 'off "white", really', 'null', 'Ünï😀'];

export function isText(value: unknown): boolean {
  return typeof value === 'string';
}

/** A text that PostgreSQL cannot store, anywhere in the value. */
export function isUnstorable(value: unknown): boolean {
  return /\\u(?:0000|d[89a-f])/.test(JSON.stringify(value) ?? '');
}
