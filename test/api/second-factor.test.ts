// The second step of signing in: codes, recovery codes, passkeys, roles that require a factor, and each attack of the table
// in docs/security.md.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ROUTES } from '../../src/api/index.ts';
import { openSecretKeys } from '../../src/control/stored/secret-keys.ts';
import { forgetLostSecrets, rotateSecrets } from '../../src/control/stored/secret-rotation.ts';
import { makeSecretKey, sealedKeyOf } from '../../src/model/rights/sealed-secret.ts';
import { codeNow, ORIGIN, openFactorWorld, PASSWORD } from '../factor-world.ts';
import { openWorld, type SessionClient, type World } from '../world.ts';

let world: World;
let factor: ReturnType<typeof openFactorWorld>;
let ada: SessionClient;

beforeAll(async () => {
  world = await openWorld();
  factor = openFactorWorld(world);
  ada = await world.inSession('ada');
  for (const person of ['rob', 'mia', 'sam'] as const) await factor.setPassword(person);
});
afterAll(() => world?.close());
beforeEach(async () => {
  await world.database.rows('delete from workspace_records.second_factors');
  await factor.forgetAttempts();
});

const codeOf = ({ answer }: { readonly answer: { readonly json: { error?: { code: string } } } }) =>
  answer.json.error?.code ?? 'signed in';

/** A person who has set up codes. */
async function withCodes(person: 'rob' | 'mia' | 'sam' = 'rob') {
  const { cookie } = await factor.byPassword(person);
  const set = await factor.setUpCodes(cookie);
  await factor.forgetStep();
  return { ...set, cookie };
}

async function withPasskey(options = {}) {
  const { cookie } = await factor.byPassword('rob');
  const added = await factor.addPasskey(cookie, options);
  expect(added.added.status, added.added.text).toBe(201);
  return { ...added, cookie };
}

const audited = () =>
  world.rows(`select subject_type || ' ' || action as act from _audit
    where subject_type in ('second_factor', 'session') order by id`);

describe('a sign-in with a password', () => {
  test('is as before without a factor, and asks for the factor that is there', async () => {
    expect((await factor.byPassword('rob')).answer.status).toBe(201);
    const { secret, uri, qr_svg } = await withCodes();
    expect(uri).toMatch(
      new RegExp(`^otpauth://totp/Acme:rob%40acme\\.example\\?secret=${secret}&issuer=Acme$`),
    );
    expect(qr_svg).toMatch(/^<svg/);
    const { challenge, kinds } = await factor.challenge('rob');
    expect(kinds).toEqual(['code', 'recovery_code']);
    const { answer, cookie } = await factor.signIn({ challenge, code: codeNow(secret) });
    expect(answer.status).toBe(201);
    expect((await factor.send('GET', '/me', undefined, cookie)).status).toBe(200);
    expect((await audited()).map(({ act }) => act).slice(-3)).toEqual([
      'second_factor ask',
      'second_factor use',
      'session sign_in_by_password',
    ]);
  });

  test('asks after a link as well, which is used up', async () => {
    const { secret } = await withCodes();
    const link = await ada.post(`/users/${world.users.rob}/sign_in_links`, undefined);
    const token = new URL(link.body.data.url).hash.slice(1);
    const first = await factor.signIn({ token });
    expect(codeOf(first)).toBe('second_factor_required');
    expect(codeOf(await factor.signIn({ token }))).toBe('invalid_credentials');
    const { challenge } = first.answer.json.error.details;
    expect(codeOf(await factor.signIn({ challenge, code: codeNow(secret) }))).toBe('signed in');
  });

  test('ends with a challenge that a changed password or a reset makes useless', async () => {
    const { secret, cookie } = await withCodes();
    const code = codeNow(secret);
    const before = await factor.challenge('rob');
    const passwords = { password: `${PASSWORD}!`, current_password: PASSWORD };
    expect((await factor.send('PUT', '/me/password', passwords, cookie)).status).toBe(200);
    expect(codeOf(await factor.signIn({ challenge: before.challenge, code }))).toBe(
      'invalid_credentials',
    );
    await world.database.rows('delete from workspace_records.passwords where user_id = $1', [
      world.users.rob,
    ]);
    await factor.setPassword('rob');
    const { challenge } = await factor.challenge('rob');
    expect((await ada.delete(`/users/${world.users.rob}/second_factor`)).status).toBe(200);
    expect(codeOf(await factor.signIn({ challenge, code }))).toBe('invalid_credentials');
  });
});

