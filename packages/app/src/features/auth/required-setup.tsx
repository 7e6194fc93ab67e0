// The set-up that a role requires: for a session that can do nothing else. Its sign-in may be too long ago for it; then
// the person signs in again.

import '../../lib/factor-texts.ts';
import { Button } from '@mantine/core';
import { clientOf } from '../../lib/connection.ts';
import { useT } from '../../lib/messages/index.ts';
import { SecondFactor } from '../../ui/second-factor.tsx';
import { AuthFrame } from './auth-frame.tsx';
import { PasswordForm } from './password-form.tsx';

interface RequiredSetupProps {
  readonly workspace: string;
  /** True: the sign-in has just been. */
  readonly isFresh: boolean;
  readonly onDone: () => void | Promise<void>;
}

export function RequiredSetup({ workspace, isFresh, onDone }: RequiredSetupProps) {
  const t = useT();
  const client = clientOf(workspace);
  return (
    <AuthFrame title={t('factor.requiredTitle')}>
      <p>{t('factor.requiredText')}</p>
      {isFresh ? (
        <SecondFactor workspace={workspace} client={client} onSetUp={() => void onDone()} />
      ) : (
        <PasswordForm workspace={workspace} onSignedIn={onDone} />
      )}
      <Button
        variant="subtle"
        onClick={async () => {
          await client.sessions.signOut();
          location.reload();
        }}
      >
        {t('factor.back')}
      </Button>
    </AuthFrame>
  );
}
