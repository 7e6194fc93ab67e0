// The servers that have the tables of a workspace, and connections to them. With Citus each workspace is on one of
// several servers, and its requests go to that server directly: it alone has the rows, locks and numbers that they
// use, and neither the others nor the server of the control schema take part (docs/decisions.md, D333).

import { sql } from '../sql/sql.ts';
import type { ConnectionOptions, Database, DatabaseOptions, Queryable } from './db.ts';
import { openDatabase } from './open-server.ts';
import { runOnce } from './run-once.ts';
import { openShards } from './shards.ts';

export interface PlacesOptions extends DatabaseOptions {
  /** True with Citus. */
  readonly hasPlaces?: boolean;
}

/** A pool for each server in use; it connects with the first statement. */
export function openDatabases({ hasPlaces = false, ...options }: PlacesOptions): Database {
  const main = openDatabase(options);
  // A pooler leads to one server only.
  if (!hasPlaces || options.pooled === true) return main;
  const { connection } = options;
  const places = openPlaces(main, (address) =>
    openShards(openDatabase({ ...options, connection: connectionAt(connection, address) })),
  );
  const serverOf = async (schema: string | undefined) =>
    (schema === undefined ? undefined : await places.load(schema)) ?? main;
  const database: Database = {
    ...main,
    near: (schema) => places.find(schema) ?? database,
    query: async (statement, options = {}) =>
      (await serverOf(options.reads)).query(statement, options),
    transaction: async (work, options = {}) =>
      (await serverOf(options.writes)).transaction(work, options),
    async close() {
      await Promise.all([places.close(), main.close()]);
    },
  };
  return database;
}

interface Places {
  /** The database on the server that has this schema; undefined while that is not known. */
  find(schema: string): Database | undefined;
  /** The database on the server that has this schema; a query finds a server that is not known. */
  load(schema: string): Promise<Database | undefined>;
  close(): Promise<void>;
}

interface Known {
  /** `host:port`; undefined when no server has it as a shard. */
  readonly address: string | undefined;
  /** The time by `performance.now()`. */
  readonly askedAt: number;
}

/**
 * Milliseconds until the place of a schema is queried again. After a move the previous server forwards statements, so
 * until then they only take longer.
 */
const ASK_AGAIN_AFTER = 1000;

/** `main` has the places of schemas; `open` opens a database on another server, once for each. */
export function openPlaces(main: Queryable, open: (address: string) => Database): Places {
  const places = new Map<string, Known>();
  const servers = new Map<string, Database>();
  let wanted = new Set<string>();
  let asking: Promise<void> | undefined;

  async function ask(): Promise<void> {
    while (wanted.size > 0) {
      const schemas = [...wanted];
      wanted = new Set();
      const askedAt = performance.now();
      const found = await loadAddresses(main, schemas);
      for (const schema of schemas) places.set(schema, { address: found.get(schema), askedAt });
    }
  }

  /** The known place stays when the query fails: the server of the control schema may be away. */
  function askFor(schema: string): Promise<void> {
    wanted.add(schema);
    asking ??= ask()
      .catch(() => undefined)
      .finally(() => {
        asking = undefined;
      });
    return asking;
  }

  function serverAt(address: string): Database {
    const server = servers.get(address) ?? open(address);
    servers.set(address, server);
    return server;
  }

  function find(schema: string): Database | undefined {
    const known = places.get(schema);
    const age = performance.now() - (known?.askedAt ?? -Infinity);
    if (age > ASK_AGAIN_AFTER) void askFor(schema);
    return known?.address === undefined ? undefined : serverAt(known.address);
  }

  return {
    find,
    async load(schema) {
      if (!places.has(schema)) await askFor(schema);
      return find(schema);
    },
    async close() {
      await asking;
      await Promise.all([...servers.values()].map((server) => server.close()));
    },
  };
}

/** All tables of a schema are on one server; group 0 is the queried server. */
async function loadAddresses(
  db: Queryable,
  schemas: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await runOnce(
    db,
    sql`select s.nspname::text as schema, n.nodename || ':' || n.nodeport as address
      from pg_catalog.pg_namespace s join pg_catalog.pg_dist_schema d on d.schemaid = s.oid
      cross join lateral (
        select h.shardid from pg_catalog.pg_dist_partition p
        join pg_catalog.pg_dist_shard h on h.logicalrelid = p.logicalrelid
        where p.colocationid = d.colocationid limit 1
      ) h
      join pg_catalog.pg_dist_placement l on l.shardid = h.shardid
      join pg_catalog.pg_dist_node n on n.groupid = l.groupid and n.noderole = 'primary'
      where s.nspname = any(${schemas}::name[]) and n.groupid <> 0`,
  );
  return new Map(rows.map(({ schema, address }) => [String(schema), String(address)]));
}

/** The connection to the database on another server of the cluster: same name, account and settings. */
export function connectionAt(connection: ConnectionOptions, address: string): ConnectionOptions {
  const colon = address.lastIndexOf(':');
  const [host, port] = [address.slice(0, colon), address.slice(colon + 1)];
  const { connectionString } = connection;
  if (connectionString === undefined) return { ...connection, host, port: Number(port) };
  const url = new URL(connectionString);
  url.hostname = host.includes(':') ? `[${host}]` : host;
  url.port = port;
  // These override the host and port before the path.
  for (const name of ['host', 'port']) url.searchParams.delete(name);
  return { ...connection, connectionString: url.href };
}
