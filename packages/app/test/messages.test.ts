// The catalogues: types check that they have the same keys; these tests, that a translation inserts the same values
// as its English, and that no message is unused.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ERROR_CATALOGUE } from '../../../src/errors.ts';
import { REASONS } from '../../../src/plan/webhook-reasons.ts';
import { FIELD_TYPES_TO_CHOOSE, kindOf } from '../src/fields/kinds.ts';
import { catalogue as de, sentences } from '../src/lib/messages/de/index.ts';
import { en } from '../src/lib/messages/en/index.ts';
import { insideSentence } from '../src/lib/messages/sentence-case.ts';
import { tellerOf } from '../src/lib/messages/sentences.ts';

type Text = string | { readonly one: string; readonly other: string };

const formsOf = (text: Text) => (typeof text === 'string' ? [text] : [text.one, text.other]);
const namesIn = (text: string) =>
  [...text.matchAll(/\{(\w+)(?:, inside)?\}/g)].map(([, name]) => name).sort();

test('every language has the same texts, with the same values in them', () => {
  expect(Object.keys(de)).toEqual(Object.keys(en));
  for (const [key, text] of Object.entries<Text>(en)) {
    const other = (de as Readonly<Record<string, Text>>)[key] as Text;
    expect(typeof other, key).toBe(typeof text);
    expect(namesIn(formsOf(other).at(-1) ?? ''), key).toEqual(namesIn(formsOf(text).at(-1) ?? ''));
    for (const form of [...formsOf(text), ...formsOf(other)]) expect(form.trim(), key).not.toBe('');
  }
});

test('every text is said somewhere', () => {
  const source = join(import.meta.dirname, '..', 'src');
  const texts = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('messages'))
    .map((name) => readFileSync(join(source, name), 'utf8'))
    .join('\n');
  const isSaid = (key: string) => texts.includes(`'${key}'`) || /^palette\./.test(key);
  expect(Object.keys(en).filter((key) => !isSaid(key))).toEqual([]);
});

test('texts for everybody have no words that only developers know', () => {
  const forDevelopers = /^(keys|scope|webhooks|event|deliveries)\.|\.keywords$/;
  const unknown = /\b(schema|payload|scopes?|principal|endpoint|regex|reach)\b/i;
  const technical = Object.entries<Text>(en)
    .filter(([key]) => !forDevelopers.test(key))
    .filter(([, text]) => formsOf(text).some((form) => unknown.test(form)));
  expect(technical.map(([key]) => key)).toEqual([]);
});

test('a type of fields has one name, wherever it is said', () => {
  const names = FIELD_TYPES_TO_CHOOSE.map((type) => String(en[kindOf({ type }).name]));
  expect(new Set(names).size).toBe(names.length);
  const words = new Set(names.map((name) => name.toLowerCase()));
  const again = Object.keys(en).filter((key) => /^(?!type\.)\w+\.type[A-Z]/.test(key));
  const isName = (key: string) => words.has(String(en[key as keyof typeof en]).toLowerCase());
  expect(again.filter(isName)).toEqual([]);
});

const told = tellerOf(sentences);

test("the service's message of each code is in German", () => {
  const left = Object.values(ERROR_CATALOGUE).filter(({ message }) => told(message) === message);
  expect(left).toEqual([]);
});

test('the reasons why webhooks do not send are in German', () => {
  const reasons = Object.values(REASONS);
  expect(reasons.length).toBeGreaterThan(5);
  expect(reasons.filter((reason) => told(reason) === reason)).toEqual([]);
});

test('refusals to view as a person and to change roles are in German', () => {
  const service = join(import.meta.dirname, '..', '..', '..', 'src');
  const saidIn = (name: string, pattern: RegExp) => {
    const text = readFileSync(join(service, name), 'utf8');
    return [...text.matchAll(pattern)].map(([, said = '']) => said.replaceAll(/\$\{[^}]+\}/g, '7'));
  };
  const viewing = [
    ...saidIn('flow/people/viewing.ts', /refused\('(.+?)'\)/g),
    ...saidIn('flow/people/authenticate.ts', /'(Only a session can view[^']+)'/g),
    ...saidIn('http/pipeline.ts', /`(You are viewing[^`]+)`/g),
    ...saidIn('http/call-credential.ts', /'(X-View-As is[^']+)'/g),
  ];
  expect(viewing.length).toBe(5);
  const roles = saidIn('definitions/apply/role-changes.ts', /conflict\('(.+?)'\)/g);
  expect(roles.length).toBe(1);
  const refusals = saidIn('definitions/changes/judge-people.ts', /refusal = '(.+?)'/g);
  expect(refusals.length).toBe(1);
  const held = ['1 person has this role.', '7 people have this role.'];
  const asked = ['role rep: 1 person has it.', 'role rep: 7 people have it.'];
  const all = [...viewing, ...roles, ...refusals.map((text) => `${text}.`), ...held, ...asked];
  expect(all.filter((text) => told(text) === text)).toEqual([]);
  expect(told('role rep: 7 people have it.')).toBe('7 Personen haben die Rolle rep.');
});

test('its messages about values too, with the inserted names', () => {
  const fields = join(import.meta.dirname, '..', '..', '..', 'src', 'model', 'fields');
  const texts = readdirSync(fields).map((name) => readFileSync(join(fields, name), 'utf8'));
  const said = texts.flatMap((text) => [...text.matchAll(/problem\((['`])(must .+?)\1/g)]);
  const sentencesOf = said.map(
    ([, , text = '']) => `The value ${text.replaceAll(/\$\{[^}]+\}/g, '7')}.`,
  );
  expect(sentencesOf.length).toBeGreaterThan(12);
  expect(sentencesOf.filter((text) => told(text) === text)).toEqual([]);
  expect(told('The value must be at most 7.')).toBe('Der Wert darf höchstens 7 sein.');
  expect(told('The user may not delete records of Deals.')).toBe(
    'Dafür haben Sie bei Deals keine Berechtigung.',
  );
  expect(told('Nobody has a word for this.')).toBe('Nobody has a word for this.');
});

test.each([
  ['Work item', 'work item'],
  ['Company', 'company'],
  ['Q&A', 'Q&A'],
  ['API key', 'API key'],
  ['iPhone', 'iPhone'],
  ['McDonald visit', 'McDonald visit'],
  ['X-ray', 'X-ray'],
  ['Übung', 'übung'],
])('%s is written %s within a sentence', (name, inside) => {
  expect(insideSentence(name)).toBe(inside);
});
