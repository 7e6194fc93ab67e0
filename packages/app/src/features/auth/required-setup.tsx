// The set-up that a role requires: for a session that can do nothing else. A session that has ended, or from before the
// role required it, needs another sign-in first.

import '../../lib/factor-texts.ts';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { plainClientOf } from '../../lib/connection.ts';
import { useT } from '../../lib/messages/index.ts';
import { SecondFactor } from '../../ui/second-factor.tsx';
import { AuthFrame } from './auth-frame.tsx';
import { PasswordForm } from './password-form.tsx';

interface RequiredSetupProps {
  readonly workspace: string;
  readonly onDone: () => void | Promise<void>;
}

export function RequiredSetup({ workspace, onDone }: RequiredSetupProps) {
  const t = useT();
  const [isLate, setLate] = useState(false);
  const [client] = useState(() => plainClientOf(workspace, () => setLate(true)));
  const continueSetup = async () => {
    await onDone();
    setLate(false);
  };
  return (
    <AuthFrame title={t('factor.requiredTitle')}>
      <p>{t('factor.requiredText')}</p>
      {isLate ? (
        <PasswordForm workspace={workspace} onSignedIn={continueSetup} />
      ) : (
        <SecondFactor workspace={workspace} client={client} onSetUp={() => void onDone()} />
      )}
      <Button
        variant="subtle"
        onClick={async () => {
          // A session that has ended needs no end.
          await client.sessions.signOut().catch(() => undefined);
          location.reload();
        }}
      >
        {t('factor.back')}
      </Button>
    </AuthFrame>
  );
}
