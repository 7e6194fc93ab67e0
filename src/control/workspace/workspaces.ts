// The rows of `workspaces` and the definition revisions behind them: one function, one statement.
// Changing a definition is in definitions/apply; keeping models in memory is in registry.ts.

import { randomBytes } from 'node:crypto';
import { ApiError, operatorError } from '../../errors.ts';
import {
  compileSteps,
  prepareSteps,
  type WorkspaceIdentity,
} from '../../model/definition/compile.ts';
import type { DefinitionDocument } from '../../model/definition/definition.ts';
import type { WorkspaceModel } from '../../model/definition/model.ts';
import { workspaceSchema } from '../../model/definition/physical-names.ts';
import type { ChangeView, Definition } from '../../model/definition/revision.ts';
import { NO_NAMES, type StorageNames } from '../../model/definition/storage-names.ts';
import { isDatabaseError, type Queryable, type Row } from '../../postgres/db.ts';
import { run, runOnce } from '../../postgres/run-once.ts';
import { CONTROL_SCHEMA, identifier, sql } from '../../sql/sql.ts';
import { TRIGRAMS_SQL } from '../../sql/write/index-sql.ts';
import { inSlices } from '../process/slices.ts';
import { type AdministrativeActor, auditedActor } from './administrative-audit.ts';

export type WorkspaceState = 'loading' | 'ready';

/** The row of a workspace in the control schema. */
export interface WorkspaceRow extends WorkspaceIdentity {
  readonly state: WorkspaceState;
  readonly created_at: string;
}

/** A stored revision: the merged document in force and the patch it came from. */
export interface StoredDefinition {
  readonly document: DefinitionDocument;
  readonly patch: unknown;
  /** The names of its data, which are no part of the document. */
  readonly storage: StorageNames;
}

/** The author of a revision, and its changes. */
export interface RevisionOrigin {
  readonly actor: AdministrativeActor;
  readonly changes: readonly ChangeView[];
}

/** NOTIFY channel of the service; a payload is `<kind>:<id>`. It is only a hint. */
export const CHANNEL = 'workspace_records';

/** Revision 0: a workspace before its first document. */
export const EMPTY_DOCUMENT: DefinitionDocument = Object.freeze({ objects: {} });

const WORKSPACES = identifier(CONTROL_SCHEMA, 'workspaces');
const COLUMNS = sql`id, slug, name, schema_name as schema, revision, cursor_secret, state, created_at`;

/** All workspaces, oldest first. */
export async function listWorkspaces(db: Queryable): Promise<readonly WorkspaceRow[]> {
  return (await run(db, sql`select ${COLUMNS} from ${WORKSPACES} order by id`)).map(asWorkspace);
}

export async function findWorkspace(
  db: Queryable,
  slug: string,
): Promise<WorkspaceRow | undefined> {
  const rows = await run(db, sql`select ${COLUMNS} from ${WORKSPACES} where slug = ${slug}`);
  return rows.map(asWorkspace)[0];
}

export async function findWorkspaceById(
  db: Queryable,
  id: number,
): Promise<WorkspaceRow | undefined> {
  const rows = await run(db, sql`select ${COLUMNS} from ${WORKSPACES} where id = ${id}`);
  return rows.map(asWorkspace)[0];
}

/**
 * Loads the workspace of an admitted request. Errors: `invalid_api_key`, as for the next request, when it was deleted
 * since.
 */
export async function requireWorkspace(db: Queryable, id: number): Promise<WorkspaceRow> {
  const workspace = await findWorkspaceById(db, id);
  if (workspace === undefined) throw workspaceGone();
  return workspace;
}

/** Unknown table, unknown schema. */
const GONE: ReadonlySet<unknown> = new Set(['42P01', '3F000']);

/** True of a statement that failed because the workspace was deleted meanwhile. */
export function isOfDeletedWorkspace(error: unknown): boolean {
  return isDatabaseError(error) && GONE.has(error.code);
}

export function workspaceGone(): ApiError {
  return new ApiError('invalid_api_key');
}

