// The dialog to sign in again, loaded when it is needed for the first time.

import { later } from '../lib/later.tsx';
import { useSignInRequest } from '../lib/sign-in-again.ts';

const Dialog = later(() => import('../features/auth/sign-in-again-dialog.tsx'));

export function SignInAgainHost() {
  const request = useSignInRequest();
  return request === undefined ? null : <Dialog request={request} />;
}
