// The menu of the whole definition: its revisions, a file with it, a file into the draft.

import '../../lib/plan-texts.ts';
import { ActionIcon, Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { later } from '../../lib/later.tsx';
import { loadCode } from '../../lib/load-code.ts';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { Icon } from '../../ui/icon.tsx';
import { problemText } from '../../ui/problem.tsx';
import { showToast } from '../../ui/toast.ts';

const ImportDialog = later(() => import('./import-dialog.tsx'));

export function ModelMenu() {
  const t = useT();
  const session = useSession();
  const navigate = useNavigate();
  const [isImporting, setImporting] = useState(false);
  const params = { workspace: session.workspace };
  const save = () => {
    loadCode(() => import('./export-file.ts'))
      .then(({ exportFile }) => exportFile(session))
      .catch((error: unknown) => showToast({ text: problemText(error, t), isProblem: true }));
  };
  return (
    <>
      <Menu>
        <Menu.Target>
          <ActionIcon aria-label={t('model.more')}>
            <Icon name="more" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<Icon name="refresh" />}
            onClick={() => void navigate({ to: '/$workspace/settings/plans', params })}
          >
            {t('revisions.title')}
          </Menu.Item>
          <Menu.Item leftSection={<Icon name="down" />} onClick={save}>
            {t('model.export')}
          </Menu.Item>
          <Menu.Item leftSection={<Icon name="up" />} onClick={() => setImporting(true)}>
            {t('model.import')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isImporting && <ImportDialog onClose={() => setImporting(false)} />}
    </>
  );
}
