// Decides as whom PostgreSQL's programs run and spawns them. PostgreSQL refuses to run as root; a
// root service therefore uses a user namespace or an existing unprivileged user. It never creates
// a system user.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { chownSync, lchownSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { operatorError } from '../errors.ts';

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
  const { uid, gid } = statSync(directory);
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

/** Inside, root is `user`; outside it stays root, so files below a 0700 home remain readable. */
function userNamespace({ uid, gid }: { uid: number; gid: number }): string[] {
  return ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`, '--'];
}

function unprivilegedUsers(): { uid: number; gid: number }[] {
  const passwd = readFileSync('/etc/passwd', 'utf8').split('\n');
  return ['postgres', 'nobody'].flatMap((name) => {
    const [, , uid, gid] = passwd.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    return uid === undefined || gid === undefined ? [] : [{ uid: +uid, gid: +gid }];
  });
}

function handOver(directory: string, { uid, gid }: { uid: number; gid: number }): void {
  for (const entry of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    lchownSync(join(directory, entry), uid, gid);
  }
  chownSync(directory, uid, gid);
}

/** Nothing of the caller's settings (LD_LIBRARY_PATH, LC_ALL, PG…) may change the server. */
function plainEnvironment(): NodeJS.ProcessEnv {
  return process.platform === 'win32' ? process.env : { PATH: process.env['PATH'] };
}
