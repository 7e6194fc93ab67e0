// A throw-away PostgreSQL with full durability, on a Unix socket in a folder of its own, that can be
// killed, stopped, frozen and started again. Only processes that it started are signalled.

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import {
  livePostmaster,
  prepareDataDirectory,
  requireCluster,
} from '../src/embedded/data-directory.ts';
import {
  type PostgresBinaries,
  requirePostgresBinaries,
} from '../src/embedded/postgres-programs.ts';
import {
  endPostmaster,
  type Home,
  logPath,
  type Start,
  startPostmaster,
} from '../src/embedded/postmaster.ts';
import type { ConnectionOptions } from '../src/postgres/db.ts';

export interface Cluster {
  readonly folder: string;
  /** Where PostgreSQL keeps its files, and the programs that made them. */
  readonly dataDirectory: string;
  readonly binaries: PostgresBinaries;
  pid(): number;
  /** False when the postmaster has ended. */
  runs(): boolean;
  /** The connection to a database of it; the same after a restart. */
  connection(database: string): ConnectionOptions;
  /** Start it unless it runs, and wait until it takes queries. */
  start(): Promise<void>;
  /** Send the postmaster a signal: KILL, INT (fast stop) or QUIT (immediate stop). */
  signal(name: 'KILL' | 'INT' | 'QUIT'): void;
  /** Until no postmaster runs; fails after a minute. */
  gone(): Promise<void>;
  /** Stop all of its processes where they are, or let them continue. */
  freeze(): void;
  thaw(): void;
  /** Log lines about pages that are broken. */
  alarms(): readonly string[];
  panics(): readonly string[];
  close(): Promise<void>;
}

export interface ClusterOptions {
  /** Where its folder is made. */
  readonly parent?: string;
  /** Sees its directory before it is started. */
  readonly prepare?: (directory: string) => void;
  /** The environment of the server; it does not inherit ours. */
  readonly environment?: (folder: string) => Readonly<Record<string, string>>;
}

const START_WITHIN = 60_000;
const GONE_WITHIN = 60_000;
/** A stopped process takes connections and never answers. */
const ANSWERED_WITHIN = 5_000;

/** Make a cluster in a temporary folder and start it. */
export async function openCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const { parent = tmpdir(), prepare, environment } = options;
  const folder = mkdtempSync(join(parent, 'records-faults-'));
  chmodSync(folder, 0o711);
  const dataDirectory = prepareDataDirectory(join(folder, 'data'));
  const found = requirePostgresBinaries();
  const cluster = await requireCluster(dataDirectory, found, true);
  const binaries =
    environment === undefined ? found : wrapPostgres(found, folder, environment(folder));
  const home: Home = { dataDirectory, cluster, binaries, durable: true };
  const placed = { host: '' };
  const connection = (database: string) => ({ ...placed, port: 5432, user: 'postgres', database });
  const start = () => startHome(home, placed);
  const pid = () => livePostmaster(cluster)?.pid as number;
  const runs = () => livePostmaster(cluster) !== undefined;
  let frozen: readonly number[] = [];
  function thaw(): void {
    for (const process of frozen.toReversed()) signalIfAlive(process, 'SIGCONT');
    frozen = [];
  }
  const logged = (pattern: RegExp) =>
    readFileSync(logPath(dataDirectory), 'utf8')
      .split('\n')
      .filter((line) => pattern.test(line));

  prepare?.(cluster);
  await start();
  return {
    folder,
    dataDirectory: cluster,
    binaries,
    pid,
    runs,
    connection,
    start,
    signal: (name) => void process.kill(pid(), `SIG${name}`),
    async gone() {
      const giveUp = Date.now() + GONE_WITHIN;
      while (runs()) {
        if (Date.now() > giveUp) throw new Error('the throw-away PostgreSQL does not end');
        await sleep(5);
      }
    },
    freeze() {
      process.kill(pid(), 'SIGSTOP');
      const children = childrenOf(pid());
      for (const child of children) signalIfAlive(child, 'SIGSTOP');
      frozen = [pid(), ...children];
    },
    thaw,
    alarms: () => logged(/page verification failed|invalid page|could not read blocks/),
    panics: () => logged(/PANIC:/),
    async close() {
      thaw();
      await endPostmaster(home);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The server started by way of a script that gives it an environment. */
function wrapPostgres(
  binaries: PostgresBinaries,
  folder: string,
  environment: Readonly<Record<string, string>>,
): PostgresBinaries {
  const script = join(folder, 'postgres-with-environment');
  const settings = Object.entries(environment).map(([name, value]) => `${name}='${value}'`);
  const lines = ['#!/bin/sh', `exec env ${settings.join(' ')} '${binaries.postgres}' "$@"`, ''];
  writeFileSync(script, lines.join('\n'), { mode: 0o755 });
  return { ...binaries, postgres: script };
}

/** Start the postmaster unless it runs, until it takes queries; notes where it listens. */
async function startHome(home: Home, placed: { host: string }): Promise<void> {
  let attempt: Start | undefined;
  const giveUp = Date.now() + START_WITHIN;
  for (;;) {
    const running = livePostmaster(home.cluster);
    if (running === undefined && (attempt === undefined || attempt.failure !== undefined)) {
      if (attempt?.failure?.temporary === false) throw new Error(attempt.failure.reason);
      attempt = await startPostmaster(home);
    } else if (running !== undefined && running.host !== '') {
      placed.host = running.host;
      if (await answers({ ...placed, port: 5432, user: 'postgres', database: 'postgres' })) return;
    }
    if (Date.now() > giveUp) throw new Error('the throw-away PostgreSQL does not start');
    await sleep(5);
  }
}

async function answers(connection: ConnectionOptions): Promise<boolean> {
  const client = new pg.Client({
    ...(connection as pg.ClientConfig),
    ssl: false,
    connectionTimeoutMillis: ANSWERED_WITHIN,
    query_timeout: ANSWERED_WITHIN,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    // Not waited for: one that does not answer does not say good-bye either.
    client.end().catch(() => undefined);
  }
}

/** Processes whose parent is this one. */
export function childrenOf(pid: number): readonly number[] {
  if (process.platform === 'linux') {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return text === '' ? [] : text.split(' ').map(Number);
  }
  const text = execFileSync('ps', ['-A', '-o', 'ppid=,pid='], { encoding: 'utf8' });
  const pairs = text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  return pairs.flatMap(([parent, child]) => (parent === pid && child ? [child] : []));
}

function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself.
  }
}
