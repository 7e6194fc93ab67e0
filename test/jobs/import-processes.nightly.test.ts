// A process that imports is killed; another one continues: each row is imported once and counted once.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startJobs } from '../../src/flow/jobs/job-runner.ts';
import { importing } from '../../src/import/import-job.ts';
import { PATIENCE, TSX } from '../cli/command-process.ts';
import type { Client } from '../client.ts';
import { call } from '../http-client.ts';
import { until } from '../until.ts';
import { openWorld, type World } from '../world.ts';

const CHILD = join(import.meta.dirname, 'import-job-child.mjs');
// A busy machine sees the first of them late, and no process may come to the end before it is killed.
const ROWS = 6000;
let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.close());

async function count(text: string): Promise<number> {
  const [row] = await world.database.rows(`select count(*)::integer as rows from ${text}`);
  return Number(row?.rows);
}

const DONE = 'workspace_records.import_lines';
const WRITTEN = 'ws_acme.companies';
const NOTED = `ws_acme._audit where action = 'create' and source = 'import'`;

/** Start an import; every hundredth row cannot be imported. */
async function ask(ada: Client, length = ROWS): Promise<string> {
  const rows = Array.from({ length }, (_, index) =>
    index % 100 === 99 ? `,${index}` : `N${index},${index}`,
  );
  const sent = await call(world.port, '/v1/files?name=long.csv', {
    ...{ method: 'POST', key: ada.secret, body: `name,revenue\n${rows.join('\n')}\n` },
    headers: { 'content-type': 'text/csv' },
  });
  const mapping = { object_type: 'companies' };
  const asked = await ada.post('/imports', { file_id: sent.json.data.id, mapping });
  return asked.body.data.id;
}

/** A process works at the job until more than so many rows are done, and is killed. */
async function killBehind(done: number): Promise<void> {
  const { DATABASE_URL } = world.database.environment;
  const args = ['--import', TSX, CHILD, String(DATABASE_URL)];
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  await until(async () => (await count(DONE)) > done);
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** The lease is over, and a process continues until the job is in this state. */
async function resume(ada: Client, id: string, state: string): Promise<void> {
  await expireLease(id);
  const { db, listeners } = world.database;
  const runner = await startJobs({ db, listeners, kinds: [importing(db)], onError: console.error });
  await until(async () => {
    await runner.look();
    return (await ada.get(`/jobs/${id}`)).body.data.state === state;
  });
  await runner.stop();
}

async function expireLease(id: string): Promise<void> {
  const expire = `update workspace_records.jobs set lease_until = now() - interval '1 second' where id = $1`;
  await world.database.rows(expire, [id]);
}

beforeEach(async () => {
  await world.database.rows('truncate ws_acme.companies cascade');
  await world.database.rows('delete from ws_acme._audit');
  await world.database.rows('delete from workspace_records.jobs');
});

test('kill -9 in the middle', { timeout: PATIENCE }, async () => {
  const ada = await world.as('ada');
  const id = await ask(ada);
  await killBehind(0);
  // The last statement of the process may still run: related rows are read in one statement.
  const [left] = await world.database.rows(
    `select (select count(*)::integer from ${DONE}) as done,
      (select count(*)::integer from ${WRITTEN}) as written,
      (select count(*)::integer from ${NOTED}) as noted`,
  );
  const { done } = left as { done: number };
  expect(done).toBeLessThan(ROWS);
  expect(left).toEqual({ done, written: done, noted: done });

  await resume(ada, id, 'done');
  const { counts, progress } = (await ada.get(`/jobs/${id}`)).body.data;
  const rejected = ROWS / 100;
  const created = ROWS - rejected;
  expect(counts).toMatchObject({ created, updated: 0, unchanged: 0, rejected });
  expect(progress).toEqual({ done: ROWS, total: ROWS });
  expect([await count(WRITTEN), await count(NOTED)]).toEqual([created, created]);
  expect(await count(`(select distinct name from ${WRITTEN}) names`)).toBe(created);
  const { text } = await call(world.port, `/v1/imports/${id}/rejects`, { key: ada.secret });
  expect(text.split('\n')).toHaveLength(rejected + 2);
});

test('six kills of one import lose no row and import none twice', {
  timeout: PATIENCE,
}, async () => {
  const ada = await world.as('ada');
  const rows = 2 * ROWS;
  const id = await ask(ada, rows);
  for (let kills = 0; kills < 6; kills += 1) {
    await killBehind(await count(DONE));
    await expireLease(id);
  }
  const before = await count(DONE);
  expect(before).toBeLessThan(rows);
  await resume(ada, id, 'done');
  const { counts } = (await ada.get(`/jobs/${id}`)).body.data;
  const [rejected, created] = [rows / 100, rows - rows / 100];
  expect(counts).toMatchObject({ created, updated: 0, rejected });
  expect([await count(WRITTEN), await count(NOTED)]).toEqual([created, created]);
  expect(await count(`(select distinct name from ${WRITTEN}) names`)).toBe(created);
});

test('kill -9 in the second file', { timeout: PATIENCE }, async () => {
  const ada = await world.as('ada');
  const mapping = { object_type: 'companies', match: ['name'] };
  const files: object[] = [];
  for (const [start, end] of [
    [0, 300],
    [300, ROWS],
  ] as const) {
    const names = Array.from({ length: end - start }, (_, index) => `N${start + index}`);
    const sent = await call(world.port, '/v1/files?name=part.csv', {
      ...{ method: 'POST', key: ada.secret, body: `name\n${names.join('\n')}\n` },
      headers: { 'content-type': 'text/csv' },
    });
    files.push({ file_id: sent.json.data.id, mapping });
  }
  const { id } = (await ada.post('/imports', { files })).body.data;
  await killBehind(600);
  await resume(ada, id, 'done');
  const job = (await ada.get(`/jobs/${id}`)).body.data;
  expect(job.counts).toMatchObject({ created: ROWS, updated: 0, unchanged: 0, rejected: 0 });
  expect(job.files).toMatchObject([
    { counts: { created: 300 }, progress: { done: 300, total: 300 } },
    { counts: { created: ROWS - 300 }, progress: { done: ROWS - 300, total: ROWS - 300 } },
  ]);
  expect([await count(WRITTEN), await count(NOTED)]).toEqual([ROWS, ROWS]);
});
