// `Idempotency-Key` on files, imports and exports (D268): once, the same answer again, and only to callers who still
// have the right.

import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Answer, Client } from '../client.ts';
import { call } from '../http-client.ts';
import { openWorld, type World } from '../world.ts';
import { openJobs, sendFile } from './job-world.ts';

let world: World;
let ada: Client;
let count = 0;
const jobs = openJobs(() => world);
const DEALS_FILE = { object_type: 'deals' };

beforeAll(async () => {
  world = await openWorld();
  ada = await world.as('ada');
});
afterEach(() => jobs.stop());
afterAll(() => world?.close());

interface Sent {
  readonly path: string;
  readonly body: unknown;
  readonly type?: string;
}

function send(key: string, { path, body, type }: Sent, { secret } = ada) {
  const headers = {
    'idempotency-key': key,
    ...(type === undefined ? {} : { 'content-type': type }),
  };
  return call(world.port, `/v1${path}`, { method: 'POST', key: secret, body, headers });
}

function newKey(): string {
  count += 1;
  return `transfer-${count}`;
}

async function fileId(): Promise<string> {
  const { json } = await sendFile(world, ada, 'name\nA\n');
  return json.data.id;
}

const aFile = (name = 'rows'): Sent => ({
  path: `/files?name=${name}`,
  body: 'name\nA\n',
  type: 'text/csv',
});
const anExport: Sent = { path: '/exports', body: DEALS_FILE };
const anImport = async (): Promise<Sent> => ({
  path: '/imports',
  body: { file_id: await fileId(), mapping: { object_type: 'companies' } },
});

/** The data that is stored with the workspace: files and jobs. */
async function kept(): Promise<unknown> {
  return world.database.rows(
    `select (select count(*)::integer from workspace_records.files) as files,
      (select count(*)::integer from workspace_records.jobs) as jobs,
      (select count(*)::integer from ws_acme._audit) as audited`,
  );
}

test.each([
  ['a file', async () => aFile()],
  ['an import', anImport],
  ['an export', async () => anExport],
])('%s: once, and the same answer again', async (_, make) => {
  const [sent, key] = [await make(), newKey()];
  const first = await send(key, sent);
  expect(first.status, JSON.stringify(first.json)).toBeLessThan(300);
  const before = await kept();
  const again = await send(key, sent);
  expect([again.status, again.json]).toEqual([first.status, first.json]);
  expect(first.headers['idempotent-replayed']).toBeUndefined();
  expect(again.headers['idempotent-replayed']).toBe('true');
  expect(await kept()).toEqual(before);
  const other = await send(newKey(), sent);
  expect(other.json.data.id).not.toBe(first.json.data.id);
});

test('many at once: one does it, the others hear of it or that it is being done', async () => {
  const [sent, key, before] = [await anImport(), newKey(), await world.digest()];
  const answers = await Promise.all(Array.from({ length: 6 }, () => send(key, sent)));
  const done = answers.filter(({ status }) => status === 202);
  expect(new Set(done.map(({ json }) => json.data.id)).size).toBe(1);
  for (const { status, json } of answers) {
    if (status !== 202) expect([status, json.error.code]).toEqual([409, 'idempotency_key_in_use']);
  }
  expect(done.length).toBeGreaterThan(0);
  expect(await world.digest()).not.toBe(before);
  const started = await world.rows(
    `select 1 from _audit where subject_type = 'import' and action = 'create' and subject_id = $1`,
    [done[0]?.json.data.id],
  );
  expect(started).toHaveLength(1);
});

test.each([
  ['another body', anExport, { ...anExport, body: { ...DEALS_FILE, format: 'jsonl' } }],
  ['another path', anExport, { ...anExport, path: '/objects/deals/records' }],
  ['another name', aFile('a'), aFile('b')],
  ['another media type', aFile(), { ...aFile(), type: 'text/tab-separated-values' }],
])('%s under the same key is refused', async (_, first, second) => {
  const key = newKey();
  expect((await send(key, first)).status).toBeLessThan(300);
  const body = second.path.includes('records') ? { fields: { name: 'x' } } : second.body;
  const { status, json } = await send(key, { ...second, body });
  expect([status, json.error.code]).toEqual([422, 'idempotency_key_reused']);
});

test('a refusal leaves the key free, and a malformed key is refused', async () => {
  const key = newKey();
  const absent = '01900000-0000-7000-8000-00000000000a';
  const wrong = { path: '/imports', body: { file_id: absent, mapping: { object_type: 'deals' } } };
  const refused = await send(key, wrong);
  expect([refused.status, refused.json.error.param]).toEqual([404, 'file_id']);
  expect((await send(key, await anImport())).status).toBe(202);
  const malformed = await send('a b', anExport);
  expect([malformed.status, malformed.json.error.param]).toEqual([400, 'Idempotency-Key']);
});

test('conditions that have passed since do not matter, the rights of the caller do', async () => {
  const sue = await world.as('ada');
  const [sent, key, exported] = [await anImport(), newKey(), newKey()];
  const first = await send(key, sent, sue);
  expect((await send(exported, anExport, sue)).status).toBe(202);
  await world.database.rows('update workspace_records.files set expires_at = now()');
  const again = await send(key, sent, sue);
  expect([again.status, again.json.data?.id]).toEqual([202, first.json.data.id]);
  const become = (roles: string) =>
    world.database.rows(`update ws_acme._users set roles = $1 where id = $2`, [
      `{${roles}}`,
      world.users.ada,
    ]);
  const answered = async (one: Sent, of: string, expected: readonly unknown[]) =>
    vi.waitFor(async () => {
      const { status, json } = await send(of, one, sue);
      expect([status, json.error?.code]).toEqual(expected);
    }, 60_000);
  await become('blind');
  await answered(sent, key, [403, 'permission_denied']);
  await answered(anExport, exported, [404, 'object_not_available']);
  await become('admin');
  await answered(sent, key, [202, undefined]);
});

test('a key belongs to its sender, and its day ends', async () => {
  const [key, other] = [newKey(), await world.as('mia')];
  const first = await send(key, anExport);
  const theirs = await send(key, anExport, other);
  expect(theirs.json.data.id).not.toBe(first.json.data.id);
  const day = `update ws_acme._idempotency set stored_at = now() - interval '25 hours' where key = $1`;
  await world.database.rowsNear('ws_acme', day, [key]);
  const later: Answer['body'] = (await send(key, anExport)).json;
  expect(later.data.id).not.toBe(first.json.data.id);
});
