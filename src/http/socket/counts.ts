// Counts by owner. Owners are opaque.

export interface Counts {
  of(owner: string): number;
  add(owner: string, difference: 1 | -1): void;
  /** The number of owners with at least one. */
  owners(): number;
}

export function openCounts(): Counts {
  const counts = new Map<string, number>();
  const of = (owner: string) => counts.get(owner) ?? 0;
  return {
    of,
    add(owner, difference) {
      const count = of(owner) + difference;
      if (count > 0) counts.set(owner, count);
      else counts.delete(owner);
    },
    owners: () => counts.size,
  };
}
