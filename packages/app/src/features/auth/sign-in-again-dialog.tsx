// Signing in while one works: above the page, which keeps all that was typed; the calls that were refused are made
// again afterwards.

import { Button, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { isRecordsError } from '@workspace-records/client';
import { useState } from 'react';
import { plainClientOf } from '../../lib/connection.ts';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import type { SignInRequest } from '../../lib/sign-in-again.ts';
import { useEdits } from '../../lib/unsaved-edits.ts';
import { PasskeyButton } from './passkey-button.tsx';
import { PasswordForm } from './password-form.tsx';
import { Providers } from './providers.tsx';
import classes from './sign-in-again-dialog.module.css';

export default function SignInAgainDialog({ request }: { readonly request: SignInRequest }) {
  const t = useT();
  return (
    <Modal
      opened
      onClose={() => request.answer(false)}
      title={request.reason === 'fresh' ? t('again.freshTitle') : t('again.endedTitle')}
      closeButtonProps={{ 'aria-label': t('again.close') }}
      zIndex={450}
    >
      <Ways request={request} />
    </Modal>
  );
}

function Ways({ request }: { readonly request: SignInRequest }) {
  const t = useT();
  const { workspace, me } = useSession();
  const unsavedCount = useEdits().get().size;
  const [isStillOut, setStillOut] = useState(false);
  const { data: methods } = useQuery({
    queryKey: ['methods', workspace],
    queryFn: ({ signal }) => plainClientOf().sessions.methods(workspace, { signal }),
  });
  const look = async () => {
    const isIn = await isSignedIn(workspace, me.user.id, request.reason === 'fresh');
    if (isIn) request.answer(true);
    else setStillOut(true);
  };
  return (
    <div className={classes.ways}>
      <p>{request.reason === 'fresh' ? t('again.fresh') : t('again.ended')}</p>
      {request.reason === 'ended' && unsavedCount > 0 && (
        <p>{t('again.kept', { count: unsavedCount })}</p>
      )}
      <PasswordForm
        workspace={workspace}
        email={me.user.email ?? ''}
        onSignedIn={() => request.answer(true)}
      />
      <Providers methods={methods} isElsewhere />
      {methods?.passkeys === true && <PasskeyButton workspace={workspace} onSignedIn={look} />}
      <p>{isStillOut ? t('again.notYet') : t('again.elsewhere')}</p>
      <Button variant="default" onClick={look}>
        {t('again.look')}
      </Button>
    </div>
  );
}

/** Seconds, as the service counts (§2 of its sign-in): a little less, for calls that come after. */
const FRESH = 29 * 60;

/** True when this person has a session again, begun in another tab or window. */
async function isSignedIn(workspace: string, userId: number, isFresh: boolean): Promise<boolean> {
  try {
    const { user, session } = await plainClientOf(workspace).sessions.me();
    const age = (Date.now() - Date.parse(session.created_at)) / 1000;
    return user.id === userId && (!isFresh || age < FRESH);
  } catch (error) {
    if (isRecordsError(error)) return false;
    throw error;
  }
}
