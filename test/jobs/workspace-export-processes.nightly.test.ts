// A process that exports a workspace is killed, or loses its database, at any step; another one makes the file again,
// and no part of a file is left.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLease } from '../../src/control/jobs/job-lease.ts';
import { exportingWorkspaces } from '../../src/export/workspace-export-job.ts';
import { openFileStore } from '../../src/files/file-store.ts';
import { PATIENCE, TSX } from '../cli/command-process.ts';
import { workAt } from '../erased-traces.ts';
import { type FileWorld, openFileWorld } from '../file-world.ts';
import { until } from '../until.ts';
import { FAULTS, type Fault, failing } from './failing-database.ts';

const CHILD = join(import.meta.dirname, 'workspace-export-job-child.mjs');
let files: FileWorld;

beforeAll(async () => {
  files = await openFileWorld();
  await mkdir(folder(), { recursive: true });
});
afterAll(() => files?.world.close());

const folder = () => join(files.world.config.dataDirectory, 'files');
const kind = (db = files.world.database.db) =>
  exportingWorkspaces(db, { store: openFileStore(files.world.config), release: '1.2.3' });

async function storedNames(): Promise<readonly string[]> {
  const entries = await readdir(folder(), { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) => (entry.isFile() ? [entry.name] : []));
}

async function ask(): Promise<string> {
  const { status, body } = await files.ada.post('/workspace/export', undefined);
  expect(status, JSON.stringify(body)).toBe(202);
  return body.data.id;
}

/** The next attempt, which makes the only file there is. */
async function finish(id: string): Promise<void> {
  const { db, rows } = files.world.database;
  await rows(
    `update workspace_records.jobs set lease_until = now() - interval '1 second', run_after = now()
      where id = $1 and state = 'running'`,
    [id],
  );
  const state = async () => (await files.ada.get(`/jobs/${id}`)).body.data.state;
  if ((await state()) !== 'done') await workAt(db, kind(), id);
  expect(await state()).toBe('done');
  const { status, bytes } = await files.download(files.ada, `/exports/${id}/file`);
  expect(status).toBe(200);
  expect(gunzipSync(bytes).toString()).toContain('"format":"workspace-records export"');
  expect(await storedNames()).toHaveLength(1);
}

test('kill -9 in the middle', { timeout: PATIENCE }, async () => {
  const id = await ask();
  const { DATABASE_URL } = files.world.database.environment;
  const { dataDirectory } = files.world.config;
  const args = ['--import', TSX, CHILD, String(DATABASE_URL), dataDirectory];
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  await until(async () => (await storedNames()).some((name) => name.endsWith('.part')));
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  expect((await files.download(files.ada, `/exports/${id}/file`)).status).toBe(409);
  await finish(id);
});

/** Try one fault; answers whether there was such a statement. */
async function interrupted(fault: Fault): Promise<boolean> {
  const id = await ask();
  const { db } = files.world.database;
  const lease = await openLease(db, { kinds: ['workspace_export'], id });
  if (lease === undefined) throw new Error('the job was not there');
  const end = new AbortController();
  const { state, db: broken } = failing(db, fault, end);
  await kind(broken)
    .run(lease.job, end.signal, lease.report)
    .catch(() => undefined);
  lease.end('stopping');
  await finish(id);
  return state.struck;
}

test.each(FAULTS)('each statement once %s', { timeout: PATIENCE }, async (_, isSent, isLast) => {
  let at = 1;
  for (; await interrupted({ at, isSent, isLast }); at += 1);
  expect(at).toBeGreaterThan(3);
});
