// Starts and ends the server process of a cluster, in a session of its own so that Ctrl-C in the service's terminal
// does not reach it. Callers decide when to start or end it; it signals no process that is not verified to be this
// cluster's postmaster.
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { operatorError } from '../errors.ts';
import { clearStaleLocks, isPostmaster, livePostmaster } from './data-directory.ts';
import {
  type Account,
  accountFor,
  type PostgresBinaries,
  run,
  spawnAs,
} from './postgres-programs.ts';

/** Where one cluster lives and how it is run. */
export interface Home {
  readonly dataDirectory: string;
  readonly cluster: string;
  readonly binaries: PostgresBinaries;
  readonly durable: boolean;
}

/** An attempt to start; `failure` is set when it ended: why, and whether to try again. */
export interface Start {
  failure?: { readonly reason: string; readonly temporary: boolean };
}

const WINDOWS = process.platform === 'win32';
const SOCKET_PORT = 5432; // only a suffix of the socket's file name
const SOCKET_NAME = `.s.PGSQL.${SOCKET_PORT}`;
/** Bytes of the path of a socket, on macOS; Linux takes four more. */
const MOST_OF_SOCKET_PATH = 103;
const LOG_LIMIT_BYTES = 10 * 1024 * 1024;
const FAST_SHUTDOWN_MS = 10_000;
const IMMEDIATE_SHUTDOWN_MS = 8_000;

/** Starts the server. PostgreSQL ends it again when another one runs on the same data. */
export async function startPostmaster(home: Home): Promise<Start> {
  const { postgres } = home.binaries;
  const account = await accountFor(postgres, home.cluster);
  const listening = await listeningPlace(home.cluster, account.uid);
  clearStaleLocks(home.cluster, join(listening.host, `${SOCKET_NAME}.lock`));
  const log = openLog(home.dataDirectory, account);
  const offset = fs.fstatSync(log).size;
  const child = spawnAs(account, postgres, ['-D', home.cluster, ...settings(home, listening)], {
    cwd: home.cluster,
    detached: true,
    stdio: ['ignore', log, log],
  });
  fs.closeSync(log);
  child.unref();
  const start: Start = {};
  child.once('error', (error) => {
    start.failure = { reason: error.message, temporary: false };
  });
  child.once('exit', (code, signal) => {
    const why = whyItEnded(logPath(home.dataDirectory), offset, child.pid);
    const stopped = code === 0 || signal !== null; // by somebody else
    start.failure = { ...why, temporary: stopped || why.temporary };
    if (!start.failure.temporary) removeSocketDirectory(listening.host);
  });
  return start;
}

/** Fast shutdown, after 10 s immediate shutdown; returns at once when no server runs. */
export async function endPostmaster({ cluster, binaries }: Home): Promise<void> {
  const running = livePostmaster(cluster);
  if (running === undefined) return;
  const { pid, host } = running;
  for (const [signal, patience] of [
    ['INT', FAST_SHUTDOWN_MS],
    ['QUIT', IMMEDIATE_SHUTDOWN_MS],
  ] as const) {
    if (!isPostmaster(pid, cluster)) break;
    // On Windows Node can only terminate; pg_ctl sends the signals that the postmaster understands.
    if (WINDOWS) await run({}, binaries.pgCtl, ['kill', signal, `${pid}`]);
    else process.kill(pid, `SIG${signal}`);
    const deadline = Date.now() + patience;
    while (isPostmaster(pid, cluster) && Date.now() < deadline) await sleep(10);
  }
  if (isPostmaster(pid, cluster)) {
    throw operatorError(`The embedded PostgreSQL (process ${pid}) of ${cluster} does not stop.`);
  }
  removeSocketDirectory(host);
}

/** PostgreSQL's log; a start moves one of more than 10 MB aside. */
export function logPath(dataDirectory: string): string {
  return join(dataDirectory, 'postgres.log');
}

interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

async function listeningPlace(cluster: string, uid: number | undefined): Promise<ListenAddress> {
  if (WINDOWS) return { host: '127.0.0.1', port: await freePort() };
  const host = (await takesSocket(cluster)) ? cluster : temporaryDirectory(cluster, uid);
  return { host, port: SOCKET_PORT };
}

/** False: its path is too long, or its file system has no sockets, as some that containers share with their host (D597). */
function takesSocket(directory: string): Promise<boolean> {
  if (Buffer.byteLength(join(directory, SOCKET_NAME)) > MOST_OF_SOCKET_PATH)
    return Promise.resolve(false);
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen(join(directory, `.s.${process.pid}`), () => server.close(() => resolve(true)));
  });
}

