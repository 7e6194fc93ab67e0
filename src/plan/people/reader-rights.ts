// The read rights of a reader of changes as a short text, which their position carries: a reader who continues with other
// rights is told which objects to list again (D331, docs/design/changes.md). Pure.

import { createHash } from 'node:crypto';
import type { Field, ObjectModel, WorkspaceModel } from '../../model/definition/model.ts';
import { type Caller, objectAccess, reachColumn } from '../../model/rights/access.ts';

/** The reader with their present rights. */
export interface ReaderRights {
  readonly caller: Caller;
  readonly model: WorkspaceModel;
}

/** How the rights of a reader have changed. */
export interface ChangedRights {
  /** The revision of the definition before; undefined when it is the same one. */
  readonly revision: number | undefined;
  /** Objects of which they may read other records or fields, and those that they can no longer read. */
  readonly readable: readonly string[];
  readonly unreadable: readonly string[];
  /** True: the roles or teams of the person, or their rights, have changed. */
  readonly isOther: boolean;
}

const known = new WeakMap<Caller, string>();

/** Characters of an entry: the object by its table, whose name a rename leaves, and the rights there. */
const TABLE = 4;
const ENTRY = 10;

/**
 * `revision.digest.entries`: of the roles and teams, and of each object that can be read with all that decides what its
 * records show, apart from names.
 */
export function rightsMarkOf({ caller, model }: ReaderRights): string {
  const mark = known.get(caller) ?? markOf({ caller, model });
  known.set(caller, mark);
  return mark;
}

/** Undefined when nothing has changed. */
export function changedRights(before: string, reading: ReaderRights): ChangedRights | undefined {
  const now = rightsMarkOf(reading);
  if (before === now) return undefined;
  const [old, present] = [partsOf(before), partsOf(now)];
  const changed = [...reading.model.objects.values()].filter((object) => {
    const table = digest(object.table, TABLE);
    return old.entries.get(table) !== present.entries.get(table);
  });
  const isRead = ({ table }: ObjectModel) => present.entries.has(digest(table, TABLE));
  const typesOf = (some: readonly ObjectModel[]) => some.map(({ object_type }) => object_type);
  return {
    revision: old.revision === present.revision ? undefined : old.revision,
    readable: typesOf(changed.filter(isRead)),
    unreadable: typesOf(changed.filter((object) => !isRead(object))),
    isOther: old.general !== present.general || changed.length > 0,
  };
}

/** The mark of a reader who knows the definition up to this revision. */
export function markAt(mark: string, revision: number): string {
  return `${revision}${mark.slice(mark.indexOf('.'))}`;
}

/** True when a reader with this mark could read the object with this table. */
export function couldRead(mark: string, table: string): boolean {
  return partsOf(mark).entries.has(digest(table, TABLE));
}

/** True when the reader may read every field of the object. */
export function readsWhole({ caller }: ReaderRights, object: ObjectModel): boolean {
  const { reach, readable } = objectAccess(caller, object);
  return reach.read !== null && [...object.fields.keys()].every((key) => readable.has(key));
}

function markOf({ caller, model }: ReaderRights): string {
  const { access, team_ids, colleague_ids } = caller;
  const general = [[...access.roles], [...team_ids], [...colleague_ids]].map((part) => part.sort());
  const entries = [...model.objects.values()].flatMap((object) => entryOf(caller, object) ?? []);
  return `${model.revision}.${digest(general, 8)}.${entries.sort().join('')}`;
}

/** Undefined when the reader may not read the object. */
function entryOf(caller: Caller, object: ObjectModel): string | undefined {
  const { reach, readable } = objectAccess(caller, object);
  if (reach.read === null) return undefined;
  const people = reach.read === 'team' ? [...caller.colleague_ids].sort() : [];
  const by = reach.read === 'organisation' ? null : reachColumn(object);
  const shown = [...object.fields.values()].filter(({ key }) => readable.has(key));
  const display = shown.find(({ key }) => key === object.display_field);
  const rights = [reach.read, by, people, shown.map(placeOf).sort(), display && placeOf(display)];
  return digest(object.table, TABLE) + digest(rights, ENTRY - TABLE);
}

/** Where its values are, in the database and in a record: a rename leaves it. */
function placeOf({ storage, column, custom_key }: Field): string {
  return storage === 'physical' ? column : ` ${custom_key}`;
}

interface MarkParts {
  readonly revision: number;
  readonly general: string;
  readonly entries: ReadonlyMap<string, string>;
}

function partsOf(mark: string): MarkParts {
  const [revision = '', general = '', entries = ''] = mark.split('.');
  const found = entries.match(new RegExp(`.{${ENTRY}}`, 'g')) ?? [];
  return {
    revision: Number(revision),
    general,
    entries: new Map(found.map((entry) => [entry.slice(0, TABLE), entry.slice(TABLE)])),
  };
}

function digest(value: unknown, characters: number): string {
  const text = JSON.stringify(value);
  return createHash('sha256').update(text).digest('base64url').slice(0, characters);
}
