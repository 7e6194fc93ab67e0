// PostgreSQL as all other files use it: queries, transactions, and the meaning of a failure. open-server.ts opens it.

import pg from 'pg';
import { ApiError, unavailable } from '../errors.ts';
import { say } from '../messages/message.ts';
import type { CancelSignal } from '../model/cancel-signal.ts';
import type { Row } from '../model/values/row.ts';
import type { Statement } from '../sql/sql.ts';
import type { Copying } from './copy.ts';

export type { Row } from '../model/values/row.ts';

export interface ConnectionOptions {
  readonly connectionString?: string;
  readonly host?: string;
  readonly port?: number;
  readonly user?: string;
  readonly database?: string;
  readonly password?: string;
  /** False on a local socket, whatever PGSSLMODE says. */
  readonly ssl?: false;
}

export interface DatabaseOptions {
  readonly connection: ConnectionOptions;
  readonly poolSize: number;
  /** True: connections that were opened stay, so that none has to be found when the server is full. */
  readonly keepsOpen?: boolean;
  /** Milliseconds a statement may run; 0 for commands that may take long. */
  readonly statementTimeout: number;
  /**
   * True behind a pooler that lends a connection for a transaction only, such as PgBouncer: a session keeps no state.
   * The statement timeout of the server is that of its role then.
   */
  readonly pooled?: boolean;
  readonly sharing?: Sharing;
  /** Counts everything that is sent. */
  readonly stats?: QueryStats;
  /** Called with failures of idle connections, for the log. */
  readonly onIdleError?: (error: Error) => void;
}

export interface QueryOptions {
  /** False for text that will not come again (DDL). */
  readonly prepare?: boolean | undefined;
  /** When aborted, the statement is cancelled in PostgreSQL. */
  readonly signal?: CancelSignal | undefined;
  /** The schema of a statement that only reads, and only tables of this schema (shards.ts). */
  readonly reads?: string | undefined;
}

/** Statements sent, and how often something was sent on a connection that waited for no answer. */
export interface QueryStats {
  statements: number;
  roundTrips: number;
}

/** The account of a statement: its statistics, and the share of connections that it takes. */
export interface Account {
  /** Counts the statement, in addition to the statistics of the database. */
  readonly stats?: QueryStats | undefined;
  /** Called with the process id of the backend that executes it, and with undefined at the end. */
  readonly onBackend?: ((pid: number | undefined) => void) | undefined;
  /** True for several principals: the statement uses no principal's share of connections. */
  readonly isShared?: boolean | undefined;
  /** The rows may be many or large: it takes most of the share of its principal. */
  readonly isHeavy?: boolean | undefined;
}

/** Runs statements. */
export interface Queryable {
  query(statement: Statement, options?: QueryOptions): Promise<readonly Row[]>;
}

/** Whether requests share statements: when they meet by chance, or in tests always or never. */
export type Sharing = 'by chance' | 'always' | 'never';

/** A pool, as requests that share statements know it. */
export interface Shareable extends Queryable {
  query(statement: Statement, options?: QueryOptions & Account): Promise<readonly Row[]>;
  /** The origin: one object for everything that goes through one pool. */
  readonly origin: { readonly sharing: Sharing };
  /**
   * The database on the server that has this schema, for statements and transactions that name only its tables. It is
   * this one itself unless workspaces are on several servers.
   */
  near(schema: string): Database;
}

/** One transaction on one connection. BEGIN travels with the first statements. */
export interface Transaction extends Queryable {
  /** Send statements in one round trip; when one fails, none behind it runs. */
  queryAll(
    statements: readonly Statement[],
    options?: QueryOptions,
  ): Promise<readonly (readonly Row[])[]>;
  /** Send the last statements together with COMMIT: one round trip. */
  finish(statements: readonly Statement[]): Promise<readonly (readonly Row[])[]>;
}

/** A transaction, and on whose account it is. */
export interface TransactionOptions extends Account {
  /** The schema of a statement that writes, and names only tables of this schema (shards.ts). */
  readonly writes?: string | undefined;
}

