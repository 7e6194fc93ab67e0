// A process that erases records is killed, or loses its database, at any step; another one continues: every trace is
// removed, the report is that of one attempt, and readers of changes hear of each record once.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLease } from '../../src/control/jobs/job-lease.ts';
import { erasing } from '../../src/flow/jobs/erasure-job.ts';
import { PATIENCE, TSX } from '../cli/command-process.ts';
import type { Client } from '../client.ts';
import { DEALS, leaveTraces, TRACED, wordsInDump, wordsOf, workAt } from '../erased-traces.ts';
import { IS_LONG, until } from '../until.ts';
import { openWorldWith, type World } from '../world.ts';
import { FAULTS, type Fault, failing } from './failing-database.ts';

const CHILD = join(import.meta.dirname, 'erasure-job-child.mjs');
let world: World;
let ada: Client;

beforeAll(async () => {
  world = await openWorldWith(TRACED);
  ada = await world.as('ada');
});
afterAll(() => world?.close());

const SMALL_PAUSE = { pause: 0 };

async function ask(ids: readonly string[]): Promise<string> {
  const records = ids.map((id) => ({ object_type: 'deals', id }));
  const { status, body } = await ada.post('/erasures', { records });
  expect(status, JSON.stringify(body)).toBe(202);
  return body.data.id;
}

async function finish(id: string): Promise<void> {
  await world.database.rows(
    `update workspace_records.jobs set lease_until = now() - interval '1 second', run_after = now()
      where id = $1 and state = 'running'`,
    [id],
  );
  const { db } = world.database;
  if ((await ada.get(`/jobs/${id}`)).body.data.state !== 'done') {
    await workAt(db, erasing(db, SMALL_PAUSE), id);
  }
  expect((await ada.get(`/jobs/${id}`)).body.data.state).toBe('done');
}

const audited = (ids: readonly string[]) =>
  world.rows(
    `select action, count(*)::integer as rows from _audit
      where record_id = any($1) and action in ('delete', 'erase') group by action order by action`,
    [ids],
  );

async function deals(count: number): Promise<readonly string[]> {
  const rows = await world.database.rows(
    `insert into ws_acme.deals (id, name, status, created_by_user_id, owner_user_id)
      select gen_random_uuid(), 'Erased ' || n, 'open', $2, $2 from generate_series(1, $1::integer) n returning id`,
    [count, world.users.ada],
  );
  return rows.map(({ id }) => String(id));
}

test('kill -9 in the middle', { timeout: PATIENCE }, async () => {
  const ids = await deals(100);
  const id = await ask(ids);
  const { DATABASE_URL } = world.database.environment;
  const args = ['--import', TSX, CHILD, String(DATABASE_URL)];
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  const erased = async () => (await audited(ids)).find(({ action }) => action === 'erase');
  await until(async () => (await erased()) !== undefined);
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  expect(Number((await erased())?.rows)).toBeLessThan(100);
  await finish(id);
  expect(await audited(ids)).toEqual([
    { action: 'delete', rows: 100 },
    { action: 'erase', rows: 100 },
  ]);
  const { counts } = (await ada.get(`/jobs/${id}`)).body.data;
  expect(counts).toMatchObject({ records: 100, refused: 0 });
  expect(await world.rows('select id from deals where id = any($1)', [ids])).toEqual([]);
});

/** Try one fault; answers whether there was such a statement. */
async function interrupted(fault: Fault): Promise<boolean> {
  const traced = await leaveTraces({ world, ada });
  const id = await ask([traced.id]);
  const { db } = world.database;
  const lease = await openLease(db, { kinds: ['erasure'], id });
  if (lease === undefined) throw new Error('the job was not there');
  const end = new AbortController();
  const { state, db: broken } = failing(db, fault, end);
  await erasing(broken, SMALL_PAUSE)
    .run(lease.job, end.signal, lease.report)
    .catch(() => undefined);
  lease.end('stopping');
  await finish(id);
  expect(await wordsInDump(world.database, wordsOf([traced]))).toEqual(new Map());
  expect(await audited([traced.id])).toEqual([
    { action: 'delete', rows: 1 },
    { action: 'erase', rows: 1 },
  ]);
  const { counts } = (await ada.get(`/jobs/${id}`)).body.data;
  expect(counts).toMatchObject({
    ...{ records: 1, comments: 2, links: 1, stored_answers: 13, deliveries: 1 },
    ...{ files: 3, rejected_rows: 2, refused: 0 },
  });
  expect((await ada.get(`${DEALS}/${traced.id}`)).status).toBe(404);
  return state.struck;
}

test.each(FAULTS)('each statement once %s', { timeout: PATIENCE }, async (_, isSent, isLast) => {
  // The four together meet every statement.
  const step = IS_LONG ? 1 : 4;
  let at = 1 + Number(isSent) + 2 * Number(isLast);
  for (; await interrupted({ at, isSent, isLast }); at += step);
  expect(at).toBeGreaterThan(20);
});
