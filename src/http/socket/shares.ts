// Bytes that are kept in memory for clients: a budget for all of them and one for each. Owners
// are opaque.

export interface Shares {
  /**
   * Whether this owner may have so many bytes more; its first bytes are limited by the whole
   * only.
   */
  admits(owner: string, bytes: number): boolean;
  /** True while this owner has used up its own share. */
  isFull(owner: string): boolean;
  take(owner: string, bytes: number): void;
  give(owner: string, bytes: number): void;
  /** Take them; the returned function gives them back. */
  hold(owner: string, bytes: number): () => void;
  /** Bytes of all owners. */
  total(): number;
}

export interface ShareLimits {
  readonly most: number;
  readonly each: number;
}

export function openShares({ most, each }: ShareLimits): Shares {
  const held = new Map<string, number>();
  let total = 0;
  const take = (owner: string, bytes: number) => {
    total += bytes;
    held.set(owner, (held.get(owner) ?? 0) + bytes);
  };
  const give = (owner: string, bytes: number) => {
    total -= bytes;
    const own = (held.get(owner) ?? 0) - bytes;
    if (own > 0) held.set(owner, own);
    else held.delete(owner);
  };
  return {
    admits(owner, bytes) {
      const own = held.get(owner) ?? 0;
      return total + bytes <= most && (own === 0 || own + bytes <= each);
    },
    isFull: (owner) => (held.get(owner) ?? 0) >= each,
    take,
    give,
    hold(owner, bytes) {
      take(owner, bytes);
      return () => give(owner, bytes);
    },
    total: () => total,
  };
}
