// Files of rows as tables: what a file is, delimiters, header lines, headings, line ends, uneven rows; pieces may end
// anywhere. Rows are those that another reader of CSV finds.

import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { parseCsv } from '../../packages/tables/src/csv-parser.ts';
import { csvText } from '../../packages/tables/src/csv-text.ts';
import { findDoubles } from '../../packages/tables/src/doubles.ts';
import { readTable, type TableChoices } from '../../packages/tables/src/reading.ts';
import { faultOf } from '../../packages/tables/src/table-fault.ts';
import { findDelimiter } from '../../packages/tables/src/table-layout.ts';
import { encoded } from './encoded.ts';

const BOUNDS = { columns: 2000, cells: 16_384, length: 8 * 1024 * 1024 };
const TODAY = new Date('2026-11-28');

async function* pieces(bytes: Uint8Array, length: number) {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

const tableOf = (content: string | Uint8Array, choices: TableChoices = {}, length = 65_536) => {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return readTable(() => pieces(bytes, length), choices, { bounds: BOUNDS, today: TODAY });
};

test.each([
  ['a,b\n1,2', ','],
  ['a;b\n"1,5;x";2', ';'],
  ['a;b\n1,5;2\n2,5;3', ';'],
  ['a\tb\n1\t2', '\t'],
  ['a|b\n1|2', '|'],
  ['sep=;\na,b;c\n', ';'],
  ['name\nAcme, Ltd.', ','],
  ['Notes, with a comma, and another\n\na;b;c\n1;2;3\n4;5;6\n', ';'],
  ['', ','],
])('%j has its delimiter', (text, delimiter) => {
  expect(findDelimiter(text)).toBe(delimiter);
});

test.each([1, 2, 3, 7, 64])('a file in pieces of %i bytes is the same table', async (length) => {
  const text = 'Name;Größe;Note\r\n"Müller; Söhne";1;"a\r\nb"\r\n\r\nBolt;2;\rCord;"3""4";x\n';
  const { headings, sample } = await tableOf(text, {}, length);
  expect(headings).toEqual(['Name', 'Größe', 'Note']);
  expect(sample).toEqual([
    ['Müller; Söhne', '1', 'a\r\nb'],
    ['Bolt', '2', ''],
    ['Cord', '3"4', 'x'],
  ]);
});

test('work items of another type are not doubles', async () => {
  const text = 'Key,Type\nA,Bug\nA,Task\na,bug\n';
  const table = await tableOf(text);
  const open = () => pieces(new TextEncoder().encode(text), 64);
  const doublesBy = (match: string) => {
    const columns = { Key: match, Type: 'work_item_type_id' };
    const mapping = { object_type: 'work_items', match: [match], columns };
    return findDoubles(open, { table, mapping, options: { bounds: BOUNDS, today: TODAY } });
  };
  expect((await doublesBy('public_id'))?.first).toEqual([{ line: 4, first_line: 2, value: 'a' }]);
  expect((await doublesBy('id'))?.count).toBe(2);
});

test('a late byte that is not UTF-8 decides the encoding of the whole file', async () => {
  const text = `Name,Ort\n${'x,y\n'.repeat(40_000)}Jürgen Müller,Köln\n`;
  const { encoding, columns } = await tableOf(encoded(text, 'windows-1252'));
  expect(encoding).toBe('windows-1252');
  expect(columns[0]?.distinct).toEqual(['x', 'Jürgen Müller']);
});

test.each([
  ['no notes', 'a,b\n1,2\n3,4\n', 0, ['a', 'b']],
  [
    'a network of contacts',
    'Notes:\n"When exporting, some\naddresses are missing."\n\nFirst Name,Last Name,Company\nAnn,Lee,Acme\nBo,Ray,\n',
    4,
    ['First Name', 'Last Name', 'Company'],
  ],
  [
    'a bank',
    'Account;DE00 1234;;\nFrom;01.05.2026;;\n\nDate;Payee;Amount;Text\n1.5.2026;A;1,00;x\n2.5.2026;B;2,00;y\n',
    3,
    ['Date', 'Payee', 'Amount', 'Text'],
  ],
  ['analytics', '# Report\n# 1-31 May\n\nPage,Views\n/,12\n/a,3\n', 3, ['Page', 'Views']],
  [
    'padded notes',
    'Sales report,,,\nMay,,,\nName,Stage,Amount,Owner\nA,x,1,Z\nB,y,2,Z\n',
    2,
    ['Name', 'Stage', 'Amount', 'Owner'],
  ],
  ['one column', 'name\nAnn\nBo\n', 0, ['name']],
  ['one row', 'Note\n\na,b,c\n1,2,3\n', 2, ['a', 'b', 'c']],
  ['a line that names the delimiter', 'sep=;\na;b\n1;2\n', 0, ['a', 'b']],
])('the header below %s is found', async (_, text, skipLines, headings) => {
  expect(await tableOf(text)).toMatchObject({ skipLines, headings });
});

test.each([
  [
    'twice and without a name',
    ' Name ,Name,,Ort,\n1,2,3,4,\n',
    ['Name', 'Name (2)', 'Column 3', 'Ort'],
  ],
  ['with line breaks and tabs', '"Created\r\nat","a\tb"\n1,2\n', ['Created at', 'a b']],
  ['long', `${'x'.repeat(265)},b\n1,2\n`, ['x'.repeat(265), 'b']],
])('headings that are %s become names', async (_, text, headings) => {
  const table = await tableOf(text);
  expect(table.headings).toEqual(headings);
  expect(Math.max(...table.guesses.map(({ name }) => name.length))).toBeLessThanOrEqual(200);
});

test('short and long rows are counted with their lines, and are no rows of the table', async () => {
  const text =
    'Name,Amount,Note\nA,1,\nB,2,,\n\nGrand Totals,3\nC,3,x,y\n"Copyright 2026 Example Inc."\nConfidential\n';
  const { rows, uneven, columns } = await tableOf(text);
  expect([rows, uneven.count]).toEqual([2, 4]);
  expect(uneven.first.map(({ line, cells }) => [line, cells])).toEqual([
    [5, 2],
    [6, 4],
    [7, 1],
    [8, 1],
  ]);
  expect(columns[0]?.distinct).toEqual(['A', 'B']);
});

test.each([
  ['nothing', '', 'empty'],
  ['line ends only', '\n\n', 'empty'],
  ['a workbook', 'PK\u0003\u0004\0\0', 'workbook'],
  ['an old workbook', Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1), 'old_workbook'],
  ['contact cards', 'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ann\r\n', 'cards'],
  ['JSON', '[{"name": "Ann"}', 'json'],
  ['an object of JSON', '{\n "rows": []}', 'json'],
  ['a web page', '<!DOCTYPE html><table></table>', 'page'],
  ['XML', '<?xml version="1.0"?><a/>', 'page'],
  ['a document', '%PDF-1.7\n', 'document'],
  ['a file that is cut off in quotation marks', 'a,b\n1,"2\n3,4\n', 'quote'],
  ['text behind a quotation mark', 'a,b\n"1"x,2\n', 'quotes'],
  ['more than 2,000 columns', `${'a,'.repeat(2100)}a\n`, 'columns'],
])('%s is refused by its name', async (_, content, reason) => {
  const error = await tableOf(content).catch((cause: unknown) => cause);
  expect(faultOf(error)?.fault).toBe(reason);
});

test('rows are those that another reader finds', () => {
  for (const name of ['accounts', 'products', 'sales_pipeline', 'onboarding_items']) {
    const text = readFileSync(`examples/crm-sales/${name}.csv`, 'utf8');
    const rows = parseCsv(text).map(({ cells }) => cells);
    expect(rows).toEqual(parse(text, { relax_column_count: true }));
    expect(parseCsv(csvText(rows)).map(({ cells }) => cells)).toEqual(rows);
  }
});
