// The values of formulas in memory, for what a write leaves before it is stored: its answer, its search rows, its
// changed fields. They are those of the generated columns (test/sql/formulas.test.ts). Pure.

import type { Field } from '../definition/model.ts';
import type { Row } from '../values/row.ts';
import { cutText, printNumber, roundNumber } from './formula-calls.ts';
import { parseDay, printDay } from './formula-days.ts';
import {
  type Formula,
  type FormulaNode,
  type FormulaValue,
  PLACES,
  type ResultForm,
  type ValueKind,
} from './formula-tree.ts';

/** The canonical value of a formula of a record, given by its columns. */
export function formulaValue(formula: Formula, row: Row): unknown {
  const { tree } = formula;
  const value = evaluate(tree, (key) => row[formula.columns.get(key) as string] ?? null);
  if (value === null) return null;
  switch (tree.kind) {
    case 'number':
      return Number(printNumber(value as bigint));
    case 'day':
      return printDay(value as number);
    case 'moment':
      return new Date(value as number).toISOString();
    default:
      return value;
  }
}

/** The record with the values of its formulas. */
export function withFormulas({ formulas }: { readonly formulas: readonly Field[] }, row: Row): Row {
  if (formulas.length === 0) return row;
  const values = formulas.map((field) => [
    field.column,
    formulaValue(field.formula as Formula, row),
  ]);
  return { ...row, ...Object.fromEntries(values) };
}

type ReadField = (key: string) => unknown;

function evaluate(node: FormulaNode, read: ReadField): FormulaValue {
  switch (node.op) {
    case 'literal':
      return node.value;
    case 'field':
      return parseValue(node.kind, read(node.key));
    case 'result':
      return resultOf(evaluate(node.of, read), node.form);
    case 'call': {
      const { form, parts } = node;
      const operands = parts.map((part) => evaluate(part, read));
      if (form.isTotal !== true && operands.includes(null)) return null;
      return form.of(...(operands as never[]));
    }
  }
}

/** The value in the form of its field. */
export function resultOf(value: FormulaValue, { places, bound }: ResultForm): FormulaValue {
  if (typeof value !== 'bigint' || places === undefined || bound === undefined) return value;
  const rounded = roundNumber(value, places);
  return rounded < bound && rounded > -bound ? rounded : null;
}

/** A canonical value as formulas compute with it. */
function parseValue(kind: ValueKind, value: unknown): FormulaValue {
  if (value === null) return null;
  switch (kind) {
    case 'number':
      return parseNumber(String(value));
    case 'text':
      return cutText(String(value));
    case 'boolean':
      return value === true;
    case 'day':
      return parseDay(String(value));
    case 'moment':
      return Date.parse(String(value));
  }
}

/** Places behind the last one are cut off. */
function parseNumber(text: string): bigint {
  const [mantissa = '', exponent = '0'] = text.replace(/^-/, '').split('e');
  const negative = text.startsWith('-');
  return negative ? -unitsOf(mantissa, exponent) : unitsOf(mantissa, exponent);
}

function unitsOf(mantissa: string, exponent: string): bigint {
  const [whole = '', fraction = ''] = mantissa.split('.');
  const shift = PLACES + Number(exponent) - fraction.length;
  const digits = BigInt(whole + fraction);
  if (shift >= 0) return digits * 10n ** BigInt(shift);
  return -shift > mantissa.length ? 0n : digits / 10n ** BigInt(-shift);
}