export interface Database extends Shareable {
  /** Run `work` in a transaction; repeated up to three times on deadlock or serialisation failure. */
  transaction<Result>(
    work: (tx: Transaction) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>;
  /** Run `work` in a transaction, once: what was read from a stream cannot be read again. */
  copying<Result>(work: (tx: Transaction & Copying) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** The connections to one server. */
export interface Server extends Database {
  /** Runs `work`; `opening` travels with BEGIN and counts as little as that. */
  transaction<Result>(
    work: (tx: Transaction) => Promise<Result>,
    options?: TransactionOptions & { readonly opening?: Statement },
  ): Promise<Result>;
  /** Send a statement, and a check of it after it, as one message; they count as one. */
  queryAll(
    statements: readonly Statement[],
    options?: QueryOptions & Account,
  ): Promise<readonly (readonly Row[])[]>;
}

/** The database with replaced functions, on each of its servers. */
export function wrapDatabase(
  db: Database,
  otherwise: (server: Database) => Partial<Omit<Database, 'near'>>,
): Database {
  const wrapped: Database = {
    ...db,
    ...otherwise(db),
    near(schema) {
      const server = db.near(schema);
      return server === db ? wrapped : wrapDatabase(server, otherwise);
    },
  };
  return wrapped;
}

/** An error that PostgreSQL itself reported, with its SQLSTATE in `code`. */
export function isDatabaseError(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError;
}

/** Classes of SQLSTATEs: wrong data, broken constraints, rows that are too long. */
const REFUSED = /^(?:22|23|54)/;

/** True when PostgreSQL has refused values and would refuse them from every sender and every time. */
export function isRefusedByDatabase(error: unknown): error is pg.DatabaseError {
  return isDatabaseError(error) && REFUSED.test(error.code ?? '');
}

/** SQLSTATEs of a server that goes down or comes up. */
const GOING = /^57P0[1-3]$/;

/** True for the failure to reach a server at all; false when it is there and only slow. */
export function isAway(error: unknown): boolean {
  const cause = error instanceof ApiError ? error.cause : error;
  if (isDatabaseError(cause)) return GOING.test(cause.code ?? '');
  if (!(cause instanceof Error)) return false;
  return 'code' in cause || cause.message.startsWith('Connection terminated unexpectedly');
}

/**
 * True for a statement that was ended because it took longer than its time; false where a server says so in another
 * language than English.
 */
export function isOverTime(error: unknown): boolean {
  const cause = error instanceof ApiError ? error.cause : error;
  return (
    isDatabaseError(cause) && cause.code === '57014' && / statement timeout$/.test(cause.message)
  );
}

/** A prepared statement outlived a change of its table; a fresh connection has none. */
export function isStalePlan(error: unknown): boolean {
  return isDatabaseError(error) && error.code === '0A000';
}

/** True when the server does not know a time zone: Node.js may have a later edition of the database of zones. */
export function isUnknownZone(error: unknown): error is pg.DatabaseError {
  return isDatabaseError(error) && error.code === '22023' && error.message.startsWith('time zone ');
}

/** SQLSTATEs and classes that mean "not now": cancelled, out of resources, going down, gone. */
const UNAVAILABLE = /^(?:57014|55P03|57P0[0-5]|53...|08...|58030|XX000|25P0[34])$/;

/** The failure as requests hear it: `service_unavailable` for one that passes, else the error as it is. */
export function mapFailure(error: unknown): unknown {
  if (error instanceof ApiError) return error;
  if (isDatabaseError(error)) {
    const { code = '' } = error;
    if (GONE.test(code)) return unreachable(error);
    return UNAVAILABLE.test(code) ? unavailable(error) : error;
  }
  if (!isConnectionFailure(error)) return error;
  return SLOW.test(error.message) ? unavailable(error) : unreachable(error);
}

/** The failure to reach the server, which is not an overload of the service. */
export function unreachable(cause: unknown): ApiError {
  return unavailable(cause, say('database_silent'));
}

/** SQLSTATEs of a server that is going down, starting or gone. */
const GONE = /^(?:57P0[0-5]|08...)$/;
const SLOW = /^Query read timeout/;

function isConnectionFailure(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  if ('code' in error && /^(?:E[A-Z]+)$/.test(String(error.code))) return true;
  return /^(?:Connection terminated|Query read timeout|Client has encountered|timeout exceeded)/.test(
    error.message,
  );
}
