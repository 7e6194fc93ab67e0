// OAuth for programs of others: what a person is asked, their consent, and the clients of the workspace. Grants are keys.

import type { CallOptions, Send } from './request.ts';
import type { Authorization, Endpoints, OauthClient } from './schema.ts';

type Body<Name extends keyof Endpoints> = Endpoints[Name]['body'];

export interface Oauth {
  /** The request of a client, from the query string with which it has sent the browser; for sessions. */
  read(query: string, options?: CallOptions): Promise<Authorization>;
  /** Agree, in a fresh session; the address to which the browser goes. */
  grant(consent: Body<'createGrant'>, options?: CallOptions): Promise<string>;
  clients(options?: CallOptions): Promise<OauthClient[]>;
  /** Switch a client off, which ends its grants, or on again. */
  switch(change: Body<'switchOauthClient'>, options?: CallOptions): Promise<void>;
  /** Enter a client; its secret is in this answer and nowhere else. */
  enter(
    client: Body<'createOauthClient'>,
    options?: CallOptions,
  ): Promise<Endpoints['createOauthClient']['result']['data']>;
}

export function oauthOf(send: Send): Oauth {
  return {
    read: async (query, options) =>
      (await send('readAuthorization', { body: { query } }, options)).data,
    grant: async (body, options) =>
      (await send('createGrant', { body, once: true }, options)).data.url,
    clients: async (options) => (await send('listOauthClients', {}, options)).data,
    async switch(body, options) {
      await send('switchOauthClient', { body }, options);
    },
    enter: async (body, options) =>
      (await send('createOauthClient', { body, once: true }, options)).data,
  };
}
