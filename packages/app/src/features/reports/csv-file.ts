// A report as a CSV file: its name, and its values with the names that the page shows. Pure.

import type { GroupValue } from './figures.ts';

export function fileName(name: string): string {
  const plain = name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '');
  return `${plain || 'report'}.csv`;
}

/** Text of a value: of periods the first day, which spreadsheets can sort. */
export function valueText(
  value: GroupValue,
  {
    isPeriod,
    nameOf,
  }: { readonly isPeriod: boolean; readonly nameOf: (value: GroupValue) => string },
): string {
  if (value === null) return '';
  return isPeriod ? String(value) : nameOf(value);
}
