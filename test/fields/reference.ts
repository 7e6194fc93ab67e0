// The values that fields of type `reference` accept, refuse and store.

import fc from 'fast-check';
import { EQUAL, type FieldSamples } from '../field-samples.ts';

export const samples: FieldSamples = {
  accepted: [
    ['01900000-0000-7000-8000-00000000000a', '01900000-0000-7000-8000-00000000000a'],
    ['01900000-0000-7000-8000-00000000000A', '01900000-0000-7000-8000-00000000000a'],
  ],
  refused: [
    '',
    'x',
    '01900000000070008000000000000001',
    '{01900000-0000-7000-8000-000000000001}',
    '01900000-0000-7000-8000-00000000000g',
    '01900000-0000-7000-8000-000000000001\n',
    1,
    {},
    [],
  ],
  pool: [0, 1, 2, 3].map((last) => `01900000-0000-7000-8000-${'a'.repeat(11)}${last}`),
  arbitrary: fc.uuid(),
  cells: [[' 01900000-0000-7000-8000-00000000000A ', '01900000-0000-7000-8000-00000000000a']],
  operators: EQUAL,
  aggregates: [],
  isOrdered: true,
  isRefusedAsWell: () => false,
  page: {
    about: 'The id of a record of `reference_object_type`, in lower case.',
    takes: ['01890A5D-AC96-774B-BCCE-B302099A8057'],
    refuses: ['ACME-1', { id: '01890A5D-AC96-774B-BCCE-B302099A8057' }],
  },
};
