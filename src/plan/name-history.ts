// The keys that objects, fields and relationships had in earlier revisions of a definition: audit rows have the keys of
// their time (docs/design/changes.md). Pure.

import type { NameChange } from '../model/revision.ts';

/** A key that was renamed in a revision, with the present key. */
export interface FormerKey {
  readonly revision: number;
  readonly from: string;
  readonly to: string;
}

export interface NameHistory {
  readonly objects: readonly FormerKey[];
  /** By the present object type; relationships are under ''. */
  readonly fields: ReadonlyMap<string, readonly FormerKey[]>;
  readonly changes: readonly NameChange[];
}

/** Names of one kind that a definition change has renamed or removed, with present object types. */
export interface ChangedNames {
  readonly renamed: readonly RenamedName[];
  readonly removed: readonly RemovedName[];
}

/** A field, or an object when `object_type` is its new key and `of` is `object`. */
export interface RenamedName {
  readonly of: 'object' | 'field';
  readonly object_type: string;
  readonly from: string;
  readonly to: string;
}

export interface RemovedName {
  readonly object_type: string;
  /** Null: the whole object. */
  readonly field: string | null;
}

const RELATIONSHIPS = '';

/** The history from the changes of all revisions that count, the first one first. */
export function nameHistory(changes: readonly NameChange[]): NameHistory {
  const objects: FormerKey[] = [];
  const fields = new Map<string, FormerKey[]>();
  for (const change of changes) {
    const { revision, action, from } = change;
    if (action !== 'rename' || from === null) continue;
    const { object, field } = partsOf(change);
    if (field === undefined) objects.push(presentKey(changes, { revision, from, to: object }));
    else {
      const owner = objectNow(changes, object, revision);
      const own = fields.get(owner) ?? [];
      own.push({ revision, from, to: fieldNow(changes, owner, field, revision) });
      fields.set(owner, own);
    }
  }
  return { objects, fields, changes };
}

/** The present key of a field that a revision knew by this key; or of a relationship, with an id such as `link.<key>`. */
export function fieldKeyNow(
  { fields }: NameHistory,
  objectType: string,
  { key, revision }: { readonly key: string; readonly revision: number },
): string {
  const [kind, relationship] = key.split('.');
  if (relationship === undefined) return keyNow(fields.get(objectType) ?? [], key, revision);
  return `${kind}.${keyNow(fields.get(RELATIONSHIPS) ?? [], relationship, revision)}`;
}

/** The keys that a removed object had, as far as its renames are kept. */
export function formerObjectTypes({ changes }: NameHistory, removed: string): readonly string[] {
  const keys = [removed];
  for (const change of changes.toReversed()) {
    const { object, field } = partsOf(change);
    const isOwn = field === undefined && object === keys.at(-1);
    if (isOwn && change.from !== null) keys.push(change.from);
  }
  return keys;
}

/** The names that the revisions behind `after`, up to `until`, have changed. */
export function changedNames(
  { changes }: NameHistory,
  { after, until }: { readonly after: number; readonly until: number },
): ChangedNames {
  const own = changes.filter(({ revision }) => revision > after && revision <= until);
  const renamed: RenamedName[] = [];
  const removed: RemovedName[] = [];
  for (const change of own) {
    const { revision, action, from } = change;
    const { object, field } = partsOf(change);
    if (object === RELATIONSHIPS) continue;
    const object_type = objectNow(changes, object, revision);
    if (action === 'remove') removed.push({ object_type, field: field ?? null });
    else if (from !== null) {
      const of = field === undefined ? 'object' : 'field';
      renamed.push({ of, object_type, from, to: field ?? object_type });
    }
  }
  return { renamed, removed };
}

/** The first rename behind the revision decides, because it says what the key is now. */
function keyNow(former: readonly FormerKey[], key: string, revision: number): string {
  return former.find((one) => one.revision > revision && one.from === key)?.to ?? key;
}

interface NamedParts {
  readonly object: string;
  /** Undefined: the object itself. */
  readonly field: string | undefined;
}

function partsOf({ path }: NameChange): NamedParts {
  const [section, name = '', , field] = path.split('.');
  return section === 'relationships'
    ? { object: RELATIONSHIPS, field: name }
    : { object: name, field };
}

function presentKey(changes: readonly NameChange[], { revision, from, to }: FormerKey): FormerKey {
  return { revision, from, to: objectNow(changes, to, revision) };
}

/** The present key of an object that had this one in the definition of a revision. */
function objectNow(changes: readonly NameChange[], key: string, revision: number): string {
  let now = key;
  for (const change of changes) {
    const { object, field } = partsOf(change);
    const isLater = change.revision > revision && change.action === 'rename';
    if (isLater && field === undefined && change.from === now) now = object;
  }
  return now;
}

function fieldNow(
  changes: readonly NameChange[],
  owner: string,
  key: string,
  revision: number,
): string {
  let now = key;
  for (const change of changes) {
    const { object, field } = partsOf(change);
    if (change.revision <= revision || change.action !== 'rename' || field === undefined) continue;
    const isOwn = objectNow(changes, object, change.revision) === owner;
    if (isOwn && change.from === now) now = field;
  }
  return now;
}
