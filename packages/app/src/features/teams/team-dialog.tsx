// The name and description of a team, new or not.

import { Button, Modal, Stack, TextInput } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import { isRecordsError, type Team } from '@workspace-records/client';
import type { FormEvent } from 'react';
import { errorText, useT } from '../../lib/messages/index.ts';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { Problem } from '../../ui/problem.tsx';
import { showToast } from '../../ui/toast.ts';
import type { TeamBody } from './api.ts';

interface TeamDialogProps {
  readonly title: string;
  readonly action: string;
  readonly done: string;
  readonly team?: Team;
  readonly change: UseMutationResult<Team, Error, TeamBody>;
  readonly onDone?: (team: Team) => void;
  readonly onClose: () => void;
}

export function TeamDialog(props: TeamDialogProps) {
  const { title, action, done, team, change, onDone, onClose } = props;
  const t = useT();
  const { mutate, error, isPending } = change;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const description = String(form.get('description')).trim();
    const body = {
      name: String(form.get('name')).trim(),
      description: description === '' ? null : description,
    };
    mutate(body, {
      onSuccess(changed) {
        showToast({ text: done });
        onDone?.(changed);
        onClose();
      },
    });
  };
  const refused = isRecordsError(error) && error.param === 'name' ? errorText(error) : undefined;
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      <Stack gap="lg" renderRoot={(props) => <form {...props} onSubmit={submit} />}>
        <TextInput
          name="name"
          label={t('teams.name')}
          defaultValue={team?.name ?? ''}
          maxLength={100}
          required
          withAsterisk={false}
          data-autofocus
          error={refused}
        />
        <TextInput
          name="description"
          label={t('teams.description')}
          defaultValue={team?.description ?? ''}
          maxLength={1000}
        />
        {error !== null && refused === undefined && <Problem error={error} />}
        <DialogButtons onClose={onClose}>
          <Button type="submit" loading={isPending}>
            {action}
          </Button>
        </DialogButtons>
      </Stack>
    </Modal>
  );
}
