// Rate windows of processes that join, leave and are killed while requests are counted (D6, D851): each request has its
// own number within the window in each process, so the limit is neither exceeded nor reached too early.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openRateWindows, type RateWindows } from '../../src/control/people/rate-windows.ts';
import { unavailable } from '../../src/errors.ts';
import type { RateState } from '../../src/model/rights/api-key-form.ts';
import { migrate } from '../../src/workspaces/migrations.ts';
import { createOwnDatabase, type OwnDatabase } from '../own-database.ts';
import { timesOf } from '../until.ts';

const ROUNDS = timesOf(4);

let own: OwnDatabase;
let principals = 0;
/** The minutes that were passed; the clock of the processes is ahead by them. */
let minutes = 0;

beforeAll(async () => {
  own = await createOwnDatabase();
  await migrate(own.db);
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + minutes * 61_000);
});
afterAll(async () => {
  vi.restoreAllMocks();
  await own?.drop();
});
beforeEach(async () => {
  await own.rows('delete from workspace_records.rate_counting');
});

interface Process {
  readonly windows: RateWindows;
  statements(): number;
  /** Its statements fail from now on. */
  kill(): void;
}

function openProcess(): Process {
  let [isDead, statements] = [false, 0];
  const windows = openRateWindows({
    query(statement) {
      if (isDead) return Promise.reject(unavailable(new Error('killed')));
      statements += 1;
      return own.db.query(statement);
    },
  });
  const kill = () => {
    isDead = true;
  };
  return { windows, kill, statements: () => statements };
}

function nextPrincipal(): string {
  principals += 1;
  return `00000000-0000-7000-8000-${String(principals).padStart(12, '0')}`;
}

/** A window must not end while a test counts in it. */
async function waitForRoom(seconds: number): Promise<void> {
  const left = 60 - ((Date.now() / 1000) % 60);
  if (left < seconds) await sleep(left * 1000 + 50);
}

/** A minute without announcements, for the database and for the processes. */
async function passAMinute(): Promise<void> {
  minutes += 1;
  await own.rows(`update workspace_records.rate_counting set
    mixed_at = mixed_at - interval '61 s', announced_at = announced_at - interval '61 s'`);
}

const stored = async (principal: string) => {
  const [row] = await own.rows(
    'select requests::integer from workspace_records.rate_windows where principal_id = $1',
    [principal],
  );
  return row?.requests;
};

test('a process that is alone counts without statements, and writes within 300 ms', async () => {
  await waitForRoom(5);
  const { windows, statements } = openProcess();
  const id = nextPrincipal();
  for (let n = 1; n <= 200; n += 1)
    expect((await windows.count(id, 150)).remaining).toBe(Math.max(0, 150 - n));
  expect([statements(), windows.isSpent(id)]).toEqual([1, true]);
  await vi.waitFor(async () => expect(await stored(id)).toBe(200), { timeout: 300, interval: 20 });
  await windows.count(id, 150);
  await windows.close();
  expect(await stored(id)).toBe(201);
});

test('a process that joins waits until the other counts by statements', async () => {
  await waitForRoom(10);
  const [first, second] = [openProcess(), openProcess()];
  const id = nextPrincipal();
  for (let n = 0; n < 10; n += 1) await first.windows.count(id, 50);
  expect((await second.windows.count(id, 50)).remaining).toBe(39);
  expect((await first.windows.count(id, 50)).remaining).toBe(38);
  await first.windows.close();
  const before = second.statements();
  for (let n = 0; n < 5; n += 1) await second.windows.count(id, 50);
  expect(second.statements() - before).toBe(5);
  await passAMinute();
  const later = second.statements();
  for (let n = 0; n < 5; n += 1) await second.windows.count(id, 50);
  expect(second.statements() - later).toBe(1);
  await second.windows.close();
});

test('a process that was killed while it was alone is waited for no longer than its lease', async () => {
  await waitForRoom(10);
  const [first, second] = [openProcess(), openProcess()];
  const id = nextPrincipal();
  for (let n = 0; n < 10; n += 1) await first.windows.count(id, 50);
  first.kill();
  const begun = performance.now();
  // The counts of its memory are lost.
  expect((await second.windows.count(id, 50)).remaining).toBe(48);
  expect(performance.now() - begun).toBeLessThan(5000);
  await second.windows.close();
});

test('the lease of a process that ended before the clock went back holds no one up', async () => {
  await waitForRoom(5);
  await own.rows(`insert into workspace_records.rate_counting (alone, alone_until, announced_at)
    values (gen_random_uuid(), now() + interval '1 hour', now() + interval '1 hour')`);
  const { windows } = openProcess();
  expect((await windows.count(nextPrincipal(), 50)).remaining).toBe(49);
  await windows.close();
});

test('each request has its number while processes join, leave and are killed', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    await own.rows('delete from workspace_records.rate_counting');
    await waitForRoom(20);
    const id = nextPrincipal();
    const limit = 450;
    const states: RateState[] = [];
    let members = [openProcess()];
    const count = async ({ windows }: Process) => {
      states.push(await windows.count(id, limit));
    };
    const steps: (() => Promise<unknown>)[] = [
      // Joins.
      async () => members.push(openProcess()),
      async () => members.push(openProcess()),
      // Leaves; what it counted is written.
      async () => members.shift()?.windows.close(),
      async () => members.push(openProcess(), openProcess()),
      // Is killed between two requests while others count: nothing is in its memory.
      async () => members.pop()?.kill(),
      async () => undefined,
    ];
    if (round % 2 === 1) steps.splice(3, 0, passAMinute);
    for (const step of steps) {
      const here = [...members];
      const counts = Array.from({ length: 100 }, async (_, index) => {
        // Two bursts with a pause in which a process that is alone ends its lease.
        await sleep(Math.random() * 150 + (index % 2) * 400);
        const process = here[index % here.length] as Process;
        await count(process);
      });
      await Promise.all(counts);
      await step();
      members = members.slice(0, 4);
    }
    const passed = states.filter(({ exceeded }) => !exceeded);
    const remaining = passed.map((state) => state.remaining).sort((a, b) => a - b);
    expect(remaining).toEqual(Array.from({ length: limit }, (_, index) => index));
    expect(states).toHaveLength(steps.length * 100);
    for (const { windows } of members) await windows.close();
    expect(await stored(id)).toBe(states.length);
  }
});
