// The records of a question in a calendar: by months in whole weeks, or by weeks, on the days of a field.

import type { Field } from '@workspace-records/client';
import { useMemo } from 'react';
import { calendarField, colorField } from '../../lib/calendar-fields.ts';
import { useT } from '../../lib/messages/index.ts';
import type { LayoutProps } from '../../lib/record-layout.ts';
import { dayOf, zoneOfBrowser } from '../../lib/zoned-time.ts';
import { useLiveColumns } from '../../live/use-live.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import classes from './calendar.module.css';
import { CalendarContext } from './calendar-context.ts';
import { CalendarTools } from './calendar-tools.tsx';
import { DayCell } from './day-cell.tsx';
import { useDayNames } from './day-names.ts';
import { daysOf, isWeek, parseShown, type Shown } from './days.ts';
import { useCalendar } from './use-calendar.ts';
import { useWithout } from './use-without.ts';
import { WithoutDay } from './without-day.tsx';

export default function CalendarLayout(props: LayoutProps) {
  const t = useT();
  const { object, view } = props;
  const field = calendarField(object, view.by);
  if (field === undefined) return <EmptyState title={t('calendar.noField')} />;
  const today = dayOf(new Date(), zoneOfBrowser());
  const shown = parseShown(view.on) ?? today.slice(0, 7);
  const color = colorField(object, view.color);
  return <Calendar key={field.key} {...props} {...{ field, color, today, shown }} />;
}

export interface CalendarProps extends LayoutProps {
  readonly field: Field;
  /** The field whose options are the colours. */
  readonly color: Field | undefined;
  readonly today: string;
  readonly shown: Shown;
}

function Calendar(props: CalendarProps) {
  const t = useT();
  const { object, field, shown: period, today } = props;
  const days = useMemo(() => daysOf(period), [period]);
  const { content: calendar, handlers } = useCalendar(props, days);
  const without = useWithout(props);
  useLiveColumns(object.object_type);
  const { counts } = calendar;
  const isOutside = (day: string) => !isWeek(period) && !day.startsWith(period);
  const isEmpty =
    counts !== undefined && days.every((day) => isOutside(day) || (counts.get(day) ?? 0) === 0);
  return (
    <CalendarContext value={calendar}>
      <CalendarTools {...props} without={without} />
      <div
        ref={calendar.root}
        className={classes.calendar}
        data-span={isWeek(period) ? 'week' : 'month'}
        data-moving={calendar.held !== undefined || undefined}
      >
        <div className={classes.scroller} {...handlers}>
          <table className={classes.days} aria-label={field.name ?? field.key}>
            <thead>
              <Weekdays days={days.slice(0, 7)} />
            </thead>
            <tbody>
              {weeksOf(days).map((week) => (
                <tr key={week[0]}>
                  {week.map((day) => (
                    <DayCell
                      key={day}
                      day={day}
                      isToday={day === today}
                      isOutside={isOutside(day)}
                      view={props.view}
                      onChange={props.onChange}
                    />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
          {isEmpty && <p className={classes.none}>{t('calendar.none')}</p>}
        </div>
        {without.isOpen && <WithoutDay {...props} />}
      </div>
      <span id={calendar.hintId} hidden>
        {t('calendar.hint')}
      </span>
      <Hidden role="status" aria-live="assertive">
        {calendar.told}
      </Hidden>
    </CalendarContext>
  );
}

function weeksOf(days: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: days.length / 7 }, (_, week) => days.slice(7 * week, 7 * week + 7));
}

function Weekdays({ days }: { readonly days: readonly string[] }) {
  const { weekday } = useDayNames();
  return (
    <tr>
      {days.map((day) => (
        <th key={day} scope="col">
          {weekday(day)}
        </th>
      ))}
    </tr>
  );
}
