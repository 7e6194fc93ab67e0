// The fields that the columns of a file would be, guessed from their headings and from all of their texts, one by one, with
// the reason of each guess. A guessed type takes every text that it was guessed from. Pure.

import { openWords } from './column-words.ts';
import { keysOf } from './field-keys.ts';
import {
  type ColumnFacts,
  type Guess,
  type GuessedField,
  type GuessedType,
  isOpen,
  type Reason,
} from './guess.ts';
import type { Notation, WrittenColumn } from './notation.ts';
import { isEmailAddress, isPhoneNumber, isWebAddress } from './text-shapes.ts';
import {
  type FoundForms,
  type FoundNumbers,
  type FoundTimes,
  findTimes,
  hasShortYears,
  lastHundredYears,
  openNumbers,
  openTimes,
  zoneInHeading,
} from './written-forms.ts';

const MOST_INTEGER = 2 ** 31 - 1;

export interface Column {
  /** A value: not empty, without spaces around it. */
  add(text: string): void;
  facts(): ColumnFacts;
  /** The written numbers and times, for the notation of the file. */
  written(): WrittenColumn;
  guess(notation?: Notation): Guess;
}

const NO_NOTATION: Notation = { numbers: undefined, times: undefined };

/** `today`: two-digit years of birth are not after it. */
export function openColumn(heading: string, today: Date): Column {
  let shapes = SHAPES.map(({ type, rule, of }) => ({ type, rule, fits: of(heading) }));
  const numbers = openNumbers();
  const times = openTimes();
  const words = openWords();
  const codes = openCodes();
  const tests = [numbers, times, words, codes];
  return {
    add(text) {
      for (const one of tests) one.add(text);
      shapes = shapes.filter(({ fits }) => fits(text));
    },
    facts: () => words.facts(),
    written: () => ({
      ...{ heading, facts: words.facts(), numbers: numbers.finish(), times: times.finish() },
    }),
    guess(notation = NO_NOTATION) {
      if (words.facts().filled === 0) return { type: 'text', form: {}, reason: { rule: 'empty' } };
      const [shape] = shapes;
      const found = times.finish(notation.times?.mark);
      if (words.isTruth()) return { type: 'boolean', form: {}, reason: { rule: 'truths' } };
      if (found !== undefined)
        return { ...guessTimes(heading, found, today), ...choiceOf(found, notation.times) };
      if (shape !== undefined) return { type: shape.type, form: {}, reason: { rule: shape.rule } };
      return (
        guessNumbers(heading, { found: numbers.finish(notation.numbers?.mark), codes, notation }) ??
        guessWords(words.guess(heading, codes.reason() ?? identifierReason(heading)))
      );
    },
  };
}

const LONGEST_URL = 500;
const PHONE_HEADING = /phone|tel|mobil|fax|handy/i;

const SHAPES: readonly {
  readonly type: GuessedType;
  readonly rule: Reason['rule'];
  readonly of: (heading: string) => (text: string) => boolean;
}[] = [
  { type: 'email', rule: 'emails', of: () => (text) => text.length <= 320 && isEmailAddress(text) },
  {
    type: 'url',
    rule: 'addresses',
    of: () => (text) => text.length <= LONGEST_URL && isWebAddress(text),
  },
  {
    ...{ type: 'phone', rule: 'phones' },
    of: (heading) => {
      const isOfPhones = PHONE_HEADING.test(heading);
      return (text) =>
        text.length <= 50 &&
        isPhoneNumber(text) &&
        text.replaceAll(/\D/g, '').length >= 6 &&
        (isOfPhones || text.startsWith('+'));
    },
  },
];

const BIRTH = /birth|born|\bdob\b|geburt|geboren|naissance|nacimiento|nascita/i;

function guessTimes(heading: string, found: FoundTimes, today: Date): Guess {
  const { hasTime, hasOffset } = found;
  const zone = hasTime && !hasOffset ? zoneInHeading(heading) : undefined;
  const isOfBirth = hasShortYears(found.form) && BIRTH.test(heading);
  const form = {
    ...found.form,
    ...(zone === undefined ? {} : { timezone: zone }),
    ...(isOfBirth ? { first_year: lastHundredYears(today) } : {}),
  };
  const reason = { rule: 'times' } as const;
  return { type: hasTime ? 'datetime' : 'date', form, reason };
}

/** Days in several forms are not the options of a list. */
function guessWords(guess: Guess): Guess {
  const { options = [] } = guess;
  const days = options.filter(({ label }) => findTimes([label]) !== undefined);
  return days.length * 2 > options.length
    ? { type: 'text', form: {}, reason: { rule: 'texts' } }
    : guess;
}

