// The named world with OAuth, and a program that goes the way from its registration to tokens.

import { hash } from 'node:crypto';
import { guardKey } from './access/canary.ts';
import { call, type Answer as HttpAnswer } from './http-client.ts';
import { ALLOWED } from './webhook-world.ts';
import {
  ACME_CANARY,
  openWorld,
  type PersonName,
  type SessionClient,
  type World,
} from './world.ts';

export const REDIRECT = 'https://agent.example/callback';
export const VERIFIER = 'v'.repeat(43);

export interface OauthWorld extends World {
  readonly origin: string;
  /** The id of a program that has registered itself. */
  register(metadata?: object): Promise<string>;
  /** The query string of a request; undefined leaves a parameter out. */
  queryOf(client: string, others?: Readonly<Record<string, string | undefined>>): string;
  /** The consent of a person; the address that leads back to the program. */
  consent(person: SessionClient, query: string, choice?: object): Promise<URL>;
  /** A form at `/oauth/…`, with these headers. */
  form(
    path: string,
    fields: Readonly<Record<string, string>>,
    headers?: object,
  ): Promise<HttpAnswer>;
  /** Tokens for a code. */
  exchange(code: string, client: string, others?: object): Promise<HttpAnswer>;
  /** All of it: the tokens of a new grant. */
  connect(person?: PersonName, choice?: object): Promise<Connected>;
}

export interface Connected {
  readonly client: string;
  readonly access: string;
  readonly refresh: string;
}

export async function openOauthWorld(settings: object = {}): Promise<OauthWorld> {
  const world = await openWorld({ OAUTH: 'on', ...ALLOWED, ...settings });
  const origin = `http://127.0.0.1:${world.port}`;

  async function form(path: string, fields: object, headers: object = {}) {
    const answer = await call(world.port, path, {
      method: 'POST',
      body: new URLSearchParams(Object.entries(fields)).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    });
    if (answer.json?.access_token) guardKey(answer.json.access_token, ACME_CANARY);
    return answer;
  }

  const self: OauthWorld = {
    ...world,
    origin,
    form,
    async register(metadata = {}) {
      // Of a new address each time: an address has ten registrations in 15 minutes.
      await world.database.rows('delete from workspace_records.sign_in_attempts');
      const body = { client_name: 'Agent', redirect_uris: [REDIRECT], ...metadata };
      const { json } = await call(world.port, '/oauth/register', { method: 'POST', body });
      return json.client_id;
    },
    queryOf(client, others = {}) {
      const parameters = {
        ...{ response_type: 'code', client_id: client, redirect_uri: REDIRECT, state: 's' },
        ...{ code_challenge: hash('sha256', VERIFIER, 'base64url'), code_challenge_method: 'S256' },
        ...others,
      };
      const sent = Object.entries(parameters).filter(([, value]) => value !== undefined);
      return new URLSearchParams(sent as [string, string][]).toString();
    },
    async consent(person, query, choice = {}) {
      const seen = await person.post('/oauth/authorizations', { query });
      const { digest } = seen.body.data;
      const given = await person.post('/oauth/grants', { query, digest, ...choice });
      if (given.status !== 201) throw new Error(JSON.stringify(given.body));
      return new URL(given.body.data.url);
    },
    exchange: (code, client, others = {}) =>
      form('/oauth/token', {
        ...{ grant_type: 'authorization_code', code, client_id: client },
        ...{ redirect_uri: REDIRECT, code_verifier: VERIFIER, ...others },
      }),
    async connect(person = 'rob', choice = {}) {
      const client = await self.register();
      const back = await self.consent(await world.inSession(person), self.queryOf(client), choice);
      const { json } = await self.exchange(back.searchParams.get('code') ?? '', client);
      return { client, access: json.access_token, refresh: json.refresh_token };
    },
  };
  return self;
}
