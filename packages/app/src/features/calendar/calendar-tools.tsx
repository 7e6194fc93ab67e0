// The shown month or week, the way to others, and the field whose days they are.

import { ActionIcon, Button } from '@mantine/core';
import { calendarFieldsOf } from '../../lib/calendar-fields.ts';
import { useT } from '../../lib/messages/index.ts';
import { Icon } from '../../ui/icon.tsx';
import classes from './calendar.module.css';
import type { CalendarProps } from './calendar-layout.tsx';
import { useDayNames } from './day-names.ts';
import { isWeek, type Shown, spanOf, stepped } from './days.ts';

const SPANS = { month: 'calendar.month', week: 'calendar.week' } as const;

export function CalendarTools({ object, view, field, today, shown, onChange }: CalendarProps) {
  const t = useT();
  const { span } = useDayNames();
  const fields = calendarFieldsOf(object);
  const show = (on: Shown) => onChange({ ...view, on });
  const present = isWeek(shown) ? 'week' : 'month';
  return (
    <div className={classes.tools}>
      <h2 className={classes.shown} aria-live="polite">
        {span(shown)}
      </h2>
      <ActionIcon aria-label={t('calendar.earlier')} onClick={() => show(stepped(shown, -1))}>
        <span className={classes.back}>
          <Icon name="right" />
        </span>
      </ActionIcon>
      <ActionIcon aria-label={t('calendar.later')} onClick={() => show(stepped(shown, 1))}>
        <Icon name="right" />
      </ActionIcon>
      <Button
        variant="subtle"
        color="gray"
        onClick={() => show(present === 'week' ? today : today.slice(0, 7))}
      >
        {t('calendar.today')}
      </Button>
      <fieldset className={classes.spans} aria-label={t('calendar.span')}>
        {(['month', 'week'] as const).map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === present}
            onClick={() => show(spanOf(shown, one, today))}
          >
            {t(SPANS[one])}
          </button>
        ))}
      </fieldset>
      {fields.length > 1 && (
        <select
          className={classes.field}
          aria-label={t('calendar.field')}
          value={field.key}
          onChange={({ currentTarget }) => onChange({ ...view, by: currentTarget.value })}
        >
          {fields.map(({ key, name }) => (
            <option key={key} value={key}>
              {name ?? key}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}
