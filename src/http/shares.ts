// Bytes that are kept in memory for clients: a budget for all of them and one for each. It knows neither
// what the bytes are nor whose.

export interface Shares {
  /** Whether so many bytes more may be kept for this owner; the first of its own always within the whole. */
  admits(owner: string, bytes: number): boolean;
  /** True while as much is kept for this owner as may be, whatever is kept for others. */
  isFull(owner: string): boolean;
  take(owner: string, bytes: number): void;
  give(owner: string, bytes: number): void;
  /** Kept for all. */
  total(): number;
}

export interface ShareLimits {
  readonly most: number;
  readonly each: number;
}

export function openShares({ most, each }: ShareLimits): Shares {
  const held = new Map<string, number>();
  let total = 0;
  return {
    admits(owner, bytes) {
      const own = held.get(owner) ?? 0;
      return total + bytes <= most && (own === 0 || own + bytes <= each);
    },
    isFull: (owner) => (held.get(owner) ?? 0) >= each,
    take(owner, bytes) {
      total += bytes;
      held.set(owner, (held.get(owner) ?? 0) + bytes);
    },
    give(owner, bytes) {
      total -= bytes;
      const own = (held.get(owner) ?? 0) - bytes;
      if (own > 0) held.set(owner, own);
      else held.delete(owner);
    },
    total: () => total,
  };
}
