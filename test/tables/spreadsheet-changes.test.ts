// Values that a spreadsheet changed are counted by what became of them, and the values of usual columns are not.

import { expect, test } from 'vitest';
import { openSpreadsheetChanges } from '../../packages/tables/src/spreadsheet-changes.ts';

function changesOf(texts: readonly string[], use: { isText?: boolean; stored?: string } = {}) {
  const { isText = true, stored } = use;
  const changes = openSpreadsheetChanges({
    ...{ isText, isTime: false, hasLostZeros: (digits) => digits === stored },
  });
  for (const text of texts) changes.add(text);
  return Object.fromEntries(changes.found().map(({ change, ...rest }) => [change, rest]));
}

test('exponents, cut digits, days and errors', () => {
  const texts = ['1.23E+15', '1,2E+18', '1234567890123450', '3-Mar', 'Dez-03', '03. Mrz', '#NAME?'];
  expect(changesOf([...texts, '#N/A', '########'])).toEqual({
    exponents: { values: 2, example: '1.23E+15' },
    digits: { values: 1, example: '1234567890123450' },
    dates: { values: 3, example: '3-Mar' },
    errors: { values: 3, example: '#NAME?' },
  });
  expect(changesOf(texts, { isText: false })).not.toHaveProperty('dates');
});

test('zeros are lost where a record has them, or where most digits have one length', () => {
  expect(changesOf(['123', '77', 'x'], { stored: '123' })).toEqual({
    zeros: { values: 1, example: '123' },
  });
  const codes = Array.from({ length: 20 }, (_, index) => String(90210 + index));
  expect(changesOf([...codes, '2134', '501'])).toEqual({ zeros: { values: 2, example: '501' } });
  // Zeros are there, a sequence has all lengths, and few codes say nothing.
  const sequence = Array.from({ length: 12_000 }, (_, index) => String(index + 1));
  for (const plain of [[...codes, '02134', '2134'], sequence, ['90210', '90211', '2134']])
    expect(changesOf(plain)).toEqual({});
});

test('usual values are not among them', () => {
  const plain = ['3 March', 'Mar 2024', 'E+', '#1', '12E', '1E5', 'A-12', '2024-03-03', '100000'];
  expect(changesOf([...plain, '123456789012345678', 'Jun-Ho', '12-Mary'])).toEqual({});
});
