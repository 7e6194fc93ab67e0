// Creates workspaces: the row, the schema with its service tables, and the tables of the first definition.

import {
  appendWorkspace,
  putWorkspaceState,
  type WorkspaceRow,
  type WorkspaceState,
} from '../control/workspace/workspaces.ts';
import { apply } from '../definitions/apply/apply-definition.ts';
import { explainFailure } from '../definitions/apply/make-changes.ts';
import { requireGoodDefinition } from '../definitions/document/definition-input.ts';
import { operatorError } from '../errors.ts';
import { NAME_LENGTH, NAME_PATTERN } from '../model/definition/definition-words.ts';
import { WORKSPACE_SLUG_PATTERN } from '../model/definition/physical-names.ts';
import { shardSchemas } from '../postgres/citus.ts';
import type { Database, Transaction } from '../postgres/db.ts';
import { runOnce } from '../postgres/run-once.ts';
import { identifier, sql } from '../sql/sql.ts';
import { workspaceMigrations } from './migration-files.ts';
import { completeSchema, makeServiceTables } from './migrations.ts';

export interface NewWorkspace {
  readonly slug: string;
  /** Shown to people; the document's name or the slug when left out. */
  readonly name?: string;
  /** The workspace's own document, a merge patch over the base; the base alone when left out. */
  readonly document?: unknown;
  /** `loading` while first data is still being put in; `ready` when left out. */
  readonly state?: WorkspaceState;
}

/** Create a workspace with its schema and tables. Errors are operator errors. */
export async function createWorkspace(
  db: Database,
  { slug, name, document = {}, state = 'ready' }: NewWorkspace,
): Promise<WorkspaceRow> {
  requireSlug(slug);
  if (name !== undefined) requireName(name);
  const { merged, patch } = await requireGoodDefinition({ patch: document });
  const files = workspaceMigrations();
  const wanted = { slug, name: name ?? merged.name ?? slug, state };
  const { workspace } = await apply(
    db,
    { slug, make: (tx) => makeEmpty(tx, wanted, files) },
    { documents: { merged, patch } },
    // The revision says who made it and what it has.
    { events: [], onApplied: (tx, made) => completeSchema(tx, made.workspace.schema, files) },
  );
  return workspace;
}

/** The row and the schema of a workspace without a definition. */
async function makeEmpty(
  tx: Transaction,
  wanted: Pick<WorkspaceRow, 'slug' | 'name' | 'state'>,
  files: readonly string[],
): Promise<WorkspaceRow> {
  const row = await appendWorkspace(tx, wanted);
  if (row === undefined) throw operatorError(`The workspace "${wanted.slug}" already exists.`);
  await createSchema(tx, row.schema, files);
  return row;
}

/** The first data of a workspace that was `loading` is in it; `note` is part of the same transaction. */
export function finishLoading(
  db: Database,
  { id }: Pick<WorkspaceRow, 'id'>,
  note: (tx: Transaction) => Promise<void>,
): Promise<void> {
  return db.transaction(async (tx) => {
    await putWorkspaceState(tx, id, 'ready');
    await note(tx);
  });
}

/** Refuse a slug that no workspace can have. */
export function requireSlug(slug: string): void {
  if (new RegExp(WORKSPACE_SLUG_PATTERN).test(slug)) return;
  throw operatorError(
    `"${slug}" cannot be a workspace: use 1 to 40 of a-z, 0-9 and "-", not "-" first.`,
  );
}

/** Refuse a name that could not be shown in one line. */
export function requireName(name: string): void {
  if (name.length >= 1 && name.length <= NAME_LENGTH && new RegExp(NAME_PATTERN).test(name)) return;
  throw operatorError(
    `A name has 1 to ${NAME_LENGTH} characters, none of them a control character or an end of a line.`,
  );
}

/** The schema with its service tables in the shape that these files give them (migrations.ts). */
export async function createSchema(
  tx: Transaction,
  schema: string,
  files: readonly string[],
): Promise<void> {
  await shardSchemas(tx, 'on');
  await runOnce(tx, sql`create schema ${identifier(schema)}`).catch((error: unknown) => {
    throw explainFailure(error, `create the schema ${schema}`);
  });
  await makeServiceTables(tx, schema, files);
}
