// Makes a workspace from the file of one (export-format.ts): a new id, a new schema and a new secret for cursors, all
// else as it was. It is one transaction, so that other sessions never see a part of it, and an aborted restore leaves
// no trace.

import { inSlices } from '../control/process/slices.ts';
import { abandonAll } from '../control/stored/leftover-rows.ts';
import {
  announceDefinition,
  appendWorkspace,
  findWorkspaceById,
  loadStored,
  putInForce,
  putRevision,
  type WorkspaceRow,
} from '../control/workspace/workspaces.ts';
import { makeCollation } from '../definitions/apply/collations.ts';
import { appendSweep } from '../definitions/apply/leftovers.ts';
import { loadTrigrams } from '../definitions/apply/prepare/index-plan.ts';
import { rebuildSearch } from '../definitions/apply/prepare/search-index.ts';
import {
  loadTables,
  prepareCopying,
  type StoredTable,
} from '../definitions/apply/workspace-tables.ts';
import { ddlSql } from '../definitions/changes/ddl-sql.ts';
import { diffSteps } from '../definitions/changes/diff/diff.ts';
import { isOperatorError, operatorError } from '../errors.ts';
import type { FileStore } from '../files/stored-bytes.ts';
import type { WorkspaceModel } from '../model/definition/model.ts';
import { hasCitus } from '../postgres/citus.ts';
import type { Copying } from '../postgres/copy.ts';
import {
  type Database,
  isDatabaseError,
  type Queryable,
  type Transaction,
} from '../postgres/db.ts';
import { runOnce } from '../postgres/run-once.ts';
import { identifier, sql } from '../sql/sql.ts';
import { copyInText } from '../sql/write/copy-sql.ts';
import { numberingSql } from '../sql/write/work-item-sql.ts';
import { analyzeTables, deferIndexes, makeDeferred } from './bulk-load.ts';
import { createSchema, requireSlug } from './create-workspace.ts';
import {
  countRows,
  damaged,
  type ExportedTable,
  type ExportHeader,
  type KeysLine,
  parseHeader,
  parseLine,
  totalRows,
  UNRELEASED_VERSION,
} from './export-format.ts';
import { type ExportReader, openExportReader } from './export-reader.ts';
import { restoreFiles } from './exported-files.ts';
import { presentFiles, workspaceMigrations } from './migration-files.ts';
import { completeSchema } from './migrations.ts';
import {
  type RestoredKeys,
  restoreKeys,
  restoreSequences,
  restoreWebhooks,
} from './restored-parts.ts';

export interface RestoreOptions {
  /** Another slug than the one in the file. */
  readonly slug: string | undefined;
  /** The release of this service, for people. */
  readonly release: string;
  readonly withoutKeys: boolean;
  /** Gets the bytes of its files. */
  readonly store: FileStore;
  /** Called now and then with the number of rows read, of the total. */
  readonly onRows?: (done: number, total: number) => void;
}

export interface Restored {
  readonly workspace: WorkspaceRow;
  readonly exported_at: string;
  readonly rows: number;
  /** Rows of the tables of records. */
  readonly records: number;
  readonly keys: RestoredKeys;
  readonly files: number;
}

/**
 * Restore a workspace from the unpacked bytes of its file. Every failure is an operator error or one of the
 * database's, and leaves no trace.
 */
export async function restoreWorkspace(
  db: Database,
  input: AsyncIterable<Buffer>,
  options: RestoreOptions,
): Promise<Restored> {
  const source = await openSource(input, options);
  const restored = await db
    .copying((tx) => restoreInTransaction(tx, source))
    .catch(async (error: unknown) => {
      await forgetFiles(db, source);
      throw explain(error);
    });
  await announceDefinition(db, restored.workspace.id);
  return restored;
}

/**
 * Restore a workspace in a transaction that is rolled back: the file can be restored, and nothing is left of it. Errors:
 * as those of `restoreWorkspace`.
 */
export async function tryRestore(
  db: Database,
  input: AsyncIterable<Buffer>,
  options: RestoreOptions,
): Promise<Restored> {
  const source = await openSource(input, options);
  const trial = { restored: undefined as Restored | undefined };
  const rollBack = new Error('the restore was a trial');
  await db
    .copying(async (tx) => {
      trial.restored = await restoreInTransaction(tx, source);
      throw rollBack;
    })
    .catch(async (error: unknown) => {
      await forgetFiles(db, source);
      if (error !== rollBack) throw explain(error);
    });
  return trial.restored as Restored;
}

