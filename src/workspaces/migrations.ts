// Brings the control schema and every workspace schema to the present shape: each file of
// `migrations/` once per schema, in order, safe when several processes start at once. Record tables
// are not its business; they come from the definition document (definitions/apply).

import { appendJob } from '../control/jobs.ts';
import { listWorkspaces, loadModel, type WorkspaceRow } from '../control/workspaces.ts';
import { describeCollations } from '../definitions/apply/collations.ts';
import { completeIndexes, INDEX_JOBS, loadTrigrams } from '../definitions/apply/index-builds.ts';
import { rebuildSearch } from '../definitions/apply/search-index.ts';
import { APPLIED, describeUndone, EQUAL_INDEXES } from '../definitions/apply/undone-indexes.ts';
import { isOperatorError, operatorError } from '../errors.ts';
import { hasCitus, shardSchemas, TRIGGER_FILES } from '../postgres/citus.ts';
import type { Database, Queryable, Transaction } from '../postgres/db.ts';
import { runAllOnce, runOnce } from '../postgres/run-once.ts';
import { CONTROL_SCHEMA, identifier, type Sql, sql, toStatement } from '../sql/sql.ts';
import {
  controlMigrations,
  findBaseline,
  readMigration,
  workspaceMigrations,
} from './migration-files.ts';

const MINIMUM_VERSION = 150_000;
/** Without these a server that stops at the wrong moment loses what it has committed. */
const DURABLE_SETTINGS = ['fsync', 'full_page_writes', 'synchronous_commit'] as const;
/** One lock for all migrations: concurrent starts queue here. */
const LOCK_KEY = 'workspace-records migrations';
/** After these the search index is filled from records that are there already. */
const SEARCH_FILES: readonly string[] = [
  '002-search.sql',
  '008-work-items.sql',
  '011-search-ends.sql',
  '060-search-words.sql',
];
/** Stands among the files of a workspace whose tables have their indexes of texts. */
const TEXT_INDEXES = 'text indexes';
/** The same of indexes of texts as they are compared now (D376), for which a job has been noted. */
const LATER_INDEXES = 'indexes of compared texts';
const NOTED: ReadonlySet<string> = new Set([TEXT_INDEXES, EQUAL_INDEXES, LATER_INDEXES]);

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

/**
 * Apply what is missing; answers at once when nothing is. `tell` gets a sentence for each thing that is left and that
 * does not keep a service from its start.
 */
export async function migrate(
  db: Database,
  tell: (sentence: string) => void = () => undefined,
): Promise<readonly string[]> {
  const lacking = await loadLacking(db);
  const behind = schemasBehind(lacking);
  if (behind.includes(CONTROL_SCHEMA)) {
    await db.transaction(async (tx) => {
      await lockMigrations(tx);
      await migrateControl(tx);
    });
  }
  for (const schema of behind.filter((one) => one !== CONTROL_SCHEMA)) {
    await db.transaction(async (tx) => {
      await lockMigrations(tx);
      await migrateWorkspace(tx, schema);
    });
  }
  await addLaterIndexes(db, lacking, tell);
  await requestLaterIndexes(db, lacking);
  for (const sentence of await describeCollations(db)) tell(sentence);
  return behind;
}

/** The schemas that `migrate` would change. */
export async function loadBehind(db: Database): Promise<readonly string[]> {
  return schemasBehind(await loadLacking(db));
}

function schemasBehind(lacking: Lacking): readonly string[] {
  return [...lacking]
    .filter(([, files]) => files.some((file) => !NOTED.has(file)))
    .map(([schema]) => schema);
}

/**
 * The indexes of workspaces that are older than a kind of them, or than pg_trgm in this database: it takes pg_trgm
 * to make those of texts, and a start that finds it later makes them then. Writes go on meanwhile.
 */
async function addLaterIndexes(
  db: Database,
  lacking: Lacking,
  tell: (sentence: string) => void,
): Promise<void> {
  if (lacking.size === 0) return;
  const possible = await possibleIndexes(db);
  const lacksSome = ({ schema }: WorkspaceRow) =>
    possible.some((kind) => lacking.get(schema)?.includes(kind) === true);
  for (const workspace of (await listWorkspaces(db)).filter(lacksSome)) {
    const undone = await completeIndexes(db, workspace).catch(whenHeldUp);
    for (const index of undone ?? []) tell(`${workspace.slug}: ${describeUndone(index)}`);
    const isEqual = undone?.length === 0;
    const made = possible.filter((kind) =>
      kind === EQUAL_INDEXES ? isEqual : undone !== undefined,
    );
    await runOnce(db, noteSql(workspace.schema, made));
  }
}

/** No service waits for these: they are made by a job when it has started, and texts are found and sorted until then too. */
async function requestLaterIndexes(db: Database, lacking: Lacking): Promise<void> {
  const lacks = ({ schema }: WorkspaceRow) => lacking.get(schema)?.includes(LATER_INDEXES) === true;
  if (lacking.size === 0) return;
  for (const { id, schema } of (await listWorkspaces(db)).filter(lacks)) {
    await appendJob(db, { kind: INDEX_JOBS, workspace_id: id });
    await runOnce(db, noteSql(schema, [LATER_INDEXES]));
  }
}

async function possibleIndexes(db: Queryable): Promise<readonly string[]> {
  const trigrams = await loadTrigrams(db);
  return trigrams === undefined ? [EQUAL_INDEXES] : [TEXT_INDEXES, EQUAL_INDEXES];
}

