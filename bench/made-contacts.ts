// Contacts whose names are made of few words, each of them common: 24 first names, 24 middle names and 24 last names in
// all combinations. The same in every run.

import { diceOf, pick } from './organisations.ts';
import type { Question } from './search-questions.ts';

export interface MadeContact {
  readonly name: string;
  readonly first: string;
  readonly last: string;
}

const LETTERS = [...'abcdefghijklmnopqrstuvwx'];
const FIRST = LETTERS.map((letter) => `fa${letter}en`);
const MIDDLE = LETTERS.map((letter) => `mo${letter}ard`);
const LAST = LETTERS.map((letter) => `la${letter}ski`);

/** In an order in which no names that are alike follow each other. */
export function makeContacts(): readonly MadeContact[] {
  const all = FIRST.flatMap((first) =>
    MIDDLE.flatMap((middle) =>
      LAST.map((last) => ({ name: `${first} ${middle} ${last}`, first, last })),
    ),
  );
  const stride = 7919;
  return all.map((_, index) => all[(index * stride) % all.length] as MadeContact);
}

/** First and last name, which 24 contacts have. */
export function contactQuestions(
  contacts: readonly MadeContact[],
  count: number,
): readonly Question[] {
  const dice = diceOf(count);
  return Array.from({ length: count }, () => {
    const [first, last] = [pick(dice, FIRST), pick(dice, LAST)];
    const meant = contacts.flatMap((one, place) =>
      one.first === first && one.last === last ? [place] : [],
    );
    return { text: `${first} ${last}`, meant };
  });
}
