// Texts that a mapping makes of a row: how long each becomes is known before it is made, so what no field takes is
// refused without being made, and a row may cost so much and no more. Pure.

import { LIMITS } from '../../limits.ts';
import { say } from '../../messages/message.ts';
import { type Parsed, problem } from '../../model/values/parsed.ts';

/** Characters that the mapping may still read and make for a row. */
export interface TextBudget {
  left: number;
}

/** The bounds of one value: how many code units it may have, and the budget of its row. */
export interface TextBounds {
  readonly longest: number;
  readonly budget: TextBudget;
}

/** Twice what a row of a file can have. */
export const ROW_BUDGET = 2 * LIMITS.batchBodyBytes;
/** A replacement takes as long as it takes to read so many characters. */
const REPLACEMENT_COST = 8;

export function openTextBudget(): TextBudget {
  return { left: ROW_BUDGET };
}

/** Takes the characters from the budget; returns a problem when there are not so many. */
export function spend(budget: TextBudget, characters: number): Parsed | undefined {
  budget.left -= characters;
  if (budget.left >= 0) return undefined;
  return problem(say('import_row_too_long', { most: ROW_BUDGET }));
}

/** The steps one after the other, each at every place. A text that is too long already may become shorter. */
export function replaceWithin(
  steps: readonly { readonly text: string; readonly with: string }[],
  given: string,
  { longest, budget }: TextBounds,
): Parsed {
  let text = given;
  for (const step of steps) {
    const places = countPlaces(text, step.text);
    const made = text.length + places * (step.with.length - step.text.length);
    const beyond = spend(budget, text.length + places * REPLACEMENT_COST);
    if (beyond !== undefined) return beyond;
    if (made > longest && made > text.length) return tooLong(longest);
    if (places > 0) text = text.replaceAll(step.text, () => step.with);
  }
  return { value: text };
}

/** The texts as one. */
export function joinWithin(
  texts: readonly string[],
  separator: string,
  { longest, budget }: TextBounds,
): Parsed {
  const between = Math.max(0, texts.length - 1) * separator.length;
  const made = texts.reduce((sum, text) => sum + text.length, between);
  if (made > longest) return tooLong(longest);
  return spend(budget, made + texts.length) ?? { value: texts.join(separator) };
}

function countPlaces(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count += 1;
  return count;
}

/** A character has two code units at most. */
function tooLong(longest: number): Parsed {
  return problem(say('must_not_be_longer', { most: longest / 2 }));
}
