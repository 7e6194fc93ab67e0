import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { isPostmaster, livePostmaster } from '../../src/embedded/data-directory.ts';
import {
  type Connection,
  type EmbeddedPostgres,
  openEmbeddedPostgres,
} from '../../src/embedded/embedded-postgres.ts';
import { requirePostgresBinaries } from '../../src/embedded/postgres-programs.ts';
import { isOperatorError } from '../../src/errors.ts';
import { TSX } from '../cli/command-process.ts';

const CHILD = fileURLToPath(new URL('embedded-postgres-child.mjs', import.meta.url));
const IS_ROOT = process.getuid?.() === 0;
const NOBODY = { uid: 65534, gid: 65534 };

const root = fs.mkdtempSync(join(tmpdir(), 'records-embedded-'));
fs.chmodSync(root, 0o711); // another user has to pass where root cannot run PostgreSQL
const children = new Set<ChildProcess>();
const clusters = new Set<string>();

/** Used by most tests one after the other; each leaves it stopped. */
const data = directory('data');

afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  for (const cluster of clusters) {
    const left = livePostmaster(cluster);
    if (left !== undefined) process.kill(left.pid, 'SIGQUIT');
  }
  fs.rmSync(root, { recursive: true, force: true, maxRetries: 20 });
});

describe('a service', () => {
  it('starts in an empty folder, keeps its data, and listens on a private socket only', async () => {
    const first = await open(data, 'service');
    await query(first.connection, 'create table kept (v text)', `insert into kept values ('a')`);
    const { host, port } = first.connection;
    // Not in /tmp, which a service under systemd may have of its own.
    expect(host).toBe(join(data, 'postgres-18'));
    expect(fs.statSync(host).mode & 0o777).toBe(0o700);
    expect(fs.statSync(join(host, `.s.PGSQL.${port}`)).mode & 0o777).toBe(0o700);
    expect(await query(first.connection, 'show listen_addresses')).toEqual(['']);
    expect(await query(first.connection, 'show fsync')).toEqual(['on']);
    const pid = serverOf(data);
    expect(pid).toBeDefined();
    await Promise.all([first.stop(), first.stop()]);
    await first.stop();
    expect(isPostmaster(pid ?? 0, join(data, 'postgres-18'))).toBe(false);
    expect(fs.readdirSync(host).filter((name) => name.startsWith('.s.'))).toEqual([]);

    const second = await open(data, 'service');
    expect(second.connection).toEqual(first.connection);
    expect(await query(second.connection, 'select v from kept')).toEqual(['a']);
    await second.stop();
  });

  it('has the letters of every language', async () => {
    const service = await open(data, 'service');
    const connection = service.connection;
    await query(connection, 'create extension if not exists pg_trgm');
    expect(await query(connection, `select lower('ÄПРИВЕТ')`)).toEqual(['äпривет']);
    expect(await query(connection, `select word_similarity('привет', 'Привет мир')`)).toEqual([1]);
    await service.stop();
  });

  it('is refused while another one runs, which names its process', async () => {
    const owner = launch('service', data);
    const connection = await owner.opened;
    expect(await refusal(open(data, 'service'))).toBe(
      `The data directory ${data} is in use by another workspace-records service ` +
        `(process ${owner.child.pid}).`,
    );
    expect(await query(connection, 'select 1')).toEqual([1]);
    await owner.end();
    expect(serverOf(data)).toBeUndefined();
  });

  it('adopts the server that a killed service left', async () => {
    const owner = launch('service', data, { detached: true });
    const connection = await owner.opened;
    const pid = serverOf(data);
    await query(connection, `insert into kept values ('by the killed one')`);
    process.kill(-(owner.child.pid ?? 0), 'SIGKILL'); // its whole process group, as Ctrl-C would
    await owner.exit;
    expect(serverOf(data)).toBe(pid);

    const heir = await open(data, 'service');
    expect(serverOf(data)).toBe(pid);
    expect(await query(heir.connection, 'select v from kept')).toContain('by the killed one');
    await heir.stop();
    expect(serverOf(data)).toBeUndefined();
  });

  it('starts the server again when it is killed, with every committed row', async () => {
    const service = await open(data, 'service');
    await query(service.connection, `insert into kept values ('before the kill')`);
    const pid = serverOf(data) ?? 0;
    process.kill(pid, 'SIGKILL');
    await until(() => ![pid, undefined].includes(serverOf(data)));
    await until(() => query(service.connection, 'select 1').catch(() => false));
    expect(await query(service.connection, 'select v from kept')).toContain('before the kill');
    // The lock came back as well.
    await until(async () => (await locks(service.connection)) === 2);
    await service.stop();
    expect(serverOf(data)).toBeUndefined();
  });

  it.runIf(process.platform === 'linux')('is not stopped by stale lock files', async () => {
    // The child ends when its parent is no longer a shell, which would have waited for it.
    const shell = spawn('sh', [
      '-c',
      'exec 3<&0; cat <&3 & echo $!; exec sleep 60 </dev/null 3<&-',
    ]);
    children.add(shell);
    const [line] = await once(createInterface(shell.stdout), 'line');
    const zombie = Number(line);
    await until(() => fs.readFileSync(`/proc/${shell.pid}/comm`, 'utf8') === 'sleep\n');
    shell.stdin.end();
    await until(() => fs.readFileSync(`/proc/${zombie}/stat`, 'utf8').includes(') Z '));
    for (const stranger of [zombie, shell.pid, process.pid]) {
      const owner = await open(data, 'service');
      const names = ['postmaster.pid', '.s.PGSQL.5432.lock'];
      const lockFiles = names.map((name) => join(owner.connection.host, name));
      const locked = lockFiles.map((file) => fs.readFileSync(file, 'utf8'));
      await owner.stop();
      for (const [index, file] of lockFiles.entries()) {
        fs.writeFileSync(file, (locked[index] ?? '').replace(/^\d+/, String(stranger)));
      }
    }
    const service = await open(data, 'service');
    expect(await query(service.connection, 'select 1')).toEqual([1]);
    await service.stop();
    expect(shell.exitCode).toBeNull();
  });
});

