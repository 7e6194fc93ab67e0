// The dialogs of dashboards: a new one, renaming and sharing one, deleting it.

import { Button, Modal, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { Dashboard } from '@workspace-records/client';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { problemText } from '../../ui/problem.tsx';
import {
  type SharedName,
  SharedNameForm,
  type SharedNameFormProps,
} from '../../ui/shared-name-form.tsx';
import { useChangeDashboard, useCreateDashboard, useDeleteDashboard } from './api.ts';

interface DashboardDialogsProps {
  readonly dialog: 'new' | 'rename' | 'delete';
  /** Undefined: a new one. */
  readonly dashboard?: Dashboard;
  readonly onClose: () => void;
}

export default function DashboardDialogs({ dialog, dashboard, onClose }: DashboardDialogsProps) {
  const t = useT();
  const titles = {
    new: t('dashboards.new'),
    rename: t('views.renameTitle'),
    delete: t('views.deleteTitle', { name: dashboard?.name ?? '' }),
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={titles[dialog]}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      {dialog === 'new' && <New onClose={onClose} />}
      {dashboard !== undefined && dialog === 'rename' && <Rename {...{ dashboard, onClose }} />}
      {dashboard !== undefined && dialog === 'delete' && <Delete {...{ dashboard, onClose }} />}
    </Modal>
  );
}

type Closing = Pick<DashboardDialogsProps, 'onClose'>;
type OfOne = Closing & { readonly dashboard: Dashboard };

function New({ onClose }: Closing) {
  const { workspace } = useSession();
  const navigate = useNavigate();
  const create = useCreateDashboard();
  const save = (made: SharedName) =>
    create.mutate(made, {
      onSuccess({ id }) {
        onClose();
        void navigate({ to: '/$workspace/dashboards/$id', params: { workspace, id } });
      },
    });
  return (
    <NameForm start={{ name: '', shared: 'private' }} {...create} onSave={save} onClose={onClose} />
  );
}

function Rename({ dashboard, onClose }: OfOne) {
  const change = useChangeDashboard(dashboard.id);
  const { name, shared } = dashboard;
  const save = (changes: SharedName) => change.mutate(changes, { onSuccess: onClose });
  return <NameForm start={{ name, shared }} {...change} onSave={save} onClose={onClose} />;
}

function NameForm(form: Omit<SharedNameFormProps, 'texts'>) {
  const t = useT();
  const texts = {
    needsName: t('dashboards.needsName'),
    share: t('dashboards.shareText'),
    stale: t('dashboards.stale'),
  };
  return <SharedNameForm {...form} texts={texts} />;
}

function Delete({ dashboard, onClose }: OfOne) {
  const t = useT();
  const { workspace } = useSession();
  const navigate = useNavigate();
  const remove = useDeleteDashboard(dashboard.id);
  const onSuccess = () => {
    onClose();
    void navigate({ to: '/$workspace/reports', params: { workspace } });
  };
  return (
    <>
      <Text c="dimmed">{t('dashboards.deleteText')}</Text>
      {remove.error !== null && <p role="alert">{problemText(remove.error, t)}</p>}
      <DialogButtons onClose={onClose}>
        <Button
          color="red"
          loading={remove.isPending}
          onClick={() => remove.mutate(undefined, { onSuccess })}
        >
          {t('dashboards.delete')}
        </Button>
      </DialogButtons>
    </>
  );
}
