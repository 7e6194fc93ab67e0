// The data directory on disk: the cluster of this PostgreSQL major version, and the lock files that name the running
// postmaster. It starts and stops no server, and never removes a lock file whose process is this cluster's
// postmaster.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { operatorError } from '../errors.ts';
import { accountFor, type PostgresBinaries, run, unusableBinaries } from './postgres-programs.ts';

/** A live process, verified to be the postmaster of the cluster; `host` is '' while it starts. */
export interface Postmaster {
  readonly pid: number;
  readonly host: string;
  readonly port: number;
}

const WINDOWS = process.platform === 'win32';
/** Under lc_ctype C pg_trgm finds no letters outside ASCII, and so no trigrams of them. */
const LC_CTYPE: Record<string, string> = { win32: 'en-US', darwin: 'en_US.UTF-8' };

/** Refuse a directory in which no service was started yet. */
export function requireData(path: string): void {
  const entries = fs.existsSync(path) ? fs.readdirSync(path) : [];
  if (entries.some((entry) => /^postgres-\d+$/.test(entry))) return;
  throw operatorError(
    `There is no data in ${resolve(path)}. Set DATA_DIRECTORY to the directory of the service, or ` +
      'make a new one with "workspace-records start" or "workspace-records migrate".',
  );
}

/** Creates the directory when missing; answers its real path. */
export function prepareDataDirectory(path: string): string {
  try {
    makeDirectory(resolve(path));
    const real = fs.realpathSync(path);
    fs.readdirSync(real);
    fs.accessSync(real, fs.constants.W_OK | fs.constants.X_OK);
    return real;
  } catch (error) {
    throw cannotUse(resolve(path), error);
  }
}

/** Windows only, where there are no Unix sockets to protect: the superuser's password. */
export function passwordFile(dataDirectory: string): string {
  return join(dataDirectory, 'postgres-password');
}

/** The path of the cluster, made with initdb when there is none. */
export async function requireCluster(
  dataDirectory: string,
  binaries: PostgresBinaries,
  durable: boolean,
): Promise<string> {
  const cluster = join(dataDirectory, `postgres-${binaries.major}`);
  if (!isCluster(cluster)) {
    refuseOtherMajor(dataDirectory, binaries.major);
    const draft = makeDraft(dataDirectory, cluster);
    try {
      await initialise(draft, dataDirectory, binaries, durable);
      publish(draft, cluster, dataDirectory);
    } finally {
      fs.rmSync(draft, { recursive: true, force: true, maxRetries: 5 });
    }
  }
  return fs.realpathSync(cluster);
}

/** The postmaster that `postmaster.pid` names, if it is alive. */
export function livePostmaster(cluster: string): Postmaster | undefined {
  const [pid, , , port, socketDirectory, address] = read(pidFile(cluster)).split('\n');
  if (!isPostmaster(Number(pid), cluster)) return undefined;
  const host = WINDOWS ? address : socketDirectory;
  return { pid: Number(pid), host: host?.trim() ?? '', port: Number(port) };
}

/** Whether the process lives (a zombie does not) and is the postmaster of this cluster. */
export function isPostmaster(pid: number, cluster: string): boolean {
  if (!isAlive(pid)) return false;
  const command = commandLine(pid);
  if (WINDOWS) return command.includes('postgres.exe');
  return (
    command.includes('postgres') &&
    (command.includes(`-D ${cluster} `) || workingDirectory(pid) === cluster)
  );
}

/**
 * Takes away the lock files PostgreSQL would stumble over: it replaces those of dead processes by
 * itself, but refuses to start when the id now belongs to another process or a zombie, or when a
 * crash left the file empty. Its shared memory segment still keeps out a second server.
 */
export function clearStaleLocks(cluster: string, socketLock: string): void {
  for (const path of [pidFile(cluster), socketLock]) {
    const judged = read(path);
    const pid = Number.parseInt(judged, 10);
    const abandoned = judged.trim() === '' ? olderThan(path, 2_000) : isAlive(pid);
    if (abandoned && !isPostmaster(pid, cluster)) removeIfStill(path, judged);
  }
}

/** Not mkdir's own `recursive`: Node 20 loops for ever below /proc and hides a read-only disk. */
function makeDirectory(path: string): void {
  if (fs.statSync(path, { throwIfNoEntry: false }) !== undefined) return;
  makeDirectory(dirname(path));
  try {
    fs.mkdirSync(path, 0o711); // others may pass through (an unprivileged PostgreSQL has to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function pidFile(cluster: string): string {
  return join(cluster, 'postmaster.pid');
}

function isCluster(cluster: string): boolean {
  try {
    if (fs.readdirSync(cluster).length === 0) return false;
    fs.accessSync(join(cluster, 'global', 'pg_control'), fs.constants.R_OK);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && !fs.existsSync(cluster)) return false;
    if (code === 'ENOENT') throw operatorError(`${cluster} is not a PostgreSQL data directory.`);
    throw cannotUse(cluster, error);
  }
}

