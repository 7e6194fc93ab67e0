// The fields that somebody reads and writes. The value of a computed field tells of its inputs, so a reader reads all of
// them, and nobody writes it. Pure.

import type { FieldAccess, ObjectModel, Reach, Rollup } from '../definition/model.ts';

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

interface ReadAccess {
  readonly reach: { readonly read: Reach | null };
  readonly readable: ReadonlySet<string>;
}

/** The rights on an object with the rollups whose records and values may all be read. */
export function withRollups<Access extends ReadAccess>(
  object: ObjectModel,
  accessByObject: ReadonlyMap<string, Access>,
  isGranted: (rollup: Rollup) => boolean,
): Access {
  const access = accessByObject.get(object.object_type) as Access;
  const readable = new Set(access.readable);
  for (const [key, rollup] of object.rollups) {
    const { reference, field, where = [] } = rollup.rollup;
    const other = accessByObject.get(reference.object_type);
    const inputs = [
      reference.field,
      ...(field === undefined ? [] : [field]),
      ...where.map((one) => one.field),
    ];
    const isRead = inputs.every((input) => other?.readable.has(input));
    if (other?.reach.read === 'organisation' && isRead && isGranted(rollup)) readable.add(key);
  }
  return Object.freeze({ ...access, readable });
}
