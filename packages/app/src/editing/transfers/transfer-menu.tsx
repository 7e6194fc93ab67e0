// Files in and out of a list: its import, for administrators, and the export of the shown records, for everybody.

import { ActionIcon, Menu } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ObjectDefinition } from '@workspace-records/client';
import { useState } from 'react';
import { later } from '../../lib/later.tsx';
import { useT } from '../../lib/messages/index.ts';
import { accessQuery } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import type { ViewState } from '../../lib/view-state.ts';
import { Icon } from '../../ui/icon.tsx';
import { problemText } from '../../ui/problem.tsx';
import { showToast } from '../../ui/toast.ts';

const ExportDialog = later(() => import('./export-dialog.tsx'));

interface TransferMenuProps {
  readonly object: ObjectDefinition;
  readonly view: ViewState;
}

export function TransferMenu({ object, view }: TransferMenuProps) {
  const t = useT();
  const { workspace, me } = useSession();
  const [isOpen, setOpen] = useState(false);
  const [isExporting, setExporting] = useState(false);
  // Both begin a job, which nobody who views as a person may.
  if (me.viewing !== undefined) return null;
  return (
    <>
      <Menu opened={isOpen} onChange={setOpen} position="bottom-end" width="13rem">
        <Menu.Target>
          <ActionIcon aria-label={t('export.menu')}>
            <Icon name="more" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {isOpen && <ImportItem type={object.object_type} workspace={workspace} />}
          <Menu.Item
            leftSection={<Icon name="download" size={14} />}
            onClick={() => setExporting(true)}
          >
            {t('export.open')}
          </Menu.Item>
          <DuplicatesItem object={object} />
          <Menu.Divider />
          <Menu.Item
            c="var(--ink)"
            leftSection={<Icon name="refresh" size={14} />}
            renderRoot={(props) => <Link to="/$workspace/jobs" params={{ workspace }} {...props} />}
          >
            {t('jobs.title')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isExporting && <ExportDialog {...{ object, view }} onClose={() => setExporting(false)} />}
    </>
  );
}

/** Starts the search, and shows the page of its job. */
function DuplicatesItem({ object }: Pick<TransferMenuProps, 'object'>) {
  const t = useT();
  const { client, workspace } = useSession();
  const navigate = useNavigate();
  const { mutate } = useMutation({
    mutationFn: () => client.records(object.object_type).findDuplicates(),
    onSuccess: ({ id }) => navigate({ to: '/$workspace/jobs/$id', params: { workspace, id } }),
    onError: (error) => showToast({ text: problemText(error, t), isProblem: true }),
  });
  const { update, delete: removal } = object.permissions;
  if (!update.allowed || !removal.allowed) return null;
  return (
    <Menu.Item leftSection={<Icon name="search" size={14} />} onClick={() => mutate()}>
      {t('export.duplicates')}
    </Menu.Item>
  );
}

/** The right to import is asked for when the menu is opened. */
function ImportItem({ type, workspace }: { readonly type: string; readonly workspace: string }) {
  const t = useT();
  const { data: access } = useQuery(accessQuery(useSession()));
  if (access?.administrator.allowed !== true) return null;
  return (
    <Menu.Item
      c="var(--ink)"
      leftSection={<Icon name="upload" size={14} />}
      renderRoot={(props) => (
        <Link to="/$workspace/import/$type" params={{ workspace, type }} {...props} />
      )}
    >
      {t('import.open')}
    </Menu.Item>
  );
}
