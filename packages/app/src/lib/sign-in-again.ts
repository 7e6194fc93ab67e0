// A session that has ended, or is too old for a call, while a person works: calls wait here until its person has
// signed in again. features/auth shows the dialog.

import type { RecordsError } from '@workspace-records/client';
import { createStore, useStore } from './store.ts';

export interface SignInRequest {
  /** `fresh`: there is a session, but the call needs one that has just begun. */
  readonly reason: 'ended' | 'fresh';
  /** True: signed in again. */
  answer(isSignedIn: boolean): void;
}

const request = createStore<SignInRequest | undefined>(undefined);
let asked: Promise<boolean> | undefined;

const waiting: (() => void)[] = [];

/** Resolves at the next sign-in here, for any reason. */
export function nextSignIn(): Promise<void> {
  return new Promise((resolve) => waiting.push(resolve));
}

/** One dialog for all calls that were refused; false when it was closed. */
export function askToSignIn(error: RecordsError): Promise<boolean> {
  asked ??= new Promise((resolve) => {
    request.set({
      reason: error.code === 'fresh_sign_in_required' ? 'fresh' : 'ended',
      answer(isSignedIn) {
        asked = undefined;
        request.set(undefined);
        resolve(isSignedIn);
        if (isSignedIn) for (const resume of waiting.splice(0)) resume();
      },
    });
  });
  return asked;
}

export function useSignInRequest(): SignInRequest | undefined {
  return useStore(request);
}
