// The floor: the least a server on this stack can do. A bare node:http server that runs one given SQL
// text through `pg` for each path and prints the rows. No checks, no limits, no rules.

import http from 'node:http';
import pg from 'pg';
import type { Statement } from '../src/sql/sql.ts';

/** What to answer: `/<name>/<n>` runs the n-th statement of that name. */
export interface FloorTask {
  readonly connection: pg.PoolConfig;
  readonly poolSize: number;
  readonly routes: Readonly<Record<string, readonly Statement[]>>;
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

  const server = http.createServer(async (request, response) => {
    const [, route = '', number = '0'] = (request.url ?? '').split('/');
    const statement = routes.get(route)?.[Number(number)];
    if (statement === undefined) {
      response.writeHead(404).end();
      return;
    }
    const { text, values } = statement;
    try {
      const { rows } = await pool.query({ name: nameOf(text), text, values: [...values] });
      const body = JSON.stringify(rows);
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
