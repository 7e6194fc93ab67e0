// The shown columns, and their order.

/** One place to the left or right, or to any place. */
export function moved(
  keys: readonly string[],
  key: string,
  to: (at: number) => number,
): readonly string[] {
  const at = keys.indexOf(key);
  if (at < 0) return keys;
  const others = keys.toSpliced(at, 1);
  return others.toSpliced(Math.max(0, Math.min(to(at), others.length)), 0, key);
}

export function toggled(keys: readonly string[], key: string): readonly string[] {
  return keys.includes(key) ? keys.filter((one) => one !== key) : [...keys, key];
}
