// Dashboards: made, changed, deleted.

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Dashboard, type FilledDashboard, isRecordsError } from '@workspace-records/client';
import { dashboardQuery, dashboardsQuery } from '../../lib/dashboards.ts';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { problemText } from '../../ui/problem.tsx';
import { showToast } from '../../ui/toast.ts';

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
