// Normalises texts for search over all object types, and finds the words of a text at which a search may start (D93).
// In JavaScript, so that results do not depend on the collations of a server. Pure.

/** How the value of a field is split. */
export type SearchKind = 'display' | 'text' | 'email' | 'phone';

/** 0: the display value begins here; 1: another value does; 2: a later word of either. */
export type WordPosition = 0 | 1 | 2;

/** A normalised text from one of its words on. */
export interface WordStart {
  readonly place: WordPosition;
  readonly text: string;
}

/** The text that a client searches for. */
export interface SearchTerms {
  /** Normalised, as one phrase; empty when the text has no word to search for. */
  readonly phrase: string;
  /** Digits to try when it can be a part of a phone number. */
  readonly phones: readonly string[];
  /** The words of the text, without repetition; none of a phone number. */
  readonly words: readonly string[];
}

/** The longest query is this long (§8), so later characters are never compared. */
const PHRASE_LENGTH = 200;
/** Later words are compared less far: a row each, and every index has the text. */
const WORD_LENGTH = 64;
/** Beyond this a text has no words: a bound on the rows of one record. */
const WORDS_PER_VALUE = 500;
const WORDS_PER_QUERY = 8;

/**
 * Combining accents and variants of signs. Vowel signs of Indic scripts and the marks of Kana are excluded: they change
 * the letter.
 */
const ACCENTS = new RegExp(
  '[\\u0300-\\u036f\\u0483-\\u0487\\u0591-\\u05bd\\u05bf-\\u05c7\\u064b-\\u065f\\u0670' +
    '\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe00-\\ufe0f\\ufe20-\\ufe2f]',
  'g',
);
/** Letters with a stroke and the like: Unicode does not take them apart. */
const PLAIN: Readonly<Record<string, string>> = Object.freeze({
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
  ĸ: 'k',
  ŋ: 'n',
  ς: 'σ',
});
const SPECIAL = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g');

/** Scripts that put no space between words: every character starts one. */
const UNSPACED =
  '\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Hang}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}';
const START = new RegExp(
  `(?:^|(?<= )|(?<=[${UNSPACED}ー]))(?!ー)[\\p{L}\\p{N}]|(?=\\p{L})[${UNSPACED}]`,
  'gu',
);
const RUN =
  /[\p{sc=Han}]+|[\p{sc=Hira}\p{sc=Kana}ー]+|\p{sc=Hang}+|[^ \p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}ー]+/gu;
