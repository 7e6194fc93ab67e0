// The texts of a column as words: how often each occurs, and whether they are the options of a list. Pure.

import { uniqueKeys } from './field-keys.ts';
import type { ColumnFacts, Guess, GuessedOption, Reason } from './guess.ts';

export const MOST_DISTINCT = 200;
/** Longer texts are not words of a list. */
const LONGEST_OPTION = 60;
const MOST_OPTIONS = 25;
/** Each option occurs at least so often, on average. */
const OFTEN = 3;
const LONG_TEXT = 200;

const TRUTHS: readonly ReadonlySet<string>[] = [
  new Set(['true', 'false']),
  new Set(['yes', 'no']),
  new Set(['ja', 'nein']),
  new Set(['wahr', 'falsch']),
  new Set(['checked', 'unchecked']),
];
const NAMES =
  /(?:^|[\s_])(?:name|title|titel|subject|betreff|address|adresse|street|stra(?:ß|ss)e|company|firma|customer|kunde)$/i;

/** The texts of a column as words. */
export function openWords() {
  const counts = new Map<string, number>();
  let filled = 0;
  let isMany = false;
  let long: string | undefined;
  return {
    add(text: string) {
      filled += 1;
      if (text.length > LONG_TEXT || text.includes('\n')) long ??= text.slice(0, LONGEST_OPTION);
      const count = counts.get(text);
      if (count !== undefined) counts.set(text, count + 1);
      else if (counts.size < MOST_DISTINCT) counts.set(text, 1);
      else isMany = true;
    },
    facts: (): ColumnFacts => ({ filled, distinct: [...counts.keys()], isMany }),
    isTruth: () =>
      TRUTHS.some((words) => [...counts.keys()].every((text) => words.has(text.toLowerCase()))),
    guess(heading: string, reason: Reason = { rule: 'texts' }): Guess {
      const form = {};
      if (long !== undefined)
        return { type: 'long_text', form, reason: { rule: 'long', example: long } };
      if (isMany || reason.rule === 'identifier' || NAMES.test(heading))
        return { type: 'text', form, reason };
      const lists = [...counts.keys()].filter((text) => text.includes(';'));
      const isList = lists.length > 0 && areLists(lists, [...counts.keys()]);
      if (lists.length > 0 && !isList) return { type: 'text', form, reason };
      const parts = isList ? partCounts(counts) : counts;
      if (!areFew(parts) || reason.rule === 'zeros') return { type: 'text', form, reason };
      const options = optionsOf([...parts.keys()]);
      return isList
        ? { type: 'multi_select', options, form, reason: { rule: 'lists' } }
        : { type: 'select', options, form, reason: { rule: 'words' } };
    },
  };
}

/** More than half of the parts of lists occur in another text as well; those of a name with a semicolon do not. */
function areLists(lists: readonly string[], texts: readonly string[]): boolean {
  const cells = new Map<string, number>();
  for (const text of texts) {
    for (const part of new Set(partsOf(text))) cells.set(part, (cells.get(part) ?? 0) + 1);
  }
  const parts = new Set(lists.flatMap(partsOf));
  const repeated = [...parts].filter((part) => (cells.get(part) ?? 0) > 1);
  return repeated.length * 2 > parts.size;
}

function partsOf(text: string): readonly string[] {
  return text
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function partCounts(counts: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const parts = new Map<string, number>();
  for (const [text, count] of counts) {
    for (const part of partsOf(text)) parts.set(part, (parts.get(part) ?? 0) + count);
  }
  return parts;
}

function areFew(counts: ReadonlyMap<string, number>): boolean {
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const isShort = [...counts.keys()].every((word) => word.length <= LONGEST_OPTION);
  return isShort && counts.size <= MOST_OPTIONS && all >= counts.size * OFTEN;
}

export function optionsOf(words: readonly string[]): readonly GuessedOption[] {
  const values = uniqueKeys(words, 'option');
  return words.map((label, index) => ({ value: values[index] ?? label, label }));
}
