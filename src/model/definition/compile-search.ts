// Selects the fields of an object that `GET /search` searches, and those that may be the subtitle of a hit. Pure.

import type { SearchKind } from '../text/search-text.ts';
import { FIELD_TYPE_TRAITS } from '../values/field-types.ts';
import type { FieldDefinition, ObjectDefinition } from './definition.ts';
import { type Field, type ObjectModel, PUBLIC_ID_KEY, type SearchedField } from './model.ts';
import { fieldName, type StorageNames, searchName } from './storage-names.ts';
import { valueType } from './value-type.ts';

/** Built-in objects that are found only when the definition says so. */
const LEFT_OUT: readonly string[] = ['deals', 'products'];

interface StoredFields {
  readonly fields: ReadonlyMap<string, Field>;
  readonly names: StorageNames;
}

export function compileSearch(
  objectType: string,
  definition: ObjectDefinition,
  stored: StoredFields,
): Pick<ObjectModel, 'searched' | 'subtitles'> {
  const isSearched = definition.searchable ?? !LEFT_OUT.includes(objectType);
  const searched = isSearched ? searchedFields(objectType, definition, stored) : [];
  return {
    searched: Object.freeze(searched),
    subtitles: subtitleFields(definition, stored.fields),
  };
}

function searchedFields(
  objectType: string,
  definition: ObjectDefinition,
  { fields, names }: StoredFields,
): readonly SearchedField[] {
  const publicId = fields.get(PUBLIC_ID_KEY);
  const sourceOf = (key: string) =>
    `${searchName(names, objectType)}.${fieldName(names, objectType, 'texts', key)}`;
  const source = sourceOf(PUBLIC_ID_KEY);
  const numbered = publicId && Object.freeze({ field: publicId, source, kind: 'text' as const });
  const declaredFields = Object.entries(definition.fields).flatMap(([key, declared]) => {
    const field = fields.get(key);
    const kind = kindOf(key, declared, definition.display_field);
    if (field === undefined || kind === undefined) return [];
    return [Object.freeze({ field, source: sourceOf(key), kind })];
  });
  return numbered === undefined ? declaredFields : [...declaredFields, numbered];
}

function kindOf(
  key: string,
  definition: FieldDefinition,
  displayField: string | null | undefined,
): SearchKind | undefined {
  const isDisplay = key === displayField;
  const { search } = FIELD_TYPE_TRAITS[valueType(definition)];
  const byDefault = isDisplay || search?.byDefault === true;
  if (!(definition.searchable ?? byDefault)) return undefined;
  return isDisplay ? 'display' : search?.kind;
}

/** The declared one; of work items the public id; else e-mail addresses, then texts, in columns. */
function subtitleFields(
  definition: ObjectDefinition,
  fields: ReadonlyMap<string, Field>,
): readonly Field[] {
  const { subtitle_field: declared, display_field: display } = definition;
  if (declared !== undefined) return [...fields.values()].filter(({ key }) => key === declared);
  const publicId = fields.get(PUBLIC_ID_KEY);
  if (publicId !== undefined) return [publicId];
  const ranked = [...fields.values()].flatMap((field) => {
    const rank = FIELD_TYPE_TRAITS[field.type].search?.subtitleRank;
    const isOther = !field.system && field.storage === 'physical' && field.key !== display;
    return rank !== undefined && isOther ? [{ field, rank }] : [];
  });
  ranked.sort((a, b) => a.rank - b.rank);
  return Object.freeze(ranked.map(({ field }) => field));
}
