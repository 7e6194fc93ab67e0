// The roles of the workspace: what each grants in short, and how many people have it.

import { Button, Group, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { Role } from '@workspace-records/client';
import { useState } from 'react';
import { NewRoleDialog } from '../../editing/roles/new-role-dialog.tsx';
import { rolesQuery } from '../../lib/members.ts';
import { type Translate, useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { ForAdministrators } from '../../ui/for-administrators.tsx';
import { SettingsFrame } from '../../ui/settings-frame.tsx';
import table from '../../ui/settings-table.module.css';
import { FLAGS, hasFlag } from './role-draft.ts';
import { FLAG_WORDS } from './role-words.ts';

export default function RolesPage() {
  const t = useT();
  return (
    <ForAdministrators title={t('roles.title')}>
      <Roles />
    </ForAdministrators>
  );
}

function Roles() {
  const t = useT();
  const navigate = useNavigate();
  const session = useSession();
  const { workspace } = session;
  const { data: roles } = useSuspenseQuery(rolesQuery(session));
  const [isMaking, setMaking] = useState(false);
  return (
    <SettingsFrame
      title={t('roles.title')}
      width="broad"
      actions={<Button onClick={() => setMaking(true)}>{t('roles.new')}</Button>}
    >
      <Text c="dimmed" mb="lg" maw="40rem">
        {t('roles.text')}
      </Text>
      <table className={table.table} aria-label={t('roles.title')}>
        <thead>
          <tr>
            <th scope="col">{t('roles.role')}</th>
            <th scope="col" data-wide>
              {t('roles.also')}
            </th>
            <th scope="col" className={table.number}>
              {t('roles.people')}
            </th>
          </tr>
        </thead>
        <tbody>
          {roles.map((role) => (
            <RoleRow key={role.key} role={role} />
          ))}
        </tbody>
      </table>
      {isMaking && (
        <NewRoleDialog
          onCreated={(key) =>
            void navigate({ to: '/$workspace/settings/roles/$key', params: { workspace, key } })
          }
          onClose={() => setMaking(false)}
        />
      )}
    </SettingsFrame>
  );
}

function RoleRow({ role }: { readonly role: Role }) {
  const t = useT();
  const { workspace } = useSession();
  const flags = FLAGS.filter((flag) => flag !== 'administrator' && hasFlag(role, flag));
  return (
    <tr>
      <td>
        <Link
          to="/$workspace/settings/roles/$key"
          params={{ workspace, key: role.key }}
          className={`${table.link} ${table.strong}`}
        >
          {role.name}
        </Link>
        <div className={`${table.dim} ${table.small}`}>{summaryOf(role, t)}</div>
      </td>
      <td data-wide>
        <Group component="span" align="stretch" gap="xs">
          {flags.map((flag) => (
            <span key={flag} className={table.tag}>
              {t(FLAG_WORDS[flag].short)}
            </span>
          ))}
        </Group>
      </td>
      <td className={table.number}>
        <Link
          to="/$workspace/settings/people"
          params={{ workspace }}
          search={{ role: role.key, kind: 'all', state: 'all' }}
          className={table.link}
          aria-label={t('roles.peopleWith', { name: role.name, count: role.people ?? 0 })}
        >
          {role.people}
        </Link>
      </td>
    </tr>
  );
}

function summaryOf({ administrator, objects }: Role, t: Translate): string {
  if (administrator) return t('roles.everything');
  const grants = Object.values(objects);
  const read = grants.filter((grant) => grant.read !== undefined).length;
  const written = grants.filter(
    (grant) => (grant.create ?? grant.update ?? grant.delete) !== undefined,
  ).length;
  return t('roles.summary', { read, written });
}
