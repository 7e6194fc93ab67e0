// `sign-in-link`, `sessions list` and `sessions end`.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { call } from '../http-client.ts';
import { openWorld, type World } from '../world.ts';
import { type CommandOutput, runCommandHere } from './command-here.ts';

let world: World;

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.close());
beforeEach(() => world.database.rows('delete from workspace_records.sign_in_attempts'));

const run = (...args: readonly string[]): Promise<CommandOutput> =>
  runCommandHere({ ...world.database.environment, PORT: '3456' }, ...args);
const of = (name: string) => ['--workspace', 'acme', '--user', `${name}@acme.example`];

async function signIn(url: string) {
  const body = { token: new URL(url).hash.slice(1) };
  const owner = (await world.key('ada')).secret;
  return call(world.port, '/v1/sessions', { method: 'POST', body, owner });
}

const audited = async () =>
  (
    await world.rows(
      `select source, user_id, subject_type, subject_id, action from _audit
        where subject_type is not null order by transaction desc, id desc limit 1`,
    )
  )[0];

test('a link signs its person in, once', async () => {
  const { code, out } = await run('sign-in-link', ...of('rob'));
  expect(code).toBe(0);
  expect(out).toMatch(/^http:\/\/localhost:3456\/app\/acme\/sign-in#[\w-]{43}\n$/);
  expect(await audited()).toMatchObject({
    ...{ source: 'cli', user_id: null, subject_type: 'sign_in_link', action: 'create' },
  });
  const signedIn = await signIn(out.trim());
  expect(signedIn.json.data.user.id).toBe(world.users.rob);
  expect((await signIn(out.trim())).status).toBe(401);
});

test('the operator removes the second factor of a person', async () => {
  const factors = () => world.database.rows('select user_id from workspace_records.second_factors');
  await world.database.rows(
    `insert into workspace_records.second_factors (workspace_id, user_id)
      select id, $1 from workspace_records.workspaces where slug = 'acme'`,
    [world.users.rob],
  );
  await run('sign-in-link', ...of('rob'));
  expect(await factors()).toHaveLength(1);
  await run('sign-in-link', ...of('rob'), '--reset-second-factor');
  expect(await factors()).toEqual([]);
  expect(await audited()).toMatchObject({
    ...{ subject_type: 'second_factor', subject_id: String(world.users.rob), action: 'reset' },
  });
});

test('the address is that of the application', async () => {
  const { out } = await run('sign-in-link', ...of('rob'), '--origin', 'https://crm.example.com/x');
  expect(out).toMatch(/^https:\/\/crm\.example\.com\/app\/acme\/sign-in#/);
  const wrong = await run('sign-in-link', ...of('rob'), '--origin', 'crm.example.com');
  expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('--origin must be')]);
  const json = await run('sign-in-link', ...of('rob'), '--json');
  expect(Object.keys(JSON.parse(json.out))).toEqual(['id', 'purpose', 'url', 'expires_at']);
});

test('an invitation is listed and revoked', async () => {
  const made = await run('sign-in-link', ...of('rob'), '--expires-in-hours', '168', '--json');
  const { id, url, purpose, expires_at } = JSON.parse(made.out);
  const days = (Date.parse(expires_at) - Date.now()) / 86_400_000;
  expect([purpose, Math.round(days)]).toEqual(['invitation', 7]);
  const listed = await run('sign-in-link', ...of('rob'), '--list', '--json');
  expect(JSON.parse(listed.out)).toMatchObject([{ id, purpose, expires_at }]);
  expect((await run('sign-in-link', ...of('mia'), '--revoke', id)).err).toContain('no open link');
  expect((await run('sign-in-link', ...of('rob'), '--revoke', 'x')).err).toContain('no open link');
  expect((await run('sign-in-link', ...of('rob'), '--revoke', id)).out).toBe(`Revoked ${id}\n`);
  expect((await signIn(url)).status).toBe(401);
  const none = await run('sign-in-link', ...of('rob'), '--list');
  expect(none.out).toBe('There are no open links.\n');
  for (const hours of ['0', '721', 'x', '1.5']) {
    const { code, err } = await run('sign-in-link', ...of('rob'), '--expires-in-hours', hours);
    expect([code, err]).toEqual([1, expect.stringContaining('must be 1 to 720')]);
  }
});

test('there is none for agents, inactive and unknown people', async () => {
  for (const [name, message] of [
    ['bot', 'cannot sign in'],
    ['zed', 'cannot sign in'],
    ['who', 'There is no user'],
  ] as const) {
    const { code, err, out } = await run('sign-in-link', ...of(name));
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(message);
  }
});

test('with --unlink identities at providers are forgotten', async () => {
  await world.database.rows(
    `insert into workspace_records.oidc_identities (workspace_id, issuer, subject, user_id)
      values (1, 'https://id.example', 'a', $1)`,
    [world.users.rob],
  );
  const left = () => world.database.rows('select from workspace_records.oidc_identities');
  await run('sign-in-link', ...of('rob'));
  expect(await left()).toHaveLength(1);
  await run('sign-in-link', ...of('rob'), '--unlink');
  expect(await left()).toHaveLength(0);
  expect(await audited()).toMatchObject({ subject_type: 'user', action: 'unlink' });
});

test('sessions are listed, and end at once', async () => {
  const [mia, rob] = [await world.inSession('mia'), await world.inSession('rob')];
  const listed = await run('sessions', 'list', '--workspace', 'acme');
  expect(listed.out).toContain(mia.sessionId);
  expect(listed.out).toContain('mia@acme.example');
  const mias = await run('sessions', 'list', ...of('mia'), '--json');
  expect(JSON.parse(mias.out)).toMatchObject([{ id: mia.sessionId, method: 'password' }]);
  const ended = await run('sessions', 'end', ...of('mia'));
  expect(ended.out).toBe('Ended 1 sessions of mia@acme.example\n');
  await expect.poll(async () => (await mia.get('/me')).status).toBe(401);
  expect((await rob.get('/me')).status).toBe(200);
  expect(await audited()).toMatchObject({
    source: 'cli',
    subject_id: mia.sessionId,
    action: 'end',
  });
  expect((await run('sessions', 'list', ...of('mia'))).out).toBe('There are no open sessions.\n');
});
