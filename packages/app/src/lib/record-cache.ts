// A record that has just come, put where the application already has it: on its page and in every list that shows it.
// Lists are not read anew; a row that belongs elsewhere now moves when its list is.

import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { Page, RecordData } from '@workspace-records/client';

export function putRecord(queries: QueryClient, workspace: string, record: RecordData): void {
  const { object_type, id, display } = record;
  queries.setQueryData([workspace, object_type, 'record', id], record);
  queries.setQueryData([workspace, object_type, 'name', id], display);
  queries.setQueriesData<InfiniteData<Page<RecordData>>>(
    { queryKey: [workspace, object_type, 'list'] },
    (list) => (list === undefined ? undefined : withRecord(list, record)),
  );
}

/** Pages without the record stay the objects that they were: nothing of them is drawn again. */
function withRecord(
  list: InfiniteData<Page<RecordData>>,
  record: RecordData,
): InfiniteData<Page<RecordData>> {
  const pages = list.pages.map((page) => {
    const at = page.data.findIndex(({ id }) => id === record.id);
    return at < 0 ? page : { ...page, data: page.data.with(at, record) };
  });
  return { ...list, pages };
}

interface RecordPlace {
  readonly type: string;
  readonly id: string;
}

/** What the application knows of a record: of its page and the lists that show it, the one that was changed last. */
export function knownRecord(
  queries: QueryClient,
  workspace: string,
  { type, id }: RecordPlace,
): RecordData | undefined {
  const lists = queries.getQueriesData<InfiniteData<Page<RecordData>>>({
    queryKey: [workspace, type, 'list'],
  });
  const listed = lists.flatMap(([, list]) => list?.pages ?? []).map(({ data }) => data);
  const found = [
    queries.getQueryData<RecordData>([workspace, type, 'record', id]),
    ...listed.map((records) => records.find((record) => record.id === id)),
  ].filter((record) => record !== undefined);
  const momentOf = ({ updated_at }: RecordData) => updated_at ?? '';
  return found.toSorted((one, other) => (momentOf(one) < momentOf(other) ? 1 : -1))[0];
}