/**
 * A private directory with a short name. The name depends only on the cluster and its user, so a restarted server is
 * found at the same place. XDG_RUNTIME_DIR would go away with the login, TMPDIR may differ between service and commands.
 */
function temporaryDirectory(cluster: string, uid: number | undefined): string {
  const self = process.getuid?.() ?? 0;
  const owner = uid ?? self;
  const digest = createHash('sha256').update(cluster).digest('hex').slice(0, 16);
  const parent = isWritable('/tmp') ? '/tmp' : tmpdir();
  const path = join(parent, `workspace-records-${owner}-${digest}`);
  try {
    fs.mkdirSync(path, { recursive: true, mode: 0o700 });
    const folder = fs.lstatSync(path);
    if (!folder.isDirectory() || ![owner, self].includes(folder.uid)) {
      throw new Error('it belongs to another user');
    }
    // Another user may replace their own directory at any time: root only ever changes its own.
    if (folder.uid === self) fs.chmodSync(path, 0o700);
    else if ((folder.mode & 0o077) !== 0) throw new Error('it is open to others');
    if (folder.uid !== owner) fs.chownSync(path, owner, -1);
    return path;
  } catch (error) {
    const reason = (error as Error).message;
    throw operatorError(`The socket directory ${path} cannot be used: ${reason}.`, error);
  }
}

/** Leaves the cluster, and one where the next server is already; a server that loses it in between tries again. */
function removeSocketDirectory(host: string): void {
  try {
    if (!WINDOWS) fs.rmdirSync(host);
  } catch {
    // not empty, or gone
  }
}

function isWritable(path: string): boolean {
  try {
    fs.accessSync(path, fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

function openLog(dataDirectory: string, { uid, gid }: Account): number {
  const path = logPath(dataDirectory);
  try {
    const { size } = fs.statSync(path, { throwIfNoEntry: false }) ?? { size: 0 };
    if (size > LOG_LIMIT_BYTES) fs.renameSync(path, `${path}.1`);
    if (uid === undefined || gid === undefined) return fs.openSync(path, 'a', 0o600);
    // Root must not follow a link that the owner of the directory may have put here.
    const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = fs.constants;
    const log = fs.openSync(path, O_APPEND | O_CREAT | O_NOFOLLOW | O_WRONLY, 0o600);
    fs.fchownSync(log, uid, gid);
    return log;
  } catch (error) {
    const reason = (error as Error).message;
    throw operatorError(`The log ${path} cannot be written: ${reason}.`, error);
  }
}

/** Temporary data need not be written twice, and is not copied elsewhere. */
const NOT_DURABLE = Object.freeze({
  ...{ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  ...{ wal_level: 'minimal', max_wal_senders: 0 },
});

function settings({ durable }: Home, { host, port }: ListenAddress): string[] {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  const values = {
    ...(WINDOWS
      ? { listen_addresses: host }
      : {
          listen_addresses: '',
          unix_socket_directories: host,
          unix_socket_permissions: '0700',
          dynamic_shared_memory_type: 'mmap', // /dev/shm is 64 MB in containers
          // A statement of a killed client, and its locks, end after half a second.
          client_connection_check_interval: '500ms',
        }),
    port,
    // Eight processes with their pools and jobs, and commands at the same time.
    max_connections: 200,
    // pg_dump locks the 33 tables of each of 2,000 workspaces; 20 MB of shared memory.
    max_locks_per_transaction: 350,
    shared_buffers: memory >= 4 * 2 ** 30 ? '256MB' : '128MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    jit: 'off', // costs more than it gains on short statements
    log_destination: 'stderr',
    logging_collector: 'off',
    log_checkpoints: 'off',
    // Values of records, which details and statements carry, stay out of the log.
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
    ...(durable ? {} : NOT_DURABLE),
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Temporary: another server was faster, or processes of a killed one are about to end. */
function whyItEnded(
  log: string,
  offset: number,
  pid: number | undefined,
): NonNullable<Start['failure']> {
  const lines = readFrom(log, offset).trim().split('\n');
  const fatal = lines.filter((line) => /FATAL:|PANIC:/.test(line));
  const line =
    fatal.findLast((entry) => entry.includes(`[${pid}]`)) ??
    fatal.findLast((entry) => !/the database system is|lock file/.test(entry)) ?? // of its children
    lines.at(-1) ??
    '';
  return {
    reason: line.replace(/^.*(FATAL|PANIC|LOG): +/, '') || 'it left no message',
    temporary: /already exists|is empty|still in use|lock file.*No such file/.test(line),
  };
}

function readFrom(path: string, offset: number): string {
  try {
    return fs.readFileSync(path).subarray(offset).toString('utf8');
  } catch {
    return '';
  }
}
