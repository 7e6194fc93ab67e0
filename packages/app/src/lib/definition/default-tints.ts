// The tints of options and statuses for which the definition has none: as the service gives them (src/model/tints.ts).

import { type Tint, tintOf } from '../tints.ts';

const BY_POSITION: readonly Tint[] = [
  ...(['blue', 'orange', 'green', 'purple', 'teal'] as const),
  ...(['pink', 'yellow', 'indigo', 'gray', 'red'] as const),
];

export function optionTint(color: string | undefined, position: number): Tint {
  if (color !== undefined) return tintOf(color);
  return BY_POSITION[position % BY_POSITION.length] ?? 'gray';
}

/** The first, where nothing has happened yet, is gray. */
export function statusTint(color: string | undefined, position: number): Tint {
  if (color !== undefined || position > 0) return optionTint(color, position - 1);
  return 'gray';
}