/** Begins at the first letter of a word only: from each letter of a long word on it would take quadratic time. */
const COMPOUND = /(?<![\p{L}\p{N}])[\p{L}\p{N}]+(?:['’.&\-‐‑][\p{L}\p{N}]+)+\.?/gu;
const CAN_SLIP = new RegExp(`^(?=.*\\p{L})(?:(?![${UNSPACED}])[\\p{L}\\p{N}]){3,32}$`, 'u');
const LEXEME = new RegExp(`^(?:[${UNSPACED}ー]{1,2}|[^ <${UNSPACED}ー]+)`, 'u');
const ENDS_UNSPACED = new RegExp(`[${UNSPACED}ー]$`, 'u');
const PHONE_QUERY = /^[+(\d][\d\s().,/-]*$/;
/** Least digits of the end of a number: shorter ends match too many numbers. */
const PHONE_END = 4;
/** Characters beyond this length are not a number: each group is compared with all digits before and after it. */
const PHONE_LENGTH = 500;
/** Prefix of reversed digits; no normalised text contains it. */
const BACKWARDS = '<';
/** The part after the last dot of an address. */
const LAST_LABEL = /(@[^\s@]+)\.[^\s@.]*(?=\s|$)/g;

/** Most texts are ASCII, for which normalisation without Unicode takes half the time (D145). */
const ASCII = /^[ -~]*$/;
const JOINER = /['’.&\-‐‑]/u;

/** The text without case, accents and punctuation: `Łódź-Nord GmbH` → `lodz nord gmbh`. */
export function normalise(text: string): string {
  if (ASCII.test(text)) {
    return text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, ' ')
      .trim();
  }
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(ACCENTS, '')
    .replace(SPECIAL, (letter) => PLAIN[letter] as string)
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim();
}

/** The index entries of this value: one for each word at which a search may start. */
export function wordStarts(kind: SearchKind, value: string): readonly WordStart[] {
  if (kind === 'phone') return phoneStarts(value);
  // One field may hold several names, such as aliases; a display value is one.
  const isList = kind === 'text' && /[;\n]/.test(value);
  const words = new Map<string, WordStart>();
  for (const phrase of isList ? value.split(/[;\n]/) : [value]) {
    if (words.size >= WORDS_PER_VALUE) break;
    addPhrase(words, kind, phrase);
  }
  return [...words.values()];
}

/** The words by which a typo can be corrected, without repetition. */
export function slipWords(starts: readonly WordStart[]): readonly string[] {
  const words = new Set(starts.map(({ text }) => firstWord(text)));
  return [...words].filter(canHaveTypo);
}

function firstWord(text: string): string {
  const end = text.indexOf(' ');
  return end === -1 ? text : text.slice(0, end);
}

/**
 * The first word of a normalised text, of a script without spaces its first two characters; none for digits in
 * reverse order.
 */
export function lexemeOf(text: string): string {
  return cut(LEXEME.exec(text)?.[0] ?? '', WORD_LENGTH);
}

/** Long enough to be recognised with a mistake, and no number, where every digit counts. */
function canHaveTypo(word: string): boolean {
  return CAN_SLIP.test(word);
}

/** Whether a typed word may be such a word with a typo, which may be a missing letter. */
export function canBeMeant(word: string): boolean {
  return canHaveTypo(word) || ([...word].length === 2 && canHaveTypo(`${word}${word}`));
}

/** Whether the next word may follow without a space. */
export function isUnspaced(word: string): boolean {
  return ENDS_UNSPACED.test(word);
}

export function parseSearchTerms(query: string): SearchTerms {
  const phrase = cut(normalise(query), PHRASE_LENGTH);
  const phones = phoneQueries(query.trim());
  // The last label of an address is not kept, see addPhrase.
  const withoutLastLabel = query.includes('@')
    ? normalise(query.replace(LAST_LABEL, '$1'))
    : phrase;
  const runs = [...withoutLastLabel.matchAll(RUN)].map(([word]) => cut(word, WORD_LENGTH));
  const words = runs.filter((word) => startsOf(word).length > 0);
  const unique = [...new Set(words)].slice(0, WORDS_PER_QUERY);
  return { phrase, phones, words: phones.length > 0 ? [] : unique };
}

/** The part of a phrase that is compared with later words. */
export function asWord(phrase: string): string {
  return cut(phrase, WORD_LENGTH);
}

/** Adds the starts of a phrase that are not there yet; no more than a value may have. */
function addPhrase(found: Map<string, WordStart>, kind: SearchKind, value: string): void {
  const phrase = normalise(value);
  const starts = startsOf(phrase);
  // The last label of an address (`com`) is the same in too many of them.
  const count = kind === 'email' && starts.length > 1 ? starts.length - 1 : starts.length;
  for (let at = 0; at < count && found.size < WORDS_PER_VALUE; at += 1) {
    const index = starts[at] as number;
    const length = index === 0 ? PHRASE_LENGTH : WORD_LENGTH;
    const text = cut(phrase.slice(index, index + length + 1), length);
    if (found.has(text)) continue;
    const place = index > 0 ? 2 : kind === 'display' ? 0 : 1;
    found.set(text, { place, text });
  }
  for (const text of kind === 'email' ? [] : compounds(value)) {
    if (found.size < WORDS_PER_VALUE && !found.has(text)) found.set(text, { place: 2, text });
  }
}

/** Where the words of a normalised phrase begin. */
export function startsOf(phrase: string): readonly number[] {
  if (!ASCII.test(phrase)) return [...phrase.matchAll(START)].map(({ index }) => index);
  const starts: number[] = phrase === '' ? [] : [0];
  for (let at = phrase.indexOf(' '); at !== -1; at = phrase.indexOf(' ', at + 1)) {
    starts.push(at + 1);
  }
  return starts;
}

/** `Coca-Cola` is looked for as `cocacola` too, `L'Oréal` as `loreal`. */
function compounds(value: string): readonly string[] {
  // For a value without joiners, the other expression would try every letter.
  if (!JOINER.test(value)) return [];
  return [...value.matchAll(COMPOUND)]
    .map(([compound]) => cut(normalise(compound).replaceAll(' ', ''), WORD_LENGTH))
    .filter((text) => text !== '');
}

/**
 * The digits from each group on, and all of them backwards: a number is known by its end. After `+`
 * the length of the country code is not known: the number is found without one, two or three digits
 * of it.
 */
function phoneStarts(value: string): readonly WordStart[] {
  const phone = value.slice(0, PHONE_LENGTH).normalize('NFKD');
  const [digits, length] = [phone.replace(/\D/g, ''), phone.match(/\d/g)?.length ?? 0];
  const groups = [...phone.matchAll(/(?<!\d)\d/g)].map(
    ({ index }) => phone.slice(0, index).replace(/\D/g, '').length,
  );
  const codes = phone.trim().startsWith('+') ? [1, 2, 3] : [];
  const starts = [...groups, ...codes].flatMap((start): readonly WordStart[] => {
    const text = digits.slice(start).replace(/^0+/, '');
    return start < length && text.length >= 2 ? [{ place: 2, text: cut(text, WORD_LENGTH) }] : [];
  });
  if (digits === '') return uniqueStarts(starts);
  const whole: WordStart = { place: 1, text: cut(digits, WORD_LENGTH) };
  const end: WordStart = { place: 2, text: cut(backwards(digits), WORD_LENGTH) };
  return uniqueStarts([whole, ...starts, ...(digits.length < PHONE_END ? [] : [end])]);
}

function backwards(digits: string): string {
  return `${BACKWARDS}${[...digits].toReversed().join('')}`;
}

/** `0170 123` is `170123` in `+49 170 1234567`; `+49 170 123` is the same in `0170 1234567`. */
function phoneQueries(query: string): readonly string[] {
  const all = query.replace(/\D/g, '');
  if (!PHONE_QUERY.test(query) || all.length < 3) return [];
  const digits = all.replace(/^0+/, '');
  const isInternational = /^(?:\+|00)/.test(query);
  const codes = isInternational && digits.length > 7 ? [1, 2, 3] : [];
  const ends = all.length < PHONE_END ? [] : [backwards(all)];
  return [all, digits, ...codes.map((code) => digits.slice(code)), ...ends].filter(
    (text, index, list) => text.length >= 2 && list.indexOf(text) === index,
  );
}

function uniqueStarts(starts: readonly WordStart[]): readonly WordStart[] {
  const byText = new Map<string, WordStart>();
  for (const start of starts) if (!byText.has(start.text)) byText.set(start.text, start);
  return [...byText.values()];
}

/** Never between the halves of a surrogate pair. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const head = text.slice(0, length);
  return (head.isWellFormed() ? head : head.slice(0, -1)).trimEnd();
}