/** Removes the stored files of a restore that was rolled back; the answer to its COMMIT may have been lost instead. */
async function forgetFiles(db: Queryable, { made, options }: Source): Promise<void> {
  if (made.id === undefined) return;
  const isMade = await findWorkspaceById(db, made.id).then(
    (workspace) => workspace !== undefined,
    () => true,
  );
  if (!isMade) await options.store.removeAll(made.id);
}

async function openSource(input: AsyncIterable<Buffer>, options: RestoreOptions): Promise<Source> {
  const reader = openExportReader(input);
  const header = parseHeader(await reader.line());
  requireKnown(header, options.release);
  requireSlug(options.slug ?? header.workspace.slug);
  const keys = parseLine(await reader.line())?.api_keys as KeysLine['api_keys'] | undefined;
  if (!Array.isArray(keys)) throw damaged();
  return { reader, header, keys: options.withoutKeys ? [] : keys, options, made: {} };
}

interface Source {
  readonly reader: ExportReader;
  readonly header: ExportHeader;
  readonly keys: KeysLine['api_keys'];
  readonly options: RestoreOptions;
  /** Gets the workspace that files are stored for. */
  readonly made: { id?: number };
}

/** The migrations that make tables like those of the file. */
function migrationsOf({ version, migrations }: ExportHeader): readonly string[] {
  if (version === UNRELEASED_VERSION) return workspaceMigrations().slice(0, 1);
  return presentFiles('workspace', migrations);
}

/** Tables of other versions have a shape that this one does not know. */
function requireKnown(header: ExportHeader, own: string): void {
  const { release } = header;
  const known = new Set(workspaceMigrations());
  if (migrationsOf(header).every((file) => known.has(file))) return;
  throw operatorError(
    `The file was written by another version (${release}) that this one (${own}) does not know. Restore it with that one.`,
  );
}

async function restoreInTransaction(tx: Transaction & Copying, source: Source): Promise<Restored> {
  const { header, reader } = source;
  await prepareCopying(tx);
  const workspace = await append(tx, source);
  const { schema } = workspace;
  const files = migrationsOf(header);
  await createSchema(tx, schema, files);
  const load = openLoad(tx, schema, { ...source, isShard: await hasCitus(tx) });
  const [definitions, ...otherTables] = header.tables;
  if (definitions?.name !== '_definitions') throw damaged();
  await load(definitions);
  await putRevision(tx, workspace.id, header.workspace.revision);
  const model = await makeRecordTables(tx, workspace);
  await requireTables(tx, schema, header);
  const deferred = await deferIndexes(tx, schema);
  for (const table of otherTables) await load(table);
  if (header.files !== undefined) source.made.id = workspace.id;
  const { store } = source.options;
  const stored = await restoreFiles(tx, workspace, { reader, store }, header.files ?? 0);
  await reader.finish();
  await makeDeferred(tx, deferred);
  if (header.version === UNRELEASED_VERSION) await rebuildAll(tx, model);
  await restoreSequences(tx, schema, header.sequences);
  const keys = await restoreKeys(tx, workspace.id, source.keys);
  await completeSchema(tx, schema, files);
  await restoreWebhooks(tx, workspace);
  await putInForce(tx, { schema, revision: header.workspace.revision });
  await abandonAll(tx, schema);
  await appendSweep(tx, workspace.id);
  await completeTables(tx, model);
  const rows = totalRows(header.tables);
  const records = totalRows(header.tables.filter(({ name }) => !name.startsWith('_')));
  const revised = { ...workspace, revision: header.workspace.revision };
  return {
    workspace: revised,
    exported_at: header.exported_at,
    rows,
    records,
    keys,
    files: stored,
  };
}

async function append(tx: Queryable, { header, options }: Source): Promise<WorkspaceRow> {
  const slug = options.slug ?? header.workspace.slug;
  // A workspace without a given name has its slug as the name.
  const { name: given } = header.workspace;
  const name = given === header.workspace.slug ? slug : given;
  const workspace = await appendWorkspace(tx, { slug, name, state: 'ready' });
  if (workspace !== undefined) return workspace;
  throw operatorError(
    `The workspace "${slug}" already exists; --slug <name> restores it under another slug.`,
  );
}

type Load = (table: ExportedTable) => Promise<void>;

interface Loading extends Source {
  /** True when the tables are on another server than the one connected to. */
  readonly isShard: boolean;
}

