// Developer settings: the keys of the person.

import { Button, Modal } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import type { Key } from '@workspace-records/client';
import { useState } from 'react';
import { useFormats } from '../../lib/format.ts';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ForDevelopers } from '../../ui/for-developers.tsx';
import { problemText } from '../../ui/problem.tsx';
import { SettingsFrame } from '../../ui/settings-frame.tsx';
import { showToast } from '../../ui/toast.ts';
import { keysQuery, useRevokeKey } from './api.ts';
import classes from './keys-page.module.css';
import { NewKeyDialog } from './new-key-dialog.tsx';

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
  const { data: keys } = useSuspenseQuery(keysQuery(useSession()));
  const [isMaking, setMaking] = useState(false);
  const [revoked, setRevoked] = useState<Key>();
  const make = <Button onClick={() => setMaking(true)}>{t('keys.new')}</Button>;
  return (
    <SettingsFrame title={t('keys.title')} actions={keys.length > 0 && make}>
      {keys.length === 0 ? (
        <EmptyState title={t('keys.none')} text={t('keys.noneText')} action={make} />
      ) : (
        <>
          <p className={classes.text}>{t('keys.text')}</p>
          <ul className={classes.keys}>
            {keys.map((key) => (
              <KeyRow key={key.id} apiKey={key} onRevoke={() => setRevoked(key)} />
            ))}
          </ul>
        </>
      )}
      <NewKeyDialog isOpen={isMaking} onClose={() => setMaking(false)} />
      <RevokeDialog apiKey={revoked} onClose={() => setRevoked(undefined)} />
    </SettingsFrame>
  );
}

interface KeyRowProps {
  readonly apiKey: Key;
  readonly onRevoke: () => void;
}

function KeyRow({ apiKey, onRevoke }: KeyRowProps) {
  const t = useT();
  const { ago, moment, number } = useFormats();
  const { name, prefix, scopes, last_used_at, expires_at, requests_per_minute } = apiKey;
  const facts = [
    last_used_at === null ? t('keys.neverUsed') : t('keys.used', { ago: ago(last_used_at) }),
    expires_at === null ? t('keys.noEnd') : t('keys.ends', { moment: moment(expires_at) }),
    ...(requests_per_minute === null
      ? []
      : [t('keys.rateOf', { rate: number(requests_per_minute) })]),
  ];
  return (
    <li className={classes.key}>
      <div className={classes.facts}>
        <div className={classes.name}>
          {name} <code className={classes.prefix}>{prefix}…</code>
        </div>
        <div className={classes.small}>{facts.join(' · ')}</div>
        <div className={classes.small}>{scopes.join(', ')}</div>
      </div>
      <Button variant="default" onClick={onRevoke} aria-label={t('keys.revokeNamed', { name })}>
        {t('keys.revoke')}
      </Button>
    </li>
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
      <p className={classes.text}>{t('keys.revokeText')}</p>
      <div className={classes.buttons}>
        <Button variant="default" data-autofocus onClick={onClose}>
          {t('record.cancel')}
        </Button>
        <Button color="red" loading={isPending} onClick={revoke}>
          {t('keys.revoke')}
        </Button>
      </div>
    </Modal>
  );
}
