// The members of a team: each leads to the person and can be removed; others are found by typing.

import { ActionIcon, Group } from '@mantine/core';
import type { Team } from '@workspace-records/client';
import { MemberChoice } from '../../fields/member-choice.tsx';
import { useT } from '../../lib/messages/index.ts';
import { usePersonName } from '../../lib/person-names.ts';
import { Icon } from '../../ui/icon.tsx';
import { PersonLine } from '../../ui/person-line.tsx';
import { PersonLink } from '../../ui/person-link.tsx';
import { Problem } from '../../ui/problem.tsx';
import { useAddMember, useRemoveMember } from './api.ts';
import classes from './teams.module.css';

const ACTIVE = { kind: 'user', active: true } as const;

export function Members({ team }: { readonly team: Team }) {
  const remove = useRemoveMember(team.id);
  return (
    <>
      <ul className={classes.people}>
        {team.member_ids.map((id) => (
          <Member
            key={id}
            id={id}
            isLeaving={remove.isPending && remove.variables === id}
            onRemove={() => remove.mutate(id)}
          />
        ))}
      </ul>
      {remove.error !== null && <Problem error={remove.error} />}
      <AddMember team={team} />
    </>
  );
}

interface MemberProps {
  readonly id: number;
  readonly isLeaving: boolean;
  readonly onRemove: () => void;
}

function Member({ id, isLeaving, onRemove }: MemberProps) {
  const t = useT();
  const name = usePersonName(id);
  return (
    <Group component="li" wrap="nowrap" justify="space-between" gap="sm" p="0.25rem 0" maw="26rem">
      <PersonLine name={name}>
        <PersonLink {...{ id, name }} />
      </PersonLine>
      <ActionIcon aria-label={t('teams.remove', { name })} loading={isLeaving} onClick={onRemove}>
        <Icon name="close" size={12} />
      </ActionIcon>
    </Group>
  );
}

function AddMember({ team }: { readonly team: Team }) {
  const t = useT();
  const { mutate, error } = useAddMember(team.id);
  return (
    <>
      <MemberChoice
        className={classes.add}
        label={t('teams.add')}
        placeholder={t('teams.add')}
        filter={ACTIVE}
        except={team.member_ids}
        onChange={(id) => id !== undefined && mutate(id)}
      />
      {error !== null && <Problem error={error} />}
    </>
  );
}
