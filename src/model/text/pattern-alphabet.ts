// Equivalence classes of the characters of a pattern. Its single characters are tried with regular expressions of the
// language itself; between two neighbouring places where one of them can change, all characters are alike.

import { LRUCache } from 'lru-cache';
import type { Steps } from '../steps.ts';
import type { PatternWork } from './pattern-work.ts';

/** Characters in classes that a pattern treats alike. */
export interface Alphabet {
  /** The number of classes. */
  readonly size: number;
  /** The class of each code point of ASCII. */
  readonly ascii: Uint16Array;
  /** The class of a code point beyond ASCII. */
  classOf(codePoint: number): number;
  /** True when characters of the class fit the single character of the pattern. */
  fits(source: string, characterClass: number): boolean;
  /** True when characters of the class are part of words (`\b`). */
  isWord(characterClass: number): boolean;
}

const ASCII = 128;
const WORD = '\\w';
/** Where `\s` and `.` change beyond ASCII; `\d` and `\w` do not. */
const SPACES = [0xa0, 0x1680, 0x2000, 0x200b, 0x2028, 0x202a, 0x202f, 0x205f, 0x3000, 0xfeff];

/** Tests of a character that are one unit of work. */
const TESTS = 2;
/** Characters that are tried in one step. */
const TRIED = 200;

/** Undefined when it takes more work than is left. */
export function* alphabetSteps(
  sources: ReadonlySet<string>,
  work: PatternWork,
): Steps<Alphabet | undefined> {
  const places = yield* placesSteps(sources, work);
  if (places === undefined) return undefined;
  const tests = new Map(
    [...sources, WORD].map((source) => [source, new RegExp(`^(?:${source})$`, 'u')] as const),
  );
  const tried = [...Array.from({ length: ASCII }, (_, codePoint) => codePoint), ASCII, ...places];
  work.left -= Math.ceil((tried.length * tests.size) / TESTS);
  if (work.left < 0) return undefined;
  const classes = openClasses([...tests.values()]);
  const numbers: number[] = [];
  for (let at = 0; at < tried.length; at += 1) {
    numbers.push(classes.classOf(tried[at] as number));
    if (at % TRIED === 0) yield;
  }
  const { members } = classes;
  const fitting = new Map(
    [...tests].map(([source, test]) => [source, members.map((one) => test.test(one))]),
  );
  const beyond = numbers.slice(ASCII);
  return {
    size: members.length,
    ascii: Uint16Array.from(numbers.slice(0, ASCII)),
    classOf: (codePoint) => beyond[countUpTo(places, codePoint)] as number,
    fits: (source, one) => (fitting.get(source) as readonly boolean[])[one] as boolean,
    isWord: (one) => (fitting.get(WORD) as readonly boolean[])[one] as boolean,
  };
}

/** Classes of characters that all tests treat alike, with the first member of each. */
function openClasses(tests: readonly RegExp[]) {
  const classes = new Map<string, number>();
  const members: string[] = [];
  return {
    members,
    classOf(codePoint: number): number {
      const character = String.fromCodePoint(codePoint);
      const key = tests.map((test) => (test.test(character) ? '1' : '0')).join('');
      const number = classes.get(key) ?? classes.size;
      if (number === classes.size) {
        classes.set(key, number);
        members.push(character);
      }
      return number;
    },
  };
}

/** The number of the ascending numbers that are at most `value`. */
function countUpTo(numbers: readonly number[], value: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] as number) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A part of the source of a pattern that names a character or a set of them. */
const NAMED_ONE =
  /\\u\{([0-9a-fA-F]+)\}|\\u([dD][89abAB]..)\\u([dD][c-fC-F]..)|\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})|\\([pP]\{[^}]+\})|\\.|./su;
const NAMED = new RegExp(NAMED_ONE.source, 'gsu');

/** Code points beyond ASCII from which on a single character of a pattern may fit or no longer, ascending. */
function* placesSteps(
  sources: ReadonlySet<string>,
  work: PatternWork,
): Steps<readonly number[] | undefined> {
  const places = new Set(SPACES.flatMap((place) => [place, place + 1]));
  const names = new Set([...sources].flatMap((source) => source.match(NAMED) ?? []));
  for (const name of names) {
    const found = name.startsWith('\\p') || name.startsWith('\\P');
    const own = found ? yield* placesOfSet(name.slice(1), work) : placesOf(name);
    if (own === undefined) return undefined;
    for (const place of own) places.add(place);
  }
  const inside = [...places].filter((place) => place >= ASCII && place <= 0x10ffff);
  return inside.sort((a, b) => a - b);
}

function placesOf(name: string): readonly number[] {
  const [text, braced, high, low, four, two] = NAMED_ONE.exec(name) as RegExpExecArray;
  const codePoint =
    high === undefined
      ? codePointOf(text, braced ?? four ?? two)
      : codePointOf(String.fromCharCode(parseInt(high, 16), parseInt(low as string, 16)));
  return [codePoint, codePoint + 1];
}

function codePointOf(text: string, hex?: string): number {
  return hex === undefined ? (text.codePointAt(0) as number) : parseInt(hex, 16);
}

/** Facts about Unicode, for the most recently used sets. */
const knownSets = new LRUCache<string, readonly number[]>({ max: 100 });
/** Units of work for a set, known or not: a pattern is not good only because another one was before it. */
const WORK_OF_SET = 100_000;

/** All characters are tried for each `\p{…}`. Undefined when it takes more work than is left. */
function* placesOfSet(set: string, work: PatternWork): Steps<readonly number[] | undefined> {
  if (!work.sets.has(set)) work.left -= WORK_OF_SET;
  work.sets.add(set);
  if (work.left < 0) return undefined;
  const known = knownSets.get(set);
  if (known !== undefined) return known;
  const runs = new RegExp(`(?:\\${set})+`, 'gu');
  const boundaries: number[] = [];
  for (let plane = 0; plane <= 0x10; plane += 1) {
    const start = plane * PLANE;
    boundaries.push(start, start + PLANE - 2);
    if (!ASSIGNED.has(plane)) continue;
    const unit = plane === 0 ? 1 : 2;
    for (const { index, 0: run } of planeText(start).matchAll(runs)) {
      boundaries.push(start + index / unit, start + (index + run.length) / unit);
    }
    yield;
  }
  knownSets.set(set, boundaries);
  return boundaries;
}

const PLANE = 0x10000;
/** The planes with different characters; in other planes all are alike, except for the last two. */
const ASSIGNED: ReadonlySet<number> = new Set([0, 1, 2, 3, 14]);

/** All characters of a plane, in UTF-16. */
function planeText(start: number): string {
  if (start === 0) return utf16(Uint16Array.from({ length: PLANE }, (_, at) => at));
  const units = new Uint16Array(2 * PLANE);
  for (let at = 0; at < PLANE; at += 1) {
    units[2 * at] = 0xd800 + ((start - PLANE + at) >> 10);
    units[2 * at + 1] = 0xdc00 + (at & 0x3ff);
  }
  return utf16(units);
}

function utf16({ buffer }: Uint16Array<ArrayBuffer>): string {
  return Buffer.from(buffer).toString('utf16le');
}
