// The names under which a workspace stores the entries of its definition: tables, columns, values within
// `custom_fields`, search rows. A name that is not listed is the key. They are stored with the document (D420), so
// that a rename changes the document only. Pure.

import { tableName } from './physical-names.ts';
import type { Rename } from './rename.ts';

type Names = Readonly<Record<string, string>>;

/**
 * The parts of a field that have a name: its column, its key in `custom_fields`, the end of `source` of its search
 * rows.
 */
type FieldPart = 'columns' | 'custom' | 'texts';

const FIELD_PARTS: readonly FieldPart[] = ['columns', 'custom', 'texts'];

export interface ObjectNames extends Readonly<Partial<Record<FieldPart, Names>>> {
  readonly table?: string;
  /** The prefix of `source` in its search rows. */
  readonly search?: string;
}

/** The names by object type. */
export type StorageNames = Readonly<Record<string, ObjectNames>>;

/** Data that no definition in force names, or that is being built for one to come. */
export interface StoredName {
  readonly kind: 'search' | 'custom' | 'column';
  /** Null for search rows. */
  readonly table_name: string | null;
  readonly name: string;
}

export const NO_NAMES: StorageNames = Object.freeze({});

export function storedTable(names: StorageNames, objectType: string): string {
  return namesOf(names, objectType).table ?? tableName(objectType);
}

export function searchName(names: StorageNames, objectType: string): string {
  return namesOf(names, objectType).search ?? objectType;
}

/** The name of a part of a field. */
export function fieldName(
  names: StorageNames,
  objectType: string,
  part: FieldPart,
  key: string,
): string {
  return nameIn(namesOf(names, objectType)[part], key);
}

function namesOf(names: StorageNames, objectType: string): ObjectNames {
  return Object.hasOwn(names, objectType) ? (names[objectType] as ObjectNames) : {};
}

function nameIn(names: Names = {}, key: string): string {
  return Object.hasOwn(names, key) ? (names[key] as string) : key;
}

/** The names after these renames: stored data keeps its own names. */
export function renameStored(names: StorageNames, renames: readonly Rename[]): StorageNames {
  const renamed = new Map<string, ObjectNames>(Object.entries(names));
  const ofFields = new Map<string, Rename[]>();
  for (const rename of renames) {
    const { place: renamedPlace, old_key, new_key } = rename;
    if (renamedPlace.section === 'objects') {
      const [table, search] = [storedTable(names, old_key), searchName(names, old_key)];
      renamed.delete(old_key);
      renamed.set(new_key, { ...namesOf(names, old_key), table, search });
    } else if (renamedPlace.section === 'fields') {
      ofFields.set(renamedPlace.object, [...(ofFields.get(renamedPlace.object) ?? []), rename]);
    }
  }
  for (const [objectType, fields] of ofFields) {
    const own = renamed.get(objectType) ?? {};
    const parts = FIELD_PARTS.map((part) => [part, withNewKeys(own[part], fields)]);
    renamed.set(objectType, { ...own, ...Object.fromEntries(parts) });
  }
  return Object.fromEntries(renamed);
}

function withNewKeys(names: Names = {}, renames: readonly Rename[]): Names {
  const renamed = new Map(Object.entries(names));
  for (const { old_key, new_key } of renames) {
    renamed.delete(old_key);
    renamed.set(new_key, nameIn(names, old_key));
  }
  return Object.fromEntries(renamed);
}

/** The key itself, or with a number behind it that none of these has. */
export function freshName(key: string, taken: ReadonlySet<string>): string {
  let name = key;
  for (let number = 2; taken.has(name); number += 1) name = `${key}#${number}`;
  return name;
}

/** The names without objects and fields that are gone, and without names that are the default. */
export function withoutNeedless(
  names: StorageNames,
  objects: Readonly<Record<string, { readonly fields: object }>>,
): StorageNames {
  const entries = Object.entries(names).flatMap(([objectType, own]) => {
    const object = Object.hasOwn(objects, objectType) ? objects[objectType] : undefined;
    const kept = object === undefined ? {} : needed(objectType, own, object.fields);
    return Object.keys(kept).length === 0 ? [] : [[objectType, kept] as const];
  });
  return Object.fromEntries(entries);
}

function needed(objectType: string, own: ObjectNames, fields: object): ObjectNames {
  const { table = tableName(objectType), search = objectType } = own;
  const parts = FIELD_PARTS.flatMap((part) => {
    const listed = Object.entries(own[part] ?? {}).filter(
      ([key, name]) => key !== name && Object.hasOwn(fields, key),
    );
    return listed.length === 0 ? [] : [[part, Object.fromEntries(listed)] as const];
  });
  return {
    ...(table === tableName(objectType) ? {} : { table }),
    ...(search === objectType ? {} : { search }),
    ...Object.fromEntries(parts),
  };
}
