// Real processes that run jobs: killed, stopped for longer than their lease, ended by a signal. After any fault of
// one, another continues, and each unit is done once.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { appendJob, requestCancel } from '../../src/control/jobs/jobs.ts';
import { TSX } from '../cli/command-process.ts';
import { createMigratedDatabase, type OwnDatabase } from '../own-database.ts';
import { until } from '../until.ts';

const CHILD = join(import.meta.dirname, 'job-runner-child.mjs');
const UNITS = 6;
/** Milliseconds of a lease: it is over when the test says so. */
const LEASE = 600_000;

let own: OwnDatabase;
const children: ChildProcess[] = [];

beforeAll(async () => {
  own = await createMigratedDatabase();
  await own.rows('create table units (job uuid, unit integer, attempt integer)');
  await own.rows('create table gate as select 0 as open');
});
beforeEach(() => openGate(0));
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
  await own.rows('delete from workspace_records.jobs');
});
afterAll(() => own?.drop());

function start(): ChildProcess {
  const child = spawn(
    process.execPath,
    ['--import', TSX, CHILD, own.environment.DATABASE_URL, String(LEASE)],
    { stdio: 'ignore' },
  );
  children.push(child);
  return child;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<unknown> {
  const ended = once(child, 'exit');
  child.kill(signal);
  return (await ended)[0];
}

function openGate(open: number): Promise<unknown> {
  return own.rows('update gate set open = $1', [open]);
}

async function append(more: object = {}): Promise<string> {
  return (await appendJob(own.db, {
    kind: 'count',
    workspace_id: null,
    input: { units: UNITS, ...more },
  })) as string;
}

async function rowOf(id: string) {
  const [row] = await own.rows('select * from workspace_records.jobs where id = $1', [id]);
  return row;
}

const isIn = (id: string, state: string) => async () => (await rowOf(id))?.state === state;

/** Until so many units are done and so many processes have written the next one, but not reported it. */
async function untilWithin(id: string, done: number, processes = 1): Promise<void> {
  await until(async () => {
    requireRunning();
    const [open] = await own.rows(`select count(*)::integer as inside from pg_stat_activity
      where state = 'idle in transaction' and query like 'insert into units%'
        and datname = current_database()`);
    return open?.inside === processes && (await doneOf(id)) === done;
  });
}

/** A process that ended by itself takes no job: waiting for it would be in vain. */
function requireRunning(): void {
  const ended = children.map(({ exitCode }) => exitCode).filter((code) => code !== null);
  expect(ended, 'exit codes of processes that were not told to end').toEqual([]);
}

/**
 * Expires the lease until this process has the job; returns the number of its attempt. A statement that a process
 * sent before it was killed or stopped may be answered meanwhile: the lease is prolonged once more, or a process
 * without knowledge of the job takes it.
 */
async function expireLease(id: string, taker: ChildProcess): Promise<number> {
  await until(async () => {
    requireRunning();
    const isIts = `coalesce(split_part(lease_holder, ':', 2) = $2, false)`;
    await own.rows(
      `update workspace_records.jobs set lease_until = now() - interval '1 second'
        where id = $1 and lease_until is not null and not ${isIts}`,
      [id, String(taker.pid)],
    );
    const [row] = await own.rows(
      `select ${isIts} as is_its from workspace_records.jobs where id = $1`,
      [id, String(taker.pid)],
    );
    return row?.is_its === true;
  });
  return (await rowOf(id))?.attempts as number;
}

async function doneOf(id: string): Promise<number> {
  const { done = 0 } = ((await rowOf(id))?.progress ?? {}) as { readonly done?: number };
  return done;
}

/** The units in the order of their numbers, each with the attempt that did it. */
async function unitsOf(id: string): Promise<unknown> {
  const text = 'select unit, attempt from units where job = $1 order by unit, attempt';
  return (await own.rows(text, [id])).map(({ unit, attempt }) => [unit, attempt]);
}

test('one is killed in the middle of a unit: another continues after the last complete one', async () => {
  const id = await append();
  await openGate(3);
  const killed = start();
  await untilWithin(id, 3);
  const taker = start();
  await end(killed, 'SIGKILL');
  const taken = await expireLease(id, taker);
  await openGate(UNITS);
  await until(isIn(id, 'done'));
  expect(await unitsOf(id)).toEqual([
    [0, 1],
    [1, 1],
    [2, 1],
    [3, taken],
    [4, taken],
    [5, taken],
  ]);
  expect(await rowOf(id)).toMatchObject({ attempts: taken, progress: { done: UNITS, of: UNITS } });
});

test('a job that kills its process kills three, and the fourth continues without it', async () => {
  const id = await append({ dies: true });
  for (const attempts of [1, 2, 3]) {
    const child = start();
    await once(child, 'exit');
    expect(child.signalCode).toBe('SIGKILL');
    expect(await rowOf(id)).toMatchObject({ state: 'running', attempts });
    await own.rows(`update workspace_records.jobs set lease_until = now() - interval '1 second'`);
  }
  const fourth = start();
  await until(isIn(id, 'failed'));
  expect((await rowOf(id))?.error).toContain('three times at the same place');
  await openGate(UNITS);
  const other = await append();
  await until(isIn(other, 'done'));
  expect([fourth.exitCode, fourth.signalCode]).toEqual([null, null]);
});

test('one is stopped for longer than its lease: its later writes are refused', async () => {
  const id = await append();
  await openGate(2);
  const paused = start();
  await untilWithin(id, 2);
  paused.kill('SIGSTOP');
  const taken = await expireLease(id, start());
  // Both are in the third unit then, and the one that was stopped comes back to an open gate.
  await untilWithin(id, 2, 2);
  await openGate(3);
  await until(async () => (await doneOf(id)) === 3);
  paused.kill('SIGCONT');
  await openGate(UNITS);
  await until(isIn(id, 'done'));
  expect(await unitsOf(id)).toEqual([
    [0, 1],
    [1, 1],
    [2, taken],
    [3, taken],
    [4, taken],
    [5, taken],
  ]);
  // It is well and takes the next one.
  const next = await append();
  await until(isIn(next, 'done'));
  expect(await end(paused, 'SIGTERM')).toBe(0);
});

test('one that gets the signal to end gives its lease back: another begins at once', async () => {
  const id = await append();
  await openGate(2);
  const ending = start();
  await untilWithin(id, 2);
  start();
  expect(await end(ending, 'SIGTERM')).toBe(0);
  await openGate(UNITS);
  await until(isIn(id, 'done'));
  // The one that ends may have been claiming work at that time, and has given that back as well.
  const { attempts, failures } = (await rowOf(id)) as { attempts: number; failures: number };
  expect([attempts >= 2 && attempts <= 3, failures]).toEqual([true, 0]);
  expect(await unitsOf(id)).toHaveLength(UNITS);
});

test('a job that is cancelled ends in whichever process it is, and leaves no half unit', async () => {
  const id = await append();
  await openGate(2);
  start();
  start();
  await untilWithin(id, 2);
  await requestCancel(own.db, id);
  await until(isIn(id, 'cancelled'));
  expect(await unitsOf(id)).toEqual([
    [0, 1],
    [1, 1],
  ]);
});