describe('a command', () => {
  it('works together with a service and leaves it running', async () => {
    const owner = launch('service', data);
    await owner.opened;
    const pid = serverOf(data);
    const command = await open(data, 'command');
    expect(await query(command.connection, 'select 1')).toEqual([1]);
    await command.stop();
    expect(serverOf(data)).toBe(pid);
    await owner.end();
  });

  it('stops the server it started, but not under another client', async () => {
    const alone = await open(data, 'command');
    await query(alone.connection, 'select 1');
    await alone.stop();
    expect(serverOf(data)).toBeUndefined();

    const command = await open(data, 'command');
    const client = new pg.Client(command.connection);
    await client.connect();
    await command.stop();
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await client.end();
    await (await open(data, 'command')).stop();
    expect(serverOf(data)).toBeUndefined();
  });

  it('shares one server with commands and a service that start at the same time', async () => {
    for (const purposes of [
      ['command', 'command'],
      ['command', 'service', 'command'],
    ] as const) {
      const all = await Promise.all(purposes.map((purpose) => open(data, purpose)));
      for (const { connection } of all) {
        expect(await query(connection, 'select 1')).toEqual([1]);
      }
      await Promise.all(all.map((one) => one.stop()));
      expect(serverOf(data)).toBeUndefined();
    }
  });

  it('makes one cluster with another that starts first at the same time', async () => {
    const fresh = directory('fresh');
    const both = [launch('command', fresh), launch('command', fresh)];
    await Promise.all(both.map((child) => child.opened));
    await Promise.all(both.map((child) => child.end()));
    expect(serverOf(fresh)).toBeUndefined();
    expect(fs.readdirSync(fresh).sort()).toEqual(['postgres-18', 'postgres.log']);
  });
});

