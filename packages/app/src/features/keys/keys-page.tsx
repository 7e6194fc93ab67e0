// Developer settings: the keys of the person, and for administrators those of agents and of other people.

import '../../lib/agent-texts.ts';
import { Box, Button, Group, Modal, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { Key } from '@workspace-records/client';
import { useState } from 'react';
import { MemberChoice } from '../../fields/member-choice.tsx';
import { useFormats } from '../../lib/format.ts';
import { type Translate, useT } from '../../lib/messages/index.ts';
import { accessQuery } from '../../lib/schema-queries.ts';
import type { SearchParams } from '../../lib/search-params.ts';
import { useSession } from '../../lib/session.ts';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ForDevelopers } from '../../ui/for-developers.tsx';
import framed from '../../ui/framed-rows.module.css';
import { problemText } from '../../ui/problem.tsx';
import { SettingsFrame } from '../../ui/settings-frame.tsx';
import { showToast } from '../../ui/toast.ts';
import { keysQuery, type Owner, useRevokeKey } from './api.ts';
import { ConnectAgentDialog } from './connect-agent-dialog.tsx';
import classes from './keys-page.module.css';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { ProgramsDialog } from './programs-dialog.tsx';

export default function KeysPage() {
  const t = useT();
  return (
    <ForDevelopers title={t('keys.title')}>
      <Keys />
    </ForDevelopers>
  );
}

function Keys() {
  const t = useT();
  const session = useSession();
  const owner = useOwner();
  const { data: keys } = useSuspenseQuery(keysQuery(session, owner));
  const [opened, setOpened] = useState<Opened>();
  const [revoked, setRevoked] = useState<Key>();
  const make = owner !== 'all' && (
    <Group gap="sm">
      <Button variant="default" onClick={() => setOpened('agent')}>
        {t('agent.connect')}
      </Button>
      <Button onClick={() => setOpened('key')}>{t('keys.new')}</Button>
    </Group>
  );
  const isOwn = owner === session.me.user.id;
  return (
    <SettingsFrame title={t('keys.title')} actions={keys.length > 0 && make}>
      <OwnerChoice owner={owner} />
      {keys.length === 0 ? (
        <EmptyState
          title={t('keys.none')}
          text={isOwn ? t('keys.noneText') : t('keys.noneOfOther')}
          action={make}
        />
      ) : (
        <>
          <Text c="dimmed" mb="lg">
            {t(isOwn ? 'keys.text' : 'keys.textOfOther')}
          </Text>
          <ul className={framed.rows}>
            {keys.map((key) => (
              <KeyRow
                key={key.id}
                apiKey={key}
                hasOwner={owner === 'all'}
                onRevoke={() => setRevoked(key)}
              />
            ))}
          </ul>
        </>
      )}
      {owner !== 'all' && (
        <Dialogs owner={owner} opened={opened} onClose={() => setOpened(undefined)} />
      )}
      <RevokeDialog apiKey={revoked} onClose={() => setRevoked(undefined)} />
    </SettingsFrame>
  );
}

type Opened = 'key' | 'agent';

interface DialogsProps {
  readonly owner: number;
  readonly opened: Opened | undefined;
  readonly onClose: () => void;
}

/** The dialogs, which stay while the first key changes the page around them. */
function Dialogs({ owner, opened, onClose }: DialogsProps) {
  return (
    <>
      <NewKeyDialog owner={owner} isOpen={opened === 'key'} onClose={onClose} />
      <ConnectAgentDialog owner={owner} isOpen={opened === 'agent'} onClose={onClose} />
    </>
  );
}

/** The owner in the address: the person; for administrators also another person or all. */
function useOwner(): Owner {
  const session = useSession();
  const { user = '' } = useSearch({ strict: false }) as SearchParams;
  const { data: access } = useSuspenseQuery(accessQuery(session));
  if (!access.administrator.allowed) return session.me.user.id;
  if (user === 'all') return user;
  return /^[1-9]\d{0,8}$/.test(user) ? Number(user) : session.me.user.id;
}

