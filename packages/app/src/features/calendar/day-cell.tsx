// A day with the first of its records; the others are a list away.

import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { RecordData } from '@workspace-records/client';
import { useEffect, useRef, useState } from 'react';
import { useT } from '../../lib/messages/index.ts';
import type { LayoutProps } from '../../lib/record-layout.ts';
import { type RecordQuestion, recordsQuery } from '../../lib/record-lists.ts';
import { useSession } from '../../lib/session.ts';
import classes from './calendar.module.css';
import { useCalendarContent } from './calendar-context.ts';
import { conditionsOfDays } from './calendar-questions.ts';
import { useDayNames } from './day-names.ts';
import { Entry } from './entry.tsx';

interface DayCellProps extends Pick<LayoutProps, 'view' | 'onChange'> {
  readonly day: string;
  readonly isToday: boolean;
  /** True for a day of the month before or after. */
  readonly isOutside: boolean;
}

/** An empty question, which is never sent. */
const NOTHING: RecordQuestion = { q: '', sort: [], where: [], fields: [], expand: [] };

export function DayCell({ day, isToday, isOutside, view, onChange }: DayCellProps) {
  const t = useT();
  const { whole } = useDayNames();
  const { field, held, span } = useCalendarContent();
  const { root, isOver } = useDropTarget(day);
  const { shown: records, left } = useRecordsOf(day);
  const [first = '', last = ''] = span === undefined ? [] : [span.from, span.to].toSorted();
  const isTarget = isOver || held?.target === day || (first <= day && day <= last);
  const openDay = () =>
    onChange({
      ...view,
      ...{ layout: 'table', by: undefined, on: undefined },
      where: [...view.where, ...conditionsOfDays(field, day, day)],
    });
  return (
    <td
      ref={root}
      className={classes.day}
      data-day={day}
      data-today={isToday || undefined}
      data-outside={isOutside || undefined}
      data-over={isTarget || undefined}
      data-empty={records.length === 0 || undefined}
    >
      <time dateTime={day} className={classes.date}>
        <span aria-hidden="true">{Number(day.slice(8))}</span>
        <span className={classes.wholeDate}>{whole(day)}</span>
      </time>
      {records.length > 0 && (
        <ul className={classes.entries} aria-label={whole(day)}>
          {records.map((record) => (
            <Entry key={record.id} record={record} />
          ))}
        </ul>
      )}
      {left > 0 && (
        <button
          type="button"
          className={classes.more}
          aria-label={t('calendar.moreOn', { count: left, day: whole(day) })}
          onClick={openDay}
        >
          {t('calendar.more', { count: left })}
        </button>
      )}
    </td>
  );
}

/** The records of the day, with the ones that are being moved to it and without the ones that are moved away. */
function useRecordsOf(day: string): {
  readonly shown: readonly RecordData[];
  readonly left: number;
} {
  const session = useSession();
  const { object, counts, perDay, questionOf, dayOf, moved } = useCalendarContent();
  const question = questionOf(day);
  const { data } = useInfiniteQuery({
    ...recordsQuery(session, object.object_type, question ?? NOTHING),
    enabled: question !== undefined,
  });
  const read = question === undefined ? [] : (data?.pages.flatMap((page) => page.data) ?? []);
  const coming = [...moved.values()].filter((one) => one.day === day).map(({ record }) => record);
  const own = read.filter((record) => dayOf(record) === day);
  const all = [...own, ...coming.filter(({ id }) => !own.some((record) => record.id === id))];
  const leaving = read.length - own.length;
  const isOne = question !== undefined && question.isBesideOthers !== true;
  const total = isOne ? all.length : (counts?.get(day) ?? 0) + coming.length - leaving;
  // The last record takes the place of the way to others.
  const shown = all.slice(0, total <= perDay + 1 ? perDay + 1 : perDay);
  return { shown, left: data === undefined ? 0 : Math.max(0, total - shown.length) };
}

function useDropTarget(day: string) {
  const root = useRef<HTMLTableCellElement>(null);
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const element = root.current;
    if (element === null) return;
    return dropTargetForElements({
      element,
      canDrop: ({ source }) => typeof source.data.entry === 'string',
      getData: () => ({ day }),
      onDragEnter: () => setOver(true),
      onDragLeave: () => setOver(false),
      onDrop: () => setOver(false),
    });
  }, [day]);
  return { root, isOver };
}
