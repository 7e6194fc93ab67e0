// The names under which a definition that is to come has its data: those there are, and new ones for what is new
// or rebuilt, because what had the old name may still be stored (D260, D261). Pure.

import type { Field, ObjectModel } from '../../model/model.ts';
import type { Definition } from '../../model/revision.ts';
import type { Steps } from '../../model/steps.ts';
import {
  freshName,
  type ObjectNames,
  type StorageNames,
  type StoredName,
  withoutNeedless,
} from '../../model/storage-names.ts';
import { isSearchedAnew } from './diff.ts';

export interface Surroundings {
  /** Names that are taken beside those of the definition. */
  readonly leftovers: readonly StoredName[];
  /** The table that has this name after the renaming. */
  tableBefore(name: string): string;
  /** The name of rows that are built for this object already. */
  builtName(object: ObjectModel, old: ObjectModel): string | undefined;
  /** The key of values of this field that are rebuilt already; null when they stay as they are. */
  builtKey(object: ObjectModel, field: Field): string | undefined | null;
}

/** `before` has its new keys; `after` is compiled with the names of `before`. */
export function* storageSteps(
  before: Definition,
  after: Definition,
  surroundings: Surroundings,
): Steps<StorageNames> {
  const names: Record<string, ObjectNames> = { ...before.storage };
  const searches = new Set([
    ...[...before.model.objects.values()].map(({ search_name }) => search_name),
    ...surroundings.leftovers.filter(({ kind }) => kind === 'search').map(({ name }) => name),
  ]);
  for (const object of after.model.objects.values()) {
    yield;
    const { object_type } = object;
    const old = before.model.objects.get(object_type);
    const own = names[object_type] ?? {};
    const isAnew = old === undefined || isSearchedAnew(old, object);
    const search = isAnew
      ? ((old && surroundings.builtName(object, old)) ?? freshName(object_type, searches))
      : object.search_name;
    searches.add(search);
    const { texts = {} } = isAnew ? {} : own;
    names[object_type] = { search, texts, custom: nextCustom(own, object, old, surroundings) };
  }
  return withoutNeedless(names, after.document.objects);
}

function nextCustom(
  { custom = {} }: ObjectNames,
  object: ObjectModel,
  old: ObjectModel | undefined,
  { leftovers, tableBefore, builtKey }: Surroundings,
): Readonly<Record<string, string>> {
  const names: Record<string, string> = { ...custom };
  if (old === undefined) return {};
  const table = tableBefore(object.table);
  const taken = new Set([
    ...leftovers.filter((one) => one.kind === 'custom' && one.table_name === table).map(nameOf),
    ...[...old.fields.values()].filter(isCustom).map(({ custom_key }) => custom_key),
  ]);
  for (const field of [...object.fields.values()].filter(isCustom)) {
    const built = old.fields.has(field.key) ? builtKey(object, field) : undefined;
    if (built === null) continue;
    const name = built ?? freshName(field.key, taken);
    taken.add(name);
    names[field.key] = name;
  }
  return names;
}

function nameOf({ name }: StoredName): string {
  return name;
}

function isCustom({ storage }: { readonly storage: string }): boolean {
  return storage === 'jsonb';
}
