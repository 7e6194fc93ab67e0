// Exports of a whole workspace over HTTP: the file is that of the command and can be restored, the people who may have
// it, one at a time, and the end of its time. That it survives the end of a process is in test/jobs.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { exportingWorkspaces } from '../../src/export/workspace-export-job.ts';
import { openFileStore } from '../../src/files/file-store.ts';
import type { FileStore } from '../../src/files/stored-bytes.ts';
import { erasing } from '../../src/flow/jobs/erasure-job.ts';
import { sweeping } from '../../src/flow/jobs/sweeper.ts';
import { SCOPES } from '../../src/model/rights/access.ts';
import { type Client, refusalOf } from '../client.ts';
import { type FileWorld, openFileWorld, sendBytes } from '../file-world.ts';
import { exported, restored, tableDigests } from '../moved-workspace.ts';
import { hold } from '../until.ts';
import type { PersonName } from '../world.ts';
import { openJobs } from './job-world.ts';

let files: FileWorld;
let ada: Client;
let store: FileStore;
const jobs = openJobs(() => files.world);

beforeAll(async () => {
  files = await openFileWorld();
  ({ ada } = files);
  store = openFileStore(files.world.config);
  const { body } = await files.upload(ada, 'the text of a paper', { name: 'paper.txt' });
  await files.deal({ papers: [body.data.id] });
});
afterEach(() => jobs.stop());
afterAll(() => files?.world.close());

const PATH = '/workspace/export';
const own = () => files.world.database;
const making = () => ({ store, release: '1.2.3' });
const start = (client: Client) => client.post(PATH, undefined);

async function started(client = ada): Promise<string> {
  const { status, body } = await start(client);
  expect(status, JSON.stringify(body)).toBe(202);
  return body.data.id;
}

async function made(client = ada) {
  const id = await started(client);
  await jobs.work(exportingWorkspaces(own().db, making()));
  return jobs.ended(client, id);
}

const fileOf = (id: string) => `/exports/${id}/file`;
const download = (id: string, client = ada) => files.download(client, fileOf(id));

/** Names of all files of the store, also of those that have not arrived. */
async function storedNames(): Promise<readonly string[]> {
  const folder = join(files.world.config.dataDirectory, 'files');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) => (entry.isFile() ? [entry.name] : []));
}

/** The bytes of the archive are in the store beside the file of the record. */
const archives = async () => (await storedNames()).length - 1;

test('keys of programs and of calendar feeds stay here', async () => {
  const { report } = await exported(own(), 'acme', { store });
  const keys = `insert into workspace_records.api_keys (id, workspace_id, user_id, type, name, prefix, secret_hash, scopes,
      client_id, view_id)
    select gen_random_uuid(), workspace_id, user_id, type, name, prefix, sha256(gen_random_uuid()::text::bytea), scopes,
      case n when 1 then 'x' end, case n when 2 then gen_random_uuid() end
    from workspace_records.api_keys cross join generate_series(1, 2) n where workspace_id = 1`;
  await own().rows(keys);
  expect((await exported(own(), 'acme', { store })).report.api_keys).toBe(report.api_keys);
  await own().rows(
    'delete from workspace_records.api_keys where client_id is not null or view_id is not null',
  );
});

test('the file is that of the command, and restores the workspace', async () => {
  const job = await made();
  expect(job).toMatchObject({
    ...{ kind: 'workspace_export', state: 'done', about: {}, error: null, notes: [] },
    counts: { records: 1, files: 1, missing_files: 0 },
  });
  const { headers, bytes } = await download(job.id);
  expect(headers).toMatchObject({
    'content-type': 'application/gzip',
    'content-length': String(job.counts.bytes),
  });
  expect(headers['content-disposition']).toMatch(
    /^attachment; filename="acme\.\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.gz"$/,
  );
  const { file, report } = await exported(own(), 'acme', { store });
  expect(job.counts.api_keys).toBe(report.api_keys);
  expect(job.progress).toEqual({ done: expect.any(Number), total: report.rows });
  const lines = (content: Buffer) => content.toString().split('\n').slice(1, -2);
  expect(lines(gunzipSync(bytes))).toEqual(lines(file));
  const before = await tableDigests(own(), 'ws_acme');
  const copy = await restored(own(), gunzipSync(bytes), { slug: 'copy', store });
  expect(copy).toMatchObject({ records: 1, files: 1 });
  expect(await tableDigests(own(), 'ws_copy')).toEqual(before);
  await store.removeAll(copy.workspace.id);
});

