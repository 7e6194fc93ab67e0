// The dashboards, above the reports, and the button that makes one.

import { Button, Group, Paper, SimpleGrid, Text } from '@mantine/core';
import '@mantine/core/styles/SimpleGrid.layer.css';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { View } from '@workspace-records/client';
import { type ComponentType, useState } from 'react';
import { dashboardsQuery } from '../../lib/dashboards.ts';
import { later } from '../../lib/later.tsx';
import { useT } from '../../lib/messages/index.ts';
import { reportsQuery } from '../../lib/saved-views.ts';
import { useSession } from '../../lib/session.ts';
import framed from '../../ui/framed-rows.module.css';
import { Icon } from '../../ui/icon.tsx';
import classes from './dashboard.module.css';

/** Tiles beside each other. */
const CARDS = { base: 1, md: 2 } as const;

const DashboardDialogs = later(() => import('./dashboard-dialogs.tsx'));

/** The charts of a tile. */
const MOST_SKETCHES = 4;

interface DashboardsProps {
  /** A report in small, which is another feature. */
  readonly Sketch: ComponentType<{ readonly view: View }>;
}

export function Dashboards({ Sketch }: DashboardsProps) {
  const t = useT();
  const session = useSession();
  const { data: reports } = useSuspenseQuery(reportsQuery(session));
  const { data: dashboards } = useSuspenseQuery(dashboardsQuery(session));
  if (dashboards.length === 0) return null;
  return (
    <>
      <Text component="h2" fz="sm" fw={600} mb="sm">
        {t('dashboards.title')}
      </Text>
      <SimpleGrid component="ul" className={classes.cards} cols={CARDS} spacing="sm">
        {dashboards.map(({ id, name, tiles }) => (
          <Paper component="li" withBorder p="sm" radius="md" key={id} className={framed.covered}>
            <Group gap="xs" wrap="nowrap" mb="xs">
              <Icon name="dashboard" size={14} />
              <Link
                to="/$workspace/dashboards/$id"
                params={{ workspace: session.workspace, id }}
                className={framed.cover}
              >
                {name}
              </Link>
              <Text span c="dimmed" fz="xs">
                {t('dashboards.reports', { count: tiles.length })}
              </Text>
            </Group>
            <SimpleGrid cols={2} spacing="md" aria-hidden="true">
              {tiles
                .flatMap(({ view_id }) => reports.find((view) => view.id === view_id) ?? [])
                .slice(0, MOST_SKETCHES)
                .map((view) => (
                  <div key={view.id}>
                    <Text fz="xs" lh="md" c="dimmed" truncate>
                      {view.name}
                    </Text>
                    <Sketch view={view} />
                  </div>
                ))}
            </SimpleGrid>
          </Paper>
        ))}
      </SimpleGrid>
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
