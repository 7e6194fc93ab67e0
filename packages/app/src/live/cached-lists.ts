// The lists that the application has loaded, and what of them is read again: rows by their ids, never whole pages.

import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query';
import { isRecordsError, type Page, type RecordData, type Where } from '@workspace-records/client';
import { dropRows, putRows } from '../lib/record-cache.ts';
import { type RecordQuestion, readPage } from '../lib/record-lists.ts';
import type { Session } from '../lib/session.ts';
import { effectOn, isNarrowed } from './affected.ts';
import type { RecordChange } from './gathered.ts';
import { noteGone } from './gone-records.ts';
import { forgetRecord, noteChanged, noteUnread } from './list-states.ts';
import type { Recount } from './recount.ts';

type Pages = InfiniteData<Page<RecordData>>;
export type List = Query<Pages>;

export interface Live {
  readonly session: Session;
  readonly queries: QueryClient;
  readonly recount: Recount;
}

/** Ids that a filter takes; a page has as many records. */
const AT_ONCE = 100;

/** The lists of one object, or of all, that have rows to read again. */
export function listsOf({ session, queries }: Live, type?: string): readonly List[] {
  const queriesOfLists = queries.getQueryCache().findAll({
    predicate: ({ queryKey: [workspace, object, kind], state }) => {
      const isOf =
        workspace === session.workspace && kind === 'list' && 'pages' in Object(state.data);
      return isOf && (type === undefined || object === type);
    },
  });
  return queriesOfLists as unknown as readonly List[];
}

export function rowsOf(list: List): readonly RecordData[] {
  return list.state.data?.pages.flatMap(({ data }) => data) ?? [];
}

export function typeOf({ queryKey }: List): string {
  return String(queryKey[1]);
}

/** Names of referenced records are requested by the components that show them. */
function questionOf({ queryKey }: List): RecordQuestion {
  return { ...(queryKey[3] as RecordQuestion), expand: [] };
}

/** Applies the changes to one list: shown rows are read, and others are counted. */
export async function bringUpToDate(
  live: Live,
  list: List,
  changes: ReadonlyMap<string, RecordChange>,
): Promise<void> {
  const shown = new Map(rowsOf(list).map((row) => [row.id, row]));
  const effects = [...changes].map(([id, change]) => {
    const row = shown.get(id);
    const isKnown = change.version !== undefined && change.version === row?.version;
    return {
      id,
      isShown: row !== undefined,
      isKnown,
      effect: effectOn(questionOf(list), change, row !== undefined),
    };
  });
  const idsOf = (some: typeof effects) => some.map(({ id }) => id);
  const old = idsOf(effects.filter(({ isShown, isKnown }) => isShown && !isKnown));
  noteChanged(list.queryKey, idsOf(effects.filter(({ effect }) => effect === 'moved')));
  const candidates = idsOf(effects.filter(({ effect }) => effect === 'candidate'));
  if (list.isActive()) {
    await readRows(live, list, old);
    noteChanged(list.queryKey, await foundOf(live, list, candidates));
  } else {
    noteUnread(list.queryKey, old);
    noteChanged(list.queryKey, candidates);
  }
}

/** A record that is gone, or may no longer be seen: lists lose it, and its page has to request it again. */
export function takeAway({ session, queries }: Live, type: string, id: string): void {
  const { workspace } = session;
  noteGone(type, id);
  forgetRecord(id);
  dropRows(queries, workspace, { object_type: type, id });
  queries.removeQueries({ queryKey: [workspace, type, 'name', id] });
  void queries.resetQueries({ queryKey: [workspace, type, 'record', id] });
}

/** Reads the rows again; records that no longer exist leave every list. */
export async function readRows(live: Live, list: List, ids: readonly string[]): Promise<void> {
  const { session, queries } = live;
  const type = typeOf(list);
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const portion = ids.slice(start, start + AT_ONCE);
    const rows = await readPortion(session, list, portion);
    await settled(list);
    putRows(queries, list.queryKey, rows);
    const found = new Set(rows.map(({ id }) => id));
    for (const id of portion) {
      if (!found.has(id)) takeAway(live, type, id);
    }
  }
}

/** None when the person may no longer read the object. */
async function readPortion(
  session: Session,
  list: List,
  ids: readonly string[],
): Promise<readonly RecordData[]> {
  const { fields, expand } = questionOf(list);
  const question = { q: '', sort: [], where: [isOneOf(ids)], fields, expand };
  try {
    return (await readPage(session, typeOf(list), question, {})).data;
  } catch (error) {
    if (isRefused(error)) return [];
    throw error;
  }
}

function isOneOf(ids: readonly string[]): Where {
  return { field: 'id', op: 'in', value: [...ids] };
}

/** A page that arrives now was requested before, and would restore the old rows. */
async function settled(list: List): Promise<void> {
  if (list.state.fetchStatus !== 'idle') await list.promise?.catch(() => undefined);
}

/** The ids of the records that match the question of the list; all ids when the query fails. */
async function foundOf(
  { session }: Live,
  list: List,
  ids: readonly string[],
): Promise<readonly string[]> {
  const question = questionOf(list);
  if (ids.length === 0 || ids.length > AT_ONCE || !isNarrowed(question)) return ids;
  const narrower = {
    ...question,
    sort: [],
    where: [...question.where, isOneOf(ids)],
    fields: ['id'],
  };
  try {
    const { data } = await readPage(session, typeOf(list), narrower, {});
    return data.map(({ id }) => id);
  } catch {
    // At most these are reported in vain.
    return ids;
  }
}

export function isRefused(error: unknown): boolean {
  return isRecordsError(error) && (error.status === 403 || error.status === 404);
}