test('the audit has the person who asked for it', async () => {
  const session = await files.world.inSession('ada');
  const id = await started(session);
  const { data } = (await ada.get(`/audit?subject_id=${id}`)).body;
  expect(data).toMatchObject([
    { subject_type: 'workspace_export', action: 'create', session: { id: session.sessionId } },
  ]);
  await ada.post(`/jobs/${id}/cancel`, undefined);
});

test('one is made at a time, and the next one removes the one before', async () => {
  const first = await made();
  const second = await started();
  expect(refusalOf(await start(ada))).toEqual([409, 'conflict', undefined]);
  const waiting = JSON.parse((await download(second)).bytes.toString());
  expect(refusalOf({ status: 409, body: waiting })).toEqual([409, 'conflict', undefined]);
  expect((await download(first.id)).status).toBe(200);
  await jobs.work(exportingWorkspaces(own().db, making()));
  await jobs.ended(ada, second);
  expect([(await download(first.id)).status, (await download(second)).status]).toEqual([404, 200]);
  expect(await archives()).toBe(1);
});

test('a repeated request with the same key starts one', async () => {
  const keyed = () => ada.post(PATH, undefined, { 'idempotency-key': 'backup-1' });
  const [one, two] = [await keyed(), await keyed()];
  expect([one.status, two.body.data.id]).toEqual([202, one.body.data.id]);
  await ada.post(`/jobs/${one.body.data.id}/cancel`, undefined);
});

const DENIED = [403, 'permission_denied', undefined];

test('nobody but administrators starts one or gets its file', async () => {
  const { id } = await made();
  const { database, port } = files.world;
  for (const person of ['mia', 'rob', 'rae', 'bea', 'con'] as const satisfies PersonName[]) {
    const session = await files.world.inSession(person);
    expect(refusalOf(await start(session)), person).toEqual(DENIED);
    expect((await session.get(fileOf(id))).status, person).toBe(404);
    const key = await files.world.as(person);
    const code = person === 'con' ? 'developer_access_revoked' : 'permission_denied';
    expect(refusalOf(await start(key)), person).toEqual([403, code, undefined]);
    expect((await download(id, key)).status, person).toBe(person === 'con' ? 403 : 404);
  }
  for (const client of [await files.world.as('bot'), await files.world.inSession('ada')]) {
    const other = await made(client);
    expect(other.state).toBe('done');
    const credential = 'cookie' in client ? { cookie: String(client.cookie) } : {};
    const headers = { ...('cookie' in client ? { authorization: undefined } : {}), ...credential };
    const sent = { port, method: 'GET', path: `/v1${fileOf(other.id)}`, secret: client.secret };
    expect((await sendBytes({ ...sent, headers })).status).toBe(200);
  }
  const globex = await files.world.as('ada', { workspace: 'globex' });
  expect((await globex.get(fileOf(id))).status).toBe(404);
  const [count] = await database.rows(
    `select count(*)::integer as jobs from workspace_records.jobs where state = 'queued'
      and kind = 'workspace_export'`,
  );
  expect(count?.jobs).toBe(0);
});

test('a key needs every scope of what the file has, and a session a fresh sign-in', async () => {
  const { id } = await made();
  for (const scope of [
    'workspace:write',
    'users:read',
    'records:read',
    'comments:read',
    'audit:read',
  ]) {
    const key = await files.world.as('ada', { scopes: SCOPES.filter((one) => one !== scope) });
    expect(refusalOf(await start(key)), scope).toEqual([403, 'insufficient_scope', undefined]);
    expect((await download(id, key)).status, scope).toBe(403);
  }
  const session = await files.world.inSession('ada');
  await own().rows(
    `update workspace_records.sessions set created_at = now() - interval '31 minutes' where id = $1`,
    [session.sessionId],
  );
  expect(refusalOf(await start(session))).toEqual([403, 'fresh_sign_in_required', undefined]);
});