describe('attacks on codes', () => {
  test('a replayed code, one of a later step and one of long ago are refused', async () => {
    const { secret } = await withCodes();
    const present = codeNow(secret);
    const sign = async (code: string) => {
      const { challenge } = await factor.challenge('rob');
      return codeOf(await factor.signIn({ challenge, code }));
    };
    expect(await sign(codeNow(secret, 3))).toBe('invalid_credentials');
    expect(await sign(codeNow(secret, -3))).toBe('invalid_credentials');
    expect(await sign(present)).toBe('signed in');
    expect(await sign(present)).toBe('invalid_credentials');
    expect(await sign(codeNow(secret, 1))).toBe('signed in');
    // One of an earlier step than the last one, although within the drift.
    expect(await sign(codeNow(secret))).toBe('invalid_credentials');
  });

  test("another person's challenge, a used one and one that is over are refused", async () => {
    const { secret } = await withCodes();
    const other = await withCodes('mia');
    const { challenge } = await factor.challenge('rob');
    expect(codeOf(await factor.signIn({ challenge, code: codeNow(other.secret) }))).toBe(
      'invalid_credentials',
    );
    expect(codeOf(await factor.signIn({ challenge, recovery_code: other.recovery_codes[0] }))).toBe(
      'invalid_credentials',
    );
    expect(codeOf(await factor.signIn({ challenge, code: codeNow(secret) }))).toBe('signed in');
    await factor.forgetStep();
    expect(codeOf(await factor.signIn({ challenge, code: codeNow(secret) }))).toBe(
      'invalid_credentials',
    );
    const late = await factor.challenge('rob');
    await world.database.rows(`update workspace_records.factor_challenges set expires_at = now()`);
    expect(codeOf(await factor.signIn({ challenge: late.challenge, code: codeNow(secret) }))).toBe(
      'invalid_credentials',
    );
  });

  test('a recovery code signs in once, however it is written, and the others stay', async () => {
    const { recovery_codes, cookie } = await withCodes();
    expect(new Set(recovery_codes).size).toBe(10);
    const written = ` ${recovery_codes[3]?.toUpperCase().replaceAll('-', ' ')}`;
    const sign = async (recovery_code: string) => {
      const { challenge } = await factor.challenge('rob');
      return codeOf(await factor.signIn({ challenge, recovery_code }));
    };
    expect(await sign(written)).toBe('signed in');
    expect(await sign(written)).toBe('invalid_credentials');
    expect(
      (await factor.send('GET', '/me/second_factor', undefined, cookie)).json.data,
    ).toMatchObject({
      recovery_codes: 9,
      required: false,
    });
    const renewed = await factor.send(
      'POST',
      '/me/second_factor/recovery_codes',
      undefined,
      cookie,
    );
    expect(await sign(recovery_codes[0] as string)).toBe('invalid_credentials');
    expect(await sign(renewed.json.data.recovery_codes[0])).toBe('signed in');
  });

  test('guesses are limited whatever passwords are sent in between, and wrong passwords do not block codes', async () => {
    const { secret } = await withCodes();
    const { challenge } = await factor.challenge('rob');
    const wrong = codeNow(secret) === '000000' ? '111111' : '000000';
    for (let count = 0; count < 10; count += 1) {
      expect(codeOf(await factor.signIn({ challenge, code: wrong }))).toBe('invalid_credentials');
      await world.database.rows(`update workspace_records.sign_in_attempts set attempted_at = '{}'
        where subject = sha256('address 127.0.0.1')`);
      await factor.challenge('rob');
    }
    expect(codeOf(await factor.signIn({ challenge, code: codeNow(secret) }))).toBe('rate_limited');
    await factor.forgetAttempts();
    for (let count = 0; count < 10; count += 1) await factor.byPassword('rob', 'wrong');
    await world.database.rows(`update workspace_records.sign_in_attempts set attempted_at = '{}'
      where subject = sha256('address 127.0.0.1')`);
    expect(codeOf(await factor.byPassword('rob'))).toBe('rate_limited');
    expect(codeOf(await factor.signIn({ challenge, code: codeNow(secret) }))).toBe('signed in');
  });

  test('an inactive person is not signed in by the right factor', async () => {
    const { secret } = await withCodes('sam');
    const { challenge } = await factor.challenge('sam');
    const path = `/users/${world.users.sam}`;
    await ada.patch(path, { active: false });
    expect(codeOf(await factor.signIn({ challenge, code: codeNow(secret) }))).toBe(
      'invalid_credentials',
    );
    await ada.patch(path, { active: true });
  });
});

