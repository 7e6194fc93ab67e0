// The second factors of the person in a session: one-time codes, recovery codes, passkeys; for the pages of the service.

import type { CallOptions, Send } from './request.ts';
import type { Endpoints } from './schema.ts';

type Data<Name extends keyof Endpoints> = Endpoints[Name]['result'] extends { data: infer Value }
  ? Value
  : never;

export interface SecondFactor {
  get(options?: CallOptions): Promise<Data<'getSecondFactor'>>;
  /** A secret for an authenticator app, which counts once `confirmCodes` has sent a code of it. */
  beginCodes(options?: CallOptions): Promise<Data<'beginCodes'>>;
  /** Answers recovery codes when the person has none. */
  confirmCodes(code: string, options?: CallOptions): Promise<Data<'confirmCodes'>>;
  removeCodes(options?: CallOptions): Promise<void>;
  /** New recovery codes in place of the old ones. */
  makeRecoveryCodes(options?: CallOptions): Promise<Data<'makeRecoveryCodes'>>;
  /** The options for `navigator.credentials.create`. */
  beginPasskey(options?: CallOptions): Promise<Data<'beginPasskey'>>;
  addPasskey(
    passkey: Endpoints['createPasskey']['body'],
    options?: CallOptions,
  ): Promise<Data<'createPasskey'>>;
  removePasskey(id: string, options?: CallOptions): Promise<void>;
  /** Remove the factors of another person, as an administrator. */
  reset(userId: number, options?: CallOptions): Promise<void>;
  /** The options for `navigator.credentials.get`, to sign in with a passkey alone. */
  beginSignIn(workspace: string, options?: CallOptions): Promise<Data<'beginPasskeySignIn'>>;
}

export function secondFactorOf(send: Send): SecondFactor {
  return {
    get: async (options) => (await send('getSecondFactor', {}, options)).data,
    beginCodes: async (options) => (await send('beginCodes', {}, options)).data,
    confirmCodes: async (code, options) =>
      (await send('confirmCodes', { body: { code }, once: true }, options)).data,
    async removeCodes(options) {
      await send('removeCodes', {}, options);
    },
    makeRecoveryCodes: async (options) =>
      (await send('makeRecoveryCodes', { once: true }, options)).data,
    beginPasskey: async (options) => (await send('beginPasskey', {}, options)).data,
    addPasskey: async (body, options) =>
      (await send('createPasskey', { body, once: true }, options)).data,
    async removePasskey(passkey_id, options) {
      await send('deletePasskey', { params: { passkey_id } }, options);
    },
    async reset(user_id, options) {
      await send('resetSecondFactor', { params: { user_id } }, options);
    },
    beginSignIn: async (workspace, options) =>
      (await send('beginPasskeySignIn', { body: { workspace } }, options)).data,
  };
}
