// Typical searches for a certain organisation: its name whole, begun, misspelt, in another order, with too many
// words; its address; the end of its number. The same searches in every run.

import { isUnspaced, normalise } from '../src/model/text/search-text.ts';
import { type Dice, diceOf, type Organisation, pick } from './organisations.ts';

export interface Question {
  readonly text: string;
  /** The places of those that are meant: one of them is enough. */
  readonly meant: readonly number[];
}

export const QUESTION_KINDS = [
  'known item',
  'prefix',
  'one edit',
  'words shuffled',
  'two rarest words',
  'one word too many',
  'name and city',
  'other scripts, no accents',
  'e-mail, a letter missing',
  'last six digits',
  'common words apart',
  'common words of two fields',
] as const;
export type QuestionKind = (typeof QUESTION_KINDS)[number];

/** So many questions of a kind, about organisations it makes sense for. */
export function makeQuestions(
  organisations: readonly Organisation[],
  kind: QuestionKind,
  count: number,
): readonly Question[] {
  const dice = diceOf(QUESTION_KINDS.indexOf(kind) + 1);
  const ask = askerOf(organisations, kind, dice);
  const questions: Question[] = [];
  for (let attempt = 0; questions.length < count && attempt < count * 100; attempt += 1) {
    const meant = dice(organisations.length);
    const text = ask(organisations[meant] as Organisation);
    if (text !== undefined) questions.push({ text, meant: [meant] });
  }
  return questions;
}

/** The text for an organisation; undefined when it has none of this kind. */
type Asker = (organisation: Organisation) => string | undefined;

function askerOf(organisations: readonly Organisation[], kind: QuestionKind, dice: Dice): Asker {
  switch (kind) {
    case 'known item':
      return ({ name }) => name;
    case 'prefix': {
      const names = organisations.map(({ name }) => normalise(name));
      return ({ name }) => beginning(name, names);
    }
    case 'one edit':
      return ({ name }) => (/^[ -~]{5,}$/.test(name) ? edited(dice, name) : undefined);
    case 'words shuffled':
      return ({ name }) => shuffled(dice, name);
    case 'two rarest words': {
      const counts = countWords(organisations);
      const places = placesOfWords(organisations);
      return ({ name }) => rarest(counts, places, name);
    }
    case 'one word too many': {
      const words = [...countWords(organisations).keys()].filter(
        (word) => /^\p{L}{3,12}$/u.test(word) && !isUnspaced(word),
      );
      return ({ name }) => withOther(dice, name, words);
    }
    case 'name and city':
      return ({ name, city }) => (dice(2) === 0 ? `${name} ${city}` : `${city} ${name}`);
    case 'other scripts, no accents':
      return ({ name }) => (/[^ -~]/.test(name) ? plain(name) : undefined);
    case 'e-mail, a letter missing':
      return ({ email }) => without(email, pick(dice, placesOf(email, /[a-z]/g)));
    case 'last six digits':
      return ({ phone }) => phone.replaceAll(/\D/g, '').slice(-6);
    case 'common words apart': {
      const pairOf = commonPairs(organisations, dice);
      return ({ name }) => pairOf(distinct(name), distinct(name), true);
    }
    case 'common words of two fields': {
      const pairOf = commonPairs(organisations, dice);
      return ({ name, city, country }) =>
        pairOf(distinct(name), distinct(`${city} ${country ?? ''}`), false);
    }
  }
}

function distinct(text: string): readonly string[] {
  return [...new Set(normalise(text).split(' '))].filter((word) => word.length > 1);
}

/** A word of one in so many organisations is a common one. */
const COMMON_SHARE = 500;

/**
 * A common word of each list, as the second or the first; words of one list do not follow each other. Few organisations
 * have both.
 */
function commonPairs(organisations: readonly Organisation[], dice: Dice) {
  const places = placesOfWords(organisations);
  const isCommon = (word: string) =>
    (places.get(word)?.size ?? 0) >= organisations.length / COMMON_SHARE;
  return (ones: readonly string[], others: readonly string[], isOneList: boolean) => {
    const pairs = ones.flatMap((one, index) =>
      others
        .filter((other) => isCommon(one) && isCommon(other) && one !== other)
        .filter((other) => !isOneList || Math.abs(ones.indexOf(other) - index) > 1)
        .filter((other) => countBoth(places, one, other) <= TOO_MANY)
        .map((other) => `${one} ${other}`),
    );
    return pairs.length === 0 ? undefined : pick(dice, pairs);
  };
}

