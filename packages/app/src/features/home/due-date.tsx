// When a record is due; red where that has passed.

import { daysUntil, isInWords } from '../../lib/due.ts';
import { useFormats } from '../../lib/format.ts';
import { localeOf, useLanguage, useT } from '../../lib/messages/index.ts';
import { Hidden } from '../../ui/hidden.tsx';
import { Icon } from '../../ui/icon.tsx';
import classes from './home-page.module.css';

export function DueDate({ value }: { readonly value: string }) {
  const t = useT();
  const language = useLanguage();
  const { day } = useFormats();
  const days = daysUntil(value, new Date());
  const date = day(value);
  const words = new Intl.RelativeTimeFormat(localeOf(language), { numeric: 'auto' });
  const state = days < 0 ? 'overdue' : days === 0 ? 'today' : 'later';
  return (
    <time className={classes.due} dateTime={value} title={date} data-state={state}>
      <Icon name="calendar" size={12} />
      <Hidden>{t(state === 'overdue' ? 'home.overdue' : 'home.due')} </Hidden>
      {isInWords(days) ? words.format(days, 'day') : date}
    </time>
  );
}
