// The statements behind jobs: their order, the holder of the lease and its loss, retries, cancelling. The clock is
// that of the database; a test moves it by moving the times of the rows.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  appendJob,
  claimJob,
  deleteOldJobs,
  failJob,
  finishJob,
  type Job,
  type NewJob,
  putProgress,
  releaseJob,
  renewLease,
  requestCancel,
} from '../../src/control/jobs/jobs.ts';
import { retryDelay } from '../../src/flow/jobs/job-runner.ts';
import { createMigratedDatabase, type OwnDatabase } from '../own-database.ts';

let own: OwnDatabase;
const WORKSPACES = 12;
let holders = 0;

beforeAll(async () => {
  own = await createMigratedDatabase();
  await own.rows(
    `insert into workspace_records.workspaces (slug, name, schema_name, cursor_secret)
      select 'w' || n, 'W', 'ws_w' || n, '\\x00' from generate_series(1, $1::integer) n`,
    [WORKSPACES],
  );
});
beforeEach(() => own.rows('delete from workspace_records.jobs'));
afterAll(() => own?.drop());

async function append(workspace_id: number, job: Partial<NewJob> = {}): Promise<string> {
  return (await appendJob(own.db, { kind: 'copy', workspace_id, ...job })) as string;
}

function claim(kinds = ['copy', 'send'], id?: string): Promise<Job | undefined> {
  holders += 1;
  return claimJob(own.db, { kinds, holder: `holder ${holders}`, lease: 30_000, id });
}

async function claimed(): Promise<Job> {
  const job = await claim();
  if (job === undefined) throw new Error('nothing to claim');
  return job;
}

async function rowOf(id: string) {
  const [row] = await own.rows(
    `select *, extract(epoch from run_after - now()) * 1000 as wait,
      extract(epoch from lease_until - now()) * 1000 as left
      from workspace_records.jobs where id = $1`,
    [id],
  );
  return row;
}

/** As if so much time had passed. */
function pass(time: string): Promise<unknown> {
  return own.rows(
    `update workspace_records.jobs set run_after = run_after - $1::interval,
      lease_until = lease_until - $1::interval, finished_at = finished_at - $1::interval`,
    [time],
  );
}

test('a job can be taken as soon as it is there', async () => {
  for (let index = 0; index < 50; index += 1) {
    const id = await append(1);
    const job = await claimed();
    expect(job.id).toBe(id);
    await releaseJob(own.db, job);
    const again = await claimed();
    expect(again.id).toBe(id);
    await finishJob(own.db, again);
  }
});

test('a workspace with a hundred jobs does not delay the only one of another', async () => {
  for (let index = 0; index < 100; index += 1) await append(1);
  await finishJob(own.db, await claimed());
  await append(2);
  await append(3, { kind: 'send' });
  const served: (number | null)[] = [];
  for (let index = 0; index < 5; index += 1) {
    const job = await claimed();
    served.push(job.workspace_id);
    await finishJob(own.db, job);
  }
  expect(served).toEqual([2, 3, 1, 1, 1]);
});

test('with room for several the workspace of which fewer run comes first', async () => {
  for (const kind of ['copy', 'send'])
    for (const workspace of [1, 2]) await append(workspace, { kind });
  const order = [];
  for (let index = 0; index < 4; index += 1) order.push((await claimed()).workspace_id);
  expect([order.slice(0, 2).sort(), order.slice(2).sort()]).toEqual([
    [1, 2],
    [1, 2],
  ]);
});

test('of many callers that claim at once each gets another job, and one of a kind and workspace runs', async () => {
  for (let workspace = 1; workspace <= WORKSPACES; workspace += 1) {
    await append(workspace);
    await append(workspace);
  }
  const got = await Promise.all(Array.from({ length: WORKSPACES * 2 }, () => claim()));
  const places = got.flatMap((job) => (job === undefined ? [] : [job.workspace_id]));
  // A caller that skipped a row which another had locked may have got none; the next call gets it.
  for (let job = await claim(); job !== undefined; job = await claim())
    places.push(job.workspace_id);
  expect(places.sort((a, b) => Number(a) - Number(b))).toEqual(
    Array.from({ length: WORKSPACES }, (_, index) => index + 1),
  );
});

test('jobs of all workspaces have a turn of their own', async () => {
  await appendJob(own.db, { kind: 'copy', workspace_id: null });
  await appendJob(own.db, { kind: 'copy', workspace_id: null });
  await append(1);
  const got = [await claim(), await claim(), await claim()].map((job) => job?.workspace_id);
  expect(got.sort()).toEqual([1, null, undefined]);
});

test('an attempt whose lease another one has can write no more', async () => {
  const id = await append(1, { input: { rows: 3 } });
  const first = await claimed();
  expect(await putProgress(own.db, first, { done: 1 })).toBe(false);
  expect(await claim()).toBeUndefined();
  await pass('31 s');
  const second = await claimed();
  expect(second).toMatchObject({
    id,
    attempts: 2,
    // It has advanced before it died.
    failures: 0,
    input: { rows: 3 },
    progress: { done: 1 },
  });
  expect(await renewLease(own.db, first, 60_000)).toBeUndefined();
  expect(await putProgress(own.db, first, { done: 9 })).toBeUndefined();
  await finishJob(own.db, first);
  await failJob(own.db, first, { error: 'late', retryIn: undefined });
  await releaseJob(own.db, first);
  expect(await rowOf(id)).toMatchObject({ state: 'running', progress: { done: 1 }, error: null });
  await finishJob(own.db, second);
  expect(await rowOf(id)).toMatchObject({ state: 'done', lease_holder: null, failures: 0 });
});

