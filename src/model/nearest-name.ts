// Finds the nearest known name, for hints in messages about unknown names. Pure.

/** No name is longer; the distance of a long text from every name takes long. */
const LONGEST = 100;

/** The known name nearest to `name`, or undefined when none is near enough to be meant. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > LONGEST) return undefined;
  const limit = Math.max(1, Math.floor(name.length / 3));
  const ranked = known
    .map((candidate) => ({ candidate, distance: editDistance(name, candidate) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance);
  return ranked[0]?.candidate;
}

/** The message for an unknown name. */
export function unknownName(name: string, what: string, known: readonly string[]): string {
  const near = nearestName(name, known);
  return `"${name}" is not ${what} of this definition${near === undefined ? '' : `; did you mean ${near}?`}`;
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
