// The line below a hit has the name of the object as the navigation has it.

import { expect, test } from 'vitest';
import { subtitleOf } from '../src/lib/hit-subtitle.ts';

const object_type = 'companies';
const firma = { singular_name: 'Firma' };

test.each([
  ['Company · info@acme.example', firma, 'Firma · info@acme.example'],
  ['Company', firma, 'Firma'],
  [null, firma, 'Firma'],
  ['Company · a · b', undefined, 'Company · a · b'],
  [null, undefined, 'companies'],
])('%s', (subtitle, object, shown) => {
  expect(subtitleOf({ object_type, subtitle }, object)).toBe(shown);
});
