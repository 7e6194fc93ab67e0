// Refusals of a plan, and the revisions of the definition.

import { infiniteQueryOptions } from '@tanstack/react-query';
import { isRecordsError } from '@workspace-records/client';
import type { WorkspaceClient } from '../../lib/session.ts';

/** Another revision is in force, or records have changed so that the plan is another one. */
export function isStale(error: unknown): boolean {
  if (!isRecordsError(error)) return false;
  return error.code === 'stale_record' || error.param === 'plan_id' || error.status === 422;
}

export function revisionsQuery({ workspace, client }: WorkspaceClient) {
  return infiniteQueryOptions({
    queryKey: [workspace, 'definition', 'revisions'],
    queryFn: ({ pageParam: cursor, signal }) =>
      client.definition.revisions.list({ cursor }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.next_cursor ?? undefined,
  });
}
