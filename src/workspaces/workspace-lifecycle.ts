// The later life of a workspace: another slug or name, how large it is, and its end. The schema keeps
// its name for ever, so that a process which still remembers a workspace can never meet another one.

import { setTimeout as sleep } from 'node:timers/promises';
import { OPERATOR } from '../control/workspace/administrative-audit.ts';
import {
  announceDefinition,
  findWorkspace,
  loadDefinition,
  lockRevision,
  lockWorkspace,
  putDefinition,
  type WorkspaceRow,
} from '../control/workspace/workspaces.ts';
import { requireFound } from '../definitions/apply/definition-plan.ts';
import { inTurn } from '../definitions/apply/definition-turn.ts';
import { viewChange } from '../definitions/changes/change-view.ts';
import { renameWorkspace as renameWorkspaceChange } from '../definitions/changes/diff/diff.ts';
import { operatorError } from '../errors.ts';
import type { FileStore } from '../files/stored-bytes.ts';
import { loadPlaces } from '../postgres/citus.ts';
import { type Database, isDatabaseError, type Queryable } from '../postgres/db.ts';
import { runOnce } from '../postgres/run-once.ts';
import { CONTROL_SCHEMA, identifier, sql } from '../sql/sql.ts';
import { requireName, requireSlug } from './create-workspace.ts';

const WORKSPACES = identifier(CONTROL_SCHEMA, 'workspaces');
const API_KEYS = identifier(CONTROL_SCHEMA, 'api_keys');
const RATE_WINDOWS = identifier(CONTROL_SCHEMA, 'rate_windows');
const SESSIONS = identifier(CONTROL_SCHEMA, 'sessions');

/**
 * Milliseconds until no process accepts a key (D80) and the requests it has let in are
 * answered, as good as all.
 */
const FAREWELL_MS = 2000;
/** The longest time that the end of a workspace waits for statements in its tables. */
const PATIENCE_MS = 5000;

export interface DeleteOptions {
  /** Has its files. */
  readonly store: FileStore;
  /** Milliseconds between the end of the keys and the end of the tables. */
  readonly farewell?: number;
  readonly patience?: number;
}

export interface NewNames {
  readonly slug?: string | undefined;
  readonly name?: string | undefined;
}

/**
 * Give a workspace another slug, another name, or both. It is a revision of the definition, by which
 * processes know within a second that the model they have is out of date.
 */
export async function renameWorkspace(
  db: Database,
  slug: string,
  names: NewNames,
): Promise<WorkspaceRow> {
  if (names.slug !== undefined) requireSlug(names.slug);
  if (names.name !== undefined) requireName(names.name);
  const workspace = requireFound(await findWorkspace(db, slug), slug);
  const renamed = await inTurn(db, workspace, (tx) => renameInTurn(tx, slug, names));
  await announceDefinition(db, renamed.id);
  return renamed;
}

async function renameInTurn(tx: Queryable, slug: string, names: NewNames): Promise<WorkspaceRow> {
  const workspace = requireFound(await lockWorkspace(tx, slug), slug);
  const definition = await loadDefinition(tx, workspace);
  if (workspace.state !== 'ready' || definition === undefined) {
    throw operatorError(
      `The workspace "${slug}" is still being loaded; try again when it is ready.`,
    );
  }
  const { document } = definition;
  if (names.name !== undefined && document.name !== undefined) {
    throw operatorError(
      `The name of "${slug}" is in its definition document: change it there and apply it.`,
    );
  }
  const next = names.slug ?? slug;
  // A workspace without a given name has its slug as the name.
  const isGiven = document.name !== undefined || workspace.name !== slug;
  const name = names.name ?? (isGiven ? workspace.name : next);
  const to = { ...workspace, slug: next, name };
  await putSlug(tx, to);
  const revised = { ...to, revision: workspace.revision + 1 };
  const change = renameWorkspaceChange(name);
  const changes = name === workspace.name ? [] : [viewChange(change)];
  await putDefinition(tx, revised, definition, { actor: OPERATOR, changes });
  return revised;
}

async function putSlug(tx: Queryable, { id, slug }: WorkspaceRow): Promise<void> {
  const statement = sql`update ${WORKSPACES} set slug = ${slug} where id = ${id}`;
  await runOnce(tx, statement).catch((error: unknown) => {
    if (!isDatabaseError(error) || error.code !== '23505') throw error;
    throw operatorError(`The workspace "${slug}" already exists.`, error);
  });
}

/**
 * Delete a workspace with everything it has. First its keys end, so that no new request comes in; then it is deleted.
 * A delete that is interrupted between the two leaves it without keys, and can be repeated.
 */
