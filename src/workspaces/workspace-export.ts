// Writes one workspace, as it is at one moment, as the lines and rows of a file (export-format.ts). Writers do not
// wait; only changes of the definition wait. The caller decides where the bytes go.

import { createHash } from 'node:crypto';
import { heldFilesSql } from '../control/stored/record-files.ts';
import { loadStoredFiles, type StoredRecordFile } from '../control/stored/stored-files.ts';
import { findWorkspace, loadModel, type WorkspaceRow } from '../control/workspace/workspaces.ts';
import { inTurn, releaseSnapshot } from '../definitions/apply/definition-turn.ts';
import {
  copyOutText,
  loadTables,
  prepareCopying,
  rowsSql,
  type StoredTable,
} from '../definitions/apply/workspace-tables.ts';
import { operatorError } from '../errors.ts';
import type { FileStore } from '../files/stored-bytes.ts';
import type { WorkspaceModel } from '../model/definition/model.ts';
import type { Copying } from '../postgres/copy.ts';
import {
  type Database,
  isDatabaseError,
  type Queryable,
  type Transaction,
} from '../postgres/db.ts';
import { runOnce } from '../postgres/run-once.ts';
import { CONTROL_SCHEMA, identifier, sql } from '../sql/sql.ts';
import {
  countRows,
  END_OF_ROWS,
  type ExportHeader,
  FORMAT,
  FORMAT_VERSION,
  type KeysLine,
  lineOf,
  totalRows,
} from './export-format.ts';
import { type FileBytes, fileBytes } from './exported-files.ts';
import { loadMigrations } from './migrations.ts';

export interface ExportOptions {
  /** The release of the service, for people. */
  readonly release: string;
  readonly withoutKeys: boolean;
  /** Has the bytes of its files. */
  readonly store: FileStore;
  /** Called now and then with the number of rows written, of the total. */
  readonly onRows?: (done: number, total: number) => void;
}

export interface Exported {
  readonly rows: number;
  /** Rows of the tables of records. */
  readonly records: number;
  readonly api_keys: number;
  readonly files: number;
  /** Files whose bytes the store does not have. */
  readonly missing_files: number;
  /** Tables and columns in the schema of the workspace that are not the service's. */
  readonly foreign: readonly string[];
}

/**
 * Export a workspace: `write` gets everything the file has, before packing. Changes of the definition
 * wait until it is over, so that tables stay as the definition says.
 */
export async function exportWorkspace(
  db: Database,
  workspace: WorkspaceRow,
  options: ExportOptions,
  write: (pieces: AsyncIterable<Buffer>) => Promise<void>,
): Promise<Exported> {
  return inTurn(db, workspace, async (turn) => {
    await releaseSnapshot(turn);
    return db.copying(async (tx) => exportFrom(tx, workspace.slug, options, write));
  }).catch((error: unknown) => {
    // Not unchanged: a transaction that the database asks to repeat would write its rows twice.
    if (!isDatabaseError(error)) throw error;
    throw operatorError(`The export was interrupted: ${error.message}.`, error);
  });
}

async function exportFrom(
  tx: Transaction & Copying,
  slug: string,
  options: ExportOptions,
  write: (pieces: AsyncIterable<Buffer>) => Promise<void>,
): Promise<Exported> {
  await runOnce(tx, sql`set transaction isolation level repeatable read, read only`);
  await prepareCopying(tx);
  const content = await readContent(tx, slug, options);
  const bytes = fileBytes(options.store, content.workspace, content.files);
  await write(piecesOf(tx, { ...content, bytes }, options));
  const { header, keys, foreign, files } = content;
  return {
    files: files.length,
    missing_files: bytes.counted().missing,
    rows: totalRows(header.tables),
    records: totalRows(header.tables.filter(({ name }) => !name.startsWith('_'))),
    api_keys: keys.api_keys.length,
    foreign,
  };
}

interface Content {
  readonly workspace: number;
  readonly schema: string;
  readonly files: readonly StoredRecordFile[];
  readonly header: ExportHeader;
  readonly keys: KeysLine;
  readonly tables: readonly StoredTable[];
  readonly foreign: readonly string[];
}

