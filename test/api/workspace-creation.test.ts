// `POST /workspaces` with the key of the operator.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DefinitionDocument } from '../../src/model/definition/definition.ts';
import { call } from '../http-client.ts';
import { openWorld, type World } from '../world.ts';

const OPERATOR_KEY = 'operator-key-of-the-tests-0123456789';
let world: World;

beforeAll(async () => {
  world = await openWorld({ OPERATOR_KEY });
});
afterAll(() => world?.close());

const create = async (body: unknown, key: string | undefined = OPERATOR_KEY) =>
  call(world.port, '/v1/workspaces', {
    method: 'POST',
    body,
    owner: (await world.key('ada')).secret,
    ...(key === undefined ? {} : { key }),
  });

test('a workspace, its administrator, and a link that signs in', async () => {
  const admin = { email: 'ann@harbour.example', name: 'Ann' };
  const made = await create({ slug: 'harbour', name: 'Harbour', admin });
  expect(made.status).toBe(201);
  expect(made.json.data).toMatchObject({ slug: 'harbour', name: 'Harbour', revision: 1 });
  const token = new URL(made.json.data.sign_in_link.url).hash.slice(1);
  const owner = (await world.key('ada')).secret;
  const signedIn = await call(world.port, '/v1/sessions', {
    method: 'POST',
    body: { token },
    owner,
  });
  expect(signedIn.json.data).toMatchObject({ user: admin, workspace: { slug: 'harbour' } });
});

const FIRST = { admin: { email: 'ann@own.example', name: 'Ann' } };
const boats = {
  ...{ name: 'Boats', singular_name: 'Boat', display_field: 'name' },
  fields: { name: { name: 'Name', type: 'text' } },
};

async function rolesOf(slug: string) {
  const rows = await world.database.rows(`select document from "ws_${slug}"._definitions`);
  const [{ document } = {}] = rows;
  const { roles = {} } = document as DefinitionDocument;
  return roles;
}

test('with an administrator come the roles Member and Viewer, on all objects of the document', async () => {
  await create({ slug: 'roled', definition: { objects: { boats } }, ...FIRST });
  const { member, viewer } = await rolesOf('roled');
  const reach = 'organisation';
  const all = { create: reach, read: reach, update: reach, delete: reach };
  expect([member?.objects?.boats, viewer?.objects?.boats]).toEqual([all, { read: reach }]);
  expect(member).toMatchObject({ directory: true, assign_owner: true });
  expect(viewer?.objects).toHaveProperty('work_items');
  for (const role of [member, viewer]) {
    expect([role?.administrator, role?.developer]).toEqual([undefined, undefined]);
  }
});

test('a document that has roles gets no others', async () => {
  const roles = { guest: { name: 'Guest' } };
  await create({ slug: 'guests', definition: { roles }, ...FIRST });
  expect(Object.keys(await rolesOf('guests'))).toEqual(['admin', 'guest']);
  await create({ slug: 'alone' });
  expect(Object.keys(await rolesOf('alone'))).toEqual(['admin']);
});

test('without an administrator there is no link', async () => {
  const { status, json } = await create({ slug: 'empty' });
  expect([status, json.data.sign_in_link, json.data.name]).toEqual([201, null, 'empty']);
});

test('the definition is that of the workspace', async () => {
  const objects = { boats: { name: 'Boats', singular_name: 'Boat', display_field: 'name' } };
  const fields = { name: { name: 'Name', type: 'text' } };
  const definition = { objects: { boats: { ...objects.boats, fields } } };
  expect((await create({ slug: 'boats', definition })).status).toBe(201);
  const refused = await create({
    slug: 'bad',
    definition: { objects: { boats: { ...objects.boats, fields: 1 } } },
  });
  expect([refused.status, refused.json.error.code]).toEqual([422, 'invalid_write']);
  expect(refused.json.error.param).toBe('objects.boats.fields');
  expect(
    await world.database.rows(`select from workspace_records.workspaces where slug = 'bad'`),
  ).toEqual([]);
});

test('a slug that is taken is a conflict, also for two requests at once', async () => {
  const taken = await create({ slug: 'acme' });
  expect([taken.status, taken.json.error.code, taken.json.error.param]).toEqual([
    409,
    'conflict',
    'slug',
  ]);
  const both = await Promise.all([create({ slug: 'twice' }), create({ slug: 'twice' })]);
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
});

test.each([
  ['slug', { slug: 'No' }],
  ['slug', {}],
  ['admin.name', { slug: 'x', admin: { email: 'a@b.example' } }],
  ['extra', { slug: 'x', extra: 1 }],
])('%s is wrong in %j', async (param, body) => {
  const { status, json } = await create(body);
  expect([status, json.error.code, json.error.param]).toEqual([400, 'validation_failed', param]);
});

test('every other key is refused', async () => {
  const { secret } = await world.key('ada');
  for (const key of [secret, `${OPERATOR_KEY}x`, OPERATOR_KEY.slice(1)]) {
    const { status, json } = await create({ slug: 'never' }, key);
    expect([status, json.error.code]).toEqual([401, 'invalid_api_key']);
  }
  const owner = secret;
  const none = await call(world.port, '/v1/workspaces', {
    method: 'POST',
    body: { slug: 'never' },
    owner,
  });
  expect([none.status, none.json.error.code]).toEqual([401, 'missing_api_key']);
  const elsewhere = await call(world.port, '/v1/me', { key: OPERATOR_KEY, owner });
  expect([elsewhere.status, elsewhere.json.error.code]).toEqual([401, 'invalid_api_key']);
});

test('without the setting the path does not exist', async () => {
  const plain = await openWorld();
  try {
    const key = (await plain.key('ada')).secret;
    const send = (secret: string) =>
      call(plain.port, '/v1/workspaces', {
        method: 'POST',
        body: { slug: 'never' },
        key: secret,
        owner: key,
      });
    expect((await send(key)).status).toBe(404);
    expect((await send(OPERATOR_KEY)).status).toBe(401);
  } finally {
    await plain.close();
  }
});
