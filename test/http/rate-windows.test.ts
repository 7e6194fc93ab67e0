// Rate windows: exact across processes, aligned to the minute, never refilled by a clock (D6, D74).

import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRateWindows } from '../../src/control/people/rate-windows.ts';
import { call } from '../http-client.ts';
import { openServerFixture, type ServerFixture } from '../server-fixture.ts';

let fixture: ServerFixture;

beforeAll(async () => {
  fixture = await openServerFixture();
});
afterAll(() => fixture.close());

/** A count must not be cut in two by the end of a minute. */
async function waitForRoom(seconds: number): Promise<void> {
  const left = 60 - ((Date.now() / 1000) % 60);
  if (left < seconds) await sleep(left * 1000 + 50);
}

test('two servers, 500 requests at once, limit 300: exactly 300 pass', async () => {
  const servers = [await fixture.start(), await fixture.start()];
  const key = await fixture.key('bob', { rpm: 300 });
  await waitForRoom(15);
  const sentAt = Date.now() / 1000;
  const agents = servers.map(() => new http.Agent({ keepAlive: true, maxSockets: 125 }));
  const answers = await Promise.all(
    Array.from({ length: 500 }, (_, index) =>
      call(servers[index % 2]?.port ?? 0, '/v1/me', {
        key,
        agent: agents[index % 2] as http.Agent,
      }),
    ),
  );
  const receivedAt = Date.now() / 1000;
  for (const agent of agents) agent.destroy();
  const passed = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status === 429);
  expect([passed.length, refused.length]).toEqual([300, 200]);
  const remaining = passed.map(({ headers }) => Number(headers['ratelimit-remaining']));
  expect(remaining.sort((a, b) => a - b)).toEqual(Array.from({ length: 300 }, (_, n) => n));
  for (const { headers } of refused) {
    expect(headers['ratelimit-remaining']).toBe('0');
    expect(headers['retry-after']).toBe(headers['ratelimit-reset']);
    const reset = Number(headers['x-ratelimit-reset']);
    expect(reset % 60).toBe(0);
    // The moment of the answer by the two headers lies between sending and receiving, rounded up.
    const answeredAt = reset - Number(headers['ratelimit-reset']);
    expect(answeredAt).toBeGreaterThan(sentAt - 2);
    expect(answeredAt).toBeLessThan(receivedAt + 2);
  }
});

test('requests that arrive together are counted by one statement, each in its place', async () => {
  await waitForRoom(5);
  const windows = openRateWindows(fixture.own.db);
  const before = fixture.own.stats.statements;
  const [a, b] = ['00000000-0000-0000-0000-00000000000a', '00000000-0000-0000-0000-00000000000b'];
  const states = await Promise.all([
    windows.count(a as string, 2),
    windows.count(b as string, 9),
    windows.peek(a as string, 2),
    windows.count(a as string, 2),
    windows.count(a as string, 2),
    windows.peek(b as string, 9),
  ]);
  expect(fixture.own.stats.statements - before).toBe(1);
  expect(states.map(({ remaining, exceeded }) => [remaining, exceeded])).toEqual([
    [1, false],
    [8, false],
    [1, false],
    [0, false],
    [0, true],
    [8, false],
  ]);
});

test('a clock that jumps back does not refill a budget; a new minute does', async () => {
  await waitForRoom(5);
  const windows = openRateWindows(fixture.own.db);
  const key = '00000000-0000-0000-0000-00000000000c';
  for (let index = 0; index < 3; index += 1) await windows.count(key, 3);
  // The window is in the future, as after a clock went back by ten minutes.
  await fixture.own.rows(
    `update workspace_records.rate_windows set window_start = window_start + interval '10 minutes'
     where principal_id = $1`,
    [key],
  );
  const spent = await windows.count(key, 3);
  expect(spent.exceeded).toBe(true);
  expect(spent.resetSeconds).toBeGreaterThan(540);
  await fixture.own.rows(
    `update workspace_records.rate_windows set window_start = window_start - interval '11 minutes'
     where principal_id = $1`,
    [key],
  );
  expect(await windows.count(key, 3)).toMatchObject({ remaining: 2, exceeded: false });
});

test('a failing statement fails the requests that wait for it, and no later ones', async () => {
  let failing = true;
  const windows = openRateWindows({
    query: (statement) =>
      failing ? Promise.reject(new Error('away')) : fixture.own.db.query(statement),
  });
  const key = '00000000-0000-0000-0000-00000000000d';
  const settled = await Promise.allSettled([windows.count(key, 5), windows.count(key, 5)]);
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  failing = false;
  expect((await windows.count(key, 5)).remaining).toBe(4);
});
