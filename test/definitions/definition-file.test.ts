// Reading definition documents from files: a typing error is reported with its line.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  mergeOverBase,
  readDefinitionFile,
} from '../../src/definitions/document/definition-file.ts';
import { isOperatorError } from '../../src/errors.ts';

const folder = mkdtempSync(join(tmpdir(), 'definitions-'));
afterAll(() => rmSync(folder, { recursive: true }));

function read(name: string, text: string): unknown {
  const path = join(folder, name);
  writeFileSync(path, text);
  return readDefinitionFile(path);
}

test('YAML and JSON say the same', () => {
  const document = { objects: { deals: { fields: { a: { type: 'text' } } } }, roles: null };
  expect(read('a.json', JSON.stringify(document))).toEqual(document);
  expect(read('a.yaml', 'objects: {deals: {fields: {a: {type: text}}}}\nroles: ~')).toEqual(
    document,
  );
});

test.each([
  ['duplicate keys', 'a: 1\nb: 2\na: 3\n', /b\.yaml:3:1: Map keys must be unique/],
  ['duplicate keys of JSON', '{"a": 1,\n "a": 2}', /b\.yaml:2:2: Map keys must be unique/],
  ['bad indentation', 'a:\n  b: 1\n c: 2\n', /b\.yaml:3:1: /],
  ['an unfinished document', '{"a": [1, 2', /b\.yaml:1:12: /],
  ['two documents', 'a: 1\n---\nb: 2\n', /b\.yaml:2:1: /],
  ['an unknown tag', 'a: !date x\n', /b\.yaml:1:4: Unresolved tag/],
  [
    'aliases that explode',
    `a: &a [1,1,1,1,1,1,1,1,1,1]\nb: &b [${Array(10).fill('*a')}]\nc: &c [${Array(10).fill('*b')}]\nd: [${Array(10).fill('*c')}]\n`,
    /b\.yaml: Excessive alias/,
  ],
])('%s: the error has the place', (_, text, message) => {
  let failure: unknown;
  try {
    read('b.yaml', text);
  } catch (error) {
    failure = error;
  }
  expect(isOperatorError(failure)).toBe(true);
  expect(String(failure)).toMatch(message);
});

test('a file that is not there is named', () => {
  expect(() => readDefinitionFile('/no/such.yaml')).toThrow(
    'Cannot read /no/such.yaml: there is no such file.',
  );
});

test('null removes from the base, all else is added', () => {
  const merged = mergeOverBase({ objects: { events: null, deals: { name: 'Offers' } } });
  expect(merged).toHaveProperty('objects.deals.name', 'Offers');
  expect(merged).toHaveProperty('objects.deals.fields.company_id');
  expect(merged).not.toHaveProperty('objects.events');
});
