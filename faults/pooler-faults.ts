// X13: the service behind PgBouncer in transaction mode with five connections, which is restarted and told
// to reconnect while clients of two workspaces write.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { ConnectionOptions } from '../src/store/db.ts';
import type { Fault } from './fault.ts';
import { requireAlive } from './kill-faults.ts';
import { urlOf } from './site.ts';

const PROGRAM = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer'].find(
  (path) => statSync(path, { throwIfNoEntry: false }) !== undefined,
);
const PORT = 6432;
const POOL = 5;
const UP_WITHIN = 10_000;

let folder: string;
let pooler: ChildProcess;

export const pooled: Fault = {
  name: 'X13',
  title: `behind PgBouncer in transaction mode, restarted and reconnected in turn`,
  cycles: 20,
  skipped: () => (PROGRAM === undefined ? 'PgBouncer is not installed' : undefined),
  async prepare(site) {
    folder = mkdtempSync(join(tmpdir(), 'records-pooler-'));
    chmodSync(folder, 0o777);
    writeFileSync(join(folder, 'pgbouncer.ini'), settingsOf(site.connection));
    writeFileSync(join(folder, 'users'), `"${site.connection.user}" ""\n`);
    await startPooler(site.connection);
    site.place.databaseUrl = urlOf({ ...site.connection, host: folder, port: PORT });
    site.place.settings = { DATABASE_POOLER: 'transaction' };
  },
  async inflict(scene, cycles) {
    const { site } = scene;
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      await sleep(500 + scene.random() * 1500);
      if (cycle % 2 === 0) {
        await stopPooler();
        await startPooler(site.connection);
      } else {
        await reconnect(String(site.connection.database));
      }
      await scene.recovered(performance.now());
    }
    requireAlive(scene);
  },
  async tidy() {
    await stopPooler();
    rmSync(folder, { recursive: true, force: true });
  },
};

/** As whoever may reach the socket of PostgreSQL: PgBouncer refuses to run as root. */
function commandOf(socketFolder: string): readonly [string, ...string[]] {
  const program = [PROGRAM as string, join(folder, 'pgbouncer.ini')] as [string, string];
  if (process.getuid?.() !== 0) return program;
  const { uid, gid } = statSync(socketFolder);
  if (uid === 0) return ['unshare', '-U', '--map-user=1000', '--', ...program];
  return ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...program];
}

async function startPooler(connection: ConnectionOptions): Promise<void> {
  const [command, ...args] = commandOf(connection.host as string);
  pooler = spawn(command, args, { stdio: 'ignore' });
  const giveUp = Date.now() + UP_WITHIN;
  const socket = join(folder, `.s.PGSQL.${PORT}`);
  while (statSync(socket, { throwIfNoEntry: false }) === undefined) {
    if (Date.now() > giveUp) throw new Error('PgBouncer does not start');
    await sleep(20);
  }
}

async function stopPooler(): Promise<void> {
  if (pooler.exitCode !== null || pooler.signalCode !== null) return;
  const ended = once(pooler, 'exit');
  pooler.kill('SIGTERM');
  await ended;
}

async function reconnect(database: string): Promise<void> {
  const console = new pg.Client({
    host: folder,
    port: PORT,
    user: 'postgres',
    database: 'pgbouncer',
  });
  console.on('error', () => undefined);
  await console.connect();
  await console.query(`reconnect ${database}`);
  await console.end();
}

function settingsOf({ host, port, user = 'postgres', database }: ConnectionOptions): string {
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
