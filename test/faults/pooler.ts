// A PgBouncer of one's own in transaction mode, in front of a PostgreSQL on a local socket.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { ConnectionOptions } from '../../src/postgres/db.ts';

/** Undefined on machines without PgBouncer. */
export const PGBOUNCER = [
  '/usr/sbin/pgbouncer',
  '/usr/bin/pgbouncer',
  '/opt/homebrew/bin/pgbouncer',
].find((path) => statSync(path, { throwIfNoEntry: false }) !== undefined);

const PORT = 6432;
/** Connections to PostgreSQL; the service requests more. */
const POOL = 5;
/** Milliseconds. */
const UP_WITHIN = 60_000;

export interface Pooler {
  /** The same database by way of it. */
  readonly connection: ConnectionOptions;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Make it reopen all its connections. */
  reconnect(): Promise<void>;
  /** Stop it and remove its files. */
  remove(): Promise<void>;
}

/** Make one; `start` starts it. */
export function makePooler(behind: ConnectionOptions): Pooler {
  const folder = mkdtempSync(join(tmpdir(), 'pooler-'));
  chmodSync(folder, 0o777);
  writeFileSync(join(folder, 'pgbouncer.ini'), settingsOf(behind, folder));
  writeFileSync(join(folder, 'users'), `"${behind.user ?? 'postgres'}" ""\n`);
  const socket = join(folder, `.s.PGSQL.${PORT}`);
  const connection = { ...behind, host: folder, port: PORT };
  let running: ChildProcess | undefined;

  async function stop(): Promise<void> {
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const ended = once(running, 'exit');
    running.kill('SIGTERM');
    await ended;
  }

  return {
    connection,
    async start() {
      const [command, ...args] = commandOf(behind.host as string, folder);
      running = spawn(command, args, { stdio: 'ignore' });
      const giveUp = Date.now() + UP_WITHIN;
      while (statSync(socket, { throwIfNoEntry: false }) === undefined) {
        if (Date.now() > giveUp) throw new Error('PgBouncer does not start');
        await sleep(20);
      }
    },
    stop,
    async reconnect() {
      const { user = 'postgres' } = behind;
      const client = new pg.Client({ host: folder, port: PORT, user, database: 'pgbouncer' });
      client.on('error', () => undefined);
      await client.connect();
      await client.query(`reconnect ${behind.database}`);
      await client.end();
    },
    async remove() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** As a user who may reach the socket of PostgreSQL: PgBouncer refuses to run as root. */
function commandOf(socketFolder: string, folder: string): readonly [string, ...string[]] {
  const program = [PGBOUNCER as string, join(folder, 'pgbouncer.ini')] as [string, string];
  if (process.getuid?.() !== 0) return program;
  const { uid, gid } = statSync(socketFolder);
  if (uid === 0) return ['unshare', '-U', '--map-user=1000', '--', ...program];
  return ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...program];
}

function settingsOf(
  { host, port, user = 'postgres', database }: ConnectionOptions,
  folder: string,
): string {
  return `[databases]
${database} = host=${host} port=${port} user=${user} dbname=${database}
[pgbouncer]
unix_socket_dir = ${folder}
listen_port = ${PORT}
auth_type = trust
auth_file = ${join(folder, 'users')}
admin_users = ${user}
pool_mode = transaction
default_pool_size = ${POOL}
max_client_conn = 100
logfile = ${join(folder, 'log')}
`;
}
