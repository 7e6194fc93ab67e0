// Jobs: long work of the service, followed until it has ended.

import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useSession, type WorkspaceClient } from './session.ts';

/** Milliseconds: no event reports jobs. */
const LIVE = 700;

/** Read again until it has ended. */
export function jobQuery({ workspace, client }: WorkspaceClient, id: string) {
  return queryOptions({
    queryKey: [workspace, 'job', id],
    queryFn: ({ signal }) => client.jobs.get(id, { signal }),
    refetchInterval: ({ state }) => (state.data?.finished_at == null ? LIVE : false),
  });
}

export function useCancelJob(id: string) {
  const session = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => session.client.jobs.cancel(id),
    onSettled: () => queries.invalidateQueries({ queryKey: jobQuery(session, id).queryKey }),
  });
}
