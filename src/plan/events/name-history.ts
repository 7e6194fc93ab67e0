// The keys that objects, fields, statuses and relationships had in earlier revisions of a definition: audit rows and
// copies of records have the keys of their time (docs/design/changes.md). Pure.

import type { NameChange } from '../../model/definition/revision.ts';

/** A key that was renamed in a revision, with the present key. */
export interface FormerKey {
  readonly revision: number;
  readonly from: string;
  readonly to: string;
}

export interface NameHistory {
  readonly objects: readonly FormerKey[];
  /** The former keys by the present object type; ids of relationships are under ''. */
  readonly fields: ReadonlyMap<string, readonly FormerKey[]>;
  readonly changes: readonly NameChange[];
}

const RELATIONSHIPS = '';

/** The history from the changes of all revisions that count, the first one first. */
export function nameHistory(changes: readonly NameChange[]): NameHistory {
  const objects: FormerKey[] = [];
  const fields = new Map<string, FormerKey[]>();
  const put = (owner: string, former: FormerKey) =>
    fields.set(owner, [...(fields.get(owner) ?? []), former]);
  for (const change of changes) {
    const { revision, action, from } = change;
    const { section, key, field } = partsOf(change);
    if (section === 'relationships') {
      const { was, is } = relationshipIds(changes, change);
      if (was === undefined || is === undefined) continue;
      put(RELATIONSHIPS, { revision, from: was, to: relationshipNow(changes, is, revision) });
    } else if (section === 'objects' && action === 'rename' && from !== null) {
      const owner = objectNow(changes, key, revision);
      if (field === undefined) objects.push({ revision, from, to: owner });
      else put(owner, { revision, from, to: fieldNow(changes, owner, field, revision) });
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
  const owner = key.includes('.') ? RELATIONSHIPS : objectType;
  const former = fields.get(owner) ?? [];
  // The first rename behind the revision decides, because it says what the key is now.
  return former.find((one) => one.revision > revision && one.from === key)?.to ?? key;
}

/** The key that a present object had in the definition of a revision. */
export function objectThen({ changes }: NameHistory, now: string, revision: number): string {
  let then = now;
  for (const change of changes.toReversed()) {
    const { section, key, field } = partsOf(change);
    const isOwn = section === 'objects' && field === undefined && key === then;
    if (isOwn && change.revision > revision && change.action === 'rename')
      then = change.from ?? then;
  }
  return then;
}

interface NamedParts {
  readonly section: string;
  readonly key: string;
  /** A field of the object, or a status of the workflow; undefined: of the entry itself. */
  readonly field: string | undefined;
}

/** Words of an object are about a field of it. */
const FIELD_OF_WORD: Readonly<Record<string, string>> = Object.freeze({
  owned: 'owner_user_id',
  workflow: 'status',
});

export function partsOf({ path }: NameChange): NamedParts {
  const [section = '', key = '', word = '', name] = path.split('.');
  return { section, key, field: name ?? FIELD_OF_WORD[word] };
}

/**
 * The ids of a relationship before and after a change of it. Undefined before: there was none; after: its links are gone,
 * because it joins other objects, or nothing.
 */
export function relationshipIds(
  changes: readonly NameChange[],
  change: NameChange,
): { readonly was: string | undefined; readonly is: string | undefined } {
  const { revision, from, relationship } = change;
  const { key } = partsOf(change);
  const { was = null, is = null } = relationship ?? {};
  const joined = (type: string) => objectAfter(changes, type, revision);
  const isSame = was && is && joined(was.from) === is.from && joined(was.to) === is.to;
  return {
    was: was === null ? undefined : relationshipId(was, from ?? key),
    is: isSame ? relationshipId(is, key) : undefined,
  };
}

function relationshipId({ kind }: { readonly kind: string }, key: string): string {
  return `${kind === 'association' ? 'assoc' : 'link'}.${key}`;
}

function relationshipNow(changes: readonly NameChange[], id: string, revision: number): string {
  let now = id;
  for (const change of changes) {
    if (change.revision <= revision || change.relationship === null) continue;
    const { was, is } = relationshipIds(changes, change);
    if (was === now) now = is ?? now;
  }
  return now;
}

/** The key of an object after a revision that knew it by this key before. */
export function objectAfter(changes: readonly NameChange[], key: string, revision: number): string {
  const renamed = changes.find(
    (change) => isRenamedObject(change) && change.revision === revision && change.from === key,
  );
  return renamed === undefined ? key : partsOf(renamed).key;
}

/** The present key of an object that had this one in the definition of a revision. */
export function objectNow(changes: readonly NameChange[], key: string, revision: number): string {
  let now = key;
  for (const change of changes) {
    if (isRenamedObject(change) && change.revision > revision && change.from === now)
      now = partsOf(change).key;
  }
  return now;
}

function isRenamedObject(change: NameChange): boolean {
  const { section, field } = partsOf(change);
  return section === 'objects' && field === undefined && change.action === 'rename';
}

/** The present key of a field of the object with this present key. */
export function fieldNow(
  changes: readonly NameChange[],
  owner: string,
  key: string,
  revision: number,
): string {
  let now = key;
  for (const change of changes) {
    if (change.revision <= revision || change.action !== 'rename' || change.from !== now) continue;
    const { section, key: object, field } = partsOf(change);
    if (section !== 'objects' || field === undefined) continue;
    if (objectNow(changes, object, change.revision) === owner) now = field;
  }
  return now;
}
