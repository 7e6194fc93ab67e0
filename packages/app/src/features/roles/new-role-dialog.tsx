// A new role: its name, the key that the definition knows it by, and the role that it begins as a copy of.

import { Button, Modal, NativeSelect, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { isRecordsError, type Role } from '@workspace-records/client';
import { type FormEvent, useState } from 'react';
import { told, useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { Problem } from '../../ui/problem.tsx';
import table from '../../ui/settings-table.module.css';
import { useCreateRole } from './api.ts';
import { copyOf, keyOf } from './role-draft.ts';

interface NewRoleDialogProps {
  readonly roles: readonly Role[];
  readonly onClose: () => void;
}

export function NewRoleDialog({ roles, onClose }: NewRoleDialogProps) {
  const t = useT();
  const navigate = useNavigate();
  const { workspace } = useSession();
  const { mutate, error, isPending } = useCreateRole();
  const [name, setName] = useState('');
  const [ownKey, setOwnKey] = useState<string>();
  const [from, setFrom] = useState('');
  const key = ownKey ?? keyOf(name);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const model = roles.find((role) => role.key === from);
    mutate(
      { ...(model === undefined ? {} : copyOf(model)), key, name: name.trim() },
      {
        onSuccess: () =>
          void navigate({ to: '/$workspace/settings/roles/$key', params: { workspace, key } }),
      },
    );
  };
  const refused = isRecordsError(error) && error.param === 'key' ? told(error.message) : undefined;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('roles.new')}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      <form className={table.form} onSubmit={submit}>
        <TextInput
          label={t('roles.name')}
          value={name}
          maxLength={100}
          required
          withAsterisk={false}
          data-autofocus
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <KeyField value={key} error={refused} onChange={setOwnKey} />
        <FromField roles={roles} value={from} onChange={setFrom} />
        {error !== null && refused === undefined && <Problem error={error} />}
        <DialogButtons onClose={onClose}>
          <Button type="submit" loading={isPending}>
            {t('roles.createNow')}
          </Button>
        </DialogButtons>
      </form>
    </Modal>
  );
}

interface KeyFieldProps {
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (key: string) => void;
}

function KeyField({ value, error, onChange }: KeyFieldProps) {
  const t = useT();
  return (
    <TextInput
      label={t('roles.key')}
      description={t('roles.keyText')}
      value={value}
      pattern="[a-z][a-z0-9_]*"
      maxLength={40}
      required
      withAsterisk={false}
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

interface FromFieldProps extends Pick<NewRoleDialogProps, 'roles'> {
  readonly value: string;
  readonly onChange: (key: string) => void;
}

function FromField({ roles, value, onChange }: FromFieldProps) {
  const t = useT();
  const names = roles.map((role) => ({ value: role.key, label: role.name }));
  return (
    <NativeSelect
      label={t('roles.from')}
      data={[{ value: '', label: t('roles.fromNothing') }, ...names]}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
