// Tables in other forms than text: sheets of workbooks, JSON, boards of Trello. Values of the workbooks are those that
// openpyxl and LibreOffice read; what a file may cost is decided before it is unpacked.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openSharedTexts } from '../../packages/tables/src/formats/shared-texts.ts';
import { openInThread } from '../../packages/tables/src/node/format-thread.ts';
import { readTable, type TableChoices } from '../../packages/tables/src/reading.ts';
import { faultOf } from '../../packages/tables/src/table-fault.ts';

const BOUNDS = { columns: 2000, cells: 16_384, length: 8 * 1024 * 1024 };
const OPTIONS = { bounds: BOUNDS, today: new Date('2026-11-28') };

const fileOf = (name: string) =>
  new Uint8Array(readFileSync(join(import.meta.dirname, 'files', name)));
const bytesOf = (content: string | Uint8Array) =>
  typeof content === 'string' ? new TextEncoder().encode(content) : content;
const open = (content: string | Uint8Array) =>
  async function* pieces() {
    const bytes = bytesOf(content);
    for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000);
  };
const tableOf = (content: string | Uint8Array, choices: TableChoices = {}) =>
  readTable(open(content), choices, OPTIONS);
const faultIn = (content: string | Uint8Array, choices?: TableChoices) =>
  tableOf(content, choices).then(
    () => undefined,
    (error) => faultOf(error)?.fault,
  );

test.each(['1900', '1904'])('a workbook that counts days from %s', async (system) => {
  const content = fileOf(`orders-${system}.xlsx`);
  const here = await tableOf(content);
  expect(here).toMatchObject({
    ...{ format: 'workbook', sheets: ['Notes & more', 'Orders', 'Hidden', 'Chart'] },
    ...{ sheet: 'Orders', skipLines: 2, rows: 3, isEncodingSure: true },
  });
  const [heading, ...values] = ['Customer', 'Ann Ödegård', 'Bo "Bobby" Lee', 'Cy & Sons'];
  expect(here.headings[0]).toBe(heading);
  const rest = [
    ['2026-03-01', '2026-03-01 14:30:15', '09:05:00', '30:00:00', '1234.5', '19.99', 'TRUE'],
    ['1950-02-28', '2026-03-02', '23:59:59', '00:05:00', '-0.25', '1234567890123456', 'FALSE'],
    [`${system}-03-15`, '2026-03-02 23:59:59.500', '', '', '0.0000001', '', ''],
  ];
  const last = [
    ['02134', '#N/A', '=SUM(1)'],
    ["'7", 'OK', 'two\nlines'],
    ['x', '', ''],
  ];
  expect(here.sample).toEqual(
    values.map((name, row) => [name, ...(rest[row] ?? []), ...(last[row] ?? [])]),
  );
  const types = here.guesses.map(({ type }) => type);
  expect(types.slice(1, 3)).toEqual(['date', 'datetime']);
  expect(types.slice(5, 9)).toEqual(['number', 'text', 'boolean', 'text']);
  const hidden = await tableOf(content, { sheet: 'Hidden' });
  expect(hidden.headings).toEqual(['Secret']);
  expect(await faultIn(content, { sheet: 'Other' })).toBe('sheet');
});

test('shared texts are the texts that were added', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 3000 }), (given) => {
      const bytes = given.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
      const texts = openSharedTexts(bytes);
      for (const text of given) texts.add(text);
      expect(given.map((_, index) => texts.at(index))).toEqual(given);
      expect([texts.at(given.length), texts.at(Number.NaN)]).toEqual(['', '']);
      expect(() => texts.add('x')).toThrow();
    }),
    { numRuns: 20 },
  );
});

test('days and times that SheetJS writes as text are those of the sheet, whatever stands behind them', async () => {
  const { sample, guesses } = await tableOf(fileOf('days-of-sheetjs.xlsx'));
  expect(sample).toEqual([
    ['2026-03-01 07:00:00', '2026-03-01'],
    ['2026-03-01 07:00:00.500', '1999-12-31'],
    ['2026-03-02', '2026-07-01'],
  ]);
  expect(guesses.map(({ type }) => type)).toEqual(['datetime', 'date']);
});

test('an archive that claims too much, or nothing, is refused before it is unpacked', async () => {
  const content = fileOf('orders-1900.xlsx');
  const changed = (change: (view: DataView, entry: number) => void) => {
    const bytes = content.slice();
    const view = new DataView(bytes.buffer);
    change(view, view.getUint32(bytes.length - 22 + 16, true));
    return bytes;
  };
  const claims = (size: number) => changed((view, entry) => view.setUint32(entry + 24, size, true));
  expect(await faultIn(claims(401 * 1024 * 1024))).toBe('large');
  const unknown = changed((view, entry) => {
    view.setUint16(entry + 8, 8, true);
    for (const at of [20, 24]) view.setUint32(entry + at, 0, true);
  });
  expect(await faultIn(unknown)).toBe('large');
  expect(await faultIn(content.slice(0, -30))).toBe('workbook');
  expect(await faultIn('PK\u0003\u0004')).toBe('workbook');
  const damaged = content.map((byte, at) => (at > 60 && at < 5000 ? byte ^ 1 : byte));
  expect(await faultIn(damaged)).toBe('workbook');
});

