// The records without a day, beside the calendar: a person drags them onto a day.

import { useInfiniteQuery } from '@tanstack/react-query';
import { useT } from '../../lib/messages/index.ts';
import { recordsQuery } from '../../lib/record-lists.ts';
import { useSession } from '../../lib/session.ts';
import { Problem } from '../../ui/problem.tsx';
import classes from './calendar.module.css';
import { useCalendarContent } from './calendar-context.ts';
import type { CalendarProps } from './calendar-layout.tsx';
import { conditionsWithoutDay, questionWithout } from './calendar-questions.ts';
import { Entry } from './entry.tsx';

/** Records in the list; all of them are in a table. */
const MOST = 50;

export function WithoutDay(props: CalendarProps) {
  const t = useT();
  return (
    <section className={classes.without} aria-label={t('calendar.noDateTitle')}>
      <Records {...props} />
    </section>
  );
}

function Records({ object, view, field, color, onChange }: CalendarProps) {
  const t = useT();
  const { moved, onKeyDown, onBlur } = useCalendarContent();
  const question = questionWithout({ object, view, field, color }, MOST);
  const query = useInfiniteQuery(recordsQuery(useSession(), object.object_type, question));
  const records = query.data?.pages[0]?.data.filter(({ id }) => !moved.has(id)) ?? [];
  if (query.error !== null) return <Problem error={query.error} />;
  if (query.isPending) return <div aria-busy="true" />;
  if (records.length === 0) return <p className={classes.none}>{t('calendar.noneWithout')}</p>;
  const openAll = () =>
    onChange({
      ...view,
      layout: 'table',
      by: undefined,
      on: undefined,
      where: [...view.where, ...conditionsWithoutDay(field)],
    });
  return (
    <>
      <ul className={classes.entries} onKeyDown={onKeyDown} onBlur={onBlur}>
        {records.map((record) => (
          <Entry key={record.id} record={record} />
        ))}
      </ul>
      {query.hasNextPage && (
        <button type="button" className={classes.more} onClick={openAll}>
          {t('calendar.allWithout')}
        </button>
      )}
    </>
  );
}
