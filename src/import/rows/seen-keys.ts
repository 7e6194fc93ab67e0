// The set of seen keys, in 16 bytes a key: of ten million rows the keys themselves would not fit. Two keys may be
// taken for one, so a wrong answer may cost its caller time, and nothing else.

export interface SeenKeys {
  /** True for every key that was added, and once in a long time for another one. */
  has(key: string): boolean;
  add(key: string): void;
}

export function openSeenKeys(): SeenKeys {
  /** Pairs of hashes; 0, 0 is free. */
  let slots = new Uint32Array(2 * 1024);
  let count = 0;
  const place = (table: Uint32Array, one: number, other: number): number => {
    const last = table.length / 2 - 1;
    for (let at = one & last; ; at = (at + 1) & last) {
      const [a, b] = [table[2 * at], table[2 * at + 1]];
      if ((a === one && b === other) || (a === 0 && b === 0)) return 2 * at;
    }
  };
  function grow(): void {
    const larger = new Uint32Array(slots.length * 2);
    for (let at = 0; at < slots.length; at += 2) {
      const [one, other] = [slots[at] as number, slots[at + 1] as number];
      if (one !== 0 || other !== 0) larger.set([one, other], place(larger, one, other));
    }
    slots = larger;
  }
  return {
    has(key) {
      const [one, other] = hashesOf(key);
      return slots[place(slots, one, other) + 1] === other;
    },
    add(key) {
      const [one, other] = hashesOf(key);
      const at = place(slots, one, other);
      if (slots[at + 1] === other) return;
      slots.set([one, other], at);
      count += 1;
      if (count * 4 > slots.length) grow();
    },
  };
}

/** Two hashes of a text (FNV-1a with two starts and multipliers); the second is never 0. */
function hashesOf(text: string): readonly [number, number] {
  let [one, other] = [0x811c9dc5, 0x9747b28c];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193);
    other = Math.imul(other ^ code, 0x5bd1e995);
    other ^= other >>> 15;
  }
  return [(one ^ (one >>> 13)) >>> 0, (other | 1) >>> 0];
}
