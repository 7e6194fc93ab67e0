// Names of days, weeks and months, as people of a language write them.

import { useMemo } from 'react';
import { localeOf, useLanguage } from '../../lib/messages/index.ts';
import { daysOf, isWeek, type Shown } from './days.ts';

export interface DayNames {
  weekday(day: string): string;
  /** The day with its weekday, for people who do not see where it is. */
  whole(day: string): string;
  /** The name of a month or a week. */
  span(shown: Shown): string;
}

export function useDayNames(): DayNames {
  const language = useLanguage();
  return useMemo(() => dayNamesOf(localeOf(language)), [language]);
}

function dayNamesOf(locale: string): DayNames {
  const of = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  const weekdays = of({ weekday: 'short' });
  const wholes = of({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
  const months = of({ month: 'long', year: 'numeric' });
  const spans = of({ day: 'numeric', month: 'short', year: 'numeric' });
  return {
    weekday: (day) => weekdays.format(new Date(day)),
    whole: (day) => wholes.format(new Date(day)),
    span(shown) {
      if (!isWeek(shown)) return months.format(new Date(`${shown}-01`));
      const days = daysOf(shown);
      return spans.formatRange(new Date(days[0] ?? shown), new Date(days.at(-1) ?? shown));
    },
  };
}
