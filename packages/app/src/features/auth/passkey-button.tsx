// Signing in with a passkey alone.

import '../../lib/factor-texts.ts';
import { Alert, Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { isRecordsError } from '@workspace-records/client';
import { plainClientOf } from '../../lib/connection.ts';
import { useT } from '../../lib/messages/index.ts';
import { announcePerson } from '../../lib/other-session.ts';
import { askPasskey, hasPasskeys } from '../../lib/passkeys.ts';

interface PasskeyButtonProps {
  readonly workspace: string;
  readonly onSignedIn: () => void | Promise<void>;
}

export function PasskeyButton({ workspace, onSignedIn }: PasskeyButtonProps) {
  const t = useT();
  const { mutate, isPending, error } = useMutation({
    async mutationFn() {
      const client = plainClientOf();
      const options = await client.secondFactor.beginSignIn(workspace);
      const assertion = await askPasskey(options);
      const { challenge } = options;
      announcePerson(await client.sessions.signIn({ challenge, assertion }));
      await onSignedIn();
    },
  });
  if (!hasPasskeys()) return null;
  return (
    <>
      {error !== null && (
        <Alert color="red" variant="light" role="alert" p="sm">
          {t(isRecordsError(error) ? 'factor.wrong' : 'factor.passkeyFailed')}
        </Alert>
      )}
      <Button variant="default" loading={isPending} onClick={() => mutate()}>
        {t('factor.passkeySignIn')}
      </Button>
    </>
  );
}
