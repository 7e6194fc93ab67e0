// Reads of a workspace on its node of Citus, asked of the tables of its shard themselves: Citus plans a statement over
// its own tables twice each time, while one over those of a shard is planned once and kept (docs/design/storage.md, D356).

import { LRUCache } from 'lru-cache';
import { type Sql, type Statement, sql, toStatement } from '../sql/sql.ts';
import { type Database, isDatabaseError, type QueryOptions, type Row, type Server } from './db.ts';
import { runOnce } from './run-once.ts';

/** The shard of a schema: it has the same names on whichever node it is. */
interface Shard {
  /** One of its tables, for all of them are on the same node. */
  readonly id: string;
  /** Qualified names of its tables, by the names of those that Citus shows. */
  readonly tables: ReadonlyMap<string, string>;
}

/** The text of a statement with the names of its shard. */
interface NamedText {
  readonly shard: Shard;
  readonly text: string;
}

/** Kept for each node: schemas, and texts of some kilobytes each. */
const SCHEMAS = 5000;
const TEXTS = 5000;

/** The database of a node, which reads from shards where they are there. */
export function readFromShards(node: Server): Database {
  const shards = new LRUCache<string, Shard>({ max: SCHEMAS });
  const texts = new LRUCache<string, NamedText>({ max: TEXTS });
  const asking = new Set<string>();

  /** Until that is answered, statements take the way that always works. */
  function askFor(schema: string): void {
    if (asking.has(schema)) return;
    asking.add(schema);
    void loadShard(node, schema)
      .then((shard) => shard !== undefined && shards.set(schema, shard))
      .catch(() => undefined)
      .finally(() => asking.delete(schema));
  }

  async function readDirectly(
    schema: string,
    statement: Statement,
    options: QueryOptions,
  ): Promise<readonly Row[] | undefined> {
    const shard = shards.get(schema);
    const text = shard && textFor(schema, shard, statement.text);
    if (shard === undefined || text === undefined) {
      askFor(schema);
      return undefined;
    }
    const isHere = toStatement(isHereSql(shard.id));
    try {
      const [rows, [place] = []] = await node.queryAll([{ ...statement, text }, isHere], options);
      if (place?.is_here === true) return rows;
    } catch (error) {
      if (!isDatabaseError(error) || error.code !== UNDEFINED_TABLE) throw error;
    }
    // It was moved, or its tables are others by now.
    shards.delete(schema);
    return undefined;
  }

  /** Texts are kept, for they are long and come again. */
  function textFor(schema: string, shard: Shard, text: string): string | undefined {
    const kept = texts.get(text);
    if (kept?.shard === shard) return kept.text;
    const named = nameShards(text, schema, shard.tables);
    if (named !== undefined) texts.set(text, { shard, text: named });
    return named;
  }

  return {
    ...node,
    async query(statement, options = {}) {
      const { reads } = options;
      const rows = reads === undefined ? undefined : await readDirectly(reads, statement, options);
      return rows ?? node.query(statement, options);
    },
  };
}

/** SQLSTATE of a statement that names a table that is not there. */
const UNDEFINED_TABLE = '42P01';

/**
 * The text with the names of shards in the place of those of the tables of a schema, as `identifier` prints them: none of
 * them has a quote in it. Undefined where a table is named that the shard does not have.
 */
export function nameShards(
  text: string,
  schema: string,
  tables: ReadonlyMap<string, string>,
): string | undefined {
  let isWhole = true;
  const named = text.replace(new RegExp(`"${schema}"\\."([^"]+)"`, 'g'), (_, table: string) => {
    const name = tables.get(table);
    isWhole &&= name !== undefined;
    return name ?? '';
  });
  return isWhole ? named : undefined;
}

async function loadShard(node: Server, schema: string): Promise<Shard | undefined> {
  const rows = await runOnce(
    node,
    sql`select h.shardid::text as id, c.relname::text as name,
        pg_catalog.shard_name(h.logicalrelid, h.shardid) as shard
      from pg_catalog.pg_namespace s
      join pg_catalog.pg_dist_schema d on d.schemaid = s.oid
      join pg_catalog.pg_dist_partition p on p.colocationid = d.colocationid
      join pg_catalog.pg_dist_shard h on h.logicalrelid = p.logicalrelid
      join pg_catalog.pg_class c on c.oid = h.logicalrelid
      where s.nspname = ${schema}::name`,
  );
  const [first] = rows;
  if (first === undefined) return undefined;
  const tables = new Map(rows.map(({ name, shard }) => [String(name), String(shard)]));
  return { id: String(first.id), tables };
}

/**
 * Asked behind a read, in the same message: when the shard is on this node then, the read has seen all of it. A node that
 * it has left keeps the tables for a while, without what is written since.
 */
function isHereSql(id: string): Sql {
  return sql`select exists (select from pg_catalog.pg_dist_placement p
      join pg_catalog.pg_dist_local_group g on g.groupid = p.groupid
      where p.shardid = ${id}::bigint) as is_here`;
}
