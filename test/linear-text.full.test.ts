// Whatever reads text from outside takes time in proportion to it: each is fed with 250,000 of the characters that are
// worst for it. An expression that tries every place again would take half a minute and more.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { csvCell, guardText, unguardText } from '../packages/tables/src/csv-text.ts';
import { requireFileBody, requireJsonBody } from '../src/http/request/body.ts';
import { toInteger } from '../src/http/request/query-string.ts';
import { originForm } from '../src/http/socket/framing.ts';
import { parseTemplate } from '../src/import/mapping/template.ts';
import { readRows, type SourceFormat } from '../src/import/rows/read-rows.ts';
import { LIMITS } from '../src/limits.ts';
import { JSON_BOUNDS } from '../src/model/text/json-depth.ts';
import { parseJsonText } from '../src/model/text/json-text.ts';
import { nearestName } from '../src/model/text/nearest-name.ts';
import {
  canBeMeant,
  isUnspaced,
  parseSearchTerms,
  wordStarts,
} from '../src/model/text/search-text.ts';
import { roundDecimal, significantDigits, survivesDouble } from '../src/model/values/decimals.ts';
import { FIELD_TYPE_TRAITS, FIELD_TYPES } from '../src/model/values/field-types.ts';
import { joinOptions, splitOptions } from '../src/model/values/option-list.ts';
import { parseDate, parseDateTime, parseEpoch } from '../src/model/values/times.ts';
import { commentTextProblem } from '../src/plan/events/comment-plan.ts';
import { splitList } from '../src/plan/read/filter.ts';
import { isTimeZone, parseRelativeTime } from '../src/plan/read/relative-time.ts';
import { parseIfMatch } from '../src/plan/write/precondition.ts';

const LENGTH = 250_000;
/** Milliseconds of a processor. The slowest takes a tenth, on a machine that others use as well. */
const MOST = 4000;

const long = (start: string, unit: string, end: string) =>
  `${start}${unit.repeat(LENGTH / unit.length)}${end}`;
/** Beginnings, repetitions and ends that some expression has to try in many ways. */
const WORST: readonly (readonly [string, string, string])[] = [
  ['', ' ', 'x'],
  ['a', '\n', 'x'],
  ['"', '\r\n', 'x'],
  ['2026-01-01T', '1', '!'],
  ['', 'T', ''],
  ['2026-01-01 10:00:00', '+11', 'x'],
  ['-', 'a', ''],
  ['', '0', 'x'],
  ['1', '.', '1'],
  ['', 'a.', '@'],
  ['a@', 'a.', '@'],
  ['', '@a.', ' '],
  ['', "'", 'x'],
  ['[', '[', 'x'],
  ['', '{[', 'x'],
  ['', '""', 'x'],
  ['', 'T1', ''],
  ['', '; ', 'x'],
  ['', 'é', '-a'],
  ['https://', '/a', ' '],
];

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  ...Object.fromEntries(
    FIELD_TYPES.flatMap((name) => {
      const { parse, parseOperand, readCell } = FIELD_TYPE_TRAITS[name];
      const rules = { maxLength: LIMITS.longTextLength };
      return [
        [`a cell for ${name}`, (text: string) => readCell(text)],
        [`a value of ${name}`, (text: string) => parse(text, rules)],
        [`an operand of ${name}`, (text: string) => parseOperand(text, true)],
      ];
    }),
  ),
  ...Object.fromEntries(
    (['display', 'text', 'email', 'phone'] as const).map((kind) => [
      `words of ${kind}`,
      (text: string) => wordStarts(kind, text),
    ]),
  ),
  'words of a search': parseSearchTerms,
  'a word with a typo': canBeMeant,
  'the end of a word': isUnspaced,
  'a cell that is written': (text) => csvCell(guardText(text)),
  'a cell without its guard': unguardText,
  'options of a cell': (text) => joinOptions(splitOptions(text)),
  'a comment': commentTextProblem,
  'a number': (text) => [significantDigits(text), survivesDouble(text), roundDecimal(text, 2)],
  'a time': (text) => [parseEpoch(text, 'seconds'), parseDate(text), parseDateTime(text)],
  'a relative time': (text) => parseRelativeTime(text, 'UTC'),
  'a time zone': isTimeZone,
  JSON: (text) => parseJsonText(text, JSON_BOUNDS),
  'an unknown name': (text) => nearestName(text, ['name', 'custom_fields.name']),
  'a template': parseTemplate,
  'a list of a filter': splitList,
  'an entity tag': parseIfMatch,
  'an integer of a query': toInteger,
  'the target of a request': (url) => originForm({ url, headers: { host: 'a' } } as never),
  'the type of a file': (type) => requireFileBody(bodyOf(type), { types: ['text/csv'], limit: 1 }),
  'the type of a body': (type) =>
    requireJsonBody(bodyOf(type), { limit: 1, nodes: 1, optional: true }),
};

function bodyOf(type: string): Parameters<typeof requireFileBody>[0] {
  const transport = { isRepeated: () => false, readBody: async () => undefined };
  return { headers: { 'content-type': type }, transport } as never;
}

async function spentBy(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  try {
    await work();
  } catch {
    // A refusal is as good as a value.
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

test.each(Object.entries(READERS))('%s', async (_, read) => {
  for (const [start, unit, end] of WORST) {
    const text = long(start, unit, end);
    const shown = JSON.stringify([start, unit, end]);
    expect(await spentBy(() => read(text)), shown).toBeLessThan(MOST);
  }
});

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'records-linear-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const CSV: SourceFormat = { kind: 'csv', delimiter: ',' };

test.each([
  ['a cell of line ends', CSV, `a,b\n1,"${'\n'.repeat(LENGTH)}x"\n`],
  ['a cell of returns', CSV, `a,b\n1,"${'\r'.repeat(LENGTH)}x"\n`],
  ['blank lines', CSV, `a,b\n${'\n'.repeat(LENGTH)}1,2\n`],
  ['many columns', CSV, `${Array.from({ length: 150_000 }, (_, index) => `c${index}`).join()}\n`],
  ['a long line', { kind: 'json_lines' }, `{"a":"${'\r'.repeat(LENGTH)}"}\n`],
] as const)('a file with %s', async (_, format, text) => {
  const path = join(folder, 'file');
  writeFileSync(path, text);
  const spent = await spentBy(async () => {
    for await (const row of readRows({ path, format })) expect(row.line).toBeGreaterThan(0);
  });
  expect(spent).toBeLessThan(MOST);
});