async function readContent(
  tx: Queryable,
  slug: string,
  { release, withoutKeys }: ExportOptions,
): Promise<Content> {
  const workspace = await findWorkspace(tx, slug);
  const model = workspace && (await loadModel(tx, workspace.id));
  if (workspace === undefined || model === undefined) {
    throw operatorError(`The workspace "${slug}" has just been deleted or renamed.`);
  }
  if (workspace.state !== 'ready') {
    throw operatorError(
      `The workspace "${slug}" is still being loaded; try again when it is ready.`,
    );
  }
  const { schema, name, revision } = workspace;
  const held = await heldFilesSql(tx, schema);
  const all = (await loadTables(tx, schema)).map((table) =>
    table.name === '_files' ? { ...table, where: held } : table,
  );
  const { tables, foreign } = sortOut(all, model);
  const counts = await Promise.all(tables.map((table) => countTable(tx, schema, table)));
  const files = await loadStoredFiles(tx, schema, held);
  const header: ExportHeader = {
    format: FORMAT,
    version: FORMAT_VERSION,
    release,
    exported_at: new Date().toISOString(),
    workspace: { slug, name, revision },
    migrations: await loadMigrations(tx, schema),
    // Read after the first rows were seen: a sequence is never behind them.
    sequences: await loadSequences(tx, schema),
    tables: tables.map((table, index) => ({
      name: table.name,
      rows: counts[index] as number,
      columns: table.columns,
    })),
    files: files.length,
  };
  const keys = { api_keys: withoutKeys ? [] : await loadKeys(tx, workspace.id) };
  return { workspace: workspace.id, schema, header, keys, tables, files, foreign };
}

/** The definitions first, and without the additions of an operator: a restore cannot make those. */
function sortOut(
  found: readonly StoredTable[],
  model: WorkspaceModel,
): Pick<Content, 'tables' | 'foreign'> {
  const known = new Map([...model.objects.values()].map((object) => [object.table, object]));
  const foreign: string[] = [];
  const tables = found.flatMap((table): readonly StoredTable[] => {
    const object = known.get(table.name);
    if (object === undefined && !table.name.startsWith('_')) foreign.push(table.name);
    if (object === undefined) return table.name.startsWith('_') ? [table] : [];
    const own = new Set([...object.fields.values()].map(({ column }) => column));
    const isOurs = (column: string) => RECORD_COLUMNS.has(column) || own.has(column);
    const strange = table.columns.filter((column) => !isOurs(column));
    foreign.push(...strange.map((column) => `${table.name}.${column}`));
    return [{ ...table, columns: table.columns.filter(isOurs) }];
  });
  const isDefinitions = ({ name }: StoredTable) => name === '_definitions';
  return {
    tables: [...tables.filter(isDefinitions), ...tables.filter((table) => !isDefinitions(table))],
    foreign,
  };
}

/** The columns that no field of the definition names. */
const RECORD_COLUMNS: ReadonlySet<string> = new Set([
  'version',
  'created_by_user_id',
  'custom_fields',
]);

async function countTable(tx: Queryable, schema: string, table: StoredTable): Promise<number> {
  const [row] = await runOnce(tx, sql`select count(*) as rows from ${rowsSql(schema, table)}`);
  return Number(row?.rows);
}

async function loadSequences(tx: Queryable, schema: string): Promise<ExportHeader['sequences']> {
  const rows = await runOnce(
    tx,
    sql`select sequencename::text as name, last_value::text as last from pg_catalog.pg_sequences
      where schemaname = ${schema} order by 1`,
  );
  return Object.fromEntries(rows.map(({ name, last }) => [String(name), last as string | null]));
}

/** Without grants of programs and calendar feeds: each belongs to the address of this service. */
async function loadKeys(tx: Queryable, workspaceId: number): Promise<KeysLine['api_keys']> {
  const rows = await runOnce(
    tx,
    sql`select to_jsonb(k) - 'workspace_id' as key from ${identifier(CONTROL_SCHEMA, 'api_keys')} k
      where k.workspace_id = ${workspaceId} and k.client_id is null and k.view_id is null order by k.id`,
  );
  return rows.map(({ key }) => key as KeysLine['api_keys'][number]);
}

async function* piecesOf(
  tx: Transaction & Copying,
  { schema, header, keys, tables, bytes }: Content & { readonly bytes: FileBytes },
  { onRows = () => undefined }: ExportOptions,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  const digested = (piece: Buffer) => {
    hash.update(piece);
    return piece;
  };
  const all = totalRows(header.tables);
  let rows = 0;
  yield digested(lineOf(header));
  yield digested(lineOf(keys));
  for (const table of tables) {
    yield digested(lineOf({ table: table.name }));
    for await (const piece of tx.copyOut(copyOutText(schema, table))) {
      rows += countRows(piece);
      onRows(rows, all);
      yield digested(piece);
    }
    yield digested(END_OF_ROWS);
  }
  if (rows !== all) throw new Error(`${all} rows were counted and ${rows} were read`);
  for await (const piece of bytes.pieces) yield digested(piece);
  rows += bytes.counted().rows;
  yield lineOf({ end: { rows, sha256: hash.digest('hex') } });
}
