// Rows as an Excel sheet: the values that were written are the values that are read, by the reader of imports and by
// openpyxl, an independent one, where a `python3` has it. No text is a formula.

import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { workbookRows } from '../../packages/tables/src/formats/workbook.ts';
import { sheetPieces } from '../../src/export/row-sheet.ts';
import type { Field } from '../../src/model/definition/model.ts';

const TYPES = ['text', 'number', 'boolean', 'date', 'datetime', 'json'] as const;
const fields = TYPES.map((type) => ({
  ...{ key: type, storage_key: type, column: type, storage: 'physical', type, rules: {} },
})) as unknown as readonly Field[];

/** Letters that mean something to a spreadsheet or in XML, among others. */
const UNIT = fc.oneof(
  fc.constantFrom('=', '+', '-', '@', "'", '\t', '\r', '\n', '<', '&', ']]>', '"', '_x0041_', '_x'),
  fc.constantFrom('\u0001', '\uFFFE', '😀', '0', '1', 'e', ' ', 'true', '2026-03-01'),
);
const text = fc.array(UNIT, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(''));
const moment = fc.date({
  ...{ min: new Date('1899-01-01'), max: new Date('9999-12-31T23:59:59.999Z') },
  noInvalidDate: true,
});
const number = fc
  .oneof(fc.tuple(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: 0, max: 5 })))
  .map(([digits, places]) => Number(`${digits}e-${places}`));

const row = fc.record({
  text,
  number: fc.oneof(number, fc.constantFrom(0.1 + 0.2, 2 ** 53 + 2, 1e-9, 123456789012345)),
  boolean: fc.boolean(),
  date: moment.map((day) => day.toISOString().slice(0, 10)),
  datetime: moment.map((time) => time.toISOString()),
  json: fc.oneof(fc.integer(), fc.boolean(), text),
});

async function sheetOf(rows: readonly Readonly<Record<string, unknown>>[]): Promise<Buffer> {
  const layout = { fields, addresses: new Map(), format: 'xlsx', raw: false } as const;
  async function* batches() {
    yield { rows, names: new Map() };
  }
  const pieces: Uint8Array[] = [];
  for await (const piece of sheetPieces(layout, batches(), rows.length)) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function readBack(bytes: Buffer): Promise<readonly (readonly string[])[]> {
  const rows: (readonly string[])[] = [];
  const choices = { encoding: 'utf-8', columns: 100 } as const;
  for await (const batch of workbookRows(bytes, choices)) {
    rows.push(...batch.rows.map(({ cells }) => cells));
  }
  return rows;
}

test('the reader of imports gives the values back', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 20 }), async (rows) => {
      const [heading, ...read] = await readBack(await sheetOf(rows));
      expect(heading).toEqual(TYPES);
      for (const [index, cells] of read.entries()) {
        const { date, datetime, json, ...given } = rows[index] as (typeof rows)[number];
        const [readText, readNumber, readBoolean, readDate, readTime, readJson] = cells;
        expect([readText, Number(readNumber), readBoolean === 'TRUE']).toEqual(
          Object.values(given),
        );
        expect(readDate).toBe(date);
        expect(new Date(String(readTime)).toISOString()).toBe(datetime);
        expect(JSON.parse(String(readJson))).toEqual(json);
      }
      expect(read).toHaveLength(rows.length);
    }),
    { numRuns: 100 },
  );
});

test('more rows than a sheet has are refused before anything is written', async () => {
  const layout = { fields, addresses: new Map(), format: 'xlsx', raw: false } as const;
  const none = (async function* () {})();
  await expect(sheetPieces(layout, none, 1_048_576).next()).rejects.toThrow('at most 1048575');
});

const READER = `
import io, json, sys, datetime, openpyxl
sheet = openpyxl.load_workbook(io.BytesIO(sys.stdin.buffer.read())).active
plain = lambda v: v.isoformat() if isinstance(v, datetime.datetime) else v
print(json.dumps([[[c.data_type, plain(c.value)] for c in row] for row in sheet.iter_rows(min_row=2)]))
`;

const python = ['python3', '/usr/bin/python3'].find((name) => {
  try {
    execFileSync(name, ['-c', 'import openpyxl'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
});

test.skipIf(python === undefined)('openpyxl reads the types and values', async () => {
  const bytes = await sheetOf([
    {
      ...{ text: '=HYPERLINK("x")', number: -12.5, boolean: true, json: 1 },
      ...{ date: '2026-03-01', datetime: '2026-03-01T10:20:30.123Z' },
    },
    {
      text: '00123',
      number: 0.1 + 0.2,
      boolean: false,
      date: '1900-02-28',
      datetime: null,
      json: '=',
    },
  ]);
  const read = execFileSync(String(python), ['-c', READER], { input: bytes });
  expect(JSON.parse(String(read))).toEqual([
    [
      ...[
        ['s', '=HYPERLINK("x")'],
        ['n', -12.5],
        ['b', true],
      ],
      ...[
        ['d', '2026-03-01T00:00:00'],
        ['d', '2026-03-01T10:20:30.123000'],
        ['s', '1'],
      ],
    ],
    [
      ...[
        ['s', '00123'],
        ['s', '0.30000000000000004'],
        ['b', false],
      ],
      ...[
        ['s', '1900-02-28'],
        ['n', null],
        ['s', '"="'],
      ],
    ],
  ]);
});