export async function deleteWorkspace(
  db: Database,
  workspace: WorkspaceRow,
  { store, farewell = FAREWELL_MS, patience = PATIENCE_MS }: DeleteOptions,
): Promise<void> {
  const { id, slug } = workspace;
  await endKeys(db, workspace);
  await announceDefinition(db, id);
  await sleep(farewell);
  await inTurn(db, workspace, (tx) => dropInTurn(tx, workspace, patience)).catch(
    (error: unknown) => {
      throw explainDrop(error, slug);
    },
  );
  await announceDefinition(db, id);
  await store.removeAll(id).catch((error: Error) => {
    const left = `its files were not all removed (${error.message})`;
    const remedy = `remove "${id}/" from the folder or bucket of the files by hand`;
    throw operatorError(`The workspace "${slug}" is deleted, but ${left}: ${remedy}.`, error);
  });
}

/** Errors: an operator error when the workspace is gone or has another slug; its keys stay then. */
async function endKeys(db: Queryable, { id, slug }: WorkspaceRow): Promise<void> {
  const [workspaceRow] = await runOnce(
    db,
    sql`with found as (select id from ${WORKSPACES} where id = ${id} and slug = ${slug}),
        ended as (delete from ${API_KEYS} k using found f where k.workspace_id = f.id)
      select id from found`,
  );
  if (workspaceRow === undefined) throw justGone(slug);
}

function justGone(slug: string): Error {
  return operatorError(`The workspace "${slug}" has just been deleted or renamed.`);
}

async function dropInTurn(tx: Queryable, workspace: WorkspaceRow, patience: number): Promise<void> {
  const { id, slug, schema } = workspace;
  await runOnce(
    tx,
    sql`select set_config('statement_timeout', '0', true),
      set_config('lock_timeout', ${String(patience)}, true)`,
  );
  await lockRevision(tx, workspace);
  const [gone] = await runOnce(
    tx,
    sql`delete from ${WORKSPACES} where id = ${id} and slug = ${slug} returning id`,
  );
  if (gone === undefined) throw justGone(slug);
  await runOnce(tx, sql`drop schema ${identifier(schema)} cascade`);
  await runOnce(
    tx,
    sql`delete from ${RATE_WINDOWS} r
      where not exists (select from ${API_KEYS} k where k.id = r.principal_id)
        and not exists (select from ${SESSIONS} s where s.id = r.principal_id)`,
  );
}

function explainDrop(error: unknown, slug: string): unknown {
  const cause = error instanceof Error ? error.cause : undefined;
  if (!isDatabaseError(cause) || cause.code !== '55P03') return error;
  const message =
    `The tables of "${slug}" are in use for too long, by an import or a backup. ` +
    'Its keys have ended; delete it again.';
  return operatorError(message, cause);
}

export interface WorkspaceSize {
  /** Tables with their indexes. */
  readonly bytes: number;
  /** The number of records from the statistics of the server: approximate and cheap; null on another server. */
  readonly records: number | null;
  /** The server that has the tables with Citus, as `host:port`; null when it is the connected one. */
  readonly place?: string | null;
}

/** Tables with fewer rows than this are looked at by no autovacuum, and fit in a page or two. */
const FEW_ROWS = 50;

/**
 * The sizes of all workspaces by schema. Reading them from the file system takes 5 ms a workspace, so the statistics
 * of its tables are used instead; the file system is read only for those that were not analysed since rows were
 * added.
 */
export async function loadSizes(db: Queryable): Promise<ReadonlyMap<string, WorkspaceSize>> {
  const rows = await runOnce(
    db,
    sql`select w.schema_name, s.records, coalesce(s.bytes, 0)
        + (s.pages + coalesce(o.pages, 0)) * current_setting('block_size')::bigint as bytes
      from ${WORKSPACES} w
      join pg_catalog.pg_namespace n on n.nspname = w.schema_name
      join (
        select c.relnamespace, sum(c.relpages) as pages,
          sum(case when c.relkind = 'r' and not starts_with(c.relname, '_')
            then coalesce(nullif(pg_stat_get_live_tuples(c.oid), 0), greatest(c.reltuples, 0))
            end) as records,
          sum(case when c.relkind = 'r' and c.reltuples < 0
            and pg_stat_get_live_tuples(c.oid) > ${FEW_ROWS}::integer
            then pg_total_relation_size(c.oid) end) as bytes
        from pg_catalog.pg_class c where c.relkind in ('r', 'i') group by c.relnamespace
      ) s on s.relnamespace = n.oid
      left join (
        select t.relnamespace, sum(o.relpages) as pages
        from (
          select oid, relpages from pg_catalog.pg_class where relkind = 't' and relpages > 0 offset 0
        ) o
        join pg_catalog.pg_class t on t.reltoastrelid = o.oid group by t.relnamespace
      ) o on o.relnamespace = n.oid`,
  );
  const places = await loadPlaces(db);
  return new Map(
    rows.map(({ schema_name, bytes, records }): readonly [string, WorkspaceSize] => {
      const schema = String(schema_name);
      const shard = places?.get(schema);
      // The tables of a shard are empty here.
      if (shard !== undefined) return [schema, { ...shard, records: null }];
      const size = { bytes: Number(bytes), records: Math.round(Number(records)) };
      return [schema, places === undefined ? size : { ...size, place: null }];
    }),
  );
}
