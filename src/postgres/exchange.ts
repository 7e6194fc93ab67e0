// The messages to PostgreSQL over one connection: statements with the names under which the server keeps them
// prepared, one by one or several as one message; and their number.

import type { Socket } from 'node:net';
import pg from 'pg';
import type { Statement } from '../sql/sql.ts';
import { withRefusalCode } from './constraint-name.ts';
import type { QueryStats, Row } from './db.ts';
import { nameStatement } from './named-statements.ts';
import { printParameters, typeParser } from './wire-values.ts';

export interface SendOptions {
  readonly prepare: boolean;
  readonly counted: readonly QueryStats[];
}

/** Send one statement. */
export async function send(
  client: pg.PoolClient,
  statement: Statement,
  options: SendOptions,
): Promise<readonly Row[]> {
  const { counted } = options;
  for (const stats of counted) stats.statements += 1;
  const query = queryOf(client, statement, options);
  return (await exchange(client, counted, () => client.query(query))).rows;
}

/** Send a command of the session, such as ROLLBACK. */
export async function command(
  client: pg.PoolClient,
  text: string,
  { counted }: SendOptions,
): Promise<void> {
  await exchange(client, counted, () => client.query(text));
}

/**
 * Send statements as one message, answered by one: when one fails, PostgreSQL skips those behind it, and
 * its failure is the failure of all. Commands of transactions may be among them.
 */
export async function sendAll(
  client: pg.PoolClient,
  statements: readonly Statement[],
  options: SendOptions,
): Promise<readonly pg.QueryResult[]> {
  const queries = statements.map((statement) => queryOf(client, statement, options));
  return exchange(client, options.counted, () => pipeline(client, queries));
}

function queryOf(
  client: pg.PoolClient,
  { text, values }: Statement,
  { prepare }: SendOptions,
): pg.QueryConfig {
  const named = prepare ? nameStatement(client, text) : { text };
  // New keys first, as for all objects that are made often (D145).
  return { values: printParameters(values), ...named };
}

/** Messages without an answer yet, by connection. */
const unanswered = new WeakMap<pg.PoolClient, number>();

/** Messages sent while answers are awaited travel in the same round trip. */
async function exchange<Answer>(
  client: pg.PoolClient,
  counted: readonly QueryStats[],
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const before = unanswered.get(client) ?? 0;
  if (before === 0) for (const stats of counted) stats.roundTrips += 1;
  unanswered.set(client, before + 1);
  holdBack(client);
  try {
    return await ask();
  } catch (error) {
    throw withRefusalCode(error);
  } finally {
    unanswered.set(client, (unanswered.get(client) ?? 1) - 1);
  }
}

/** The messages that the driver lets a query send on its connection. */
interface Wire {
  readonly stream: Socket;
  /** Texts by name: those that PostgreSQL is about to parse. */
  readonly submittedNamedStatements: Record<string, string | undefined>;
  execute(portal: { readonly portal: string; readonly rows: number }): void;
  sync(): void;
}

/** A query of the driver, as the driver itself sees it. */
interface DriverQuery {
  name: string | undefined;
  text: string;
  callback: (error: unknown, result?: pg.QueryResult) => void;
  hasBeenParsed(wire: Wire): boolean;
  prepare(wire: Wire): void;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, wire: Wire): void;
  handleReadyForQuery(wire: Wire): void;
}

/** Messages of one tick leave in one system call, which costs more than the messages. */
function holdBack(client: pg.PoolClient): void {
  const { stream } = (client as unknown as { readonly connection: Wire }).connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/**
 * Queries of the driver with one Sync behind the last. To the driver they are one query, which takes the
 * name of the part that is being answered, because the driver keeps book of the names that are parsed.
 */
function pipeline(
  client: pg.PoolClient,
  queries: readonly pg.QueryConfig[],
): Promise<readonly pg.QueryResult[]> {
  return new Promise((resolve, reject) => {
    const results: pg.QueryResult[] = [];
    let failure: unknown;
    const parts = queries.map((query) =>
      partOf(query, (error, result) => {
        failure ??= error;
        if (result !== undefined) results.push(result);
      }),
    );
    const parsed = new Set<string>();
    const current = () => parts[results.length] as DriverQuery;
    const whole = Object.assign(new pg.Query({ text: '' }), {
      submit(wire: Wire) {
        for (const part of parts) {
          if (part.name !== undefined && !part.hasBeenParsed(wire)) parsed.add(part.name);
          part.prepare(wire);
        }
        Object.assign(whole, nameOf(current()));
        if (failure === undefined) wire.sync();
        // Half of a message cannot be undone.
        else wire.stream.destroy();
        return null;
      },
      handleRowDescription: (message: unknown) => current().handleRowDescription(message),
      handleDataRow: (message: unknown) => current().handleDataRow(message),
      handleCommandComplete(message: unknown, wire: Wire) {
        const part = current();
        part.handleCommandComplete(message, wire);
        part.handleReadyForQuery(wire);
        if (results.length < parts.length) Object.assign(whole, nameOf(current()));
      },
      handleReadyForQuery: () => finish(failure),
      handleError(error: unknown, wire: Wire) {
        // Statements behind the failed one were skipped, their names with them.
        for (const { name } of parts.slice(results.length + 1)) {
          if (name !== undefined && parsed.has(name)) delete wire.submittedNamedStatements[name];
        }
        finish(failure ?? error);
      },
    });
    // The driver puts a callback around this one that handles its time limit.
    const answered = (error: unknown) => (error ? reject(error) : resolve(results));
    client.query(whole as never, answered as never);
    function finish(error: unknown): void {
      (whole as unknown as DriverQuery).callback(error);
    }
  });
}

function nameOf({ name, text }: DriverQuery): Pick<DriverQuery, 'name' | 'text'> {
  return { name, text };
}

/** A query whose sender adds the Sync. */
function partOf(query: pg.QueryConfig, callback: DriverQuery['callback']): DriverQuery {
  const types = { getTypeParser: typeParser };
  const part = Object.assign(new pg.Query({ ...query, types } as pg.QueryConfig), {
    callback,
    _getRows: (wire: Wire) => wire.execute({ portal: '', rows: 0 }),
  });
  return part as unknown as DriverQuery;
}
