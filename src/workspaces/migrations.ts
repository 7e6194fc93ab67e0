// Brings the control schema and every workspace schema to the present shape: each file of
// `migrations/` once per schema, in order, safe when several processes start at once. Record tables
// are not its business; they come from the definition document (definitions/apply).

import { describeCollations } from '../definitions/apply/collations.ts';
import { requestTextIndexes } from '../definitions/apply/prepare/index-builds.ts';
import { operatorError } from '../errors.ts';
import { hasCitus, shardSchemas } from '../postgres/citus.ts';
import type { Database, Queryable, Transaction } from '../postgres/db.ts';
import { runAllOnce, runOnce } from '../postgres/run-once.ts';
import {
  CONTROL_SCHEMA,
  identifier,
  type Sql,
  type Statement,
  sql,
  toStatement,
} from '../sql/sql.ts';
import {
  allows,
  controlMigrations,
  isOfTrigger,
  isUnpublished,
  readMigration,
  workspaceMigrations,
} from './migration-files.ts';

const MINIMUM_VERSION = 150_000;
/** The settings without which a server that stops at the wrong moment loses committed data. */
const DURABLE_SETTINGS = ['fsync', 'full_page_writes', 'synchronous_commit'] as const;
/** One lock for all migrations: concurrent starts queue here. */
const LOCK_KEY = 'workspace-records migrations';
/** The files that each schema has. */
const APPLIED = identifier(CONTROL_SCHEMA, 'migrations');
const UNRELEASED =
  'The database was made by a version that was not published, and nothing in it was changed. Export its ' +
  'workspaces with that version ("workspaces export") and restore them with this one into a new database ' +
  '("workspaces restore"): docs/operations.md, "From a version that was not published".';

/**
 * Refuse a server this release cannot run on, or should not, with one line for the operator;
 * `allowUnsafe` accepts one that may lose data.
 */
export async function checkServer(db: Queryable, allowUnsafe = false): Promise<void> {
  const [server] = await runOnce(
    db,
    sql`select current_setting('server_version_num')::integer as version,
      current_setting('server_version') as name, current_setting('server_encoding') as encoding,
      current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
      current_setting('synchronous_commit') as synchronous_commit`,
  );
  if (Number(server?.version) < MINIMUM_VERSION) {
    throw operatorError(`PostgreSQL 15 or newer is needed; the server is ${server?.name}.`);
  }
  if (server?.encoding !== 'UTF8') {
    throw operatorError(`The database must have the encoding UTF8, not ${server?.encoding}.`);
  }
  const unsafe = DURABLE_SETTINGS.filter((name) => server?.[name] === 'off');
  if (unsafe.length > 0 && !allowUnsafe) {
    throw operatorError(
      `The server could lose acknowledged writes in a crash: turn on ${unsafe.join(', ')}, ` +
        'or set UNSAFE_DATABASE=allow for data that may be lost.',
    );
  }
}

/** The version of the server as a number, such as 180004. */
export async function loadServerVersion(db: Queryable): Promise<number> {
  const [server] = await runOnce(
    db,
    sql`select current_setting('server_version_num')::integer as version`,
  );
  return Number(server?.version);
}

/**
 * Apply the missing migrations; returns the schemas that were behind. `tell` gets a sentence for each remaining
 * problem that does not prevent a service from starting. Errors: an operator error for data of a version that was not
 * published.
 */
export async function migrate(
  db: Database,
  tell: (sentence: string) => void = () => undefined,
): Promise<readonly string[]> {
  const behind = await loadBehind(db);
  for (const schema of behind) {
    await db.transaction(async (tx) => {
      await runOnce(tx, sql`select pg_advisory_xact_lock(hashtextextended(${LOCK_KEY}, 0))`);
      if (schema === CONTROL_SCHEMA) await migrateControl(tx);
      else await migrateWorkspace(tx, schema);
    });
  }
  await requestTextIndexes(db);
  for (const sentence of await describeCollations(db)) tell(sentence);
  return behind;
}

/**
 * The schemas that `migrate` would change: the control schema first, then the oldest workspace. One statement for all
 * workspaces, which is all there is to do at most starts. Errors: as those of `migrate`.
 */
export async function loadBehind(db: Queryable): Promise<readonly string[]> {
  const [found] = await runOnce(
    db,
    sql`select to_regclass(${`${CONTROL_SCHEMA}.migrations`}) is null as missing`,
  );
  if (found?.missing === true) return [CONTROL_SCHEMA];
  const applied = await loadMigrations(db, CONTROL_SCHEMA);
  if (isUnpublished('control', applied)) throw operatorError(UNRELEASED);
  await requireUsable(db);
  const isBehind = controlMigrations().some((file) => !applied.includes(file));
  const workspaces = await runOnce(db, workspacesBehindSql(workspaceMigrations()));
  return [
    ...(isBehind ? [CONTROL_SCHEMA] : []),
    ...workspaces.map(({ schema_name }) => String(schema_name)),
  ];
}

