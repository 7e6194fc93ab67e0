// A process that imports is killed; another one goes on: each row is imported once and counted once.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startJobs } from '../../src/flow/job-runner.ts';
import { importing } from '../../src/import/import-job.ts';
import { PATIENCE, TSX } from '../cli/command-process.ts';
import { call } from '../http-client.ts';
import { until } from '../until.ts';
import { openWorld, type World } from '../world.ts';

const CHILD = join(import.meta.dirname, 'import-job-child.mjs');
const ROWS = 3000;
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

test('kill -9 in the middle', { timeout: PATIENCE }, async () => {
  const ada = await world.as('ada');
  // Every hundredth cannot be imported.
  const rows = Array.from({ length: ROWS }, (_, index) =>
    index % 100 === 99 ? `,${index}` : `N${index},${index}`,
  );
  const sent = await call(world.port, '/v1/files?name=long.csv', {
    ...{ method: 'POST', key: ada.secret, body: `name,revenue\n${rows.join('\n')}\n` },
    headers: { 'content-type': 'text/csv' },
  });
  const mapping = { object_type: 'companies' };
  const asked = await ada.post('/imports', { file_id: sent.json.data.id, mapping });
  const { id } = asked.body.data;

  const { DATABASE_URL } = world.database.environment;
  const args = ['--import', TSX, CHILD, String(DATABASE_URL)];
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  await until(async () => (await count(DONE)) > 0);
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  // What the process sent last may still be written: what belongs together is read in one statement.
  const [left] = await world.database.rows(
    `select (select count(*)::integer from ${DONE}) as done,
      (select count(*)::integer from ${WRITTEN}) as written,
      (select count(*)::integer from ${NOTED}) as noted`,
  );
  const { done } = left as { done: number };
  expect(done).toBeLessThan(ROWS);
  expect(left).toEqual({ done, written: done, noted: done });

  const expire = `update workspace_records.jobs set lease_until = now() - interval '1 second' where id = $1`;
  await world.database.rows(expire, [id]);
  const { db, listeners } = world.database;
  const runner = await startJobs({ db, listeners, kinds: [importing(db)], onError: console.error });
  await until(async () => {
    await runner.look();
    return (await ada.get(`/jobs/${id}`)).body.data.state === 'done';
  });
  await runner.stop();
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
