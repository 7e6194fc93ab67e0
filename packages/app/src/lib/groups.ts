// Groups of records by the values of a field: the fields for it, and the conditions of a group. Pure.

import type { Field, Where } from '@workspace-records/client';
import { dayText, isInCalendar, localDay, utcDay } from './calendar.ts';
import { factsOf, isFew, isNumeric, isOfRecord, isOfTime, isQueryable } from './field-facts.ts';

export function groupFields(fields: readonly Field[]): readonly Field[] {
  // With more different values than people look through, groups are no help.
  return fields.filter(
    (field) => isQueryable(field) && (isFew(field) || isOfRecord(field) || isOfTime(field)),
  );
}

export function sumFields(fields: readonly Field[]): readonly Field[] {
  return fields.filter((field) => isQueryable(field) && isNumeric(field));
}

export interface RecordGroup {
  /** The value of the group; for days and moments, the first day of the month. */
  readonly value: unknown;
  readonly count: number;
  readonly sum: number | null;
}

/** Options in their own order, whatever their values are called. */
export function orderedGroups(
  groups: readonly RecordGroup[],
  { options = [] }: Field,
): readonly RecordGroup[] {
  const places = new Map(options.map(({ value }, place) => [value, place]));
  const placeOf = ({ value }: RecordGroup) => places.get(value) ?? places.size;
  if (options.length === 0) return groups;
  return [...groups].sort((one, other) => placeOf(one) - placeOf(other));
}

/** The conditions that find the records of a group. */
export function conditionsOfGroup(field: Field, value: unknown): readonly Where[] {
  const { key } = field;
  const { time } = factsOf(field);
  if (value === null) return [{ field: key, op: 'is_null', value: true }];
  if (time === null) return [{ field: key, op: 'eq', value }];
  const [year = 0, month = 1] = String(value).split('-').map(Number);
  if (time === 'day') {
    const last = dayText(utcDay(year, month + 1, 0));
    return [{ field: key, op: 'between', value: [String(value).slice(0, 10), last] }];
  }
  // A moment is in the month that it has in the time zone of the browser.
  const ends = [
    { op: 'gte', moment: localDay(year, month, 1) },
    { op: 'lt', moment: localDay(year, month + 1, 1) },
  ] as const;
  return ends
    .filter(({ moment }) => isInCalendar(moment))
    .map(({ op, moment }) => ({ field: key, op, value: moment.toISOString() }));
}
