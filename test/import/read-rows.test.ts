// Reading files: the rows of valid ones, and the one line that refuses a broken one.

import { execFileSync } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  formatOf,
  formatOfFile,
  inspectFile,
  readRows,
  type SourceFormat,
  type SourceRow,
} from '../../src/import/rows/read-rows.ts';
import { encoded } from '../tables/encoded.ts';
import { openTestFiles, type TestFiles } from './import-world.ts';

let files: TestFiles;
beforeAll(() => {
  files = openTestFiles();
});
afterAll(() => files.remove());

function source(name: string, content: string | Buffer, delimiter?: string) {
  const path = files.put(name, content);
  const format = formatOf(path, delimiter);
  if (format === undefined) throw new Error('the name says no format');
  return { path, format };
}

async function rowsOf(name: string, content: string | Buffer, delimiter?: string) {
  const rows: SourceRow[] = [];
  for await (const row of readRows(source(name, content, delimiter))) rows.push(row);
  return rows;
}

const cellsOf = (rows: readonly SourceRow[]) => rows.map(({ cells }) => Object.fromEntries(cells));

const refusal = async (name: string, content: string | Buffer) => {
  const file = source(name, content);
  const error = await inspectFile(file).catch((caught: unknown) => caught);
  return (error as Error).message.replace(file.path, 'FILE');
};

test('the format comes from the name', () => {
  expect(formatOf('a/B.CSV')).toEqual({ kind: 'csv', delimiter: ',' });
  expect(formatOf('b.tsv')).toEqual({ kind: 'csv', delimiter: '\t' });
  expect(formatOf('b.csv', ';')).toEqual({ kind: 'csv', delimiter: ';' });
  expect(formatOf('c.jsonl')).toEqual({ kind: 'json_lines' });
  expect(formatOf('c.ndjson')).toEqual({ kind: 'json_lines' });
  expect(formatOf('d.xlsx')).toEqual({ kind: 'csv', delimiter: ',' });
  expect(formatOf('d.ods')).toBeUndefined();
  expect(formatOf('csv')).toBeUndefined();
});

