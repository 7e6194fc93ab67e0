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

/** As the service has it (src/model/tints.ts), for definitions, which name only the tints that somebody chose. */
const BY_POSITION: readonly Tint[] = [
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

/** Of the status at this place of its workflow. */
export function statusTint(position: number): Tint {
  if (position === 0) return 'gray';
  return BY_POSITION[(position - 1) % BY_POSITION.length] ?? 'gray';
}
