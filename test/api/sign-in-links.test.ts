// Invitations and links to sign in with: how long they are valid, what ends them, and the list and revocation of an
// administrator.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { call } from '../http-client.ts';
import { openWorld, type SessionClient, type World } from '../world.ts';

let world: World;
let ada: SessionClient;
let path: string;

beforeAll(async () => {
  world = await openWorld();
  ada = await world.inSession('ada');
  path = `/users/${world.users.rob}/sign_in_links`;
});
afterAll(() => world?.close());
beforeEach(() => world.database.rows('delete from workspace_records.sign_in_links'));

interface Made {
  readonly id: string;
  readonly purpose: string;
  readonly url: string;
  readonly expires_at: string;
}

async function make(body?: object): Promise<Made> {
  const made = await ada.post(path, body);
  expect(made.status).toBe(201);
  return made.body.data;
}

/** The status of the answer to somebody who opens a link. */
async function use({ url }: Made): Promise<number> {
  const body = { token: new URL(url).hash.slice(1) };
  const owner = (await world.key('ada')).secret;
  return (await call(world.port, '/v1/sessions', { method: 'POST', body, owner })).status;
}

const hoursOf = ({ expires_at }: Made) => (Date.parse(expires_at) - Date.now()) / 3_600_000;
const listed = async () => (await ada.get(path)).body.data;

describe('a link', () => {
  test.each<[object | undefined, string, number]>([
    [undefined, 'sign_in', 0.5],
    [{}, 'sign_in', 0.5],
    [{ purpose: 'sign_in' }, 'sign_in', 0.5],
    [{ purpose: 'invitation' }, 'invitation', 168],
    [{ purpose: 'invitation', expires_in_hours: 1 }, 'invitation', 1],
    [{ expires_in_hours: 720 }, 'invitation', 720],
  ])('of %j is valid for its time', async (body, purpose, hours) => {
    const link = await make(body);
    expect(link.purpose).toBe(purpose);
    expect(Math.abs(hoursOf(link) - hours)).toBeLessThan(0.1);
    expect(await use(link)).toBe(201);
    expect(await use(link)).toBe(401);
  });

  test.each([
    [{ expires_in_hours: 0 }, 'expires_in_hours'],
    [{ expires_in_hours: 721 }, 'expires_in_hours'],
    [{ expires_in_hours: 1.5 }, 'expires_in_hours'],
    [{ expires_in_hours: '24' }, 'expires_in_hours'],
    [{ purpose: 'sign_in', expires_in_hours: 2 }, 'expires_in_hours'],
    [{ purpose: 'other' }, 'purpose'],
    [{ hours: 1 }, 'hours'],
  ])('of %j is refused, and nothing ends', async (body, param) => {
    const before = await make();
    const { status, body: answer } = await ada.post(path, body);
    expect([status, answer.error.code, answer.error.param]).toEqual([
      400,
      'validation_failed',
      param,
    ]);
    expect(await use(before)).toBe(201);
  });

  test('ends those that were made before for its person, of both purposes', async () => {
    const [first, second] = [await make({ purpose: 'invitation' }), await make()];
    const third = await make({ expires_in_hours: 2 });
    const forMia = await ada.post(`/users/${world.users.mia}/sign_in_links`, undefined);
    expect([await use(first), await use(second), await use(third)]).toEqual([401, 401, 201]);
    expect(await use(forMia.body.data)).toBe(201);
  });

  test('that many make at once leaves one that can be used', async () => {
    const links = await Promise.all(Array.from({ length: 5 }, () => make()));
    expect(await listed()).toHaveLength(1);
    const statuses = await Promise.all(links.map(use));
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
  });

  test('ends when the address of its person changes, also when it changes back', async () => {
    const link = await make({ purpose: 'invitation' });
    const rename = async (email: string) =>
      (await ada.patch(`/users/${world.users.rob}`, { email })).status;
    const other = await ada.patch(`/users/${world.users.rob}`, { title: 'Another title' });
    expect(other.status).toBe(200);
    expect(await listed()).toHaveLength(1);
    expect(await rename('robert@acme.example')).toBe(200);
    expect(await listed()).toEqual([]);
    expect(await use(link)).toBe(401);
    expect(await rename('rob@acme.example')).toBe(200);
    expect(await use(link)).toBe(401);
  });

  test('that signs its person in ends the others', async () => {
    const link = await make({ purpose: 'invitation' });
    await world.database.rows(
      `insert into workspace_records.sign_in_links (id, workspace_id, user_id, token_hash, expires_at)
        select gen_random_uuid(), workspace_id, user_id, '\\x00', expires_at
        from workspace_records.sign_in_links where id = $1`,
      [link.id],
    );
    expect(await listed()).toHaveLength(2);
    expect(await use(link)).toBe(201);
    expect(await listed()).toEqual([]);
  });
});

