// The names by which other rows may refer to the record of a row: the values by which references look records of its
// object up. Pure.

import type { Field } from '../../model/definition/model.ts';
import type { ImportPlan } from '../mapping/compile-mapping.ts';
import type { Lookup, Target } from '../mapping/compile-target.ts';
import { canonicalValue } from './record-lookup.ts';

/** The look-ups of this plan's rows. */
export function lookupsOf({ targets, object, match }: ImportPlan): readonly Lookup[] {
  // Without targets only ids name records (ownReference in compile-mapping.ts).
  return (
    targets?.flatMap(({ lookup, named }) => [lookup ?? [], named ?? []].flat()) ??
    match.map((field) => ({ object, field }))
  );
}

/** `value` as `canonicalValue` makes it. */
export function nameOf({ object, field }: Lookup, value: string): string {
  return `${object.object_type} ${field.key} ${value}`;
}

/** The names of the record that the row makes, as these look it up. */
export function namesOf(
  { values }: { readonly values: ReadonlyMap<Target, unknown> },
  { object }: Pick<ImportPlan, 'object'>,
  lookups: readonly Lookup[],
): readonly string[] {
  const byField = new Map<Field, unknown>([...values].map(([{ field }, value]) => [field, value]));
  return lookups.flatMap((lookup) => {
    const value = lookup.object === object ? byField.get(lookup.field) : undefined;
    const canonical = value === null ? undefined : canonicalValue(lookup.field, value);
    return canonical === undefined ? [] : [nameOf(lookup, canonical)];
  });
}