test('a file that cannot be read is refused by its name', async () => {
  const opened = `PK\u0003\u0004${'\0'.repeat(26)}mimetypeapplication/vnd.oasis.opendocument.spreadsheet`;
  expect(await faultIn(opened)).toBe('open_document');
  expect(await faultIn(Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1))).toBe('old_workbook');
  expect(await faultIn('BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n')).toBe('calendar');
});

test('JSON: properties are columns, long numbers keep their digits, one list of several is read', async () => {
  const people = [
    { id: 1, name: 'Ann', home: { city: 'Köln', tags: ['a', 'b'] }, active: true },
    { name: 'Bo', notes: [{ text: 'x' }], home: null },
  ];
  const columns = ['id', 'name', 'home.city', 'home.tags', 'active', 'notes', 'home'];
  const rows = [
    ['1', 'Ann', 'Köln', 'a; b', 'true', '', ''],
    ['', 'Bo', '', '', '', '[{"text":"x"}]', ''],
  ];
  const list = JSON.stringify(people);
  const lines = people.map((one) => `${JSON.stringify(one)}\n`).join('');
  for (const text of [list, `{"page": 1, "rows": ${list}}`, lines]) {
    const { headings, sample, format } = await tableOf(text);
    expect({ headings, sample, format }).toEqual({
      headings: columns,
      sample: rows,
      format: 'json',
    });
  }
  const several = `{"ids": [1], "people": ${list}, "orders": [{"no": 12345678901234567890, "n\\"0": -1.5}]}`;
  expect((await tableOf(several)).sheets).toEqual(['people', 'orders']);
  const { headings, sample } = await tableOf(several, { sheet: 'orders' });
  expect([headings, sample]).toEqual([['no', 'n"0'], [['12345678901234567890', '-1.5']]]);
  for (const text of ['[1, 2]', '{"a": 1}', '[{"a": 1}', '[{"a": "1}]'])
    expect(await faultIn(text)).toBe('json');
  expect(await faultIn(`${'[{"a":'.repeat(20)}1${'}]'.repeat(20)}`)).toBe('large');
  const wide = Object.fromEntries(Array.from({ length: 2001 }, (_, index) => [`c${index}`, 1]));
  expect(await faultIn(JSON.stringify([wide]))).toBe('columns');
});

test('a large file is read by a thread with the same result, and the same faults', async () => {
  const list = Array.from({ length: 4000 }, (_, row) => ({ row, text: `text ${row}` }));
  const text = JSON.stringify(list);
  const options = { ...OPTIONS, openFormat: openInThread };
  expect(await readTable(open(text), {}, options)).toEqual(await tableOf(text));
  const error = await readTable(open(text.slice(1)), {}, options).catch((cause) => cause);
  expect(faultOf(error)?.fault).toBe('json');
});

test('a board of Trello: cards with names of lists, labels and members', async () => {
  const { headings, sample, sheets, sheet } = await tableOf(fileOf('board.json'));
  expect([sheet, sheets?.slice(0, 2)]).toEqual(['cards', ['cards', 'labels']]);
  expect(headings.slice(0, 9)).toEqual([
    ...['Name', 'Description', 'List', 'Labels', 'Members', 'Start', 'Due', 'Complete', 'Archived'],
  ]);
  const [first, second] = sample.map((row) => row.slice(0, 9));
  expect(first).toEqual([
    ...['Call the roofer', 'Ask for **two** offers', 'To do', 'urgent; red', 'Ann Example; bo_e'],
    ...['', '2026-12-01T09:00:00.000Z', 'false', 'false'],
  ]);
  expect(second).toEqual(['Old card', '', 'Done 2025', '', '', '', '', 'true', 'true']);
});

test('content that is in no row is counted: comments and checklists of Trello, photos of cards', async () => {
  const card = { idList: 'l', idBoard: 'b', name: 'A', attachments: [{ id: 'x' }] };
  const comment = { type: 'commentCard' };
  const board = {
    ...{ cards: [card, card], lists: [{ id: 'l', name: 'To do' }], checklists: [{ id: 'c' }] },
    actions: [comment, comment, { type: 'updateCard' }],
  };
  expect((await tableOf(JSON.stringify(board))).leftOut).toEqual([
    { name: 'comments', count: 2 },
    { name: 'checklists', count: 1 },
    { name: 'attachments', count: 2 },
  ]);
  const vcard = 'BEGIN:VCARD\nVERSION:3.0\nFN:A\nPHOTO:x\nANNIVERSARY:20200101\nREV:1\nEND:VCARD\n';
  expect((await tableOf(vcard + vcard)).leftOut).toEqual([
    { name: 'PHOTO', count: 2 },
    { name: 'ANNIVERSARY', count: 2 },
  ]);
  expect((await tableOf('A\n1\n')).leftOut).toEqual([]);
});
