// How deep JSON of a file may nest: as deep as that of a request (D10). What is deeper would end in
// functions that call themselves for each level. Pure.

import { LIMITS } from '../limits.ts';

export const TOO_DEEP = `must not nest more than ${LIMITS.jsonDepth} levels deep`;

export function isTooDeep(value: unknown, levels: number = LIMITS.jsonDepth): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isTooDeep(item, levels - 1));
}
