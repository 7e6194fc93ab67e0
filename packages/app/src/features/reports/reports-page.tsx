// All reports and dashboards: one's own, and those that are shared.

import { Button } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { View } from '@workspace-records/client';
import type { ReactNode } from 'react';
import { useT } from '../../lib/messages/index.ts';
import { usePersonName } from '../../lib/person-names.ts';
import { reportsQuery } from '../../lib/saved-views.ts';
import { useObjects } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Page } from '../../ui/page.tsx';
import { CHART_ICONS } from './report-tools.tsx';
import classes from './reports.module.css';

interface ReportsPageProps {
  /** The list of dashboards, which are another feature. */
  readonly dashboards: ReactNode;
  /** A button that makes one. */
  readonly newDashboard: ReactNode;
}

export function ReportsPage({ dashboards, newDashboard }: ReportsPageProps) {
  const t = useT();
  const session = useSession();
  const { data: reports } = useSuspenseQuery(reportsQuery(session));
  const make = (
    <Button
      renderRoot={(props) => (
        <Link
          to="/$workspace/reports/$id"
          params={{ workspace: session.workspace, id: 'new' }}
          {...props}
        />
      )}
    >
      {t('reports.new')}
    </Button>
  );
  return (
    <Page
      title={t('reports.title')}
      width="broad"
      actions={
        <>
          {newDashboard}
          {make}
        </>
      }
    >
      {dashboards}
      <h2 className={classes.heading}>{t('reports.reports')}</h2>
      {reports.length === 0 ? (
        <EmptyState title={t('reports.none')} text={t('reports.noneText')} action={make} />
      ) : (
        <ul className={classes.list}>
          {reports.map((view) => (
            <ReportRow key={view.id} view={view} />
          ))}
        </ul>
      )}
    </Page>
  );
}

function ReportRow({ view }: { readonly view: View }) {
  const t = useT();
  const { workspace, me } = useSession();
  const object = useObjects().find(({ object_type }) => object_type === view.object_type);
  const shared = {
    private: t('views.private'),
    team: t('views.team'),
    workspace: t('views.workspace'),
  }[view.shared];
  return (
    <li className={classes.item}>
      <Icon name={CHART_ICONS[view.chart ?? 'bars']} />
      <Link
        to="/$workspace/reports/$id"
        params={{ workspace, id: view.id }}
        className={classes.itemName}
      >
        {view.name}
      </Link>
      <span className={`${classes.small} ${classes.itemPlace}`}>
        {object?.name ?? view.object_type}
      </span>
      <span className={classes.small}>
        {view.owner_user_id === me.user.id ? shared : <Owner id={view.owner_user_id} />}
      </span>
    </li>
  );
}

function Owner({ id }: { readonly id: number }) {
  return usePersonName(id);
}
