// deploy/postgres-role.sh on a real PostgreSQL: the service works as the role that it makes, which can do nothing beyond
// its database.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectionUrl } from '../../src/postgres/connection-url.ts';
import { runCommandHere } from '../cli/command-here.ts';
import { createOwnDatabase, type OwnDatabase } from '../own-database.ts';

const SCRIPT = join(import.meta.dirname, '..', '..', 'deploy', 'postgres-role.sh');
/** Characters that a shell and SQL treat specially. */
const PASSWORD = `it's "a" $HOME \\ :password;`;
const PSQL = '/usr/bin/psql';
const hasClient = existsSync(PSQL);

let own: OwnDatabase;
let made: string;

const remove = async () => {
  await own.rows('drop database if exists records with (force)');
  await own.rows('drop role if exists records');
};

beforeAll(async () => {
  own = await createOwnDatabase();
  await remove();
  const { host, port } = own.connection;
  made = connectionUrl({
    ...own.connection,
    user: 'records',
    password: PASSWORD,
    database: 'records',
  });
  expect([typeof host, Number(port) > 0]).toEqual(['string', true]);
});
afterAll(async () => {
  await remove();
  await own.drop();
});

/** The environment of a client that connects as this user. */
const as = (user: string, password: string) => ({
  PATH: process.env.PATH,
  PGHOST: String(own.connection.host),
  PGPORT: String(own.connection.port),
  ...{ PGUSER: user, PGPASSWORD: password },
});

function psql(command: string) {
  const args = ['--no-psqlrc', '-At', '--dbname', 'records', '--command', command];
  const { status, stdout, stderr } = spawnSync(PSQL, args, {
    env: as('records', PASSWORD),
    encoding: 'utf8',
  });
  return { status, out: stdout.trim(), err: stderr };
}

test.skipIf(!hasClient)(
  'the service works as the role, which owns its database and nothing else',
  async () => {
    const administrator = as(String(own.connection.user), String(own.connection.password ?? ''));
    const run = spawnSync('sh', [SCRIPT], {
      env: { ...administrator, RECORDS_PASSWORD: PASSWORD },
      encoding: 'utf8',
    });
    expect([run.status, run.stderr]).toEqual([0, '']);
    expect(
      psql(
        `select rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls from pg_roles where rolname = 'records'`,
      ).out,
    ).toBe('f|f|f|f|f');
    const environment = { ...own.environment, DATABASE_URL: made };
    const migrated = await runCommandHere(environment, 'migrate');
    expect(migrated.out).toContain('migrated workspace_records');
    await runCommandHere(environment, 'workspaces', 'create', 'acme');
    expect(psql('select slug from workspace_records.workspaces').out).toBe('acme');
    const refused = psql(`copy (select 1) to program 'true'`);
    expect([refused.status, refused.err]).toEqual([
      1,
      expect.stringContaining('permission denied'),
    ]);
  },
);

test.skipIf(!hasClient)('a second run fails and changes nothing', () => {
  const administrator = as(String(own.connection.user), String(own.connection.password ?? ''));
  const again = spawnSync('sh', [SCRIPT], {
    env: { ...administrator, RECORDS_PASSWORD: 'other' },
    encoding: 'utf8',
  });
  expect([again.status, again.stderr]).toEqual([3, expect.stringContaining('already exists')]);
  expect(psql('select 1').out).toBe('1');
});
