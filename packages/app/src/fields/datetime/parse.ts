import { localeOf } from '../../lib/messages/index.ts';
import { parseDay } from '../date/date-text.ts';
import type { FieldText } from '../field-text.ts';

/** With an offset as programs write it; else a day and a time of the place where the browser is. */
const EXACT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;
const DAY_AND_TIME = /^(.*?)[\sT,]+(\d{1,2}):(\d\d)(?::(\d\d))?\s*([ap]m)?$/i;

export const datetime: FieldText = {
  print(value) {
    const date = new Date(String(value));
    const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
    return local.toISOString().slice(0, 16).replace('T', ' ');
  },
  parse(typed, { language }) {
    const value = momentOf(typed.trim(), localeOf(language));
    return value === undefined ? { problem: 'grid.notMoment' } : { value };
  },
};

function momentOf(typed: string, locale: string): string | undefined {
  const [, day = typed, hours = '0', minutes = '0', seconds = '0', half = ''] =
    DAY_AND_TIME.exec(typed) ?? [];
  const exact = new Date(typed);
  if (EXACT.test(typed)) return Number.isNaN(exact.getTime()) ? undefined : exact.toISOString();
  const found = parseDay(day, locale);
  if (found === undefined) return undefined;
  const hour =
    half === '' ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
  const time = [hour, Number(minutes), Number(seconds)].map((part) =>
    String(part).padStart(2, '0'),
  );
  const date = new Date(`${found}T${time.join(':')}`);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
