// Texts that every type of free text takes or refuses.

import type { Accepted } from '../field-samples.ts';

export const ACCEPTED_TEXTS: readonly Accepted[] = [
  ['plain', 'plain'],
  ['', null],
  [' ', ' '],
  [' padded\t\n', ' padded\t\n'],
  ['null', 'null'],
  ["' or 1=1--", "' or 1=1--"],
  ['$1 %s {{}} \\x00 "quoted"', '$1 %s {{}} \\x00 "quoted"'],
  ['{"a","b"}', '{"a","b"}'],
  ['e\u0301 is not \u00e9', 'e\u0301 is not \u00e9'],
  ['\u202Eright to left\u202C \u200B\u200D\uFEFF', '\u202Eright to left\u202C \u200B\u200D\uFEFF'],
  ['\u001b[31mred\u001b[0m \u0001\u007f\u0085', '\u001b[31mred\u001b[0m \u0001\u007f\u0085'],
  ['<script>alert(1)</script>', '<script>alert(1)</script>'],
  ['👩‍👩‍👧‍👦🏳️‍🌈', '👩‍👩‍👧‍👦🏳️‍🌈'],
  ['\u{10FFFF}\uFFFD\uE000', '\u{10FFFF}\uFFFD\uE000'],
  ['😀'.repeat(500), '😀'.repeat(500)],
];

export const NOT_TEXTS: readonly unknown[] = [
  1,
  true,
  ['a'],
  { a: 1 },
  'a\0b',
  '\ud800',
  'x\udc00y',
];

const SHARED = `shared ${'x'.repeat(292)} `;

/** Texts that records have: alike at their starts, different in case, accents and code points. */
export const POOL_TEXTS = [
  ...['a', 'A', 'b', 'ä', 'Ä', 'ß', 'e\u0301', '\u00e9', 'i', 'İ', '😀', '\u{10FFFF}', '\uE000'],
  ...[
    '\uFFFD',
    'a b',
    'a\u0001b',
    '%',
    '_',
    '\\',
    '"',
    "'",
    ',',
    'a,"b"',
    'null',
    'true',
    '9',
    '10',
    'ΟΔΥΣΣΕΥΣ ΑΕ',
    'Οδυσσεύς',
    'Οδυσσεύς'.normalize('NFD'),
  ],
  ...['a', 'b', '', '😀', '\uE000'].map((end) => SHARED + end),
  ...['a', 'b'].map((end) => '\u0001'.repeat(300) + end),
  ...['a', '\u{10FFFF}'].map((end) => '\u{10FFFF}'.repeat(300) + end),
];
