import { useFormats } from '../lib/format.ts';
import { localTimeOf, momentOf } from '../lib/local-time.ts';
import { localeOf } from '../lib/messages/index.ts';
import { parseDay } from './date-text.ts';
import type { ShowProps } from './field-kind.ts';
import classes from './fields.module.css';
import { ofTime } from './moments.tsx';

/** With an offset as programs write it; else a day and a time of the place where the browser is. */
const EXACT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;
/** At the end, behind the day. */
const TIME = /[\sT,](\d{1,2}):(\d\d)(?::(\d\d(?:\.\d{1,3})?))?\s*([ap]m)?$/i;
/** Seconds of a printed text that say nothing. */
const NO_SECONDS = /(?::00)?\.000Z$|Z$/;

function Show({ value }: ShowProps) {
  const { moment } = useFormats();
  return (
    <time className={classes.line} dateTime={String(value)}>
      {moment(String(value))}
    </time>
  );
}

export const datetime = ofTime({
  name: 'type.datetime',
  example: 'type.datetimeExample',
  icon: 'M8 14a6 6 0 1 0 0-12 6 6 0 0 0 0 12zm0-9.300V8l2.300 1.700',
  Show,
  // With “Nov 19, 2026, 10:00 AM” as well.
  width: 185,
  firstOn: { head: 3, linked: 3 },
  text: {
    print(value) {
      const date = new Date(String(value));
      const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
      // Seconds only where there are some.
      return local.toISOString().replace('T', ' ').replace(NO_SECONDS, '');
    },
    parse(typed, { language }) {
      const value = typedMoment(typed.trim(), localeOf(language));
      return value === undefined ? { problem: 'grid.notMoment' } : { value };
    },
  },
  // In the time of the place where the browser is.
  edit: {
    control: 'line',
    input: { type: 'datetime-local' },
    start: (value) => (value === null ? '' : localTimeOf(String(value))),
    parse: (draft) => ({ value: momentOf(draft) ?? null }),
  },
});

function typedMoment(typed: string, locale: string): string | undefined {
  const time = TIME.exec(typed);
  const [, hours = '0', minutes = '0', seconds = '0', half = ''] = time ?? [];
  const exact = new Date(typed);
  if (EXACT.test(typed)) return Number.isNaN(exact.getTime()) ? undefined : exact.toISOString();
  const day = parseDay(typed.slice(0, time?.index), locale);
  if (day === undefined) return undefined;
  const hour =
    half === '' ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
  const [whole = '0', fraction = '0'] = seconds.split('.');
  const clock = [String(hour), minutes, whole].map((part) => part.padStart(2, '0'));
  const date = new Date(`${day}T${clock.join(':')}.${fraction}`);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
