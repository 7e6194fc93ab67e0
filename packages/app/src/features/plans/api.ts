// Plans of the definition, their application, its revisions, and the job of a long one.

import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { type DefinitionPlan, isRecordsError } from '@workspace-records/client';
import { type Definition, definitionQuery } from '../../lib/definition/draft.ts';
import { type Edit, patchOf } from '../../lib/definition/edits.ts';
import { useSession, type WorkspaceClient } from '../../lib/session.ts';

/** The effect of the draft on the definition in force; it stores nothing. */
export function planQuery(
  { workspace, client }: WorkspaceClient,
  { revision }: Definition,
  edits: readonly Edit[],
) {
  return queryOptions({
    queryKey: [workspace, 'definition', 'plan', revision, edits],
    queryFn: ({ signal }) =>
      client.definition.plan({ merge: true, patch: patchOf(edits) }, { signal }),
    // The records that it counts change without it.
    staleTime: 0,
    gcTime: 0,
  });
}

export interface Application {
  readonly plan: DefinitionPlan;
  readonly edits: readonly Edit[];
  /** The losses that the person has typed. */
  readonly allow: readonly string[];
}

/** Answers the job of a long change. A definition that is newer than the plan is read, and with it the plan made again. */
export function useApply() {
  const session = useSession();
  const queries = useQueryClient();
  const { queryKey } = definitionQuery(session);
  return useMutation({
    async mutationFn({ plan, edits, allow }: Application) {
      const input = { merge: true, patch: patchOf(edits), allow: [...allow] };
      return session.client.definition.apply(plan, input);
    },
    async onSuccess(applied) {
      // Objects, rights and lists follow from the definition.
      if (!('job' in applied))
        await queries.invalidateQueries({ predicate: isOf(session.workspace) });
    },
    async onError(error) {
      if (isStale(error)) await queries.invalidateQueries({ queryKey });
    },
  });
}

function isOf(workspace: string) {
  return ({ queryKey }: { readonly queryKey: readonly unknown[] }) =>
    queryKey[0] === workspace && queryKey[2] !== 'plan';
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
