// People as a table: who, with which roles, in which teams, and when they last signed in.

import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ListedMember } from '@workspace-records/client';
import { useFormats } from '../../lib/format.ts';
import { nameOfMember, rolesQuery } from '../../lib/members.ts';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { PersonLine } from '../../ui/person-line.tsx';
import { PersonLink } from '../../ui/person-link.tsx';
import table from '../../ui/settings-table.module.css';

interface PeopleTableProps {
  readonly people: readonly ListedMember[];
  readonly isBusy: boolean;
}

export function PeopleTable({ people, isBusy }: PeopleTableProps) {
  const t = useT();
  const { data: roles = [] } = useQuery(rolesQuery(useSession()));
  const names = new Map(roles.map(({ key, name }) => [key, name]));
  return (
    <table
      className={`${table.table} ${table.people}`}
      aria-label={t('people.title')}
      aria-busy={isBusy}
    >
      <thead>
        <tr>
          <th scope="col">{t('people.name')}</th>
          <th scope="col">{t('people.roles')}</th>
          <th scope="col" data-wide>
            {t('people.teams')}
          </th>
          <th scope="col" data-wide className={table.tight}>
            {t('people.lastSignIn')}
          </th>
        </tr>
      </thead>
      <tbody>
        {people.map((person) => (
          <Row key={person.id} person={person} nameOfRole={(key) => names.get(key) ?? key} />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  readonly person: ListedMember;
  readonly nameOfRole: (key: string) => string;
}

function Row({ person, nameOfRole }: RowProps) {
  const { id, email, kind, active, roles, teams } = person;
  const name = nameOfMember(person);
  return (
    <tr>
      <td>
        <PersonLine name={name} below={email} isAgent={kind === 'agent'} isFaded={!active}>
          <PersonLink {...{ id, name }} />
        </PersonLine>
      </td>
      <td>
        <Group component="span" align="stretch" gap="xs">
          {roles.map((key) => (
            <span key={key} className={table.tag}>
              {nameOfRole(key)}
            </span>
          ))}
        </Group>
      </td>
      <td data-wide className={table.dim}>
        {teams.map((team) => team.name ?? `#${team.id}`).join(', ')}
      </td>
      <td data-wide className={`${table.tight} ${table.dim}`}>
        <LastSignIn person={person} />
      </td>
    </tr>
  );
}

function LastSignIn({ person: { active, kind, sign_in } }: Pick<RowProps, 'person'>) {
  const t = useT();
  const { ago, moment } = useFormats();
  if (!active) return t('people.inactive');
  if (kind === 'agent') return t('people.agentSignIn');
  const at = sign_in.last_sign_in_at;
  // A password or an identity is made in a session, so there was one earlier than those that are kept.
  const isKnown = sign_in.password || sign_in.identities.length > 0;
  if (at === null) return t(isKnown ? 'people.longAgo' : 'people.never');
  return (
    <time dateTime={at} title={moment(at)}>
      {ago(at)}
    </time>
  );
}
