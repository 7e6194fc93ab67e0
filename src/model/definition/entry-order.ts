// The order of entries that an application shows: those that the definition puts first, then the others as the document
// has them. A merge patch cannot change the order of a document (RFC 7396). Pure.

/** Keys that no entry has are ignored: a field that goes need not be removed from the order. */
export function inOrder<Value>(
  entries: Readonly<Record<string, Value>>,
  order: readonly string[] = [],
): readonly (readonly [key: string, value: Value])[] {
  if (order.length === 0) return Object.entries(entries);
  const places = new Map(order.map((key, place) => [key, place]));
  const placeOf = (key: string) => places.get(key) ?? order.length;
  return Object.entries(entries).toSorted(([one], [other]) => placeOf(one) - placeOf(other));
}
