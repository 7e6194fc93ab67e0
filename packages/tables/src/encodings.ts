// The encoding of a file, found from its bytes: by its mark, by zero bytes, as UTF-8, and else by the letters that each
// code page makes of them. Pure.

import { openDecoder } from './decoder.ts';
import type { Encoding } from './encoding-names.ts';
import { joined } from './joined-bytes.ts';

export interface FoundEncoding {
  readonly encoding: Encoding;
  /** False: another one is about as likely, so a person has to look at the letters. */
  readonly isSure: boolean;
  /** The likely ones, this one first. */
  readonly likely: readonly Encoding[];
}

const sure = (encoding: Encoding): FoundEncoding => ({
  ...{ encoding, isSure: true, likely: [encoding] },
});

/** By the byte-order mark or the zero bytes at the beginning of the file; undefined: an encoding of single bytes. */
export function wideEncoding(start: Uint8Array): Encoding | undefined {
  const marked = MARKS.find(([, mark]) => mark.every((byte, index) => start[index] === byte));
  if (marked !== undefined) return marked[0];
  const zeros = [0, 0, 0, 0];
  for (const [index, byte] of start.entries())
    if (byte === 0) zeros[index % 4] = 1 + (zeros[index % 4] ?? 0);
  const [a = 0, b = 0, c = 0, d = 0] = zeros;
  const all = a + b + c + d;
  if (all * 2 > start.length) return a > d ? 'utf-32be' : 'utf-32le';
  // In most texts every second byte of UTF-16 is zero.
  if (all * 8 > start.length) return b + d > a + c ? 'utf-16le' : 'utf-16be';
  return undefined;
}

