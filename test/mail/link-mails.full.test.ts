// Links by mail: the invitation of an administrator, the link that a person asks for on the sign-in page, and the link
// that ends mails. No answer says whether an address exists.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hashOf } from '../../src/model/rights/api-key-form.ts';
import { call } from '../http-client.ts';
import { until } from '../until.ts';
import { openWorld, type World } from '../world.ts';
import { type MailServer, openMailServer, refusal } from './mail-server.ts';
import { forgetMails, MAIL_SETTINGS, type Mailer, openMailer, someLooks } from './mailer.ts';

let world: World;
let server: MailServer;
let mailer: Mailer;
/** Answers to people who sign in have the addresses of the workspace. */
let owner: string | undefined;

beforeAll(async () => {
  // Requests over plain HTTP may name another host than that of this machine.
  world = await openWorld({ ...MAIL_SETTINGS, ALLOW_INSECURE_SESSIONS: 'on' });
  server = await openMailServer();
  mailer = await openMailer(world, server);
  owner = (await world.as('ada')).secret;
});
afterAll(async () => {
  await mailer?.stop();
  await server?.close();
  await world?.close();
});
beforeEach(async () => {
  await forgetMails(world);
  await world.database.rows('delete from workspace_records.sign_in_attempts');
  server.mails.length = 0;
});

const open = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  call(world.port, `/v1${path}`, {
    ...{ method, body, headers: { authorization: '', ...headers } },
    ...(owner === undefined ? {} : { owner }),
  });
const ask = (email: string, workspace = 'acme', headers: Record<string, string> = {}) =>
  open('POST', '/sign_in_links', { workspace, email }, headers);
const linkIn = (text: string | undefined) => /#([\w-]{43})/.exec(text ?? '')?.[1] ?? '';

test('an invitation is not sent for somebody who is no longer an administrator', async () => {
  const ada = await world.inSession('ada');
  const change = (body: object) => ada.patch(`/users/${world.users.zed}`, body);
  await change({ active: true });
  const zed = await world.inSession('zed');
  const invite = async () =>
    (await zed.post(`/users/${world.users.rob}/sign_in_links?mail=true`, {})).status;
  const state = `select state from workspace_records.mails where kind = 'invitation'`;
  const waiting = "update workspace_records.mails set next_attempt_at = now() + interval '1 hour'";
  await mailer.stop();
  expect(await invite()).toBe(201);
  await world.database.rows(waiting);
  await change({ active: false });
  await world.database.rows('update workspace_records.mails set next_attempt_at = now()');
  mailer = await openMailer(world, server);
  await until(async () => (await world.database.rows(state))[0]?.state === 'skipped');
  expect(server.mails).toEqual([]);
});

describe('an invitation that waits', () => {
  const path = () => `/users/${world.users.rob}/sign_in_links`;

  test('ends with the links of its person', async () => {
    const ada = await world.inSession('ada');
    const invite = async () =>
      (await ada.post(`${path()}?mail=true`, { purpose: 'invitation' })).body.data;
    const activate = (active: boolean) => ada.patch(`/users/${world.users.rob}`, { active });
    await mailer.stop();
    expect((await ada.delete(`${path()}/${(await invite()).id}`)).status).toBe(200);
    const token = linkIn((await invite()).url);
    expect((await open('POST', '/sessions', { token })).status).toBe(201);
    await invite();
    await activate(false);
    await activate(true);
    await invite();
    await invite();
    const states = await world.database.rows(
      'select state from workspace_records.mails order by id',
    );
    const ended = ['skipped', 'skipped', 'skipped', 'skipped'];
    expect(states.map(({ state }) => state)).toEqual([...ended, 'waiting']);
    mailer = await openMailer(world, server);
    await until(() => server.mails.length > 0);
    await someLooks();
    expect(server.mails).toHaveLength(1);
  });

  test('has one link, however often it is sent', async () => {
    const ada = await world.inSession('ada');
    const links: string[] = [];
    const busy = await openMailServer({
      onMail({ text }) {
        links.push(linkIn(text));
        if (links.length === 1) throw refusal(451);
      },
    });
    await mailer.stop();
    mailer = await openMailer(world, busy);
    await ada.post(`${path()}?mail=true`, { purpose: 'invitation' });
    await until(() => mailer.outcomes.includes('retried'));
    await world.database.rows('update workspace_records.mails set next_attempt_at = now()');
    await until(() => mailer.outcomes.includes('sent'));
    await mailer.stop();
    await busy.close();
    mailer = await openMailer(world, server);
    // The other one is in the answer.
    expect((await ada.get(path())).body.data).toHaveLength(2);
    const use = async (token?: string) => (await open('POST', '/sessions', { token })).status;
    expect([await use(links[0]), await use(links[1])]).toEqual([401, 201]);
  });
});

