// A double of the extension Citus, of which there is no package for the tests: an extension of its name that notes
// which schemas become shards, reports where they are, and refuses triggers on their tables, as Citus does. It
// distributes nothing over servers.

import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { openDatabase } from '../../src/postgres/open-server.ts';
import { identifier, literal, sql, toStatement } from '../../src/sql/sql.ts';
import type { OwnDatabase } from '../own-database.ts';

/** Since PostgreSQL 18 a server can have a folder with extensions in its settings. */
const LEAST_VERSION = 180_000;

const CONTROL = `comment = 'stands in for Citus'
default_version = '1.0'
relocatable = false
`;

const SCRIPT = `
create schema citus;
create table citus.shards (
  schema_name name primary key, node integer not null generated always as identity);

create function citus.shard_schema() returns event_trigger language plpgsql as $$
begin
  if current_setting('citus.enable_schema_based_sharding', true) = 'on' then
    insert into citus.shards (schema_name) select n.nspname from pg_event_trigger_ddl_commands() d
      join pg_namespace n on n.oid = d.objid where d.object_type = 'schema';
  end if;
end $$;

create function citus.forget_schema() returns event_trigger language plpgsql as $$
begin
  delete from citus.shards s using pg_event_trigger_dropped_objects() d
    where d.object_type = 'schema' and d.object_name = s.schema_name;
end $$;

create function citus.refuse_trigger() returns event_trigger language plpgsql as $$
begin
  if exists (select from pg_event_trigger_ddl_commands() d join pg_trigger t on t.oid = d.objid
      join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
      join citus.shards s on s.schema_name = n.nspname where d.object_type = 'trigger') then
    raise exception 'triggers are not supported on distributed tables';
  end if;
end $$;

create event trigger citus_shard_schema on ddl_command_end when tag in ('CREATE SCHEMA')
  execute function citus.shard_schema();
create event trigger citus_forget_schema on sql_drop when tag in ('DROP SCHEMA')
  execute function citus.forget_schema();
create event trigger citus_refuse_trigger on ddl_command_end when tag in ('CREATE TRIGGER')
  execute function citus.refuse_trigger();

create view citus.citus_shards as
  select c.oid::regclass as table_name, 102008 + c.oid::bigint as shardid,
    'schema'::text as citus_table_type, 'worker-' || s.node as nodename, 5432 as nodeport,
    pg_total_relation_size(c.oid) as shard_size
  from citus.shards s join pg_namespace n on n.nspname = s.schema_name
  join pg_class c on c.relnamespace = n.oid and c.relkind = 'r';
alter view citus.citus_shards set schema pg_catalog;

create view citus.pg_dist_schema as
  select n.oid as schemaid from citus.shards s join pg_namespace n on n.nspname = s.schema_name;
alter view citus.pg_dist_schema set schema pg_catalog;

create function citus.citus_relation_size(regclass) returns bigint language plpgsql as $$
begin
  if not exists (select from pg_class c join pg_dist_schema d on d.schemaid = c.relnamespace
      where c.oid = $1) then
    raise exception 'cannot calculate the size because relation % is not distributed', $1;
  end if;
  return pg_relation_size($1);
end $$;
alter function citus.citus_relation_size(regclass) set schema pg_catalog;
`;

/** Why the server of the tests cannot have it; undefined when it can. */
export async function whyNoStandIn(): Promise<string | undefined> {
  if (process.env.TEST_DATABASE_URL !== undefined) return 'the server may not be on this machine';
  const db = openDatabase({ connection: inject('postgres'), poolSize: 1, statementTimeout: 0 });
  try {
    const text = `select current_setting('server_version_num')::integer as version`;
    const [row] = await db.query({ text, values: [] });
    if (Number(row?.version) < LEAST_VERSION) return 'it takes PostgreSQL 18';
  } finally {
    await db.close();
  }
  return undefined;
}

/**
 * Make the extension in a database without connections. Schemas become shards unless the caller prevents it: so it
 * shows which do.
 */
export async function installStandIn({ connection }: OwnDatabase): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'citus-stand-in-'));
  const db = openDatabase({ connection, poolSize: 1, statementTimeout: 0 });
  const run = (statement: ReturnType<typeof sql>) =>
    db.query(toStatement(statement), { prepare: false });
  try {
    chmodSync(folder, 0o755); // the server may run as another user
    mkdirSync(join(folder, 'extension'));
    writeFileSync(join(folder, 'extension', 'citus.control'), CONTROL);
    writeFileSync(join(folder, 'extension', 'citus--1.0.sql'), SCRIPT);
    await run(sql`set extension_control_path = ${literal(folder)}`);
    await run(sql`create extension citus`);
    const name = identifier(String(connection.database));
    await run(sql`alter database ${name} set citus.enable_schema_based_sharding = on`);
  } finally {
    await db.close();
    rmSync(folder, { recursive: true });
  }
}
