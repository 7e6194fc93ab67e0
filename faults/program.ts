// The built service as a process: started, waited for, killed or stopped by a signal. Its log is searched for
// failures that no code handled.

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const PROGRAM = join(import.meta.dirname, '..', 'dist', 'cli', 'index.js');
const PROBE = ['--expose-gc', '--import', 'tsx', '--import', join(import.meta.dirname, 'probe.ts')];
const START_WITHIN = 60_000;

export interface ProgramOptions {
  readonly databaseUrl: string;
  readonly port: number;
  readonly settings?: NodeJS.ProcessEnv;
  /** True: it reports its memory and the delay of its event loop; see probe.ts. */
  readonly probed?: boolean;
  /** The file for its log; the log is not searched then. */
  readonly logFile?: string | undefined;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Program {
  readonly pid: number;
  readonly url: string;
  /** Set when it has ended. */
  readonly ended: () => Exit | undefined;
  /** Resolves when it has ended. */
  readonly exit: Promise<Exit>;
  /** Until `check` says so; fails when the process ends before. */
  ready(check: () => Promise<boolean>): Promise<void>;
  signal(name: NodeJS.Signals): void;
  /** SIGTERM, and SIGKILL after 15 s. */
  stop(): Promise<Exit>;
  /** Fatal log lines: unhandled rejections and exceptions end the process with one. */
  fatal(): readonly string[];
  /** Log lines of answers with 500, each kind once. */
  failures(): readonly string[];
  /** Resident memory in bytes. */
  memory(): number;
  /** Only when probed. */
  ask<Answer>(message: object): Promise<Answer>;
}

export function startProgram(options: ProgramOptions): Program {
  const { databaseUrl, port, settings = {}, probed = false } = options;
  const output = options.logFile === undefined ? 'pipe' : openSync(options.logFile, 'a');
  const child = spawn(process.execPath, [...(probed ? PROBE : []), PROGRAM, 'start'], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      HOST: '127.0.0.1',
      DEMO: 'off',
      SECRETS_KEY: Buffer.alloc(32, 'key').toString('base64'),
      POOL_SIZE: String(POOL_SIZE),
      LOG_LEVEL: 'error',
      DRAIN_SECONDS: '0',
      ...settings,
    },
    stdio: ['ignore', output, 'pipe', ...(probed ? (['ipc'] as const) : [])],
  });
  if (typeof output === 'number') closeSync(output);
  const log = readLog(child);
  let ended: Exit | undefined;
  const exit = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => {
      ended = { code, signal };
      resolve(ended);
    });
  });
  return {
    pid: child.pid as number,
    url: `http://127.0.0.1:${port}`,
    ended: () => ended,
    exit,
    async ready(check) {
      const giveUp = Date.now() + START_WITHIN;
      while (!(await check())) {
        if (ended !== undefined) throw new Error(`the service did not start: ${log.said()}`);
        if (Date.now() > giveUp) throw new Error('the service did not answer within a minute');
        await sleep(10);
      }
    },
    signal: (name) => void child.kill(name),
    stop: () => stop(child, exit),
    fatal: log.fatal,
    failures: log.failures,
    memory: () => residentMemory(child.pid as number),
    ask: <Answer>(message: object) =>
      new Promise<Answer>((resolve, reject) => {
        const fail = () => reject(new Error('the service ended before it answered'));
        child.once('exit', fail);
        child.once('message', (answer) => {
          child.off('exit', fail);
          resolve(answer as Answer);
        });
        child.send(message);
      }),
  };
}

/** Connections to PostgreSQL that a process may hold, besides the one that listens. */
export const POOL_SIZE = 10;

async function stop(child: ChildProcess, exit: Promise<Exit>): Promise<Exit> {
  child.kill('SIGTERM');
  const killTimer = setTimeout(() => child.kill('SIGKILL'), 15_000);
  const ended = await exit;
  clearTimeout(killTimer);
  return ended;
}

function readLog(child: ChildProcess) {
  const fatal: string[] = [];
  const failures = new Map<string, string>();
  let rest = '';
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said = `${said}${chunk}`.slice(-2000);
  });
  child.stdout?.on('data', (chunk: Buffer) => {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (/"level":60\b/.test(line)) fatal.push(line.slice(0, 1000));
      else if (/"status":500\b/.test(line)) failures.set(kindOf(line), line.slice(0, 1500));
    }
  });
  return {
    said: () => said,
    fatal: (): readonly string[] => fatal,
    failures: (): readonly string[] => [...failures.values()].slice(0, 20),
  };
}

/** Lines that differ in ids, times and figures only are of one kind. */
function kindOf(line: string): string {
  return line.replaceAll(/[0-9a-f-]{8,}|\d+/g, '');
}

/** Resident memory of a process in bytes. */
export function residentMemory(pid: number): number {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(text)?.[1]) * 1024;
}

export async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
