// An object as columns of a file are matched with it. Pure.

import type { MatchedField, MatchedObject } from '../../../packages/tables/src/match-columns.ts';
import { FIELD_TYPE_TRAITS } from '../values/field-types.ts';
import { type Field, type ObjectModel, PUBLIC_ID_KEY, STATUS_ALIAS_KEY } from './model.ts';

export function matchedObject(object: ObjectModel): MatchedObject {
  const { object_type, name, singular_name, display_field, fields } = object;
  const importable = [...fields.values()].filter(
    (field) =>
      field.key !== STATUS_ALIAS_KEY &&
      !FIELD_TYPE_TRAITS[field.type].holdsFiles &&
      isImported(field),
  );
  return { object_type, name, singular_name, display_field, fields: importable.map(matchedField) };
}

/** System fields an import may write. */
const IMPORTED: ReadonlySet<string> = new Set([
  ...['id', 'status', 'owner_user_id', 'created_at', 'updated_at', PUBLIC_ID_KEY],
]);

export function isImported({ system, key, formula }: Pick<Field, 'system' | 'key' | 'formula'>) {
  return system ? IMPORTED.has(key) : formula === null;
}

function matchedField({ key, name, type, unique, rules }: Field): MatchedField {
  const { isList, takes, words } = FIELD_TYPE_TRAITS[type];
  return {
    ...{ key, name, isList, takes, reads: readsOf(type) },
    isUnique: unique || key === 'id' || key === PUBLIC_ID_KEY,
    options: words.includes('options') ? (rules.options ?? []) : undefined,
  };
}

function readsOf(type: Field['type']): MatchedField['reads'] {
  const { refersTo, aggregates, time } = FIELD_TYPE_TRAITS[type];
  if (refersTo === 'user') return 'people';
  if (aggregates.includes('sum')) return 'numbers';
  return time === undefined ? undefined : `${time}s`;
}
