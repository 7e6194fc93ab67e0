// The alternatives of a typed word.

import { expect, test } from 'vitest';
import { endOfWord, parseSpellings } from '../../src/model/text/search-spellings.ts';

const LAST = '\u{10ffff}';

function spellings(...words: readonly string[]): readonly string[] {
  return parseSpellings(words).map(({ place, text }) => `${place} ${text}`);
}

test('a space too many, a space missing', () => {
  expect(spellings('med', 'ical')).toEqual(['1 medical', '2 medical', '2 ic al']);
  expect(spellings('quarkex')).toEqual(['1 qu arkex', '1 qua rkex', '1 quar kex', '1 quark ex']);
});

test('a script without spaces has halves', () => {
  expect(spellings('株式会社')).toEqual(['1 株式', '1 会社']);
  expect(spellings('セラミックス')).toEqual(['1 セラミ', '1 ックス']);
  expect(spellings('株式会')).toEqual([]);
});

test('a whole word ends with a space, where there are any', () => {
  expect(endOfWord('med')).toBe('med!');
  expect(endOfWord('会社')).toBe(`会社${LAST}`);
});
