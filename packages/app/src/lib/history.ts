// The earlier values of a record, newest first, as far as its object keeps them.

import { infiniteQueryOptions } from '@tanstack/react-query';
import type { ObjectDefinition } from '@workspace-records/client';
import type { Session } from './session.ts';

const AT_ONCE = 20;

export function hasHistory({ history }: ObjectDefinition): boolean {
  return history !== null && history !== undefined;
}

export function historyQuery(
  { workspace, client }: Session,
  { type, id }: { readonly type: string; readonly id: string },
) {
  return infiniteQueryOptions({
    queryKey: [workspace, type, 'history', id],
    queryFn: ({ pageParam: cursor, signal }) => {
      const query = cursor === undefined ? { limit: AT_ONCE } : { limit: AT_ONCE, cursor };
      return client.records(type).history(id, query, { signal });
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.next_cursor ?? undefined,
  });
}
