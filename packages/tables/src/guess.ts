// A guess of the field that a column would be, and the facts of the column.

import type { WrittenForm } from './written-forms.ts';

/** References, people and JSON cannot be recognised from texts. */
export type GuessedType =
  | ('text' | 'long_text' | 'integer' | 'number' | 'currency' | 'percent' | 'boolean' | 'date')
  | ('datetime' | 'select' | 'multi_select' | 'email' | 'phone' | 'url');

/** Why a column has its type. */
export const REASONS = {
  empty: 'The column is empty.',
  truths: 'All values are yes or no.',
  emails: 'All values are e-mail addresses.',
  addresses: 'All values are web addresses.',
  times: 'All values are dates or times.',
  phones: 'All values are telephone numbers.',
  identifier: 'The heading says that the digits are an id, a code or a number of something.',
  source: 'The program that wrote the file knows its records by these ids.',
  zeros: 'A value has zeros before its digits.',
  digits: 'A value has more digits than a number keeps.',
  barcodes: 'All values are article numbers with a check digit.',
  beyond: 'A whole number has more than 32 bits.',
  numbers: 'All values are numbers.',
  amounts: 'All values are amounts of one currency.',
  percents: 'All values are percentages.',
  long: 'A value is long, or has several lines.',
  words: 'The same few words occur again and again.',
  lists: 'The values are lists of words that also occur in other lists.',
  texts: 'The values are texts.',
} as const;

export interface Reason {
  readonly rule: keyof typeof REASONS;
  /** A value that shows it. */
  readonly example?: string;
}

export interface GuessedOption {
  readonly value: string;
  /** The option as the file writes it. */
  readonly label: string;
}

export interface Guess {
  readonly type: GuessedType;
  /** How the file writes the values, for its mapping. */
  readonly form: WrittenForm;
  readonly reason: Reason;
  /** The options of `select` and `multi_select`. */
  readonly options?: readonly GuessedOption[];
  /** The code of `currency` in ISO 4217. */
  readonly currency?: string;
  /** Further forms of numbers and times that all values have as well. */
  readonly others?: readonly WrittenForm[];
  /** The heading of the column that decides between them; undefined: a person has to. */
  readonly by?: string;
}

/** Two readings are possible, and nothing in the file decides between them. */
export function isOpen({ others = [], by }: Pick<Guess, 'others' | 'by'>): boolean {
  return others.length > 0 && by === undefined;
}

/** One column as a field of a definition. */
export interface GuessedField extends Guess {
  /** The key of the field, unique in the file. */
  readonly key: string;
  readonly name: string;
  /** Its values identify records. */
  readonly isUnique?: boolean;
}

export interface ColumnFacts {
  /** Rows with a value. */
  readonly filled: number;
  /** Its values in the order of their first rows, up to `MOST_DISTINCT`. */
  readonly distinct: readonly string[];
  /** There are more values than `distinct` has. */
  readonly isMany: boolean;
}

/** The field as a definition has it. */
export function definedField({
  key,
  name,
  type,
  options,
  currency,
  isUnique,
}: GuessedField): Readonly<Record<string, unknown>> {
  return {
    ...{ name: name.trim() === '' ? key : name.trim(), type },
    ...(options === undefined ? {} : { options }),
    ...(currency === undefined ? {} : { currency }),
    ...(isUnique === true ? { unique: true } : {}),
  };
}
