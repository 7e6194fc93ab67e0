// `If-Match` and `expected_version`: their meaning, and when a record's version meets it.

import { describe, expect, test } from 'vitest';
import {
  combinePreconditions,
  isMet,
  type Precondition,
  parseIfMatch,
  parsePreconditions,
  versionToken,
} from '../../src/plan/write/precondition.ts';

const ROW = { id: '01900000-0000-7000-8000-00000000000a', version: 7 };
const TOKEN = '7-00000000000a';
const TAG = `"${TOKEN}"`;

const invalid = (param: string) =>
  expect.objectContaining({ code: 'validation_failed', status: 400, param });

test('the token holds the counter and the end of the id (D75)', () => {
  expect(versionToken(ROW)).toBe(TOKEN);
  expect(versionToken({ ...ROW, version: 12 })).toBe('12-00000000000a');
  expect(versionToken({ ...ROW, id: '01900000-0000-7000-8000-00000000000b' })).toBe(
    '7-00000000000b',
  );
});

describe('If-Match', () => {
  test.each([
    [TAG, true],
    [` ${TAG} `, true],
    [`"1-00000000000a", ${TAG}`, true],
    [`"1-00000000000a",${TAG}`, true],
    [`${TAG},\t"x"`, true],
    [`W/"x", ${TAG}`, true],
    ['*', true],
    [' * ', true],
    ['"6-00000000000a"', false],
    ['"7-00000000000b"', false],
    ['""', false],
    ['"*"', false],
    // As proxies that compress change tags.
    [`W/${TAG}`, true],
    [`W/"${TOKEN}.c2l4dGVlbmNoYXJzIQ"`, true],
    [`W/"x", W/${TAG}`, true],
    [`"${TOKEN}-gzip"`, true],
    [`"${TOKEN}.c2l4dGVlbmNoYXJzIQ-gzip"`, true],
    [`W/"6-00000000000a"`, false],
    [`"${TOKEN}-x"`, false],
    ['"7"', false],
    ['"a,b"', false],
    ['"\xe4\xff"', false],
  ])('%j is met: %s', (header, met) => {
    expect(isMet(parseIfMatch(header), ROW)).toBe(met);
  });

  test.each([
    TOKEN,
    `"${TOKEN}`,
    `${TOKEN}"`,
    '',
    ' ',
    ',',
    `${TAG},`,
    `,${TAG}`,
    `${TAG} "x"`,
    `*, ${TAG}`,
    `${TAG}, *`,
    '**',
    'W/',
    `w/${TAG}`,
    `W / ${TAG}`,
    `'${TOKEN}'`,
    '"a b"',
    '"a\tb"',
    '"a\nb"',
    '"a\x7f"',
    '"\u{100}"',
    `"${'x'.repeat(10_000)}"`,
    '"x",'.repeat(5000),
  ])('%j cannot be read', (header) => {
    expect(() => parseIfMatch(header)).toThrow(invalid('If-Match'));
  });

  test('a bad header leaves no trace in the next one', () => {
    expect(() => parseIfMatch(`${TAG}, x`)).toThrow(invalid('If-Match'));
    expect(parseIfMatch(TAG)).toEqual({ any_of: [TOKEN] });
    expect(parseIfMatch(TAG)).toEqual({ any_of: [TOKEN] });
  });

  test('without it every version will do', () => {
    expect(parseIfMatch(undefined)).toBeUndefined();
    expect(isMet(undefined, ROW)).toBe(true);
  });
});

describe('If-None-Match', () => {
  const parse = (ifNoneMatch: string, ifMatch?: string) =>
    parsePreconditions({ ifMatch, ifNoneMatch });

  test.each([
    ['*', false],
    [TAG, false],
    [`W/${TAG}`, false],
    [`"x", ${TAG}`, false],
    ['"x"', true],
    ['""', true],
  ])('%j is met: %s', (header, met) => {
    expect(isMet(parse(header), ROW)).toBe(met);
  });

  test('is one condition among the others', () => {
    expect(isMet(parse('"x"', TAG), ROW)).toBe(true);
    expect(isMet(parse('"x"', '"y"'), ROW)).toBe(false);
    expect(isMet(parse('*', '*'), ROW)).toBe(false);
    expect(isMet(parsePreconditions({ ifMatch: undefined, ifNoneMatch: '"x"' }, 'y'), ROW)).toBe(
      false,
    );
  });

  test.each(['', TOKEN, `${TAG},`, '*, *'])('%j cannot be read', (header) => {
    expect(() => parse(header)).toThrow(invalid('If-None-Match'));
  });
});

describe('expected_version', () => {
  const exactly: Precondition = { any_of: [TOKEN] };
  const cases: readonly (readonly [
    title: string,
    ifMatch: Precondition | undefined,
    expected: string | undefined,
    combined: Precondition | undefined | 'refused',
  ])[] = [
    ['neither', undefined, undefined, undefined],
    ['only the header', exactly, undefined, exactly],
    ['only the body', undefined, TOKEN, exactly],
    ['both, equal', exactly, TOKEN, exactly],
    ['both, different', exactly, '6-00000000000a', 'refused'],
    ['any version and one', 'exists', TOKEN, exactly],
    ['a longer list and one of it', { any_of: [TOKEN, 'x'] }, TOKEN, 'refused'],
    ['a weak tag and one', { any_of: [] }, TOKEN, 'refused'],
    ['quotes inside', undefined, TAG, { any_of: [TAG] }],
    ['quotes inside and the header', exactly, TAG, 'refused'],
    ['200 characters', undefined, 'x'.repeat(200), { any_of: ['x'.repeat(200)] }],
    ['201 characters', undefined, 'x'.repeat(201), 'refused'],
    ['nothing in it', undefined, '', { any_of: [''] }],
  ];

  test.each(cases)('%s', (_, ifMatch, expected, combined) => {
    if (combined === 'refused') {
      expect(() => combinePreconditions(ifMatch, expected)).toThrow(invalid('expected_version'));
    } else expect(combinePreconditions(ifMatch, expected)).toEqual(combined);
  });

  test('is met by its version only, without quotes', () => {
    expect(isMet(combinePreconditions(undefined, TOKEN), ROW)).toBe(true);
    expect(isMet(combinePreconditions(undefined, TAG), ROW)).toBe(false);
    expect(isMet(combinePreconditions(undefined, ''), ROW)).toBe(false);
    expect(isMet(combinePreconditions(undefined, '6-00000000000a'), ROW)).toBe(false);
  });
});