describe('CSV', () => {
  test('rows and columns that a spreadsheet leaves behind', async () => {
    const text = 'a,b,,\n1,2,,\n,,,\n , \n3,4,,5\n,\n,x\n';
    const rows = await rowsOf('left.csv', text);
    expect(rows.map(({ isBlank }) => isBlank)).toEqual([false, true, true, false, true, false]);
    const [first, , , fourth] = rows;
    expect(first).toMatchObject({ texts: ['1', '2'], problem: undefined });
    expect(fourth?.problem).toBe('The row has 4 columns, the header has 2.');
    expect(await inspectFile(source('left.csv', text))).toMatchObject({ columns: ['a', 'b'] });
    const mended = await rowsOf('mended.csv', '_line,_reason,a,b\n2,wrong,,\n3,wrong,x,\n');
    expect(mended.map(({ isBlank }) => isBlank)).toEqual([true, false]);
  });

  test.each([
    ['sep=;\r\na;b\r\n1;2\r\n', ';'],
    ['\uFEFF"sep=|"\na|b\n1|2\n', '|'],
    ['sep=,\na,b\n1,2\n', ','],
    ['SEP=\t\na\tb\n1\t2\n', '\t'],
  ])('the first line %j says what separates the columns', async (text, separator) => {
    const path = files.put('sep.csv', text);
    expect(await formatOfFile(path)).toMatchObject({ delimiter: separator });
    const rows = await rowsOf('sep.csv', text, separator);
    expect(rows).toMatchObject([{ line: 3, problem: undefined }]);
    expect(cellsOf(rows)).toEqual([{ a: '1', b: '2' }]);
    const summary = await inspectFile(source('sep.csv', text, separator));
    expect(summary).toMatchObject({ columns: ['a', 'b'], rows: 1 });
  });

  test('no other first line does', async () => {
    for (const text of ['a;b\n', 'sep=\n', 'sep=;;\n', 'x\nsep=;\n', '']) {
      expect(await formatOfFile(files.put('first.csv', text))).toMatchObject({ delimiter: ',' });
    }
    expect(await formatOfFile(files.path('gone.csv'))).toMatchObject({ delimiter: ',' });
  });

  test('the mark of a file behind another one is none of its text', async () => {
    const text = '\uFEFFa,b\n1,2\n\uFEFF3,4\n"\uFEFF5",6\n';
    const rows = await rowsOf('marks.csv', text);
    expect(rows.map(({ texts, raw }) => [texts[0], raw])).toEqual([
      ['1', '1,2'],
      ['3', '3,4'],
      ['5', '"\uFEFF5",6'],
    ]);
    const lines = await rowsOf('marks.jsonl', '\uFEFF{"a":1}\n\uFEFF{"a":2}\r\n{"a":null}\n{}\n');
    expect(cellsOf(lines)).toEqual([{ a: 1 }, { a: 2 }, { a: null }, {}]);
    expect(lines.map(({ isBlank }) => isBlank)).toEqual([false, false, true, true]);
  });

  test('lines are counted through quotes, blank lines and both line ends', async () => {
    const text = 'a,b\r\n1,"x\ny"\r\n\r\n\n2,"say ""hi"", ok"\n3,';
    const rows = await rowsOf('lines.csv', text);
    expect(rows.map(({ line }) => line)).toEqual([2, 6, 7]);
    expect(cellsOf(rows)).toEqual([
      { a: '1', b: 'x\ny' },
      { a: '2', b: 'say "hi", ok' },
      { a: '3', b: '' },
    ]);
    expect(rows.map(({ raw }) => raw)).toEqual(['1,"x\ny"', '2,"say ""hi"", ok"', '3,']);
    const summary = await inspectFile(source('lines.csv', text));
    expect(summary).toMatchObject({ columns: ['a', 'b'], rows: 3, hasIds: false });
  });

  test('byte-order mark, other delimiters, names that look like properties', async () => {
    expect(cellsOf(await rowsOf('bom.csv', '\uFEFFa,b\n1,2\n'))).toEqual([{ a: '1', b: '2' }]);
    expect(cellsOf(await rowsOf('semi.csv', 'a;b\n1;2,5\n', ';'))).toEqual([{ a: '1', b: '2,5' }]);
    expect(cellsOf(await rowsOf('tab.tsv', 'a\tb\n1\t2\n'))).toEqual([{ a: '1', b: '2' }]);
    const [row] = await rowsOf('proto.csv', '__proto__,toString\n1,2\n');
    expect([...(row?.cells ?? [])]).toEqual([
      ['__proto__', '1'],
      ['toString', '2'],
    ]);
  });

  test('a character may be split between two reads', async () => {
    const name = 'ä'.repeat(100_001);
    expect(cellsOf(await rowsOf('split.csv', `a\nx${name}\n`))).toEqual([{ a: `x${name}` }]);
  });

  test('a row with too many or too few columns is a problem of the row', async () => {
    const rows = await rowsOf('ragged.csv', 'a,b\n1\n1,2\n1,2,3\n');
    expect(rows.map(({ problem }) => problem)).toEqual([
      'The row has 1 columns, the header has 2.',
      undefined,
      'The row has 3 columns, the header has 2.',
    ]);
  });

  test.each([
    ['nothing', '', 'FILE is empty.'],
    [
      'another delimiter',
      'a;b\n1;2\n',
      'FILE:1: the columns seem to be separated by ";"; say so with --delimiter, ' +
        'or in the mapping file: delimiter: ";".',
    ],
    [
      'an open quote',
      'a,b\n1,2\n1,"2\n3,4\n',
      'FILE:3: the row has a quotation mark that is never closed; the file may be cut off.',
    ],
    [
      'text after a quoted value',
      'a,b\n1,2\n"1"x,2\n',
      'FILE:3: text follows a closing quotation mark; write the value in "…" and a mark within it as "".',
    ],
    [
      'a row that does not end',
      `a,b\n1,"${`${'x'.repeat(999)}\n`.repeat(8400)}`,
      'FILE:2: the row is longer than 8388608 characters; a quotation mark may be left open.',
    ],
    [
      'Latin-1',
      Buffer.from('a,b\n1,2\n3,f\xfcr\n', 'latin1'),
      'FILE:3: from here on the file is not UTF-8 text; it may be windows-1252: say so with --encoding, or in the mapping: encoding: windows-1252.',
    ],
    [
      'an Excel workbook',
      'PK\x03\x04\x14\0',
      'FILE:1: this is not an Excel workbook that can be read; save the sheet as .xlsx or CSV.',
    ],
    [
      'contact cards',
      'BEGIN:VCARD\r\nVERSION:3.0\r\n',
      'FILE:3: a contact card (vCard) is cut off, or a line is outside of the cards.',
    ],
    ['JSON', '[{"a":1}', 'FILE:1: this is JSON without a list of objects, or it is cut off.'],
    [
      'a character cut off at the end',
      Buffer.from('a,b\n1,ü').subarray(0, -1),
      expect.stringContaining('FILE:2: from here on the file is not UTF-8 text; it may be '),
    ],
  ])('refuses %s', async (_, content, message) => {
    expect(await refusal('bad.csv', content)).toEqual(message);
  });
});

