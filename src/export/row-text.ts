// From a row to its line in the file: the cells of a CSV file, or a JSON object. Import reads both back
// to equal records without a mapping. Pure.

import { csvCell, guardText, joinOptions } from '../import/csv-text.ts';
import type { FieldType } from '../model/field-types.ts';
import type { Field } from '../model/model.ts';
import { ownValue } from '../model/own-value.ts';

type Row = Readonly<Record<string, unknown>>;

/** How rows become lines. */
export interface Layout {
  readonly fields: readonly Field[];
  /** Addresses by id, in place of ids, which mean nothing in another workspace. */
  readonly addresses: ReadonlyMap<number, string>;
  readonly format: 'csv' | 'jsonl';
  /** True: text stands in a CSV file as it is, even when a spreadsheet would calculate it. */
  readonly raw: boolean;
}

/** The header of a CSV file; JSON lines have none. */
export function headerText({ fields, format }: Layout): string {
  return format === 'csv' ? `${fields.map(columnName).join(',')}\n` : '';
}

/** The line of a row, with its end. */
export function rowText(layout: Layout, row: Row): string {
  return layout.format === 'csv' ? csvLine(layout, row) : jsonLine(layout, row);
}

function columnName({ storage, key }: Field): string {
  return storage === 'jsonb' ? `custom_fields.${key}` : key;
}

function shownValue({ addresses }: Layout, row: Row, field: Field): unknown {
  const value =
    field.storage === 'physical'
      ? row[field.column]
      : ownValue(row.custom_fields as Row | undefined, field.key);
  if (field.type === 'user') return addresses.get(Number(value)) ?? value ?? null;
  return value ?? null;
}

function csvLine(layout: Layout, row: Row): string {
  const cells = layout.fields.map((field) => {
    const value = shownValue(layout, row, field);
    return value === null ? '' : csvCell(cellText(layout, field.type, value));
  });
  // A blank line would be no row.
  return `${cells.join(',') || '""'}\n`;
}

/** What is no text of somebody's cannot become a formula, and -5 is to stay a number. */
const HARMLESS: ReadonlySet<FieldType> = new Set([
  'number',
  'integer',
  'currency',
  'percent',
  'boolean',
  'date',
  'datetime',
  'reference',
  'json',
]);

function cellText({ raw }: Layout, type: FieldType, value: unknown): string {
  const isList = type === 'multi_select' && Array.isArray(value);
  const text =
    type === 'json' ? JSON.stringify(value) : isList ? joinOptions(value) : String(value);
  return raw || HARMLESS.has(type) ? text : guardText(text);
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
