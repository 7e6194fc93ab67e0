// Merge patches one after the other, and one in place of two.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { composeSteps, mergePatch } from '../../src/model/definition/definition.ts';
import { runSteps } from '../../src/model/steps.ts';

const objectOf = (value: fc.Arbitrary<unknown>) =>
  fc.record({ a: value, b: value, c: value }, { requiredKeys: [] });
const { document, patch } = fc.letrec((tie) => ({
  leaf: fc.constantFrom(1, 'x', true, []),
  document: fc.oneof({ depthSize: 'small' }, tie('leaf'), objectOf(tie('document'))),
  patch: fc.oneof({ depthSize: 'small' }, tie('leaf'), fc.constant(null), objectOf(tie('patch'))),
}));
const compose = (base: unknown, first: unknown, second: unknown) =>
  runSteps(composeSteps(base, first, second));

test('two patches are one', () => {
  fc.assert(
    fc.property(objectOf(document), objectOf(patch), objectOf(patch), (base, first, second) => {
      const one = compose(base, first, second);
      expect(mergePatch(base, one)).toEqual(mergePatch(mergePatch(base, first), second));
    }),
    { numRuns: 2000 },
  );
});

test('the first patch keeps its form', () => {
  const first = { a: { x: 1, gone: null }, b: null };
  expect(compose({ a: { x: 1, gone: 2 }, b: {} }, first, { a: { y: 2 } })).toEqual({
    a: { x: 1, gone: null, y: 2 },
    b: null,
  });
  expect(compose({}, { a: { x: 1 } }, { a: { x: null, z: null } })).toEqual({ a: {} });
});