describe('files as other programs write them', () => {
  test('columns without a name and of the same name are told apart, headings are on one line', async () => {
    const text = 'Labels,Labels,,"Created\nat\tx",Labels\n1,2,3,4,5\n';
    const { columns } = await inspectFile(source('twice.csv', text));
    expect(columns).toEqual(['Labels', 'Labels (2)', 'Column 3', 'Created at x', 'Labels (3)']);
  });

  test.each([
    ['lines that end with CR', 'a,b\r1,"x\ry"\r2,z\r', ['1 x\ry', '2 z']],
    ['a quotation mark within a value', 'a,b\n1,5" pipe\n', ['1 5" pipe']],
    ['spaces around values', 'a,b\n 1 ,"\u00a0x\ny "\n', ['1 x\ny']],
    ['apostrophes before digits', "a,b\n'+92 3,'0314\n'00,'tis\n", ['+92 3 0314', "00 'tis"]],
  ])('%s', async (_, text, expected) => {
    const rows = await rowsOf('others.csv', text);
    expect(rows.map(({ texts }) => texts.join(' '))).toEqual(expected);
  });

  test.each(['utf-16le', 'utf-32be', 'windows-1251', 'shift_jis'] as const)(
    '%s',
    async (encoding) => {
      const path = files.put(
        'encoded.csv',
        Buffer.from(
          encoded('\uFEFFa,b\n1,да\n'.slice(encoding.startsWith('utf') ? 0 : 1), encoding),
        ),
      );
      const choice = encoding.startsWith('utf') ? {} : { encoding };
      const format = (await formatOfFile(path, choice)) as SourceFormat;
      const rows: SourceRow[] = [];
      for await (const row of readRows({ path, format })) rows.push(row);
      expect(cellsOf(rows)).toEqual([{ a: '1', b: 'да' }]);
    },
  );

  test('notes above the header, and short rows below the table', async () => {
    const text =
      'Report of May\n\nFrom,1 May\nName,Amount,Note\nA,1,\nGrand Totals\n"Copyright 2026",x\n';
    const path = files.put('notes.csv', text);
    const rowsWith = async (choices: Parameters<typeof formatOfFile>[1]) => {
      const rows: SourceRow[] = [];
      const format = (await formatOfFile(path, choices)) as SourceFormat;
      for await (const row of readRows({ path, format })) rows.push(row);
      return rows.map(({ line, problem, isBlank }) => [line, problem !== undefined, isBlank]);
    };
    expect(await rowsWith({ skip_lines: 3 })).toEqual([
      [5, false, false],
      [6, true, false],
      [7, true, false],
    ]);
    expect(await rowsWith({ skip_lines: 3, uneven_rows: 'skip' })).toEqual([
      [5, false, false],
      [6, true, true],
      [7, true, true],
    ]);
  });

  test('a file of rejected rows is read without the lines and the encoding of its source', async () => {
    const path = files.put('rejects.csv', '_line,_field,_reason,a\n5,,x,ä\n');
    const source = { skip_lines: 3, encoding: 'windows-1251', uneven_rows: 'skip' } as const;
    const plain = { kind: 'csv', delimiter: ',', skipLines: 0, skipUneven: true };
    expect(await formatOfFile(path, source)).toEqual({ ...plain, encoding: 'utf-8' });
    expect(await formatOfFile(path, {})).toEqual({ ...plain, skipUneven: false });
    const lines = files.put('rejects.jsonl', '{"_line":5,"_field":"","_reason":"x","a":"ä"}\n');
    expect(await formatOfFile(lines, source)).toEqual({ kind: 'json_lines', encoding: 'utf-8' });
  });

  test('a file of rejected rows that another program has written again', async () => {
    const text = '"_line";"_field";"_reason";"a"\n5;;x;да\n';
    const source = { encoding: 'windows-1251', delimiter: ';', skip_lines: 3 } as const;
    for (const encoding of ['windows-1251', 'utf-16le'] as const) {
      const marked = encoding === 'utf-16le' ? `\uFEFF${text}` : text;
      const path = files.put('again.csv', Buffer.from(encoded(marked, encoding)));
      expect(await formatOfFile(path, source)).toMatchObject({ encoding, skipLines: 0 });
      expect(await formatOfFile(path, source, 'koi8-r')).toMatchObject({ encoding: 'koi8-r' });
    }
  });

  test('headings that contain those of rejected rows are headings of any file', async () => {
    const path = files.put('orders.csv', 'order_line,custom_field,cancel_reason\n5,x,y\n');
    const choices = { skip_lines: 3, encoding: 'windows-1251' } as const;
    const expected = { encoding: 'windows-1251', skipLines: 3 };
    expect(await formatOfFile(path, choices)).toMatchObject(expected);
  });
});

