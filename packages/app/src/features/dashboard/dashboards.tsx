// The dashboards, above the reports, and the button that makes one.

import { Button } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { dashboardsQuery } from '../../lib/dashboards.ts';
import { later } from '../../lib/later.tsx';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { Icon } from '../../ui/icon.tsx';
import classes from './dashboard.module.css';

const DashboardDialogs = later(() => import('./dashboard-dialogs.tsx'));

export function Dashboards() {
  const t = useT();
  const session = useSession();
  const { data: dashboards } = useSuspenseQuery(dashboardsQuery(session));
  if (dashboards.length === 0) return null;
  return (
    <>
      <h2 className={classes.heading}>{t('dashboards.title')}</h2>
      <ul className={classes.cards}>
        {dashboards.map(({ id, name, tiles }) => (
          <li key={id} className={classes.card}>
            <Icon name="dashboard" />
            <Link
              to="/$workspace/dashboards/$id"
              params={{ workspace: session.workspace, id }}
              className={classes.cardName}
            >
              {name}
            </Link>
            <span className={classes.small}>
              {t('dashboards.reports', { count: tiles.length })}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

export function NewDashboard() {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {t('dashboards.new')}
      </Button>
      {isOpen && <DashboardDialogs dialog="new" onClose={() => setOpen(false)} />}
    </>
  );
}
