// The fields that a new record gets from days that a person drags over. Pure.

import type { Field, ObjectDefinition } from '@workspace-records/client';
import { calendarFieldsOf } from '../../lib/calendar-fields.ts';
import { zoneOfBrowser } from '../../lib/zoned-time.ts';
import { valueOnDay } from './days.ts';

const START = /start|begin|from|beginn/i;
const END = /end|due|until|deadline|ende|fällig|bis/i;

/** From the first day to the last one; both may be the same. */
export interface Span {
  readonly from: string;
  readonly to: string;
}

/** The shown field and, of several days, the field of their other end, if the object has one of the same type. */
export function valuesOfSpan(
  object: Pick<ObjectDefinition, 'fields'>,
  field: Field,
  span: Span,
): Readonly<Record<string, unknown>> {
  const [first = '', last = ''] = [span.from, span.to].toSorted();
  const isEnd = named(END, field) && !named(START, field);
  const value = (of: Field, day: string) => [of.key, valueOnDay(day, null, of, zoneOfBrowser())];
  const entry = value(field, isEnd ? last : first);
  const other = calendarFieldsOf(object).find(
    (one) =>
      one.key !== field.key &&
      one.type === field.type &&
      one.editable &&
      named(isEnd ? START : END, one),
  );
  if (first === last || other === undefined) return Object.fromEntries([entry]);
  return Object.fromEntries([entry, value(other, isEnd ? first : last)]);
}

function named(words: RegExp, { key, name }: Field): boolean {
  return words.test(key) || words.test(name ?? '');
}
