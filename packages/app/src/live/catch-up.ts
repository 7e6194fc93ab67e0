// Applies gathered events to the loaded data: reads shown rows and records again, marks lists as changed, and asks again
// for answers about a record.

import type { Query, QueryKey } from '@tanstack/react-query';
import type { StatusRequest } from '@workspace-records/client';
import { STATUS_REQUESTS } from '../lib/status-requests.ts';
import {
  bringUpToDate,
  isRefused,
  type Live,
  listsOf,
  readRows,
  rowsOf,
  takeAway,
  typeOf,
} from './cached-lists.ts';
import type { Gathered, RecordChange, TypeChanges } from './gathered.ts';
import { noteThere } from './gone-records.ts';
import { noteOld } from './list-states.ts';

/** Kinds of answers that a comment changes. */
const OF_COMMENTS: ReadonlySet<string> = new Set(['comments', 'activity']);
/** Kinds of answers that are read in another way below. */
const OF_ROWS: ReadonlySet<string> = new Set(['list', 'record', 'name']);
/** Counts all records of an object (recount.ts). */
const FIGURES = 'groups';
/** Kinds of answers that follow from the definition and from rights (lib/schema-queries.ts). */
const OF_RIGHTS: ReadonlySet<string> = new Set([
  'objects',
  'object',
  'access',
  'teams',
  'people',
  'person',
  'workflow',
  'views',
  'definition',
]);

export async function catchUp(live: Live, gathered: Gathered): Promise<void> {
  const { types, isNotified, areRequestsOld, areRightsOld } = gathered;
  await firstReads(live);
  if (areRequestsOld || isAsked(live, types))
    void invalidate(live, ([, what]) => what === STATUS_REQUESTS);
  // A decision on a request marks its notifications as read.
  if (isNotified || areRequestsOld) void invalidate(live, ([, what]) => what === 'notifications');
  noteOldLists(live, gathered);
  if (areRightsOld) {
    await invalidate(live, ([, what]) => OF_RIGHTS.has(String(what)));
    await readShown(live);
    resetRefused(live);
  }
  for (const [type, changes] of types) await catchUpType(live, type, changes);
}

/** A request shows what has changed of its record. */
function isAsked({ session, queries }: Live, types: Gathered['types']): boolean {
  const known = queries.getQueriesData<readonly StatusRequest[]>({
    queryKey: [session.workspace, STATUS_REQUESTS],
  });
  return known.some(([, requests]) =>
    requests?.some(
      ({ object_type, record_id }) => types.get(object_type)?.changed.has(record_id) === true,
    ),
  );
}

/** Lists do not move by themselves: they say that there may be other records. */
function noteOldLists(live: Live, { areListsOld, oldTypes }: Gathered): void {
  for (const list of listsOf(live)) {
    if (areListsOld || oldTypes.has(typeOf(list))) noteOld(list.queryKey);
  }
}

/** An answer that is still to come may be from before the events, and is not asked for twice. */
async function firstReads({ session, queries }: Live): Promise<void> {
  const reading = queries.getQueryCache().findAll({
    fetchStatus: 'fetching',
    predicate: ({ queryKey, state }) =>
      queryKey[0] === session.workspace && state.status === 'pending',
  });
  await Promise.allSettled(reading.map(({ promise }) => promise));
}

/** Reads rows that changed while their list was out of sight. */
export async function readListed(live: Live, key: QueryKey, ids: readonly string[]): Promise<void> {
  const list = listsOf(live).find(({ queryKey }) => queryKey === key);
  if (list !== undefined) await readRows(live, list, ids);
}

