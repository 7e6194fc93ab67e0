// The dialog to sign in again, loaded when it is needed for the first time.

import { lazy, Suspense } from 'react';
import { useSignInRequest } from '../lib/sign-in-again.ts';

const Dialog = lazy(() => import('../features/auth/sign-in-again-dialog.tsx'));

export function SignInAgainHost() {
  const request = useSignInRequest();
  if (request === undefined) return null;
  return (
    <Suspense>
      <Dialog request={request} />
    </Suspense>
  );
}
