// Room for the locks of `pg_dump`, which locks every table, over 2,000 workspaces: on the bundled PostgreSQL, and in
// compose.yaml.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { openEmbeddedPostgres } from '../../src/embedded/embedded-postgres.ts';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import { createMigratedDatabase } from '../own-database.ts';

const WORKSPACES = 2000;
/** Tables of a workspace with one object of its own, as docs/operations.md says. */
const TABLES = 34;
const BOATS = {
  objects: {
    boats: {
      name: 'Boats',
      singular_name: 'Boat',
      display_field: 'name',
      fields: { name: { type: 'text' } },
    },
  },
};
const ROOT = join(import.meta.dirname, '../..');

test('a workspace has as many tables as the page for operators says', async () => {
  const own = await createMigratedDatabase();
  await createWorkspace(own.db, { slug: 'one', document: BOATS });
  const [found] = await own.rows(
    `select count(*)::integer as tables from pg_tables where schemaname = 'ws_one'`,
  );
  await own.drop();
  expect(found).toEqual({ tables: TABLES });
  const page = readFileSync(join(ROOT, 'docs', 'operations.md'), 'utf8');
  expect(page).toContain(`has ${TABLES - 1} tables, and one more for each object of its own`);
});

test('a transaction of the bundled PostgreSQL can lock all of them', async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'locks-'));
  const server = await openEmbeddedPostgres({ dataDirectory, purpose: 'service', mayCreate: true });
  const client = new pg.Client(server.connection);
  try {
    await client.connect();
    const locks = WORKSPACES * TABLES;
    const { rows } = await client.query(
      `select count(pg_advisory_xact_lock(n))::integer as locks from generate_series(1, $1) n`,
      [locks],
    );
    expect(rows).toEqual([{ locks }]);
    const setting = 'max_locks_per_transaction';
    const shown = await client.query(`select current_setting('${setting}')::integer
      * current_setting('max_connections')::integer as room`);
    expect(shown.rows[0].room).toBeGreaterThanOrEqual(locks);
  } finally {
    await client.end();
    await server.stop();
    rmSync(dataDirectory, { recursive: true, force: true });
  }
});

test('compose.yaml has room for them with the default of connections', () => {
  const { services } = parse(readFileSync(join(ROOT, 'compose.yaml'), 'utf8'));
  const [, locks] = /max_locks_per_transaction=(\d+)/.exec(services.postgres.command) ?? [];
  expect(Number(locks) * 100).toBeGreaterThanOrEqual(WORKSPACES * TABLES);
});
