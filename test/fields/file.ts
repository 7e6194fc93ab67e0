// The values that fields of type `file` accept, refuse and parse; the write path looks the files up.

import fc from 'fast-check';
import type { FieldSamples } from '../field-samples.ts';

const [ONE, TWO] = ['01990000-0000-7000-8000-00000000000a', '01990000-0000-7000-8000-00000000000b'];
const files = (...ids: string[]) => ids.map((id) => ({ id }));

export const samples: FieldSamples = {
  accepted: [
    [[ONE], files(ONE)],
    [[ONE.toUpperCase(), TWO, ONE], files(ONE, TWO)],
    [[{ id: TWO, name: 'a', type: 'text/plain', size: 1 }, ONE], files(TWO, ONE)],
    [[], null],
  ],
  refused: [
    ONE,
    { id: ONE },
    [''],
    ['x'],
    [null],
    [[ONE]],
    [{ id: 1 }],
    [{}],
    1,
    true,
    Array.from({ length: 21 }, (_, at) => ONE.slice(0, -2) + String(at).padStart(2, '0')),
  ],
  pool: [files(ONE), files(ONE, TWO), files(TWO)],
  arbitrary: fc.array(fc.uuid(), { minLength: 1, maxLength: 20 }),
  cells: [
    [` Plan <2>.pdf <${ONE}>; <${TWO}> `.replace('<2>', '_2_'), files(ONE, TWO)],
    [`${ONE} ; ${TWO}`, files(ONE, TWO)],
    ['', null],
  ],
  operators: ['is_null'],
  aggregates: [],
  isOrdered: false,
  isRefusedAsWell: (value) => Array.isArray(value) && new Set(value).size > 20,
};
