// The roles and the teams of a person: boxes, saved together.

import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ListedMember } from '@workspace-records/client';
import { type ReactNode, useState } from 'react';
import { Choices } from '../../fields/choices.tsx';
import { rolesQuery, teamsQuery } from '../../lib/members.ts';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { Problem } from '../../ui/problem.tsx';
import { Section } from '../../ui/section.tsx';
import { showToast } from '../../ui/toast.ts';
import { useChangePerson, useChangeTeams } from './api.ts';

interface OfPerson {
  readonly person: ListedMember;
}

export function RolesPart({ person }: OfPerson) {
  const t = useT();
  const session = useSession();
  const { data: roles = [] } = useQuery(rolesQuery(session));
  const change = useChangePerson(person.id);
  return (
    <Section
      title={t('people.roles')}
      text={
        <>
          {t('people.rolesText')}{' '}
          <Link to="/$workspace/settings/roles" params={{ workspace: session.workspace }}>
            {t('people.toRoles')}
          </Link>
        </>
      }
    >
      <Chosen
        label={t('people.roles')}
        offered={roles.map(({ key, name }) => ({ value: key, label: name }))}
        saved={person.roles}
        isSending={change.isPending}
        error={change.error}
        onSave={(keys, done) => change.mutate({ roles: keys }, { onSuccess: done })}
      />
    </Section>
  );
}

export function TeamsPart({ person }: OfPerson) {
  const t = useT();
  const session = useSession();
  const { data: teams = [] } = useQuery(teamsQuery(session));
  const change = useChangeTeams(person.id);
  return (
    <Section title={t('people.teams')} text={t('people.teamsText')}>
      <Chosen
        label={t('people.teams')}
        offered={teams.map(({ id, name }) => ({ value: id, label: name ?? `#${id}` }))}
        saved={person.teams.map(({ id }) => id)}
        isSending={change.isPending}
        error={change.error}
        onSave={(ids, done) => change.mutate(ids, { onSuccess: done })}
        empty={
          <Link to="/$workspace/settings/teams" params={{ workspace: session.workspace }}>
            {t('people.makeTeam')}
          </Link>
        }
      />
    </Section>
  );
}

interface ChosenProps<Value> {
  readonly label: string;
  readonly offered: readonly { readonly value: Value; readonly label: string }[];
  readonly saved: readonly Value[];
  readonly isSending: boolean;
  readonly error: Error | null;
  readonly empty?: ReactNode;
  onSave(values: readonly Value[], done: () => void): void;
}

function Chosen<Value extends string | number>(props: ChosenProps<Value>) {
  const { label, offered, saved, isSending, error, empty, onSave } = props;
  const t = useT();
  // Undefined: as they are saved, whatever is read next.
  const [draft, setDraft] = useState<readonly Value[]>();
  const values = draft ?? saved;
  const isChanged = values.length !== saved.length || values.some((one) => !saved.includes(one));
  const save = () =>
    onSave(values, () => {
      setDraft(undefined);
      showToast({ text: t('people.saved') });
    });
  if (offered.length === 0) return empty;
  return (
    <>
      <Choices
        offered={offered}
        values={values}
        isMany
        label={label}
        onChange={(chosen) => setDraft(chosen as readonly Value[])}
      />
      {error !== null && <Problem error={error} />}
      {isChanged && (
        <Group gap="sm" data-saving>
          <Button loading={isSending} onClick={save}>
            {t('people.save')}
          </Button>
          <Button variant="default" onClick={() => setDraft(undefined)}>
            {t('people.discard')}
          </Button>
        </Group>
      )}
    </>
  );
}