/**
 * The workspace with this slug, or any other one in its place: a request to a workspace that does not exist then
 * takes the same work. Undefined when there is none at all.
 */
export async function findWorkspaceOrAny(
  db: Queryable,
  slug: string,
): Promise<WorkspaceRow | undefined> {
  const rows = await run(
    db,
    sql`select ${COLUMNS} from ${WORKSPACES}
      where slug = ${slug}::text or id = (select min(id) from ${WORKSPACES})
      order by slug = ${slug}::text desc limit 1`,
  );
  return rows.map(asWorkspace)[0];
}

/** Like `findWorkspace`, and no one else can change its definition until the transaction ends. */
export async function lockWorkspace(
  tx: Queryable,
  slug: string,
): Promise<WorkspaceRow | undefined> {
  const rows = await run(
    tx,
    sql`select ${COLUMNS} from ${WORKSPACES} where slug = ${slug} for no key update`,
  );
  return rows.map(asWorkspace)[0];
}

/** The revision in force, or undefined when there is no such workspace. */
export async function loadRevision(db: Queryable, id: number): Promise<number | undefined> {
  const rows = await run(db, sql`select revision from ${WORKSPACES} where id = ${id}`);
  return rows[0]?.revision as number | undefined;
}

/** A revision's document; undefined for revision 0, which has none. */
export async function loadDefinition(
  db: Queryable,
  workspace: Pick<WorkspaceRow, 'schema' | 'revision'>,
): Promise<StoredDefinition | undefined> {
  const rows = await runOnce(
    db,
    sql`select document, patch, storage from ${identifier(workspace.schema, '_definitions')}
      where revision = ${workspace.revision}`,
  );
  return rows[0] as StoredDefinition | undefined;
}

/** The model in force, or undefined when there is no such workspace. */
export async function loadModel(
  db: Queryable,
  workspaceId: number,
): Promise<WorkspaceModel | undefined> {
  return (await loadStored(db, workspaceId))?.model;
}

/** Loads the model of a workspace that was found just before. Errors: an operator error when it was deleted since. */
export async function requireModel(
  db: Queryable,
  { id, slug }: Pick<WorkspaceRow, 'id' | 'slug'>,
): Promise<WorkspaceModel> {
  const model = await loadModel(db, id);
  if (model !== undefined) return model;
  throw operatorError(`The workspace "${slug}" no longer exists.`);
}

/** The document in force and its model, or undefined when there is no such workspace. */
export async function loadStored(
  db: Queryable,
  workspaceId: number,
): Promise<Definition | undefined> {
  const workspace = await findWorkspaceById(db, workspaceId);
  if (workspace === undefined) return undefined;
  const stored = await loadDefinition(db, workspace);
  const { document, storage } = stored ?? { document: EMPTY_DOCUMENT, storage: NO_NAMES };
  const isUrgent = true;
  const model = await inSlices(compileSteps(workspace, document, storage), { isUrgent });
  await inSlices(prepareSteps(model), { isUrgent });
  return { document, storage, model };
}

/** Add a workspace; undefined when the slug is taken. Its schema is still to be made. */
export async function appendWorkspace(
  tx: Queryable,
  { slug, name, state }: Pick<WorkspaceRow, 'slug' | 'name' | 'state'>,
): Promise<WorkspaceRow | undefined> {
  const schema = await chooseSchema(tx, slug);
  const rows = await run(
    tx,
    sql`insert into ${WORKSPACES} (slug, name, schema_name, cursor_secret, state, has_text_indexes)
      values (${slug}, ${name}, ${schema}, ${randomBytes(32)}, ${state}, exists (${TRIGRAMS_SQL}))
      on conflict do nothing returning ${COLUMNS}`,
  );
  return rows.map(asWorkspace)[0];
}

/**
 * `ws_<slug>`, with a number behind it when some workspace has or had that schema: a process that still
 * remembers the model of a workspace that was deleted or renamed must never meet the data of another.
 * `migrations` remembers the names.
 */
