// The values that fields of type `text` accept, refuse and store.

import fc from 'fast-check';
import { type FieldSamples, isUnstorable, ORDERED } from '../field-samples.ts';
import { ACCEPTED_TEXTS, NOT_TEXTS, POOL_TEXTS } from './free-text.ts';

export const samples: FieldSamples = {
  accepted: ACCEPTED_TEXTS,
  refused: [...NOT_TEXTS, 'x'.repeat(501), '😀'.repeat(501), 'x'.repeat(1024 * 1024)],
  pool: POOL_TEXTS,
  arbitrary: fc.string({ unit: 'binary', maxLength: 100 }).filter((text) => !isUnstorable(text)),
  cells: [
    ['007', '007'],
    [' a ', ' a '],
  ],
  operators: ORDERED,
  aggregates: ['min', 'max'],
  isOrdered: true,
  isRefusedAsWell: isUnstorable,
  page: {
    about:
      'A short text; `""` is null. It is stored as it was sent and [compared in NFC](#texts); case counts.',
    takes: ['Acme', ''],
    refuses: [5],
  },
};
