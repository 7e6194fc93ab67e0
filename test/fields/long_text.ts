// The values that fields of type `long_text` accept, refuse and store.

import fc from 'fast-check';
import { type FieldSamples, isUnstorable, ORDERED } from '../field-samples.ts';
import { ACCEPTED_TEXTS, NOT_TEXTS, POOL_TEXTS } from './free-text.ts';

export const samples: FieldSamples = {
  accepted: [...ACCEPTED_TEXTS, ['😀'.repeat(100_000), '😀'.repeat(100_000)]],
  refused: [...NOT_TEXTS, 'x'.repeat(100_001), '😀'.repeat(100_001)],
  pool: [...POOL_TEXTS, 'y'.repeat(50_000), `${'y'.repeat(50_000)}z`],
  arbitrary: fc.string({ unit: 'binary', maxLength: 1000 }).filter((text) => !isUnstorable(text)),
  cells: [['a\nb', 'a\nb']],
  operators: ORDERED,
  aggregates: ['min', 'max'],
  isOrdered: true,
  isRefusedAsWell: isUnstorable,
  page: {
    about: 'A text of many lines, up to 100,000 characters. It has no index.',
    takes: ['Line 1\nLine 2'],
    refuses: [['Line 1', 'Line 2']],
  },
};
