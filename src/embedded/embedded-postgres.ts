// The supervisor of the embedded PostgreSQL: starts it over a data directory, joins one that runs, starts it again
// when it dies under a service, and stops it. It never starts a second server over live data.
//
// Sessions, not files, show the users of the server: each process that opens it keeps a session with a shared
// advisory lock, a service with an exclusive one as well. They end with the process, however it dies. Of processes
// that start at once, PostgreSQL lets one through.
import { readFileSync, realpathSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isOperatorError, operatorError } from '../errors.ts';
import { openSession, type Session } from '../postgres/session.ts';
import {
  livePostmaster,
  type Postmaster,
  passwordFile,
  prepareDataDirectory,
  requireCluster,
  requireData,
} from './data-directory.ts';
import { requirePostgresBinaries } from './postgres-programs.ts';
import { endPostmaster, type Home, logPath, type Start, startPostmaster } from './postmaster.ts';

export interface EmbeddedPostgres {
  /** The connection to the server; still right after the server was started again. */
  readonly connection: Connection;
  /** May be called twice. Close pools first: the stop of a service ends everybody's sessions. */
  stop(): Promise<void>;
}

export interface Connection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly password?: string;
}

export interface EmbeddedPostgresOptions {
  /** The cluster lives in `<dataDirectory>/postgres-<major>`, its log in `postgres.log`. */
  readonly dataDirectory: string;
  /** A service owns the server, and there is only one; commands run together with a service or alone. */
  readonly purpose: Purpose;
  /** False: a directory without data is refused, for its name may be mistyped. */
  readonly mayCreate?: boolean;
  /** False gives up crash safety for speed: for tests only. */
  readonly durable?: boolean;
}

type Purpose = 'service' | 'command';

interface Entry {
  readonly session: Session;
  readonly connection: Connection;
}

/** Class of the advisory locks ("wrs"); object 0: everybody, 1: the service. */
const LOCK_CLASS = 0x777273;
const LOCK_WAIT_MS = 1_000;
const SESSION_TIMEOUT_MS = 5_000;
const ANSWER_WAIT_MS = 30_000;
const POLL_MS = 15;

/**
 * Resolves when the server takes queries. A service is refused (operator error) while another one uses the directory.
 * The last command to stop ends the server when no other session is connected.
 */
export async function openEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const { purpose, durable = true, mayCreate = true } = options;
  const binaries = requirePostgresBinaries();
  if (!mayCreate) requireData(options.dataDirectory);
  const dataDirectory = prepareDataDirectory(options.dataDirectory);
  const cluster = await requireCluster(dataDirectory, binaries, durable);
  const home: Home = { dataDirectory, cluster, binaries, durable };
  const closing = new AbortController();
  const { session, connection } = await enter(home, purpose, closing.signal);
  const guard = purpose === 'service' ? guardService(home, session, closing.signal) : undefined;
  const stop = async () => {
    closing.abort();
    await guard?.();
    if (purpose === 'service' || (await isAlone(session))) await endPostmaster(home);
    await session.close().catch(() => {});
  };
  let stopped: Promise<void> | undefined;
  return {
    connection,
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}

/** Joins the running server or starts one, whichever is possible first. */
async function enter(home: Home, purpose: Purpose, closing: AbortSignal): Promise<Entry> {
  let start: Start | undefined;
  let problem = 'it is not ready';
  let deadline = Date.now() + ANSWER_WAIT_MS;
  while (Date.now() < deadline && !closing.aborted) {
    const postmaster = livePostmaster(home.cluster);
    if (postmaster === undefined && (start === undefined || start.failure !== undefined)) {
      problem = start?.failure?.reason ?? problem;
      if (start?.failure?.temporary === false) break;
      start = await startPostmaster(home);
    } else if (postmaster !== undefined && postmaster.host !== '') {
      try {
        return await claim(home, postmaster, purpose);
      } catch (error) {
        if (isOperatorError(error)) throw error;
        problem = (error as Error).message;
        // Recovery after a crash takes its time, and so does a shutdown.
        if (sqlState(error) === '57P03') deadline = Date.now() + ANSWER_WAIT_MS;
      }
    }
    await sleep(POLL_MS);
  }
  throw operatorError(
    `The embedded PostgreSQL in ${home.dataDirectory} does not start or answer: ${problem} ` +
      `(more in ${logPath(home.dataDirectory)}).`,
  );
}

