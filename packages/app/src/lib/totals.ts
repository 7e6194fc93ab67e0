// Totals of columns in the footer of a list: the sum, the average, the smallest or largest value, or how many records
// have one. Pure: which of them a field has, and how an address names them.

import { type Field, LIMITS } from '@workspace-records/client';
import { isMoney, isNumeric, isOfTime, isQueryable } from './field-facts.ts';

export const TOTALS = ['sum', 'avg', 'min', 'max', 'filled', 'empty'] as const;
export type TotalKind = (typeof TOTALS)[number];

export interface Total {
  readonly key: string;
  readonly kind: TotalKind;
}

/** Metrics of one request, one of which counts the records. */
export const MOST_TOTALS = LIMITS.metrics - 1;

const COUNTED: readonly TotalKind[] = ['filled', 'empty'];

/** None of a computed field: the service measures stored ones. */
export function totalsOf(field: Pick<Field, 'type' | 'storage' | 'rollup'>): readonly TotalKind[] {
  if (!isQueryable(field)) return [];
  if (isNumeric(field)) return TOTALS;
  return isOfTime(field) ? ['min', 'max', ...COUNTED] : COUNTED;
}

/** The totals of a table without chosen ones: the sums of its amounts. */
export function firstTotals(columns: readonly Field[]): readonly Total[] {
  const amounts = columns.filter((field) => isMoney(field) && totalsOf(field).includes('sum'));
  return amounts.slice(0, MOST_TOTALS).map(({ key }) => ({ key, kind: 'sum' }));
}

/** `amount:sum`. */
export function printTotals(totals: readonly Total[]): readonly string[] {
  return totals.map(({ key, kind }) => `${key}:${kind}`);
}

export function parseTotals(text: string, known: ReadonlyMap<string, Field>): readonly Total[] {
  const totals = new Map<string, Total>();
  for (const part of text.split(',')) {
    const [key = '', kind] = part.split(':');
    const total = totalNamed(known.get(key), kind);
    if (total !== undefined) totals.set(key, total);
  }
  return [...totals.values()].slice(0, MOST_TOTALS);
}

/** Undefined: the field has no such total. */
export function totalNamed(field: Field | undefined, kind: string | undefined): Total | undefined {
  if (field === undefined) return undefined;
  const possible = totalsOf(field).find((one) => one === kind);
  return possible === undefined ? undefined : { key: field.key, kind: possible };
}

/** `kind` undefined: no longer. */
export function withTotal(
  totals: readonly Total[],
  key: string,
  kind: TotalKind | undefined,
): readonly Total[] {
  const others = totals.filter((one) => one.key !== key);
  return kind === undefined ? others : [...others, { key, kind }];
}
