// While hosts are replaced one after the other, processes of the release before, which look at the
// control schema only, and of this one go on beside each other: whoever puts a definition in force,
// no write is made by another.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { findWorkspace, type WorkspaceRow } from '../../src/control/workspaces.ts';
import { applyDefinition } from '../../src/definitions/apply/apply-definition.ts';
import type { Queryable } from '../../src/postgres/db.ts';
import { auditSql, REVISION_CHANGED } from '../../src/sql/audit-sql.ts';
import { toStatement } from '../../src/sql/sql.ts';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import { migrate } from '../../src/workspaces/migrations.ts';
import { createMigratedDatabase, type OwnDatabase } from '../own-database.ts';

let own: OwnDatabase;
let acme: WorkspaceRow;
let count = 0;

beforeAll(async () => {
  own = await createMigratedDatabase();
});

afterAll(() => own?.drop());

beforeEach(async () => {
  count += 1;
  acme = await createWorkspace(own.db, { slug: `acme-${count}`, document: { name: 'Acme' } });
});

const schema = () => `"${acme.schema}"`;

/** What a write of this release sends. */
function writeNew(db: Queryable, revision: number): Promise<unknown> {
  const actor = {
    api_key_id: null,
    api_key_prefix: null,
    session_id: null,
    user_id: 1,
    source: 'api',
    request_id: null,
    batch_id: null,
  } as const;
  const record_id = '01900000-0000-7000-8000-00000000000a';
  const entry = {
    actor,
    object_type: 'companies',
    record_id,
    action: 'create',
    changed_fields: [],
  };
  return db.query(toStatement(auditSql({ schema: acme.schema, revision }, [entry])));
}

/** What a write of the release before sends. */
function writeOld(db: Queryable, revision: number): Promise<unknown> {
  const text = 'select workspace_records.require_revision($1::integer, $2::integer)';
  return db.query({ text, values: [acme.id, revision] });
}

/** What puts a revision in force in the release before. */
async function putOld(db: Queryable, revision: number): Promise<void> {
  const run = (text: string, values: readonly unknown[]) =>
    db.query({ text, values }, { prepare: false });
  await run(`select pg_advisory_xact_lock(hashtext('workspace-records revision'), $1::integer)`, [
    acme.id,
  ]);
  await run(
    `with stored as (
        insert into ${schema()}._definitions (revision, document, patch) values ($1, '{}', '{}')
      ) update workspace_records.workspaces set revision = $1 where id = $2`,
    [revision, acme.id],
  );
}

const putNew = async () => {
  await applyDefinition(own.db, acme.slug, { name: 'Another' });
};

async function inForce(): Promise<unknown> {
  const rows = await own.rows(`select revision from ${schema()}._definitions where in_force`);
  return rows.map(({ revision }) => revision);
}

/** Whether somebody waits for a lock in this database. */
async function isWaiting(): Promise<boolean> {
  const rows = await own.rows(`select from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()`);
  return rows.length > 0;
}

/** Start `later` while the transaction of `first` is open, and end it when `later` waits. */
async function whileOpen(
  first: (tx: Queryable) => Promise<unknown>,
  later: () => Promise<unknown>,
): Promise<unknown> {
  let outcome: Promise<unknown> = Promise.resolve();
  let isOver = false;
  await own.db.transaction(async (tx) => {
    await first(tx);
    outcome = later()
      .catch((error: { readonly code?: string }) => error.code)
      .finally(() => {
        isOver = true;
      });
    await expect.poll(async () => isOver || (await isWaiting()), { timeout: 60_000 }).toBe(true);
    expect(isOver, 'it has not waited').toBe(false);
  });
  return outcome;
}

const WRITES = [
  ['the release before', writeOld],
  ['this release', writeNew],
] as const;

test.each(WRITES)('a write of %s is made by what is in force only', async (_, write) => {
  await write(own.db, 1);
  await putNew();
  await expect(write(own.db, 1)).rejects.toMatchObject({ code: REVISION_CHANGED });
  await write(own.db, 2);
  await own.db.transaction((tx) => putOld(tx, 3));
  expect(await inForce()).toEqual([3]);
  await expect(write(own.db, 2)).rejects.toMatchObject({ code: REVISION_CHANGED });
  await write(own.db, 3);
});

test.each(WRITES)('who puts a definition in force waits for a write of %s', async (_, write) => {
  await whileOpen((tx) => write(tx, 1), putNew);
  expect(await inForce()).toEqual([2]);
  await whileOpen(
    (tx) => write(tx, 2),
    () => own.db.transaction((tx) => putOld(tx, 3)),
  );
  expect(await inForce()).toEqual([3]);
});

test.each(WRITES)('a write of %s waits for who puts another in force', async (_, write) => {
  const old = (tx: Queryable) => putOld(tx, 2);
  expect(await whileOpen(old, () => write(own.db, 1))).toBe(REVISION_CHANGED);
  await write(own.db, 2);
});

test('writes do not wait for each other', async () => {
  await own.db.transaction(async (tx) => {
    await writeNew(tx, 1);
    await writeNew(own.db, 1);
    await writeOld(own.db, 1);
  });
});

test('a workspace that the release before has made can be written to at once', async () => {
  const file = '010-in-force.sql';
  await own.rows(`alter table ${schema()}._definitions drop column in_force`);
  await own.rows('delete from workspace_records.migrations where schema_name = $1 and file = $2', [
    acme.schema,
    file,
  ]);
  await own.db.transaction((tx) => putOld(tx, 2));
  await writeNew(own.db, 2);
  expect(await migrate(own.db)).toEqual([acme.schema]);
  expect(await inForce()).toEqual([2]);
});

test('a workspace older than the column gets it, whoever changes it meanwhile', async () => {
  await own.rows(`alter table ${schema()}._definitions drop column in_force`);
  await own.rows(`delete from workspace_records.migrations
    where schema_name = '${acme.schema}' and file = '010-in-force.sql'`);
  await own.rows('alter table workspace_records.workspaces disable trigger user');
  try {
    await whileOpen(
      (tx) => putOld(tx, 2),
      () => migrate(own.db),
    );
  } finally {
    await own.rows('alter table workspace_records.workspaces enable trigger user');
  }
  expect(await inForce()).toEqual([2]);
  expect(await findWorkspace(own.db, acme.slug)).toMatchObject({ revision: 2 });
});