async function chooseSchema(tx: Queryable, slug: string): Promise<string> {
  const plain = workspaceSchema(slug);
  const rows = await run(
    tx,
    sql`select schema_name from ${identifier(CONTROL_SCHEMA, 'migrations')}
      where starts_with(schema_name, ${plain}::text)
      union select schema_name from ${WORKSPACES} where starts_with(schema_name, ${plain}::text)`,
  );
  const used = new Set(rows.map(({ schema_name }) => String(schema_name)));
  let schema = plain;
  for (let number = 2; used.has(schema); number += 1) schema = `${plain}_${number}`;
  return schema;
}

/**
 * No write passes the check of its definition from here to the end of the transaction; those that have
 * passed it are waited for (docs/decisions.md, D99).
 */
export async function lockRevision(
  tx: Queryable,
  { schema }: Pick<WorkspaceRow, 'schema'>,
): Promise<void> {
  await runOnce(
    tx,
    sql`select revision from ${identifier(schema, '_definitions')} where in_force for update`,
  );
}

/**
 * Store a revision and put it in force. Waits for writes that were judged by the one before and are not
 * over yet; those that come later fail (`require_in_force`, docs/decisions.md D99).
 */
export async function putDefinition(
  tx: Queryable,
  workspace: Pick<WorkspaceRow, 'id' | 'schema' | 'revision' | 'name'>,
  definition: StoredDefinition,
  { actor, changes }: RevisionOrigin,
): Promise<void> {
  const { schema, revision, id, name } = workspace;
  const document = JSON.stringify(definition.document);
  const patch = JSON.stringify(definition.patch);
  const storage = JSON.stringify(definition.storage);
  const { user_id, source } = auditedActor(actor);
  await lockRevision(tx, workspace);
  await runOnce(
    tx,
    sql`insert into ${identifier(schema, '_definitions')}
        (revision, document, patch, storage, applied_by_user_id, source, changes)
      values (${revision}, ${document}::json, ${patch}::json, ${storage}::json, ${user_id}::integer,
        ${source}::text, ${JSON.stringify(changes)}::json)`,
  );
  await putInForce(tx, workspace);
  await run(
    tx,
    sql`update ${WORKSPACES} set revision = ${revision}, name = ${name} where id = ${id}`,
  );
}

/** Say in the schema of the workspace which revision is in force: what its writes look at. */
export async function putInForce(
  tx: Queryable,
  { schema, revision }: Pick<WorkspaceRow, 'schema' | 'revision'>,
): Promise<void> {
  await runOnce(
    tx,
    sql`update ${identifier(schema, '_definitions')} set in_force = revision = ${revision}::integer
      where in_force <> (revision = ${revision}::integer)`,
  );
}

/** Say among the workspaces which revision is in force: what everybody else looks at. */
export async function putRevision(db: Queryable, id: number, revision: number): Promise<void> {
  await run(db, sql`update ${WORKSPACES} set revision = ${revision} where id = ${id}`);
}

/** Notify every process that the definition of a workspace has changed. */
export async function announceDefinition(db: Queryable, workspaceId: number): Promise<void> {
  await run(db, sql`select pg_notify(${CHANNEL}, ${`definition:${workspaceId}`})`);
}

/** The ids of workspaces created without pg_trgm; empty until the database has it. */
export async function listWithoutTextIndexes(db: Queryable): Promise<readonly number[]> {
  const rows = await run(
    db,
    sql`select id from ${WORKSPACES} where not has_text_indexes and exists (${TRIGRAMS_SQL})`,
  );
  return rows.map(({ id }) => Number(id));
}

/** Note that the tables of a workspace have their indexes of texts. */
export async function putTextIndexes(tx: Queryable, id: number): Promise<void> {
  await run(
    tx,
    sql`update ${WORKSPACES} set has_text_indexes = true where id = ${id} and not has_text_indexes`,
  );
}

export async function putWorkspaceState(
  db: Queryable,
  id: number,
  state: WorkspaceState,
): Promise<void> {
  await run(db, sql`update ${WORKSPACES} set state = ${state} where id = ${id}`);
}

function asWorkspace(row: Row): WorkspaceRow {
  return row as unknown as WorkspaceRow;
}
