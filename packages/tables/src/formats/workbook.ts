// A sheet of an Excel workbook (.xlsx) as rows of texts, read as a stream with the library hucre. Dates, times and lengths
// of time are recognised by the number formats of their cells, and a formula has its stored value.

import { streamXlsxRows } from 'hucre/xlsx';
import { faultOf, tableFault } from '../table-fault.ts';
import { type Archive, readArchive, replacePart, unpackText } from './archive.ts';
import { BATCH_ROWS, type FormatBatch, type FormatChoices } from './format-rows.ts';

/** Parts that are held in memory as a whole: texts of cells, styles, names. */
const HELD_BYTES = 96 * 1024 * 1024;
const SHEET_PART = /worksheets\/[^/]*\.xml$/i;
const HELD_PART = /\.(?:xml|rels)$/i;
/** Lines of a sheet, as many as Excel has, and cells with the gaps between them. */
const MOST_LINES = 1_048_576;
const MOST_CELLS = 50_000_000;

interface Sheet {
  readonly name: string;
  readonly isHidden: boolean;
}

interface Workbook {
  readonly bytes: Uint8Array;
  readonly sheets: readonly Sheet[];
  readonly is1904: boolean;
}

/** The rows of the chosen sheet, else of the first one that is visible and has rows. Errors: a fault. */
export async function* workbookRows(
  bytes: Uint8Array,
  { sheet, columns }: FormatChoices,
): AsyncGenerator<FormatBatch> {
  const workbook = await openWorkbook(bytes);
  const sheets = workbook.sheets.map(({ name }) => name);
  if (sheet !== undefined && !sheets.includes(sheet)) throw tableFault('sheet');
  const candidates = sheet === undefined ? byVisibility(workbook.sheets) : [sheet];
  for (const name of candidates) {
    let isFound = false;
    const rows = sheetRows(workbook, sheets.indexOf(name), columns);
    try {
      for await (const batch of rows) {
        isFound = true;
        yield { sheets, sheet: name, rows: batch };
      }
    } catch (error) {
      const isOther = faultOf(error)?.fault === 'workbook' && sheet === undefined && !isFound;
      // A sheet of a chart has no rows.
      if (!isOther) throw error;
    }
    if (isFound) return;
  }
  throw tableFault('empty');
}

function byVisibility(sheets: readonly Sheet[]): readonly string[] {
  return [false, true].flatMap((isHidden) =>
    sheets.filter((sheet) => sheet.isHidden === isHidden).map(({ name }) => name),
  );
}

async function openWorkbook(bytes: Uint8Array): Promise<Workbook> {
  const archive = readArchive(bytes);
  const held = archive.parts.filter(({ name }) => HELD_PART.test(name) && !SHEET_PART.test(name));
  if (held.reduce((sum, { unpacked }) => sum + unpacked, 0) > HELD_BYTES) throw tableFault('large');
  const part = archive.parts.find(({ name }) => name === 'xl/workbook.xml');
  const document = part === undefined ? '' : await unpackText(archive, part);
  // The library counts the sheets in this order.
  const tags = [...document.matchAll(/<(?:\w+:)?sheet\s[^>]*>/g)].map(([tag]) => tag);
  if (tags.length === 0) throw tableFault('workbook');
  return {
    bytes: await withoutCurrencies(archive),
    sheets: tags.map((tag) => ({
      name: plainText(/\sname="([^"]*)"/.exec(tag)?.[1] ?? ''),
      isHidden: /\sstate="(?:very)?hidden"/i.test(tag),
    })),
    is1904: /\sdate1904="(?:1|true)"/.test(document),
  };
}

/** The library takes `[$€-de-DE]` in the number format of an amount for the day of a date. */
async function withoutCurrencies(archive: Archive): Promise<Uint8Array> {
  const part = archive.parts.find(({ name }) => name === 'xl/styles.xml');
  if (part === undefined) return archive.bytes;
  const styles = await unpackText(archive, part);
  const cleaned = styles.replaceAll(/\[\$[^\]"<>-][^\]"<>]{0,60}\]/g, '');
  return cleaned === styles ? archive.bytes : replacePart(archive, part, cleaned);
}

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" },
};

function plainText(xml: string): string {
  return xml.replaceAll(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (all, decimal, hex, name) => {
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    if (name !== undefined) return ENTITIES[name] ?? all;
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}

type Cell = string | number | boolean | Date | null;

/** Errors: a fault. */
async function* sheetRows(
  { bytes, is1904 }: Workbook,
  sheet: number,
  columns: number,
): AsyncGenerator<FormatBatch['rows']> {
  let batch: FormatBatch['rows'][number][] = [];
  let visited = 0;
  try {
    for await (const { index, values } of streamXlsxRows(bytes, { sheet })) {
      const line = index + 1;
      visited += values.length;
      if (line > MOST_LINES || visited > MOST_CELLS) throw tableFault('large', line);
      const last = values.findLastIndex((value) => value !== null && value !== '');
      if (last >= columns) throw tableFault('columns', line);
      if (last < 0) continue;
      const cells = values.slice(0, last + 1).map((value) => cellText(value as Cell, is1904));
      batch.push({ line, cells });
      if (batch.length < BATCH_ROWS) continue;
      yield batch;
      batch = [];
    }
  } catch (error) {
    throw faultOf(error) === undefined ? tableFault('workbook') : error;
  }
  if (batch.length > 0) yield batch;
}

function cellText(value: Cell, is1904: boolean): string {
  if (value === null) return '';
  if (typeof value === 'number') return numberText(value);
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  return typeof value === 'string' ? value : timeText(value, is1904);
}

/** Whole numbers in full, others with the 15 digits that Excel shows: 19.990000000000002 is 19.99 there. */
function numberText(value: number): string {
  const text = String(Number.isInteger(value) ? value : Number(value.toPrecision(15)));
  if (!text.includes('e')) return text;
  return value.toLocaleString('en', { useGrouping: false, maximumSignificantDigits: 15 });
}

const DAY = 86_400_000;
const HOUR = 3_600_000;
/** Before the first day that a cell can have. */
const FIRST_DAYS = { '1900': Date.UTC(1899, 11, 31), '1904': Date.UTC(1904, 0, 1) } as const;
/** Moments this close to it are lengths of time, such as the 30 hours of `[h]:mm`. */
const LENGTH_DAYS = 60;

/** A date, a date with a time, a time of day or a length of time. */
function timeText(time: Date, is1904: boolean): string {
  const moment = time.getTime();
  if (!Number.isFinite(moment)) throw tableFault('workbook');
  const since = moment - FIRST_DAYS[is1904 ? '1904' : '1900'];
  const isDay = since % DAY === 0;
  const isLength = since >= 0 && since < LENGTH_DAYS * DAY && (!isDay || since === 0);
  const [day = '', clock = ''] = time
    .toISOString()
    .replace(/(?:\.000)?Z$/, '')
    .split('T');
  if (!isLength) return isDay ? day : `${day} ${clock}`;
  return `${String(Math.floor(since / HOUR)).padStart(2, '0')}${clock.slice(2)}`;
}
