// A process that changes many records is killed, or loses its database, at any step; another one continues: each
// record is changed once and counted once.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openLease } from '../../src/control/jobs/job-lease.ts';
import { changingMany } from '../../src/flow/jobs/bulk-job.ts';
import { startJobs } from '../../src/flow/jobs/job-runner.ts';
import { PATIENCE, TSX } from '../cli/command-process.ts';
import type { Client } from '../client.ts';
import { IS_LONG, until } from '../until.ts';
import { openWorld, type World } from '../world.ts';
import { FAULTS, type Fault, failing } from './failing-database.ts';

const CHILD = join(import.meta.dirname, 'bulk-job-child.mjs');
let world: World;
let ada: Client;

beforeAll(async () => {
  world = await openWorld();
  ada = await world.as('ada');
});
afterEach(async () => {
  await world.database.rows('delete from workspace_records.jobs');
  await world.database.rows('delete from ws_acme.boats');
  await world.database.rows('delete from ws_acme.companies');
  await world.database.rows('delete from ws_acme._audit');
});
afterAll(() => world?.close());

async function count(text: string): Promise<number> {
  const [row] = await world.database.rows(`select count(*)::integer as rows from ${text}`);
  return Number(row?.rows);
}

/** Companies; every hundredth has a boat, so that it cannot be deleted. */
async function companies(records: number): Promise<void> {
  await world.database.rows(
    `insert into ws_acme.companies (id, name, created_by_user_id, owner_user_id)
      select gen_random_uuid(), 'Many ' || n, $2, $2 from generate_series(1, $1::integer) n`,
    [records, world.users.ada],
  );
}

const where = { field: 'name', op: 'starts_with', value: 'Many ' };

async function ask(records: number, change: object): Promise<string> {
  const body = { where, ...change, expected_count: records };
  const asked = await ada.post('/objects/companies/records/bulk', body);
  expect(asked.status, JSON.stringify(asked.body)).toBe(202);
  return asked.body.data.id;
}

const UPDATE = { action: 'update', fields: { tier: 'gold' } };

/** Every record has had the change once, with its audit row, and was counted once. */
async function expectOnce(id: string, records: number): Promise<void> {
  const { state, counts, progress } = (await ada.get(`/jobs/${id}`)).body.data;
  expect(state).toBe('done');
  expect(counts).toEqual({ changed: records, unchanged: 0, refused: 0 });
  expect(progress).toEqual({ done: records, total: records });
  expect(await count(`ws_acme.companies where version = 2 and tier = 'gold'`)).toBe(records);
  expect(await count('ws_acme.companies')).toBe(records);
  const noted = `ws_acme._audit where source = 'bulk' and action = 'update'`;
  expect(await count(noted)).toBe(records);
  expect(await count(`(select distinct record_id from ${noted}) once`)).toBe(records);
  expect(await count('workspace_records.bulk_pages')).toBe(0);
}

async function finish(id: string): Promise<void> {
  await world.database.rows(
    `update workspace_records.jobs set lease_until = now() - interval '1 second', run_after = now() where id = $1 and state = 'running'`,
    [id],
  );
  const { db, listeners } = world.database;
  const kinds = [changingMany(db)];
  const runner = await startJobs({ db, listeners, kinds, onError: () => undefined });
  await until(async () => {
    await runner.look();
    return (await ada.get(`/jobs/${id}`)).body.data.state === 'done';
  });
  await runner.stop();
}

test('kill -9 in the middle', { timeout: PATIENCE }, async () => {
  const records = 6000;
  await companies(records);
  const id = await ask(records, UPDATE);
  const { DATABASE_URL } = world.database.environment;
  const args = ['--import', TSX, CHILD, String(DATABASE_URL)];
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  const changed = 'ws_acme.companies where version > 1';
  await until(async () => (await count(changed)) > 0);
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  // The last statement of the process may still run: related rows are read in one statement.
  const [left] = await world.database.rows(
    `select (select count(*)::integer from ${changed}) as changed,
      (select count(*)::integer from ws_acme._audit where source = 'bulk') as noted,
      (select progress from workspace_records.jobs where id = $1) as progress`,
    [id],
  );
  const { changed: done } = left as { changed: number };
  expect(done).toBeLessThan(records);
  expect(left).toMatchObject({ noted: done, progress: { done, total: records } });
  await finish(id);
  await expectOnce(id, records);
});

const RECORDS = 1200;
const outcomes: string[] = [];

/** Try one fault; answers whether there was such a statement. */
async function interrupted(fault: Fault): Promise<boolean> {
  await companies(RECORDS);
  const id = await ask(RECORDS, UPDATE);
  const { db } = world.database;
  const lease = await openLease(db, { kinds: ['bulk'], id });
  if (lease === undefined) throw new Error('the job was not there');
  const end = new AbortController();
  const { state, db: broken } = failing(db, fault, end);
  const work = changingMany(broken).run(lease.job, end.signal, lease.report);
  const outcome = await work.then(
    () => 'done',
    () => 'failed',
  );
  lease.end('stopping');
  outcomes.push(outcome);
  await finish(id);
  await expectOnce(id, RECORDS);
  await world.database.rows('delete from ws_acme.companies');
  await world.database.rows('delete from ws_acme._audit');
  return state.struck;
}

test.each(FAULTS)('each statement once %s', { timeout: PATIENCE }, async (_, isSent, isLast) => {
  // The four together meet every statement.
  const step = IS_LONG ? 1 : 4;
  outcomes.length = 0;
  let at = 1 + Number(isSent) + 2 * Number(isLast);
  for (; await interrupted({ at, isSent, isLast }); at += step);
  expect(at).toBeGreaterThan(8);
  // The attempt itself recovers from most faults when it continues.
  const done = outcomes.filter((outcome) => outcome === 'done').length;
  expect(done > outcomes.length / 2).toBe(!isLast);
});

test('refused records are counted once as well, and the others are changed', {
  timeout: PATIENCE,
}, async () => {
  await companies(RECORDS);
  await world.database.rows(
    `insert into ws_acme.boats (id, name, company_id, created_by_user_id)
      select gen_random_uuid(), 'b', id, $1 from ws_acme.companies order by id limit 150`,
    [world.users.ada],
  );
  const id = await ask(RECORDS, { action: 'delete' });
  const { db } = world.database;
  const lease = await openLease(db, { kinds: ['bulk'], id });
  if (lease === undefined) throw new Error('the job was not there');
  const end = new AbortController();
  const { db: broken } = failing(db, { at: 14, isSent: true, isLast: true }, end);
  await changingMany(broken)
    .run(lease.job, end.signal, lease.report)
    .catch(() => undefined);
  lease.end('stopping');
  await finish(id);
  const { counts, problems, more_problems } = (await ada.get(`/jobs/${id}`)).body.data;
  expect(counts).toEqual({ changed: RECORDS - 150, unchanged: 0, refused: 150 });
  expect([problems.length, more_problems]).toEqual([100, true]);
  expect(await count('ws_acme.companies')).toBe(150);
  expect(await count('workspace_records.bulk_refusals')).toBe(150);
  await world.database.rows('delete from ws_acme.boats');
});
