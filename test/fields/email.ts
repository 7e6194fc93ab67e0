// The values that fields of type `email` accept, refuse and store.

import fc from 'fast-check';
import { type FieldSamples, isText, ORDERED } from '../field-samples.ts';
import { NOT_TEXTS } from './free-text.ts';

export const samples: FieldSamples = {
  accepted: [
    ['a@b.co', 'a@b.co'],
    ['Some.One+Tag@EXAMPLE.Com', 'some.one+tag@example.com'],
    ['ÄÖ@BÜCHER.example', 'äö@bücher.example'],
    ['', null],
  ],
  refused: [
    ...NOT_TEXTS,
    'a',
    'a@b',
    '@b.co',
    'a@',
    'a b@c.co',
    'a@b@c.co',
    'a@b.co.',
    '<a@b.co>',
    'a@b.co, c@d.co',
    `${'x'.repeat(316)}@b.co`,
  ],
  pool: ['a@b.co', 'b@b.co', 'ä@b.co', 'a\u0308@b.co', 'σ@b.co', 'ς@b.co', 'a_b@b.co'],
  arbitrary: fc.emailAddress({ size: 'small' }),
  cells: [['A@B.co', 'a@b.co']],
  operators: ORDERED,
  aggregates: ['min', 'max'],
  isOrdered: true,
  isRefusedAsWell: isText,
  page: {
    about: 'An e-mail address, stored in lower case; filters ignore the case too.',
    takes: ['Ann@Example.com'],
    refuses: ['Ann <ann@example.com>', 'ann@localhost'],
  },
};
