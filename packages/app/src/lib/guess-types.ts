// The fields that the columns of a file would be, guessed from their headings and texts. Pure: a person sees the guess and
// may change it before anything is made.

import type { FieldType } from '@workspace-records/client';
import { type FoundTimes, findNumbers, findTimes, type WrittenForm } from './written-forms.ts';

/** References, people and JSON cannot be told from texts. */
export type GuessedType = Exclude<FieldType, 'reference' | 'user' | 'json' | 'file'>;

export interface GuessedOption {
  readonly value: string;
  /** The text in the file. */
  readonly label: string;
}

/** One column as a field of a definition. */
export interface GuessedField {
  /** The key of the field, unique in the file. */
  readonly key: string;
  /** The heading of the column. */
  readonly name: string;
  readonly type: GuessedType;
  /** The options of `select` and `multi_select`. */
  readonly options?: readonly GuessedOption[];
  /** The ISO 4217 code of `currency`. */
  readonly currency?: string;
  /** How the file writes the values, for its mapping. */
  readonly form: WrittenForm;
}

/** Longer texts are no words of a list. */
const LONGEST_OPTION = 60;
const MOST_OPTIONS = 25;
/** Each option occurs at least so often, on average. */
const OFTEN = 3;
const LONG_TEXT = 200;

/** One field for each heading; `rows` are the first rows of the file, without its header. */
export function guessTypes(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): readonly GuessedField[] {
  const keys = keysOf(headings);
  return headings.map((heading, index) => {
    const texts = rows.map((row) => (row[index] ?? '').trim()).filter((text) => text !== '');
    const name = heading.trim() === '' ? `Column ${index + 1}` : heading.trim();
    return { key: keys[index] ?? `column_${index + 1}`, name, ...guessType(name, texts) };
  });
}

type Guess = Omit<GuessedField, 'key' | 'name'>;

/** `texts`: without empty ones and without spaces around them. */
export function guessType(heading: string, texts: readonly string[]): Guess {
  const guess = (type: GuessedType, form: WrittenForm = {}): Guess => ({ type, form });
  const all = (pattern: RegExp) => texts.every((text) => pattern.test(text));
  if (texts.length === 0) return guess('text');
  if (isTruth(texts)) return guess('boolean');
  if (all(EMAIL)) return guess('email');
  if (all(URL_TEXT)) return guess('url');
  const times = findTimes(texts);
  if (times !== undefined) return guess(times.hasTime ? 'datetime' : 'date', timesForm(times));
  if (isPhone(heading, texts)) return guess('phone');
  const numbers = findNumbers(texts);
  if (numbers !== undefined) {
    const { form, currency, isPercent, isWhole } = numbers;
    if (currency !== undefined) return { ...guess('currency', form), currency };
    return guess(isPercent ? 'percent' : isWhole ? 'integer' : 'number', form);
  }
  return guessText(heading, texts);
}

function guessText(heading: string, texts: readonly string[]): Guess {
  const isLong = texts.some((text) => text.length > LONG_TEXT || text.includes('\n'));
  if (isLong) return { type: 'long_text', form: {} };
  if (NAMES.test(heading)) return { type: 'text', form: {} };
  const isList = texts.some((text) => text.includes(';'));
  const words = wordsOf(isList ? texts.flatMap((text) => text.split(';')) : texts);
  if (words === undefined) return { type: 'text', form: {} };
  return { type: isList ? 'multi_select' : 'select', options: optionsOf(words), form: {} };
}

const EMAIL = /^[^\s@<>(),;:"]+@[^\s@<>(),;:"]+\.[^\s@<>(),;:".]+$/;
const URL_TEXT = /^https?:\/\/\S+$/i;
const PHONE = /^\+?[\d\s()./-]{6,25}$/;
const PHONE_HEADING = /phone|tel|mobil|fax|handy/i;
const NAMES =
  /(?:^|[\s_])(?:name|title|titel|subject|betreff|address|adresse|street|stra(?:ß|ss)e)$/i;

function isPhone(heading: string, texts: readonly string[]): boolean {
  if (!texts.every((text) => PHONE.test(text) && text.replaceAll(/\D/g, '').length >= 6)) {
    return false;
  }
  return PHONE_HEADING.test(heading) || texts.every((text) => text.startsWith('+'));
}

const TRUTHS: readonly ReadonlySet<string>[] = [
  new Set(['true', 'false']),
  new Set(['yes', 'no']),
  new Set(['ja', 'nein']),
  new Set(['wahr', 'falsch']),
  new Set(['checked', 'unchecked']),
];

function isTruth(texts: readonly string[]): boolean {
  return TRUTHS.some((words) => texts.every((text) => words.has(text.toLowerCase())));
}

/** Times without an offset are those of the person's clock. */
export function timesForm({ form, hasTime, hasOffset }: FoundTimes): WrittenForm {
  if (!hasTime || hasOffset) return form;
  return { ...form, timezone: Intl.DateTimeFormat().resolvedOptions().timeZone };
}

/** The few words that the column repeats, in the order of their first row; undefined: it has others. */
function wordsOf(texts: readonly string[]): readonly string[] | undefined {
  const words = new Set(texts.map((text) => text.trim()).filter((text) => text !== ''));
  if (words.size > MOST_OPTIONS || texts.length < words.size * OFTEN) return undefined;
  return [...words].every((word) => word.length <= LONGEST_OPTION) ? [...words] : undefined;
}

function optionsOf(words: readonly string[]): readonly GuessedOption[] {
  const values = uniqueKeys(words, 'option');
  return words.map((label, index) => ({ value: values[index] ?? label, label }));
}

/** The keys of the service (model.ts there), and the columns of an exported file that would clash. */
const TAKEN = [
  ...['id', 'object_type', 'status', 'status_id', 'owner_user_id', 'created_at', 'updated_at'],
  ...['custom_fields', 'public_id', 'created_by_user_id', 'version', 'fields', 'display'],
];

/** Keys of fields for these headings, each once. */
export function keysOf(
  headings: readonly string[],
  taken: readonly string[] = [],
): readonly string[] {
  return uniqueKeys(headings, 'column', [...TAKEN, ...taken]);
}

function uniqueKeys(
  texts: readonly string[],
  instead: string,
  taken: readonly string[] = [],
): readonly string[] {
  const used = new Set(taken);
  return texts.map((text, index) => {
    const plain = keyOf(text);
    const base = plain === '' ? `${instead}_${index + 1}` : plain;
    let key = base;
    for (let next = 2; used.has(key); next += 1) key = `${base.slice(0, 46)}_${next}`;
    used.add(key);
    return key;
  });
}

const LETTERS: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  ø: 'o',
  æ: 'ae',
};

/** The text as a key of a definition: small letters, digits and `_`. Empty when nothing is left. */
function keyOf(text: string): string {
  const plain = text
    .toLowerCase()
    .replaceAll(/[äöüßøæ]/g, (letter) => LETTERS[letter] ?? letter)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '');
  const started = /^\d/.test(plain) ? `n_${plain}` : plain;
  return started.slice(0, 50).replace(/_$/, '');
}
