// The values that fields of type `phone` accept, refuse and store.

import fc from 'fast-check';
import { type FieldSamples, isText, ORDERED } from '../field-samples.ts';
import { NOT_TEXTS } from './free-text.ts';

export const samples: FieldSamples = {
  accepted: [
    ['+49 (0)30 / 1234-567', '+49 (0)30 / 1234-567'],
    ['(503) 555-9831', '(503) 555-9831'],
    ['503.555.9831 x12', '503.555.9831 x12'],
    ['112', '112'],
    ['', null],
  ],
  refused: [
    ...NOT_TEXTS,
    'call me',
    ') 503',
    '-503 555',
    '503 555 call',
    '12',
    '+-() ',
    `+${'1'.repeat(50)}`,
    '123\u0001',
  ],
  // Two are the same number.
  pool: ['112', '+49 30', '113', '49-30'],
  arbitrary: fc.stringMatching(/^\+[0-9][0-9 ()-]{0,20}[0-9]{2}$/),
  cells: [['+49 30', '+49 30']],
  operators: ORDERED,
  aggregates: ['min', 'max'],
  isOrdered: true,
  isRefusedAsWell: isText,
  page: {
    about:
      'A phone number as people write it, international or national, kept as it was typed. It is compared by its digits alone: `eq`, `ne`, `in`, `unique`, `match` and `/search` take `(503) 555-9831` and `503.555.9831` for the same number, and `+1 503 555 9831` for another one, because nothing says which country a number without a code is in. Order and groups are those of the text, ranges by code points.',
    takes: ['+49 (0)30 / 1234-567', '(503) 555-9831', '503.555.9831 x12'],
    refuses: ['call 555', '12', '+49 30 1234567 / 1234568'],
  },
};
