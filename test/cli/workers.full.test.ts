// `start --workers`: one port, several processes; a dead one is replaced, all can be replaced without a
// failed request, and the metrics are those of all of them.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
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

beforeAll(async () => {
  fixture = await openServerFixture();
  key = await fixture.key('ann');
  child = spawn(process.execPath, [COMMAND, 'start', '--port', '0', '--workers', '2'], {
    env: {
      ...process.env,
      ...fixture.own.environment,
      METRICS_PORT: '0',
      REQUESTS_PER_MINUTE: '1000000',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
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

test('SIGTERM ends all of them', { timeout: PATIENCE }, async () => {
  const workers = workersOf();
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  for (const pid of workers) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});
