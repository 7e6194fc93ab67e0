// The functions and operators of formulas: for each its operands, its SQL, and its value in memory, which are the same
// (test/sql/formulas.test.ts). SQL in it never fails and is immutable, because columns are generated from it. Pure.

import { sqlText } from '../values/sql-text.ts';
import { addMonths, dayOf, dayOfMonth, dayWithin, monthOf, yearOf } from './formula-days.ts';
import { type CallForm, type FormulaValue, MOST_CHARACTERS, PLACES, UNIT } from './formula-tree.ts';

type Binary<Value> = (one: Value, other: Value) => FormulaValue;

const add: Binary<bigint> = (one, other) => one + other;
const subtract: Binary<bigint> = (one, other) => one - other;
const multiply: Binary<bigint> = (one, other) => (one * other) / UNIT;
const divide: Binary<bigint> = (one, other) => (other === 0n ? null : (one * UNIT) / other);

/** A number of whole days or months; numbers of this size are out of all dates. */
function wholeOf(number: bigint): number {
  const whole = number / UNIT;
  return Number(whole > 10_000_000n ? 10_000_000n : whole < -10_000_000n ? -10_000_000n : whole);
}

function numberOf(whole: number): bigint {
  return BigInt(whole) * UNIT;
}

/** Texts in the order of their code points; other values in theirs. */
function compareValues<Value extends FormulaValue>(one: Value, other: Value): number {
  if (typeof one === 'string' && typeof other === 'string') {
    return Buffer.compare(Buffer.from(one), Buffer.from(other));
  }
  return (one as number) < (other as number) ? -1 : (one as number) > (other as number) ? 1 : 0;
}

/** The text cut to the length of formulas; null when it is empty. */
export function cutText(text: string, most = MOST_CHARACTERS): string | null {
  if (text === '' || most === 0) return null;
  return text.length <= most ? text : [...text].slice(0, most).join('');
}

/** A half is rounded away from zero. */
export function roundNumber(number: bigint, places: number): bigint {
  const unit = 10n ** BigInt(PLACES - places);
  const size = ((number < 0n ? -number : number) + unit / 2n) / unit;
  return (number < 0n ? -size : size) * unit;
}

/** The decimal as PostgreSQL prints it without zeros at its end. */
export function printNumber(number: bigint): string {
  const digits = String(number < 0n ? -number : number).padStart(PLACES + 1, '0');
  const places = digits.slice(-PLACES).replace(/0+$/, '');
  const whole = digits.slice(0, -PLACES);
  return `${number < 0n ? '-' : ''}${whole}${places === '' ? '' : `.${places}`}`;
}

type Logic = boolean | null;

const both = (one: Logic, other: Logic): Logic =>
  one === false || other === false ? false : one === null || other === null ? null : true;
const either = (one: Logic, other: Logic): Logic =>
  one === true || other === true ? true : one === null || other === null ? null : false;

/** The better one of two values; a null is worse than any. */
const choose = (sign: number) => (one: FormulaValue, other: FormulaValue) => {
  if (one === null || other === null) return one ?? other;
  return compareValues(one, other) * sign >= 0 ? one : other;
};

const compare = (isTrue: (order: number) => boolean): Binary<FormulaValue> => {
  return (one, other) => isTrue(compareValues(one, other));
};

const DAYS = ['day', 'number'] as const;
const NUMBERS = ['number', 'number'] as const;
const ORDERED = ['ordered', 'ordered'] as const;
const PAIR = ['same', 'same'] as const;

