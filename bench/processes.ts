// Starting and ending the processes of a benchmark: the built service and the floor.

import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, residentMemory } from '../faults/program.ts';
import type { FloorTask } from './floor.ts';
import type { Memory } from './memory-probe.ts';

const root = join(import.meta.dirname, '..');
const program = join(root, 'dist', 'cli', 'index.js');
const PROBE = [
  ...['--expose-gc', '--import', 'tsx'],
  ...['--import', join(import.meta.dirname, 'memory-probe.ts')],
];

export interface ServiceProcess {
  readonly url: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Run another command against the same database; returns its output. */
  command(...args: readonly string[]): string;
  /** Resident memory of the Node process in MB. */
  memory(): number;
  /** Microseconds of processor time of the Node process since its start. */
  processorTime(): number;
  /** The memory of the Node process after a garbage collection; only with a probe. */
  memoryAfterCollection(): Promise<Memory>;
  stop(): Promise<void>;
}

/** Start the built service on a data directory and wait until it answers. */
export async function startService(
  dataDirectory: string,
  settings: NodeJS.ProcessEnv = {},
  isProbed = false,
): Promise<ServiceProcess> {
  const port = await freePort();
  const environment = {
    ...process.env,
    ...settings,
    DATA_DIRECTORY: dataDirectory,
    PORT: String(port),
    LOG_LEVEL: 'silent',
  };
  const child = spawn(process.execPath, [...(isProbed ? PROBE : []), program, 'start'], {
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit', ...(isProbed ? (['ipc'] as const) : [])],
  });
  const url = `http://127.0.0.1:${port}`;
  try {
    await waitUntilUp(`${url}/v1/openapi.json`, child);
  } catch (error) {
    await end(child);
    throw error;
  }
  return {
    url,
    environment,
    command: (...args) =>
      execFileSync(process.execPath, [program, ...args], { env: environment, encoding: 'utf8' }),
    memory: () => Math.round(residentMemory(child.pid as number) / 2 ** 20),
    processorTime: () => processorTime(child.pid as number),
    memoryAfterCollection: () => ask(child, 'memory') as Promise<Memory>,
    stop: () => end(child),
  };
}

export interface FloorProcess {
  readonly url: string;
  processorTime(): number;
  stop(): Promise<void>;
}

/** Start the floor with its statements; see floor.ts. */
export async function startFloor(task: FloorTask): Promise<FloorProcess> {
  const child = fork(join(import.meta.dirname, 'floor.ts'), { execArgv: ['--import', 'tsx'] });
  child.send(task);
  const { port } = await new Promise<{ port: number }>((resolve, reject) => {
    child.once('message', (message) => resolve(message as { port: number }));
    child.once('exit', () => reject(new Error('the floor did not start')));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    processorTime: () => processorTime(child.pid as number),
    stop: () => end(child),
  };
}

export interface Child {
  /** Send something and wait for the answer. */
  ask(message: object | string): Promise<unknown>;
  stop(): void;
}

/** A process that listens to streams; see live-listener.ts. */
export async function startListener(): Promise<Child> {
  const file = join(import.meta.dirname, 'live-listener.ts');
  const child = fork(file, { execArgv: ['--import', 'tsx'] });
  return {
    ask: (message) => ask(child, message),
    stop: () => void (child.connected && child.disconnect()),
  };
}

function ask(child: ChildProcess, message: object | string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', () => reject(new Error('a process ended before it answered')));
    child.send(message);
  });
}

/** The first start loads the demo before it listens, which takes minutes on a busy machine. */
const MINUTES_TO_START = 10;

async function waitUntilUp(url: string, child: ChildProcess): Promise<void> {
  const end = Date.now() + MINUTES_TO_START * 60_000;
  while (Date.now() < end) {
    if (child.exitCode !== null) throw new Error('the service did not start');
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`the service did not answer within ${MINUTES_TO_START} minutes`);
}

/** Of all threads, those of the collector included. */
function processorTime(pid: number): number {
  const folder = `/proc/${pid}/task`;
  const nanoseconds = readdirSync(folder).map((thread) =>
    Number(readFileSync(`${folder}/${thread}/schedstat`, 'utf8').split(' ')[0]),
  );
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1000;
}

/** A process that does not end by itself in time is killed: a benchmark must not hang. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  if (child.connected) child.disconnect();
  else child.kill('SIGTERM');
  const killTimer = setTimeout(() => child.kill('SIGKILL'), 20_000);
  await ended;
  clearTimeout(killTimer);
}
