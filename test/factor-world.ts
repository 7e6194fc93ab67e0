// Signing in with two steps in tests: people with passwords, their codes, and the answers at the host `localhost`, where
// passkeys work.

import { expect } from 'vitest';
import { codeAt } from '../src/model/rights/one-time-code.ts';
import { type AnswerOptions, openAuthenticator } from './authenticator.ts';
import { type Answer, call } from './http-client.ts';
import type { PersonName, World } from './world.ts';

export const PASSWORD = 'a long one of the tests';
export const ORIGIN = 'http://localhost';

export interface Signed {
  readonly cookie: string;
  readonly answer: Answer;
}

export function openFactorWorld(world: World) {
  /** A request as a page at localhost sends it. */
  async function send(
    method: string,
    path: string,
    body?: unknown,
    cookie?: string,
  ): Promise<Answer> {
    const owner = (await world.key('ada')).secret;
    const headers = {
      host: 'localhost',
      'sec-fetch-site': 'same-origin',
      ...(cookie && { cookie }),
    };
    return call(world.port, `/v1${path}`, {
      ...{ method, headers, owner },
      ...(body === undefined ? {} : { body }),
    });
  }

  async function signIn(body: object): Promise<Signed> {
    const answer = await send('POST', '/sessions', body);
    const cookie = String(answer.headers['set-cookie'] ?? '').split(';')[0] ?? '';
    return { answer, cookie };
  }

  const byPassword = (person: string, password = PASSWORD) =>
    signIn({ workspace: 'acme', email: `${person}@acme.example`, password });

  /** The challenge after the right password. */
  async function challenge(
    person: string,
  ): Promise<{ challenge: string; kinds: readonly string[] }> {
    const { answer } = await byPassword(person);
    expect([answer.status, answer.json.error.code]).toEqual([401, 'second_factor_required']);
    return answer.json.error.details;
  }

  return {
    send,
    signIn,
    byPassword,
    challenge,
    async setPassword(person: PersonName): Promise<void> {
      const session = await world.inSession(person);
      expect((await session.put('/me/password', { password: PASSWORD })).status).toBe(200);
    },
    /** Sets up codes in a session; answers the secret and the recovery codes. */
    async setUpCodes(cookie: string) {
      const begun = await send('POST', '/me/second_factor/code', undefined, cookie);
      expect(begun.status, begun.text).toBe(201);
      const { secret, uri, qr_svg } = begun.json.data;
      const confirmed = await send(
        'PUT',
        '/me/second_factor/code',
        { code: codeNow(secret) },
        cookie,
      );
      expect(confirmed.status, confirmed.text).toBe(200);
      const recovery_codes = confirmed.json.data.recovery_codes as readonly string[];
      return { secret: secret as string, uri, qr_svg, recovery_codes };
    },
    /** Adds a passkey in a session, with the user handle that the service has given. */
    async addPasskey(cookie: string, options: Partial<AnswerOptions> = {}) {
      const device = openAuthenticator('localhost');
      const begun = await send('POST', '/me/passkeys/options', undefined, cookie);
      expect(begun.status, begun.text).toBe(201);
      const { challenge: asked, user } = begun.json.data;
      const credential = device.create(asked, { origin: ORIGIN, ...options });
      const body = { challenge: asked, name: 'Phone', credential };
      const added = await send('POST', '/me/passkeys', body, cookie);
      return { device, added, body, userHandle: user.id as string };
    },
    async begin(): Promise<string> {
      return (await send('POST', '/sign_in/passkey', { workspace: 'acme' })).json.data.challenge;
    },
    /** The next code counts although the present one was used. */
    async forgetStep(): Promise<void> {
      await world.database.rows('update workspace_records.second_factors set code_step = 0');
    },
    forgetAttempts: () => world.database.rows('delete from workspace_records.sign_in_attempts'),
  };
}

/** The code of now, or of so many steps later. */
export function codeNow(secret: string, later = 0): string {
  return codeAt(secret, Math.floor(Date.now() / 30_000) + later);
}
