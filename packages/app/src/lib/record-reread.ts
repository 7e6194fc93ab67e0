// Records that many writes have changed, read again where lists show them: by their ids, not page by page.

import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { LIMITS, type Page, type RecordData, type Where } from '@workspace-records/client';
import { putRows } from './record-cache.ts';
import { readPage } from './record-lists.ts';
import type { Session } from './session.ts';

interface ListedParams {
  readonly fields: readonly string[];
}

type List = InfiniteData<Page<RecordData>>;

export async function rereadRecords(
  { workspace, client }: Pick<Session, 'workspace' | 'client'>,
  queries: QueryClient,
  type: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const wanted = new Set(ids);
  const isRecord = ([place, object, kind, id]: readonly unknown[]) =>
    place === workspace && object === type && kind === 'record' && wanted.has(String(id));
  void queries.invalidateQueries({ predicate: ({ queryKey }) => isRecord(queryKey) });
  const queryKey = [workspace, type, 'list'];
  // They are not shown: they are requested again when they are.
  queries.removeQueries({ queryKey, type: 'inactive' });
  for (const query of queries.getQueryCache().findAll({ queryKey, type: 'active' })) {
    const { fields } = query.queryKey[3] as ListedParams;
    const shownOnPage = shownIds(query.state.data as List | undefined, wanted);
    for (let start = 0; start < shownOnPage.length; start += LIMITS.inValues) {
      const where: Where = {
        field: 'id',
        op: 'in',
        value: shownOnPage.slice(start, start + LIMITS.inValues),
      };
      // Names of referenced records are requested by the components that show them.
      const question = { q: '', sort: [], where: [where], fields, expand: [] };
      const { data } = await readPage({ client }, type, question, {});
      putRows(queries, query.queryKey, data);
    }
  }
}

function shownIds(list: List | undefined, wanted: ReadonlySet<string>): readonly string[] {
  const records = list?.pages.flatMap(({ data }) => data) ?? [];
  return records.map(({ id }) => id).filter((id) => wanted.has(id));
}