function refuseOtherMajor(dataDirectory: string, major: number): void {
  for (const entry of fs.readdirSync(dataDirectory)) {
    const found = /^postgres-(\d+)$/.exec(entry)?.[1];
    if (found === undefined) continue;
    throw operatorError(
      `${join(dataDirectory, entry)} has data of PostgreSQL ${found}, but this release runs ` +
        `PostgreSQL ${major}. Export the data with the release that wrote it, or move ${entry} ` +
        'out of the data directory to start empty.',
    );
  }
}

/** An initdb that is killed leaves only a draft, which the next start removes. */
function makeDraft(dataDirectory: string, cluster: string): string {
  const prefix = `${basename(cluster)}.draft-`;
  try {
    for (const entry of fs.readdirSync(dataDirectory)) {
      if (!entry.startsWith(prefix) || isAlive(Number.parseInt(entry.slice(prefix.length), 10))) {
        continue;
      }
      // Processes that the killed one has started may write for some seconds more.
      fs.rmSync(join(dataDirectory, entry), { recursive: true, force: true, maxRetries: 20 });
    }
    const draft = fs.mkdtempSync(join(dataDirectory, `${prefix}${process.pid}-`));
    // Under sudo the cluster still belongs to the owner of the data directory.
    const { uid, gid } = fs.statSync(dataDirectory);
    if (process.getuid?.() === 0) fs.lchownSync(draft, uid, gid);
    return draft;
  } catch (error) {
    throw cannotUse(dataDirectory, error);
  }
}

async function initialise(
  draft: string,
  dataDirectory: string,
  binaries: PostgresBinaries,
  durable: boolean,
): Promise<void> {
  const trial = await run({}, binaries.postgres, ['--version']);
  if (trial.code !== 0) {
    throw unusableBinaries(`${process.platform}-${process.arch}`, new Error(trial.output));
  }
  const account = await accountFor(binaries.postgres, draft);
  const options = `--username=postgres --encoding=UTF8 --locale=C --locale-provider=builtin
    --builtin-locale=PG_UNICODE_FAST --lc-ctype=${LC_CTYPE[process.platform] ?? 'C.UTF-8'}
    --no-instructions ${durable ? '' : '--no-sync'}`;
  const { code, output } = await run(account, binaries.initdb, [
    ...options.trim().split(/\s+/),
    ...authentication(dataDirectory),
    `--pgdata=${draft}`,
  ]);
  if (code === 0) return;
  const reason = /^initdb: error: (.*)$|^.*(No space left on device)$|FATAL: +(.*)$/m.exec(output);
  throw operatorError(
    `The embedded PostgreSQL could not be set up in ${dataDirectory}: ` +
      `${reason?.slice(1).find(Boolean) ?? output.trim().split('\n').at(-1)}.`,
    new Error(output),
  );
}

function authentication(dataDirectory: string): string[] {
  if (!WINDOWS) return ['--auth-local=trust', '--auth-host=reject'];
  const path = passwordFile(dataDirectory);
  if (!fs.existsSync(path)) {
    fs.writeFileSync(path, randomBytes(24).toString('base64url'), { mode: 0o600 });
  }
  return ['--auth=scram-sha-256', `--pwfile=${path}`];
}

/**
 * Publishes a draft of a cluster. When two processes made one at once, the second rename fails and its draft is
 * removed.
 */
function publish(draft: string, cluster: string, dataDirectory: string): void {
  try {
    fs.renameSync(draft, cluster);
  } catch (error) {
    if (!isCluster(cluster)) throw cannotUse(cluster, error);
  }
  if (WINDOWS) return; // directories cannot be opened there
  const directory = fs.openSync(dataDirectory, 'r');
  fs.fsyncSync(directory); // or a power failure could bring the draft back
  fs.closeSync(directory);
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The arguments, each followed by a space; empty for a zombie or when the process is gone. */
function commandLine(pid: number): string {
  if (process.platform === 'linux') return read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');
  const [program, args] = WINDOWS
    ? ['tasklist', ['/FO', 'CSV', '/NH', '/FI', `PID eq ${pid}`]]
    : ['ps', ['-ww', '-o', 'command=', '-p', `${pid}`]];
  try {
    return `${execFileSync(program, args, { encoding: 'utf8', stdio: 'pipe' }).trim()} `;
  } catch {
    return '';
  }
}

/** PostgreSQL works inside its data directory; unknown ('') where /proc does not show it. */
function workingDirectory(pid: number): string {
  try {
    return fs.readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}

/** Moves the file aside first: if it changed since it was judged, it goes back. */
function removeIfStill(path: string, judged: string): void {
  const aside = `${path}.${process.pid}`;
  try {
    fs.renameSync(path, aside);
    if (read(aside) !== judged) fs.linkSync(aside, path);
    fs.rmSync(aside);
  } catch {
    fs.rmSync(aside, { force: true }); // another process cleared or replaced it meanwhile
  }
}

function olderThan(path: string, age: number): boolean {
  const stat = fs.statSync(path, { throwIfNoEntry: false });
  return stat !== undefined && Date.now() - stat.mtimeMs > age;
}

function read(path: string): string {
  try {
    return fs.readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function cannotUse(path: string, error: unknown): Error {
  const { message } = error as Error;
  const reason = /^[A-Z]+: ([^,]+)/.exec(message)?.[1] ?? message;
  return operatorError(`The data directory ${path} cannot be used: ${reason}.`, error);
}
