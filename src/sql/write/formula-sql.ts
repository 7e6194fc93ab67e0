// The SQL of formulas: the expression that a column is generated from. It is immutable and never fails. Pure text.

import type { Field } from '../../model/definition/model.ts';
import { printNumber } from '../../model/formulas/formula-calls.ts';
import {
  type Formula,
  type FormulaNode,
  MOST_CHARACTERS,
  type ValueKind,
} from '../../model/formulas/formula-tree.ts';
import { type SqlText, sqlText } from '../../model/values/sql-text.ts';
import { identifier, literal, type Sql, sql, writtenSql } from '../sql.ts';

/** The value that the column of a formula has. */
export function formulaSql({ formula, type }: FormulaField): Sql {
  const { tree, columns } = formula;
  const value = nodeSql(tree, columns);
  if (tree.kind === 'day') return sql`(date '0001-01-01' + ${value})`;
  if (tree.kind !== 'number') return value;
  return type === 'integer' ? sql`(${value})::integer` : sql`trim_scale(${value})`;
}

type FormulaField = Pick<Field, 'type'> & { readonly formula: Formula };

type Columns = Formula['columns'];

function nodeSql(node: FormulaNode, columns: Columns): Sql {
  switch (node.op) {
    case 'literal':
      return literalSql(node);
    case 'field':
      return inputSql(node, identifier(columns.get(node.key) as string));
    case 'result':
      return resultSql(node, nodeSql(node.of, columns));
    case 'call': {
      const [a, b, c] = node.parts.map((part) => nodeSql(part, columns));
      const operands: Readonly<Record<string, Sql | undefined>> = { a, b, c };
      return writtenSql(node.form.sql, (place) => operands[place]);
    }
  }
}

function literalSql({ kind, value }: Literal): Sql {
  const type = writtenSql(TYPES[kind], () => undefined);
  if (value === null) return sql`null::${type}`;
  const text = typeof value === 'bigint' ? printNumber(value) : String(value);
  const written = sql`${literal(text)}::${type}`;
  return kind === 'text' ? sql`(${written} collate "C")` : written;
}

type Literal = Extract<FormulaNode, { op: 'literal' }>;

/** The types of values within expressions. */
const TYPES: Readonly<Record<ValueKind, SqlText>> = Object.freeze({
  number: sqlText`numeric`,
  text: sqlText`text`,
  boolean: sqlText`boolean`,
  day: sqlText`integer`,
  moment: sqlText`timestamptz`,
});

type Input = Extract<FormulaNode, { op: 'field' }>;

function inputSql({ kind }: Input, column: Sql): Sql {
  switch (kind) {
    case 'number':
      return sql`trunc(${column}::numeric, 15)`;
    case 'text':
      return sql`(left(${column}, ${literal(String(MOST_CHARACTERS))}::integer) collate "C")`;
    case 'day':
      return sql`(${column} - date '0001-01-01')`;
    default:
      return column;
  }
}

type Result = Extract<FormulaNode, { op: 'result' }>;

/** Numbers beyond the bound become it, and then null: the value is computed once. */
function resultSql({ form: { places, bound } }: Result, value: Sql): Sql {
  if (places === undefined || bound === undefined) return value;
  const most = sql`${literal(printNumber(bound))}::numeric`;
  const rounded = sql`round(${value}, ${literal(String(places))}::integer)`;
  return sql`nullif(nullif(greatest(least(${rounded}, ${most}), -${most}), ${most}), -${most})`;
}
