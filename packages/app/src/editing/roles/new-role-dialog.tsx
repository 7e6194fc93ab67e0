// A new role: its name, the key that the definition knows it by, and the permissions that it begins with.

import { Button, Modal, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { isRecordsError } from '@workspace-records/client';
import { type FormEvent, useState } from 'react';
import { rightsQuery } from '../../lib/members.ts';
import { errorText, useT } from '../../lib/messages/index.ts';
import { useCreateRole } from '../../lib/role-writes.ts';
import { useSession } from '../../lib/session.ts';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { Problem } from '../../ui/problem.tsx';
import { keyOf, type Start, startBody } from './role-start.ts';
import { StartField } from './start-field.tsx';

interface NewRoleDialogProps {
  readonly onCreated: (key: string) => void;
  readonly onClose: () => void;
}

export function NewRoleDialog({ onCreated, onClose }: NewRoleDialogProps) {
  const t = useT();
  const { data: rights } = useQuery(rightsQuery(useSession()));
  const { mutate, error, isPending } = useCreateRole();
  const [name, setName] = useState('');
  const [ownKey, setOwnKey] = useState<string>();
  const [start, setStart] = useState<Start>('nothing');
  const key = ownKey ?? keyOf(name);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = startBody(start, rights?.objects ?? []);
    mutate({ ...body, key, name: name.trim() }, { onSuccess: () => onCreated(key) });
  };
  const refused = isRecordsError(error) && error.param === 'key' ? errorText(error) : undefined;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('roles.new')}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      <Stack component="form" gap="lg" onSubmit={submit}>
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
        <StartField value={start} onChange={setStart} />
        {error !== null && refused === undefined && <Problem error={error} />}
        <DialogButtons onClose={onClose}>
          <Button type="submit" loading={isPending} disabled={rights === undefined}>
            {t('roles.createNow')}
          </Button>
        </DialogButtons>
      </Stack>
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
