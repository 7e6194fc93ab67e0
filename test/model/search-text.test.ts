// The normalisation of texts, and the words at which a search may find them.

import { describe, expect, test } from 'vitest';
import {
  canBeMeant,
  normalise,
  parseSearchTerms,
  type SearchKind,
  slipWords,
  wordStarts,
} from '../../src/model/text/search-text.ts';

test.each([
  ['  Łódź-Nord   GmbH & Co. ', 'lodz nord gmbh co'],
  ['STRASSE Straße', 'strasse strasse'],
  ['Ærø Þórr Øresund œuvre', 'aero thorr oresund oeuvre'],
  ['İstanbul ISPARTA ılık', 'istanbul isparta ilik'],
  ['ΣΊΣΥΦΟΣ', 'σισυφοσ'],
  ['Ещё Йод', 'еще иод'],
  ['ﬁnance ＴＯＴＯ ①', 'finance toto 1'],
  ['ｶﾞﾝﾀﾞﾑ', 'ガンダム'],
  ['한국', '한국'],
  ['हिन्दी', 'हिन्दी'],
  ['مُحَمَّد', 'محمد'],
  ['O’Brien', 'o brien'],
  ['a\u{1F600}b', 'a b'],
  ['!?', ''],
])('%j is compared as %j', (text, expected) => {
  expect(normalise(text)).toBe(expected);
  expect(normalise(expected)).toBe(expected);
});

function starts(kind: SearchKind, value: string): readonly string[] {
  return wordStarts(kind, value).map(({ place, text }) => `${place} ${text}`);
}

describe('words', () => {
  test('the display value from its start, then from each word on', () => {
    expect(starts('display', 'Old Harbour Inn')).toEqual([
      '0 old harbour inn',
      '2 harbour inn',
      '2 inn',
    ]);
  });

  test('other texts may hold several names', () => {
    expect(starts('text', 'Big Blue; IBM\nI.B.M.')).toEqual([
      '1 big blue',
      '2 blue',
      '1 ibm',
      '1 i b m',
      '2 b m',
      '2 m',
    ]);
    expect(starts('display', 'One; Two')).toEqual(['0 one two', '2 two']);
  });

  test('words that are joined are also one word', () => {
    expect(starts('display', "Coca-Cola L'Oréal")).toEqual([
      '0 coca cola l oreal',
      '2 cola l oreal',
      '2 l oreal',
      '2 oreal',
      '2 cocacola',
      '2 loreal',
    ]);
  });

  test('every character of a script without spaces starts a word', () => {
    expect(starts('display', '天馬ECI 株')).toEqual([
      '0 天馬eci 株',
      '2 馬eci 株',
      '2 eci 株',
      '2 株',
    ]);
    expect(starts('display', 'データ')).toEqual(['0 データ', '2 タ']);
    expect(starts('display', '현대 케피')).toEqual(['0 현대 케피', '2 대 케피', '2 케피', '2 피']);
  });

  test('an address without its last label', () => {
    expect(starts('email', 'jo.smith@acme.com')).toEqual([
      '1 jo smith acme com',
      '2 smith acme com',
      '2 acme com',
    ]);
  });

  test('the digits of a number from each group on, without a country code, and backwards', () => {
    expect(starts('phone', '+49 (170) 123-4567')).toEqual([
      '1 491701234567',
      '2 1701234567',
      '2 1234567',
      '2 4567',
      '2 91701234567',
      '2 701234567',
      '2 <765432107194',
    ]);
    expect(starts('phone', '0170 1234567')).toEqual([
      '1 01701234567',
      '2 1701234567',
      '2 1234567',
      '2 <76543210710',
    ]);
    expect(starts('phone', '123')).toEqual(['1 123']);
  });

  test('long texts are cut, never within a character', () => {
    const [whole, later] = wordStarts('display', `${'x'.repeat(150)} ${'\u{20000}'.repeat(60)}`);
    expect(whole?.text).toHaveLength(199);
    expect(whole?.text.isWellFormed()).toBe(true);
    expect(later?.text).toHaveLength(64);
    const numbers = Array.from({ length: 20_000 }, (_, index) => index).join(' ');
    expect(wordStarts('text', numbers)).toHaveLength(500);
  });

  test('typos are corrected in words, not in numbers', () => {
    const rows = wordStarts('display', 'Müller 2024 ab 3M GTX500 株式会社 Müller');
    expect(slipWords(rows)).toEqual(['muller', 'gtx500']);
    expect(['ob', '12', '3m', 'o', '株式'].filter(canBeMeant)).toEqual(['ob', '3m']);
  });
});

test('a text of ASCII is taken apart like any other', () => {
  const pieces = [
    'o',
    'lo',
    'Row',
    'X',
    '7',
    '42o',
    ' ',
    '  ',
    "'",
    '-',
    '.',
    '&',
    ';',
    '_',
    '~',
    '(',
  ];
  let state = 1;
  const random = (below: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  const seen = new Set<string>();
  for (let round = 0; round < 3000; round += 1) {
    const length = random(14);
    const text = Array.from({ length }, () => pieces[random(pieces.length)] as string).join('');
    // With another letter in the place of one of its own it is not an ASCII text, and else the same.
    const other = text.replaceAll('o', 'ω');
    for (const kind of ['display', 'text', 'email'] as const) {
      const found = starts(kind, text);
      for (const start of found) seen.add(start);
      expect(found).toEqual(starts(kind, other).map((start) => start.replaceAll('ω', 'o')));
    }
  }
  expect(seen.size).toBeGreaterThan(1000);
});

describe('queries', () => {
  test('a phrase and its words', () => {
    expect(parseSearchTerms(' Müller, Müller & Söhne ')).toEqual({
      phrase: 'muller muller sohne',
      phones: [],
      words: ['muller', 'sohne'],
    });
    expect(parseSearchTerms('株式会社メックABC').words).toEqual(['株式会社', 'メック', 'abc']);
    expect(parseSearchTerms('Jo ann@acme.co.uk x').words).toEqual(['jo', 'ann', 'acme', 'co', 'x']);
    expect(parseSearchTerms('?!').phrase).toBe('');
  });

  test.each([
    ['0170 123', ['0170123', '170123', '<3210710']],
    ['+49 170 123', ['49170123', '9170123', '170123', '70123', '<32107194']],
    ['(0170) 123-45', ['017012345', '17012345', '<543210710']],
    ['4567', ['4567', '<7654']],
    ['456', ['456']],
    ['12', []],
    ['12 monkeys', []],
  ])('%j may be a number: %j', (text, phones) => {
    expect(parseSearchTerms(text).phones).toEqual(phones);
  });
});
