// The ten tints of options and statuses, by the names that definitions use (ui/tokens.css has their colours).

export const TINTS = [
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
] as const;

export type Tint = (typeof TINTS)[number];

/** A name that is newer than this application is gray. */
export function tintOf(name: unknown): Tint {
  return TINTS.find((tint) => tint === name) ?? 'gray';
}