/** Administrators choose a person or an agent; without a choice the keys are those of everybody. */
function OwnerChoice({ owner }: { readonly owner: Owner }) {
  const t = useT();
  const navigate = useNavigate();
  const session = useSession();
  const { data: access } = useSuspenseQuery(accessQuery(session));
  const [isOpen, setOpen] = useState(false);
  if (!access.administrator.allowed) return null;
  const show = (user: string | undefined) =>
    void navigate({ to: '.', search: user === undefined ? {} : { user } });
  return (
    <Group gap="sm" mb="lg">
      <MemberChoice
        label={t('keys.owner')}
        placeholder={t('keys.everybody')}
        value={owner === 'all' ? undefined : owner}
        filter={ACTIVE}
        onChange={(id) => show(id === session.me.user.id ? undefined : String(id))}
      />
      {owner !== 'all' && (
        <Button variant="default" onClick={() => show('all')}>
          {t('keys.everybody')}
        </Button>
      )}
      <Button variant="default" onClick={() => setOpen(true)}>
        {t('programs.title')}
      </Button>
      <ProgramsDialog isOpen={isOpen} onClose={() => setOpen(false)} />
    </Group>
  );
}

const ACTIVE = { active: true } as const;

interface KeyRowProps {
  readonly apiKey: Key;
  /** True: keys of several users are listed. */
  readonly hasOwner: boolean;
  readonly onRevoke: () => void;
}

function KeyRow({ apiKey, hasOwner, onRevoke }: KeyRowProps) {
  const t = useT();
  const { ago, moment, number } = useFormats();
  const { name, prefix, scopes, last_used_at, expires_at, requests_per_minute } = apiKey;
  const { client_id, view_id } = apiKey;
  const facts = [
    ...(view_id === undefined ? [] : [t('keys.ofFeed')]),
    ...(client_id === undefined ? [] : [programText(client_id, t)]),
    last_used_at === null ? t('keys.neverUsed') : t('keys.used', { ago: ago(last_used_at) }),
    expires_at === null ? t('keys.noEnd') : t('keys.ends', { moment: moment(expires_at) }),
    ...(requests_per_minute === null
      ? []
      : [t('keys.rateOf', { rate: number(requests_per_minute) })]),
  ];
  return (
    <li className={framed.row}>
      <Box miw={0} flex={1}>
        <div className={classes.name}>
          {name} <code className={classes.prefix}>{prefix}…</code>
        </div>
        <div className={classes.small}>{facts.join(' · ')}</div>
        <div className={classes.small}>{scopes.join(', ')}</div>
        {hasOwner && <OwnerOf apiKey={apiKey} />}
      </Box>
      <Button variant="default" onClick={onRevoke} aria-label={t('keys.revokeNamed', { name })}>
        {t('keys.revoke')}
      </Button>
    </li>
  );
}

/** The id of a program is an address, or says nothing to people. */
function programText(clientId: string, t: Translate): string {
  if (!URL.canParse(clientId)) return t('keys.ofSomeProgram');
  return t('keys.ofProgram', { client: new URL(clientId).host });
}

function OwnerOf({ apiKey: { user } }: Pick<KeyRowProps, 'apiKey'>) {
  const t = useT();
  const { workspace } = useSession();
  if (user === null) return null;
  const name = user.name ?? user.email ?? `#${user.id}`;
  return (
    <div className={classes.small}>
      {t(user.kind === 'agent' ? 'keys.ofAgent' : 'keys.ofPerson')}{' '}
      <Link to="/$workspace/settings/people/$id" params={{ workspace, id: String(user.id) }}>
        {name}
      </Link>
    </div>
  );
}

interface RevokeDialogProps {
  readonly apiKey: Key | undefined;
  readonly onClose: () => void;
}

function RevokeDialog({ apiKey, onClose }: RevokeDialogProps) {
  const t = useT();
  const { mutate, isPending } = useRevokeKey();
  const name = apiKey?.name ?? '';
  const revoke = () => {
    if (apiKey === undefined) return;
    mutate(apiKey.id, {
      onSuccess: () => showToast({ text: t('keys.revoked', { name }) }),
      onError: (error) => showToast({ text: problemText(error, t), isProblem: true }),
      onSettled: onClose,
    });
  };
  return (
    <Modal
      opened={apiKey !== undefined}
      onClose={onClose}
      title={t('keys.revokeTitle', { name })}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      <Text c="dimmed" mb="lg">
        {t('keys.revokeText')}
      </Text>
      <DialogButtons beginsWithCancel onClose={onClose}>
        <Button color="red" loading={isPending} onClick={revoke}>
          {t('keys.revoke')}
        </Button>
      </DialogButtons>
    </Modal>
  );
}