describe('a data directory', () => {
  it('may be relative, behind a symbolic link, and have a long name', async () => {
    const link = join(root, 'link');
    fs.symlinkSync(data, link);
    const service = await open(relative(process.cwd(), link), 'service');
    expect(serverOf(data)).toBeDefined();
    expect(await refusal(open(data, 'service'))).toContain(`(process ${process.pid})`);
    await query(service.connection, 'create table moved ()');
    await service.stop();

    await underLongName(async (long) => {
      const moved = await open(long, 'service');
      const { host } = moved.connection;
      expect(Buffer.byteLength(`${host}/.s.PGSQL.5432`)).toBeLessThan(100);
      expect(fs.statSync(host).mode & 0o777).toBe(0o700);
      await query(moved.connection, 'drop table moved');
      await moved.stop();
      expect(fs.existsSync(host)).toBe(false);
    });
  });

  it('survives an initdb that is killed half way', async () => {
    const torn = directory('torn');
    const child = launch('service', torn);
    const draft = () => fs.existsSync(torn) && fs.readdirSync(torn)[0];
    await until(() => fs.existsSync(join(torn, draft() || '-', 'base')));
    await child.kill();
    expect(draft()).toMatch(/^postgres-18\.draft-/);
    const service = await open(torn, 'service');
    expect(fs.readdirSync(torn).sort()).toEqual(['postgres-18', 'postgres.log']);
    await service.stop();
  });

  it('is refused in one line when it cannot be used', async () => {
    const file = join(root, 'file');
    fs.writeFileSync(file, '');
    for (const path of [file, join(file, 'below'), '/proc/records/data']) {
      expect(await refusal(open(path, 'service'))).toMatch(
        new RegExp(`^The data directory ${path} cannot be used: (not a|no such) .*\\.$`),
      );
    }
    const foreign = directory('foreign');
    fs.mkdirSync(join(foreign, 'postgres-18'), { recursive: true });
    fs.writeFileSync(join(foreign, 'postgres-18', 'notes.txt'), '');
    expect(await refusal(open(foreign, 'service'))).toContain('is not a PostgreSQL data directory');
    const older = directory('older');
    fs.mkdirSync(join(older, 'postgres-17'), { recursive: true });
    expect(await refusal(open(older, 'command'))).toMatch(
      /postgres-17 has data of PostgreSQL 17, but this release runs PostgreSQL 18\..*Export/,
    );
  });

  it('has its server say why it does not start, in the log and in the error', async () => {
    const broken = directory('broken');
    fs.cpSync(data, broken, { recursive: true });
    fs.writeFileSync(join(broken, 'postgres.log'), 'x'.repeat(10 * 1024 * 1024 + 1));
    fs.appendFileSync(join(broken, 'postgres-18', 'postgresql.conf'), '\nnonsense = 1\n');
    expect(await refusal(open(broken, 'service'))).toMatch(/does not start or answer: .*errors/);
    expect(fs.statSync(join(broken, 'postgres.log')).size).toBeLessThan(10_000);
    expect(fs.existsSync(join(broken, 'postgres.log.1'))).toBe(true);
  });
});

it('says both ways out when no binaries are installed for the platform', () => {
  expect(() => requirePostgresBinaries('sunos-x64')).toThrow(/"npm install".*DATABASE_URL/);
});