test('a person whose second factor is reset is told so', async () => {
  await world.database.rows(
    `insert into workspace_records.second_factors (workspace_id, user_id)
      select id, $1 from workspace_records.workspaces where slug = 'acme'`,
    [world.users.mia],
  );
  const ada = await world.inSession('ada');
  expect((await ada.delete(`/users/${world.users.mia}/second_factor`)).status).toBe(200);
  await until(() => server.mails.length > 0);
  const [mail] = server.mails;
  expect(mail?.to).toEqual(['mia@acme.example']);
  expect(mail?.headers.get('subject')).toBe('Your two-step sign-in to Acme was reset');
});

describe('a link that a person asks for', () => {
  test('arrives, and signs in once', async () => {
    const answer = await ask('MIA@acme.example', 'acme', { 'accept-language': 'de-CH,en;q=0.5' });
    expect([answer.status, answer.json.data]).toEqual([200, { accepted: true }]);
    await until(() => server.mails.length > 0);
    const [mail] = server.mails;
    expect(mail?.to).toEqual(['mia@acme.example']);
    expect(mail?.headers.get('subject')).toBe('Anmelden bei Acme');
    expect(mail?.headers.has('list-unsubscribe')).toBe(false);
    const token = linkIn(mail?.text);
    expect(mail?.text).toContain('https://acme.example.com/app/acme/sign-in#');
    expect((await open('POST', '/sessions', { token })).status).toBe(201);
    expect((await open('POST', '/sessions', { token })).status).toBe(401);
  });

  test('has an answer that is the same for everybody, and goes to nobody else', async () => {
    const asked = [
      ...(await Promise.all([
        ask('mia@acme.example'),
        ask('nobody@acme.example'),
        ask('zed@acme.example'),
        ask('bot@acme.example'),
        ask('mia@acme.example', 'nowhere'),
        ask('ada@globex.example', 'acme'),
      ])),
    ].map(({ status, json }) => [status, json]);
    for (const answer of asked) expect(answer).toEqual(asked[0]);
    await until(() => server.mails.length > 0);
    await someLooks();
    expect(server.mails.map(({ to }) => to)).toEqual([['mia@acme.example']]);
  });

  test('is stored nowhere but as a hash', async () => {
    await ask('mia@acme.example');
    await until(() => server.mails.length > 0);
    const token = linkIn(server.mails[0]?.text);
    const mails = await world.database.rows('select m::text from workspace_records.mails m');
    expect(JSON.stringify(mails)).not.toMatch(new RegExp(`${token}|mia@`));
    const links = await world.database.rows(
      'select 1 from workspace_records.sign_in_links where token_hash = $1',
      [hashOf(token)],
    );
    expect(links).toHaveLength(1);
  });

  test('never leads where the host of a request says', async () => {
    await ask('mia@acme.example', 'acme', {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
    });
    await until(() => server.mails.length > 0);
    for (const { raw, text } of server.mails) expect(raw + text).not.toContain('evil');
  });

  test('is limited by address, and alike for addresses that do not exist', async () => {
    for (const email of ['mia@acme.example', 'nobody@acme.example']) {
      await world.database.rows('delete from workspace_records.sign_in_attempts');
      for (let time = 0; time < 10; time += 1) expect((await ask(email)).status).toBe(200);
      const refused = await ask(email);
      expect([refused.status, refused.json.error.code]).toEqual([429, 'rate_limited']);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    }
    // Signing in by password is counted apart.
    const wrong = { workspace: 'acme', email: 'mia@acme.example', password: 'x' };
    expect((await open('POST', '/sessions', wrong)).status).toBe(401);
  });

  test('refuses other bodies and pages of other sites', async () => {
    for (const body of [{}, { workspace: 'acme' }, { workspace: 'acme', email: 1 }]) {
      expect((await open('POST', '/sign_in_links', body)).status).toBe(400);
    }
    const { cookie } = await world.inSession('mia');
    const forged = await ask('mia@acme.example', 'acme', {
      cookie,
      'sec-fetch-site': 'cross-site',
    });
    expect(forged.status).toBe(403);
  });
});