const MARKS: readonly (readonly [Encoding, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-32le', [0xff, 0xfe, 0, 0]],
  ['utf-32be', [0, 0, 0xfe, 0xff]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** Bytes beyond ASCII that are compared: enough for every language. */
const COMPARED_BYTES = 32_768;

export interface EncodingFinder {
  push(bytes: Uint8Array): void;
  finish(): FoundEncoding;
}

/** Looks at a whole file, with the memory of the lines that have other bytes than ASCII. */
export function openEncodingFinder(): EncodingFinder {
  const utf8 = openDecoder('utf-8');
  let isUtf8 = true;
  let hasEscapes = false;
  let wide: Encoding | undefined;
  let isStarted = false;
  const parts: Uint8Array[] = [];
  let length = 0;
  return {
    push(bytes) {
      if (!isStarted) wide = wideEncoding(bytes);
      isStarted = true;
      if (wide !== undefined) return;
      if (isUtf8) isUtf8 = succeeds(() => utf8.push(bytes));
      hasEscapes ||= hasJapaneseEscape(bytes);
      const from = length < COMPARED_BYTES ? bytes.findIndex((byte) => byte > 0x7f) : -1;
      if (from < 0) return;
      // From the beginning of the line, so that no character is cut.
      const part = bytes.slice(bytes.lastIndexOf(10, from) + 1, from + COMPARED_BYTES);
      const whole = part.slice(0, part.lastIndexOf(10) + 1);
      parts.push(whole.length > 0 ? whole : part);
      length += part.length;
    },
    finish() {
      if (wide !== undefined) return sure(wide);
      if (isUtf8 && hasEscapes) return sure('iso-2022-jp');
      if (isUtf8 && succeeds(() => utf8.end())) return sure('utf-8');
      return mostLikely(joined(parts));
    },
  };
}

export function findEncoding(bytes: Uint8Array): FoundEncoding {
  const finder = openEncodingFinder();
  finder.push(bytes);
  return finder.finish();
}

function succeeds(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

/** `ESC $ B`, `ESC $ @`: double bytes of JIS within seven bits. */
function hasJapaneseEscape(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(0x1b); at >= 0; at = bytes.indexOf(0x1b, at + 1)) {
    if (bytes[at + 1] === 0x24 && (bytes[at + 2] === 0x42 || bytes[at + 2] === 0x40)) return true;
  }
  return false;
}

/** The letters beyond ASCII of a language, and the encodings that files in it have. */
const ALPHABETS: readonly (readonly [letters: RegExp, encodings: readonly Encoding[]])[] = [
  ...[
    'äöüßÄÖÜ',
    'éèêëàâçîïôûùœÉÈÀÇÊ',
    'ñáéíóúüÁÉÍÓÚÑ',
    'ãõáéíóúâêôçàÃÕÁÉÍÓÚÂÊÔÇ',
    'åäöéøæÅÄÖØÆ',
    'àèéìòùÀÈÉ',
    'éëïöüèáó',
    'áðéíóúýþæöÁÐÍÓÚÝÞÆÖ',
  ].map((letters) => [lettersOf(letters), ['windows-1252', 'macintosh']] as const),
  ...[
    'ąćęłńóśźżĄĆĘŁŃÓŚŹŻ',
    'áčďéěíňóřšťúůýžÁČĎÉĚÍŇÓŘŠŤÚŮÝŽ',
    'áäčďéíĺľňóôŕšťúýžÁČĎÉÍĽŇÓÔŠŤÚÝŽ',
    'áéíóöőúüűÁÉÍÓÖŐÚÜŰ',
    'čćđšžČĆĐŠŽ',
    'ăâîşţĂÂÎŞŢ',
  ].map((letters) => [lettersOf(letters), ['windows-1250', 'iso-8859-2']] as const),
  [lettersOf('çğıöşüâîÇĞİÖŞÜ'), ['windows-1254']],
  [lettersOf('ąčęėįšųūžāēģīķļņõäöüĄČĘĖĮŠŲŪŽĀĒĢĪĶĻŅÕÄÖÜ'), ['windows-1257']],
  [/[\u0386-\u03ce]/u, ['windows-1253', 'iso-8859-7']],
  [
    /[\u0400-\u045f\u0490\u0491]/u,
    ['windows-1251', 'koi8-r', 'ibm866', 'x-mac-cyrillic', 'iso-8859-5', 'koi8-u'],
  ],
  [/[\u05d0-\u05ea]/u, ['windows-1255']],
  [/[\u0621-\u0652\u067e\u0686\u0698\u06a9\u06af\u06cc]/u, ['windows-1256']],
  [/[\u0e01-\u0e5b]/u, ['windows-874']],
  [/[\u3041-\u30ff\u4e00-\u9fff\u3000-\u3002\uff08-\uff5e]/u, ['shift_jis', 'euc-jp']],
  [/[\u4e00-\u9fff\u3001\u3002\uff08-\uff5e]/u, ['gb18030', 'big5']],
  [/[\uac00-\ud7a3]/u, ['euc-kr']],
];

function lettersOf(letters: string): RegExp {
  return new RegExp(`[${letters}]`, 'u');
}

/** Marks that texts of every language have. */
const MARKS_OF_TEXT = /[’‘“”„–—…€£§«»°©®\u00a0½²³·•]/u;
/** The letters that a third of every Cyrillic text is made of. */
const FREQUENT = /[оеаинтс]/u;

/** The difference of fit below which the second of two encodings may be right. */
const CLOSE = 0.1;

function mostLikely(bytes: Uint8Array): FoundEncoding {
  const scores = new Map<Encoding, number>();
  for (const [letters, encodings] of ALPHABETS) {
    for (const encoding of encodings) {
      const score = scoreOf(bytes, encoding, letters);
      if (score > (scores.get(encoding) ?? -1)) scores.set(encoding, score);
    }
  }
  const ordered = [...scores].toSorted(([, one], [, other]) => other - one);
  const [best, second] = ordered;
  if (best === undefined)
    return { encoding: 'windows-1252', isSure: false, likely: ['windows-1252'] };
  const isAlone = best[1] - (second?.[1] ?? 0) > CLOSE || isSameText(bytes, best[0], second?.[0]);
  return {
    encoding: best[0],
    isSure: best[1] > 0.9 && isAlone,
    likely: ordered.slice(0, 6).map(([encoding]) => encoding),
  };
}

function isSameText(bytes: Uint8Array, one: Encoding, other: Encoding | undefined): boolean {
  return other !== undefined && openDecoder(one).push(bytes) === openDecoder(other).push(bytes);
}

/** From -1, garbage, to 1: every character beyond ASCII is one of these letters, in words as people write them. */
function scoreOf(bytes: Uint8Array, encoding: Encoding, letters: RegExp): number {
  let text: string;
  try {
    const decoder = openDecoder(encoding);
    text = decoder.push(bytes) + decoder.end();
  } catch {
    return -1;
  }
  let points = 0;
  let count = 0;
  let frequent = 0;
  let before = '';
  for (const character of text) {
    const isLetter = character > '\x7f' && letters.test(character);
    if (character > '\x7f') {
      count += 1;
      points += isLetter ? 1 : MARKS_OF_TEXT.test(character) && !/\p{L}/u.test(before) ? 0.9 : -1;
      if (FREQUENT.test(character)) frequent += 1;
    }
    // No word has a capital behind a small letter, or letters of two scripts.
    if (/\p{Ll}/u.test(before) && /\p{Lu}/u.test(character)) points -= 1;
    before = character;
  }
  if (count === 0) return 0;
  const bonus = /[\u0400-\u04ff]/u.test(text) ? Math.min(0, frequent / count - 0.25) : 0;
  return points / count + bonus + bonusOf(bytes, encoding, text);
}

/** Common characters of Chinese have the first leading bytes, kana are Japanese, and Korean is written without hanja. */
function bonusOf(bytes: Uint8Array, encoding: Encoding, text: string): number {
  const shareOf = (pattern: RegExp) =>
    (text.match(pattern)?.length ?? 0) / Math.max(1, wideCount(text));
  if (encoding === 'shift_jis' || encoding === 'euc-jp') {
    return shareOf(/[\u3041-\u30ff]/gu) > 0.1 ? 0.2 : -0.3;
  }
  if (encoding === 'euc-kr') return 0.25;
  // Greek has capitals and accents; Hebrew letters in its code page have neither.
  if (
    /^[^\u0391-\u03a9\u03ac-\u03af\u03cc-\u03ce]*[\u03b1-\u03c9][^\u0391-\u03a9\u03ac-\u03af\u03cc-\u03ce]*$/u.test(
      text,
    )
  )
    return -0.3;
  const [first, last] = COMMON[encoding] ?? [];
  if (first === undefined || last === undefined) return 0;
  let common = 0;
  let all = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x81) continue;
    all += 1;
    if (byte >= first && byte <= last) common += 1;
    at += 1;
  }
  return (common / Math.max(1, all) - 0.9) * 2;
}

const COMMON: Readonly<Partial<Record<Encoding, readonly [number, number]>>> = {
  gb18030: [0xb0, 0xd7],
  big5: [0xa4, 0xc6],
};

function wideCount(text: string): number {
  return text.match(/[^\0-\x7f]/gu)?.length ?? 0;
}
