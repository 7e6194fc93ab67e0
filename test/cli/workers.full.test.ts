// `start --workers`: one port, several processes; a dead one is replaced, all can be replaced without a
// failed request, and the metrics are those of all of them.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freePort } from '../../faults/program.ts';
import { expectNoCanary } from '../access/canary.ts';
import { call } from '../http-client.ts';
import { openServerFixture, type ServerFixture } from '../server-fixture.ts';
import { COMMAND, PATIENCE } from './command-process.ts';

let fixture: ServerFixture;
let key: string;
let child: ChildProcess;
let port: number;
let metricsPort: number;
let said = '';
let logged = '';

beforeAll(async () => {
  fixture = await openServerFixture();
  key = await fixture.key('ann');
  // Another one than 0, which would be another port when all workers have died.
  const args = ['start', '--port', String(await freePort()), '--workers', '2'];
  child = spawn(process.execPath, [COMMAND, ...args], {
    env: {
      ...process.env,
      ...fixture.own.environment,
      METRICS_PORT: '0',
      DRAIN_SECONDS: '1',
      REQUESTS_PER_MINUTE: '1000000',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout?.on('data', (chunk) => {
    logged += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    said += chunk;
  });
  await vi.waitFor(() => expect(said).toContain('Listening'), { timeout: PATIENCE, interval: 50 });
  port = Number(/Listening on http:\/\/127\.0\.0\.1:(\d+)\/v1/.exec(said)?.[1]);
  metricsPort = Number(/Metrics on http:\/\/127\.0\.0\.1:(\d+)\/metrics/.exec(said)?.[1]);
}, PATIENCE);

afterAll(async () => {
  child?.kill('SIGKILL');
  await fixture?.close();
});

/** To list all processes takes as much of the processor as many requests. */
const LISTED = { timeout: PATIENCE, interval: 250 };

/** Process ids of the workers. */
function workersOf(): readonly number[] {
  const all = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return all.split('\n').flatMap((line) => {
    const [pid, parent, ...words] = line.trim().split(/\s+/);
    const isWorker = Number(parent) === child.pid && words.includes(COMMAND);
    return isWorker ? [Number(pid)] : [];
  });
}

const me = async () => (await call(port, '/v1/me', { key })).status;

test('both answer on one port, and count together', { timeout: PATIENCE }, async () => {
  expect(workersOf()).toHaveLength(2);
  const before = await counted();
  for (let request = 0; request < 10; request += 1) expect(await me()).toBe(200);
  expect(await counted()).toBe(before + 10);
  for (const path of ['/healthz', '/readyz']) {
    const health = await call(port, path);
    expect([health.status, health.json.status]).toEqual([200, 'ok']);
  }
});

async function counted(): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  expect(text).toContain('nodejs_eventloop_lag_seconds');
  expectNoCanary(undefined, text);
  const line = /workspace_records_requests_total\{route="GET \/me",status="200"\} (\d+)/.exec(text);
  return Number(line?.[1] ?? 0);
}

test('one that dies is replaced', { timeout: PATIENCE }, async () => {
  const [victim] = workersOf();
  process.kill(victim as number, 'SIGKILL');
  const isReplaced = () => {
    const present = workersOf();
    expect(present).toHaveLength(2);
    expect(present).not.toContain(victim);
  };
  await vi.waitFor(isReplaced, LISTED);
  expect(await me()).toBe(200);
});

test('all are replaced without a failed request', { timeout: PATIENCE }, async () => {
  const before = workersOf();
  let stopped = false;
  const statuses = new Map<number, number>();
  const clients = Array.from({ length: 4 }, async () => {
    while (!stopped) {
      const status = await me();
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      await sleep(20);
    }
  });
  child.kill('SIGUSR2');
  const areNew = () => {
    const present = workersOf();
    expect(present).toHaveLength(2);
    expect(present.filter((pid) => before.includes(pid))).toEqual([]);
  };
  await vi.waitFor(areNew, LISTED);
  stopped = true;
  await Promise.all(clients);
  expect([...statuses.keys()]).toEqual([200]);
});

test('signals during a replacement cause one more, never more processes', async () => {
  const seen = new Set(workersOf());
  let most = 0;
  for (let signal = 0; signal < 5; signal += 1) {
    child.kill('SIGUSR2');
    await sleep(100);
  }
  const areReplacedTwice = () => {
    const present = workersOf();
    for (const pid of present) seen.add(pid);
    most = Math.max(most, present.length);
    expect([seen.size, present.length]).toEqual([6, 2]);
  };
  await vi.waitFor(areReplacedTwice, LISTED);
  // A third replacement would begin at once.
  await sleep(3000);
  expect(workersOf().filter((pid) => !seen.has(pid))).toEqual([]);
  // Both, the one that starts, and the one that drains.
  expect(most).toBeLessThanOrEqual(4);
  expect(logged).toContain('replaced once more after the present replacement');
  expect(await me()).toBe(200);
});

test('one that dies while it is replaced has one successor', async () => {
  const before = workersOf();
  child.kill('SIGUSR2');
  await sleep(50);
  for (const pid of before) process.kill(pid, 'SIGKILL');
  const areNew = () => {
    const present = workersOf();
    expect(present).toHaveLength(2);
    expect(present.filter((pid) => before.includes(pid))).toEqual([]);
  };
  await vi.waitFor(areNew, LISTED);
  await vi.waitFor(async () => expect(await me()).toBe(200), LISTED);
  // Another successor would begin a second after the death.
  await sleep(4000);
  areNew();
});

test('SIGTERM ends all of them', { timeout: PATIENCE }, async () => {
  const workers = workersOf();
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  for (const pid of workers) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});
