// Limits JSON in a file to the depth and size of a request (D10, D165). Deeper JSON could overflow the stack of recursive
// functions, and more keys or values would stop other requests while they are parsed. Pure.

import { LIMITS } from '../../limits.ts';
import { say } from '../../messages/message.ts';

/** Bounds of the JSON in one row of a file: those of a request that writes one record. */
export const JSON_BOUNDS = Object.freeze({
  depth: LIMITS.jsonDepth,
  nodes: LIMITS.jsonNodes,
  values: LIMITS.jsonValues,
});

/** The predicates of a text beyond these bounds. */
export const BEYOND = Object.freeze({
  depth: say('must_not_be_deeper', { most: LIMITS.jsonDepth }),
  size: say('must_not_have_more_nodes', { nodes: LIMITS.jsonNodes, values: LIMITS.jsonValues }),
});

export function isTooDeep(value: unknown, levels: number = LIMITS.jsonDepth): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isTooDeep(item, levels - 1));
}
