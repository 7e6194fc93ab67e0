// A dashboard: reports on one page, arranged by dragging, by keys and by menu. Each of them is read, and fails, by
// itself; reports are another feature, which the route gives.

import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { View } from '@workspace-records/client';
import type { ComponentType } from 'react';
import { dashboardQuery, type Tile } from '../../lib/dashboards.ts';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import { Page } from '../../ui/page.tsx';
import { AddReport } from './add-report.tsx';
import { useChangeDashboard } from './api.ts';
import classes from './dashboard.module.css';
import { DashboardMenu } from './dashboard-menu.tsx';
import { TileFrame } from './tile-frame.tsx';
import { useArranging } from './use-arranging.ts';

interface DashboardPageProps {
  readonly Report: ComponentType<{ readonly view: View }>;
}

export function DashboardPage({ Report }: DashboardPageProps) {
  const { id } = useParams({ from: '/$workspace/shell/dashboards/$id' });
  return <Dashboard key={id} id={id} Report={Report} />;
}

function Dashboard({ id, Report }: DashboardPageProps & { readonly id: string }) {
  const t = useT();
  const { data: dashboard } = useSuspenseQuery(dashboardQuery(useSession(), id));
  const change = useChangeDashboard(id);
  const arrange = (tiles: readonly Tile[]) => change.mutate({ tiles: [...tiles] });
  const views = new Map(dashboard.views.map((view) => [view.id, view]));
  const nameOf = (viewId: string) => views.get(viewId)?.name ?? t('dashboards.goneTile');
  const arranging = useArranging({ tiles: dashboard.tiles, nameOf, onArrange: arrange });
  const { can_change } = dashboard;
  const add = can_change && <AddReport dashboard={dashboard} onChange={arrange} />;
  return (
    <Page
      title={dashboard.name}
      width="wide"
      actions={
        <>
          {add}
          <DashboardMenu dashboard={dashboard} />
        </>
      }
    >
      <div className={classes.scroller}>
        {dashboard.tiles.length === 0 ? (
          <EmptyState title={t('dashboards.empty')} text={t('dashboards.emptyText')} action={add} />
        ) : (
          <ul className={classes.grid}>
            {arranging.tiles.map((tile) => (
              <TileFrame
                key={tile.view_id}
                {...{ tile, arranging }}
                view={views.get(tile.view_id)}
                isFixed={!can_change}
                Report={Report}
              />
            ))}
          </ul>
        )}
      </div>
      <Hidden id={arranging.hintId}>{t('dashboards.hint')}</Hidden>
      <Hidden role="status" aria-live="assertive">
        {arranging.told}
      </Hidden>
    </Page>
  );
}
