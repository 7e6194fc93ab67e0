// `renamed_from` of a definition document: which entries of the definition before have another key now, and
// that definition as it reads with the new keys. The changes of the database are rename steps (diff-renames.ts).

import type { DefinitionDocument, ObjectDefinition } from './definition.ts';
import { ownValue } from './own-value.ts';

/** Where keys are renamed; objects and fields are named as they are after the change. */
export type RenamePlace =
  | { readonly section: 'objects' | 'relationships' | 'roles' }
  | { readonly section: 'fields'; readonly object: string }
  | { readonly section: 'statuses'; readonly workflow: string };

export interface Rename {
  readonly place: RenamePlace;
  readonly old_key: string;
  readonly new_key: string;
}

type Entries = Readonly<Record<string, { readonly renamed_from?: string }>>;

/** The entries of a document that can be renamed, in the order in which they are. */
function placesOf(document: DefinitionDocument): readonly (readonly [RenamePlace, Entries])[] {
  const { objects, relationships = {}, workflows = {}, roles = {} } = document;
  return [
    [{ section: 'objects' }, objects],
    ...Object.entries(objects).map(
      ([object, { fields }]) => [{ section: 'fields', object }, fields] as const,
    ),
    [{ section: 'relationships' }, relationships],
    ...Object.entries(workflows).map(
      ([workflow, { statuses }]) => [{ section: 'statuses', workflow }, statuses] as const,
    ),
    [{ section: 'roles' }, roles],
  ];
}

/** Such as `objects.deals.fields`. */
export function pathOfPlace(place: RenamePlace): readonly string[] {
  if (place.section === 'fields') return ['objects', place.object, 'fields'];
  if (place.section === 'statuses') return ['workflows', place.workflow, 'statuses'];
  return [place.section];
}

/** Every entry that says what it was called. */
export function renamesIn(document: DefinitionDocument): readonly Rename[] {
  return placesOf(document).flatMap(([place, entries]) =>
    Object.entries(entries).flatMap(([new_key, { renamed_from: old_key }]) =>
      old_key === undefined ? [] : [{ place, old_key, new_key }],
    ),
  );
}

export interface FoundRenames {
  readonly renames: readonly Rename[];
  /** Of an entry that is new, and has another name for something that is not there. */
  readonly missing: readonly Rename[];
}

/**
 * What is renamed between two documents: the new key is not there yet and the old one is. An entry that
 * is there already was renamed before.
 */
export function findRenames(before: DefinitionDocument, after: DefinitionDocument): FoundRenames {
  const renames: Rename[] = [];
  const missing: Rename[] = [];
  for (const rename of renamesIn(after)) {
    const entries = entriesBefore(before, rename.place, renames);
    if (entries === undefined || ownValue(entries, rename.new_key) !== undefined) continue;
    const isThere = ownValue(entries, rename.old_key) !== undefined;
    (isThere ? renames : missing).push(rename);
  }
  return { renames, missing };
}

/** Undefined when what holds the entry is new itself. */
function entriesBefore(
  before: DefinitionDocument,
  place: RenamePlace,
  renames: readonly Rename[],
): Entries | undefined {
  if (place.section === 'statuses') return ownValue(before.workflows, place.workflow)?.statuses;
  if (place.section !== 'fields') return before[place.section] ?? {};
  const object = renames.find(
    ({ place: { section }, new_key }) => section === 'objects' && new_key === place.object,
  );
  return ownValue(before.objects, object?.old_key ?? place.object)?.fields;
}

/** The document with the new keys, wherever it names what is renamed. */
export function renameKeys(
  document: DefinitionDocument,
  renames: readonly Rename[],
): DefinitionDocument {
  return renames.reduce(renameKey, document);
}

function renameKey(document: DefinitionDocument, { place, ...keys }: Rename): DefinitionDocument {
  switch (place.section) {
    case 'objects':
      return renameObject(document, keys);
    case 'fields':
      return renameField(document, place.object, keys);
    case 'relationships':
      return { ...document, relationships: withNewKey(document.relationships, keys) };
    case 'statuses':
      return renameStatus(document, place.workflow, keys);
    case 'roles':
      return renameRole(document, keys);
  }
}

type Keys = Pick<Rename, 'old_key' | 'new_key'>;

/** In its place: the order is that of the document. */
function withNewKey<Value>(
  entries: Readonly<Record<string, Value>> = {},
  { old_key, new_key }: Keys,
): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(entries).map(([key, value]) => [key === old_key ? new_key : key, value]),
  );
}

