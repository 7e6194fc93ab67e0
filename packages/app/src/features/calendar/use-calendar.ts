// A calendar: its counts and questions, and the moves of records by the pointer and by keys. One function moves them.

import { monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter';
import { useQuery } from '@tanstack/react-query';
import type { RecordData } from '@workspace-records/client';
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { fieldValue } from '../../lib/field-value.ts';
import { useT } from '../../lib/messages/index.ts';
import { useCanChangeEach } from '../../lib/permissions.ts';
import { useSession } from '../../lib/session.ts';
import { zoneOfBrowser } from '../../lib/zoned-time.ts';
import type { CalendarContent, Held } from './calendar-context.ts';
import type { CalendarProps } from './calendar-layout.tsx';
import { countsQuery, questionsOf } from './calendar-questions.ts';
import { useDayNames } from './day-names.ts';
import { dayAfter, dayOfValue, isWeek } from './days.ts';
import { useMoves } from './use-moves-of-days.ts';

/** Records of a day that are shown: as many as a cell has room for. */
const PER_DAY = { month: 3, week: 20 } as const;

export function useCalendar(props: CalendarProps, days: readonly string[]): CalendarContent {
  const { object, view, field, shown } = props;
  const session = useSession();
  const hintId = useId();
  const asked = { object, view, field };
  const { data: counts, error } = useQuery(countsQuery(session, asked, days));
  const perDay = PER_DAY[isWeek(shown) ? 'week' : 'month'];
  const mayChange = useCanChangeEach(object, 'update');
  const { moved, move } = useMoves(object, field);
  const dayOf = (record: RecordData) =>
    moved.get(record.id)?.day ?? dayOfValue(fieldValue(record, field), field, zoneOfBrowser());
  const records = useRef(new Map<string, RecordData>()).current;
  const canMove = (record: RecordData) => field.editable && mayChange(record);
  const keys = useKeys({ days, records, canMove, dayOf, move });
  useDrops(records, move);
  const questionOf = useMemo(
    () => counts && questionsOf({ object, view, field }, days, { counts, perDay }),
    [object, view, field, days, counts, perDay],
  );
  return {
    ...{ object, field, hintId, counts, error, perDay, canMove, moved, dayOf, move },
    ...keys,
    questionOf: (day) => ((counts?.get(day) ?? 0) === 0 ? undefined : questionOf?.(day)),
    note: (record) => void records.set(record.id, record),
  };
}

interface Keyed {
  readonly days: readonly string[];
  readonly records: ReadonlyMap<string, RecordData>;
  canMove(record: RecordData): boolean;
  dayOf(record: RecordData): string | undefined;
  move(record: RecordData, day: string): void;
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowLeft: -1,
  ArrowDown: 7,
  ArrowUp: -7,
};

function useKeys({ days, records, canMove, dayOf, move }: Keyed) {
  const t = useT();
  const { whole } = useDayNames();
  const [held, setHeld] = useState<Held>();
  const [told, tell] = useState('');
  const nameOf = ({ display }: RecordData) => display ?? t('records.unnamed');
  const putBack = ({ record, day }: Held) => {
    setHeld(undefined);
    tell(t('calendar.back', { name: nameOf(record), day: day === undefined ? '' : whole(day) }));
  };
  const drop = ({ record, target }: Held) => {
    setHeld(undefined);
    move(record, target);
    tell(t('calendar.dropped', { name: nameOf(record), day: whole(target) }));
    focusSoon(record.id);
  };
  const pickUp = (record: RecordData) => {
    if (!canMove(record)) return tell(t('calendar.cannot', { name: nameOf(record) }));
    const day = dayOf(record);
    const target = day ?? days[0] ?? '';
    setHeld({ record, day, target });
    tell(t('calendar.pickedUp', { name: nameOf(record), day: whole(target) }));
  };
  const over = (now: Held, by: number) => {
    const target = dayAfter(now.target, by);
    if (!days.includes(target)) return;
    setHeld({ ...now, target });
    tell(t('calendar.over', { day: whole(target) }));
  };
  return {
    ...{ held, told },
    onKeyDown: (event: React.KeyboardEvent<HTMLElement>) => {
      const id = (event.target as HTMLElement).closest<HTMLElement>('[data-entry]')?.dataset.entry;
      const record = records.get(id ?? '');
      if (record === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      const step = STEPS[event.key];
      const isTaken = held !== undefined || event.key === ' ' || step !== undefined;
      if (!isTaken || event.key === 'Tab') return;
      event.preventDefault();
      if (held === undefined) {
        if (event.key === ' ') pickUp(record);
        else focusNext(event.currentTarget, event.target as HTMLElement, Math.sign(step ?? 0));
        return;
      }
      if (step !== undefined) over(held, step);
      if (event.key === ' ' || event.key === 'Enter') drop(held);
      if (event.key === 'Escape') putBack(held);
    },
    onBlur: ({ target }: React.FocusEvent<HTMLElement>) => {
      if (held === undefined) return;
      // Another window took the focus when the element still has it here.
      requestAnimationFrame(() => {
        if (document.activeElement !== target && target.isConnected) putBack(held);
      });
    },
  };
}

/** Among all records that are shown, in their order. */
function focusNext(root: HTMLElement, from: HTMLElement, by: number): void {
  const all = [...root.querySelectorAll<HTMLElement>('[data-entry]')];
  all[all.indexOf(from) + by]?.focus();
}

/** The record is in another cell then. */
function focusSoon(id: string): void {
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>(`[data-entry="${id}"]`)?.focus({ preventScroll: true }),
  );
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
