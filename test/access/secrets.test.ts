// Secrets for signing in are nowhere in the database, and no key can make one.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROUTES } from '../../src/api/index.ts';
import { call } from '../http-client.ts';
import { openWorld, type SessionClient, type World } from '../world.ts';

const PASSWORD = 'only in my head, nowhere else';
const SOURCE = join(import.meta.dirname, '..', '..', 'src');

let world: World;
let ada: SessionClient;

beforeAll(async () => {
  world = await openWorld({ OAUTH: 'on' });
  ada = await world.inSession('ada');
});
afterAll(() => world?.close());

/** Everything in the tables of all schemas, as text. */
async function dump(): Promise<string> {
  const tables = await world.database.rows(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await world.database.rows(`select t::text as row from ${name} t`);
    texts.push(...rows.map(({ row }) => String(row)));
  }
  return texts.join('\n');
}

test('tokens and passwords are stored in no form that can be used', async () => {
  await ada.put('/me/password', { password: PASSWORD });
  const link = await ada.post(`/users/${world.users.rob}/sign_in_links`, undefined);
  const form = { workspace: 'acme', email: 'ada@acme.example', password: PASSWORD };
  const signedIn = await call(world.port, '/v1/sessions', {
    ...{ method: 'POST', body: form, owner: ada.secret },
  });
  const cookie = /=([\w-]{43});/.exec(String(signedIn.headers['set-cookie']))?.[1];
  const secrets = [
    ...[PASSWORD, ada.secret, String(cookie)],
    new URL(link.body.data.url).hash.slice(1),
  ];
  const text = await dump();
  expect(text).toContain('sign_in_by_password');
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(20);
    for (const form of ['utf8', 'hex', 'base64', 'base64url'] as const) {
      expect(text).not.toContain(Buffer.from(secret).toString(form));
    }
    // The random bits themselves.
    expect(text).not.toContain(Buffer.from(secret, 'base64url').toString('hex'));
  }
});

test('no key makes a session, a link or a password', async () => {
  const counts = () =>
    world.database.rows(`select (select count(*) from workspace_records.sessions) as sessions,
      (select count(*) from workspace_records.sign_in_links) as links,
      (select sum(hashtextextended(p::text, 0)) from workspace_records.passwords p) as passwords`);
  const before = await counts();
  const reserved = ROUTES.filter(({ sessionOnly }) => sessionOnly === true);
  expect(reserved.map(({ operationId }) => operationId)).toEqual(
    expect.arrayContaining([
      'setPassword',
      'createSignInLink',
      'listSignInLinks',
      'revokeSignInLink',
      'endSession',
      'listSessions',
    ]),
  );
  for (const person of ['ada', 'bot']) {
    const { secret } = await world.key(person);
    for (const { method, path } of reserved) {
      const place = `/v1${path.replace('{user_id}', String(world.users.rob)).replace(/\{(?:session|link|passkey)_id\}/, ada.sessionId)}`;
      const body = path.endsWith('password') ? { password: 'a new one of a key' } : undefined;
      const { status, json } = await call(world.port, place, { method, key: secret, body });
      expect([status, json.error.code], path).toEqual([403, 'permission_denied']);
    }
    const { headers } = await call(world.port, '/v1/sessions', {
      ...{ method: 'POST', key: secret, body: { token: 'x'.repeat(43) } },
    });
    expect(headers['set-cookie']).toBeUndefined();
  }
  expect(await counts()).toEqual(before);
});

test('there is one place where each of them is made', () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const callersOf = (name: string) =>
    files
      .filter((file) =>
        new RegExp(`(?:await|return) ${name}\\(`).test(readFileSync(join(SOURCE, file), 'utf8')),
      )
      .map((file) => file.replaceAll('\\', '/'))
      .sort();
  expect(callersOf('appendSession')).toEqual(['flow/people/open-session.ts']);
  expect(callersOf('appendLink')).toEqual(['flow/people/make-sign-in-link.ts']);
  expect(callersOf('putPassword')).toEqual([
    'flow/people/password-change.ts',
    'flow/people/sign-in.ts',
  ]);
  expect(callersOf('makeSignInLink')).toEqual([
    'api/jobs/workspace-creation-routes.ts',
    'api/people/sign-in-link-routes.ts',
    'cli/commands/sign-in-link.ts',
    'cli/service/demo.ts',
    'flow/mail/mail-content.ts',
  ]);
});