export const CALL_FORMS: readonly CallForm[] = Object.freeze([
  { name: '+', takes: NUMBERS, gives: 'number', sql: sqlText`({a} + {b})`, of: add },
  { name: '-', takes: NUMBERS, gives: 'number', sql: sqlText`({a} - {b})`, of: subtract },
  { name: '*', takes: NUMBERS, gives: 'number', sql: sqlText`trunc({a} * {b}, 15)`, of: multiply },
  {
    ...{ name: '/', takes: NUMBERS, gives: 'number', of: divide },
    sql: sqlText`(div({a} * 1e15, nullif({b}, 0)) * 1e-15)`,
  },
  { name: '-', takes: ['number'], gives: 'number', sql: sqlText`(- {a})`, of: (a: bigint) => -a },
  // Numbers beyond the bounds become the bound, and the bound null: nothing is computed twice, and null stays null.
  {
    ...{ name: '+', takes: DAYS, gives: 'day' },
    sql: sqlText`nullif(nullif(greatest(least({a} + trunc({b}), 3652059), -1), 3652059), -1)::integer`,
    of: (a: number, b: bigint) => dayWithin(a + wholeOf(b)),
  },
  {
    ...{ name: '-', takes: DAYS, gives: 'day' },
    sql: sqlText`nullif(nullif(greatest(least({a} - trunc({b}), 3652059), -1), 3652059), -1)::integer`,
    of: (a: number, b: bigint) => dayWithin(a - wholeOf(b)),
  },
  {
    ...{ name: '-', takes: ['day', 'day'], gives: 'number', sql: sqlText`({a} - {b})::numeric` },
    of: (a: number, b: number) => numberOf(a - b),
  },
  {
    ...{ name: '&', takes: ['text', 'text'], gives: 'text', isTotal: true },
    sql: sqlText`nullif(left(coalesce({a}, '') || coalesce({b}, ''), 500), '')`,
    of: (a: string | null, b: string | null) => cutText((a ?? '') + (b ?? '')),
  },
  {
    name: '=',
    takes: PAIR,
    gives: 'boolean',
    sql: sqlText`({a} = {b})`,
    of: compare((o) => o === 0),
  },
  {
    name: '!=',
    takes: PAIR,
    gives: 'boolean',
    sql: sqlText`({a} <> {b})`,
    of: compare((o) => o !== 0),
  },
  {
    name: '<',
    takes: ORDERED,
    gives: 'boolean',
    sql: sqlText`({a} < {b})`,
    of: compare((o) => o < 0),
  },
  {
    name: '<=',
    takes: ORDERED,
    gives: 'boolean',
    sql: sqlText`({a} <= {b})`,
    of: compare((o) => o <= 0),
  },
  {
    name: '>',
    takes: ORDERED,
    gives: 'boolean',
    sql: sqlText`({a} > {b})`,
    of: compare((o) => o > 0),
  },
  {
    name: '>=',
    takes: ORDERED,
    gives: 'boolean',
    sql: sqlText`({a} >= {b})`,
    of: compare((o) => o >= 0),
  },
  {
    ...{ name: 'and', takes: ['boolean', 'boolean'], gives: 'boolean', isTotal: true, of: both },
    sql: sqlText`({a} and {b})`,
  },
  {
    ...{ name: 'or', takes: ['boolean', 'boolean'], gives: 'boolean', isTotal: true, of: either },
    sql: sqlText`({a} or {b})`,
  },
  {
    name: 'not',
    takes: ['boolean'],
    gives: 'boolean',
    sql: sqlText`(not {a})`,
    of: (a: boolean) => !a,
  },
  {
    ...{ name: 'if', takes: ['boolean', 'same', 'same'], gives: 'same', isTotal: true },
    sql: sqlText`case when {a} then {b} else {c} end`,
    of: (a: Logic, b: FormulaValue, c: FormulaValue) => (a === true ? b : c),
  },
  {
    ...{ name: 'if', takes: ['boolean', 'same'], gives: 'same', isTotal: true },
    sql: sqlText`case when {a} then {b} end`,
    of: (a: Logic, b: FormulaValue) => (a === true ? b : null),
  },
  {
    ...{ name: 'coalesce', takes: PAIR, gives: 'same', isTotal: true },
    sql: sqlText`coalesce({a}, {b})`,
    of: (a: FormulaValue, b: FormulaValue) => a ?? b,
  },
  {
    ...{ name: 'is_empty', takes: ['same'], gives: 'boolean', isTotal: true },
    sql: sqlText`({a} is null)`,
    of: (a: FormulaValue) => a === null,
  },
  {
    ...{ name: 'min', takes: ORDERED, gives: 'same', isTotal: true, of: choose(-1) },
    sql: sqlText`least({a}, {b})`,
  },
  {
    ...{ name: 'max', takes: ORDERED, gives: 'same', isTotal: true, of: choose(1) },
    sql: sqlText`greatest({a}, {b})`,
  },
  {
    ...{ name: 'abs', takes: ['number'], gives: 'number', sql: sqlText`abs({a})` },
    of: (a: bigint) => (a < 0n ? -a : a),
  },
  {
    ...{ name: 'round', takes: ['number', [0, PLACES]], gives: 'number' },
    sql: sqlText`round({a}, {b}::integer)`,
    of: (a: bigint, b: bigint) => roundNumber(a, wholeOf(b)),
  },
  {
    ...{
      name: 'length',
      takes: ['text'],
      gives: 'number',
      sql: sqlText`char_length({a})::numeric`,
    },
    of: (a: string) => numberOf([...a].length),
  },
  {
    ...{ name: 'trim', takes: ['text'], gives: 'text', sql: sqlText`nullif(btrim({a}), '')` },
    of: (a: string) => cutText(a.replace(/^ +/, '').replace(/(?<! ) +$/, '')),
  },
  {
    ...{ name: 'left', takes: ['text', [1, MOST_CHARACTERS]], gives: 'text' },
    sql: sqlText`left({a}, {b}::integer)`,
    of: (a: string, b: bigint) => cutText(a, wholeOf(b)),
  },
  {
    ...{ name: 'contains', takes: ['text', 'text'], gives: 'boolean' },
    sql: sqlText`(strpos({a}, {b}) > 0)`,
    of: (a: string, b: string) => a.includes(b),
  },
  {
    ...{ name: 'text', takes: ['number'], gives: 'text' },
    sql: sqlText`(left(trim_scale({a})::text, 500) collate "C")`,
    of: (a: bigint) => cutText(printNumber(a)),
  },
  {
    ...{ name: 'date', takes: ['moment'], gives: 'day' },
    sql: sqlText`(({a} at time zone 'UTC')::date - date '0001-01-01')`,
    of: (a: number) => dayOf(a),
  },
  {
    ...{ name: 'year', takes: ['day'], gives: 'number', of: (a: number) => numberOf(yearOf(a)) },
    sql: sqlText`extract(year from date '0001-01-01' + {a})::numeric`,
  },
  {
    ...{ name: 'month', takes: ['day'], gives: 'number', of: (a: number) => numberOf(monthOf(a)) },
    sql: sqlText`extract(month from date '0001-01-01' + {a})::numeric`,
  },
  {
    ...{ name: 'day', takes: ['day'], gives: 'number', of: (a: number) => numberOf(dayOfMonth(a)) },
    sql: sqlText`extract(day from date '0001-01-01' + {a})::numeric`,
  },
  // Ten thousand years later the calendar is the same: no step of it leaves the dates of PostgreSQL.
  {
    ...{ name: 'add_months', takes: DAYS, gives: 'day' },
    sql: sqlText`nullif(nullif(greatest(least(((date '10001-01-01' + {a}) + make_interval(months => greatest(least(trunc({b}), 120000), -120000)::integer))::date - date '10001-01-01', 3652059), -1), 3652059), -1)`,
    of: (a: number, b: bigint) => addMonths(a, wholeOf(b)),
  },
] satisfies readonly CallForm[]);
