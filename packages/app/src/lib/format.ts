// Numbers, amounts and times as people of a language write them. Formats are made once: making one takes longer than
// a hundred uses of it.

import { localeOf, useLanguage } from './messages/index.ts';

export interface Formats {
  number(value: number, options?: Intl.NumberFormatOptions): string;
  /** The text of a day such as `2026-11-22`, which has no time zone. */
  day(value: string): string;
  /** The text of a month, from its first day. */
  month(value: string): string;
  moment(value: string): string;
  /** A moment of this year to the second. */
  instant(value: string): string;
  /** A text such as `3 hours ago`. */
  ago(value: string, now?: number): string;
}

/** One rule for amounts and their totals: the digits of their currency, or more where they have more. */
export function moneyOptions(currency: string): Intl.NumberFormatOptions {
  return { style: 'currency', currency, currencyDisplay: 'narrowSymbol' };
}

/** 50 is a half: `50%` in English, `50 %` in German. */
export const PERCENT: Intl.NumberFormatOptions = { style: 'unit', unit: 'percent' };

/** A file of many bytes in a unit that people read: `1.2 MB`. */
export function bytesText(bytes: number, number: Formats['number']): string {
  if (bytes < 1000) return `${number(bytes)} B`;
  if (bytes < 1_000_000) return `${number(Math.round(bytes / 1000))} kB`;
  return `${number(Math.round(bytes / 100_000) / 10)} MB`;
}

const made = new Map<string, Intl.NumberFormat>();

const formats = new Map<string, Formats>();

export function formatsOf(locale: string): Formats {
  const known = formats.get(locale) ?? makeFormats(locale);
  formats.set(locale, known);
  return known;
}

export function useFormats(): Formats {
  return formatsOf(localeOf(useLanguage()));
}

function makeFormats(locale: string): Formats {
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const months = new Intl.DateTimeFormat(locale, {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  const moments = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const instants = new Intl.DateTimeFormat(locale, {
    ...{ day: 'numeric', month: 'short' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
  });
  const agos = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  return {
    number(value, options = {}) {
      const key = `${locale} ${JSON.stringify(options)}`;
      const format = made.get(key) ?? new Intl.NumberFormat(locale, options);
      made.set(key, format);
      return format.format(value);
    },
    day: (value) => textOf(value, (date) => days.format(date)),
    month: (value) => textOf(value, (date) => months.format(date)),
    moment: (value) => textOf(value, (date) => moments.format(date)),
    instant: (value) => textOf(value, (date) => instants.format(date)),
    ago: (value, now = Date.now()) =>
      textOf(value, (date) => {
        const seconds = (date.getTime() - now) / 1000;
        const [unit, length] = unitOf(Math.abs(seconds));
        return agos.format(Math.trunc(seconds / length), unit);
      }),
  };
}

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

function unitOf(seconds: number): readonly [Intl.RelativeTimeFormatUnit, number] {
  return UNITS.find(([, length]) => seconds >= length) ?? ['second', 1];
}

/** Text that is not a date is shown unchanged. */
function textOf(value: string, format: (date: Date) => string): string {
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? value : format(date);
}