describe('a passkey', () => {
  test('is a second factor, also without verification of the person', async () => {
    const { device } = await withPasskey();
    const { challenge, kinds, passkey } = (await factor.challenge('rob')) as never as {
      challenge: string;
      kinds: string[];
      passkey: { rpId: string; challenge: string; allowCredentials: { id: string }[] };
    };
    expect(kinds).toEqual(['passkey', 'recovery_code']);
    expect(passkey).toMatchObject({ rpId: 'localhost', challenge });
    expect(passkey.allowCredentials.map(({ id }) => id)).toEqual([device.id]);
    const assertion = device.get(challenge, { origin: ORIGIN, verified: false });
    expect(codeOf(await factor.signIn({ challenge, assertion }))).toBe('signed in');
  });

  test('signs in alone when the authenticator has verified the person', async () => {
    const { device, userHandle, cookie } = await withPasskey();
    const challenge = await factor.begin();
    const assertion = device.get(challenge, { origin: ORIGIN, userHandle });
    const signedIn = await factor.signIn({ challenge, assertion });
    expect(codeOf(signedIn)).toBe('signed in');
    const sessions = await factor.send('GET', '/sessions', undefined, signedIn.cookie);
    expect(sessions.json.data.find(({ current }: { current: boolean }) => current)).toMatchObject({
      method: 'passkey',
    });
    expect(codeOf(await factor.signIn({ challenge, assertion }))).toBe('invalid_credentials');
    expect(
      (await factor.send('GET', '/me/second_factor', undefined, cookie)).json.data.passkeys[0],
    ).toMatchObject({
      name: 'Phone',
      host: 'localhost',
      last_used_at: expect.any(String),
    });
  });

  test.each<[string, object]>([
    ['without verification of the person', { verified: false }],
    ['at another origin', { origin: 'https://evil.example' }],
    ['of another RP ID', { rpId: 'evil.example' }],
    ['without the person', { userHandle: undefined }],
    ['of another person', { userHandle: 'AAAAAAAAAAAAAAAAAAAAAA' }],
    ['with a counter that has gone back', { counter: 4 }],
    ['with a counter that was used', { counter: 5 }],
  ])('alone is refused %s', async (_, change) => {
    const { device, userHandle } = await withPasskey({ counter: 5 });
    const challenge = await factor.begin();
    const right = { origin: ORIGIN, userHandle, counter: 6 };
    const wrong = device.get(challenge, { ...right, ...change });
    expect(codeOf(await factor.signIn({ challenge, assertion: wrong }))).toBe(
      'invalid_credentials',
    );
    const assertion = device.get(challenge, right);
    expect(codeOf(await factor.signIn({ challenge, assertion }))).toBe('signed in');
  });

  test('is refused with a challenge of something else', async () => {
    const { device, userHandle, cookie } = await withPasskey();
    const options = await factor.send('POST', '/me/passkeys/options', undefined, cookie);
    const other = options.json.data.challenge as string;
    const assertion = device.get(other, { origin: ORIGIN, userHandle });
    expect(codeOf(await factor.signIn({ challenge: other, assertion }))).toBe(
      'invalid_credentials',
    );
    const alone = await factor.begin();
    expect(codeOf(await factor.signIn({ challenge: alone, code: '123456' }))).toBe(
      'invalid_credentials',
    );
    const begun = await factor.begin();
    const crossed = device.get(alone, { origin: ORIGIN, userHandle });
    expect(codeOf(await factor.signIn({ challenge: begun, assertion: crossed }))).toBe(
      'invalid_credentials',
    );
  });

  test('is added once, with the challenge of its person, and only where the host has a name', async () => {
    const { body, cookie } = await withPasskey();
    expect((await factor.send('POST', '/me/passkeys', body, cookie)).json.error.code).toBe(
      'validation_failed',
    );
    const { cookie: other } = await factor.byPassword('mia');
    const begun = await factor.send('POST', '/me/passkeys/options', undefined, cookie);
    const stolen = { ...body, challenge: begun.json.data.challenge };
    expect((await factor.send('POST', '/me/passkeys', stolen, other)).json.error.code).toBe(
      'validation_failed',
    );
    expect((await ada.post('/me/passkeys/options', undefined)).body.error.message_id ?? '').toBe(
      '',
    );
    expect((await ada.post('/me/passkeys/options', undefined)).status).toBe(409);
  });

  test('is removed, and recovery codes go with the last factor', async () => {
    const { added, cookie } = await withPasskey();
    const path = `/me/passkeys/${added.json.data.passkey.id}`;
    expect(added.json.data.recovery_codes).toHaveLength(10);
    const { cookie: other } = await factor.byPassword('mia');
    expect((await factor.send('DELETE', path, undefined, other)).status).toBe(404);
    expect((await factor.send('DELETE', path, undefined, cookie)).status).toBe(200);
    expect((await factor.byPassword('rob')).answer.status).toBe(201);
    const [left] = await world.database.rows(
      'select count(*)::int as left from workspace_records.recovery_codes',
    );
    expect(left).toEqual({ left: 0 });
  });
});

