// Dashboards: read, made, changed, deleted.

import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { type Dashboard, type FilledDashboard, isRecordsError } from '@workspace-records/client';
import { useT } from '../../lib/messages/index.ts';
import { useSession, type WorkspaceClient } from '../../lib/session.ts';
import { problemText } from '../../ui/problem.tsx';
import { showToast } from '../../ui/toast.ts';

/** Milliseconds: dashboards change seldom, and one's own changes are known here. */
const SETTLED = 60_000;

export function dashboardsQuery({ workspace, client }: WorkspaceClient) {
  return queryOptions({
    queryKey: [workspace, 'dashboards'],
    queryFn: async ({ signal }) => {
      const found: Dashboard[] = [];
      for await (const one of client.dashboards.all({ limit: 100 }, { signal })) found.push(one);
      return found.sort((one, other) => one.name.localeCompare(other.name));
    },
    staleTime: SETTLED,
  });
}

export function dashboardQuery({ workspace, client }: WorkspaceClient, id: string) {
  return queryOptions({
    queryKey: [workspace, 'dashboards', id],
    queryFn: ({ signal }) => client.dashboards.get(id, { signal }),
    staleTime: SETTLED,
  });
}

export type DashboardChanges = Pick<Partial<Dashboard>, 'name' | 'shared' | 'tiles'>;
type NewDashboard = Pick<Dashboard, 'name' | 'shared'>;

export function useCreateDashboard() {
  const session = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (made: NewDashboard) => session.client.dashboards.create(made),
    onSuccess: (made) => queries.setQueryData(dashboardQuery(session, made.id).queryKey, made),
    onSettled: () => queries.invalidateQueries({ ...dashboardsQuery(session), exact: true }),
  });
}

export function useDeleteDashboard(id: string) {
  const session = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => session.client.dashboards.delete(id),
    onSettled: () => queries.invalidateQueries({ ...dashboardsQuery(session), exact: true }),
  });
}

/** Shown at once, saved one after the other, each with the version that the one before it has made. */
export function useChangeDashboard(id: string) {
  const t = useT();
  const session = useSession();
  const queries = useQueryClient();
  const { queryKey } = dashboardQuery(session, id);
  const read = () => queries.getQueryData<FilledDashboard>(queryKey);
  return useMutation({
    scope: { id: `dashboard ${id}` },
    mutationFn: (changes: DashboardChanges) =>
      session.client.dashboards.update(id, changes, { version: read()?.version }),
    onMutate: (changes) => {
      const before = read();
      if (before !== undefined) queries.setQueryData(queryKey, { ...before, ...changes });
    },
    onSuccess: (saved, changes) => {
      const later = read();
      // A later change that waits is shown meanwhile.
      const isLatest = later === undefined || isSame(later.tiles, changes.tiles ?? saved.tiles);
      queries.setQueryData(queryKey, isLatest ? saved : { ...saved, tiles: later.tiles });
      void queries.invalidateQueries({ ...dashboardsQuery(session), exact: true });
    },
    onError: (error) => {
      const isStale = isRecordsError(error, 'stale_record');
      const text = isStale ? t('dashboards.stale') : problemText(error, t);
      showToast({ text, isProblem: true });
      void queries.invalidateQueries({ queryKey });
    },
  });
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
