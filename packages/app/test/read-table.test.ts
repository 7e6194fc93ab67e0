// Files of rows as tables: encodings, delimiters, headings, line breaks, facts of columns, faults; chunks may end anywhere.

import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { csvText, faultOf, parseRows } from '../src/lib/csv-file.ts';
import { readTable } from '../src/lib/read-table.ts';
import { findDelimiter, findEncoding } from '../src/lib/text-encoding.ts';

const encoded = (text: string) => new TextEncoder().encode(text);
const utf16 = (text: string, isBig = false) => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return new Uint8Array(isBig ? bytes.swap16() : bytes);
};
const blob = (...parts: readonly (string | Uint8Array)[]) => new Blob(parts as BlobPart[]);

/** One that gives its bytes a few at a time. */
function inPieces(bytes: Uint8Array, length: number): Blob {
  const file = new Blob([bytes as BlobPart]);
  file.stream = () =>
    new ReadableStream({
      start(controller) {
        for (let at = 0; at < bytes.length; at += length) {
          controller.enqueue(bytes.slice(at, at + length));
        }
        controller.close();
      },
    });
  return file;
}

test.each([
  ['UTF-8', encoded('Name,Ort\nMüller,Köln'), 'utf-8'],
  ['UTF-8 with a mark', encoded('\ufeffName\nMüller'), 'utf-8'],
  ['UTF-8, cut in a character', encoded('Name\nMü').slice(0, -1), 'utf-8'],
  ['UTF-16 with a mark', utf16('Name\nMüller'), 'utf-16le'],
  ['UTF-16 with a mark, big end first', utf16('Name\nMüller', true), 'utf-16be'],
  ['UTF-16 without a mark', new Uint8Array(Buffer.from('Name\nA', 'utf16le')), 'utf-16le'],
  ['Windows-1252', new Uint8Array(Buffer.from('Name\nMüller', 'latin1')), 'windows-1252'],
])('%s is found', (_, bytes, encoding) => {
  expect(findEncoding(bytes)).toBe(encoding);
});

test.each([
  ['a,b\n1,2', ','],
  ['a;b\n"1,5;x";2', ';'],
  ['a;b\n1,5;2\n2,5;3', ';'],
  ['a\tb\n1\t2', '\t'],
  ['a|b\n1|2', '|'],
  ['sep=;\na,b;c\n', ';'],
  ['name\nAcme, Ltd.', ','],
  ['', ','],
])('%j has its delimiter', (text, delimiter) => {
  expect(findDelimiter(text)).toBe(delimiter);
});

test.each([1, 2, 3, 7, 64])('a file in pieces of %i bytes is the same table', async (length) => {
  const text = 'Name;Größe;Note\r\n"Müller; Söhne";1;"a\r\nb"\r\n\r\nBolt;2;\rCord;"3""4";x\n';
  const table = await readTable(inPieces(encoded(text), length));
  expect(table.headings).toEqual(['Name', 'Größe', 'Note']);
  expect(table.rows).toBe(3);
  expect(await table.content.text()).toBe(
    'Name,Größe,Note\nMüller; Söhne,1,"a\nb"\n\nBolt,2,\nCord,"3""4",x\n',
  );
});

test('every encoding becomes UTF-8, also where only a late byte is not UTF-8', async () => {
  const late = `Name\n${'x\n'.repeat(40_000)}`;
  for (const file of [
    blob(utf16('Name\nMüller')),
    blob(utf16('Name\nMüller', true)),
    blob(new Uint8Array(Buffer.from('Name\nMüller', 'latin1'))),
    blob(late, new Uint8Array(Buffer.from('Müller', 'latin1'))),
  ]) {
    expect((await (await readTable(file)).content.text()).endsWith('\nMüller\n')).toBe(true);
  }
});

test('headings are there, and each once; rows have the length of the header', async () => {
  const file = blob('\n Name ,Name,,Ort,\nA, B ,C,D,\nE\nF,G,H,I,J\n');
  const { headings, content, sample } = await readTable(file);
  expect(headings).toEqual(['Name', 'Name (2)', 'Column 3', 'Ort']);
  expect(await content.text()).toBe('Name,Name (2),Column 3,Ort\nA,B,C,D\nE,,,\nF,G,H,I,J\n');
  expect(sample[0]).toEqual(['A', 'B', 'C', 'D']);
});

test('a line that names the delimiter is no header', async () => {
  expect((await readTable(blob('sep=;\na;b\n1;2\n'))).headings).toEqual(['a', 'b']);
});

test('columns have their values, up to two hundred', async () => {
  const lines = Array.from({ length: 500 }, (_, index) => `${index},${index % 3},`);
  const { columns, rows } = await readTable(blob(['id,group,none', ...lines].join('\n')));
  expect(rows).toBe(500);
  expect(columns.map(({ filled, isMany }) => [filled, isMany])).toEqual([
    ...[
      [500, true],
      [500, false],
      [0, false],
    ],
  ]);
  expect(columns[0]?.distinct.length).toBe(200);
  expect(columns[1]?.distinct).toEqual(['0', '1', '2']);
});

test.each([
  ['an empty file', blob(''), 'empty'],
  ['line breaks only', blob('\n\n'), 'empty'],
  ['an archive', blob('PK\u0003\u0004'), 'spreadsheet'],
  ['an open quotation mark', blob('a,b\n"1,2\n3,4\n'), 'quote'],
  [
    'more than 32 MiB',
    blob('a\n', 'x'.repeat(1000), `\n${'y'.repeat(1024)}`.repeat(33_000)),
    'large',
  ],
  ['more than 2,000 columns', blob(`${'a,'.repeat(100_000)}a\n`), 'columns'],
])('%s is refused', async (_, file, reason) => {
  const error = await readTable(file).catch((cause: unknown) => cause);
  expect(faultOf(error)).toBe(reason);
});

test('the wrong encoding is refused where a person chose it', async () => {
  const file = blob(new Uint8Array(Buffer.from('Müller', 'latin1')));
  const error = await readTable(file, { encoding: 'utf-8' }).catch((cause: unknown) => cause);
  expect(faultOf(error)).toBe('encoding');
});

test('rows are those that the service reads, in the files of the example', () => {
  for (const name of ['accounts', 'products', 'sales_pipeline', 'onboarding_items']) {
    const text = readFileSync(`examples/crm-sales/${name}.csv`, 'utf8');
    const rows = parseRows(text);
    expect(rows).toEqual(parse(text, { relax_column_count: true }));
    expect(parseRows(csvText(rows))).toEqual(rows);
  }
});