function countBoth(
  places: ReadonlyMap<string, ReadonlySet<number>>,
  one: string,
  other: string,
): number {
  return [...(places.get(one) ?? [])].filter((place) => places.get(other)?.has(place)).length;
}

/**
 * A beginning that at most so many of the names have: with more, such as `University of`, the intended one is
 * ambiguous.
 */
function beginning(name: string, names: readonly string[]): string | undefined {
  const text = [...name]
    .slice(0, Math.ceil([...name].length * 0.7))
    .join('')
    .trim();
  const begun = normalise(text);
  if (begun.length < 2) return undefined;
  return names.filter((other) => other.startsWith(begun)).length > TOO_MANY ? undefined : text;
}

function placesOf(text: string, pattern: RegExp): readonly number[] {
  return [...text.matchAll(pattern)].map(({ index }) => index);
}

function without(text: string, place: number): string {
  return text.slice(0, place) + text.slice(place + 1);
}

/** One letter missing, added, changed or exchanged with the next. */
function edited(dice: Dice, name: string): string {
  const place = pick(dice, placesOf(name, /[a-z]/gi));
  const letter = String.fromCharCode(97 + dice(26));
  const [before, own, after] = [name.slice(0, place), name.charAt(place), name.slice(place + 1)];
  const isSame = own.toLowerCase() === letter;
  switch (dice(4)) {
    case 0:
      return before + after;
    case 1:
      return before + letter + own + after;
    case 2:
      return before + (isSame ? (letter === 'q' ? 'w' : 'q') : letter) + after;
    default:
      return before + after.slice(0, 1) + own + after.slice(1);
  }
}

function wordsOf(name: string): readonly string[] {
  return name.split(' ').filter((word) => normalise(word) !== '');
}

function shuffled(dice: Dice, name: string): string | undefined {
  const words = [...wordsOf(name)];
  if (words.length < 2) return undefined;
  for (let last = words.length - 1; last > 0; last -= 1) {
    const other = dice(last + 1);
    [words[last], words[other]] = [words[other] as string, words[last] as string];
  }
  const text = words.join(' ');
  return text === name ? `${words.slice(1).join(' ')} ${words[0]}` : text;
}

function countWords(organisations: readonly Organisation[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { name } of organisations) {
    for (const word of new Set(normalise(name).split(' '))) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  return counts;
}

/** The organisations that have a word in their name, their city or their address. */
function placesOfWords(organisations: readonly Organisation[]): ReadonlyMap<string, Set<number>> {
  const places = new Map<string, Set<number>>();
  for (const [place, { name, city, country, email }] of organisations.entries()) {
    for (const word of normalise(`${name} ${city} ${country ?? ''} ${email}`).split(' ')) {
      const known = places.get(word);
      if (known === undefined) places.set(word, new Set([place]));
      else known.add(place);
    }
  }
  return places;
}

/** When so many have both words, the intended one is ambiguous. */
const TOO_MANY = 20;

/** The rarest first, whatever their order in the name. */
function rarest(
  counts: ReadonlyMap<string, number>,
  places: ReadonlyMap<string, ReadonlySet<number>>,
  name: string,
): string | undefined {
  const words = [...new Set(normalise(name).split(' '))].filter((word) => word.length > 1);
  const count = (word: string) => counts.get(word) ?? 0;
  words.sort((one, other) => count(one) - count(other));
  const [first, second, third] = words;
  if (first === undefined || second === undefined || third === undefined) return undefined;
  return countBoth(places, first, second) > TOO_MANY ? undefined : `${first} ${second}`;
}

function withOther(dice: Dice, name: string, words: readonly string[]): string {
  const own = [...wordsOf(name)];
  const known = normalise(name);
  let word = pick(dice, words);
  while (known.includes(word)) word = pick(dice, words);
  own.splice(dice(own.length + 1), 0, word);
  return own.join(' ');
}

function plain(name: string): string {
  return name
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .normalize('NFC');
}
