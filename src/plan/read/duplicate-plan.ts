// The fields by which records may be the same thing, as far as the caller may read them (docs/design/merge.md). Pure.

import { ApiError } from '../../errors.ts';
import { say } from '../../messages/message.ts';
import type { Field, ObjectModel } from '../../model/definition/model.ts';
import { canReadField, type Planner } from '../../model/rights/access.ts';

/** How the values of a field are compared. */
export type Comparison = 'email' | 'phone' | 'host' | 'name';

export interface ComparedField {
  readonly field: Field;
  readonly comparison: Comparison;
}

const BY_TYPE: Readonly<Record<string, Comparison>> = {
  email: 'email',
  phone: 'phone',
  url: 'host',
};
const ORDER: readonly Comparison[] = ['email', 'phone', 'host', 'name'];

/** The most certain ones first. Errors: `write_not_supported` when there are none. */
export function comparedFields(caller: Planner, object: ObjectModel): readonly ComparedField[] {
  const fields = [...object.fields.values()].flatMap((field): ComparedField[] => {
    const isName = field.key === object.display_field && field.type === 'text';
    const comparison = isName ? 'name' : BY_TYPE[field.type];
    if (comparison === undefined || !canReadField(caller, object, field)) return [];
    return [{ field, comparison }];
  });
  if (fields.length === 0) {
    throw new ApiError('search_not_supported', { message: say('duplicates_not_compared') });
  }
  return fields.sort(
    (one, other) => ORDER.indexOf(one.comparison) - ORDER.indexOf(other.comparison),
  );
}

/** A group as the statement finds it, by one field. */
export interface FoundGroup {
  readonly field: string;
  readonly ids: readonly string[];
}

/** Groups of the same records are one; those with more equal fields come first. */
export function joinedGroups(found: readonly FoundGroup[]) {
  const groups = new Map<
    string,
    { readonly fields: string[]; readonly record_ids: readonly string[] }
  >();
  for (const { field, ids } of found) {
    const key = ids.join(' ');
    const group = groups.get(key) ?? { fields: [], record_ids: ids };
    if (!group.fields.includes(field)) group.fields.push(field);
    groups.set(key, group);
  }
  return [...groups.values()].sort((one, other) => other.fields.length - one.fields.length);
}
