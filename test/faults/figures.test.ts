import { expect, test } from 'vitest';
import { mostOf, percentile } from '../../faults/figures.ts';

test('figures of an hour at 300 requests a second are summed up', () => {
  const figures = Array.from({ length: 1_080_000 }, (_, index) => index % 1000);
  expect([mostOf(figures), percentile(figures, 0.5)]).toEqual([999, 500]);
});
