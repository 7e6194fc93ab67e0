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
};
