// The rows of `_leftovers` in the schema of a workspace (docs/decisions.md, D261): stored data that no definition in
// force names. One function, one statement; definitions/apply builds and deletes.

import type { StoredName } from '../../model/definition/storage-names.ts';
import type { Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { identifier, type Sql, sql } from '../../sql/sql.ts';

/** The progress of a build of data. */
export interface BuildState {
  /** The content of the build, and the revision of the definition that it is for: another one cannot continue it. */
  readonly fingerprint: string;
  /** Names the process that is at it. */
  readonly owner: string;
  /** The last record that was there at the beginning; null when there was none. */
  readonly last: string | null;
  /** The records up to this one are done. */
  readonly after: string | null;
  /** Changes that this moment of the database had seen are in. */
  readonly seen: string;
}

export interface Leftover extends StoredName {
  readonly id: number;
  /** Null: the data is no longer needed. */
  readonly build: BuildState | null;
  readonly job_id: string | null;
}

const COLUMNS = sql`id, kind, table_name, name, build, job_id`;

export async function loadLeftovers(db: Queryable, schema: string): Promise<readonly Leftover[]> {
  const rows = await runOnce(db, sql`select ${COLUMNS} from ${tableOf(schema)} order by id`);
  return rows as unknown as readonly Leftover[];
}

/** Note data; answers the id of the row. */
export async function appendLeftover(
  db: Queryable,
  schema: string,
  { kind, table_name, name, build = null, job_id = null }: StoredName & Partial<Leftover>,
): Promise<number> {
  const state = build === null ? null : JSON.stringify(build);
  const [row] = await runOnce(
    db,
    sql`insert into ${tableOf(schema)} (kind, table_name, name, build, job_id)
      values (${kind}, ${table_name}::text, ${name}, ${state}::json, ${job_id}::uuid) returning id`,
  );
  return Number(row?.id);
}

/** Locks a row until the transaction ends. */
export async function lockLeftover(
  tx: Queryable,
  schema: string,
  id: number,
): Promise<Leftover | undefined> {
  const [row] = await runOnce(
    tx,
    sql`select ${COLUMNS} from ${tableOf(schema)} where id = ${id}::integer for update`,
  );
  return row as unknown as Leftover | undefined;
}

export async function putBuild(
  db: Queryable,
  schema: string,
  id: number,
  build: BuildState | null,
): Promise<void> {
  const state = build === null ? null : JSON.stringify(build);
  await runOnce(
    db,
    sql`update ${tableOf(schema)} set build = ${state}::json where id = ${id}::integer`,
  );
}

/** Builds that another database has begun are not continued. */
export async function abandonAll(db: Queryable, schema: string): Promise<void> {
  await runOnce(db, sql`update ${tableOf(schema)} set build = null where build is not null`);
}

/** The data is gone, or a definition names it. */
export async function deleteLeftover(db: Queryable, schema: string, id: number): Promise<void> {
  await runOnce(db, sql`delete from ${tableOf(schema)} where id = ${id}::integer`);
}

function tableOf(schema: string): Sql {
  return identifier(schema, '_leftovers');
}
