// The tree of a formula: what parsing and typing make of an expression, what SQL and values are made of. Pure.

import type { SqlText } from '../values/sql-text.ts';

/**
 * The kinds of values that formulas compute with. In memory a number is a count of 10^-15, a day the number of days
 * since 0001-01-01, and a moment the milliseconds since 1970.
 */
export type ValueKind = 'number' | 'text' | 'boolean' | 'day' | 'moment';
export type FormulaValue = bigint | string | boolean | number | null;

/** The role of a field type in formulas. */
export interface FormulaRole {
  readonly kind: ValueKind;
  /** True: the result of a formula can have the type. */
  readonly isResult: boolean;
}

/** Decimal places of all numbers: more are cut off. */
export const PLACES = 15;
export const UNIT = 10n ** BigInt(PLACES);
/** Characters of the longest text; what is longer is cut off. */
export const MOST_CHARACTERS = 500;
/** The last day, 9999-12-31. */
export const LAST_DAY = 3_652_058;

/** The form that the result of a formula has in its field. */
export interface ResultForm {
  /** Decimal places; undefined: it is not a number. */
  readonly places?: number;
  /** The least number that is too large; its negative is too small. */
  readonly bound?: bigint;
}

export type FormulaNode = {
  readonly kind: ValueKind;
  /** The nodes of the tree, as many times as they are computed. */
  readonly size: number;
} & (
  | { readonly op: 'literal'; readonly value: FormulaValue }
  | { readonly op: 'field'; readonly key: string }
  | { readonly op: 'result'; readonly form: ResultForm; readonly of: FormulaNode }
  | { readonly op: 'call'; readonly form: CallForm; readonly parts: readonly FormulaNode[] }
);

/**
 * The kind of an operand. `same`: the kind of the other operands that say so; `ordered`: the same, and not a boolean.
 * Two numbers: a whole number within these bounds, which the expression has literally.
 */
export type Operand = ValueKind | 'same' | 'ordered' | readonly [least: number, most: number];

/** A function or operator for operands of some kinds. */
export interface CallForm {
  readonly name: string;
  readonly takes: readonly Operand[];
  readonly gives: ValueKind | 'same';
  /** An immutable expression of `{a}`, `{b}` and `{c}` that never fails. */
  readonly sql: SqlText;
  /** The value; without `isTotal` it is not called with a null, which gives null. */
  readonly of: (...operands: never[]) => FormulaValue;
  readonly isTotal?: true;
}

/** The formula of a field, compiled. */
export interface Formula {
  readonly expression: string;
  readonly tree: FormulaNode;
  /** The fields it is computed from, those of the formulas that it names included. */
  readonly inputs: ReadonlySet<string>;
  /** Their columns by key. */
  readonly columns: ReadonlyMap<string, string>;
}
