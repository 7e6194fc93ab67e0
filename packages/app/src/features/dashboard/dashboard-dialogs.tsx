// The dialogs of dashboards: a new one, renaming and sharing one, deleting it.

import { Button, Modal, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { Dashboard } from '@workspace-records/client';
import { type FormEvent, useState } from 'react';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { Choice } from '../../ui/choice.tsx';
import { problemText } from '../../ui/problem.tsx';
import {
  type NewDashboard,
  useChangeDashboard,
  useCreateDashboard,
  useDeleteDashboard,
} from './api.ts';
import classes from './dashboard.module.css';

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
  const save = (made: NewDashboard) =>
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
  const save = (changes: NewDashboard) => change.mutate(changes, { onSuccess: onClose });
  return <NameForm start={{ name, shared }} {...change} onSave={save} onClose={onClose} />;
}

interface NameFormProps extends Closing {
  readonly start: NewDashboard;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onSave: (made: NewDashboard) => void;
}

function NameForm({ start, isPending, error, onSave, onClose }: NameFormProps) {
  const t = useT();
  const [name, setName] = useState(start.name);
  const [shared, setShared] = useState(start.shared);
  const [isTried, setTried] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (name.trim() !== '') onSave({ name: name.trim(), shared });
  };
  const failure = error === null ? undefined : problemText(error, t);
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <TextInput
        data-autofocus
        label={t('views.name')}
        value={name}
        maxLength={200}
        error={isTried && name.trim() === '' ? t('dashboards.needsName') : failure}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Choice
        label={t('views.sharedWith')}
        options={{
          private: t('views.private'),
          team: t('views.team'),
          workspace: t('views.workspace'),
        }}
        value={shared}
        onChange={setShared}
      />
      <p className={classes.hint}>{t('dashboards.shareText')}</p>
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose}>
          {t('record.cancel')}
        </Button>
        <Button type="submit" loading={isPending}>
          {t('record.save')}
        </Button>
      </div>
    </form>
  );
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
      <p className={classes.hint}>{t('dashboards.deleteText')}</p>
      {remove.error !== null && <p role="alert">{problemText(remove.error, t)}</p>}
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose}>
          {t('record.cancel')}
        </Button>
        <Button
          color="red"
          loading={remove.isPending}
          onClick={() => remove.mutate(undefined, { onSuccess })}
        >
          {t('dashboards.delete')}
        </Button>
      </div>
    </>
  );
}
