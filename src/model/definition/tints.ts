// The tints of options and statuses. Pure.

export const TINTS = Object.freeze([
  'gray',
  'red',
  'orange',
  'yellow',
  'green',
  'teal',
  'blue',
  'indigo',
  'purple',
  'pink',
] as const);
export type Tint = (typeof TINTS)[number];

/** Neighbours differ clearly, and red, which warns, comes last. */
export const TINTS_BY_POSITION: readonly Tint[] = [
  'blue',
  'orange',
  'green',
  'purple',
  'teal',
  'pink',
  'yellow',
  'indigo',
  'gray',
  'red',
];

/** The tint of an option for which the definition has none. */
export function optionTint(position: number): Tint {
  return TINTS_BY_POSITION[position % TINTS_BY_POSITION.length] as Tint;
}

/** The color of a status by position: the first, where nothing has happened yet, is gray. */
export function statusTint(position: number): Tint {
  return position === 0 ? 'gray' : optionTint(position - 1);
}
