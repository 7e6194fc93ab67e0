// Totals of columns in the footer of a list: the sum, the average, the smallest or largest value, or how many records
// have one. Pure: which of them a field has, and how an address names them.

import type { Field } from '@workspace-records/client';

export const TOTALS = ['sum', 'avg', 'min', 'max', 'filled', 'empty'] as const;
export type TotalKind = (typeof TOTALS)[number];

export interface Total {
  readonly key: string;
  readonly kind: TotalKind;
}

/** Metrics of one request (limits.ts of the service), one of which counts the records. */
export const MOST_TOTALS = 7;

const NUMBERS: ReadonlySet<string> = new Set(['number', 'integer', 'currency', 'percent']);
const TIMES: ReadonlySet<string> = new Set(['date', 'datetime']);
const COUNTED: readonly TotalKind[] = ['filled', 'empty'];

/** None of a computed field: the service measures stored ones. */
export function totalsOf({ type, storage }: Pick<Field, 'type' | 'storage'>): readonly TotalKind[] {
  if (storage !== 'physical') return [];
  if (NUMBERS.has(type)) return TOTALS;
  return TIMES.has(type) ? ['min', 'max', ...COUNTED] : COUNTED;
}

/** `amount:sum`. */
export function printTotals(totals: readonly Total[]): readonly string[] {
  return totals.map(({ key, kind }) => `${key}:${kind}`);
}

export function parseTotals(text: string, known: ReadonlyMap<string, Field>): readonly Total[] {
  const found = new Map<string, Total>();
  for (const part of text.split(',')) {
    const [key = '', kind] = part.split(':');
    const total = totalNamed(known.get(key), kind);
    if (total !== undefined) found.set(key, total);
  }
  return [...found.values()].slice(0, MOST_TOTALS);
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
