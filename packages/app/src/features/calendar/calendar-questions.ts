// The questions of a calendar: how many records each day has, and some of them. Few records are one question; of many, each
// day that has some is a question of its own, and they are sent together. Pure but for the query.

import { queryOptions } from '@tanstack/react-query';
import type { Field, ObjectDefinition, Where } from '@workspace-records/client';
import { isDay } from '../../lib/field-facts.ts';
import { type RecordQuestion, selectionOf } from '../../lib/record-lists.ts';
import type { Session } from '../../lib/session.ts';
import type { ViewState } from '../../lib/view-state.ts';
import { startOfDay, zoneOfBrowser } from '../../lib/zoned-time.ts';
import { dayAfter } from './days.ts';

/** So many are one question. */
const FEW = 100;
/** Groups in an answer: more than the days of a month in whole weeks. */
const MOST_DAYS = 100;

export type Counts = ReadonlyMap<string, number>;

interface Asked {
  readonly object: ObjectDefinition;
  readonly view: Pick<ViewState, 'q' | 'where'>;
  readonly field: Field;
  /** The field whose options are the colours. */
  readonly color: Field | undefined;
}

/** The conditions for a range of days; the first and the last are included. */
export function conditionsOfDays(
  { key, type }: Pick<Field, 'key' | 'type'>,
  first: string,
  last: string,
): readonly Where[] {
  if (isDay({ type })) return [{ field: key, op: 'between', value: [first, last] }];
  const zone = zoneOfBrowser();
  const ends = [
    { op: 'gte', moment: startOfDay(first, zone) },
    { op: 'lt', moment: startOfDay(dayAfter(last, 1), zone) },
  ] as const;
  return ends.flatMap(({ op, moment }) =>
    moment === undefined ? [] : [{ field: key, op, value: moment.toISOString() }],
  );
}

export function conditionsWithoutDay({ key }: Pick<Field, 'key'>): readonly Where[] {
  return [{ field: key, op: 'is_null', value: true }];
}

export function countsQuery({ workspace, client }: Session, asked: Asked, days: readonly string[]) {
  const { object, view, field } = asked;
  const where = [...view.where, ...conditionsOfDays(field, days[0] ?? '', days.at(-1) ?? '')];
  const selection = selectionOf({ q: view.q, where });
  const by = isDay(field)
    ? { field: field.key, by: 'day' as const }
    : { field: field.key, by: 'day' as const, timezone: zoneOfBrowser() };
  return queryOptions({
    queryKey: [workspace, object.object_type, 'groups', 'calendar', selection, by],
    queryFn: async ({ signal }): Promise<Counts> => {
      const { data } = await client.records(object.object_type).aggregateQuery(
        {
          ...selection,
          group_by: [by],
          metrics: [{ name: 'records', op: 'count' }],
          limit: MOST_DAYS,
        },
        { signal },
      );
      const name = `${field.key}:day`;
      return new Map(data.map((group) => [String(group[name]), Number(group.records)]));
    },
  });
}

/** The question with the records of a day: the same one for all days where they are few. */
export function questionsOf(
  { object, view, field, color }: Asked,
  days: readonly string[],
  { counts, perDay }: { readonly counts: Counts; readonly perDay: number },
): (day: string) => RecordQuestion {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const common = {
    q: view.q,
    sort: [{ key: field.key, isDescending: false }],
    fields: calendarFields(object, [field, color]),
    expand: [],
  };
  const between = (first: string, last: string) => [
    ...view.where,
    ...conditionsOfDays(field, first, last),
  ];
  if (total <= FEW) {
    const whole = { ...common, where: between(days[0] ?? '', days.at(-1) ?? '') };
    return () => whole;
  }
  return (day) => ({
    ...common,
    where: between(day, day),
    limit: perDay + 1,
    isBesideOthers: true,
  });
}

/** The first ones without a day. */
export function questionWithout(
  { object, view, field, color }: Asked,
  limit: number,
): RecordQuestion {
  return {
    ...{ q: view.q, sort: [], expand: [], limit },
    fields: calendarFields(object, [field, color]),
    where: [...view.where, ...conditionsWithoutDay(field)],
  };
}

function calendarFields(
  { fields }: ObjectDefinition,
  shown: readonly (Field | undefined)[],
): readonly string[] {
  const keys = shown.flatMap((field) => field?.key ?? []);
  return [...new Set([...keys, 'owner_user_id'])].filter((one) =>
    fields.some((field) => field.key === one),
  );
}

/** How many records have no day; the service counts up to ten thousand. */
export function withoutQuery({ workspace, client }: Session, { object, view, field }: Asked) {
  const where = [...view.where, ...conditionsWithoutDay(field)];
  const selection = selectionOf({ q: view.q, where });
  return queryOptions({
    queryKey: [workspace, object.object_type, 'groups', 'calendar', selection],
    queryFn: async ({ signal }): Promise<number> => {
      const body = { ...selection, fields: ['id'], limit: 1, count: 'exact' as const };
      const { count } = await client.records(object.object_type).query(body, { signal });
      return count?.value ?? 0;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}
