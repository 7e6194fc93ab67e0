// Signing in: the calls of an application whose pages the service itself serves. The session is a cookie, which
// scripts cannot read.

import type { CallOptions, Send } from './request.ts';
import type { Endpoints, ListedSession, SessionIdentity } from './schema.ts';

export interface Sessions {
  /**
   * Signs in by workspace, address and password, by the token of a one-time link, or by a challenge with a second factor.
   */
  signIn(
    form: Endpoints['createSession']['body'],
    options?: CallOptions,
  ): Promise<Endpoints['createSession']['result']['data']>;
  /** Ends the session of this client, or the one with this id. */
  signOut(id?: string, options?: CallOptions): Promise<{ id: string; ended: true }>;
  /** The person who has signed in. */
  me(query?: Endpoints['getMe']['query'], options?: CallOptions): Promise<SessionIdentity>;
  /** The sessions that have not ended: your own, or for an administrator the sessions of a person. */
  list(query?: Endpoints['listSessions']['query'], options?: CallOptions): Promise<ListedSession[]>;
  /** Answers how many other sessions have ended. */
  setPassword(form: Endpoints['setPassword']['body'], options?: CallOptions): Promise<number>;
  /** A one-time link for a person, by an administrator with a recent sign-in. */
  link(
    userId: number,
    options?: LinkOptions,
  ): Promise<Endpoints['createSignInLink']['result']['data']>;
  /** The one-time links of a person that can be used. */
  links(
    userId: number,
    options?: CallOptions,
  ): Promise<Endpoints['listSignInLinks']['result']['data']>;
  revokeLink(userId: number, linkId: string, options?: CallOptions): Promise<void>;
  /** Have a one-time link sent by mail, where the service sends mail. */
  mailLink(form: Endpoints['mailSignInLink']['body'], options?: CallOptions): Promise<void>;
  /** The sign-in methods for a page to sign in. */
  methods(
    workspace: string,
    options?: CallOptions,
  ): Promise<Endpoints['listSignInMethods']['result']['data']>;
}

interface LinkOptions extends CallOptions {
  /** Also send the person an invitation by mail. */
  readonly mail?: boolean;
  /** An invitation is valid for hours, a link to sign in with for 30 minutes. */
  readonly purpose?: 'sign_in' | 'invitation';
  readonly expiresInHours?: number;
}

export function openSessions(send: Send): Sessions {
  return {
    signIn: async (body, options) => (await send('createSession', { body }, options)).data,
    signOut: async (session_id = 'current', options) =>
      (await send('endSession', { params: { session_id } }, options)).data,
    me: async (query = {}, options) =>
      (await send('getMe', { query }, options)).data as SessionIdentity,
    list: async (query = {}, options) => (await send('listSessions', { query }, options)).data,
    setPassword: async (body, options) =>
      (await send('setPassword', { body }, options)).data.ended_sessions,
    async link(user_id, { mail = false, purpose, expiresInHours, ...options } = {}) {
      const query = { mail: mail ? 'true' : 'false' } as const;
      const body = {
        ...(purpose === undefined ? {} : { purpose }),
        ...(expiresInHours === undefined ? {} : { expires_in_hours: expiresInHours }),
      };
      return (await send('createSignInLink', { params: { user_id }, query, body }, options)).data;
    },
    links: async (user_id, options) =>
      (await send('listSignInLinks', { params: { user_id } }, options)).data,
    async revokeLink(user_id, link_id, options) {
      await send('revokeSignInLink', { params: { user_id, link_id } }, options);
    },
    async mailLink(body, options) {
      await send('mailSignInLink', { body }, options);
    },
    methods: async (workspace, options) =>
      (await send('listSignInMethods', { query: { workspace } }, options)).data,
  };
}
