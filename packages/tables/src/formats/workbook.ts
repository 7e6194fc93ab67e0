// A sheet of an Excel workbook (.xlsx) as rows of texts, read as a stream. Dates, times and lengths of time are recognised
// by the number formats of their cells, and a formula has its stored value.

import { isDateFormat, serialToDate } from 'hucre';
import { tableFault } from '../table-fault.ts';
import { type Archive, MOST_OF_TINY, readArchive, unpack, unpackText } from './archive.ts';
import { BATCH_ROWS, type FormatBatch, type FormatChoices } from './format-rows.ts';
import { openSharedTexts, type SharedTexts } from './shared-texts.ts';
import { attributeOf, cellsIn, elementsIn, textIn, type XmlCell } from './sheet-xml.ts';

/** Parts that are held in memory: texts of cells, and styles with names. */
const TEXTS_BYTES = 96 * 1024 * 1024;
const OTHER_BYTES = 8 * 1024 * 1024;
/** Cells with the gaps between them. */
const MOST_CELLS = 50_000_000;

interface Sheet {
  readonly name: string;
  readonly isHidden: boolean;
  /** The name of its part. */
  readonly part: string;
}

interface Workbook {
  readonly archive: Archive;
  readonly sheets: readonly Sheet[];
  readonly is1904: boolean;
  readonly texts: SharedTexts;
  /** For each style of cells the zone that a format of dates or times writes, such as ` UTC`, or none. */
  readonly zones: readonly (string | undefined)[];
}

/** The rows of the chosen sheet, else of the first one that is visible and has rows. Errors: a fault. */
export async function* workbookRows(
  bytes: Uint8Array,
  { sheet, columns }: FormatChoices,
): AsyncGenerator<FormatBatch> {
  const workbook = await openWorkbook(bytes);
  const sheets = workbook.sheets.map(({ name }) => name);
  const visible = workbook.sheets.filter(({ isHidden }) => !isHidden);
  const hidden = workbook.sheets.filter(({ isHidden }) => isHidden);
  const candidates = [...visible, ...hidden].filter(({ name }) => name === (sheet ?? name));
  if (candidates.length === 0) throw tableFault('sheet');
  for (const { name, part } of candidates) {
    let isEmpty = true;
    for await (const rows of sheetRows(workbook, part, columns)) {
      isEmpty = false;
      yield { sheets, sheet: name, rows };
    }
    if (!isEmpty) return;
  }
  throw tableFault('empty');
}

async function openWorkbook(bytes: Uint8Array): Promise<Workbook> {
  const archive = readArchive(bytes);
  const document = await partText(archive, 'xl/workbook.xml');
  const links = await partText(archive, 'xl/_rels/workbook.xml.rels');
  const parts = new Map(
    tagsIn(links, 'Relationship').map((tag) => [
      attributeOf(tag, 'Id'),
      attributeOf(tag, 'Target'),
    ]),
  );
  const sheets = tagsIn(document, 'sheet').map((tag) => {
    const target = parts.get(attributeOf(tag, 'id')) ?? '';
    return {
      name: attributeOf(tag, 'name') ?? '',
      isHidden: /hidden$/i.test(attributeOf(tag, 'state') ?? ''),
      part: target.startsWith('/') ? target.slice(1) : `xl/${target}`,
    };
  });
  if (sheets.length === 0) throw tableFault('workbook');
  const [properties = ''] = tagsIn(document, 'workbookPr');
  return {
    ...{ archive, sheets, texts: await readTexts(archive) },
    is1904: /^(?:1|true)$/.test(attributeOf(properties, 'date1904') ?? ''),
    zones: timeStyles(await partText(archive, 'xl/styles.xml')),
  };
}

/** The attributes of the elements of this name. */
function tagsIn(document: string, name: string): readonly string[] {
  const tag = new RegExp(`<(?:\\w+:)?${name}(?=[\\s/>])([^<>]*)>`, 'g');
  return [...document.matchAll(tag)].map(([, attributes = '']) => attributes);
}

const partNamed = ({ parts }: Archive, name: string) =>
  parts.find((part) => part.name.toLowerCase() === name.toLowerCase());

async function partText(archive: Archive, name: string): Promise<string> {
  const part = partNamed(archive, name);
  if (part === undefined) return '';
  if (part.unpacked > OTHER_BYTES) throw tableFault('large');
  return unpackText(archive, part);
}

/** A text of the XML has more bytes than its letters. */
async function readTexts(archive: Archive): Promise<SharedTexts> {
  const part = partNamed(archive, 'xl/sharedStrings.xml');
  if (part === undefined) return openSharedTexts(0);
  if (part.unpacked > TEXTS_BYTES) throw tableFault('large');
  const texts = openSharedTexts(Math.max(part.unpacked, MOST_OF_TINY));
  for await (const elements of elementsIn(unpack(archive, part), 'si')) {
    for (const element of elements) {
      for (const _ of element.matchAll(/<(?:\w+:)?si\s*\/>/g)) texts.add('');
      texts.add(textIn(element));
    }
  }
  return texts;
}