/** The further forms that a column may have, and the column that decides between them. */
function choiceOf({ others }: FoundForms, shown: Notation['times']): Pick<Guess, 'others' | 'by'> {
  if (others.length === 0) return {};
  return shown === undefined ? { others } : { others, by: shown.heading };
}

/** The last word of a heading of digits with which nobody calculates. */
const IDENTIFIERS: ReadonlySet<string> = new Set([
  ...['id', 'ids', 'uuid', 'guid', 'no', 'nr', 'num', 'number', 'nummer', 'numero', 'code', 'key'],
  ...['ean', 'gtin', 'upc', 'isbn', 'issn', 'sku', 'asin', 'barcode', 'serial', 'imei', 'ref'],
  ...['reference', 'referenz', 'vat', 'iban', 'bic', 'swift', 'ssn', 'tin', 'siret', 'siren'],
  ...['zip', 'zipcode', 'plz', 'postcode', 'postal', 'postleitzahl', 'cap', 'cep', 'konto'],
  ...['sort', 'pin', 'hash'],
]);
/** These are quantities when they are the whole heading. */
const QUANTITIES: ReadonlySet<string> = new Set([
  'no',
  'num',
  'number',
  'numero',
  'key',
  'cap',
  'sort',
]);
const COMPOUND = /(?:nummer|nr|code|leitzahl|kennung|zip)$/;

export function isIdentifier(heading: string): boolean {
  const words = heading
    .replace(/\s*[([].*$/, '')
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}#]+/u)
    .filter((word) => word !== '' && !/^\d+$/.test(word));
  const last = words.at(-1) ?? '';
  if (PHONE_HEADING.test(heading) || last.endsWith('#')) return true;
  if (words.length === 1 && QUANTITIES.has(last)) return false;
  return IDENTIFIERS.has(last) || (last.length > 4 && COMPOUND.test(last));
}

function identifierReason(heading: string): Reason | undefined {
  return isIdentifier(heading) ? { rule: 'identifier' } : undefined;
}

interface NumberFacts {
  readonly found: FoundNumbers | undefined;
  readonly codes: ReturnType<typeof openCodes>;
  readonly notation: Notation;
}

function guessNumbers(heading: string, { found, codes, notation }: NumberFacts): Guess | undefined {
  if (found === undefined) return undefined;
  const { currency, isPercent, isWhole, largest } = found;
  const how = { form: found.form, ...choiceOf(found, notation.numbers) };
  if (currency !== undefined)
    return { type: 'currency', ...how, currency, reason: { rule: 'amounts' } };
  if (isPercent) return { type: 'percent', ...how, reason: { rule: 'percents' } };
  const asText = (rule: Reason['rule']): Guess => ({ type: 'text', form: {}, reason: { rule } });
  if (isIdentifier(heading)) return asText('identifier');
  if (codes.areBarcodes()) return asText('barcodes');
  // A number takes both of two readings.
  if (!isWhole || isOpen(how)) return { type: 'number', ...how, reason: { rule: 'numbers' } };
  if (largest > MOST_INTEGER) return { type: 'number', ...how, reason: { rule: 'beyond' } };
  return { type: 'integer', ...how, reason: { rule: 'numbers' } };
}

/** Digits that are no numbers: the first text that shows it, and whether all are article numbers. */
function openCodes() {
  let reason: Reason | undefined;
  let length = 0;
  let count = 0;
  let areValid = true;
  return {
    add(text: string) {
      count += 1;
      if (reason === undefined && /^[+-]?0\d+$/.test(text))
        reason = { rule: 'zeros', example: text };
      if (reason === undefined && /^[+-]?\d{16,}$/.test(text))
        reason = { rule: 'digits', example: text };
      length ||= text.length;
      areValid &&= text.length === length && /^\d{12,14}$/.test(text) && hasCheckDigit(text);
    },
    reason: () => reason,
    areBarcodes: () => count > 1 && areValid,
  };
}

/** The sum of the digits, each second one from the right three times, ends with a zero (GTIN). */
function hasCheckDigit(text: string): boolean {
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) {
    sum += Number(text[at]) * ((text.length - at) % 2 === 0 ? 3 : 1);
  }
  return sum % 10 === 0;
}

/** The most characters of the name of a field. */
const LONGEST_NAME = 200;

/** The fields of these columns. */
export function guessedFields(
  headings: readonly string[],
  guesses: readonly Guess[],
): readonly GuessedField[] {
  const keys = keysOf(headings);
  return guesses.map((guess, index) => ({
    ...guess,
    key: keys[index] ?? `column_${index + 1}`,
    name: (headings[index] ?? '').slice(0, LONGEST_NAME).trim(),
  }));
}