describe('JSON lines', () => {
  test('values keep their types, bad lines are problems of their row', async () => {
    const text = '{"a":1,"b":[true]}\r\n\nnope\n[1]\n"x"\n{"a":null}';
    const rows = await rowsOf('lines.jsonl', text);
    expect(rows.map(({ line, problem }) => [line, problem])).toEqual([
      [1, undefined],
      [3, 'The line is not valid JSON.'],
      [4, 'The line must be one JSON object.'],
      [5, 'The line must be one JSON object.'],
      [6, undefined],
    ]);
    expect(cellsOf(rows)).toEqual([{ a: 1, b: [true] }, {}, {}, {}, { a: null }]);
    const summary = await inspectFile(source('l.jsonl', text));
    expect(summary).toMatchObject({ columns: undefined, rows: 5, hasIds: false });
    const named = await inspectFile(source('ids.jsonl', '{"id":"x"}\n{}\n'));
    expect(named).toMatchObject({ rows: 2, hasIds: true });
  });

  test.each([
    ['an array', '[{"a":1}]', 'FILE:1: this is a JSON array; name the file .json.'],
    [
      'a line that does not end',
      `{"a":1}\n{"a":"${'x'.repeat(10_000_000)}"}\n`,
      'FILE:2: the line is longer than 8388608 characters.',
    ],
    [
      'Latin-1',
      Buffer.from('{"a":1}\n{"a":"\xfc"}', 'latin1'),
      expect.stringContaining('FILE:2: from here on the file is not UTF-8 text; it may be '),
    ],
  ])('refuses %s', async (_, content, message) => {
    expect(await refusal('bad.jsonl', content)).toEqual(message);
  });
});

describe('lines of JSON that are hard to swallow', () => {
  test('a value that nests too deep is a problem of its row, the last of equal keys counts', async () => {
    const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const text = [31, 32, 100_000].map((levels) => `{"a":${deep(levels)}}`).join('\n');
    const rows = await rowsOf('deep.jsonl', `${text}\n{"a":1,"a":2,"__proto__":3}\n\0\n`);
    expect(rows.map(({ problem }) => problem)).toEqual([
      undefined,
      'The line must not nest more than 32 levels deep.',
      'The line must not nest more than 32 levels deep.',
      undefined,
      'The line is not valid JSON.',
    ]);
    expect([...(rows[3]?.cells ?? [])]).toEqual([
      ['a', 2],
      ['__proto__', 3],
    ]);
  });
});

describe('more columns, keys or values than a row may have', () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => `c${index}`);
  const keys = (count: number) => names(count).map((name) => `"${name}":1`);

  test('2,000 columns of a header are read, and empty cells behind them', async () => {
    const line = `${names(2000)}${','.repeat(14_000)}\n`;
    const [row] = await rowsOf('wide.csv', line + line);
    expect([row?.cells.size, row?.problem]).toEqual([2000, undefined]);
  });

  test.each([
    ['2,001 columns', `${names(2001)}\n1\n`, 'FILE:1: the file has more than 2000 columns.'],
    ['many columns', `${names(100_000)}\n`, 'FILE:1: the row has more than 16384 cells.'],
    [
      'a wide row',
      `a,b\n\n"x\ny"${',1'.repeat(20_000)}\n`,
      'FILE:4: the row has more than 16384 cells.',
    ],
  ])('%s: refused with the file', async (_, text, message) => {
    expect(await refusal('wide.csv', text)).toBe(message);
  });

  test('delimiters within quotation marks are not cells', async () => {
    const rows = await rowsOf('quoted.csv', `a,b\n"""${','.repeat(20_000)}",1\n2,3\n`);
    expect(rows.map(({ problem, cells }) => [problem, cells.get('b')])).toEqual([
      [undefined, '1'],
      [undefined, '3'],
    ]);
  });

  test('a line of JSON is a problem of its row, and is not parsed', async () => {
    const reason =
      'The line must not have more than 20000 keys and objects, and 120000 values, of them 2000 columns.';
    const lines = [
      `{${keys(2000)}}`,
      `{${keys(2001)}}`,
      `{"custom_fields":{${keys(19_000)}}}`,
      `{"custom_fields":{${keys(20_000)}}}`,
      `{"a":[${Array(119_000).fill(1)}]}`,
      `{"a":[${Array(130_000).fill(1)}]}`,
    ];
    const parse = vi.spyOn(JSON, 'parse');
    const rows = await rowsOf('wide.jsonl', lines.join('\n'));
    const parsed = parse.mock.calls.map(([text]) => lines.indexOf(text));
    parse.mockRestore();
    const problems = [undefined, reason, undefined, reason, undefined, reason];
    expect(rows.map(({ problem }) => problem)).toEqual(problems);
    expect(parsed).toEqual([0, 2, 4]);
  });

  test('other work has turns between rows that come from memory', async () => {
    let turns = 0;
    const next = () => {
      turns += 1;
      timer = setImmediate(next);
    };
    let timer = setImmediate(next);
    for await (const { line } of readRows(source('many.jsonl', '{}\n'.repeat(5000)))) {
      const end = performance.now() + (line % 50 === 0 ? 6 : 0);
      while (performance.now() < end);
    }
    clearImmediate(timer);
    expect(turns).toBeGreaterThanOrEqual(95);
  });
});

