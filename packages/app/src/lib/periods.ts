// Spans of time as people name them, and as ranges of relative times: "this month", "the last 30 days". Pure.

import type { PlainKey, Translate } from './messages/index.ts';

export const WHOLE_UNITS = ['day', 'week', 'month', 'quarter', 'year'] as const;
export type WholeUnit = (typeof WHOLE_UNITS)[number];
export const COUNTED_UNITS = ['d', 'w', 'm', 'y'] as const;
export type CountedUnit = (typeof COUNTED_UNITS)[number];

interface WholePeriod {
  readonly kind: 'this' | 'previous' | 'next';
  readonly unit: WholeUnit;
}

interface CountedPeriod {
  readonly kind: 'last' | 'coming';
  readonly count: number;
  readonly unit: CountedUnit;
}

export type Period = WholePeriod | CountedPeriod;

function isCounted(period: Period): period is CountedPeriod {
  return period.kind === 'last' || period.kind === 'coming';
}

interface Relative {
  readonly relative: string;
}

/** The offset to the neighbour of a whole unit. */
const LENGTHS = { day: '1d', week: '1w', month: '1m', quarter: '3m', year: '1y' } as const;

/** The first and the last moment. */
export function rangeOf(period: Period): readonly [Relative, Relative] {
  if (isCounted(period)) {
    const { kind, count, unit } = period;
    const now = { relative: 'now' };
    if (kind === 'last') return [{ relative: `-${count}${unit}` }, now];
    return [now, { relative: `+${count}${unit}` }];
  }
  const sign = { this: '', previous: '-', next: '+' }[period.kind];
  const by = sign === '' ? '' : `${sign}${LENGTHS[period.unit]}`;
  return [{ relative: `start_of_${period.unit}${by}` }, { relative: `end_of_${period.unit}${by}` }];
}

/** Undefined: a range of another form. */
export function periodOf(value: unknown): Period | undefined {
  const ends = Array.isArray(value) ? value.map(relativeOf) : [];
  const [start, end] = ends;
  if (ends.length !== 2 || start === undefined || end === undefined) return undefined;
  return PERIOD_FORMS.map((form) => form(start, end)).find((period) => period !== undefined);
}

const PERIOD_FORMS: readonly ((start: string, end: string) => Period | undefined)[] = [
  (start, end) => countedOf('last', end === 'now' ? /^-(\d+)([dwmy])$/.exec(start) : null),
  (start, end) => countedOf('coming', start === 'now' ? /^\+(\d+)([dwmy])$/.exec(end) : null),
  (start, end) => {
    const [, unit, sign] = /^start_of_([a-z]+)([+-])?/.exec(start) ?? [];
    const kind = sign === undefined ? 'this' : sign === '-' ? 'previous' : 'next';
    const period = { kind, unit: unit as WholeUnit } as const;
    if (!WHOLE_UNITS.includes(period.unit)) return undefined;
    const [first, last] = rangeOf(period);
    return first.relative === start && last.relative === end ? period : undefined;
  },
];

function countedOf(kind: 'last' | 'coming', match: RegExpExecArray | null): Period | undefined {
  if (match === null) return undefined;
  const [, count, unit] = match;
  return { kind, count: Number(count), unit: unit as CountedUnit };
}

/** The text of `{"relative": …}`. */
export function relativeOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { relative } = value as Partial<Relative>;
  return typeof relative === 'string' ? relative : undefined;
}

export const WHOLE_WORDS: Readonly<
  Record<'this' | 'previous' | 'next', Readonly<Record<WholeUnit, PlainKey>>>
> = {
  this: {
    day: 'period.today',
    week: 'period.thisWeek',
    month: 'period.thisMonth',
    quarter: 'period.thisQuarter',
    year: 'period.thisYear',
  },
  previous: {
    day: 'period.yesterday',
    week: 'period.lastWeek',
    month: 'period.lastMonth',
    quarter: 'period.lastQuarter',
    year: 'period.lastYear',
  },
  next: {
    day: 'period.tomorrow',
    week: 'period.nextWeek',
    month: 'period.nextMonth',
    quarter: 'period.nextQuarter',
    year: 'period.nextYear',
  },
};

export function periodText(period: Period, t: Translate): string {
  if (!isCounted(period)) return t(WHOLE_WORDS[period.kind][period.unit]);
  const span = countText(period, t);
  // In German the word for “last” depends on the gender of one unit.
  const isOne = period.count === 1;
  if (period.kind === 'last') return t(isOne ? 'period.lastOne' : 'period.last', { span });
  return t(isOne ? 'period.comingOne' : 'period.coming', { span });
}

const COUNTS = {
  h: 'period.hours',
  d: 'period.days',
  w: 'period.weeks',
  m: 'period.months',
  y: 'period.years',
} as const;

function countText(
  { count, unit }: { readonly count: number; readonly unit: keyof typeof COUNTS },
  t: Translate,
): string {
  return t(COUNTS[unit], { count });
}

/** A moment that is relative to now, in words. */
export function relativeText(relative: string, t: Translate): string {
  const [, sign, count, unit] = /^([+-])(\d+)([hdwmy])$/.exec(relative) ?? [];
  if (unit !== undefined) {
    const span = countText({ count: Number(count), unit: unit as CountedUnit }, t);
    return sign === '-' ? t('period.ago', { span }) : t('period.ahead', { span });
  }
  if (relative === 'now') return t('period.now');
  const [, at, of = ''] = /^(start|end)_of_([a-z]+)$/.exec(relative) ?? [];
  const whole = WHOLE_WORDS.this[of as WholeUnit];
  if (at === undefined || whole === undefined) return relative;
  const span = t(whole);
  return at === 'start' ? t('period.start', { span }) : t('period.end', { span });
}
