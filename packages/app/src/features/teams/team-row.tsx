// A team in the list: its name, description and the first of its members; open, all of them.

import { ActionIcon, Box, Button, Group, Modal } from '@mantine/core';
import type { Team } from '@workspace-records/client';
import { useId, useState } from 'react';
import { useT } from '../../lib/messages/index.ts';
import { usePersonName } from '../../lib/person-names.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Problem } from '../../ui/problem.tsx';
import table from '../../ui/settings-table.module.css';
import { showToast } from '../../ui/toast.ts';
import { useChangeTeam, useDeleteTeam } from './api.ts';
import { Members } from './members.tsx';
import { TeamDialog } from './team-dialog.tsx';
import classes from './teams.module.css';

interface TeamRowProps {
  readonly team: Team;
  readonly isOpen: boolean;
  readonly onToggle: (isOpen: boolean) => void;
}

export function TeamRow({ team, isOpen, onToggle }: TeamRowProps) {
  const t = useT();
  const id = useId();
  const [dialog, setDialog] = useState<'edit' | 'delete'>();
  const name = nameOfTeam(team);
  return (
    <li>
      <Group wrap="nowrap" gap="xs" p="0.25rem 0.75rem" mih={48}>
        <button
          type="button"
          className={classes.toggle}
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => onToggle(!isOpen)}
        >
          <Icon name={isOpen ? 'chevron' : 'right'} size={12} />
          <span className={classes.name}>{name}</span>
          <span className={classes.description}>{team.description}</span>
        </button>
        {!isOpen && <Faces ids={team.member_ids} />}
        <ActionIcon aria-label={t('teams.editNamed', { name })} onClick={() => setDialog('edit')}>
          <Icon name="settings" size={14} />
        </ActionIcon>
        <ActionIcon
          aria-label={t('teams.deleteNamed', { name })}
          onClick={() => setDialog('delete')}
        >
          <Icon name="trash" size={14} />
        </ActionIcon>
      </Group>
      {isOpen && (
        <Box id={id} p="0 0.75rem 0.75rem 2rem">
          <Members team={team} />
        </Box>
      )}
      {dialog === 'edit' && <EditTeam team={team} onClose={() => setDialog(undefined)} />}
      {dialog === 'delete' && <DeleteTeam team={team} onClose={() => setDialog(undefined)} />}
    </li>
  );
}

function nameOfTeam({ id, name }: Team): string {
  return name ?? `#${id}`;
}

const MOST_FACES = 5;

function Faces({ ids }: { readonly ids: readonly number[] }) {
  const t = useT();
  const more = ids.length - MOST_FACES;
  if (ids.length === 0) return <span className={table.dim}>{t('teams.noMembers')}</span>;
  return (
    <span className={classes.faces}>
      {ids.slice(0, MOST_FACES).map((id) => (
        <Face key={id} id={id} />
      ))}
      {more > 0 && <span className={table.dim}>{t('teams.more', { count: more })}</span>}
    </span>
  );
}

function Face({ id }: { readonly id: number }) {
  const name = usePersonName(id);
  return (
    <span className={classes.face} role="img" aria-label={name} title={name}>
      <Avatar name={name} />
    </span>
  );
}

interface OfTeam {
  readonly team: Team;
  readonly onClose: () => void;
}

function EditTeam({ team, onClose }: OfTeam) {
  const t = useT();
  const change = useChangeTeam(team.id);
  return (
    <TeamDialog
      title={t('teams.editTitle', { name: nameOfTeam(team) })}
      action={t('teams.save')}
      done={t('teams.saved')}
      team={team}
      change={change}
      onClose={onClose}
    />
  );
}

function DeleteTeam({ team, onClose }: OfTeam) {
  const t = useT();
  const { mutateAsync, error, isPending } = useDeleteTeam(team.id);
  // The row of the team is gone by then, with this dialog.
  const remove = () =>
    mutateAsync(undefined).then(
      () => {
        showToast({ text: t('teams.deleted') });
        onClose();
      },
      () => undefined,
    );
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('teams.deleteTitle', { name: nameOfTeam(team) })}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      <p className={table.lead}>{t('teams.deleteText', { count: team.member_ids.length })}</p>
      {error !== null && <Problem error={error} />}
      <DialogButtons beginsWithCancel onClose={onClose}>
        <Button color="red" loading={isPending} onClick={remove}>
          {t('teams.delete')}
        </Button>
      </DialogButtons>
    </Modal>
  );
}