async function claim(home: Home, postmaster: Postmaster, purpose: Purpose): Promise<Entry> {
  const connection = connectionTo(home, postmaster);
  const session = await openSession(
    { ...connection, ssl: false },
    {
      name: `workspace-records ${purpose} ${process.pid}`,
      timeout: SESSION_TIMEOUT_MS,
      lockTimeout: LOCK_WAIT_MS,
    },
  );
  try {
    await requireSameCluster(session, home.cluster);
    // Waits while a command that ends has the server to itself to stop it.
    await session.query('select pg_advisory_lock_shared($1, 0)', [LOCK_CLASS]);
    if (purpose === 'service') await lockForService(session, home.dataDirectory);
    return { session, connection };
  } catch (error) {
    session.close().catch(() => {});
    throw error;
  }
}

function connectionTo(home: Home, { host, port }: Postmaster): Connection {
  const connection = { host, port, user: 'postgres', database: 'postgres' };
  if (process.platform !== 'win32') return connection;
  return { ...connection, password: readFileSync(passwordFile(home.dataDirectory), 'utf8') };
}

async function requireSameCluster(session: Session, cluster: string): Promise<void> {
  const [row] = await session.query(`select current_setting('data_directory') as path`);
  if (realpathSync(String(row?.path)) !== cluster) {
    throw operatorError(`Another PostgreSQL answers in place of that of ${cluster}.`);
  }
}

/** The wait covers the moment in which PostgreSQL notices that a killed service is gone. */
async function lockForService(session: Session, dataDirectory: string): Promise<void> {
  try {
    await session.query('select pg_advisory_lock($1, 1)', [LOCK_CLASS]);
  } catch (error) {
    if (sqlState(error) !== '55P03') throw error;
    const [holder] = await session.query(
      `select application_name as name from pg_locks join pg_stat_activity using (pid)
       where locktype = 'advisory' and classid = $1 and objid = 1 and granted`,
      [LOCK_CLASS],
    );
    const pid = /\d+$/.exec(String(holder?.name))?.[0] ?? 'unknown';
    throw operatorError(
      `The data directory ${dataDirectory} is in use by another workspace-records service ` +
        `(process ${pid}).`,
    );
  }
}

/**
 * Enters again whenever the service's session is lost: the server crashed or was killed. The
 * answered function waits for an attempt under way to end.
 */
function guardService(home: Home, first: Session, closing: AbortSignal): () => Promise<void> {
  let entering = Promise.resolve();
  const guard = (session: Session) => {
    session.onEnd(() => {
      if (!closing.aborted) entering = enterAgain();
    });
  };
  const enterAgain = async () => {
    while (!closing.aborted) {
      try {
        guard((await enter(home, 'service', closing)).session);
        return;
      } catch {
        await sleep(1_000, undefined, { signal: closing }).catch(() => {}); // the log has the cause
      }
    }
  };
  guard(first);
  return () => entering;
}

/**
 * Whether no other process uses the server; if so, none can enter until this session ends. Of several commands that
 * end at once, the last to give up its shared lock gets the exclusive one.
 */
async function isAlone(session: Session): Promise<boolean> {
  try {
    await session.query('select pg_advisory_unlock_shared($1, 0)', [LOCK_CLASS]);
    const [lock] = await session.query('select pg_try_advisory_lock($1, 0) as free', [LOCK_CLASS]);
    if (lock?.free !== true) return false;
    // Backends of connections closed just now need a moment to end.
    const deadline = Date.now() + LOCK_WAIT_MS / 2;
    do {
      const [clients] = await session.query(
        `select count(*) = 0 as alone, coalesce(bool_or(wait_event = 'advisory'), false) as awaited
         from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
      );
      if (clients?.alone === true) return true;
      if (clients?.awaited === true) return false;
      await sleep(POLL_MS);
    } while (Date.now() < deadline);
  } catch {
    // The server is gone already.
  }
  return false;
}

function sqlState(error: unknown): string | undefined {
  return (error as { code?: string }).code;
}
