// The order of keys in which PostgreSQL's jsonb keeps objects: shorter names first, in bytes of UTF-8,
// those of one length by their bytes. A value in this order is answered when it is written with the very
// text that is read later, which makes tags of answers equal (D160).

export function inStoredOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inStoredOrder);
  // JSON has one zero.
  if (value === 0) return 0;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, item]) => ({
    key,
    bytes: Buffer.from(key),
    item: inStoredOrder(item),
  }));
  members.sort((a, b) => a.bytes.length - b.bytes.length || Buffer.compare(a.bytes, b.bytes));
  // Object.fromEntries makes `__proto__` a member like any other.
  return Object.fromEntries(members.map(({ key, item }) => [key, item]));
}
