// The people with a role beside its name: the first of them, and a link to all.

import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Role } from '@workspace-records/client';
import { nameOfMember, someMembersQuery } from '../../lib/members.ts';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { Avatar } from '../../ui/avatar.tsx';
import classes from './roles.module.css';

const SHOWN = 5;

export function Holders({ role: { key, people } }: { readonly role: Role }) {
  const t = useT();
  const session = useSession();
  const { workspace } = session;
  const { data: members = [] } = useQuery(someMembersQuery(session, { role: key }, SHOWN));
  if (people === 0) return <span className={classes.hint}>{t('roles.nobody')}</span>;
  return (
    <Group gap={4} wrap="nowrap" role="group" aria-label={t('roles.holders')}>
      {members.map((person) => (
        <Link
          key={person.id}
          to="/$workspace/settings/people/$id"
          params={{ workspace, id: String(person.id) }}
          className={classes.holder}
          aria-label={nameOfMember(person)}
          title={nameOfMember(person)}
        >
          <Avatar name={nameOfMember(person)} />
        </Link>
      ))}
      <Link
        to="/$workspace/settings/people"
        params={{ workspace }}
        search={{ role: key, kind: 'all', state: 'all' }}
        className={classes.hint}
      >
        {t('roles.allHolders', { count: people ?? 0 })}
      </Link>
    </Group>
  );
}
