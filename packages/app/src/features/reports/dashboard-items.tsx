// The dashboards that a report can be added to, in its menu.

import { Menu } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Dashboard, View } from '@workspace-records/client';
import { dashboardQuery, dashboardsQuery, withoutReport, withTile } from '../../lib/dashboards.ts';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { Icon } from '../../ui/icon.tsx';
import { problemText } from '../../ui/problem.tsx';
import { showToast } from '../../ui/toast.ts';

/** The most dashboards in a menu; the page of a dashboard offers all reports. */
const MOST_OFFERED = 6;

export function DashboardItems({ report }: { readonly report: View }) {
  const t = useT();
  const { data: dashboards = [] } = useQuery(dashboardsQuery(useSession()));
  const { mutate } = useAdding(report);
  const offered = withoutReport(dashboards, report.id).slice(0, MOST_OFFERED);
  if (offered.length === 0) return null;
  return (
    <>
      <Menu.Divider />
      <Menu.Label>{t('dashboards.addTo')}</Menu.Label>
      {offered.map((dashboard) => (
        <Menu.Item
          key={dashboard.id}
          leftSection={<Icon name="dashboard" />}
          onClick={() => mutate(dashboard)}
        >
          {dashboard.name}
        </Menu.Item>
      ))}
    </>
  );
}

function useAdding(report: View) {
  const t = useT();
  const session = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, tiles, version }: Dashboard) =>
      session.client.dashboards.update(id, { tiles: withTile(tiles, report) }, { version }),
    onSuccess(saved) {
      queries.setQueryData(dashboardQuery(session, saved.id).queryKey, saved);
      showToast({ text: t('dashboards.added', { name: report.name, dashboard: saved.name }) });
    },
    onError: (error) => showToast({ text: problemText(error, t), isProblem: true }),
    onSettled: () => queries.invalidateQueries({ ...dashboardsQuery(session), exact: true }),
  });
}
