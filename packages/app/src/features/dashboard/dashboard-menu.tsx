// Reading a dashboard again, renaming, sharing, deleting it.

import { ActionIcon, Menu } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { FilledDashboard } from '@workspace-records/client';
import { useState } from 'react';
import { later } from '../../lib/later.tsx';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { Icon } from '../../ui/icon.tsx';

const DashboardDialogs = later(() => import('./dashboard-dialogs.tsx'));

export type OpenDialog = 'rename' | 'delete';

export function DashboardMenu({ dashboard }: { readonly dashboard: FilledDashboard }) {
  const t = useT();
  const { workspace } = useSession();
  const queries = useQueryClient();
  const [dialog, setDialog] = useState<OpenDialog>();
  const refresh = () =>
    void queries.invalidateQueries({
      predicate: ({ queryKey: [place, , kind, what] }) =>
        place === workspace && kind === 'groups' && what === 'report',
    });
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label={t('dashboards.more')}>
            <Icon name="more" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Icon name="refresh" />} onClick={refresh}>
            {t('records.refresh')}
          </Menu.Item>
          {dashboard.can_change && (
            <>
              <Menu.Item leftSection={<Icon name="person" />} onClick={() => setDialog('rename')}>
                {t('views.rename')}
              </Menu.Item>
              <Menu.Item
                color="red"
                leftSection={<Icon name="trash" />}
                onClick={() => setDialog('delete')}
              >
                {t('dashboards.delete')}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {dialog !== undefined && (
        <DashboardDialogs
          dialog={dialog}
          dashboard={dashboard}
          onClose={() => setDialog(undefined)}
        />
      )}
    </>
  );
}