/** Copies the next table of the file; its names are looked up before they become SQL. */
function openLoad(tx: Queryable & Copying, schema: string, source: Loading): Load {
  const { reader, header, options, isShard } = source;
  const all = totalRows(header.tables);
  let done = 0;
  async function* watched(): AsyncGenerator<Buffer> {
    for await (const rows of reader.rows()) {
      done += countRows(rows);
      options.onRows?.(done, all);
      yield rows;
    }
  }
  return async (table) => {
    if (parseLine(await reader.line())?.table !== table.name) throw damaged();
    const found = (await loadTables(tx, schema)).find(({ name }) => name === table.name);
    requireColumns(table, found);
    const rows = await tx.copyIn(copyInText(schema, table, !isShard), watched());
    if (rows !== table.rows) throw damaged();
    await requireNoTransactions(tx, schema, found);
  };
}

function requireColumns(
  { name, columns }: ExportedTable,
  found: StoredTable | undefined,
): asserts found is StoredTable {
  if (found === undefined)
    throw mismatch(`it has a table ${name}, which this release does not have`);
  if (columns.length === 0) throw damaged();
  const unknown = columns.find((column) => !found.columns.includes(column));
  if (unknown !== undefined) {
    throw mismatch(`its table ${name} has a column ${unknown}, which this release does not have`);
  }
  // A service table of an earlier shape gets the default of a column that came later.
  const lacking = found.columns.find((column) => !columns.includes(column));
  if (lacking === undefined || name.startsWith('_')) return;
  throw mismatch(`its table ${name} lacks the column ${lacking}`);
}

/** Numbers of another server would occur again here: then their rows would be reported as new events. */
async function requireNoTransactions(
  tx: Queryable,
  schema: string,
  { name, transactions }: StoredTable,
): Promise<void> {
  for (const column of transactions) {
    const [row] = await runOnce(
      tx,
      sql`select exists (select from ${identifier(schema, name)}
        where ${identifier(column)} <> '0'::xid8) as found`,
    );
    if (row?.found === true) throw mismatch(`its table ${name} has numbers of transactions`);
  }
}

/** The tables of the definition in the file, empty. */
async function makeRecordTables(tx: Queryable, { id }: WorkspaceRow): Promise<WorkspaceModel> {
  const stored = await loadStored(tx, id);
  if (stored === undefined) throw damaged();
  await makeCollation(tx, stored.model.collation);
  const trigrams = await loadTrigrams(tx);
  const changes = await inSlices(diffSteps(null, stored));
  for (const { statement } of ddlSql(stored.model.schema, changes, { trigrams })) {
    await runOnce(tx, statement);
  }
  return stored.model;
}

async function requireTables(tx: Queryable, schema: string, header: ExportHeader): Promise<void> {
  const exported = new Set(header.tables.map(({ name }) => name));
  // Files from before the first release lack service tables that came later.
  const isNeeded = (name: string) => header.version !== UNRELEASED_VERSION || !name.startsWith('_');
  const lacking = (await loadTables(tx, schema)).find(
    ({ name }) => isNeeded(name) && !exported.has(name),
  );
  if (lacking !== undefined) throw mismatch(`it lacks the table ${lacking.name}`);
}

/** Texts are normalised in another way than before the first release. */
async function rebuildAll(tx: Queryable, { schema, objects }: WorkspaceModel): Promise<void> {
  for (const object of objects.values()) await rebuildSearch(tx, schema, object);
}

/** Everything is as in a workspace that has always been here. */
async function completeTables(
  tx: Queryable,
  { schema, work_item_types }: WorkspaceModel,
): Promise<void> {
  for (const { prefix } of work_item_types.values()) {
    await runOnce(tx, numberingSql(schema, prefix));
  }
  const tables = await loadTables(tx, schema);
  await analyzeTables(
    tx,
    schema,
    tables.map(({ name }) => name),
  );
}

function mismatch(what: string): Error {
  return operatorError(`The file does not fit this release: ${what}. Nothing was restored.`);
}

/** Errors that the rows themselves cause; failures of the server are reported unchanged. */
function explain(error: unknown): unknown {
  if (isOperatorError(error) || !isDatabaseError(error)) return error;
  if (!/^2[23]/.test(error.code ?? '')) return error;
  const place = error.table === undefined ? '' : ` in the table ${error.table}`;
  const message = `The file cannot be restored: ${error.message}${place}. Nothing was restored.`;
  return operatorError(message, error);
}
