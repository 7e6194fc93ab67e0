// The floor: the least a server on this stack can do. A bare node:http server that runs one given SQL
// text through `pg` for each path and prints the rows. No checks, no limits, no rules.

import http from 'node:http';
import pg from 'pg';

/** What to answer: path → statement; values may hold `:id`, the last part of the path. */
interface FloorTask {
  readonly connection: pg.PoolConfig;
  readonly poolSize: number;
  readonly routes: Readonly<Record<string, { text: string; values: readonly unknown[] }>>;
}

const task = JSON.parse(process.env.FLOOR_TASK ?? '{}') as FloorTask;
const pool = new pg.Pool({ ...task.connection, max: task.poolSize });
const routes = new Map(Object.entries(task.routes));

function bind(values: readonly unknown[], id: string): unknown[] {
  return values.map((value) =>
    Array.isArray(value) ? bind(value, id) : value === ':id' ? id : value,
  );
}

const server = http.createServer(async (request, response) => {
  const [, name = '', id = ''] = (request.url ?? '').split('/');
  const route = routes.get(name);
  if (route === undefined) {
    response.writeHead(404).end();
    return;
  }
  const { rows } = await pool.query({ name, text: route.text, values: bind(route.values, id) });
  const body = JSON.stringify(rows);
  response.writeHead(200, { 'content-type': 'application/json' }).end(body);
});

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null) process.send?.({ port: address.port });
});

process.on('disconnect', () => process.exit(0));
