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
  page: {
    about:
      'Files that were [uploaded](files.md) before, written by their ids and shown with name, type and size; `multiple`, `types` and `max_bytes` of the field bound them. It has no default, and imports do not write it.',
    rules: { multiple: true },
    takes: [['01990a5d-ac96-774b-bcce-b302099a8057'], []],
    refuses: ['01990A5D-AC96-774B-BCCE-B302099A8057', ['plan.pdf']],
  },
};
