// A role as a matrix: objects, actions, reach, and the fields of each object below it. Edits are a draft until they are
// reviewed and saved; a reload keeps it.

import { Button, TextInput } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { Role } from '@workspace-records/client';
import { useState } from 'react';
import { rightsQuery, rolesQuery } from '../../lib/members.ts';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { readDraft, writeDraft } from '../../lib/storage.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ForAdministrators } from '../../ui/for-administrators.tsx';
import { Section } from '../../ui/section.tsx';
import { SettingsFrame } from '../../ui/settings-frame.tsx';
import { DeleteRoleDialog } from './delete-role-dialog.tsx';
import { Flags } from './flags.tsx';
import { Holders } from './holders.tsx';
import { Matrix } from './matrix.tsx';
import { changesOf, draftedValue, type Edits, type Part, withEdit } from './role-draft.ts';
import classes from './roles.module.css';
import { SaveBar } from './save-bar.tsx';

export default function RolePage() {
  const t = useT();
  return (
    <ForAdministrators title={t('roles.title')}>
      <RoleByKey />
    </ForAdministrators>
  );
}

function RoleByKey() {
  const t = useT();
  const { workspace, key } = useParams({ from: '/$workspace/shell/settings/roles/$key' });
  const { data: roles } = useSuspenseQuery(rolesQuery(useSession()));
  const role = roles.find((one) => one.key === key);
  if (role !== undefined) return <OneRole key={key} role={role} />;
  return (
    <SettingsFrame title={t('roles.gone')}>
      <EmptyState
        title={t('roles.goneText')}
        action={
          <Button
            variant="default"
            renderRoot={(props) => (
              <Link to="/$workspace/settings/roles" params={{ workspace }} {...props} />
            )}
          >
            {t('roles.toAll')}
          </Button>
        }
      />
    </SettingsFrame>
  );
}

/** Shown and changed by the parts of the page. */
export interface Editing {
  readonly role: Role;
  readonly edits: Edits;
  readonly onEdit: (values: readonly (readonly [Part, string])[]) => void;
}

function OneRole({ role }: { readonly role: Role }) {
  const t = useT();
  const { workspace } = useSession();
  const { edits, onEdit, discard } = useEdits(role);
  const [isDeleting, setDeleting] = useState(false);
  const editing = { role, edits, onEdit };
  const isAdministrator =
    draftedValue(role, edits, { kind: 'flag', flag: 'administrator' }) === 'yes';
  return (
    <SettingsFrame
      title={role.name}
      beside={<Holders role={role} />}
      above={
        <Link to="/$workspace/settings/roles" params={{ workspace }}>
          {t('roles.title')}
        </Link>
      }
      actions={
        <Button variant="default" onClick={() => setDeleting(true)}>
          {t('roles.deleteRole')}
        </Button>
      }
      width="broad"
    >
      <Section title={t('roles.about')}>
        <TextInput
          className={classes.name}
          label={t('roles.name')}
          value={draftedValue(role, edits, { kind: 'name' })}
          maxLength={100}
          onChange={({ currentTarget }) => onEdit([[{ kind: 'name' }, currentTarget.value]])}
        />
        <Flags {...editing} />
      </Section>
      <Section
        title={t('roles.records')}
        text={t(isAdministrator ? 'roles.everything' : 'roles.recordsText')}
      >
        {!isAdministrator && <Objects {...editing} />}
      </Section>
      {changesOf(role, edits).length > 0 && <SaveBar {...{ role, edits }} onDone={discard} />}
      {isDeleting && <DeleteRoleDialog role={role} onClose={() => setDeleting(false)} />}
    </SettingsFrame>
  );
}

function Objects(editing: Editing) {
  const { data: rights } = useQuery(rightsQuery(useSession()));
  return rights !== undefined && <Matrix {...editing} objects={rights.objects} />;
}

function useEdits(role: Role) {
  const { workspace } = useSession();
  const name = `role ${workspace} ${role.key}`;
  const [edits, setEdits] = useState<Edits>(() => (readDraft(name) ?? {}) as Edits);
  const keep = (next: Edits) => {
    setEdits(next);
    writeDraft(name, Object.keys(next).length === 0 ? undefined : next);
  };
  return {
    edits,
    onEdit: (values: readonly (readonly [Part, string])[]) =>
      keep(values.reduce((all, [part, value]) => withEdit(role, all, part, value), edits)),
    discard: () => keep({}),
  };
}