describe('a role that requires a factor', () => {
  const requireFactor = (second_factor: 'required' | null) =>
    ada.patch('/roles/rep', { second_factor });

  test('allows one sign-in, which can only set one up', async () => {
    const before = await factor.byPassword('rob');
    expect((await requireFactor('required')).body.data.second_factor).toBe('required');
    try {
      const limited = await factor.send('GET', '/objects', undefined, before.cookie);
      expect([limited.status, limited.json.error.code]).toEqual([403, 'second_factor_missing']);
      const { cookie, answer } = await factor.byPassword('rob');
      expect(answer.status).toBe(201);
      expect((await factor.byPassword('rob')).answer.json.error).toMatchObject({
        code: 'second_factor_missing',
      });
      const me = await factor.send('GET', '/me', undefined, cookie);
      expect(me.json.data.set_up).toBe('second_factor');
      expect((await factor.send('GET', '/objects', undefined, cookie)).status).toBe(403);
      // However old the session is.
      await world.database.rows(
        `update workspace_records.sessions set created_at = now() - interval '1 hour'`,
      );
      const { secret } = await factor.setUpCodes(cookie);
      expect((await factor.send('GET', '/objects', undefined, cookie)).status).toBe(200);
      await factor.forgetStep();
      const { challenge } = await factor.challenge('rob');
      const again = await factor.signIn({ challenge, code: codeNow(secret) });
      expect((await factor.send('GET', '/objects', undefined, again.cookie)).status).toBe(200);
      const last = await factor.send('DELETE', '/me/second_factor/code', undefined, again.cookie);
      expect([last.status, last.json.error.code]).toEqual([409, 'conflict']);
      ada = await world.inSession('ada');
      expect((await ada.delete(`/users/${world.users.rob}/second_factor`)).status).toBe(200);
      expect((await factor.byPassword('rob')).answer.status).toBe(201);
    } finally {
      ada = await world.inSession('ada');
      await requireFactor(null);
    }
  });

  test('lets an old session of grace change nothing but the first factor, while the role requires it', async () => {
    const { cookie: earlier } = await factor.byPassword('rob');
    await requireFactor('required');
    const { cookie } = await factor.byPassword('rob');
    await world.database.rows(`update workspace_records.sessions set created_at = now() - interval '1 hour'
      where second_factor = 'grace'`);
    const begin = async () =>
      codeOf({ answer: await factor.send('POST', '/me/second_factor/code', undefined, cookie) });
    await requireFactor(null);
    expect(await begin()).toBe('fresh_sign_in_required');
    await requireFactor('required');
    expect(await begin()).toBe('signed in');
    await factor.setUpCodes(earlier);
    expect(await begin()).toBe('fresh_sign_in_required');
    await requireFactor(null);
  });

  test('shows a session without it no names of views, and lets it end no sessions of others', async () => {
    const rob = await world.inSession('rob');
    const include = async () => (await ada.get('/me?include=links')).body.data;
    expect(await include()).toHaveProperty('dashboards');
    const end = async (id: string) => (await ada.delete(`/sessions/${id}`)).status;
    expect((await ada.patch('/roles/admin', { second_factor: 'required' })).status).toBe(200);
    const limited = await include();
    expect(limited.set_up).toBe('second_factor');
    expect(limited).not.toHaveProperty('dashboards');
    expect(limited).not.toHaveProperty('favorite_views');
    expect(await end(rob.sessionId)).toBe(404);
    expect(await end((await world.inSession('ada')).sessionId)).toBe(200);
    await world.database.rows(`update workspace_records.sessions set second_factor = 'given'`);
    await expect.poll(async () => (await include()).set_up).toBeUndefined();
    expect((await ada.patch('/roles/admin', { second_factor: null })).status).toBe(200);
    expect(await end(rob.sessionId)).toBe(200);
  });

  test('does not concern keys, agents, and people of other roles, and no key removes it', async () => {
    await requireFactor('required');
    const byKey = await (await world.as('ada')).patch('/roles/rep', { second_factor: null });
    expect([byKey.status, byKey.body.error.code]).toEqual([403, 'permission_denied']);
    const rob = await world.as('rob');
    expect((await rob.get('/objects')).status).toBe(200);
    expect((await (await world.inSession('mia')).get('/objects')).status).toBe(200);
    await requireFactor(null);
  });
});

