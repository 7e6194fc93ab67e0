// The reports that a dashboard does not have yet, and the way to a new one.

import { Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FilledDashboard, LIMITS, type View } from '@workspace-records/client';
import { useState } from 'react';
import { type Tile, withTile } from '../../lib/dashboards.ts';
import { useT } from '../../lib/messages/index.ts';
import { reportsQuery } from '../../lib/saved-views.ts';
import { useSession } from '../../lib/session.ts';
import { Icon } from '../../ui/icon.tsx';
import classes from './dashboard.module.css';

interface AddReportProps {
  readonly dashboard: FilledDashboard;
  readonly onChange: (tiles: readonly Tile[]) => void;
}

export function AddReport({ dashboard, onChange }: AddReportProps) {
  const t = useT();
  const session = useSession();
  const [isOpen, setOpen] = useState(false);
  const { data: reports } = useQuery({ ...reportsQuery(session), enabled: isOpen });
  const { tiles } = dashboard;
  const isFull = tiles.length >= LIMITS.tilesOfDashboard;
  const isFree = ({ id }: View) => !tiles.some(({ view_id }) => view_id === id);
  const free = reports?.filter(isFree) ?? [];
  return (
    <Menu opened={isOpen} onChange={setOpen} position="bottom-end" width="18rem">
      <Menu.Target>
        <Button leftSection={<Icon name="plus" size={12} />} disabled={isFull}>
          {isFull ? t('dashboards.full', { count: LIMITS.tilesOfDashboard }) : t('dashboards.add')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.offered}>
        {reports !== undefined && free.length === 0 && (
          <Menu.Label>{t('dashboards.noneToAdd')}</Menu.Label>
        )}
        {free.map((view) => (
          <Menu.Item key={view.id} onClick={() => onChange(withTile(tiles, view))}>
            {view.name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          leftSection={<Icon name="plus" />}
          renderRoot={(props) => (
            <Link
              to="/$workspace/reports/$id"
              params={{ workspace: session.workspace, id: 'new' }}
              {...props}
            />
          )}
        >
          {t('reports.new')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