test('an author who is no administrator any longer gets no file', async () => {
  const bot = await files.world.as('bot');
  const id = await started(bot);
  const roles = (keys: readonly string[]) =>
    own().rows(`update ws_acme._users set roles = $2 where id = $1`, [files.world.users.bot, keys]);
  await roles(['manager']);
  await jobs.work(exportingWorkspaces(own().db, making()));
  const job = await jobs.ended(ada, id);
  expect(job).toMatchObject({
    ...{ state: 'failed', counts: {} },
    error: 'The person who started the job no longer has permission for it.',
  });
  expect((await download(id)).status).toBe(409);
  await roles(['admin']);
});

test('the file is removed a day later', async () => {
  const { id } = await made();
  const age = (hours: number) =>
    own().rows(
      `update workspace_records.jobs set finished_at = now() - make_interval(hours => $2) where id = $1`,
      [id, hours],
    );
  const sweep = () =>
    sweeping(own().db, store).run(
      undefined as never,
      new AbortController().signal,
      async () => undefined,
    );
  await age(23);
  await sweep();
  expect((await download(id)).status).toBe(200);
  await age(25);
  const { status, bytes } = await download(id);
  const answer = { status, body: JSON.parse(bytes.toString()) };
  expect(refusalOf(answer)).toEqual([404, 'record_not_found', 'job_id']);
  expect(await archives()).toBe(1);
  await age(24 * 8);
  await sweep();
  expect(await archives()).toBe(0);
});

test('a store that fails leaves nothing, and the next attempt makes the file', async () => {
  let failures = 1;
  const failing: FileStore = {
    ...store,
    put: (at, pieces) =>
      store.put(
        at,
        (async function* () {
          for await (const piece of pieces) {
            yield piece;
            if (failures > 0) {
              failures -= 1;
              throw new Error('no space is left');
            }
          }
        })(),
      ),
  };
  const before = await archives();
  const id = await started();
  await jobs.work(exportingWorkspaces(own().db, { store: failing, release: '1.2.3' }));
  await expect.poll(() => failures).toBe(0);
  await expect.poll(async () => (await ada.get(`/jobs/${id}`)).body.data.error).not.toBeNull();
  expect(await archives()).toBe(before);
  await own().rows(`update workspace_records.jobs set run_after = now() where id = $1`, [id]);
  expect(await jobs.ended(ada, id)).toMatchObject({ state: 'done', error: null });
  expect((await download(id)).status).toBe(200);
});

test('one that is cancelled in the middle leaves nothing', async () => {
  const before = await archives();
  let isBegun = false;
  const { held, release } = hold();
  const slow: FileStore = {
    ...store,
    put: (at, pieces) =>
      store.put(
        at,
        (async function* () {
          isBegun = true;
          yield Buffer.from('the first bytes');
          await held;
          yield* pieces;
        })(),
      ),
  };
  const id = await started();
  await jobs.work(exportingWorkspaces(own().db, { store: slow, release: '1.2.3' }));
  await expect.poll(() => isBegun).toBe(true);
  await ada.post(`/jobs/${id}/cancel`, undefined);
  release();
  expect(await jobs.ended(ada, id)).toMatchObject({ state: 'cancelled', counts: {} });
  await expect.poll(archives).toBe(before);
  expect((await download(id)).status).toBe(409);
});

test('an erasure removes the archive', async () => {
  const { id } = await made();
  const records = [{ object_type: 'deals', id: await files.deal({ name: 'To be erased' }) }];
  const { body } = await ada.post('/erasures', { records });
  await jobs.work(erasing(own().db, { pause: 0, store }));
  const job = await jobs.ended(ada, body.data.id);
  expect(job).toMatchObject({ state: 'done', counts: { files: 1 } });
  expect((await download(id)).status).toBe(404);
  expect(await archives()).toBe(0);
});
