// `start` as a process: listens, logs, refuses a taken port, ends gracefully.

import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { childrenOf } from '../../faults/cluster.ts';
import { call } from '../http-client.ts';
import { openServerFixture, type ServerFixture } from '../server-fixture.ts';
import { runCommandHere } from './command-here.ts';
import { COMMAND, PATIENCE } from './command-process.ts';

let fixture: ServerFixture;
let key: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  fixture = await openServerFixture();
  key = await fixture.key('ann');
});
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  return fixture.close();
});

interface Running {
  readonly child: ChildProcess;
  readonly port: number;
  readonly output: { stdout: string; stderr: string };
}

function run(args: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [COMMAND, 'start', ...args], {
    env: { ...process.env, ...fixture.own.environment, ...environment },
  });
  children.push(child);
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk;
  });
  return { child, output };
}

async function start(environment: NodeJS.ProcessEnv = {}): Promise<Running> {
  const { child, output } = run(['--port', '0'], environment);
  const listening = /Listening on http:\/\/127\.0\.0\.1:(\d+)\/v1/;
  await vi.waitFor(() => expect(output.stderr).toMatch(listening), { timeout: PATIENCE });
  return { child, output, port: Number(listening.exec(output.stderr)?.[1]) };
}

test('serves, logs without secrets, and ends with 0 on SIGTERM', {
  timeout: PATIENCE,
}, async () => {
  const { child, port, output } = await start();
  expect((await call(port, '/v1/me', { key })).json.data.user.name).toBe('Ann');
  expect((await call(port, '/reference')).status).toBe(200);
  const idle = net.connect(port, '127.0.0.1');
  await once(idle, 'connect');
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  // Not by the forced end that follows when the grace is over: that ends with 1.
  expect(await ended).toEqual([0, null]);
  idle.destroy();
  const [line = ''] = output.stdout.split('\n');
  expect(JSON.parse(line)).toMatchObject({ route: 'GET /me', status: 200, key: key.slice(0, 12) });
  expect(output.stdout + output.stderr).not.toContain(key);
});

/** How a stop of a process is told, and what a client sees of it. */
async function looks(port: number) {
  const agent = new http.Agent({ keepAlive: true });
  const ready = await call(port, '/readyz');
  const answer = await call(port, '/v1/me', { key, agent });
  agent.destroy();
  return [ready.status, ready.json.status, answer.status, answer.headers.connection];
}

test('after SIGTERM it answers, and says that it will stop', async () => {
  const { child, port } = await start({ DRAIN_SECONDS: '3' });
  expect(await looks(port)).toEqual([200, 'ok', 200, 'keep-alive']);
  const ended = once(child, 'exit');
  const begun = performance.now();
  child.kill('SIGTERM');
  await vi.waitFor(async () => expect((await call(port, '/readyz')).status).toBe(503));
  expect(await looks(port)).toEqual([503, 'unavailable', 200, 'close']);
  expect(await ended).toEqual([0, null]);
  expect(performance.now() - begun).toBeGreaterThan(2900);
});

test('another signal, or Ctrl-C, does not wait for the end of the drain', async () => {
  const first = await start({ DRAIN_SECONDS: '600' });
  const ended = once(first.child, 'exit');
  first.child.kill('SIGTERM');
  await vi.waitFor(async () => expect((await call(first.port, '/readyz')).status).toBe(503));
  await sleep(600);
  first.child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  const second = await start({ DRAIN_SECONDS: '600' });
  second.child.kill('SIGINT');
  expect(await once(second.child, 'exit')).toEqual([0, null]);
});

