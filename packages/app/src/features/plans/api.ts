// Plans of the definition, its revisions, and the job of a change that takes long.

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { isRecordsError } from '@workspace-records/client';
import { type Definition, patchOnto } from '../../lib/definition/draft.ts';
import type { Edit } from '../../lib/definition/edits.ts';
import type { WorkspaceClient } from '../../lib/session.ts';

/** The effect of the draft on the definition in force; it stores nothing. */
export function planQuery(
  { workspace, client }: WorkspaceClient,
  present: Definition,
  edits: readonly Edit[],
) {
  return queryOptions({
    queryKey: [workspace, 'definition', 'plan', present.revision, edits],
    queryFn: ({ signal }) => client.definition.plan(patchOnto(present, edits), { signal }),
    // The records that it counts change without it.
    staleTime: 0,
    gcTime: 0,
  });
}

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

/** How far a job is, until it has ended. */
export function jobQuery({ workspace, client }: WorkspaceClient, id: string) {
  return queryOptions({
    queryKey: [workspace, 'job', id],
    queryFn: ({ signal }) => client.jobs.get(id, { signal }),
    refetchInterval: ({ state }) => (state.data?.finished_at == null ? 500 : false),
  });
}
