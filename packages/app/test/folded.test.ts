// Typed text finds names without regard to case and the form of letters.

import { expect, test } from 'vitest';
import { folded } from '../../tables/src/folded.ts';
import { bestFirst } from '../src/lib/offered-records.ts';
import { typedOptions } from '../src/ui/typed-options.ts';

const NAMES = ['ΟΔΥΣΣΕΥΣ ΑΕ', 'Οδυσσεύς', 'Zoë'];
const items = NAMES.map((label) => ({ value: label, label }));
const left = (search: string, options: Parameters<typeof typedOptions>[0]['options'] = items) =>
  typedOptions({ options, search, limit: 10 });

test.each([
  ['οδυσσ', ['ΟΔΥΣΣΕΥΣ ΑΕ', 'Οδυσσεύς']],
  ['ΕΎΣ', ['Οδυσσεύς']],
  ['ευς', ['ΟΔΥΣΣΕΥΣ ΑΕ']],
  [' ZOE\u0308 ', ['Zoë']],
  ['zoe', []],
])('%j leaves %j', (search, expected) => {
  expect(left(search)).toEqual(items.filter(({ label }) => expected.includes(label)));
  expect(NAMES.filter((name) => folded(name).includes(folded(search)))).toEqual(expected);
});

test('groups without a match are left out', () => {
  const groups = [
    { group: 'a', items: items.slice(0, 2) },
    { group: 'b', items: items.slice(2) },
  ];
  expect(left('zoë', groups)).toEqual([groups[1]]);
});

test('offered names that begin with the text come first, then those with a word that does', () => {
  const offered = ['Gogozoom', 'The Zoo', 'Zoomit', 'Bazoo'].map((label) => ({
    value: label,
    label,
  }));
  const labels = (text: string) => bestFirst(offered, text).map(({ label }) => label);
  expect(labels('zoo')).toEqual(['Zoomit', 'The Zoo', 'Gogozoom', 'Bazoo']);
  expect(labels('')).toEqual(['Gogozoom', 'The Zoo', 'Zoomit', 'Bazoo']);
});
