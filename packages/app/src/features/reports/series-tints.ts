// The colours of bars, lines and their legend: those of options, or others in turn. Pure.

import type { Field } from '@workspace-records/client';
import type { CSSProperties } from 'react';
import type { GroupValue } from './figures.ts';

/** Neighbours are easy to tell apart. */
const IN_TURN = [
  'indigo',
  'orange',
  'teal',
  'pink',
  'blue',
  'yellow',
  'purple',
  'green',
  'red',
] as const;

/** A mark of the tint of a value; `place`: among the values of its field. */
export function tintStyle(field: Field, value: GroupValue, place: number): CSSProperties {
  return { '--mark': `var(--tint-${tintName(field, value, place)}-mark)` } as CSSProperties;
}

/** The color of all bars when the values of the field have no colors. */
export const ONE_TINT: CSSProperties = { '--mark': 'var(--tint-indigo-mark)' } as CSSProperties;

export function tintName(field: Field, value: GroupValue, place: number): string {
  if (value === null) return 'gray';
  const option = field.options?.find((one) => String(one.value) === String(value));
  const color = option === undefined ? undefined : (option as { color?: unknown }).color;
  if (typeof color === 'string') return color;
  return IN_TURN[place] ?? 'gray';
}

/** True where the values of a field have colours of their own. */
export function isColoured({ options }: Field): boolean {
  return options?.some((option) => 'color' in option) ?? false;
}
