// The floor: the least a server on this stack can do. A bare node:http server that runs given SQL
// texts through `pg` for each path and prints the rows. No checks, no limits, no rules.

import http from 'node:http';
import pg from 'pg';
import type { Statement } from '../src/sql/sql.ts';

/**
 * One statement; the statements of a transaction, sent one after the other; or one, and then those about the rows it
 * has found, sent at once.
 */
export type FloorWork =
  | Statement
  | readonly Statement[]
  | { readonly first: Statement; readonly next: readonly Statement[] };

/** The requests to answer: `/<name>/<n>` does the n-th work of that name. */
export interface FloorTask {
  readonly connection: pg.PoolConfig;
  readonly poolSize: number;
  readonly routes: Readonly<Record<string, readonly FloorWork[]>>;
}

process.once('message', (message) => {
  const task = message as FloorTask;
  const pool = new pg.Pool({ ...task.connection, max: task.poolSize });
  const routes = new Map(Object.entries(task.routes));
  const names = new Map<string, string>();

  /** Prepared once per text and connection, like those of the service. */
  function nameOf(text: string): string {
    const name = names.get(text) ?? `s${names.size}`;
    names.set(text, name);
    return name;
  }

  function send(client: pg.Pool | pg.PoolClient, { text, values }: Statement) {
    return client.query({ name: nameOf(text), text, values: [...values] });
  }

  async function transact(statements: readonly Statement[]): Promise<readonly unknown[]> {
    const client = await pool.connect();
    try {
      await client.query('begin');
      let rows: readonly unknown[] = [];
      for (const statement of statements) ({ rows } = await send(client, statement));
      await client.query('commit');
      return rows;
    } finally {
      client.release();
    }
  }

  async function run(work: FloorWork): Promise<readonly unknown[]> {
    if ('text' in work) return (await send(pool, work)).rows;
    if (!('first' in work)) return transact(work);
    const { rows } = await send(pool, work.first);
    const others = await Promise.all(work.next.map((statement) => send(pool, statement)));
    return [rows, ...others.map((other) => other.rows)];
  }

  const server = http.createServer(async (request, response) => {
    const [, route = '', number = '0'] = (request.url ?? '').split('/');
    const work = routes.get(route)?.[Number(number)];
    if (work === undefined) {
      response.writeHead(404).end();
      return;
    }
    try {
      const body = JSON.stringify(await run(work));
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    } catch (error) {
      response.writeHead(500).end((error as Error).message);
    }
  });

  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (typeof address === 'object' && address !== null) process.send?.({ port: address.port });
  });
});

process.on('disconnect', () => process.exit(0));
