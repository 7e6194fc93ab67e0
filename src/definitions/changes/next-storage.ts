// The storage names of the next definition: the existing ones, and new ones for entries that are new or stored in
// another form, because the data of the old name may still exist (D420, D261). Pure.

import type { Field, ObjectModel } from '../../model/definition/model.ts';
import { tableName } from '../../model/definition/physical-names.ts';
import type { Definition } from '../../model/definition/revision.ts';
import {
  freshName,
  type ObjectNames,
  type StorageNames,
  type StoredName,
  withoutNeedless,
} from '../../model/definition/storage-names.ts';
import type { Steps } from '../../model/steps.ts';
import { hasNewSearchRows } from './kinds/object-search.ts';
import { hasNewForm, isRecomputed } from './stored-form.ts';

export interface ExistingData {
  /** Names that are taken in addition to those of the definition. */
  readonly leftovers: readonly StoredName[];
  /** The name of rows that are built for this object already. */
  builtName(object: ObjectModel, old: ObjectModel): string | undefined;
  /** The name of values of this field that are stored in another form already. */
  builtPlace(object: ObjectModel, field: Field): string | undefined;
}

/** `before` has its new keys; `after` is compiled with the names of `before`. */
export function* storageSteps(
  before: Definition,
  after: Definition,
  existing: ExistingData,
): Steps<StorageNames> {
  const names: Record<string, ObjectNames> = {};
  const olds = [...before.model.objects.values()];
  const tables = new Set(olds.map(({ table }) => table));
  const searches = new Set([
    ...olds.map(({ search_name }) => search_name),
    ...existing.leftovers.filter(({ kind }) => kind === 'search').map(nameOf),
  ]);
  for (const object of after.model.objects.values()) {
    yield;
    const { object_type } = object;
    const old = before.model.objects.get(object_type);
    const table = old?.table ?? freshName(tableName(object_type), tables);
    tables.add(table);
    const isRebuilt = old === undefined || hasNewSearchRows(old, object);
    const search = isRebuilt
      ? ((old && existing.builtName(object, old)) ?? freshName(object_type, searches))
      : object.search_name;
    searches.add(search);
    const { texts = {} } = isRebuilt ? {} : (before.storage[object_type] ?? {});
    names[object_type] = { table, search, texts, ...nextPlaces(object, old, existing) };
  }
  return withoutNeedless(names, after.document.objects);
}

/** Columns, and keys in `custom_fields`. */
function nextPlaces(
  object: ObjectModel,
  old: ObjectModel | undefined,
  { leftovers, builtPlace }: ExistingData,
): Pick<ObjectNames, 'columns' | 'custom'> {
  const names = { physical: new Map<string, string>(), jsonb: new Map<string, string>() };
  const taken = takenPlaces(old, leftovers);
  for (const field of object.fields.values()) {
    if (field.system) continue;
    const from = old?.fields.get(field.key);
    const { key, storage } = field;
    const name =
      from === undefined
        ? freshName(key, taken[storage])
        : hasNewForm(from, field) || (old !== undefined && isRecomputed(old, object, field))
          ? (builtPlace(object, field) ?? freshName(key, taken[storage]))
          : placeOf(from);
    taken[storage].add(name);
    names[storage].set(key, name);
  }
  return {
    columns: Object.fromEntries(names.physical),
    custom: Object.fromEntries(names.jsonb),
  };
}

type Taken = Readonly<Record<Field['storage'], Set<string>>>;

function takenPlaces(old: ObjectModel | undefined, leftovers: readonly StoredName[]): Taken {
  const fields = [...(old?.fields.values() ?? [])];
  const left = leftovers.filter(({ table_name }) => table_name === old?.table);
  const takenIn = (storage: Field['storage'], kind: StoredName['kind']) =>
    new Set([
      ...fields.filter((field) => field.storage === storage).map(placeOf),
      ...left.filter((one) => one.kind === kind).map(nameOf),
    ]);
  return { physical: takenIn('physical', 'column'), jsonb: takenIn('jsonb', 'custom') };
}

function placeOf({ storage, column, custom_key }: Field): string {
  return storage === 'jsonb' ? custom_key : column;
}

function nameOf({ name }: StoredName): string {
  return name;
}
