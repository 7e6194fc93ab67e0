// The reading of a sent file before its import: what the page of imports shows, for scripts and agents.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../client.ts';
import { openWorld, type World } from '../world.ts';
import { sentFile } from './job-world.ts';

let world: World;
let ada: Client;
beforeAll(async () => {
  world = await openWorld();
  ada = await world.as('ada');
});
afterAll(() => world.close());

const read = async (text: string, choices: object = {}, client = ada) =>
  client.post('/imports/readings', { file_id: await sentFile(world, ada, text), ...choices });

test('format, header, columns with guesses and their reasons, and rows that do not fit', async () => {
  const text =
    'Report of May\n\nRecord ID;Name;Created (UTC);Zip\n20512345678;Ann;2023-09-08 00:33;10000\n7;Bo;2023-09-09 00:33;02134\nTotals;2\n';
  const { status, body } = await read(text);
  expect(status).toBe(200);
  expect(body.data).toMatchObject({
    ...{ encoding: 'utf-8', encoding_sure: true, delimiter: ';', skip_lines: 2, rows: 2 },
    uneven_rows: { count: 1, first: [{ line: 6, cells: 2, text: 'Totals;2' }] },
  });
  const columns = body.data.columns as { heading: string; guess: Record<string, unknown> }[];
  expect(columns.map(({ heading, guess }) => [heading, guess.type, guess.reason])).toEqual([
    ['Record ID', 'text', 'identifier'],
    ['Name', 'text', 'texts'],
    ['Created (UTC)', 'datetime', 'times'],
    ['Zip', 'text', 'zeros'],
  ]);
  expect(columns[2]?.guess.mapping).toEqual({ timezone: 'UTC' });
  expect(columns[3]?.guess).toMatchObject({ example: '02134' });
});

test('choices replace what was found', async () => {
  const { body } = await read('a;b\n1;2\n', { delimiter: ',', skip_lines: 1 });
  expect(body.data).toMatchObject({ delimiter: ',', skip_lines: 1, columns: [{ heading: '1;2' }] });
});

test('a JSON object with several lists: one of them is chosen', async () => {
  const text = '{"people": [{"name": "Ann"}], "orders": [{"no": 7, "to": {"city": "Oslo"}}]}';
  const file_id = await sentFile(world, ada, text, 'application/json');
  const { body } = await ada.post('/imports/readings', { file_id, sheet: 'orders' });
  expect(body.data).toMatchObject({
    ...{ format: 'json', sheets: ['people', 'orders'], sheet: 'orders', rows: 1 },
    columns: [{ heading: 'no' }, { heading: 'to.city', examples: ['Oslo'] }],
  });
});

test('the program that wrote it, a mapping for an object, and rows that occur twice', async () => {
  const text =
    'Record ID,Deal Name,Deal Stage,Close Date,Amount\n7,Ropes,Won,31.01.2026,"1,200.50"\n8,Nets,Won,01.02.2026,7\n';
  const { body } = await read(text, { object_type: 'deals' });
  expect(body.data).toMatchObject({
    preset: { product: 'HubSpot', subject: 'deals' },
    mapping: {
      object_type: 'deals',
      columns: {
        'Deal Name': 'name',
        Amount: { field: 'amount', replace: [{ text: ',', with: '' }] },
      },
    },
    doubles: null,
  });
  expect(body.data.columns[0].guess).toMatchObject({ key: 'hubspot_id', unique: true });
  const twice = await read('code,name\nx,A\ny,B\nX,C\n', { object_type: 'deals' });
  expect(twice.body.data).toMatchObject({
    preset: null,
    mapping: { match: ['code'], columns: { code: 'code', name: 'name' } },
    doubles: { count: 1, first: [{ line: 4, first_line: 2, value: 'X' }] },
  });
  const none = await read(text, { object_type: 'nothing' });
  expect([none.status, none.body.error.code]).toEqual([404, 'object_not_available']);
});

test('a file that is no table is refused in words, with the id of the message', async () => {
  const { status, body } = await read('BEGIN:VCARD\nFN:Ann\n');
  expect([status, body.error]).toMatchObject([
    400,
    { code: 'validation_failed', param: 'file_id' },
  ]);
  expect(body.error.message).toContain('contact card (vCard)');
  const cut = await read('a,b\n1,2\n"3,4\n');
  const cause = 'the row has a quotation mark that is never closed; the file may be cut off';
  expect(cut.body.error).toMatchObject({
    message: `The file cannot be read as a table: ${cause} (line 3).`,
    details: {
      message_id: 'import_table_unreadable',
      params: {
        fault: {
          message_id: 'import_table_fault',
          params: { line: 3, fault: { message: cause, message_id: 'file_quote' } },
        },
      },
    },
  });
});

test("other people's files are not found, and only administrators read", async () => {
  const other = await world.as('mia');
  const { status } = await read('a,b\n1,2\n', {}, other);
  expect([403, 404]).toContain(status);
  const gone = await ada.post('/imports/readings', { file_id: 'x' });
  expect([gone.status, gone.body.error.code]).toEqual([404, 'record_not_found']);
});
