// Signing in by a one-time link: the token is exchanged for a session, then a password may be set.

import { Alert, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { isRecordsError } from '@workspace-records/client';
import { useState } from 'react';
import { plainClientOf } from '../../lib/connection.ts';
import { useT } from '../../lib/messages/index.ts';
import { announcePerson } from '../../lib/other-session.ts';
import { identityQuery } from '../../lib/session.ts';
import { problemText } from '../../ui/problem.tsx';
import { SetPassword } from '../../ui/set-password.tsx';
import { AuthFrame } from './auth-frame.tsx';
import { SecondStep } from './second-step.tsx';

interface LinkSignInProps {
  /** The workspace in the address of the link. */
  readonly workspace: string;
  readonly token: string;
  readonly onDone: (workspace: string) => void;
}

/** An existing session is replaced only on request. */
export function LinkSignIn({ workspace, token, onDone }: LinkSignInProps) {
  const t = useT();
  const [isWanted, setWanted] = useState(false);
  const { data: me, isPending } = useQuery(identityQuery(workspace));
  if (isPending && !isWanted) return <AuthFrame title={t('link.checking')}>{null}</AuthFrame>;
  if (!me || isWanted) return <Exchange {...{ workspace, token, onDone }} />;
  const name = me.user.name ?? me.user.email ?? '';
  return (
    <AuthFrame title={t('link.present')}>
      <p>{t('link.presentText', { name })}</p>
      <Button onClick={() => setWanted(true)}>{t('link.use')}</Button>
      <Button variant="default" onClick={() => onDone(workspace)}>
        {t('link.stay', { name })}
      </Button>
    </AuthFrame>
  );
}

function Exchange({ workspace, token, onDone }: LinkSignInProps) {
  const t = useT();
  // A token is good once: it is never sent a second time, whatever is rendered again.
  const { data, error } = useQuery({
    queryKey: ['link', token],
    queryFn: async () => {
      const signedIn = await plainClientOf().sessions.signIn({ token });
      announcePerson(signedIn);
      return signedIn;
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (isRecordsError(error, 'second_factor_required')) {
    const leave = () => location.assign(location.pathname);
    return (
      <AuthFrame title={t('signIn.title', { workspace })}>
        <SecondStep asked={error} onSignedIn={() => onDone(workspace)} onBack={leave} />
      </AuthFrame>
    );
  }
  if (error !== null) return <Refused error={error} />;
  if (data === undefined) return <AuthFrame title={t('link.checking')}>{null}</AuthFrame>;
  const { slug } = data.workspace;
  return (
    <AuthFrame title={t('link.welcome', { name: data.user.name ?? data.user.email ?? '' })}>
      <p>{t('link.password')}</p>
      <SetPassword
        client={plainClientOf(slug)}
        email={data.user.email ?? ''}
        needsCurrent={false}
        onSet={() => onDone(slug)}
      />
      <Button variant="subtle" onClick={() => onDone(slug)}>
        {t('link.later')}
      </Button>
    </AuthFrame>
  );
}

function Refused({ error }: { readonly error: unknown }) {
  const t = useT();
  const isUsed = isRecordsError(error, 'invalid_credentials');
  return (
    <AuthFrame title={t('link.refused')}>
      <Alert color="red" variant="light" role="alert" p="sm">
        {isUsed ? t('link.expired') : problemText(error, t)}
      </Alert>
      <a href={location.pathname + location.search}>{t('link.otherWay')}</a>
    </AuthFrame>
  );
}
