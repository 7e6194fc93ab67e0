// The shown month or week, the way to others, the records without a day, and the fields of the days and of the colours.

import { ActionIcon, Button, NativeSelect, SegmentedControl } from '@mantine/core';
import '@mantine/core/styles/SegmentedControl.layer.css';
import '@mantine/core/styles/FloatingIndicator.layer.css';
import { calendarFieldsOf, colorFields } from '../../lib/calendar-fields.ts';
import { useT } from '../../lib/messages/index.ts';
import { Icon } from '../../ui/icon.tsx';
import classes from './calendar.module.css';
import type { CalendarProps } from './calendar-layout.tsx';
import { useDayNames } from './day-names.ts';
import { isWeek, type Shown, spanOf, stepped } from './days.ts';
import type { Without } from './use-without.ts';

const SPANS = { month: 'calendar.month', week: 'calendar.week' } as const;

type CalendarToolsProps = CalendarProps & { readonly without: Without };

export function CalendarTools({ object, view, onChange, without, ...props }: CalendarToolsProps) {
  const { field, color, today, shown: period } = props;
  const t = useT();
  const { span } = useDayNames();
  const show = (on: Shown) => onChange({ ...view, on });
  const present = isWeek(period) ? 'week' : 'month';
  return (
    <div className={classes.tools}>
      <h2 className={classes.shown} aria-live="polite">
        {span(period)}
      </h2>
      <ActionIcon aria-label={t('calendar.earlier')} onClick={() => show(stepped(period, -1))}>
        <span className={classes.back}>
          <Icon name="right" />
        </span>
      </ActionIcon>
      <ActionIcon aria-label={t('calendar.later')} onClick={() => show(stepped(period, 1))}>
        <Icon name="right" />
      </ActionIcon>
      <Button
        variant="subtle"
        color="gray"
        onClick={() => show(present === 'week' ? today : today.slice(0, 7))}
      >
        {t('calendar.today')}
      </Button>
      {(without.isOpen || (without.count ?? 0) > 0) && (
        <Button
          size="xs"
          variant={without.isOpen ? 'light' : 'default'}
          aria-expanded={without.isOpen}
          onClick={without.toggle}
        >
          {t('calendar.noDate', { count: without.count ?? 0 })}
        </Button>
      )}
      <SegmentedControl
        size="xs"
        className={classes.spans}
        aria-label={t('calendar.span')}
        data={(['month', 'week'] as const).map((value) => ({ value, label: t(SPANS[value]) }))}
        value={present}
        onChange={(next) => show(spanOf(period, next as keyof typeof SPANS, today))}
      />
      <FieldSelects {...{ object, view, field, color, onChange }} />
    </div>
  );
}

type FieldSelectsProps = Pick<CalendarProps, 'object' | 'view' | 'field' | 'color' | 'onChange'>;

/** The field of the days, and the one of the colours. */
function FieldSelects({ object, view, field, color, onChange }: FieldSelectsProps) {
  const t = useT();
  const fields = calendarFieldsOf(object);
  const colors = colorFields(object);
  return (
    <>
      {fields.length > 1 && (
        <NativeSelect
          size="xs"
          aria-label={t('calendar.field')}
          data={fields.map(({ key, name }) => ({ value: key, label: name ?? key }))}
          value={field.key}
          onChange={({ currentTarget }) => onChange({ ...view, by: currentTarget.value })}
        />
      )}
      {color !== undefined && colors.length > 1 && (
        <NativeSelect
          size="xs"
          aria-label={t('calendar.color')}
          data={colors.map(({ key, name }) => ({
            value: key,
            label: t('calendar.colorBy', { name: name ?? key }),
          }))}
          value={color.key}
          onChange={({ currentTarget }) => onChange({ ...view, color: currentTarget.value })}
        />
      )}
    </>
  );
}
