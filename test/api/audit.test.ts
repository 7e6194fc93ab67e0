// The audit, over HTTP: who reads which rows, by which filters, in pages, and that no value is in them.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadAudit } from '../../src/control/events/audit-rows.ts';
import { mergePatch } from '../../src/model/definition/definition.ts';
import type { Client } from '../client.ts';
import { lacks } from '../own-database.ts';
import { ACME, openWorld, type World } from '../world.ts';

let world: World;
let ada: Client;
let mia: Client;
let rob: Client;
let deal: string;
let own: string;
let miaKey: string;

const SCOPES = ['audit:read', 'users:read', 'records:read', 'records:write'];
const SUBJECT_ROWS = `insert into ws_acme._audit
    (user_id, subject_type, subject_id, action, changed_fields, source, at)
  values (null, 'definition', '3', 'apply', '{roles}', 'cli', now() + interval '1 second')`;

beforeAll(async () => {
  world = await openWorld();
  ada = await world.as('ada', { scopes: SCOPES });
  mia = await world.as('mia', { scopes: SCOPES });
  rob = await world.as('rob', { scopes: SCOPES });
  deal = await create(mia, { name: 'Hidden value', amount: 77.5 });
  await mia.post(`/objects/deals/records/${deal}/status`, { status_id: 'won' });
  own = await create(rob, { name: 'Mine' });
  await world.database.rows(SUBJECT_ROWS);
  const [row] = await world.rows(
    'select id, api_key_id from _audit where api_key_id is not null order by id limit 1',
  );
  miaKey = String(row?.api_key_id);
});
afterAll(() => world.close());

const create = async (client: Client, fields: object) =>
  (await client.post('/objects/deals/records', { fields })).body.data.id;
const words = (answer: { readonly body: { readonly data: readonly Entry[] } }) =>
  answer.body.data.map((one) => `${one.object_type ?? one.subject_type} ${one.action}`);
interface Entry {
  readonly object_type: string | null;
  readonly subject_type: string | null;
  readonly action: string;
}
const ALL = ['definition apply', 'deals create', 'deals status', 'deals create'];

test('an administrator reads everything, newest first, without values', async () => {
  const answer = await ada.get('/audit');
  expect(words(answer)).toEqual(ALL);
  const [definition, , status] = answer.body.data;
  expect(definition).toMatchObject({
    ...{ user: null, source: 'cli', subject_id: '3', changed_fields: ['roles'] },
    ...{ object_type: null, record_id: null, api_key: null, session: null, request_id: null },
  });
  expect(status).toMatchObject({
    user: { id: world.users.mia, email: 'mia@acme.example' },
    api_key: { id: miaKey, prefix: mia.secret.slice(0, 12) },
    ...{ object_type: 'deals', record_id: deal, changed_fields: ['status'], source: 'api' },
  });
  for (const value of ['Hidden value', '77.5', 'won', 'Mine']) {
    expect(JSON.stringify(answer.body)).not.toContain(value);
  }
});

test('others read their own actions, also after they lost access to the subject', async () => {
  expect(words(await mia.get('/audit'))).toEqual(['deals status', 'deals create']);
  expect(words(await rob.get(`/audit?user_id=${world.users.rob}`))).toEqual(['deals create']);
  await world.database.rows('update ws_acme.deals set owner_user_id = $1 where id = $2', [
    world.users.ada,
    own,
  ]);
  expect((await rob.get(`/objects/deals/records/${own}`)).status).toBe(404);
  const { body } = await rob.get(`/audit?record_id=${own}`);
  expect(body.data).toMatchObject([{ record_id: own, action: 'create' }]);
  expect(words(await rob.get(`/audit?record_id=${deal}`))).toEqual([]);
  for (const id of [world.users.mia, 999_999]) {
    const { status, body } = await rob.get(`/audit?user_id=${id}`);
    expect([status, body.error.code, body.error.param]).toEqual([
      403,
      'permission_denied',
      'user_id',
    ]);
  }
});

test('keys of fields that a person may not read are not shown, also in their own actions', async () => {
  const preset = { fields: { secret: { default: 'none yet' } } };
  await world.apply(mergePatch(ACME, { objects: { deals: preset } }));
  const made = await create(rob, { name: 'With a preset' });
  const keysFor = async (client: Client) =>
    (await client.get(`/audit?record_id=${made}`)).body.data[0].changed_fields;
  expect(await keysFor(ada)).toContain('secret');
  expect(await keysFor(rob)).toEqual(expect.arrayContaining(['name']));
  expect(await keysFor(rob)).not.toContain('secret');
  await world.database.rows(
    `delete from ws_acme._audit
      where record_id = $1 or (subject_type = 'definition' and action = 'update')`,
    [made],
  );
});

test('the scope decides, for agents as well', async () => {
  const agent = await world.as('bot', { scopes: ['audit:read'] });
  expect(words(await agent.get('/audit'))).toEqual(ALL);
  const without = await world.as('ada', { scopes: ['records:read'] });
  const { status, body } = await without.get('/audit');
  expect([status, body.error.code]).toEqual([403, 'insufficient_scope']);
  expect(body.error.details).toEqual({ required_scope: 'audit:read' });
});

test('another workspace has an audit of its own', async () => {
  const foreign = await world.as('ada', { scopes: SCOPES, workspace: 'globex' });
  const { body } = await foreign.get(`/audit?record_id=${deal}`);
  expect(body.data).toEqual([]);
});

