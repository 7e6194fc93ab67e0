// Two letters of a person's name, and the tint that the name always has. Pure.

import { TINTS, type Tint } from '@workspace-records/client';

/** Gray is for nobody. */
const OF_PEOPLE = TINTS.filter((tint) => tint !== 'gray');

/** The initials of the first and the last word that begin with a letter. */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => /^\p{L}/u.test(word));
  const [first = '', last = ''] = [words[0] ?? name, words.length > 1 ? (words.at(-1) ?? '') : ''];
  return [first, last]
    .map((word) => [...word][0] ?? '')
    .join('')
    .toLocaleUpperCase();
}

/** The color of a name, the same in every place. */
export function tintOfName(name: string): Tint {
  const sum = [...name].reduce((hash, sign) => (hash * 31 + (sign.codePointAt(0) ?? 0)) >>> 0, 7);
  return OF_PEOPLE[sum % OF_PEOPLE.length] ?? 'indigo';
}
