// A record that has just come, or is gone, in everything that the application shows already: its page and every list with it.
// Long lists are not read again; a row that belongs elsewhere now moves when its list is.

import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query';
import type { Field, Page, RecordData } from '@workspace-records/client';
import { hasField } from './field-value.ts';

type Pages = InfiniteData<Page<RecordData>>;

/** A list of more pages is not read again for one record. */
const FEW_PAGES = 2;

export function putRecord(queries: QueryClient, workspace: string, record: RecordData): void {
  const { object_type, id } = record;
  keepRecord(queries, workspace, record);
  queries.setQueriesData<Pages>({ queryKey: [workspace, object_type, 'list'] }, (list) =>
    withRows(list, (rows) => {
      const at = rows.findIndex((row) => row.id === id);
      return at < 0 ? rows : rows.with(at, withReadFields(record, rows[at]));
    }),
  );
}

/** Only the service can place it in a list: short lists, counts and groups of records are requested again. */
export function noteCreated(queries: QueryClient, workspace: string, record: RecordData): void {
  keepRecord(queries, workspace, record);
  rereadAround(queries, workspace, record.object_type);
}

export function dropRecord(
  queries: QueryClient,
  workspace: string,
  { object_type, id }: Pick<RecordData, 'object_type' | 'id'>,
): void {
  dropRows(queries, workspace, { object_type, id });
  for (const part of ['record', 'name', 'comments', 'activity', 'history', 'children'])
    queries.removeQueries({ queryKey: [workspace, object_type, part, id] });
}

/** Removes a record from every list that shows it. */
export function dropRows(
  queries: QueryClient,
  workspace: string,
  { object_type, id }: Pick<RecordData, 'object_type' | 'id'>,
): void {
  queries.setQueriesData<Pages>({ queryKey: [workspace, object_type, 'list'] }, (list) =>
    withRows(list, (rows) =>
      rows.some((row) => row.id === id) ? rows.filter((row) => row.id !== id) : rows,
    ),
  );
}

/** Rows that were read again for one list, with the fields that it shows. */
export function putRows(queries: QueryClient, list: QueryKey, rows: readonly RecordData[]): void {
  const byId = new Map(rows.map((row) => [row.id, row]));
  queries.setQueryData<Pages>(list, (pages) =>
    withRows(pages, (before) =>
      before.some(({ id }) => byId.has(id)) ? before.map((row) => byId.get(row.id) ?? row) : before,
    ),
  );
}

/** Records linked to others, of any object, and short lists of this one. */
export function rereadAround(queries: QueryClient, workspace: string, type: string): void {
  void queries.invalidateQueries({
    predicate: ({ queryKey: [place, object, kind], state }) => {
      if (place !== workspace) return false;
      if (kind === 'linked') return true;
      const pages = (state.data as Pages | undefined)?.pages ?? [];
      return object === type && kind === 'list' && pages.length <= FEW_PAGES;
    },
  });
}

function keepRecord(queries: QueryClient, workspace: string, record: RecordData): void {
  const { object_type, id, display } = record;
  queries.setQueryData<RecordData>([workspace, object_type, 'record', id], (before) =>
    withReadFields(record, before),
  );
  queries.setQueryData([workspace, object_type, 'name', id], display);
}

/** The record with the values that answers of writes do not have: those computed from other records. */
function withReadFields(record: RecordData, before: RecordData | undefined): RecordData {
  const fields = { ...before?.fields, ...record.fields };
  const isWhole = Object.keys(fields).length === Object.keys(record.fields ?? {}).length;
  return isWhole ? record : { ...record, fields };
}

/** Unchanged pages stay the same objects: they are not rendered again. */
function withRows(
  list: Pages | undefined,
  change: (rows: RecordData[]) => RecordData[],
): Pages | undefined {
  if (list === undefined) return undefined;
  const pages = list.pages.map((page) => {
    const data = change(page.data);
    return data === page.data ? page : { ...page, data };
  });
  return { ...list, pages };
}

interface RecordPlace {
  readonly type: string;
  readonly id: string;
}

interface KnownPlace extends RecordPlace {
  /** The field that it must have: a list has the fields that it shows, and one it lacks is not empty. */
  readonly field?: Pick<Field, 'key' | 'storage'>;
}

/** The cached record: of its page and the lists that show it, the one that was changed last. */
export function knownRecord(
  queries: QueryClient,
  workspace: string,
  { type, id, field }: KnownPlace,
): RecordData | undefined {
  const lists = queries.getQueriesData<InfiniteData<Page<RecordData>>>({
    queryKey: [workspace, type, 'list'],
  });
  const listed = lists.flatMap(([, list]) => list?.pages ?? []).map(({ data }) => data);
  const candidates = [
    queries.getQueryData<RecordData>([workspace, type, 'record', id]),
    ...listed.map((records) => records.find((record) => record.id === id)),
  ].filter((record) => record !== undefined);
  const momentOf = ({ updated_at }: RecordData) => Date.parse(updated_at ?? '') || 0;
  // The page of the record comes first among equally new candidates.
  return candidates
    .filter((record) => field === undefined || hasField(record, field))
    .toSorted((one, other) => momentOf(other) - momentOf(one))[0];
}
