// The runner in this process: the number at once, failures are repeated, cancelled or lost jobs end at once, leases
// are given back at the end, and the cost of an idle runner.

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { JobKind } from '../../src/control/jobs/job-lease.ts';
import { endingOf } from '../../src/control/jobs/job-lease.ts';
import {
  announceJob,
  appendJob,
  claimJob,
  type NewJob,
  requestCancel,
} from '../../src/control/jobs/jobs.ts';
import { type JobRunner, startJobs } from '../../src/flow/jobs/job-runner.ts';
import { sweeping } from '../../src/flow/jobs/sweeper.ts';
import { wrapDatabase } from '../../src/postgres/db.ts';
import { NO_FILES } from '../no-files.ts';
import { createMigratedDatabase, type OwnDatabase } from '../own-database.ts';
import { until } from '../until.ts';

const NEVER = 1_000_000;
let own: OwnDatabase;
const runners: JobRunner[] = [];
const errors: string[] = [];

beforeAll(async () => {
  own = await createMigratedDatabase();
  await own.rows(
    `insert into workspace_records.workspaces (slug, name, schema_name, cursor_secret)
      select 'w' || n, 'W', 'ws_w' || n, '\\x00' from generate_series(1, 9) n`,
  );
});
afterEach(async () => {
  for (const runner of runners.splice(0)) await runner.stop();
  await own.rows('delete from workspace_records.jobs');
  errors.length = 0;
});
afterAll(() => own?.drop());

/** Checks for work on a call, after a notification and when a job has ended. */
async function start(
  run: JobKind['run'],
  options: Partial<Parameters<typeof startJobs>[0]> = {},
): Promise<JobRunner> {
  const runner = await startJobs({
    db: own.db,
    listeners: own.listeners,
    kinds: [{ kind: 'copy', run }],
    onError: (error) => errors.push((error as Error).message),
    poll: NEVER,
    random: () => 1,
    ...options,
  });
  runners.push(runner);
  return runner;
}

async function append(workspace_id: number, job: Partial<NewJob> = {}): Promise<string> {
  return (await appendJob(own.db, { kind: 'copy', workspace_id, ...job })) as string;
}

async function rowOf(id: string) {
  const [row] = await own.rows('select * from workspace_records.jobs where id = $1', [id]);
  return row;
}

const isIn = (id: string, state: string) => async () => (await rowOf(id))?.state === state;

/** Work that continues until it is aborted. */
function untilEnded(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
    if (signal.aborted) reject(signal.reason);
  });
}

test('begins what waits when it hears of it, no more at once than it may, and reports counts', async () => {
  let now = 0;
  let most = 0;
  await start(
    async (_job, _signal, report) => {
      now += 1;
      most = Math.max(most, now);
      await until(() => most === 3);
      await report({ done: 1, of: 1 });
      now -= 1;
    },
    { atOnce: 3 },
  );
  const ids = await Promise.all(Array.from({ length: 9 }, (_, index) => append(index + 1)));
  await announceJob(own.db, String(ids[0]));
  for (const id of ids) await until(isIn(id, 'done'));
  expect(most).toBe(3);
  expect(await rowOf(String(ids[8]))).toMatchObject({ progress: { done: 1, of: 1 }, attempts: 1 });
});

test('finds work without a notification, and a lease that is over', async () => {
  const id = await append(1);
  await claimJob(own.db, { kinds: ['copy'], holder: 'gone', lease: -10 });
  await start(async () => undefined, { poll: 10 });
  await until(isIn(id, 'done'));
  const later = await append(1);
  await until(isIn(later, 'done'));
  expect(await rowOf(id)).toMatchObject({ attempts: 2, failures: 0 });
});

test('looking for work that is not there is one statement', async () => {
  const runner = await start(async () => undefined);
  await runner.look();
  const before = own.stats.statements;
  await runner.look();
  expect(own.stats.statements - before).toBe(1);
});