describe.runIf(IS_ROOT)('as root', () => {
  it('refuses a socket directory that somebody else made', async () => {
    await underLongName(async (long) => {
      const service = await open(long, 'service');
      const { host } = service.connection;
      await service.stop();
      fs.mkdirSync(host, { mode: 0o777 });
      fs.chownSync(host, 65534, 65534);
      expect(await refusal(open(long, 'service'))).toContain('it belongs to another user');
      fs.rmdirSync(host);
    });
  });

  it('runs PostgreSQL as an existing user where there are no user namespaces', async () => {
    const dropped = directory('dropped');
    fs.cpSync(data, dropped, { recursive: true });
    const child = launch('service', dropped, { env: { PATH: '' } });
    const connection = await child.opened;
    expect(fs.statSync(join(dropped, 'postgres-18')).uid).not.toBe(0);
    expect(await query(connection, 'select 1')).toEqual([1]);
    await child.end();
    // The cluster stays with its owner, whatever is possible later.
    const service = await open(dropped, 'service');
    expect(service.connection).toEqual(connection);
    await service.stop();
  });

  it('names both ways out where no other user can reach the data', async () => {
    fs.mkdirSync(join(root, 'closed'), { mode: 0o700 });
    const child = launch('service', directory('closed/data'), { env: { PATH: '' } });
    await expect(child.opened).rejects.toThrow(/ordinary user, or set DATABASE_URL/);
  });

  it('leaves the cluster to the owner of the data directory, and joins that user', async () => {
    const lent = directory('lent');
    fs.mkdirSync(lent);
    fs.chownSync(lent, NOBODY.uid, NOBODY.gid);
    await (await open(lent, 'command')).stop();
    const service = launch('service', lent, NOBODY);
    expect(await query(await service.opened, 'select 1')).toEqual([1]);
    await (await open(lent, 'command')).stop();
    expect(serverOf(lent)).toBeDefined();
    await service.end();

    const stranger = launch('command', data, NOBODY);
    await expect(stranger.opened).rejects.toThrow(/cannot be used: permission denied/);
  });
});

function directory(name: string): string {
  const path = join(root, name);
  clusters.add(join(path, 'postgres-18'));
  return path;
}

/** The data where its path is too long for a socket. */
async function underLongName(use: (dataDirectory: string) => Promise<void>): Promise<void> {
  const long = directory('long-'.repeat(30));
  fs.mkdirSync(long, { recursive: true });
  fs.renameSync(join(data, 'postgres-18'), join(long, 'postgres-18'));
  await use(long);
  fs.renameSync(join(long, 'postgres-18'), join(data, 'postgres-18'));
}

function open(dataDirectory: string, purpose: 'service' | 'command'): Promise<EmbeddedPostgres> {
  return openEmbeddedPostgres({ dataDirectory, purpose });
}

function serverOf(dataDirectory: string): number | undefined {
  return livePostmaster(join(dataDirectory, 'postgres-18'))?.pid;
}

/** Runs the statements on one connection; the first column of the last one's rows. */
async function query(connection: Connection, ...statements: string[]): Promise<unknown[]> {
  const client = new pg.Client(connection);
  client.on('error', () => {});
  await client.connect();
  try {
    let rows: unknown[][] = [];
    for (const text of statements) rows = (await client.query({ text, rowMode: 'array' })).rows;
    return rows.map((row) => row[0]);
  } finally {
    await client.end();
  }
}

async function locks(connection: Connection): Promise<unknown> {
  const held = `select count(*)::int from pg_locks where locktype = 'advisory' and granted`;
  return (await query(connection, held))[0];
}

async function refusal(opening: Promise<EmbeddedPostgres>): Promise<string> {
  const error = await opening.then(
    () => new Error('it opened'),
    (reason: Error) => reason,
  );
  expect(isOperatorError(error), error.stack).toBe(true);
  expect(error.message).not.toContain('\n');
  return error.message;
}

function launch(purpose: string, dataDirectory: string, options: SpawnOptions = {}) {
  const child = spawn(process.execPath, ['--import', TSX, CHILD, purpose, dataDirectory], {
    cwd: dirname(CHILD),
    ...options,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.add(child);
  const exit = once(child, 'exit').then(() => children.delete(child));
  const opened = once(createInterface(child.stdout ?? process.stdin), 'line').then(([line]) => {
    const answer = JSON.parse(line);
    if (answer.refused !== undefined) throw new Error(answer.refused);
    return answer as Connection;
  });
  opened.catch(() => {});
  return {
    child,
    opened,
    exit,
    end: () => {
      child.stdin?.end();
      return exit;
    },
    kill: () => {
      child.kill('SIGKILL');
      return exit;
    },
  };
}

async function until(condition: () => unknown): Promise<void> {
  for (const deadline = Date.now() + 60_000; !(await condition()); await sleep(5)) {
    if (Date.now() > deadline) throw new Error(`waited in vain for ${condition}`);
  }
}
