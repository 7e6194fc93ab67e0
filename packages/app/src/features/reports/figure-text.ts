// Figures as text: with the unit of their field, in full, or short for an axis. Pure.

import type { Field } from '@workspace-records/client';
import { nameOf } from '../../editing/filters/filter-fields.ts';
import { kindOf } from '../../fields/kinds.ts';
import type { Formats } from '../../lib/format.ts';
import type { Translate } from '../../lib/messages/index.ts';
import type { ReportMetric } from './report-state.ts';

const DIGITS = 2;

export interface KnownMetric {
  readonly metric: ReportMetric;
  /** Undefined where records are counted, or while it is not known. */
  readonly field: Field | undefined;
}

/** The name of a metric, such as `Sum of Close value`. */
export function metricText({ metric, field }: KnownMetric, t: Translate): string {
  const name = field === undefined ? (metric.path ?? '') : nameOf(field);
  switch (metric.op) {
    case 'count':
      return t('reports.count');
    case 'sum':
      return t('reports.sumOf', { name });
    case 'avg':
      return t('reports.avgOf', { name });
    case 'min':
      return t('reports.minOf', { name });
    case 'max':
      return t('reports.maxOf', { name });
  }
}

export function figureText(
  value: number | null,
  { metric, field }: KnownMetric,
  { number }: Pick<Formats, 'number'>,
): string {
  if (value === null) return '–';
  return number(value, { ...unitOf(metric, field), maximumFractionDigits: DIGITS });
}

/** A short figure for the marks of an axis and the ends of bars: `$1.2M`. */
export function shortText(
  value: number,
  { metric, field }: KnownMetric,
  { number }: Pick<Formats, 'number'>,
): string {
  const notation = Math.abs(value) >= 10_000 ? ('compact' as const) : ('standard' as const);
  const digits = { maximumFractionDigits: Math.abs(value) < 10 ? 2 : 1, minimumFractionDigits: 0 };
  return number(value, { ...unitOf(metric, field), notation, ...digits });
}

function unitOf({ op }: ReportMetric, field: Field | undefined): Intl.NumberFormatOptions {
  if (op === 'count' || field === undefined) return {};
  return kindOf(field).numbers?.format(field) ?? {};
}

/** Round numbers from zero, or from below it, to above the largest: at most six. */
export function ticksOf(lowest: number, highest: number): readonly number[] {
  const [least, most] = [Math.min(0, lowest), Math.max(0, highest)];
  const span = most - least || 1;
  const rough = span / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((one) => one * power >= rough) ?? 10) * power;
  const first = Math.floor(least / step);
  const last = Math.max(first + 1, Math.ceil(most / step - 1e-9));
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}
