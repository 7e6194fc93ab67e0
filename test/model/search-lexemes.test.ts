// The words of a record as PostgreSQL keeps them, and the conditions that find them.

import { expect, test } from 'vitest';
import {
  isLongEnough,
  lexemesOf,
  NOTHING,
  ofPeople,
  ofText,
} from '../../src/model/text/search-lexemes.ts';
import { wordStarts } from '../../src/model/text/search-text.ts';

function lexemes(text: string, userId: number | null = null): string {
  const texts = wordStarts('display', text).map((start) => ({ source: 'a.b', ...start }));
  return lexemesOf(texts, userId);
}

test('a record has each of its words behind its field, and the person it belongs to', () => {
  expect(lexemes('Łódź, Łódź-Nord', 7)).toBe(`'@7' 'a.b lodz' 'a.b nord' 'a.b lodznord'`);
  expect(lexemes('')).toBe('');
});

test('both forms of a letter are one word, and all forms of sigma', () => {
  expect(lexemes('Ὀδυσσεύς ΟΔΥΣΣΕΥΣ')).toBe(`'a.b οδυσσευσ'`);
  expect(lexemes('Zoe\u0308')).toBe(lexemes('Zo\u00eb'));
  expect(ofText('οδυσσευσ', true)).toBe(`'% οδυσσευσ'`);
});

test('of a script without spaces two characters are a word', () => {
  expect(lexemes('東京タワー abc')).toBe(`'a.b 東京' 'a.b 京タ' 'a.b タワ' 'a.b ワー' 'a.b abc'`);
  expect(ofText('タワー', true)).toBe(`'% タワ' & '% ワー'`);
  expect(ofText('京', true)).toBe(`'% 京':*`);
  expect(ofText('東京', false)).toBe(`'% 東京':*`);
});

test('a telephone number in reverse order is not a word', () => {
  const texts = wordStarts('phone', '030 1234').map((start) => ({ source: 'a.b', ...start }));
  expect(lexemesOf(texts, null)).toBe(`'a.b 0301234' 'a.b 301234' 'a.b 1234'`);
});

test('conditions', () => {
  expect(ofText('foo bar', true)).toBe(`'% foo' & '% bar'`);
  expect(ofText('foo', false)).toBe(`'% foo':*`);
  expect(ofPeople([3, 4])).toBe(`('@3' | '@4')`);
  expect(ofPeople([])).toBe(NOTHING);
  expect(['jo', 'joe', '京'].map(isLongEnough)).toEqual([false, true, false]);
});

test('the words of one record are bounded', () => {
  const many = Array.from({ length: 5000 }, (_, index) => ({ source: 'a.b', text: `w${index}` }));
  expect(lexemesOf(many, 1).split(`' '`)).toHaveLength(2000);
});