/** A backup that is under way must not keep the service from its start: the next start tries again. */
function whenHeldUp(error: unknown): undefined {
  if (isOperatorError(error)) return undefined;
  throw error;
}

function noteSql(schema: string, files: readonly string[]): Sql {
  return sql`insert into ${APPLIED} (schema_name, file)
    select ${schema}::text, f.file from unnest(${files}::text[]) f (file)
    on conflict do nothing`;
}

/**
 * Make the service tables in a schema that was just created; part of the caller's transaction. With
 * `files` they get the shape they had when there were no others. A baseline stands for the files it covers (D341).
 * Triggers come with `migrateWorkspace`, behind the first people: PostgreSQL keeps plans of each trigger that has fired.
 */
export async function migrateNewWorkspace(
  tx: Transaction,
  schema: string,
  files: readonly string[] = workspaceMigrations(),
): Promise<void> {
  const tables = files.filter((file) => !TRIGGER_FILES.has(file));
  const baseline = findBaseline(files);
  const others = tables.filter((file) => baseline?.covered.includes(file) !== true);
  const possible = await possibleIndexes(tx);
  await runAllOnce(tx, [
    ...(baseline === undefined ? [] : readMigration('baseline', baseline.file, schema)),
    ...others.flatMap((file) => readMigration('workspace', file, schema)),
    toStatement(noteSql(schema, [...tables, ...possible, LATER_INDEXES])),
  ]);
}

/** Bring a workspace to the present shape; part of the caller's transaction. */
export async function migrateWorkspace(tx: Transaction, schema: string): Promise<void> {
  const files = workspaceMigrations();
  const applied = await applyMissing(tx, { folder: 'workspace', schema, files });
  if (SEARCH_FILES.some((file) => applied.includes(file))) await fillSearch(tx, schema);
}

/** The files that a workspace has. */
export async function loadMigrations(db: Queryable, schema: string): Promise<readonly string[]> {
  const applied = await loadApplied(db, schema);
  return [...applied].filter((file) => !NOTED.has(file)).sort();
}

/** The records of a workspace that is older than the search index. */
async function fillSearch(tx: Queryable, schema: string): Promise<void> {
  const [workspace] = await runOnce(
    tx,
    sql`select id from ${identifier(CONTROL_SCHEMA, 'workspaces')} where schema_name = ${schema}`,
  );
  const model = await loadModel(tx, Number(workspace?.id));
  for (const object of model?.objects.values() ?? []) await rebuildSearch(tx, schema, object);
}

/** The files, and kinds of indexes, that schemas lack: the control schema first, then the oldest workspace. */
type Lacking = ReadonlyMap<string, readonly string[]>;

/** One statement for all workspaces, which is all there is to do at most starts. */
async function loadLacking(db: Database): Promise<Lacking> {
  const [found] = await runOnce(
    db,
    sql`select to_regclass(${`${CONTROL_SCHEMA}.migrations`}) is null as missing`,
  );
  if (found?.missing === true) return new Map([[CONTROL_SCHEMA, controlMigrations()]]);
  const control = await loadApplied(db, CONTROL_SCHEMA);
  const files = controlMigrations().filter((file) => !control.has(file));
  const rows = await runOnce(db, lackingSql([...workspaceMigrations(), ...NOTED]));
  return new Map([
    ...(files.length === 0 ? [] : [[CONTROL_SCHEMA, files] as const]),
    ...rows.map((row) => [String(row.schema_name), row.files as readonly string[]] as const),
  ]);
}

function lackingSql(files: readonly string[]): Sql {
  return sql`select w.schema_name, array(
      select f.file from unnest(${files}::text[]) f (file) where f.file <> all (coalesce(m.files, '{}'))
    ) as files
    from ${identifier(CONTROL_SCHEMA, 'workspaces')} w
    left join (select schema_name, array_agg(file) as files from ${APPLIED} group by schema_name) m
      on m.schema_name = w.schema_name
    where m.files @> ${files}::text[] is not true order by w.id`;
}

async function lockMigrations(tx: Queryable): Promise<void> {
  await runOnce(tx, sql`select pg_advisory_xact_lock(hashtextextended(${LOCK_KEY}, 0))`);
}

async function migrateControl(tx: Transaction): Promise<void> {
  // CREATE SCHEMA asks for the right to create even when the schema exists.
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
  const files = controlMigrations();
  await applyMissing(tx, { folder: 'control', schema: CONTROL_SCHEMA, files });
}

interface Migrations {
  readonly folder: 'control' | 'workspace';
  readonly schema: string;
  readonly files: readonly string[];
}

/** One round trip for all of them. Statements go one by one, for Citus sends none on that come together. */
async function applyMissing(
  tx: Transaction,
  { folder, schema, files }: Migrations,
): Promise<readonly string[]> {
  const applied = await loadApplied(tx, schema);
  const missing = files.filter((file) => !applied.has(file));
  if (missing.length === 0) return missing;
  const isTriggers = (file: string) => folder === 'workspace' && TRIGGER_FILES.has(file);
  const needless = missing.some(isTriggers) && (await hasCitus(tx)) ? isTriggers : () => false;
  const sent = missing.filter((file) => !needless(file));
  await runAllOnce(tx, [
    ...sent.flatMap((file) => readMigration(folder, file, schema)),
    toStatement(noteSql(schema, missing)),
  ]);
  return missing;
}

async function loadApplied(db: Queryable, schema: string): Promise<ReadonlySet<string>> {
  const rows = await runOnce(db, sql`select file from ${APPLIED} where schema_name = ${schema}`);
  return new Set(rows.map((row) => String(row.file)));
}
