// Finds the nearest known name, for hints in messages about unknown names. Pure.

import { type Message, say } from '../../messages/message.ts';

/** Names that are compared, and characters of a name that may still be meant for another one. */
const MOST_COMPARED = 500;
const MOST_CHARACTERS = 100;

/** The known name nearest to `name`, or undefined when none of the first ones is near enough to be meant. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > MOST_CHARACTERS) return undefined;
  const limit = Math.max(1, Math.floor(name.length / 3));
  const ranked = known
    .slice(0, MOST_COMPARED)
    .filter(({ length }) => Math.abs(length - name.length) <= limit)
    .map((candidate) => ({ candidate, distance: editDistance(name, candidate) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance);
  return ranked[0]?.candidate;
}

/** The message for a name that is no key of these. */
export function unknownName(
  name: string,
  what: string,
  known: Readonly<Record<string, unknown>>,
): Message {
  const near = nearestName(name, Object.keys(known));
  return near === undefined
    ? say('name_unknown', { name, what })
    : say('name_unknown_near', { name, what, near });
}

/** Levenshtein distance, one row at a time. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const replace = (row[j - 1] as number) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replace, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[to.length] as number;
}
