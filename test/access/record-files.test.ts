// Rights to upload, set and download files: people of every reach and access to the field, against an oracle of a few
// lines.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../client.ts';
import { sendBytes } from '../file-world.ts';
import { ACME, openWorldWith, type World } from '../world.ts';

const REACHES = [null, 'own', 'team', 'organisation'] as const;
const ACCESSES = ['none', 'read', 'write'] as const;
type Reach = (typeof REACHES)[number];
type Access = (typeof ACCESSES)[number];

interface Someone {
  readonly name: string;
  readonly read: Reach;
  readonly update: Reach;
  readonly access: Access;
}

const PEOPLE: readonly Someone[] = REACHES.flatMap((read) =>
  (['own', 'organisation'] as const).flatMap((update) =>
    ACCESSES.map((access) => ({
      name: `${read ?? 'nil'}_${update}_${access}`,
      read,
      update,
      access,
    })),
  ),
);

const DOCUMENT = {
  ...ACME,
  objects: {
    ...ACME.objects,
    deals: {
      ...ACME.objects.deals,
      fields: { ...ACME.objects.deals.fields, papers: { type: 'file', multiple: true } },
    },
  },
  roles: {
    ...ACME.roles,
    ...Object.fromEntries(
      PEOPLE.map(({ name, read, update, access }) => [
        name,
        {
          developer: true,
          objects: {
            deals: { ...(read === null ? {} : { read }), update, fields: { papers: access } },
          },
        },
      ]),
    ),
  },
  users: {
    ...ACME.users,
    ...Object.fromEntries(
      PEOPLE.map(({ name }) => [`${name}@acme.example`, { name, roles: [name] }]),
    ),
  },
  teams: {
    ...ACME.teams,
    // Mia is a colleague of everybody here, Sam is not.
    Everybody: {
      members: ['mia@acme.example', ...PEOPLE.map(({ name }) => `${name}@acme.example`)],
    },
  },
};

let world: World;
let ada: Client;
/** By owner: a deal with a file. */
const placed = new Map<string, { readonly record: string; readonly file: string }>();

beforeAll(async () => {
  world = await openWorldWith(DOCUMENT);
  ada = await world.as('ada', { requestsPerMinute: 1_000_000 });
  const ids = await world.rows('select id, email from _users');
  const idOf = (email: string) => Number(ids.find((row) => row.email === email)?.id);
  for (const owner of ['mia', 'sam', ...PEOPLE.map(({ name }) => name)]) {
    const file = await upload(ada);
    const owner_user_id = idOf(`${owner}@acme.example`);
    const fields = { name: owner, owner_user_id, papers: [file.body.data.id] };
    const { body } = await ada.post('/objects/deals/records', { fields });
    placed.set(owner, { record: body.data.id, file: file.body.data.id });
  }
});
afterAll(() => world?.close());

async function upload({ secret }: Client, query = '') {
  const path = `/v1/files?purpose=field${query}`;
  const headers = { 'content-type': 'text/plain' };
  const body = Buffer.from('x');
  const sent = await sendBytes({ port: world.port, method: 'POST', path, secret, headers, body });
  return { status: sent.status, body: JSON.parse(sent.bytes.toString()) };
}

const KINDS = { mine: (name: string) => name, mate: () => 'mia', foreign: () => 'sam' } as const;
type Kind = keyof typeof KINDS;

function reaches(reach: Reach, kind: Kind): boolean {
  if (reach === null) return false;
  if (reach === 'organisation' || kind === 'mine') return true;
  return reach === 'team' && kind === 'mate';
}

test.each(PEOPLE)('$name', async ({ name, read, update, access }) => {
  const client = await world.as(name, { requestsPerMinute: 1_000_000 });
  const uploaded = await upload(client);
  expect(uploaded.status).toBe(access === 'write' ? 201 : 403);
  const named = await upload(client, '&object_type=deals&field=papers');
  const told = { none: 400, read: 403, write: 201 }[access];
  expect(named.status).toBe(read === null ? 404 : told);
  for (const kind of Object.keys(KINDS) as Kind[]) {
    const { record, file } = placed.get(KINDS[kind](name)) as { record: string; file: string };
    const path = `/v1/objects/deals/records/${record}/files/papers/${file}`;
    const { secret } = client;
    const sent = await sendBytes({ port: world.port, method: 'GET', path, secret, headers: {} });
    const sees = reaches(read, kind) && access !== 'none';
    expect([kind, sent.status]).toEqual([kind, sees ? 200 : 404]);
    if (access !== 'write') continue;
    const papers = [file, uploaded.body.data.id];
    const answer = await client.patch(`/objects/deals/records/${record}`, { fields: { papers } });
    const expected = !reaches(read, kind) ? 404 : reaches(update, kind) ? 200 : 403;
    expect([kind, answer.status]).toEqual([kind, expected]);
    if (answer.status !== 200) continue;
    // It is on a record now: others get another one.
    await client.patch(`/objects/deals/records/${record}`, { fields: { papers: [file] } });
  }
});

test('a key without the scope downloads nothing', async () => {
  const { record, file } = placed.get('mia') as { record: string; file: string };
  const { secret } = await world.as('ada', { scopes: ['records:write'] });
  const path = `/v1/objects/deals/records/${record}/files/papers/${file}`;
  const { status } = await sendBytes({
    port: world.port,
    method: 'GET',
    path,
    secret,
    headers: {},
  });
  expect(status).toBe(403);
});

test('another workspace has neither the record nor the file', async () => {
  const { record, file } = placed.get('mia') as { record: string; file: string };
  const { secret } = await world.as('ada', { workspace: 'globex' });
  const path = `/v1/objects/deals/records/${record}/files/papers/${file}`;
  const { status } = await sendBytes({
    port: world.port,
    method: 'GET',
    path,
    secret,
    headers: {},
  });
  expect(status).toBe(404);
});