test('tries again what failed, and gives up in the end', async () => {
  const id = await append(1);
  const runner = await start(() => Promise.reject(new Error('no disk')));
  const waits: unknown[] = [];
  for (let failures = 1; failures <= 10; failures += 1) {
    await runner.look();
    await until(
      async () => (await rowOf(id))?.failures === failures && !(await isIn(id, 'running')()),
    );
    const [row] = await own.rows(
      `update workspace_records.jobs set run_after = now() where id = $1
        returning state, (select round(extract(epoch from run_after - now()))::integer
          from workspace_records.jobs where id = $1) as wait`,
      [id],
    );
    waits.push(row?.state === 'failed' ? 'failed' : row?.wait);
  }
  expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 900, 'failed']);
  expect(errors).toEqual(Array(10).fill('no disk'));
  expect(await rowOf(id)).toMatchObject({ error: 'no disk', finished_at: expect.any(String) });
});

/** As if a process had taken a job and died. */
async function die(): Promise<void> {
  await claimJob(own.db, { kinds: ['copy'], holder: 'killed', lease: -10 });
}

test('a job whose process has died three times at one place is not tried again', async () => {
  const id = await append(1);
  await own.rows(`update workspace_records.jobs set progress = '{"done": 7, "total": 9}'`);
  for (let deaths = 0; deaths < 3; deaths += 1) await die();
  let begun = 0;
  await start(async () => {
    begun += 1;
  });
  await until(isIn(id, 'failed'));
  expect(begun).toBe(0);
  const reason = expect.stringContaining('three times at the same place after 7 of 9');
  expect(await rowOf(id)).toMatchObject({ error: reason, progress: { done: 7, reason } });
});

test('a job that advances is resumed as often as its process dies', async () => {
  const id = await append(1);
  for (const done of [0, 1, 2, 2, 3, 4, 5, 5, 6]) {
    await own.rows(
      `update workspace_records.jobs set progress = progress || jsonb_build_object('done', $1::integer)`,
      [done],
    );
    await die();
  }
  await start(async (job, _, report) => report({ ...job.progress, done: 7 }));
  await until(isIn(id, 'done'));
  expect(await rowOf(id)).toMatchObject({ attempts: 10, progress: { done: 7 } });
});

test('one that recurs skips a missed time and begins again', async () => {
  const every = 3_600_000;
  await appendJob(own.db, { kind: 'copy', workspace_id: null, single: true });
  for (let deaths = 0; deaths < 3; deaths += 1) await die();
  let begun = 0;
  const run = async () => {
    begun += 1;
  };
  const runner = await start(run, { kinds: [{ kind: 'copy', every, run }] });
  const state = async () => (await own.rows('select * from workspace_records.jobs'))[0];
  await until(async () => (await state())?.state === 'queued');
  expect(begun).toBe(0);
  expect(await state()).toMatchObject({ abandoned: 0, failures: 0 });
  await own.rows('update workspace_records.jobs set run_after = now()');
  await runner.look();
  await until(() => begun === 1);
});

test('an attempt that ends without a database does not count as abandoned', async () => {
  let isAway = false;
  const db = wrapDatabase(own.db, (server) => ({
    query: (...args) => (isAway ? Promise.reject(new Error('away')) : server.query(...args)),
  }));
  const id = await append(1);
  let begun = 0;
  const runner = await start(
    async () => {
      begun += 1;
      isAway = begun <= 3;
      if (isAway) throw new Error('no database');
    },
    { db },
  );
  for (let death = 1; death <= 3; death += 1) {
    await until(() => begun === death);
    await runner.look();
    isAway = false;
    await runner.look();
    await until(isIn(id, 'queued'));
    await own.rows('update workspace_records.jobs set run_after = now()');
    await runner.look();
  }
  await until(isIn(id, 'done'));
  expect(await rowOf(id)).toMatchObject({ attempts: 4, abandoned: 0 });
});

/** As if another process had taken what runs. */
function takeOver(): Promise<unknown> {
  return own.rows(`update workspace_records.jobs set attempts = attempts + 1,
    lease_holder = 'another', lease_until = now() + interval '1 hour'`);
}