describe('the apostrophe of what looks like a formula', () => {
  const text = "a,b\n'=1,''=1\n'x,'\n\"'+1\n\",-1\n";

  test('is taken away once', async () => {
    expect(cellsOf(await rowsOf('guard.csv', text))).toEqual([
      { a: '=1', b: "'=1" },
      { a: "'x", b: "'" },
      { a: '+1', b: '-1' },
    ]);
  });

  test('stays on request, and in JSON', async () => {
    const raw: SourceRow[] = [];
    for await (const row of readRows({ ...source('raw.csv', text), raw: true })) raw.push(row);
    expect(cellsOf(raw)[0]).toEqual({ a: "'=1", b: "''=1" });
    expect(cellsOf(await rowsOf('guard.jsonl', '{"a":"\'=1"}'))).toEqual([{ a: "'=1" }]);
  });
});

function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

/**
 * Bytes that are held more than now, at the most of any look, in the end with one more look. After each the
 * reader has nine times as long to itself, however slow the machine collects.
 */
function watchMemory(): () => number {
  const collect = garbageCollector();
  const held = () => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = held();
  let most = 0;
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    most = Math.max(most, held() - before);
  };
  const lookOn = () => {
    const began = performance.now();
    look();
    timer = setTimeout(lookOn, 9 * (performance.now() - began));
  };
  lookOn();
  onTestFinished(() => clearTimeout(timer));
  return () => {
    look();
    return most;
  };
}

test.each(['csv', 'jsonl'])(
  'a line of 100 MB in a %s file takes no more memory',
  async (ending) => {
    const path = files.path(`endless.${ending}`);
    const piece = Buffer.alloc(2 ** 20, 'x');
    const file = openSync(path, 'w');
    writeSync(file, ending === 'csv' ? 'a,b\n1,' : '{"a":"');
    for (let written = 0; written < 100; written += 1) writeSync(file, piece);
    closeSync(file);
    const format = formatOf(path) as SourceFormat;
    const held = watchMemory();
    await expect(inspectFile({ path, format })).rejects.toThrow('is longer than 8388608');
    expect(held()).toBeLessThan(50 * 2 ** 20);
  },
);

test('a pipe is refused: it can be read only once', async () => {
  const path = files.path('pipe.csv');
  execFileSync('bash', ['-c', 'mkfifo "$0"', path]);
  const format = { kind: 'csv', delimiter: ',' } as const;
  await expect(inspectFile({ path, format })).rejects.toThrow(
    `Cannot read ${path}: an import needs a regular file, because it reads it more than once.`,
  );
});

test('a file that cannot be read is named', async () => {
  const format = { kind: 'csv', delimiter: ',' } as const;
  const missing = inspectFile({ path: files.path('none.csv'), format });
  await expect(missing).rejects.toThrow(/^Cannot read .*none\.csv: there is no such file\.$/);
  await expect(inspectFile({ path: files.path(''), format })).rejects.toThrow('it is a folder');
});

test('memory stays constant: a large file is never held as a whole', async () => {
  const collect = garbageCollector();
  const used = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const file = source(
    'large.csv',
    `a,b\n${`some text,${'more text in the row '.repeat(20)}\n`.repeat(30_000)}`,
  );
  let rows = 0;
  let peak = 0;
  const before = used();
  for await (const _ of readRows(file)) {
    rows += 1;
    if (rows % 10_000 === 0) peak = Math.max(peak, used() - before);
  }
  expect(rows).toBe(30_000);
  expect(peak).toBeLessThan(6_000_000);
});