/** Refuse a database from which a newer release has removed what this one still uses (D631). */
async function requireUsable(db: Queryable): Promise<void> {
  const applied = await runOnce(
    db,
    sql`select distinct schema_name = ${CONTROL_SCHEMA} as is_control, file from ${APPLIED}
      where file like '%-needs-%'`,
  );
  const removing = applied.find(({ is_control, file }) => {
    const files = is_control === true ? controlMigrations() : workspaceMigrations();
    return !allows(String(file), files);
  });
  if (removing === undefined) return;
  throw operatorError(
    `The database was migrated by a newer release (${removing.file}), and this one can no longer use it; nothing ` +
      'was changed. Use the newer release, or restore a backup.',
  );
}

export interface MissingFiles {
  readonly schema: string;
  /** The names of files of `migrations/`, in the order in which they are applied. */
  readonly files: readonly string[];
}

/** The files that `migrate` would apply, by schema and in its order. Errors: as those of `migrate`. */
export async function loadMissing(db: Queryable): Promise<readonly MissingFiles[]> {
  const missing: MissingFiles[] = [];
  for (const schema of await loadBehind(db)) {
    const isControl = schema === CONTROL_SCHEMA;
    const files = isControl ? controlMigrations() : workspaceMigrations();
    const [known] = await runOnce(
      db,
      sql`select to_regclass(${`${CONTROL_SCHEMA}.migrations`}) is not null as known`,
    );
    missing.push({
      schema,
      files: known?.known === true ? await lacking(db, schema, files) : files,
    });
  }
  return missing;
}

function workspacesBehindSql(files: readonly string[]): Sql {
  return sql`select w.schema_name from ${identifier(CONTROL_SCHEMA, 'workspaces')} w
    left join (select schema_name, array_agg(file) as files from ${APPLIED} group by schema_name) m
      on m.schema_name = w.schema_name
    where m.files @> ${files}::text[] is not true order by w.id`;
}

/** The files that a schema has, in their order. */
export async function loadMigrations(db: Queryable, schema: string): Promise<readonly string[]> {
  const rows = await runOnce(
    db,
    sql`select file from ${APPLIED} where schema_name = ${schema} order by file`,
  );
  return rows.map(({ file }) => String(file));
}

async function migrateControl(tx: Transaction): Promise<void> {
  // CREATE SCHEMA needs the right to create even when the schema exists.
  const [found] = await runOnce(
    tx,
    sql`select to_regnamespace(${CONTROL_SCHEMA}) is null as missing`,
  );
  if (found?.missing === true) {
    await shardSchemas(tx, 'off');
    await runOnce(tx, sql`create schema ${identifier(CONTROL_SCHEMA)}`);
  }
  await runOnce(
    tx,
    sql`create table if not exists ${APPLIED} (
      schema_name text collate "C" not null, file text collate "C" not null,
      applied_at timestamptz(3) not null default now(), primary key (schema_name, file))`,
  );
  const missing = await lacking(tx, CONTROL_SCHEMA, controlMigrations());
  const statements = missing.flatMap((file) => readMigration('control', file, CONTROL_SCHEMA));
  await apply(tx, CONTROL_SCHEMA, missing, statements);
}

async function migrateWorkspace(tx: Transaction, schema: string): Promise<void> {
  const missing = await lacking(tx, schema, workspaceMigrations());
  const mayTrigger = await canHaveTriggers(tx);
  const statements = readAll(schema, missing).filter((one) => mayTrigger || !isOfTrigger(one));
  await apply(tx, schema, missing, statements);
}

/**
 * Make the service tables of these files in a schema that was just created; part of the caller's transaction. Their
 * triggers come with `completeSchema`.
 */
export async function makeServiceTables(
  tx: Transaction,
  schema: string,
  files: readonly string[],
): Promise<void> {
  const statements = readAll(schema, files).filter((one) => !isOfTrigger(one));
  await apply(tx, schema, files, statements);
}

/**
 * Bring a schema that was made by these files to the present shape, behind its first rows, in the same transaction.
 * The triggers of all files come last: PostgreSQL keeps plans of each trigger that has fired (D341).
 */
export async function completeSchema(
  tx: Transaction,
  schema: string,
  files: readonly string[],
): Promise<void> {
  const all = workspaceMigrations();
  const missing = all.filter((file) => !files.includes(file));
  const triggers = (await canHaveTriggers(tx)) ? readAll(schema, all).filter(isOfTrigger) : [];
  const statements = readAll(schema, missing).filter((one) => !isOfTrigger(one));
  await apply(tx, schema, missing, [...statements, ...triggers]);
}

/** Citus refuses triggers on the tables of a shard; there the changes of people write these notes themselves. */
async function canHaveTriggers(tx: Queryable): Promise<boolean> {
  return !(await hasCitus(tx));
}

async function lacking(
  tx: Queryable,
  schema: string,
  files: readonly string[],
): Promise<readonly string[]> {
  const applied = await loadMigrations(tx, schema);
  return files.filter((file) => !applied.includes(file));
}

function readAll(schema: string, files: readonly string[]): readonly Statement[] {
  return files.flatMap((file) => readMigration('workspace', file, schema));
}

/** One round trip for all of them. Statements go one by one, for Citus sends none on that come together. */
async function apply(
  tx: Transaction,
  schema: string,
  files: readonly string[],
  statements: readonly Statement[],
): Promise<void> {
  const note = sql`insert into ${APPLIED} (schema_name, file)
    select ${schema}::text, f.file from unnest(${files}::text[]) f (file)`;
  await runAllOnce(tx, [...statements, ...(files.length === 0 ? [] : [toStatement(note)])]);
}
