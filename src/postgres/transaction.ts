// A transaction on one connection. BEGIN travels with its first statements and COMMIT with its last, each
// as one message, so that none of them can run outside of the transaction.

import type pg from 'pg';
import type { Statement } from '../sql/sql.ts';
import { type Copying, copyingOn } from './copy.ts';
import type { Queryable, QueryOptions, Row, Transaction } from './db.ts';
import { command, type SendOptions, send, sendAll } from './exchange.ts';

const BEGIN: Statement = { text: 'begin', values: [] };
const COMMIT: Statement = { text: 'commit', values: [] };

/** Connections that may be in a transaction still. */
const ruined = new WeakSet<pg.PoolClient>();

export function isRuined(client: pg.PoolClient): boolean {
  return ruined.has(client);
}

export interface TransactionSending extends SendOptions {
  /** Travels with BEGIN and counts as little. */
  readonly opening?: Statement | undefined;
}

/** Run `work` in a transaction, and undo it when that fails. */
export function runTransaction<Result>(
  client: pg.PoolClient,
  sending: TransactionSending,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return run(openTransaction(client, sending), work);
}

/** Runs `work` in a transaction that can also stream whole tables. */
export async function runCopying<Result>(
  client: pg.PoolClient,
  sending: SendOptions,
  work: (tx: Transaction & Copying) => Promise<Result>,
): Promise<Result> {
  const transaction = openTransaction(client, sending);
  return run(transaction, async (tx) => {
    await transaction.begin();
    return work({ ...tx, ...copyingOn(client) });
  });
}

interface OpenTransaction {
  readonly tx: Transaction;
  begin(): Promise<void>;
  /** Commits; without effect after `tx.finish`. */
  commit(): Promise<void>;
  /** True when PostgreSQL has confirmed it: the connection can be used again. */
  rollback(): Promise<boolean>;
}

/** Failures of the work of transactions, after which these were rolled back. */
const undone = new WeakSet<object>();

/** True when the failed transaction has left its connection as it was, whatever has failed. */
export function isUndone(error: unknown): boolean {
  return typeof error === 'object' && error !== null && undone.has(error);
}

async function run<Result>(
  { tx, commit, rollback }: OpenTransaction,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  try {
    const result = await work(tx);
    await commit();
    return result;
  } catch (error) {
    if ((await rollback()) && error instanceof Error) undone.add(error);
    throw error;
  }
}

function openTransaction(client: pg.PoolClient, sending: TransactionSending): OpenTransaction {
  const opening = sending.opening === undefined ? [BEGIN] : [BEGIN, sending.opening];
  let begun: Promise<unknown> | undefined;
  let finished = false;
  let isOver = false;

  /** Later messages wait for the answer to the one with BEGIN: they must not run without a transaction. */
  async function exchange(statements: readonly Statement[], prepare = true) {
    const options = { ...sending, prepare: prepare && sending.prepare };
    if (begun !== undefined) {
      await begun;
      return sendAll(client, statements, options);
    }
    const sent = sendAll(client, [...opening, ...statements], options);
    begun = sent;
    return (await sent).slice(opening.length);
  }

  async function queryAll(statements: readonly Statement[], { prepare }: QueryOptions = {}) {
    if (statements.length === 0) return [];
    count(sending, statements);
    return rowsOf(await exchange(statements, prepare));
  }

  async function finish(statements: readonly Statement[]) {
    finished = true;
    count(sending, statements);
    const results = await exchange([...statements, COMMIT]);
    isOver = true;
    const { command: tag } = results[results.length - 1] as pg.QueryResult;
    if (tag !== 'COMMIT') throw new Error(`the transaction ended in ${tag}`);
    return rowsOf(results.slice(0, -1));
  }

  async function begin(): Promise<void> {
    if (begun === undefined) await exchange([]);
    else await begun;
  }

  const query: Queryable['query'] = async (statement, { prepare = true } = {}) => {
    if (prepare) return (await queryAll([statement]))[0] ?? [];
    await begin();
    return send(client, statement, { ...sending, prepare });
  };
  return {
    tx: { query, queryAll, finish },
    begin,
    async commit() {
      if (begun !== undefined && !finished) await finish([]);
    },
    async rollback() {
      if (begun === undefined || isOver) return false;
      await begun.catch(() => undefined);
      return rollBack(client, sending);
    },
  };
}

async function rollBack(client: pg.PoolClient, sending: SendOptions): Promise<boolean> {
  try {
    await command(client, 'rollback', sending);
    return true;
  } catch {
    ruined.add(client);
    return false;
  }
}

function count({ counted }: SendOptions, { length }: readonly Statement[]): void {
  for (const stats of counted) stats.statements += length;
}

function rowsOf(results: readonly pg.QueryResult[]): readonly (readonly Row[])[] {
  return results.map(({ rows }) => rows);
}
