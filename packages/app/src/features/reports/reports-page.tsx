// All reports and dashboards: one's own, and those that are shared.

import { Button, SimpleGrid, Text } from '@mantine/core';
import '@mantine/core/styles/SimpleGrid.layer.css';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { View } from '@workspace-records/client';
import type { ReactNode } from 'react';
import { useT } from '../../lib/messages/index.ts';
import { reportsQuery } from '../../lib/saved-views.ts';
import { useSession } from '../../lib/session.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { ReportCard } from './report-card.tsx';
import classes from './reports.module.css';

/** Tiles beside each other. */
const CARDS = { base: 1, xs: 2, md: 3, xl: 4 } as const;

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
      {reports.length === 0 ? (
        <EmptyState title={t('reports.none')} text={t('reports.noneText')} action={make} />
      ) : (
        <>
          <Text component="h2" fz="sm" fw={600} mb="sm">
            {t('reports.reports')}
          </Text>
          <SimpleGrid component="ul" className={classes.cards} cols={CARDS} spacing="sm">
            {inOrder(reports).map((view) => (
              <ReportCard key={view.id} view={view} />
            ))}
          </SimpleGrid>
        </>
      )}
    </Page>
  );
}

/** Favorites come first. */
function inOrder(reports: readonly View[]): readonly View[] {
  return reports.toSorted((one, other) => Number(other.is_favorite) - Number(one.is_favorite));
}