test('SIGUSR2 replaces a single process by a worker, and that by another', async () => {
  const { child, port, output } = await start({
    ...{ WORKERS: '1', METRICS_PORT: '0', REQUESTS_PER_MINUTE: '1000000' },
  });
  const metrics = /Metrics on (\S+)/.exec(output.stderr)?.[1] ?? '';
  const workers: number[] = [];
  for (let round = 0; round < 2; round += 1) {
    child.kill('SIGUSR2');
    const statuses: number[] = [];
    await vi.waitFor(
      async () => {
        statuses.push((await call(port, '/v1/me', { key })).status);
        const present = childrenOf(child.pid as number);
        expect(present).toHaveLength(1);
        expect(workers).not.toContain(present[0]);
        workers.push(present[0] as number);
      },
      { timeout: PATIENCE },
    );
    expect([...new Set(statuses)]).toEqual([200]);
  }
  expect(await (await fetch(metrics)).text()).toContain('route="GET /me",status="200"');
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  for (const pid of workers) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

test('every metric of the rules and of the dashboard is served', {
  timeout: PATIENCE,
}, async () => {
  const mail = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'records@example.com' };
  const { child, output, port } = await start({ METRICS_PORT: '0', ...mail });
  const metrics = /Metrics on (\S+)/.exec(output.stderr)?.[1] ?? '';
  await call(port, '/v1/me', { key });
  const served = await (await fetch(metrics)).text();
  const texts = ['deploy/alerts.yaml', 'docs/grafana-dashboard.json'].map((name) =>
    readFileSync(join(import.meta.dirname, '..', '..', name), 'utf8'),
  );
  const used = texts.join().match(/\b(?:workspace_records|nodejs|process)_\w+/g) ?? [];
  const names = new Set(used.map((name) => name.replace(/_bucket$/, '')));
  expect(names.size).toBeGreaterThan(14);
  for (const name of names)
    expect(served, name).toMatch(new RegExp(`^${name}(?:_bucket)?[ {]`, 'm'));
  child.kill('SIGTERM');
  await once(child, 'exit');
});

test('a taken port is one line', { timeout: PATIENCE }, async () => {
  const taken = net.createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as net.AddressInfo;
  const { child, output } = run([], { PORT: String(port) });
  const [code] = await once(child, 'exit');
  taken.close();
  expect(code).toBe(1);
  expect(output.stderr).toBe(
    `Cannot listen on 127.0.0.1:${port}: the port is in use; choose another with --port or PORT.\n`,
  );
});

test('a taken port of the metrics names its own setting', { timeout: PATIENCE }, async () => {
  const taken = net.createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as net.AddressInfo;
  const { child, output } = run(['--port', '0'], { METRICS_PORT: String(port) });
  const [code] = await once(child, 'exit');
  taken.close();
  expect([code, output.stderr]).toEqual([
    1,
    `Cannot listen on 127.0.0.1:${port}: the port is in use; choose another with METRICS_PORT.\n`,
  ]);
});

test('a taken port is noticed before any data is made', { timeout: PATIENCE }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'start-'));
  const taken = net.createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as net.AddressInfo;
  const DATA_DIRECTORY = join(folder, 'data');
  const { child } = run([], { PORT: String(port), DATABASE_URL: '', DATA_DIRECTORY });
  expect(await once(child, 'exit')).toEqual([1, null]);
  taken.close();
  expect(existsSync(DATA_DIRECTORY)).toBe(false);
  rmSync(folder, { recursive: true });
});

test('links lead to where the service listens', { timeout: PATIENCE }, async () => {
  const { child, port } = await start();
  const { environment } = fixture.own;
  const args = ['--workspace', 'acme', '--user', 'ann@example.com'];
  const { out } = await runCommandHere(environment, 'sign-in-link', ...args);
  expect(out).toContain(`http://127.0.0.1:${port}/app/acme/sign-in#`);
  child.kill('SIGTERM');
  await once(child, 'exit');
});

test('the first start makes a key for stored secrets, and the next ones keep it', {
  timeout: PATIENCE,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'start-'));
  const file = join(folder, 'data', 'secrets.key');
  const settings = { SECRETS_KEY: '', DATA_DIRECTORY: join(folder, 'data'), DEMO: 'off' };
  const keys: string[] = [];
  try {
    for (let index = 0; index < 2; index += 1) {
      const { child, output } = await start(settings);
      keys.push(readFileSync(file, 'utf8'));
      expect(statSync(file).mode & 0o777).toBe(0o600);
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
      expect(output.stdout + output.stderr).not.toContain(keys[0]?.trim());
    }
    expect(keys[1]).toBe(keys[0]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a worker that cannot start ends with 1', { timeout: PATIENCE }, async () => {
  const child = fork(COMMAND, ['start'], {
    env: { ...process.env, NODE_UNIQUE_ID: '1', LOG_LEVEL: 'loud' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  children.push(child);
  expect(await once(child, 'exit')).toEqual([1, null]);
});

test('a command makes no data directory', async () => {
  const DATA_DIRECTORY = join(tmpdir(), 'mistyped-data-directory');
  const { code, err } = await runCommandHere({ DATA_DIRECTORY }, 'workspaces', 'list');
  expect([code, err]).toEqual([1, expect.stringMatching(/^There is no data in /)]);
  expect(existsSync(DATA_DIRECTORY)).toBe(false);
});

test('with few descriptors it says so, and refuses connections in words', {
  timeout: PATIENCE,
}, async () => {
  const script = `ulimit -n 256 && exec "$0" "$@"`;
  const child = spawn('sh', ['-c', script, process.execPath, COMMAND, 'start', '--port', '0'], {
    env: { ...process.env, ...fixture.own.environment, WORKERS: '1' },
  });
  children.push(child);
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk;
  });
  const listening = /Listening on http:\/\/127\.0\.0\.1:(\d+)\/v1/;
  await vi.waitFor(() => expect(output.stderr).toMatch(listening), { timeout: PATIENCE });
  const port = Number(listening.exec(output.stderr)?.[1]);
  expect(output.stderr).toContain('open 256 files and sockets (ulimit -n), so it accepts 128');
  const idle: net.Socket[] = [];
  let answers = '';
  const open = async (localAddress: string) => {
    const socket = net.connect({ port, host: '127.0.0.1', localAddress });
    idle.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      answers += chunk;
    });
    await once(socket, 'connect');
  };
  for (let count = 0; count < 400; count += 1) await open(`127.0.0.${2 + (count % 4)}`);
  await vi.waitFor(() => expect(answers).toMatch(/^HTTP\/1\.1 503 /), { timeout: PATIENCE });
  expect(answers).toContain('"code":"service_unavailable"');
  // The log is written every second.
  await vi.waitFor(() => expect(output.stdout).toContain('connections are refused'));
  for (const socket of idle) socket.destroy();
  await vi.waitFor(async () => expect((await call(port, '/v1/me', { key })).status).toBe(200), {
    timeout: PATIENCE,
  });
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});