async function catchUpType(live: Live, type: string, changes: TypeChanges): Promise<void> {
  const { changed, gone, commented } = changes;
  for (const id of gone) takeAway(live, type, id);
  for (const [id, { isNew }] of changed) if (isNew) noteThere(type, id);
  const isSomeNew = gone.size > 0 || [...changed.values()].some(({ isNew }) => isNew);
  void invalidate(live, ([, object, kind, id], data) => {
    const what = String(kind);
    if (OF_ROWS.has(what) || what === FIGURES) return false;
    // Records beside another one, whatever its object: these may have come to them, or be among them.
    if (what === 'linked' && isSomeNew) return true;
    // Records that were chosen of all of the object.
    if (what === 'mine' && object === type && changed.size + gone.size > 0) return true;
    if (isAnyOf(data, changed)) return true;
    if (object !== type || typeof id !== 'string') return false;
    return changed.has(id) || (commented.has(id) && OF_COMMENTS.has(what));
  });
  if (changed.size + gone.size > 0) {
    const fields = new Set([...changed.values()].flatMap((change) => [...change.fields]));
    live.recount.note(type, { fields, isOther: isSomeNew });
  }
  await readRecords(live, type, changed);
  for (const list of listsOf(live, type)) await bringUpToDate(live, list, changed);
}

/** True when an answer, or one of its pages, lists a changed record. */
function isAnyOf(data: unknown, changed: ReadonlyMap<string, unknown>): boolean {
  const { pages, data: listed } = Object(data);
  if (Array.isArray(pages)) return pages.some((page) => isAnyOf(page, changed));
  return Array.isArray(listed) && listed.some((row) => changed.has(Object(row).id));
}

/** Records that have a page of their own, and the names of others that are shown. */
async function readRecords(
  live: Live,
  type: string,
  changed: ReadonlyMap<string, RecordChange>,
): Promise<void> {
  const { session, queries } = live;
  for (const [id, { version }] of changed) {
    const key = [session.workspace, type, 'record', id];
    const query = queries.getQueryCache().find<{ version?: string }>({ queryKey: key });
    if (query === undefined || (version !== undefined && query.state.data?.version === version))
      continue;
    await readRecord(live, query as unknown as Query, { type, id });
  }
  // References of other records show its name, which may have changed.
  void invalidate(live, ([, object, kind, id]) => {
    return object === type && kind === 'name' && changed.has(String(id));
  });
}

async function readRecord(
  live: Live,
  query: Query,
  { type, id }: { readonly type: string; readonly id: string },
): Promise<void> {
  await live.queries.invalidateQueries({ queryKey: query.queryKey, exact: true });
  const { error } = query.state;
  if (isRefused(error)) takeAway(live, type, id);
  else if (error !== null) throw error;
}

/**
 * Objects that may no longer be read are requested again by their pages, which then say so; those of records have
 * said before that the record is gone.
 */
function resetRefused({ session, queries }: Live): void {
  const refused = queries.getQueryCache().findAll({
    predicate: ({ queryKey: [workspace, what], state }) =>
      workspace === session.workspace && what === 'object' && isRefused(state.error),
  });
  for (const { queryKey } of refused) void queries.resetQueries({ queryKey, exact: true });
}

/** Everything that is looked at; what nobody looks at is forgotten, and read when somebody does. */
async function readShown(live: Live): Promise<void> {
  const { session, queries } = live;
  const isOfRecords = ({ queryKey: [workspace, , kind] }: Query) =>
    workspace === session.workspace && kind !== undefined;
  queries.removeQueries({ predicate: (query) => isOfRecords(query) && !query.isActive() });
  const records = queries.getQueryCache().findAll({
    predicate: (query) => isOfRecords(query) && query.queryKey[2] === 'record',
  });
  for (const query of records) {
    const [, type, , id] = query.queryKey;
    await readRecord(live, query, { type: String(type), id: String(id) });
  }
  void invalidate(live, ([, , kind, id]) => !OF_ROWS.has(String(kind)) && id !== undefined);
  for (const list of listsOf(live)) {
    await readRows(
      live,
      list,
      rowsOf(list).map(({ id }) => id),
    );
  }
}

/** Invalidates queries of the workspace: active ones are fetched again now, the others when they are used. */
function invalidate(
  { session, queries }: Live,
  isMeant: (key: readonly unknown[], data: unknown) => boolean,
): Promise<void> {
  return queries.invalidateQueries({
    predicate: ({ queryKey, state }) =>
      queryKey[0] === session.workspace && isMeant(queryKey, state.data),
  });
}