describe('an invitation', () => {
  test('is sent when the administrator wants it, and the link is shown all the same', async () => {
    const ada = await world.inSession('ada');
    const path = `/users/${world.users.rob}/sign_in_links`;
    const quiet = await ada.request('POST', path);
    expect([quiet.status, quiet.body.data.mailed]).toEqual([201, false]);
    const { status, body } = await ada.request('POST', `${path}?mail=true`);
    expect([status, body.data.mailed]).toEqual([201, true]);
    await until(() => server.mails.length > 0);
    await someLooks();
    expect(server.mails).toHaveLength(1);
    const [mail] = server.mails;
    expect([mail?.to, mail?.headers.get('subject')]).toEqual([
      ['rob@acme.example'],
      'You are invited to Acme',
    ]);
    expect(mail?.text).toContain('The link works once, for 7 days.');
    // Both are open until one of them is used.
    expect((await ada.request('GET', path)).body.data).toHaveLength(2);
    for (const [link, status] of [
      [mail?.text, 201],
      [body.data.url, 401],
    ] as const) {
      expect((await open('POST', '/sessions', { token: linkIn(link) })).status).toBe(status);
    }
  });

  test('outlives a link that somebody has had mailed, which ends older links to sign in with', async () => {
    const ada = await world.inSession('ada');
    const path = `/users/${world.users.rob}/sign_in_links`;
    const mailedLink = async () => {
      const before = server.mails.length;
      expect((await ask('rob@acme.example')).status).toBe(200);
      await until(() => server.mails.length > before);
    };
    await ada.post(path, { purpose: 'invitation' });
    await mailedLink();
    await mailedLink();
    const { body } = await ada.request('GET', path);
    expect(body.data.map(({ purpose }: { purpose: string }) => purpose)).toEqual([
      'sign_in',
      'invitation',
    ]);
  });

  test('is only for administrators', async () => {
    const mia = await world.inSession('mia');
    const path = `/users/${world.users.rob}/sign_in_links?mail=true`;
    expect((await mia.request('POST', path)).status).toBe(403);
    await someLooks();
    expect(server.mails).toEqual([]);
  });
});

describe('the link that ends mails', () => {
  const settings = async () =>
    (await (await world.as('mia')).get('/me/notification_settings')).body.data;

  async function unsubscribePath(): Promise<string> {
    const ada = await world.as('ada');
    const { body } = await ada.post('/objects/companies/records', { fields: { name: 'Quay' } });
    const said = { body: 'x', mention_user_ids: [world.users.mia] };
    await ada.post(`/objects/companies/records/${body.data.id}/comments`, said);
    await until(() => server.mails.length > 0);
    const header = server.mails[0]?.headers.get('list-unsubscribe') ?? '';
    expect(server.mails[0]?.headers.get('list-unsubscribe-post')).toBe(
      'List-Unsubscribe=One-Click',
    );
    return header.slice('<https://acme.example.com/v1'.length, -1);
  }

  test('asks when it is opened, and ends mails with one request', async () => {
    const path = await unsubscribePath();
    const page = await open('GET', path, undefined, { 'accept-language': 'de' });
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.text).toContain('<form method="post">');
    expect(page.text).toContain('abbestellen');
    expect(await settings()).toMatchObject({ mail: 'at_once', sends_mail: true });
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const done = await open('POST', path, Buffer.from('List-Unsubscribe=One-Click'), form);
    expect(done.status).toBe(200);
    expect(done.text).not.toContain('<form');
    expect((await settings()).mail).toBe('off');
    expect((await open('POST', path)).status).toBe(200);
  });

  test('can do only that, for this person', async () => {
    const path = await unsubscribePath();
    const token = new URL(`http://x${path}`).searchParams.get('token') as string;
    expect((await open('POST', '/sessions', { token })).status).toBe(401);
    const asKey = await open('GET', '/me', undefined, { authorization: `Bearer ${token}` });
    expect(asKey.status).toBe(401);
    const [workspace, , signature] = token.split('.');
    for (const forged of [
      ...[`${workspace}.${world.users.ada}.${signature}`, `999.${world.users.mia}.${signature}`],
      ...['x', `${token}x`, '1.1.'],
    ]) {
      for (const method of ['GET', 'POST']) {
        const answer = await open(method, `/mail/unsubscribe?token=${forged}`);
        expect([answer.status, answer.json.error.code], forged).toEqual([404, 'record_not_found']);
      }
    }
    expect((await settings()).mail).toBe('at_once');
  });
});

test('a sign-in page knows whether there is mail', async () => {
  const methods = async () => (await open('GET', '/sign_in_methods?workspace=acme')).json.data;
  expect(await methods()).toMatchObject({ mail: true });
});