test('an expired lease can be prolonged until another attempt takes the job', async () => {
  const id = await append(1);
  const job = await claimed();
  await pass('31 s');
  expect(await renewLease(own.db, job, 30_000)).toBe(false);
  expect(await claim()).toBeUndefined();
  expect(Number((await rowOf(id))?.left)).toBeGreaterThan(29_000);
});

test('a lease that was given back is free at once and does not count as a failure', async () => {
  await append(1);
  await releaseJob(own.db, await claimed());
  expect(await claimed()).toMatchObject({ attempts: 2, failures: 0 });
});

test('failures wait longer each time, up to a bound, and never all at the same moment', async () => {
  const delays = (random: number) =>
    [1, 2, 3, 4, 9, 40].map((failures) => retryDelay(failures, () => random) / 1000);
  expect(delays(1)).toEqual([5, 10, 20, 40, 900, 900]);
  expect(delays(0)).toEqual([2.5, 5, 10, 20, 450, 450]);
  const id = await append(1);
  await failJob(own.db, await claimed(), { error: 'no disk', retryIn: 10_000 });
  const row = await rowOf(id);
  expect(row).toMatchObject({ state: 'queued', error: 'no disk', failures: 1, finished_at: null });
  expect(Number(row?.wait)).toBeLessThanOrEqual(10_000);
  expect(await claim()).toBeUndefined();
  await pass('10 s');
  await failJob(own.db, await claimed(), { error: 'still no disk', retryIn: undefined });
  expect(await rowOf(id)).toMatchObject({ state: 'failed', error: 'still no disk', failures: 2 });
  await pass('1 day');
  expect(await claim()).toBeUndefined();
});

test('a waiting job is cancelled at once, a running one gets the request, an ended one stays', async () => {
  const running = await append(1);
  const job = await claimed();
  const waiting = await append(2);
  for (const id of [running, waiting]) await requestCancel(own.db, id);
  expect(await rowOf(waiting)).toMatchObject({
    state: 'cancelled',
    finished_at: expect.any(String),
  });
  expect(await rowOf(running)).toMatchObject({ state: 'running', finished_at: null });
  expect(await renewLease(own.db, job, 30_000)).toBe(true);
  // It would wait for another attempt otherwise.
  await failJob(own.db, job, { error: 'ended', retryIn: 0 });
  expect(await rowOf(running)).toMatchObject({ state: 'cancelled' });
  const done = await append(3);
  await finishJob(own.db, await claimed());
  await requestCancel(own.db, done);
  expect(await rowOf(done)).toMatchObject({ state: 'done', cancel_requested: false });
});

test('an operator tries again and ends jobs by hand, as the document for operators says', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');
  const [again = '', end = ''] = page.match(/^update workspace_records\.jobs .*;$/gm) ?? [];
  const id = await append(1);
  await failJob(own.db, await claimed(), { error: 'no disk', retryIn: undefined });
  await own.rows(again.replace('…', id));
  const job = await claimed();
  expect(job).toMatchObject({ id, attempts: 2, failures: 0 });
  await own.rows(end.replace('…', id));
  expect(await renewLease(own.db, job, 30_000)).toBe(true);
  await expect(own.rows(again.replace('…', id))).rejects.toThrow('check constraint');
});

test('a recurring job begins again later; a single one is there once', async () => {
  const single = { single: true, delay: 600_000 };
  const id = await append(1, single);
  expect(await append(1, single)).toBeUndefined();
  expect(await append(1)).toBeDefined();
  expect(await append(2, single)).toBeDefined();
  await pass('10 minutes');
  const job = (await claim(['copy'], id)) as Job;
  expect(await append(1, single)).toBeUndefined();
  await finishJob(own.db, job, 600_000);
  expect(await rowOf(id)).toMatchObject({ state: 'queued', attempts: 1, finished_at: null });
  expect(Number((await rowOf(id))?.wait)).toBeGreaterThan(590_000);
});

test('jobs that ended a week ago are removed, some at a time', async () => {
  for (let index = 0; index < 5; index += 1) {
    await append(1);
    await finishJob(own.db, await claimed());
  }
  await pass('6 days 23 hours');
  expect(await deleteOldJobs(own.db, 3)).toBe(0);
  await pass('1 hour 1 second');
  await append(1);
  expect([await deleteOldJobs(own.db, 3), await deleteOldJobs(own.db, 3)]).toEqual([3, 2]);
  expect(await claim()).toBeDefined();
});

test('jobs end with their workspace', async () => {
  const [row] = await own.rows(`insert into workspace_records.workspaces
    (slug, name, schema_name, cursor_secret) values ('gone', 'Gone', 'ws_gone', '\\x00') returning id`);
  await append(Number(row?.id));
  const job = await claimed();
  await own.rows(`delete from workspace_records.workspaces where slug = 'gone'`);
  expect(await renewLease(own.db, job, 30_000)).toBeUndefined();
});
