// A calendar: its counts and questions, and the moves of records by the pointer, by touch and by keys. One function moves
// them.

import { monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter';
import { useViewportSize } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { RecordData } from '@workspace-records/client';
import { useEffect, useId, useLayoutEffect, useMemo, useRef } from 'react';
import { fieldValue } from '../../lib/field-value.ts';
import { useCanChangeEach } from '../../lib/permissions.ts';
import { useSession } from '../../lib/session.ts';
import { zoneOfBrowser } from '../../lib/zoned-time.ts';
import { useHeldTouch } from '../../ui/use-held-touch.ts';
import type { CalendarContent } from './calendar-context.ts';
import type { CalendarProps } from './calendar-layout.tsx';
import { countsQuery, questionsOf } from './calendar-questions.ts';
import { dayOfValue, isWeek, type Shown } from './days.ts';
import { entryTouch } from './entry-touch.ts';
import { useEntryKeys } from './use-entry-keys.ts';
import { useHeldEntry } from './use-held-entry.ts';
import { useMoves } from './use-moves-of-days.ts';
import { useNewSpan } from './use-new-span.ts';

/** Pixels, as in calendar.module.css: what is above the weeks, the least day, its date and the way to others, a record. */
const ABOVE = 164;
const LEAST_DAY = 96;
const AROUND = 54;
const ENTRY = 25;
const MOST_OF_WEEK = 20;

/** As many records of a day as it has room for. */
function usePerDay(shown: Shown, days: number): number {
  const { height } = useViewportSize();
  if (isWeek(shown)) return MOST_OF_WEEK;
  const day = Math.max(LEAST_DAY, (height - ABOVE) / (days / 7));
  return Math.max(1, Math.floor((day - AROUND) / ENTRY));
}

export function useCalendar(props: CalendarProps, days: readonly string[]) {
  const { object, view, field, color, shown: period } = props;
  const session = useSession();
  const hintId = useId();
  const asked = { object, view, field, color };
  const { data: counts, error } = useQuery(countsQuery(session, asked, days));
  const perDay = usePerDay(period, days.length);
  const newSpan = useNewSpan(props);
  const mayChange = useCanChangeEach(object, 'update');
  const { moved, move } = useMoves(object, field);
  const dayOf = (record: RecordData) =>
    moved.get(record.id)?.day ?? dayOfValue(fieldValue(record, field), field, zoneOfBrowser());
  const records = useRef(new Map<string, RecordData>()).current;
  const canMove = (record: RecordData) => field.editable && mayChange(record);
  const holding = useHeldEntry({ days, canMove, dayOf, move });
  const keys = useEntryKeys(records, holding);
  const root = useRef<HTMLDivElement>(null);
  useHeldTouch(root, entryTouch(records, holding));
  useDrops(records, move);
  const questionOf = useMemo(
    () => counts && questionsOf({ object, view, field, color }, days, { counts, perDay }),
    [object, view, field, color, days, counts, perDay],
  );
  const content: CalendarContent = {
    ...{
      object,
      field,
      color,
      span: newSpan.span,
      hintId,
      counts,
      error,
      perDay,
      canMove,
      moved,
      dayOf,
      move,
    },
    ...{ ...keys, root, held: holding.held, told: holding.told },
    questionOf: (day) => ((counts?.get(day) ?? 0) === 0 ? undefined : questionOf?.(day)),
    note: (record) => void records.set(record.id, record),
  };
  return { content, handlers: { ...keys, ...newSpan.handlers } };
}

/** A record that is dropped on a day. */
function useDrops(
  records: ReadonlyMap<string, RecordData>,
  move: (record: RecordData, day: string) => void,
): void {
  const latest = useRef(move);
  useLayoutEffect(() => {
    latest.current = move;
  });
  useEffect(
    () =>
      monitorForElements({
        canMonitor: ({ source }) => typeof source.data.entry === 'string',
        onDrop: ({ source, location }) => {
          const day = location.current.dropTargets[0]?.data.day;
          const record = records.get(String(source.data.entry));
          if (record !== undefined && typeof day === 'string') latest.current(record, day);
        },
      }),
    [records],
  );
}
