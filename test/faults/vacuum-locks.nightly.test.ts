// A change of the definition whose table is being vacuumed: PostgreSQL cancels an autovacuum for a transaction that
// has waited for its lock as long as the deadlock check takes, and not for one that gives up before.

import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Cluster, openCluster } from '../../faults/cluster.ts';
import { applyDefinition } from '../../src/definitions/apply/apply-definition.ts';
import type { ConnectionOptions, Database } from '../../src/postgres/db.ts';
import { openDatabase } from '../../src/postgres/open-server.ts';
import { runOnce } from '../../src/postgres/run-once.ts';
import { identifier, sql } from '../../src/sql/sql.ts';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import { migrate } from '../../src/workspaces/migrations.ts';
import { until } from '../until.ts';

const cars = (fields: object) => ({
  users: { 'ada@acme.example': { name: 'Ada', roles: ['admin'] } },
  objects: {
    cars: { name: 'Cars', singular_name: 'Car', display_field: 'name', fields },
    makers: { name: 'Makers', singular_name: 'Maker', display_field: 'name', fields: { name } },
  },
});
const name = { type: 'text' };

let cluster: Cluster;
let root: Database;
/** Of an ordinary role, from which the server hides what processes of others are. */
let db: Database;

beforeAll(async () => {
  cluster = await openCluster({ prepare: vacuumOften });
  const first = open(cluster.connection('postgres'));
  await runOnce(first, sql`create role service login`);
  await runOnce(
    first,
    sql`create database vacuumed owner service template template0 encoding 'UTF8'`,
  );
  await first.close();
  const connection = cluster.connection('vacuumed');
  root = open(connection);
  db = open({ ...connection, user: 'service' });
  await migrate(db);
  await createWorkspace(db, { slug: 'acme', document: cars({ name }) });
});

afterAll(async () => {
  await db?.close();
  await root?.close();
  await cluster?.close();
});

const open = (connection: ConnectionOptions) =>
  openDatabase({ connection, poolSize: 2, statementTimeout: 0 });

/** It looks for tables to vacuum each second. */
function vacuumOften(directory: string): void {
  appendFileSync(join(directory, 'postgresql.conf'), 'autovacuum_naptime = 1s\n');
}

test('vacuums of a table and of one that a new reference leads to give way to a change', async () => {
  await fill('cars');
  await fill('makers');
  await until(async () => (await isVacuumed('cars')) && (await isVacuumed('makers')));
  const maker_id = { type: 'reference', reference_object_type: 'makers' };
  const { changes } = await applyDefinition(db, 'acme', cars({ name, maker_id }));
  expect(changes).toHaveLength(1);
  const tables = await runOnce(
    root,
    sql`select autovacuum_count::integer as done from pg_stat_all_tables
      where schemaname = 'ws_acme' and relname in ('cars', 'makers')`,
  );
  expect(tables).toEqual([{ done: 0 }, { done: 0 }]);
});

/** Rows that were there: something to vacuum, of which each page takes a tenth of a second or more. */
async function fill(table: string): Promise<void> {
  const records = identifier('ws_acme', table);
  await runOnce(
    root,
    sql`alter table ${records} set (autovacuum_vacuum_threshold = 1,
      autovacuum_vacuum_scale_factor = 0, autovacuum_analyze_threshold = 2147483647,
      autovacuum_vacuum_cost_delay = 100, autovacuum_vacuum_cost_limit = 1)`,
  );
  await runOnce(
    root,
    sql`insert into ${records} (id, created_by_user_id, owner_user_id, name)
      select gen_random_uuid(), 1, 1, 'Name ' || i from generate_series(1, 20000) i`,
  );
  await runOnce(root, sql`delete from ${records}`);
}

async function isVacuumed(table: string): Promise<boolean> {
  const found = await runOnce(
    root,
    sql`select from pg_stat_progress_vacuum where relid = ${`ws_acme.${table}`}::regclass`,
  );
  return found.length > 0;
}
