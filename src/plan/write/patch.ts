// Partial changes: what something becomes, and which of its properties are different then. Pure.

/** `before` with the values of the patch; undefined is not sent. */
export function patched<Fields extends object>(before: Fields, patch: object): Fields {
  const sent = Object.entries(patch).filter(([, value]) => value !== undefined);
  return { ...before, ...Object.fromEntries(sent) };
}

/** Names of the properties of `after` that have another value, compared as JSON. */
export function differences<Fields extends object>(
  before: Fields,
  after: Fields,
): readonly (keyof Fields & string)[] {
  const words = Object.keys(after) as (keyof Fields & string)[];
  return words.filter((word) => JSON.stringify(before[word]) !== JSON.stringify(after[word]));
}
