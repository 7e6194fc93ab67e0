// Dashboards as they are read, and a report that is added to one.

import { queryOptions } from '@tanstack/react-query';
import { type Dashboard, LIMITS } from '@workspace-records/client';
import type { Session, WorkspaceClient } from './session.ts';

export type Tile = Dashboard['tiles'][number];

/** Milliseconds: dashboards change seldom, and one's own changes are known here. */
const SETTLED = 60_000;

export function dashboardsQuery({ workspace, client }: WorkspaceClient) {
  return queryOptions({
    queryKey: [workspace, 'dashboards'],
    queryFn: async ({ signal }) => {
      const found: Dashboard[] = [];
      for await (const one of client.dashboards.all({ limit: 100 }, { signal })) found.push(one);
      return byName(found);
    },
    staleTime: SETTLED,
  });
}

/** The names of dashboards, which come with the session. */
export function dashboardNamesQuery({ workspace, client, me }: Session) {
  return queryOptions({
    queryKey: [workspace, 'dashboards', 'names'],
    queryFn: async ({ signal }) => {
      const { data } = await client.dashboards.list({ limit: 100 }, { signal });
      return data.map(({ id, name }) => ({ id, name }));
    },
    initialData: () => me.dashboards,
    select: byName,
    staleTime: SETTLED,
  });
}

type DashboardName = Pick<Dashboard, 'id' | 'name'>;

function byName<Named extends DashboardName>(dashboards: readonly Named[]): readonly Named[] {
  return dashboards.toSorted((one, other) => one.name.localeCompare(other.name));
}

export function dashboardQuery({ workspace, client }: WorkspaceClient, id: string) {
  return queryOptions({
    queryKey: [workspace, 'dashboards', id],
    queryFn: ({ signal }) => client.dashboards.get(id, { signal }),
    staleTime: SETTLED,
  });
}

/** A figure is small, a chart has half of the page. */
export function withTile(
  tiles: readonly Tile[],
  { id, chart }: { readonly id: string; readonly chart: string | null },
): readonly Tile[] {
  return [...tiles, { view_id: id, width: chart === 'number' ? 1 : 2 }];
}

/** The dashboards to which the report can be added. */
export function withoutReport(dashboards: readonly Dashboard[], report: string) {
  return dashboards.filter(
    ({ can_change, tiles }) =>
      can_change &&
      tiles.length < LIMITS.tilesOfDashboard &&
      !tiles.some(({ view_id }) => view_id === report),
  );
}
