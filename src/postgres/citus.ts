// The differences of a PostgreSQL with the extension Citus: the schema of each workspace is a shard on one of several
// servers, the control schema stays on the connected one. No other file checks for the extension; requests send the
// same statements either way (docs/operations.md).

import { type Sql, sql } from '../sql/sql.ts';
import type { Queryable } from './db.ts';
import { runOnce } from './run-once.ts';

const CITUS = sql`exists (select from pg_catalog.pg_extension where extname = 'citus')`;
const SHARDING = 'citus.enable_schema_based_sharding';

export async function hasCitus(db: Queryable): Promise<boolean> {
  const [found] = await runOnce(db, sql`select ${CITUS} as present`);
  return found?.present === true;
}

/** False for a workspace from before the database was a cluster, whose tables stay on its server. */
export async function isShard(db: Queryable, schema: string): Promise<boolean> {
  if (!(await hasCitus(db))) return false;
  const [shardRow] = await runOnce(
    db,
    sql`select exists (select from pg_catalog.pg_dist_schema d
        join pg_catalog.pg_namespace n on n.oid = d.schemaid
        where n.nspname = ${schema}::name) as present`,
  );
  return shardRow?.present === true;
}

/** Whether schemas that this transaction makes become shards; without Citus it is all the same. */
export async function shardSchemas(tx: Queryable, wanted: 'on' | 'off'): Promise<void> {
  await runOnce(tx, sql`select set_config(${SHARDING}, ${wanted}, true) where ${CITUS}`);
}

/** Where a shard is, and what its tables take there. */
export interface ShardPlace {
  /** `host:port` of a server. */
  readonly place: string;
  readonly bytes: number;
}

/** The place of each schema that is a shard; undefined without Citus. */
export async function loadPlaces(
  db: Queryable,
): Promise<ReadonlyMap<string, ShardPlace> | undefined> {
  if (!(await hasCitus(db))) return undefined;
  const rows = await runOnce(
    db,
    sql`select n.nspname::text as schema, sum(s.shard_size) as bytes,
        string_agg(distinct s.nodename || ':' || s.nodeport, ', ') as place
      from pg_catalog.citus_shards s
      join pg_catalog.pg_class c on c.oid = s.table_name
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where s.citus_table_type = 'schema' group by n.nspname`,
  );
  return new Map(
    rows.map(({ schema, place, bytes }) => [
      String(schema),
      { place: String(place), bytes: Number(bytes) },
    ]),
  );
}

/** A server that workspaces may be on. */
export interface ShardServer {
  readonly host: string;
  readonly port: number;
  /** `host:port`. */
  readonly place: string;
}

/** Only with Citus. */
export async function loadServers(db: Queryable): Promise<readonly ShardServer[]> {
  const rows = await runOnce(
    db,
    sql`select nodename as host, nodeport as port, nodename || ':' || nodeport as place
      from pg_catalog.pg_dist_node
      where isactive and shouldhaveshards and noderole = 'primary' order by nodename, nodeport`,
  );
  return rows.map(({ host, port, place }) => ({
    host: String(host),
    port: Number(port),
    place: String(place),
  }));
}

/** Moves a schema that is a shard, while it is written to. */
export function moveShardSql(schema: string, { host, port }: ShardServer): Sql {
  return sql`select pg_catalog.citus_schema_move(
      ${schema}::text::regnamespace, ${host}::text, ${port}::integer)`;
}

/** Whether the last move of a schema has left tables on its previous server: Citus removes them within some seconds. */
export async function hasLeftBehind(db: Queryable, schema: string): Promise<boolean> {
  const [cleanupRow] = await runOnce(
    db,
    sql`select exists (select from pg_catalog.pg_dist_cleanup
        where starts_with(object_name, quote_ident(${schema}::text) || '.')) as present`,
  );
  return cleanupRow?.present === true;
}
