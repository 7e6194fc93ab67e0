// Equivalence classes of the characters of a pattern. Its single characters are tried with regular expressions of the
// language itself; between two neighbouring places where one of them can change, all characters are alike.

/** Characters in classes that a pattern treats alike. */
export interface Alphabet {
  /** How many classes there are. */
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

export function alphabetOf(sources: ReadonlySet<string>): Alphabet {
  const tests = new Map(
    [...sources, WORD].map((source) => [source, new RegExp(`^(?:${source})$`, 'u')] as const),
  );
  const starts = [...new Set([...sources].flatMap(placesOf))].sort((a, b) => a - b);
  const classes = new Map<string, number>();
  const members: string[] = [];
  const classOfOne = (codePoint: number) => {
    const character = String.fromCodePoint(codePoint);
    const key = [...tests.values()].map((test) => (test.test(character) ? '1' : '0')).join('');
    const known = classes.get(key) ?? classes.size;
    if (known === classes.size) {
      classes.set(key, known);
      members.push(character);
    }
    return known;
  };
  const ascii = Uint16Array.from({ length: ASCII }, (_, codePoint) => classOfOne(codePoint));
  const beyond = [ASCII, ...starts].map(classOfOne);
  const fitting = new Map(
    [...tests].map(([source, test]) => [source, members.map((one) => test.test(one))]),
  );
  return {
    size: classes.size,
    ascii,
    classOf: (codePoint) => beyond[countUpTo(starts, codePoint)] as number,
    fits: (source, one) => (fitting.get(source) as readonly boolean[])[one] as boolean,
    isWord: (one) => (fitting.get(WORD) as readonly boolean[])[one] as boolean,
  };
}

/** How many of the ascending numbers are at most `value`. */
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

const NAMED =
  /\\u\{([0-9a-fA-F]+)\}|\\u([dD][89abAB]..)\\u([dD][c-fC-F]..)|\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})|\\([pP]\{[^}]+\})|\\.|./gsu;

/** Code points beyond ASCII from which on a single character of a pattern may fit or no longer. */
function placesOf(source: string): readonly number[] {
  const places = [...source.matchAll(NAMED)].flatMap(
    ([text, braced, high, low, four, two, set]) => {
      if (set !== undefined) return placesOfSet(set);
      const codePoint =
        high === undefined
          ? codePointOf(text, braced ?? four ?? two)
          : codePointOf(String.fromCharCode(parseInt(high, 16), parseInt(low as string, 16)));
      return [codePoint, codePoint + 1];
    },
  );
  const spaces = SPACES.flatMap((place) => [place, place + 1]);
  return [...places, ...spaces].filter((place) => place >= ASCII && place <= 0x10ffff);
}

function codePointOf(text: string, hex?: string): number {
  return hex === undefined ? (text.codePointAt(0) as number) : parseInt(hex, 16);
}

const places = new Map<string, readonly number[]>();

/** All characters are tried once for each `\p{…}`, in a tenth of a second at most. */
function placesOfSet(set: string): readonly number[] {
  const known = places.get(set);
  if (known !== undefined) return known;
  const runs = new RegExp(`(?:\\${set})+`, 'gu');
  const found: number[] = [];
  for (let plane = 0; plane <= 0x10; plane += 1) {
    const start = plane * PLANE;
    found.push(start, start + PLANE - 2);
    if (!ASSIGNED.has(plane)) continue;
    const unit = plane === 0 ? 1 : 2;
    for (const { index, 0: run } of planeText(start).matchAll(runs)) {
      found.push(start + index / unit, start + (index + run.length) / unit);
    }
  }
  places.set(set, found);
  return found;
}

const PLANE = 0x10000;
/** In the other planes all characters are alike, but for the last two. */
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