function mapValues<Value>(
  entries: Readonly<Record<string, Value>> = {},
  map: (value: Value, key: string) => Value,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(entries).map(([key, value]) => [key, map(value, key)]));
}

function renameObject(document: DefinitionDocument, keys: Keys): DefinitionDocument {
  const { old_key, new_key } = keys;
  const named = (objectType: string) => (objectType === old_key ? new_key : objectType);
  const objects = mapValues(withNewKey(document.objects, keys), (object) => ({
    ...object,
    fields: mapValues(object.fields, (field) =>
      field.reference_object_type === old_key
        ? { ...field, reference_object_type: new_key }
        : field,
    ),
  }));
  return {
    ...document,
    objects,
    relationships: mapValues(document.relationships, (relationship) => ({
      ...relationship,
      from: named(relationship.from),
      to: named(relationship.to),
    })),
    roles: mapValues(document.roles, (role) =>
      role.objects === undefined ? role : { ...role, objects: withNewKey(role.objects, keys) },
    ),
  };
}

function renameField(
  document: DefinitionDocument,
  objectType: string,
  keys: Keys,
): DefinitionDocument {
  const objects = mapValues(document.objects, (object, key) =>
    key === objectType ? withField(object, keys) : object,
  );
  const roles = mapValues(document.roles, (role) => {
    const grant = ownValue(role.objects, objectType);
    if (grant?.fields === undefined) return role;
    const renamed = { ...grant, fields: withNewKey(grant.fields, keys) };
    return { ...role, objects: { ...role.objects, [objectType]: renamed } };
  });
  return {
    ...document,
    objects,
    roles,
    work_item_types: typesWithField(document, objectType, keys),
  };
}

function withField(object: ObjectDefinition, keys: Keys): ObjectDefinition {
  const { old_key, new_key } = keys;
  return {
    ...object,
    fields: withNewKey(object.fields, keys),
    ...(object.display_field === old_key ? { display_field: new_key } : {}),
    ...(object.subtitle_field === old_key ? { subtitle_field: new_key } : {}),
  };
}

function typesWithField(
  { work_item_types }: DefinitionDocument,
  objectType: string,
  { old_key, new_key }: Keys,
) {
  if (objectType !== 'work_items') return work_item_types ?? {};
  return mapValues(work_item_types, (type) => ({
    ...type,
    ...(type.fields === undefined
      ? {}
      : { fields: type.fields.map((key) => (key === old_key ? new_key : key)) }),
  }));
}

function renameStatus(
  document: DefinitionDocument,
  workflowId: string,
  keys: Keys,
): DefinitionDocument {
  const { old_key, new_key } = keys;
  const named = (status: string) => (status === old_key ? new_key : status);
  const workflows = mapValues(document.workflows, (workflow, id) => {
    if (id !== workflowId) return workflow;
    const statuses = mapValues(withNewKey(workflow.statuses, keys), (status) => ({
      ...status,
      ...(status.transitions === undefined
        ? {}
        : {
            transitions: status.transitions.map((transition) =>
              typeof transition === 'string'
                ? named(transition)
                : { ...transition, to: named(transition.to) },
            ),
          }),
    }));
    return { ...workflow, initial: named(workflow.initial), statuses };
  });
  return { ...document, workflows };
}

function renameRole(document: DefinitionDocument, keys: Keys): DefinitionDocument {
  const { old_key, new_key } = keys;
  const users = mapValues(document.users, (user) => ({
    ...user,
    roles: user.roles.map((role) => (role === old_key ? new_key : role)),
  }));
  return { ...document, roles: withNewKey(document.roles, keys), users };
}

/** The document without the words that say what was renamed: they alone change nothing. */
export function withoutRenames(document: DefinitionDocument): DefinitionDocument {
  const plain = <Entry extends object>(entry: Entry & { readonly renamed_from?: string }) => {
    const { renamed_from: _, ...rest } = entry;
    return rest as Entry;
  };
  const { objects, relationships, workflows, roles } = document;
  return {
    ...document,
    objects: mapValues(objects, (object) => ({
      ...plain(object),
      fields: mapValues(object.fields, plain),
    })),
    ...(relationships && { relationships: mapValues(relationships, plain) }),
    ...(workflows && {
      workflows: mapValues(workflows, (workflow) => ({
        ...workflow,
        statuses: mapValues(workflow.statuses, plain),
      })),
    }),
    ...(roles && { roles: mapValues(roles, plain) }),
  };
}
