// The fields that somebody reads and writes. The value of a computed field tells of its inputs, so a reader reads all of
// them, and nobody writes it. Pure.

import type { FieldAccess, ObjectModel } from '../definition/model.ts';

/** `accessTo`: what the roles say of each field, by its key. */
export function withComputed(
  { fields, formulas }: ObjectModel,
  accessTo: ReadonlyMap<string, FieldAccess>,
) {
  const isRead = (key: string) => (accessTo.get(key) ?? 'none') !== 'none';
  const computed = new Map(formulas.map(({ key, formula }) => [key, [...(formula?.inputs ?? [])]]));
  const keys = [...fields.keys()];
  return {
    readable: new Set(keys.filter((key) => isRead(key) && (computed.get(key) ?? []).every(isRead))),
    writable: new Set(keys.filter((key) => accessTo.get(key) === 'write' && !computed.has(key))),
  };
}