test('factors take a fresh sign-in, and no key reads or changes them', async () => {
  const { cookie } = await withCodes();
  await world.database.rows(
    `update workspace_records.sessions set created_at = now() - interval '1 hour'`,
  );
  const stale = await factor.send('DELETE', '/me/second_factor/code', undefined, cookie);
  expect(stale.json.error.code).toBe('fresh_sign_in_required');
  ada = await world.inSession('ada');
  const key = await world.as('ada');
  const routes = ROUTES.filter(({ tag }) => tag === 'Second factor');
  expect(routes).toHaveLength(9);
  const before = await world.database.rows('select * from workspace_records.second_factors');
  for (const { method, path } of routes) {
    const place = path
      .replace('{user_id}', String(world.users.rob))
      .replace('{passkey_id}', '00000000-0000-7000-8000-000000000000');
    const send = {
      GET: key.get,
      POST: key.post,
      PUT: key.put,
      PATCH: key.patch,
      DELETE: key.delete,
    };
    const { status, body } = await send[method](place, {});
    expect([place, status, body.error.code]).toEqual([place, 403, 'permission_denied']);
  }
  expect(await world.database.rows('select * from workspace_records.second_factors')).toEqual(
    before,
  );
});

test('a reset takes an administrator and another person with a factor, whose sessions end', async () => {
  const { cookie } = await withCodes();
  const path = `/users/${world.users.rob}/second_factor`;
  expect((await (await world.inSession('mia')).delete(path)).status).toBe(403);
  expect((await ada.delete(`/users/${world.users.ada}/second_factor`)).status).toBe(409);
  expect((await ada.delete(`/users/${world.users.mia}/second_factor`)).status).toBe(409);
  expect((await ada.delete(`/users/${world.users.bot}/second_factor`)).status).toBe(404);
  expect((await ada.delete(path)).status).toBe(200);
  expect((await factor.send('GET', '/me', undefined, cookie)).status).toBe(401);
  expect((await factor.byPassword('rob')).answer.status).toBe(201);
});

test('secrets and codes are stored in no form that can be used', async () => {
  const { secret, recovery_codes } = await withCodes();
  const rows =
    await world.database.rows(`select t::text as row from workspace_records.second_factors t
    union all select t::text from workspace_records.recovery_codes t
    union all select t::text from workspace_records.factor_challenges t`);
  const { challenge } = await factor.challenge('rob');
  const text = rows.map(({ row }) => row).join('\n');
  for (const one of [
    secret,
    challenge,
    ...recovery_codes.flatMap((code) => [code, code.replaceAll('-', '')]),
  ]) {
    for (const form of ['utf8', 'hex', 'base64'] as const)
      expect(text).not.toContain(Buffer.from(one).toString(form));
  }
});

test('secrets are sealed again with another key, and a lost one is no way around the factor', async () => {
  const { secret, recovery_codes } = await withCodes();
  const { db } = world.database;
  const [old] = world.config.secretsKeys as [string];
  const made = makeSecretKey();
  const place = (...keys: string[]) => ({ keys, file: `${world.config.secretsKeyFile}.none` });
  const [sealed] = await world.database.rows(
    'select code_secret from workspace_records.second_factors',
  );
  expect(await rotateSecrets(db, openSecretKeys(place(made, old)))).toEqual({
    sealed: 1,
    failures: [],
  });
  const [again] = await world.database.rows(
    'select code_secret from workspace_records.second_factors',
  );
  expect(sealedKeyOf(String(again?.code_secret))).not.toBe(
    sealedKeyOf(String(sealed?.code_secret)),
  );
  await rotateSecrets(db, openSecretKeys(place(old, made)));
  const sign = async (given: object) =>
    codeOf(await factor.signIn({ challenge: (await factor.challenge('rob')).challenge, ...given }));
  expect(await sign({ code: codeNow(secret) })).toBe('signed in');
  await factor.forgetStep();
  expect(await forgetLostSecrets(db, place(made))).toBe(1);
  expect(await sign({ code: codeNow(secret) })).toBe('invalid_credentials');
  expect(await sign({ recovery_code: recovery_codes[0] })).toBe('signed in');
});
