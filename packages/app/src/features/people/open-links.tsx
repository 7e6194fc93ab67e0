// The invitations and links to sign in with that a person has not used: by whom, until when, and their end.

import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AuditEntry, ListedMember } from '@workspace-records/client';
import { useFormats } from '../../lib/format.ts';
import { nameOfMember } from '../../lib/members.ts';
import { useT } from '../../lib/messages/index.ts';
import { usePersonName } from '../../lib/person-names.ts';
import { useSession } from '../../lib/session.ts';
import { problemText } from '../../ui/problem.tsx';
import table from '../../ui/settings-table.module.css';
import { showToast } from '../../ui/toast.ts';
import { openLinksQuery, useRevokeLink } from './api.ts';
import classes from './people.module.css';

export function OpenLinks({ person }: { readonly person: ListedMember }) {
  const t = useT();
  const { moment } = useFormats();
  const { data: links = [] } = useQuery(openLinksQuery(useSession(), person.id));
  const { mutate, isPending, variables } = useRevokeLink(person.id);
  if (links.length === 0) return null;
  const revoke = (id: string) =>
    mutate(id, {
      onSuccess: () => showToast({ text: t('people.linkRevoked') }),
      onError: (error) => showToast({ text: problemText(error, t), isProblem: true }),
    });
  return (
    <table
      className={`${table.table} ${classes.links}`}
      aria-label={t('people.openLinks', { name: nameOfMember(person) })}
    >
      <thead>
        <tr>
          <th scope="col">{t('people.openLink')}</th>
          <th scope="col">{t('people.linkBy')}</th>
          <th scope="col">{t('people.linkUntil')}</th>
          <th aria-label={t('people.revokeLink')} />
        </tr>
      </thead>
      <tbody>
        {links.map(({ id, purpose, expires_at, creation }) => (
          <tr key={id}>
            <td>{t(purpose === 'invitation' ? 'people.invitation' : 'people.signInLink')}</td>
            <td>
              <Maker creation={creation} />
            </td>
            <td>{moment(expires_at)}</td>
            <td className={table.tight}>
              <Button
                variant="default"
                size="compact-sm"
                loading={isPending && variables === id}
                onClick={() => revoke(id)}
              >
                {t('people.revokeLink')}
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A command of the server and a mail that the person requested have no user. */
function Maker({ creation }: { readonly creation: AuditEntry | undefined }) {
  const t = useT();
  if (creation?.user != null) return <PersonName {...creation.user} />;
  if (creation === undefined) return '–';
  return t(creation.source === 'cli' ? 'audit.operator' : 'audit.service');
}

function PersonName({ id, email }: { readonly id: number; readonly email: string | null }) {
  return usePersonName(id, email);
}
