// Another key for an object, field, relationship or status: its data stays (`renamed_from`), and everything in the
// document that names it says the new key. Pure.

import { plainKey, RESERVED_FIELD_KEYS } from '../../../../tables/src/field-keys.ts';
import {
  type DefinitionDocument,
  type Entries,
  type FieldEntry,
  type ObjectEntry,
  orderedKeys,
  type Path,
  type StatusEntry,
  targetOf,
  valueAt,
  withValue,
} from './document.ts';

/** `present`: the definition in force, which says whether there is data under the old key. */
export function renameEntry(
  document: DefinitionDocument,
  present: DefinitionDocument,
  path: Path,
  key: string,
): DefinitionDocument {
  const old = path.at(-1) ?? '';
  if (old === key) return document;
  const entriesPath = path.slice(0, -1);
  const entries = valueAt(document, entriesPath) as Entries<object>;
  const stored = pathInForce(present, document, path);
  const former = valueAt(present, stored) === undefined ? undefined : stored.at(-1);
  const moved = Object.fromEntries(
    Object.entries(entries).map(([one, entry]) =>
      one === old ? [key, withFormerKey(entry, former, key)] : [one, entry],
    ),
  );
  const named = withValue(withOrder(document, entriesPath, old, key), entriesPath, moved);
  return withReferences(named, path, key);
}

/** The entry of this key, also where it has another one in the draft. */
export function presentKey(entries: Entries<unknown>, key: string): string | undefined {
  if (Object.hasOwn(entries, key)) return key;
  return Object.keys(entries).find((one) => valueAt(entries, [one, 'renamed_from']) === key);
}

/** Where the entry is in the definition in force: it, or the object around it, may have had another key. */
export function pathInForce(
  present: DefinitionDocument,
  document: DefinitionDocument,
  path: Path,
): Path {
  const stored: string[] = [];
  for (const [at, key] of path.entries()) {
    const old = valueAt(document, [...path.slice(0, at + 1), 'renamed_from']);
    const isThere = (one: string) => valueAt(present, stored.concat(one)) !== undefined;
    stored.push(!isThere(key) && typeof old === 'string' && isThere(old) ? old : key);
  }
  return stored;
}

function withFormerKey(entry: object, old: string | undefined, key: string): object {
  const { renamed_from: _, ...rest } = entry as { readonly renamed_from?: string };
  return old === undefined || old === key ? rest : { ...rest, renamed_from: old };
}

const ORDERS: Readonly<Record<string, string>> = {
  fields: 'field_order',
  statuses: 'status_order',
};

/** The place among the others stays. */
function withOrder(
  document: DefinitionDocument,
  place: Path,
  old: string,
  key: string,
): DefinitionDocument {
  const word = ORDERS[place.at(-1) ?? ''];
  if (word === undefined) return document;
  const at = [...place.slice(0, -1), word];
  const order = valueAt(document, at) as readonly string[] | undefined;
  const entries = valueAt(document, place) as Entries<unknown>;
  const next = orderedKeys(entries, order).map((one) => (one === old ? key : one));
  return withValue(document, at, next);
}

function withReferences(document: DefinitionDocument, path: Path, key: string): DefinitionDocument {
  const [section, owner = '', inner, old = owner] = path;
  if (section === 'objects' && inner === undefined) return withObjectKey(document, old, key);
  if (section === 'objects') return withFieldKey(document, owner, old, key);
  if (section === 'workflows' && inner === 'statuses')
    return withStatusKey(document, owner, old, key);
  return document;
}

