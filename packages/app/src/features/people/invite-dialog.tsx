// A new person with roles and teams, and the link to invite them with; or an agent, for a program.

import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { isRecordsError } from '@workspace-records/client';
import { type FormEvent, useState } from 'react';
import { NewRoleDialog } from '../../editing/roles/new-role-dialog.tsx';
import { errorText, useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { Problem } from '../../ui/problem.tsx';
import table from '../../ui/settings-table.module.css';
import { useInvite } from './api.ts';
import { INVITATION_HOURS, LinkLife } from './link-life.tsx';
import { LinkView } from './link-view.tsx';
import classes from './people.module.css';
import { RolesAndTeams, type RolesChoice } from './roles-and-teams.tsx';

export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useT();
  const { mutate, data: invited, error, isPending } = useInvite();
  const [roles, setRoles] = useState<readonly string[]>([]);
  const [isMakingRole, setMakingRole] = useState(false);
  const title = invited === undefined ? t('people.invite') : t('people.invited', invited);
  return (
    <>
      <Modal
        opened
        closeOnEscape={!isMakingRole}
        trapFocus={!isMakingRole}
        onClose={onClose}
        size={520}
        title={title}
        closeButtonProps={{ 'aria-label': t('again.close') }}
      >
        {invited === undefined ? (
          <InviteForm
            {...{ roles, setRoles, error }}
            isSending={isPending}
            onSend={mutate}
            onNewRole={() => setMakingRole(true)}
          />
        ) : invited.link === undefined ? (
          <AgentMade id={invited.id} onClose={onClose} />
        ) : (
          <LinkView name={invited.name} link={invited.link} onClose={onClose} />
        )}
      </Modal>
      {isMakingRole && (
        <NewRoleDialog
          onCreated={(key) => {
            setRoles([...roles, key]);
            setMakingRole(false);
          }}
          onClose={() => setMakingRole(false)}
        />
      )}
    </>
  );
}

interface InviteFormProps extends RolesChoice {
  readonly isSending: boolean;
  readonly error: unknown;
  readonly onSend: ReturnType<typeof useInvite>['mutate'];
}

type Kind = 'user' | 'agent';

function InviteForm({ isSending, error, onSend, ...choice }: InviteFormProps) {
  const t = useT();
  const [kind, setKind] = useState<Kind>('user');
  const [teams, setTeams] = useState<readonly number[]>([]);
  const [hours, setHours] = useState<number>(INVITATION_HOURS);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? '').trim();
    const title = text('title');
    const email = text('email').toLowerCase();
    const { roles } = choice;
    const person = { email, name: text('name'), kind, roles, title: title === '' ? null : title };
    onSend({ person, teams, expiresInHours: hours });
  };
  const refused = isRecordsError(error) ? error.param : undefined;
  const refusalOf = (param: string) =>
    refused === param && isRecordsError(error) ? errorText(error) : undefined;
  const isElsewhere = error !== null && refused !== 'email' && refused !== 'name';
  return (
    <Stack gap="lg" renderRoot={(props) => <form {...props} onSubmit={submit} />}>
      <KindField kind={kind} onChange={setKind} />
      <div className={classes.pair}>
        <TextInput
          name="name"
          label={t('people.name')}
          maxLength={100}
          required
          withAsterisk={false}
          data-autofocus
          error={refusalOf('name')}
        />
        <TextInput
          name="email"
          type="email"
          label={t('people.email')}
          required
          withAsterisk={false}
          autoComplete="off"
          error={refusalOf('email')}
        />
      </div>
      <div className={classes.pair}>
        <TextInput name="title" label={t('people.jobTitle')} maxLength={100} />
        {kind === 'user' && (
          <LinkLife hours={hours} onChange={(life) => setHours(life ?? INVITATION_HOURS)} />
        )}
      </div>
      <RolesAndTeams {...choice} {...{ teams, setTeams }} />
      {isElsewhere && <Problem error={error} />}
      <Group justify="flex-end" gap="sm" mt={20}>
        <Button type="submit" loading={isSending}>
          {t(kind === 'user' ? 'people.inviteNow' : 'people.addAgent')}
        </Button>
      </Group>
    </Stack>
  );
}

interface KindFieldProps {
  readonly kind: Kind;
  readonly onChange: (kind: Kind) => void;
}

function KindField({ kind, onChange }: KindFieldProps) {
  const t = useT();
  const words = { user: t('people.person'), agent: t('people.agent') };
  return (
    <>
      <fieldset className={classes.kinds} aria-label={t('people.kind')}>
        {(['user', 'agent'] as const).map((one) => (
          <label key={one}>
            <input type="radio" name="kind" checked={kind === one} onChange={() => onChange(one)} />
            {words[one]}
          </label>
        ))}
      </fieldset>
      {kind === 'agent' && (
        <Text c="dimmed" fz="xs" mt="sm">
          {t('people.agentText')}
        </Text>
      )}
    </>
  );
}

/** The next step for an agent is a key. */
function AgentMade({ id, onClose }: { readonly id: number; readonly onClose: () => void }) {
  const t = useT();
  const { workspace } = useSession();
  return (
    <>
      <p className={table.lead}>{t('people.agentMade')}</p>
      <Group justify="flex-end" gap="sm" mt={20}>
        <Button variant="default" onClick={onClose}>
          {t('secret.done')}
        </Button>
        <Button
          data-autofocus
          renderRoot={(props) => (
            <Link
              to="/$workspace/settings/people/$id"
              params={{ workspace, id: String(id) }}
              {...props}
            />
          )}
        >
          {t('people.toAgent')}
        </Button>
      </Group>
    </>
  );
}
