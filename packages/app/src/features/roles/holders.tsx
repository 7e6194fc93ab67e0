// The people with a role: the first of them, and a link to all.

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Role } from '@workspace-records/client';
import { nameOfMember, someMembersQuery } from '../../lib/members.ts';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { PersonLine } from '../../ui/person-line.tsx';
import table from '../../ui/settings-table.module.css';
import classes from './roles.module.css';

const SHOWN = 12;

export function Holders({ role: { key, people } }: { readonly role: Role }) {
  const t = useT();
  const session = useSession();
  const { workspace } = session;
  const { data: members = [] } = useQuery(someMembersQuery(session, { role: key }, SHOWN));
  if (people === 0) return <p className={classes.hint}>{t('roles.nobody')}</p>;
  return (
    <>
      <ul className={classes.holders}>
        {members.map((person) => (
          <li key={person.id}>
            <PersonLine
              name={nameOfMember(person)}
              isAgent={person.kind === 'agent'}
              isFaded={!person.active}
            >
              <Link
                to="/$workspace/settings/people/$id"
                params={{ workspace, id: String(person.id) }}
                className={table.link}
              >
                {nameOfMember(person)}
              </Link>
            </PersonLine>
          </li>
        ))}
      </ul>
      {(people ?? 0) > SHOWN && (
        <Link
          to="/$workspace/settings/people"
          params={{ workspace }}
          search={{ role: key, kind: 'all', state: 'all' }}
        >
          {t('roles.allHolders', { count: people ?? 0 })}
        </Link>
      )}
    </>
  );
}