function withObjectKey(document: DefinitionDocument, old: string, key: string): DefinitionDocument {
  const typed = (one: string) => (one === old ? key : one);
  const objects = mapValues(document.objects, (object) => ({
    ...object,
    fields: mapValues(object.fields, (field) => withTarget(field, old, key)),
  }));
  const relationships = mapValues(document.relationships ?? {}, (one) => ({
    ...one,
    from: typed(one.from),
    to: typed(one.to),
  }));
  const roles = mapValues(document.roles ?? {}, (role) => {
    if (role.objects === undefined || !Object.hasOwn(role.objects, old)) return role;
    const grants = Object.entries(role.objects).map(([one, grant]) => [typed(one), grant] as const);
    return { ...role, objects: Object.fromEntries(grants) };
  });
  return { ...document, objects, relationships, roles };
}

/** The field with another key of the object that it refers to, or whose records it summarizes. */
function withTarget(field: FieldEntry, old: string, key: string): FieldEntry {
  const { reference_object_type: target, rollup } = field;
  if (target === old) return { ...field, reference_object_type: key };
  if (rollup?.reference.object_type !== old) return field;
  return { ...field, rollup: { ...rollup, reference: { ...rollup.reference, object_type: key } } };
}

function withFieldKey(
  document: DefinitionDocument,
  type: string,
  old: string,
  key: string,
): DefinitionDocument {
  const renamedKey = <Key>(one: Key) => (one === old ? key : one);
  const object = document.objects[type] as ObjectEntry;
  const { display_field, subtitle_field } = object;
  const next = {
    ...document,
    objects: {
      ...document.objects,
      [type]: {
        ...object,
        ...(display_field === old ? { display_field: key } : {}),
        ...(subtitle_field === old ? { subtitle_field: key } : {}),
      },
    },
    roles: mapValues(document.roles ?? {}, (role) => {
      const fields = role.objects?.[type]?.fields;
      if (fields === undefined || !Object.hasOwn(fields, old)) return role;
      const renamed = Object.entries(fields).map(
        ([one, access]) => [renamedKey(one), access] as const,
      );
      return withValue(role, ['objects', type, 'fields'], Object.fromEntries(renamed));
    }),
  };
  if (type !== 'work_items') return next;
  const types = mapValues(document.work_item_types ?? {}, (one) =>
    one.fields === undefined ? one : { ...one, fields: one.fields.map(renamedKey) },
  );
  return { ...next, work_item_types: types };
}

function withStatusKey(
  document: DefinitionDocument,
  id: string,
  old: string,
  key: string,
): DefinitionDocument {
  const workflow = document.workflows?.[id];
  if (workflow === undefined) return document;
  const statuses = mapValues(workflow.statuses, (status: StatusEntry) =>
    status.transitions === undefined
      ? status
      : {
          ...status,
          transitions: status.transitions.map((one) => {
            if (targetOf(one) !== old) return one;
            return typeof one === 'string' ? key : { ...one, to: key };
          }),
        },
  );
  const initial = workflow.initial === old ? key : workflow.initial;
  return withValue(document, ['workflows', id], { ...workflow, initial, statuses });
}

function mapValues<Value>(entries: Entries<Value>, map: (value: Value) => Value): Entries<Value> {
  return Object.fromEntries(Object.entries(entries).map(([key, value]) => [key, map(value)]));
}

const RESERVED: Entries<true> = Object.fromEntries(RESERVED_FIELD_KEYS.map((key) => [key, true]));

/** A key for a field of this name. */
export function fieldKeyFor(name: string, fields: Entries<unknown>): string {
  return keyFor(name, { ...fields, ...RESERVED });
}

/** A key for this name, in the form that the definition wants, which the entries do not have yet. */
export function keyFor(name: string, taken: Entries<unknown>, isNumberFirst = false): string {
  const plain = plainKey(name, 44);
  const isGood = isNumberFirst ? plain !== '' : /^[a-z]/.test(plain);
  const first = isGood ? plain : `${isNumberFirst ? 'new' : 'field'}${plain && `_${plain}`}`;
  if (!Object.hasOwn(taken, first)) return first;
  for (let at = 2; ; at++) if (!Object.hasOwn(taken, `${first}_${at}`)) return `${first}_${at}`;
}