test('a transaction whose report is refused leaves no trace', async () => {
  await own.rows('create table marks (attempt integer)');
  const id = await append(1);
  const refusals: unknown[] = [];
  const runner = await start(async (job, signal, report) => {
    await own.db.transaction(async (tx) => {
      await tx.query({ text: 'insert into marks values ($1)', values: [job.attempts] });
      if (job.attempts === 1) await takeOver();
      await report({ done: 1 }, tx).finally(() => refusals.push(endingOf(signal)));
    });
  });
  await until(() => refusals.length === 1);
  // Leases are kept in milliseconds: one until now may be half a millisecond longer.
  await own.rows(`update workspace_records.jobs set lease_until = now() - interval '1 second'`);
  await runner.look();
  await until(isIn(id, 'done'));
  expect(refusals).toEqual(['lost', undefined]);
  expect(await own.rows('select attempt from marks')).toEqual([{ attempt: 3 }]);
});

test('a lost lease ends the work at once, without a further report', async () => {
  const id = await append(1);
  const endings: unknown[] = [];
  await start(
    async (_job, signal) => {
      await takeOver();
      await untilEnded(signal).catch((error) => {
        endings.push(endingOf(signal));
        throw error;
      });
    },
    { lease: 600 },
  );
  await until(() => endings.length > 0);
  await runners.pop()?.stop();
  expect(endings).toEqual(['lost']);
  expect(errors).toEqual([]);
  expect(await rowOf(id)).toMatchObject({ state: 'running', attempts: 2, lease_holder: 'another' });
});

test('a job that somebody cancels ends at once', async () => {
  const id = await append(1);
  await start((_job, signal) => untilEnded(signal));
  await until(isIn(id, 'running'));
  await requestCancel(own.db, id);
  await announceJob(own.db, id);
  await until(isIn(id, 'cancelled'));
  expect(errors).toEqual([]);
});

test('a job that was cancelled after its process had gone does not begin again', async () => {
  const id = await append(1);
  await claimJob(own.db, { kinds: ['copy'], holder: 'gone', lease: -10 });
  await requestCancel(own.db, id);
  let begun = 0;
  await start(async () => {
    begun += 1;
  });
  await until(isIn(id, 'cancelled'));
  expect(begun).toBe(0);
});

test('at the end it gives its leases back, also of work that does not listen', async () => {
  const ids = [await append(1), await append(2)];
  const endings: unknown[] = [];
  const runner = await start(
    async (job, signal) => {
      if (job.workspace_id === 2) await new Promise(() => undefined);
      await untilEnded(signal).finally(() => endings.push(endingOf(signal)));
    },
    { stopTimeoutMs: 50 },
  );
  for (const id of ids) await until(isIn(id, 'running'));
  await runner.stop();
  expect(endings).toEqual(['stopping']);
  for (const id of ids) {
    expect(await rowOf(id)).toMatchObject({ state: 'queued', attempts: 1, failures: 0 });
  }
  await runner.look();
  expect(await rowOf(String(ids[0]))).toMatchObject({ state: 'queued' });
});

test('a lost database is reported once, and work continues when it is back', async () => {
  let isAway = true;
  const db = wrapDatabase(own.db, (server) => ({
    query: (...args) => (isAway ? Promise.reject(new Error('away')) : server.query(...args)),
  }));
  const runner = await start(async () => undefined, { db });
  for (let index = 0; index < 3; index += 1) await runner.look();
  expect(errors).toEqual(['away']);
  isAway = false;
  const id = await append(1);
  await runner.look();
  await until(isIn(id, 'done'));
});

test('sweeping is one job for all processes, and comes again', async () => {
  await appendJob(own.db, { kind: 'copy', workspace_id: null });
  await own.rows(`update workspace_records.jobs set state = 'done', finished_at = '2020-01-01'`);
  await own.rows('delete from workspace_records.workspaces');
  const kinds = [sweeping(own.db, NO_FILES)];
  const [one] = [
    await start(async () => undefined, { kinds }),
    await start(async () => undefined, { kinds }),
  ];
  const waits = `select state, attempts, progress,
    round(extract(epoch from run_after - now()) / 60)::integer as minutes from workspace_records.jobs`;
  expect((await own.rows(waits)).filter(({ state }) => state === 'queued')).toHaveLength(1);
  await own.rows('update workspace_records.jobs set run_after = now()');
  await one?.look();
  await until(async () => (await own.rows(waits))[0]?.minutes === 60);
  expect(await own.rows(waits)).toEqual([
    {
      ...{ state: 'queued', attempts: 1, minutes: 60 },
      progress: expect.objectContaining({ answers: 0, jobs: 1 }),
    },
  ]);
});