describe('filters', () => {
  const soon = () => new Date(Date.now() + 60_000).toISOString();
  test.each<[string, () => string, readonly string[]]>([
    ['user_id', () => String(world.users.mia), ALL.slice(2)],
    ['key_id', () => miaKey.toUpperCase(), ALL.slice(2)],
    ['object_type', () => 'deals', ALL.slice(1)],
    ['object_type', () => 'boats', []],
    ['record_id', () => deal, ALL.slice(2)],
    ['subject_type', () => 'definition', ALL.slice(0, 1)],
    ['subject_type', () => 'key', []],
    ['subject_id', () => '3', ALL.slice(0, 1)],
    ['action', () => 'create', [ALL[1], ALL[3]] as string[]],
    ['since', () => '2020-01-01', ALL],
    ['since', soon, []],
    ['until', soon, ALL],
    ['until', () => '2020-01-01T00:00:00+02:00', []],
  ])('%s', async (name, value, expected) => {
    const answer = await ada.get(`/audit?${name}=${encodeURIComponent(value())}`);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(words(answer)).toEqual(expected);
  });

  test.each([
    ['user_id=0', 'user_id'],
    ['user_id=2147483648', 'user_id'],
    ['user_id=x', 'user_id'],
    ['key_id=wrs_p_x', 'key_id'],
    ['record_id=1', 'record_id'],
    ['subject_type=person', 'subject_type'],
    ['action=Create', 'action'],
    ['since=yesterday', 'since'],
    ['until=2026-13-01', 'until'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['object=deals', 'object'],
  ])('%s is refused', async (query, param) => {
    const { status, body } = await ada.get(`/audit?${query}`);
    expect([status, body.error.code, body.error.param]).toEqual([400, 'validation_failed', param]);
  });
});

describe('pages', () => {
  async function walk(client: Client, query: string): Promise<readonly string[]> {
    const ids: string[] = [];
    for (let cursor = ''; ; ) {
      const { status, body } = await client.get(`/audit?${query}&cursor=${cursor}`);
      expect(status).toBe(200);
      ids.push(...body.data.map(({ id }: { readonly id: string }) => id));
      if (body.pagination.next_cursor === null) return ids;
      cursor = body.pagination.next_cursor;
    }
  }

  test('have every row once, also of one moment', async () => {
    const { body } = await ada.get('/audit?limit=100');
    const all = body.data.map(({ id }: { readonly id: string }) => id);
    expect(body.pagination).toEqual({ limit: 100, has_more: false, next_cursor: null });
    for (const limit of [1, 3]) expect(await walk(ada, `limit=${limit}`)).toEqual(all);
  });

  test('a cursor belongs to its user and query', async () => {
    const first = await ada.get('/audit?limit=1');
    const cursor = first.body.pagination.next_cursor;
    const elsewhere = await world.as('ada', { scopes: SCOPES, workspace: 'globex' });
    const answers = await Promise.all([
      mia.get(`/audit?limit=1&cursor=${cursor}`),
      elsewhere.get(`/audit?limit=1&cursor=${cursor}`),
      ada.get(`/audit?limit=1&action=create&cursor=${cursor}`),
      ada.get('/audit?cursor=x'),
    ]);
    for (const { status, body } of answers) {
      expect([status, body.error.code, body.error.param]).toEqual([
        400,
        'invalid_cursor',
        'cursor',
      ]);
    }
  });

  test('of a large table end after so many rows, and the next one continues there', async () => {
    await world.database.rows(
      `insert into ws_acme._audit (user_id, object_type, record_id, action, changed_fields, source, at)
        select $1, 'boats', gen_random_uuid(), 'update', '{}', 'import', now() - n * interval '1 ms'
        from generate_series(100000, 150000) n`,
      [world.users.sam],
    );
    const sparse = await ada.get('/audit?action=create&limit=100');
    expect(words(sparse)).toEqual([ALL[1], ALL[3]]);
    expect(sparse.body.pagination.has_more).toBe(true);
    expect(await walk(ada, 'action=create&limit=100')).toHaveLength(2);
    expect(await walk(ada, 'object_type=deals&limit=2')).toHaveLength(3);
    expect((await ada.get('/audit?object_type=boats')).body.data).toHaveLength(50);
  });

  test.skipIf(lacks('plans'))('are a range of an index, for any reader', async () => {
    const { db, rows } = world.database;
    await rows('analyze ws_acme._audit');
    const since = '2020-01-01';
    for (const filter of [{}, { user_id: world.users.rob }, { since }, { action: 'create' }]) {
      const texts: { text: string; values: readonly unknown[] }[] = [];
      const noting = {
        query: (statement: (typeof texts)[number]) => {
          texts.push(statement);
          return db.query(statement as never);
        },
      };
      await loadAudit(noting as never, 'ws_acme', filter, { before: undefined, limit: 50 });
      expect(texts).toHaveLength(1);
      const [{ text, values }] = texts as [(typeof texts)[number]];
      const plan = await rows(`explain (format json) ${text}`, values);
      const nodes = [...JSON.stringify(plan).matchAll(/"Node Type":"([\w ]+)"/g)].map(
        ([, type]) => type,
      );
      expect(JSON.stringify(plan)).toMatch(/"Index Name":"_audit_(time|user)"/);
      expect(nodes.filter((type) => type === 'Seq Scan').length).toBeLessThanOrEqual(1);
    }
  });
});
