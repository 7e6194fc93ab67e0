// Rows as an Excel workbook with one typed sheet (D880): the bytes as the rows come, so the memory does not grow with
// them. It has no formulas, and no value is rounded or cut.

import { operatorError } from '../errors.ts';
import type { Field } from '../model/definition/model.ts';
import { significantDigits } from '../model/values/decimals.ts';
import { FIELD_TYPE_TRAITS } from '../model/values/field-types.ts';
import { cellValue, type Layout, type RowBatch } from './row-text.ts';

/** Bounds of Excel: rows with the header, and characters of a cell. */
const MOST_ROWS = 1_048_576;
const MOST_LENGTH = 32_767;
/** Digits that Excel keeps of a number. */
const DIGITS = 15;

/** The words of the format say whose time it is, and an import reads them. */
const FORMATS = {
  day: { numFmt: 'yyyy-mm-dd', width: 12 },
  moment: { numFmt: 'yyyy-mm-dd hh:mm:ss" UTC"', width: 25 },
} as const;

/** Errors: of an operator, before the first byte when there are too many rows. */
export async function* sheetPieces(
  layout: Layout,
  batches: AsyncIterable<RowBatch>,
  total: number,
): AsyncGenerator<Uint8Array> {
  if (total >= MOST_ROWS) {
    throw operatorError(
      `A sheet has at most ${MOST_ROWS - 1} records, not ${total}. Add a filter, or export CSV.`,
    );
  }
  const { writeXlsxStream } = await import('hucre/xlsx');
  const columns = layout.fields.map(({ storage_key, type }) => {
    const { time } = FIELD_TYPE_TRAITS[type];
    return { header: storage_key, ...(time === undefined ? { width: 16 } : FORMATS[time]) };
  });
  yield* writeXlsxStream(sheetRows(layout, batches), {
    ...{ name: 'Records', columns, freezePane: { rows: 1 } },
  });
}

async function* sheetRows(layout: Layout, batches: AsyncIterable<RowBatch>) {
  let number = 1;
  for await (const { rows, names } of batches) {
    for (const row of rows) {
      number += 1;
      yield layout.fields.map((field) => {
        const cell = sheetCell(field, cellValue(layout, row, field, names).value);
        if (typeof cell === 'string' && cell.length > MOST_LENGTH) throw tooLong(field, number);
        return cell;
      });
    }
  }
}

function tooLong({ storage_key }: Field, row: number): Error {
  return operatorError(
    `Row ${row}, ${storage_key}: a cell of Excel has at most ${MOST_LENGTH} characters. Leave the field out, or export CSV.`,
  );
}

type SheetCell = string | number | boolean | Date | null;

function sheetCell({ type }: Field, value: unknown): SheetCell {
  const { time, printCell, isAnyJson } = FIELD_TYPE_TRAITS[type];
  if (value === null) return null;
  const text = printCell(value);
  if (typeof value === 'boolean' && !isAnyJson) return value;
  if (typeof value === 'number' && !isAnyJson && significantDigits(text) <= DIGITS) return value;
  return (time === undefined ? undefined : dateCell(text)) ?? escaped(text);
}

/** Excel counts 1900 as a leap year, so other programs read the days before March of it differently. */
const FIRST_DAY = Date.UTC(1900, 2, 1);

/** Undefined: the day is a text, because Excel has no such day. */
function dateCell(text: string): Date | undefined {
  const date = new Date(text);
  return date.getTime() >= FIRST_DAY ? date : undefined;
}

/** Workbooks write `_x0041_` for a character by its number, and a text of these letters with `_x005F_` for its first one. */
function escaped(text: string): string {
  if (!/_x|[\uFFFE\uFFFF]/i.test(text)) return text;
  return text
    .replaceAll(/_(?=x[\da-f]{4}_)/gi, '_x005F_')
    .replaceAll(/[\uFFFE\uFFFF]/g, (one) => `_x${one.charCodeAt(0).toString(16).toUpperCase()}_`);
}
