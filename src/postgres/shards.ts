// Statements of a workspace on its node of Citus, over the tables of its shard themselves: Citus plans a statement over
// its own tables twice each time, while one over those of a shard is planned once and kept (docs/design/storage.md, D356,
// D362).

import { LRUCache } from 'lru-cache';
import {
  CONTROL_SCHEMA,
  identifier,
  type Sql,
  type Statement,
  sql,
  toStatement,
} from '../sql/sql.ts';
import {
  type Database,
  isDatabaseError,
  type QueryOptions,
  type Row,
  type Server,
  type Transaction,
} from './db.ts';
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

/** The known shards of a node. */
interface Shards {
  /** Undefined when there is none, or the node does not say. */
  find(schema: string): Promise<Shard | undefined>;
  forget(schema: string): void;
  /**
   * The text with the names of the shard. Undefined where it names a table that the shard does not have: one that was
   * added since, so that the next `find` loads the tables again.
   */
  nameIn(schema: string, shard: Shard, text: string): string | undefined;
}

function openKnownShards(node: Server): Shards {
  const shards = new LRUCache<string, Shard>({ max: SCHEMAS });
  const texts = new LRUCache<string, NamedText>({ max: TEXTS });
  const asking = new Map<string, Promise<Shard | undefined>>();

  function askFor(schema: string): Promise<Shard | undefined> {
    const loading = loadShard(node, schema)
      .then((shard) => {
        if (shard !== undefined) shards.set(schema, shard);
        return shard;
      })
      .catch(() => undefined)
      .finally(() => asking.delete(schema));
    asking.set(schema, loading);
    return loading;
  }

  return {
    find: async (schema) => shards.get(schema) ?? asking.get(schema) ?? askFor(schema),
    // It was moved, or its tables are others now.
    forget: (schema) => void shards.delete(schema),
    // Texts are kept, for they are long and come again.
    nameIn(schema, shard, text) {
      const kept = texts.get(text);
      if (kept?.shard === shard) return kept.text;
      const named = nameShards(text, schema, shard.tables);
      if (named !== undefined) texts.set(text, { shard, text: named });
      else shards.delete(schema);
      return named;
    },
  };
}

/** The database of a node, which reads and writes shards where they are there. */
export function openShards(node: Server): Database {
  const shards = openKnownShards(node);
  return {
    ...node,
    async query(statement, options = {}) {
      const { reads } = options;
      const rows =
        reads === undefined
          ? undefined
          : await readFrom({ node, shards }, reads, statement, options);
      return rows ?? node.query(statement, options);
    },
    async transaction(work, options = {}) {
      const { writes } = options;
      const shard = writes === undefined ? undefined : await shards.find(writes);
      if (writes === undefined || shard === undefined) return node.transaction(work, options);
      // Text that names another table stays as it is.
      const name = ({ text, values }: Statement) => ({
        text: shards.nameIn(writes, shard, text) ?? text,
        values,
      });
      const opening = toStatement(enterSql(writes, shard));
      try {
        return await node.transaction((tx) => work(rename(tx, name)), { ...options, opening });
      } catch (error) {
        if (!isAbsence(error)) throw error;
        shards.forget(writes);
        return node.transaction(work, options);
      }
    },
  };
}

/** Undefined when it has to go the ordinary way. */
async function readFrom(
  { node, shards }: { readonly node: Server; readonly shards: Shards },
  schema: string,
  statement: Statement,
  options: QueryOptions,
): Promise<readonly Row[] | undefined> {
  const shard = await shards.find(schema);
  const text = shard && shards.nameIn(schema, shard, statement.text);
  if (shard === undefined || text === undefined) return undefined;
  const isHere = toStatement(isHereSql(shard.id));
  try {
    const [rows, [place] = []] = await node.queryAll([{ ...statement, text }, isHere], options);
    if (place?.is_here === true) return rows;
  } catch (error) {
    if (!isAbsence(error)) throw error;
  }
  shards.forget(schema);
  return undefined;
}

function rename(tx: Transaction, name: (statement: Statement) => Statement): Transaction {
  return {
    query: (statement, options) => tx.query(name(statement), options),
    queryAll: (statements, options) => tx.queryAll(statements.map(name), options),
    finish: (statements) => tx.finish(statements.map(name)),
  };
}

/** SQLSTATEs of a statement that names a table that is not there, and of `enterSql`. */
const ABSENT: ReadonlySet<unknown> = new Set(['42P01', 'WR003']);

function isAbsence(error: unknown): boolean {
  return isDatabaseError(error) && ABSENT.has(error.code);
}

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
  const renamedText = text.replace(
    new RegExp(`"${schema}"\\."([^"]+)"`, 'g'),
    (_, table: string) => {
      const name = tables.get(table);
      isWhole &&= name !== undefined;
      return name ?? '';
    },
  );
  return isWhole ? renamedText : undefined;
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
 * Sent after a read, in the same message: when the shard is on this node then, the read has seen all of it. After a
 * move the previous node keeps the tables for a while, without later writes.
 */
function isHereSql(id: string): Sql {
  return sql`select exists (select from pg_catalog.pg_dist_placement p
      join pg_catalog.pg_dist_local_group g on g.groupid = p.groupid
      where p.shardid = ${id}::bigint) as is_here`;
}

const ENTER = identifier(CONTROL_SCHEMA, 'enter_shard');

/** Blocks moves of the shard until the transaction ends; fails when it is not on this node. */
function enterSql(schema: string, { id }: Shard): Sql {
  return sql`select ${ENTER}(${schema}::text, ${id}::bigint)`;
}
