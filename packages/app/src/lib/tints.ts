// The tints of options and statuses, by the names that definitions use (ui/tokens.css has their colours).

import { TINTS, TINTS_BY_POSITION, type Tint } from '@workspace-records/client';

/** A name that is newer than this application is gray. */
export function tintOf(name: unknown): Tint {
  return TINTS.find((tint) => tint === name) ?? 'gray';
}

/** The tint of an option: the one that the definition names, or that of its position. */
export function optionTint(color: string | undefined, position: number): Tint {
  if (color !== undefined) return tintOf(color);
  return TINTS_BY_POSITION[position % TINTS_BY_POSITION.length] ?? 'gray';
}

/** The tint of a status; the first status, where nothing has happened yet, is gray. */
export function statusTint(color: string | undefined, position: number): Tint {
  if (color !== undefined || position > 0) return optionTint(color, position - 1);
  return 'gray';
}
