// Texts from outside: 250,000 of the worst characters costs the application no more than its length.

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Field } from '@workspace-records/client';
import { parseSync, Visitor } from 'oxc-parser';
import { expect, test } from 'vitest';
import { FIELD_TYPES } from '../../../src/model/values/field-types.ts';
import { parseCells } from '../src/features/records/tab-text.ts';
import { parseValue } from '../src/fields/texts.ts';
import { commentParts, mentionAt } from '../src/lib/comment-text.ts';
import { service } from '../src/lib/messages/de/index.ts';
import { sentenceTranslator } from '../src/lib/messages/sentences.ts';
import { parseView } from '../src/lib/view-state.ts';

const LENGTH = 250_000;
/** Milliseconds of the processor: a quadratic expression takes half a minute and more. */
const MOST = 3000;

function costOf(act: () => unknown): number {
  const before = process.cpuUsage();
  act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Repeated, and behind it what none of the expressions ends with. */
const long = (text: string, end = '\u0001') =>
  text.repeat(Math.ceil(LENGTH / text.length)).slice(0, LENGTH) + end;

const WORST = [
  ...['.', '!)', 'http://.', '@Ann', ' ', '\n', '"', '"x\n', '""x\t', ' T,', '1:00 ', '0', ',000'],
  ...['-', 'USD', 'a', ';', ' of '],
];
const NAMES = ['Ann', 'Ann Lee', ...Array.from({ length: 98 }, (_, at) => `Ann ${at}`)];
const field = (type: string): Field => ({
  ...{ key: 'f', name: 'f', type, required: false, editable: true },
  ...{ storage: 'physical' as const, storage_key: 'f', options: [{ value: 'a' }] },
});
const context = (type: string) => ({
  ...{ field: field(type), language: 'en' as const, named: new Map(), nameOf: () => undefined },
});
const tell = sentenceTranslator(service);

const READERS: readonly (readonly [name: string, read: (text: string) => unknown])[] = [
  ['a comment', (text) => commentParts(`http://${text}`, NAMES)],
  ['a name that is typed', (text) => mentionAt(`@${text}`, text.length)],
  ['cells of a spreadsheet', (text) => parseCells(text)],
  ['a quoted cell', (text) => parseCells(`"${text}`)],
  ['a sentence of the service', (text) => tell(`The value must ${text}`)],
  [
    'an address',
    (text) => parseView({ 'filter[f][in]': text, [`filter[${text}`]: 'x' }, [field('text')]),
  ],
  ...FIELD_TYPES.map(
    (type) => [`a ${type}`, (text: string) => parseValue(text, context(type))] as const,
  ),
];

test.each(READERS)('%s', (_, read) => {
  for (const text of WORST)
    expect(
      costOf(() => read(long(text))),
      text,
    ).toBeLessThan(MOST);
});

interface Expression {
  readonly path: string;
  readonly pattern: string;
  readonly flags: string;
}

const source = resolve(import.meta.dirname, '..', 'src');

function expressions(): readonly Expression[] {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
  return files
    .filter((path) => /\.tsx?$/.test(path))
    .flatMap((path) => {
      const found: Expression[] = [];
      const { program } = parseSync(path, readFileSync(join(source, path), 'utf8'));
      new Visitor({
        Literal(literal) {
          if ('regex' in literal && literal.regex !== undefined)
            found.push({ path, ...literal.regex });
        },
      }).visit(program);
      return found;
    });
}

/** The characters that an expression may be full of: its own and those of its classes. */
function charactersOf(pattern: string): readonly string[] {
  const own = [...pattern].filter((character) => !'\\^$()|?*+{}'.includes(character));
  return [...new Set([...own, ' ', 'a', 'A', '0', '"', '\n'])];
}

test('no expression of the application takes a time that grows with the square of a text', () => {
  const all = expressions();
  expect(all.length).toBeGreaterThan(40);
  for (const { path, pattern, flags } of all) {
    for (const character of charactersOf(pattern)) {
      const text = `${character.repeat(60_000)}\u0001`;
      const cost = costOf(() => new RegExp(pattern, flags).exec(text));
      expect(cost, `${path}: /${pattern}/ of ${JSON.stringify(character)}`).toBeLessThan(500);
    }
  }
});
