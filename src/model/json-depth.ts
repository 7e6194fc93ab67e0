// Limits the depth of JSON in a file to that of a request (D10). Deeper JSON could overflow the stack of recursive
// functions. Pure.

import { LIMITS } from '../limits.ts';

/** Files are the operator's own: they may hold as much as they like. */
export const JSON_BOUNDS = Object.freeze({
  depth: LIMITS.jsonDepth,
  nodes: Number.POSITIVE_INFINITY,
  values: Number.POSITIVE_INFINITY,
});

export const TOO_DEEP = `must not nest more than ${LIMITS.jsonDepth} levels deep`;

export function isTooDeep(value: unknown, levels: number = LIMITS.jsonDepth): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isTooDeep(item, levels - 1));
}
