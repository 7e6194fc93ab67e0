import { localeOf } from '../../lib/messages/index.ts';
import { parseDay } from '../date/date-text.ts';
import type { FieldText } from '../field-text.ts';

/** A moment with an offset, as programs write it; other texts are a day and a time in the time zone of the browser. */
const EXACT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;
/** The time at the end of a text, behind the day. */
const TIME = /[\sT,](\d{1,2}):(\d\d)(?::(\d\d(?:\.\d{1,3})?))?\s*([ap]m)?$/i;
/** The end of a printed time that can be left out: zero seconds and the zone. */
const NO_SECONDS = /(?::00)?\.000Z$|Z$/;

export const datetime: FieldText = {
  print(value) {
    const date = new Date(String(value));
    const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
    // Seconds only where there are some.
    return local.toISOString().replace('T', ' ').replace(NO_SECONDS, '');
  },
  parse(typed, { language }) {
    const value = momentOf(typed.trim(), localeOf(language));
    return value === undefined ? { problem: 'grid.notMoment' } : { value };
  },
};

function momentOf(typed: string, locale: string): string | undefined {
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
