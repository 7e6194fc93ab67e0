// From a row to its values in the file, and to its line: the cells of a CSV file, or a JSON object. Import reads both
// back to equal records without a mapping. Pure.

import { csvCell, guardText } from '../../packages/tables/src/csv-text.ts';
import { optionsNamed, type WordedOption } from '../../packages/tables/src/option-words.ts';
import type { Field } from '../model/definition/model.ts';
import { ownValue } from '../model/text/own-value.ts';
import { FIELD_TYPE_TRAITS } from '../model/values/field-types.ts';
import type { Row } from '../model/values/row.ts';

/** The form of rows in the file. */
export interface Layout {
  readonly fields: readonly Field[];
  /** Addresses by id, in place of ids, which have no meaning in another workspace. */
  readonly addresses: ReadonlyMap<number, string>;
  readonly format: 'csv' | 'jsonl' | 'xlsx' | 'vcf';
  /** True: a CSV file has the text unchanged, even when a spreadsheet would calculate it. */
  readonly raw: boolean;
  /** True: a CSV file begins with a byte-order mark, by which a spreadsheet recognises UTF-8. */
  readonly bom?: boolean | undefined;
  /** True: a table has labels of options and names of records, as people see them. */
  readonly names?: boolean | undefined;
}

/** Rows of the database, and the names of the records that they refer to, by id. */
export interface RowBatch {
  readonly rows: readonly Row[];
  readonly names: ReadonlyMap<string, string>;
}

/** The lines of a CSV file with its header, or JSON lines. */
export async function* textPieces(
  layout: Layout,
  batches: AsyncIterable<RowBatch>,
): AsyncGenerator<string> {
  const lineOf = layout.format === 'csv' ? csvLine : jsonLine;
  yield headerText(layout);
  for await (const { rows, names } of batches) {
    yield rows.map((row) => lineOf(layout, row, names)).join('');
  }
}

function headerText({ fields, format, bom = false }: Layout): string {
  if (format !== 'csv') return '';
  return `${bom ? '\uFEFF' : ''}${fields.map(({ storage_key }) => storage_key).join(',')}\n`;
}

/** The value of a cell, null without one. `isName`: it is the name of a record, any text. */
export function cellValue(
  layout: Layout,
  row: Row,
  field: Field,
  names: RowBatch['names'],
): { readonly value: unknown; readonly isName: boolean } {
  const value = shownValue(layout, row, field);
  const isReference = FIELD_TYPE_TRAITS[field.type].refersTo === 'record';
  const name = isReference && value !== null ? names.get(String(value)) : undefined;
  if (name !== undefined) return { value: name, isName: true };
  return { value: layout.names === true ? namedValue(field, value) : value, isName: false };
}

function shownValue({ addresses }: Layout, row: Row, field: Field): unknown {
  const value =
    field.storage === 'physical'
      ? row[field.column]
      : ownValue(row.custom_fields as Row | undefined, field.custom_key);
  const isUser = FIELD_TYPE_TRAITS[field.type].refersTo === 'user';
  return (isUser ? addresses.get(Number(value)) : undefined) ?? value ?? null;
}

function csvLine(layout: Layout, row: Row, names: RowBatch['names']): string {
  const cells = layout.fields.map((field) => {
    const { value, isName } = cellValue(layout, row, field, names);
    if (value === null) return '';
    const { printCell, isHarmless } = FIELD_TYPE_TRAITS[field.type];
    const text = printCell(value);
    return csvCell(layout.raw || (isHarmless && !isName) ? text : guardText(text));
  });
  // A blank line would be no row.
  return `${cells.join(',') || '""'}\n`;
}

/** Labels in place of options, where an import reads the option back from its label. */
function namedValue({ rules: { options = [] } }: Field, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => labelOf(options, item));
  return options.length === 0 ? value : labelOf(options, value);
}

function labelOf(options: readonly WordedOption[], value: unknown): unknown {
  const label = options.find((option) => option.value === value)?.label;
  return label !== undefined && optionsNamed(options, label).length === 1 ? label : value;
}

function jsonLine(layout: Layout, row: Row): string {
  const values: Record<string, unknown> = {};
  const custom: [string, unknown][] = [];
  for (const field of layout.fields) {
    const value = shownValue(layout, row, field);
    if (field.storage === 'physical') values[field.key] = value;
    else custom.push([field.key, value]);
  }
  if (custom.length > 0) values.custom_fields = Object.fromEntries(custom);
  return `${JSON.stringify(values)}\n`;
}
