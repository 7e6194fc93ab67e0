// The roles and the teams of a person who is invited, and the way to a role that does not exist yet.

import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Choices } from '../../fields/choices.tsx';
import { rolesQuery, teamsQuery } from '../../lib/members.ts';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { Icon } from '../../ui/icon.tsx';
import classes from './people.module.css';

export interface RolesChoice {
  readonly roles: readonly string[];
  readonly setRoles: (roles: readonly string[]) => void;
  readonly onNewRole: () => void;
}

interface RolesAndTeamsProps extends RolesChoice {
  readonly teams: readonly number[];
  readonly setTeams: (teams: readonly number[]) => void;
}

export function RolesAndTeams({ teams, setTeams, ...choice }: RolesAndTeamsProps) {
  const t = useT();
  const { data: allTeams = [] } = useQuery(teamsQuery(useSession()));
  return (
    <div className={classes.pair}>
      <Roles {...choice} />
      <div>
        <Text component="div" fw={500} mb="xs">
          {t('people.teams')}
        </Text>
        {allTeams.length === 0 ? (
          <Text c="dimmed" fz="xs" mt="sm">
            {t('people.noTeams')}
          </Text>
        ) : (
          <Choices
            offered={allTeams.map(({ id, name }) => ({ value: id, label: name ?? `#${id}` }))}
            values={teams}
            isMany
            label={t('people.teams')}
            onChange={(ids) => setTeams(ids as readonly number[])}
          />
        )}
      </div>
    </div>
  );
}

function Roles({ roles, setRoles, onNewRole }: RolesChoice) {
  const t = useT();
  const { data: allRoles = [] } = useQuery(rolesQuery(useSession()));
  return (
    <div>
      <Text component="div" fw={500} mb="xs">
        {t('people.roles')}
      </Text>
      <Choices
        offered={allRoles.map(({ key, name }) => ({ value: key, label: name }))}
        values={roles}
        isMany
        label={t('people.roles')}
        onChange={(keys) => setRoles(keys as readonly string[])}
      />
      {roles.length === 0 && (
        <Text c="dimmed" fz="xs" mt="sm">
          {t('people.withoutRole')}
        </Text>
      )}
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<Icon name="plus" size={14} />}
        onClick={onNewRole}
      >
        {t('people.newRole')}
      </Button>
    </div>
  );
}
