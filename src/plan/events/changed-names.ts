// The names that revisions of a definition have changed, as far as a reader may know them: of objects that they read, of
// fields that they could read (docs/design/changes.md). Each revision has its own keys, so that a copy follows one after
// the other. Pure.

import { WORK_ITEMS } from '../../model/definition/model.ts';
import { tableName } from '../../model/definition/physical-names.ts';
import type { NameChange } from '../../model/definition/revision.ts';
import { canReadObject, objectAccess } from '../../model/rights/access.ts';
import { couldRead, type ReaderRights, readsWhole } from '../people/reader-rights.ts';
import {
  fieldNow,
  type NameHistory,
  objectAfter,
  objectNow,
  partsOf,
  relationshipIds,
} from './name-history.ts';

/** The names of one revision. */
export interface ChangedNames {
  readonly revision: number;
  readonly at: string;
  readonly renamed: readonly RenamedName[];
  readonly removed: readonly RemovedName[];
}

export const NAMED_PARTS = ['object', 'field', 'status', 'relationship'] as const;

/** `object_type` is the key after the revision. */
export interface RenamedName {
  readonly of: (typeof NAMED_PARTS)[number];
  readonly object_type: string;
  readonly from: string;
  readonly to: string;
  /** The types that have a status of work items; undefined for other statuses. */
  readonly work_item_types?: readonly string[];
}

export interface RemovedName {
  readonly object_type: string;
  /** Null: the whole object; with a dot: the links of a relationship. */
  readonly field: string | null;
}

/** A reader with the mark of their rights before. */
export interface ReaderBefore extends ReaderRights {
  readonly before: string;
}

/** The revisions behind `after` that changed names which the reader may know, the first one first. */
export function changedNames(
  { changes }: NameHistory,
  reader: ReaderBefore,
  after: number,
): readonly ChangedNames[] {
  const revisions = new Map<number, ChangedNames>();
  for (const change of changes) {
    const { revision, applied_at: at } = change;
    if (revision <= after || revision > reader.model.revision) continue;
    const { renamed = [], removed = [] } = namesOf(changes, reader, change);
    if (renamed.length === 0 && removed.length === 0) continue;
    const known = revisions.get(revision);
    revisions.set(revision, {
      ...{ revision, at },
      renamed: [...(known?.renamed ?? []), ...renamed],
      removed: [...(known?.removed ?? []), ...removed],
    });
  }
  return [...revisions.values()];
}

/** The present objects of which readable fields have lost values, or have got others for them. */
export function alteredObjects(
  { changes }: NameHistory,
  { caller, model }: ReaderRights,
  after: number,
): readonly string[] {
  return changes.flatMap((change) => {
    const { revision, alters } = change;
    const { key, field } = partsOf(change);
    if (!alters || revision <= after || field === undefined) return [];
    const object = model.objects.get(objectNow(changes, key, revision));
    if (object === undefined) return [];
    const { reach, readable } = objectAccess(caller, object);
    const isOfReach = field === 'owner_user_id' && reach.read !== 'organisation';
    const isShown = readable.has(fieldNow(changes, object.object_type, field, revision));
    return reach.read !== null && (isOfReach || isShown) ? [object.object_type] : [];
  });
}

interface Names {
  readonly renamed?: readonly RenamedName[];
  readonly removed?: readonly RemovedName[];
}

type NamesOf = (changes: readonly NameChange[], reader: ReaderBefore, change: NameChange) => Names;

const namesOf: NamesOf = (changes, reader, change) => {
  const { section, field } = partsOf(change);
  if (section === 'relationships') return namesOfLinks(changes, reader, change);
  if (section === 'workflows') return namesOfStatus(changes, reader, change);
  return (field === undefined ? namesOfObject : namesOfField)(changes, reader, change);
};

/** An object that was removed later is known to readers who could read it. */
const namesOfObject: NamesOf = (_, reader, change) => {
  const { action, from } = change;
  const { key: object_type } = partsOf(change);
  const table = change.table ?? tableName(from ?? object_type);
  const could = couldRead(reader.before, table);
  if (action === 'remove') return could ? { removed: [{ object_type, field: null }] } : {};
  if (from === null) return {};
  const object = [...reader.model.objects.values()].find((one) => one.table === table);
  const isKnown = object === undefined ? could : canReadObject(reader.caller, object);
  return isKnown ? { renamed: [{ of: 'object', object_type, from, to: object_type }] } : {};
};

const namesOfField: NamesOf = (changes, reader, change) => {
  const { revision, action, from } = change;
  const { key: object_type, field = '' } = partsOf(change);
  const object = reader.model.objects.get(objectNow(changes, object_type, revision));
  if (object === undefined || !canReadObject(reader.caller, object)) return {};
  const { readable } = objectAccess(reader.caller, object);
  if (action === 'remove') {
    const isKnown = readsWhole(reader, object) || readable.has(field);
    return isKnown ? { removed: [{ object_type, field }] } : {};
  }
  const now = fieldNow(changes, object.object_type, field, revision);
  if (action !== 'rename' || from === null || !readable.has(now)) return {};
  return { renamed: [{ of: 'field', object_type, from, to: field }] };
};

const namesOfStatus: NamesOf = (changes, reader, { revision, from, path, records }) => {
  const to = path.split('.').at(-1) as string;
  if (from === null || records === null) return {};
  const { object_types, work_item_types } = records;
  const renamed = ofReadable(changes, reader, { revision, types: object_types ?? [] }).map(
    (object_type) => ({ of: 'status', object_type, from, to }) as const,
  );
  if (work_item_types === null) return { renamed };
  const items = ofReadable(changes, reader, { revision, types: [WORK_ITEMS] });
  return {
    renamed: [
      ...renamed,
      ...items.map(
        (object_type) => ({ of: 'status', object_type, from, to, work_item_types }) as const,
      ),
    ],
  };
};

/** The new names of links, for readers of both ends. */
const namesOfLinks: NamesOf = (changes, reader, change) => {
  const { revision, relationship } = change;
  const { was, is } = relationshipIds(changes, change);
  if (was === undefined || was === is || !relationship?.was) return {};
  const types = [...new Set([relationship.was.from, relationship.was.to])];
  const ends = ofReadable(changes, reader, { revision, types });
  if (ends.length < types.length) return {};
  if (is === undefined)
    return { removed: ends.map((object_type) => ({ object_type, field: was })) };
  return {
    renamed: ends.map((object_type) => ({ of: 'relationship', object_type, from: was, to: is })),
  };
};

/** The readable object types among `types`: from the keys before the revision to the keys after it. */
function ofReadable(
  changes: readonly NameChange[],
  reader: ReaderRights,
  { revision, types }: { readonly revision: number; readonly types: readonly string[] },
): readonly string[] {
  return types
    .map((type) => objectAfter(changes, type, revision))
    .filter((type) => {
      const object = reader.model.objects.get(objectNow(changes, type, revision));
      return object !== undefined && canReadObject(reader.caller, object);
    });
}
