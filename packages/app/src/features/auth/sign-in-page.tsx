// The page to sign in at a workspace: by password, by an identity provider, or by a one-time link, whose token is the
// fragment of the address.

import { useQuery } from '@tanstack/react-query';
import { useParams, useRouter, useSearch } from '@tanstack/react-router';
import type { Endpoints } from '@workspace-records/client';
import { useEffect, useState } from 'react';
import { isPathOf } from '../../lib/application-path.ts';
import { plainClientOf } from '../../lib/connection.ts';
import { useT } from '../../lib/messages/index.ts';
import { queryClient } from '../../lib/query-client.ts';
import { identityQuery } from '../../lib/session.ts';
import { AuthFrame } from './auth-frame.tsx';
import { LinkSignIn } from './link-sign-in.tsx';
import { MailedLink } from './mailed-link.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { PasswordForm } from './password-form.tsx';
import { Providers } from './providers.tsx';
import { Refusal } from './refusal.tsx';
import { RequiredSetup } from './required-setup.tsx';

export type Methods = Endpoints['listSignInMethods']['result']['data'];

export default function SignInPage() {
  const t = useT();
  const { workspace } = useParams({ from: '/$workspace/sign-in' });
  const token = useToken();
  const wanted = useWanted(workspace);
  const [isLimited, setLimited] = useState(false);
  const openNextPage = useNextPage(workspace, wanted, () => setLimited(true));
  const { data: methods } = useQuery({
    queryKey: ['methods', workspace],
    queryFn: ({ signal }) => plainClientOf().sessions.methods(workspace, { signal }),
  });
  const { data: me } = useQuery(identityQuery(workspace));
  if ((token === undefined || isLimited) && me?.set_up !== undefined) {
    return <RequiredSetup workspace={workspace} onDone={openNextPage} />;
  }
  if (token !== undefined) {
    return <LinkSignIn key={token} workspace={workspace} token={token} onDone={openNextPage} />;
  }
  return (
    <AuthFrame title={t('signIn.title', { workspace })}>
      <Refusal />
      {methods?.sessions === false && <p>{t('signIn.insecure')}</p>}
      <PasswordForm workspace={workspace} onSignedIn={openNextPage} />
      <Providers methods={methods} to={wanted} />
      {methods?.passkeys === true && (
        <PasskeyButton workspace={workspace} onSignedIn={openNextPage} />
      )}
      {methods?.mail === true && <MailedLink workspace={workspace} />}
      {methods?.mail === false && <p>{t('signIn.forgotten')}</p>}
    </AuthFrame>
  );
}

/** The token in the address of the page, or in a link that was opened while the page was there. */
function useToken(): string | undefined {
  const [token, setToken] = useState(takeToken);
  useEffect(() => {
    const take = () => setToken((known) => takeToken() ?? known);
    addEventListener('hashchange', take);
    return () => removeEventListener('hashchange', take);
  }, []);
  return token;
}

/** Removed from the address at once: it must not stay in the history, or in a copied address. */
function takeToken(): string | undefined {
  const token = location.hash.slice(1);
  if (token === '') return undefined;
  history.replaceState(history.state, '', location.pathname + location.search);
  return token;
}

/** The page that the person requested, within this workspace. */
function useWanted(workspace: string): string | undefined {
  const { to } = useSearch({ from: '/$workspace/sign-in' });
  return to !== undefined && isPathOf(workspace, to) ? to : undefined;
}

/** A link may be one of another workspace. */
function useNextPage(
  workspace: string,
  wanted: string | undefined,
  onLimited: () => void,
): (slug?: string) => Promise<void> {
  const router = useRouter();
  return async (slug = workspace) => {
    queryClient.removeQueries({ queryKey: [slug] });
    const me = await queryClient.ensureQueryData(identityQuery(slug));
    // The session can only set up a second factor, which this page does.
    if (me?.set_up !== undefined) return onLimited();
    if (wanted !== undefined && slug === workspace) router.history.push(`/app${wanted}`);
    else await router.navigate({ to: '/$workspace', params: { workspace: slug } });
  };
}
