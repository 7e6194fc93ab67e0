// `npm start` as people end it: signals to npm, Ctrl-C, a terminal that is closed. The service ends too,
// in order, whatever shell is between them. Processes are followed by their ids.

import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createOwnDatabase, type OwnDatabase } from '../own-database.ts';
import { IS_LONG } from '../until.ts';
import { COMMAND, PATIENCE } from './command-process.ts';

const root = resolve(import.meta.dirname, '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'npm-start-'));
let own: OwnDatabase;

beforeAll(async () => {
  own = await createOwnDatabase();
  // The real scripts; their program reports how it ended.
  copyFileSync(join(root, 'package.json'), join(folder, 'package.json'));
  mkdirSync(join(folder, 'dist', 'cli'), { recursive: true });
  const program = pathToFileURL(COMMAND);
  const shim = `process.on('exit', (code) => console.error('ended with ' + code));
    await import(${JSON.stringify(String(program))});`;
  writeFileSync(join(folder, 'dist', 'cli', 'index.js'), shim);
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await own?.drop();
});

interface Started {
  /** npm itself, or the terminal it runs in. */
  readonly pid: number;
  /** The service. */
  readonly service: number;
  readonly said: () => string;
  readonly ended: Promise<unknown>;
}

async function start(shell: string, ...command: readonly [string, ...string[]]): Promise<Started> {
  const [program, ...args] = command;
  const child = spawn(program, args, {
    cwd: folder,
    detached: true,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      ...own.environment,
      PORT: '0',
      DEMO: 'off',
      npm_config_script_shell: shell,
      npm_config_update_notifier: 'false',
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      said += text;
    });
  }
  const ended = new Promise((done) => child.once('exit', done));
  await vi.waitFor(() => expect(said).toContain('Listening on'), PATIENCE);
  const service = serviceBelow(child.pid as number);
  return { pid: child.pid as number, service, said: () => said, ended };
}

/** The process of this ancestor that runs the command itself. */
function serviceBelow(ancestor: number): number {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  const processes = lines.split('\n').map((line) => {
    const [pid, parent, ...words] = line.trim().split(/\s+/);
    return { pid: Number(pid), parent: Number(parent), words };
  });
  const below = new Set([ancestor]);
  for (const { pid, parent } of processes) if (below.has(parent)) below.add(pid);
  const found = processes.find(
    ({ pid, words }) =>
      below.has(pid) &&
      /node$/.test(words[0] ?? '') &&
      words.at(-1) === 'start' &&
      words[1]?.endsWith('index.js'),
  );
  if (found === undefined) throw new Error(`no service below ${ancestor}:\n${lines}`);
  return found.pid;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function expectEnd({ service, said }: Started): Promise<void> {
  try {
    await vi.waitFor(() => expect(isAlive(service)).toBe(false), 15_000);
  } finally {
    if (isAlive(service)) process.kill(service, 'SIGKILL');
  }
  await vi.waitFor(() => expect(said()).toContain('ended with 0'));
}

const SHELLS = ['/bin/sh', '/bin/bash'].filter((shell) => existsSync(shell));
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
const NPM = ['npm', 'start', '--ignore-scripts'] as const;

test.skipIf(process.platform === 'win32').each(
  SHELLS.flatMap((shell) => SIGNALS.map((signal) => [signal, shell] as const)).filter(
    // SIGTERM with every shell and Ctrl-C with the usual one on every commit, all of them when there is time.
    ([signal]) => IS_LONG || signal === 'SIGTERM',
  ),
)('%s to npm alone, with %s between', async (signal, shell) => {
  const started = await start(shell, ...NPM);
  process.kill(started.pid, signal);
  await expectEnd(started);
  await started.ended;
});

test.skipIf(process.platform === 'win32').each(IS_LONG ? SHELLS : SHELLS.slice(0, 1))(
  'Ctrl-C goes to all of them (%s)',
  async (shell) => {
    const started = await start(shell, ...NPM);
    process.kill(-started.pid, 'SIGINT');
    await expectEnd(started);
    await started.ended;
  },
);

const hasTerminal = process.platform === 'linux' && existsSync('/usr/bin/script');

test.skipIf(!hasTerminal)('a terminal that is closed', async () => {
  const started = await start('/bin/sh', 'script', '-qfc', NPM.join(' '), '/dev/null');
  process.kill(started.pid, 'SIGKILL');
  await vi.waitFor(() => expect(isAlive(started.service)).toBe(false), 15_000);
});
