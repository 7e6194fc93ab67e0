// The values that fields of type `date` accept, refuse and store.

import fc from 'fast-check';
import { type FieldSamples, ORDERED } from '../field-samples.ts';

const days = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

export const samples: FieldSamples = {
  accepted: [
    ['2025-01-31', '2025-01-31'],
    ['2024-02-29', '2024-02-29'],
    ['2000-02-29', '2000-02-29'],
    ['0001-01-01', '0001-01-01'],
    ['9999-12-31', '9999-12-31'],
  ],
  refused: [
    'now',
    'tomorrow',
    'infinity',
    '-infinity',
    'epoch',
    '',
    '2020-01-01 BC',
    '0000-00-00',
    '0000-01-01',
    '10000-01-01',
    '-0001-01-01',
    '2025-02-29',
    '1900-02-29',
    '2025-04-31',
    '2025-13-01',
    '2025-00-01',
    '2025-01-00',
    '2025-1-1',
    '20250101',
    '01.02.2025',
    '2025-01-01T00:00:00Z',
    ' 2025-01-01',
    '2025-01-01\n',
    '２０２５-01-01',
    1_700_000_000,
    true,
    ['2025-01-01'],
    {},
  ],
  pool: ['0001-01-01', '2024-02-29', '2025-01-01', '2025-01-02', '9999-12-31'],
  arbitrary: days,
  cells: [[' 2025-01-31 ', '2025-01-31']],
  operators: ORDERED,
  aggregates: ['min', 'max'],
  isOrdered: true,
  isRefusedAsWell: (value) => String(value).startsWith('0000'),
  page: { about: 'A day.', takes: ['2026-11-22'], refuses: ['22.11.2026', '2026-02-30'] },
};