/** Currencies of number formats are left out: the library takes the `d` of `[$€-de-DE]` for a day. */
function timeStyles(styles: string): Workbook['zones'] {
  const formats = new Map(
    tagsIn(styles, 'numFmt').map((tag) => [
      attributeOf(tag, 'numFmtId') ?? '',
      (attributeOf(tag, 'formatCode') ?? '').replaceAll(/\[\$[^\]-][^\]]{0,60}\]/g, ''),
    ]),
  );
  const [, cells = ''] = styles.split(/<(?:\w+:)?cellXfs[\s>]/);
  const [own = ''] = cells.split(/<\/(?:\w+:)?cellXfs>/);
  return tagsIn(own, 'xf').map((tag) => {
    const id = attributeOf(tag, 'numFmtId') ?? '0';
    const format = formats.get(id) ?? id;
    return isDateFormat(format) ? (ZONE.exec(format)?.[1] ?? '') : undefined;
  });
}

/** The words at the end of a number format that say whose time it is. */
const ZONE = /"( UTC)"(?:;@)?$/;

/** Errors: a fault. */
async function* sheetRows(
  workbook: Workbook,
  name: string,
  columns: number,
): AsyncGenerator<FormatBatch['rows']> {
  const part = partNamed(workbook.archive, name);
  // A sheet of a chart has no rows.
  if (part === undefined || !/worksheets\//i.test(name)) return;
  let batch: FormatBatch['rows'][number][] = [];
  let line = 0;
  let visited = 0;
  for await (const elements of elementsIn(unpack(workbook.archive, part), 'row')) {
    for (const element of elements) {
      const tags = tagsIn(element, 'row');
      const place = Number(attributeOf(tags.at(-1) ?? '', 'r') ?? Number.NaN);
      line = place > line ? place : line + 1;
      const cells = rowCells(workbook, element, { columns, line });
      visited += cells.length;
      if (visited > MOST_CELLS) throw tableFault('large', line);
      if (cells.length > 0) batch.push({ line, cells });
      if (batch.length < BATCH_ROWS) continue;
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

/** Up to the last one with a value. */
function rowCells(
  workbook: Workbook,
  row: string,
  { columns, line }: { readonly columns: number; readonly line: number },
): readonly string[] {
  const cells: string[] = [];
  let column = -1;
  for (const cell of cellsIn(row)) {
    column = columnOf(cell.place) ?? column + 1;
    const text = cellText(workbook, cell);
    if (text === '') continue;
    if (column >= columns) throw tableFault('columns', line);
    while (cells.length < column) cells.push('');
    cells[column] = text;
  }
  return cells;
}

/** From 0, of a place such as `AB12`. */
function columnOf(place: string | undefined): number | undefined {
  const letters = /^\$?([A-Z]{1,3})\$?\d/i.exec(place ?? '')?.[1]?.toUpperCase();
  if (letters === undefined) return undefined;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function cellText({ texts, zones, is1904 }: Workbook, cell: XmlCell): string {
  const { type, value, text, style } = cell;
  if (type === 's') return texts.at(Number(value));
  if (type === 'inlineStr') return text;
  if (type === 'b') return value === '1' || value === 'true' ? 'TRUE' : value === '' ? '' : 'FALSE';
  if (type === 'd') return isoText(value, zones[style] ?? '');
  const number = Number(value);
  if ((type !== undefined && type !== 'n') || value === '' || Number.isNaN(number)) return value;
  const zone = zones[style];
  return zone === undefined
    ? numberText(value, number)
    : timeText(serialToDate(number, is1904), { is1904, zone });
}

/** Whole numbers in full, others with the 15 digits that Excel shows: 19.990000000000002 is 19.99 there. */
function numberText(written: string, value: number): string {
  if (/^-?\d+$/.test(written)) return written;
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

/** Cells have no zone, and SheetJS writes a `Z` behind the time of the machine: it counts as little as in a number. */
const ISO_CELL = /^(\d{4}-\d\d-\d\d)(?:T([\d:]+(?:\.\d+)?)(?:Z|[+-]\d\d:?\d\d)?)?$/;

/** A date, or a date with a time, as `timeText` writes them; anything else stays. */
function isoText(value: string, zone: string): string {
  const [, day, clock = '00:00'] = ISO_CELL.exec(value) ?? [];
  if (day === undefined) return value;
  return /[1-9]/.test(clock) || zone !== '' ? `${day} ${clock.replace(/\.0+$/, '')}${zone}` : day;
}

/** A date, a date with a time, a time of day or a length of time. */
function timeText(
  time: Date,
  { is1904, zone }: { readonly is1904: boolean; readonly zone: string },
): string {
  const moment = time.getTime();
  if (!Number.isFinite(moment)) throw tableFault('workbook');
  const since = moment - FIRST_DAYS[is1904 ? '1904' : '1900'];
  const isDay = since % DAY === 0;
  const isLength = since >= 0 && since < LENGTH_DAYS * DAY && (!isDay || since === 0);
  const [day = '', clock = ''] = time
    .toISOString()
    .replace(/(?:\.000)?Z$/, '')
    .split('T');
  if (!isLength) return isDay && zone === '' ? day : `${day} ${clock}${zone}`;
  return `${String(Math.floor(since / HOUR)).padStart(2, '0')}${clock.slice(2)}`;
}