describe('a link of somebody who', () => {
  /** Changes of Zed, who has made the link, and the changes back. */
  const ENDINGS = {
    'is no longer an administrator': [{ roles: ['manager'] }, { roles: ['admin'] }],
    'is deactivated': [{ active: false }, { active: true }],
  } as const;

  test.each(Object.entries(ENDINGS))('%s is neither used nor listed', async (_, changes) => {
    const zed = `/users/${world.users.zed}`;
    const change = async (patch: object) => expect((await ada.patch(zed, patch)).status).toBe(200);
    await change({ active: true });
    for (const purpose of ['invitation', 'sign_in']) {
      const maker = await world.inSession('zed');
      const link = (await maker.post(path, { purpose })).body.data as Made;
      await change(changes[0]);
      expect(await listed()).toEqual([]);
      expect(await use(link)).toBe(401);
      // The refusal has not used it up: the maker is judged at each use.
      await change(changes[1]);
      expect(await listed()).toHaveLength(1);
      expect(await use(link)).toBe(201);
    }
    await change({ active: false });
  });
});

describe('an administrator', () => {
  test('lists open links without their secrets', async () => {
    const { id, expires_at, url } = await make({ purpose: 'invitation' });
    const links = await listed();
    const created_at = expect.any(String);
    expect(links).toEqual([{ id, purpose: 'invitation', created_at, expires_at }]);
    expect(JSON.stringify(links)).not.toContain(new URL(url).hash.slice(1));
    await world.database.rows('update workspace_records.sign_in_links set expires_at = now()');
    expect(await listed()).toEqual([]);
  });

  test('revokes a link once, with an audit row', async () => {
    const link = await make({ purpose: 'invitation' });
    const revoke = async (user: number) => ada.delete(`/users/${user}/sign_in_links/${link.id}`);
    expect((await revoke(world.users.mia)).body.error.code).toBe('record_not_found');
    expect((await revoke(world.users.rob)).body.data).toEqual({ id: link.id, revoked: true });
    expect((await revoke(world.users.rob)).body.error.code).toBe('record_not_found');
    expect(await use(link)).toBe(401);
    const rows = await world.rows(
      `select subject_id, action from _audit where subject_type = 'sign_in_link'
        order by transaction desc, id desc limit 2`,
    );
    expect(rows).toEqual([
      { subject_id: link.id, action: 'revoke' },
      { subject_id: link.id, action: 'create' },
    ]);
  });

  test('is the only one who may do either, in a session', async () => {
    const link = await make();
    const one = `${path}/${link.id}`;
    for (const client of [await world.inSession('mia'), await world.as('ada')]) {
      expect((await client.get(path)).body.error.code).toBe('permission_denied');
      expect((await client.delete(one)).body.error.code).toBe('permission_denied');
    }
    expect((await ada.get('/users/2000000000/sign_in_links')).body.error.code).toBe(
      'user_not_found',
    );
    expect((await ada.delete(`${path}/x`)).status).toBe(404);
    expect(await use(link)).toBe(201);
  });
});
