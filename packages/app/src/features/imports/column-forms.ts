// How a column writes its numbers and times: the forms that it may have, and whether the file decides between them. Pure.

import type { Field } from '@workspace-records/client';
import type { ColumnFacts, Guess } from '../../../../tables/src/guess.ts';
import type { Notation } from '../../../../tables/src/notation.ts';
import type { Table } from '../../../../tables/src/reading.ts';
import {
  type FoundForms,
  findNumbers,
  findTimes,
  hasShortYears,
  isMidnight,
  lastHundredYears,
  numberLike,
  readTime,
  type WrittenForm,
  zoneInHeading,
} from '../../../../tables/src/written-forms.ts';
import { factsOf, isNumeric } from '../../lib/field-facts.ts';
import { zoneOfBrowser } from '../../lib/zoned-time.ts';

export interface Column {
  readonly heading: string;
  readonly facts: ColumnFacts | undefined;
  readonly guess: Guess | undefined;
  /** That of the file. */
  readonly notation: Notation;
}

/** A column of a file. */
export function columnIn(
  {
    headings,
    columns,
    guesses,
    notation,
  }: Pick<Table, 'headings' | 'columns' | 'guesses' | 'notation'>,
  heading: string,
): Column {
  const index = headings.indexOf(heading);
  return { heading, facts: columns[index], guess: guesses[index], notation };
}

export interface ColumnForms {
  /** The likely one first; none: the values have none in common. */
  readonly forms: readonly WrittenForm[];
  /** The heading of the column that decides between several. */
  readonly by: string | undefined;
}

/** The form that the file decides for; undefined: a person has to choose one. */
export function decidedForm({ forms: [form = {}, ...others], by }: ColumnForms) {
  return others.length > 0 && by === undefined ? undefined : form;
}

/** The form of a column is that of so many of its values; the others are problems of their rows. */
const MOSTLY = 0.5;

export function formsOf(
  field: Pick<Field, 'type'>,
  { heading, facts, guess, notation }: Column,
): ColumnForms {
  const texts = facts?.distinct ?? [];
  const guessed = guess && { form: guess.form, others: guess.others ?? [] };
  if (isNumeric(field)) {
    const shown = notation.numbers;
    const isKnown = guess !== undefined && isNumeric(guess);
    return chosen(isKnown ? guessed : findNumbers(numberLike(texts), shown?.mark), shown);
  }
  const { time } = factsOf(field);
  if (time === null) return { forms: [], by: undefined };
  const found = findTimes(texts, MOSTLY, notation.times?.mark);
  const isKnown = guess !== undefined && factsOf(guess).time !== null;
  const { forms, by } = chosen(isKnown ? guessed : found, notation.times);
  const isOfTimes = found?.hasTime === true && !texts.every(isMidnight);
  const isZoned = time === 'day' ? isOfTimes : found?.hasOffset === false;
  const timezone = zoneInHeading(heading) ?? zoneOfBrowser();
  return {
    by,
    forms: forms.map(({ timezone: _, ...form }) =>
      withCentury({ ...form, ...(isZoned ? { timezone } : {}) }, texts),
    ),
  };
}

function chosen(found: FoundForms | undefined, shown: Notation['times']): ColumnForms {
  if (found === undefined) return { forms: [], by: undefined };
  const { form, others } = found;
  return { forms: [form, ...others], by: others.length === 0 ? undefined : shown?.heading };
}

/** Plans are made for so many years. */
const AHEAD = 20;

/** Years of two digits that would lie in the far future are those of the last hundred years. */
function withCentury(form: WrittenForm, texts: readonly string[]): WrittenForm {
  return futureText(form, texts, AHEAD) === undefined
    ? form
    : { ...form, first_year: lastHundredYears(new Date()) };
}

/** A text whose two digits of the year are a year in the future. */
export function futureText(
  form: WrittenForm,
  texts: readonly string[],
  ahead = 0,
): string | undefined {
  if (!hasShortYears(form)) return undefined;
  const next = String(new Date().getFullYear() + ahead + 1);
  return texts.find((text) => (readTime(text, form) ?? '') >= next);
}
