// The order of fields, and their sections. Pure.

import type { ObjectEntry } from '../../lib/definition/document.ts';

export interface FieldSection {
  /** Undefined: fields without a section, which come first. */
  readonly name: string | undefined;
  readonly keys: readonly string[];
}

/** Sections in the order of their first fields. */
export function sectionsOf(
  { fields }: Pick<ObjectEntry, 'fields'>,
  order: readonly string[],
): readonly FieldSection[] {
  const bySection = new Map<string | undefined, string[]>([[undefined, []]]);
  for (const key of order) {
    const name = fields[key]?.section;
    const keys = bySection.get(name) ?? [];
    keys.push(key);
    bySection.set(name, keys);
  }
  return [...bySection]
    .filter(([, keys]) => keys.length > 0)
    .map(([name, keys]) => ({ name, keys }));
}

/** `before` undefined: to the end. */
export function movedBefore(
  order: readonly string[],
  key: string,
  before: string | undefined,
): readonly string[] {
  if (key === before) return order;
  const others = order.filter((one) => one !== key);
  const at = before === undefined ? others.length : others.indexOf(before);
  return [...others.slice(0, at), key, ...others.slice(at)];
}
