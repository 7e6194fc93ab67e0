// The move of a workspace to another server of a cluster of Citus, while it is used. Citus copies the tables, holds writes
// up while the last changes follow, and then sends everybody to the other server (docs/design/workspaces.md, D361).

import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkspaceRow } from '../control/workspace/workspaces.ts';
import { operatorError } from '../errors.ts';
import {
  hasLeftBehind,
  loadPlaces,
  loadServers,
  moveShardSql,
  type ShardServer,
} from '../postgres/citus.ts';
import { type ConnectionOptions, type Database, isDatabaseError } from '../postgres/db.ts';
import { runOnce } from '../postgres/run-once.ts';
import { openSession, type Session } from '../postgres/session.ts';
import { type Sql, sql, toStatement } from '../sql/sql.ts';

const CHANNEL = 'workspace_records_move';
/**
 * Milliseconds. Citus looks once a second whether the copy has all changes, also while it holds writes up for that. A
 * session that listens is woken by each notification, and looks at once.
 */
const WAKE_EVERY = 20;
/** Milliseconds to wait for Citus to remove the rest of the move before, and between two checks. */
const PATIENCE = 60_000;
const LOOK_EVERY = 200;

export interface Move {
  readonly workspace: WorkspaceRow;
  /** `host:port`, as Citus knows it. */
  readonly to: string;
}

/** Answers where it was. Errors: those of an operator; what Citus says to the move among them. */
export async function moveWorkspace(
  { db, connection }: { readonly db: Database; readonly connection: ConnectionOptions },
  move: Move,
): Promise<string> {
  const { slug, schema } = move.workspace;
  const { server, from } = await findPlaces(db, move);
  await whileLeftBehind(db, schema);
  const session = await openSession(connection, {
    name: 'workspace-records move',
    timeout: 0,
    lockTimeout: 0,
  });
  try {
    await session.query('set statement_timeout = 0');
    await session.query(`listen ${CHANNEL}`);
    await whileWoken(db, runOn(session, moveShardSql(schema, server)));
  } catch (error) {
    if (!isDatabaseError(error)) throw error;
    throw operatorError(`"${slug}" was not moved: ${error.message}.`, error);
  } finally {
    await session.close();
  }
  return from;
}

/** The target server, and the server that has the schema. Errors: the move is not possible. */
async function findPlaces(
  db: Database,
  { workspace: { slug, schema }, to }: Move,
): Promise<{ readonly server: ShardServer; readonly from: string }> {
  const places = await loadPlaces(db);
  if (places === undefined) {
    throw operatorError('There is only one server: this PostgreSQL is not a Citus cluster.');
  }
  const servers = await loadServers(db);
  const server = servers.find(({ place }) => place === to);
  if (server === undefined) {
    const known = servers.map(({ place }) => place).join(', ');
    throw operatorError(`No server of the cluster is at ${to}; there are ${known}.`);
  }
  const from = places.get(schema)?.place;
  if (from === undefined) throw operatorError(`"${slug}" is not a shard and cannot be moved.`);
  if (from === to) throw operatorError(`"${slug}" is on ${to} already.`);
  return { server, from };
}

/** Citus refuses to move a schema back while it removes what was left there. */
async function whileLeftBehind(db: Database, schema: string): Promise<void> {
  for (let waited = 0; waited < PATIENCE; waited += LOOK_EVERY) {
    if (!(await hasLeftBehind(db, schema))) return;
    await sleep(LOOK_EVERY);
  }
}

function runOn(session: Session, statement: Sql): Promise<unknown> {
  const { text, values } = toStatement(statement);
  return session.query(text, values);
}

/** The end of a move, which is woken until then. */
async function whileWoken(db: Database, move: Promise<unknown>): Promise<void> {
  const timer = setInterval(() => {
    runOnce(db, sql`select pg_notify(${CHANNEL}, '')`).catch(() => undefined);
  }, WAKE_EVERY);
  try {
    await move;
  } finally {
    clearInterval(timer);
  }
}
