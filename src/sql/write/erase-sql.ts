// The statements of an erasure: counting and removing the rows of a service table that have something of a record, the
// record itself, and its last audit row. Each names tables of one workspace only. Pure text.

import type { ObjectModel, WorkspaceModel } from '../../model/definition/model.ts';
import { identifier, type Sql, sql } from '../sql.ts';

/** A record to erase; it may exist, be in the trash, or be gone. */
export interface ErasedRecord {
  readonly model: WorkspaceModel;
  readonly object: ObjectModel;
  readonly id: string;
}

/** Rows of a table, as `l`. */
export interface ErasedRows {
  readonly table: Sql;
  readonly where: Sql;
}

export function countRowsSql({ table, where }: ErasedRows): Sql {
  return sql`select count(*)::integer as rows from ${table} l where ${where}`;
}

export function eraseRowsSql({ table, where }: ErasedRows): Sql {
  return sql`delete from ${table} l where ${where}`;
}

/** Empties columns and leaves the rows. */
export function emptyRowsSql({ table, where }: ErasedRows, set: Sql): Sql {
  return sql`update ${table} l set ${set} where ${where}`;
}

/** True of the row of the record while it exists. */
export function liveRecordSql({ model: { schema }, object, id }: ErasedRecord): Sql {
  return sql`select count(*)::integer as rows from ${identifier(schema, object.table)} t where t.id = ${id}::uuid`;
}

/** Rows of a table whose rows name object type and record. */
export function rowsOfRecord(
  table: string,
  { model: { schema }, object, id }: ErasedRecord,
): ErasedRows {
  return {
    table: identifier(schema, table),
    where: sql`l.record_id = ${id}::uuid and l.object_type = ${object.object_type}::text`,
  };
}

/** A record by the name of its table, which a rename leaves as it is. */
interface StoredRecord {
  readonly table: string;
  readonly id: string;
}

/** The ids of these records, and of those that were merged into them: they are the same thing. */
function sameIds(schema: string, records: readonly StoredRecord[]): Sql {
  const [tables, ids] = [records.map(({ table }) => table), records.map(({ id }) => id)];
  return sql`with recursive same(table_name, id) as (
        select r.name collate "C", r.id from unnest(${tables}::text[], ${ids}::uuid[]) r(name, id)
        union select m.table_name, m.record_id from ${identifier(schema, '_merged')} m
          join same s on m.into_id = s.id and m.table_name = s.table_name
      ) select id from same`;
}

/** The ids of the record, and of those that were merged into it. */
export function sameAs({ model: { schema }, object: { table }, id }: ErasedRecord): Sql {
  return sameIds(schema, [{ table, id }]);
}

/** Rows of a table whose rows name the table of the record, also those of records that were merged into it. */
export function rowsOfTable(table: string, record: ErasedRecord): ErasedRows {
  return {
    table: identifier(record.model.schema, table),
    where: sql`l.table_name = ${record.object.table}::text and l.record_id in (${sameAs(record)})`,
  };
}

/**
 * The rows of a record in the search index, also under a name that the object had before. Objects may share ids (D590).
 */
export function searchRowsOf({ model, object, id }: ErasedRecord): ErasedRows {
  const others = [...model.objects.values()].filter((other) => other !== object);
  const names = others.map(({ search_name }) => search_name);
  return {
    table: identifier(model.schema, '_search'),
    where: sql`l.record_id = ${id}::uuid and not split_part(l.source, '.', 1) = any(${names}::text[])`,
  };
}

/** Stored answers that have something of the record or of its files; an erased one is `null`. */
export function answersOf(record: ErasedRecord): ErasedRows {
  const { table, where } = rowsOfTable('_files', record);
  const files = sql`select l.id::text from ${table} l where ${where}`;
  return answersWith(
    record.model.schema,
    sql`l.record_ids && array(${sameAs(record)})
      or l.record_ids = '{}' and l.body #>> '{data,id}' in (${files})`,
  );
}

/** Stored answers to requests that sent files for imports, or started imports: they name the files. */
export function answersWithFiles(schema: string): ErasedRows {
  return answersWith(
    schema,
    sql`l.record_ids = '{}'
      and (l.body #> '{data,bytes}' is not null or l.body #>> '{data,kind}' = 'import')`,
  );
}

function answersWith(schema: string, condition: Sql): ErasedRows {
  return {
    table: identifier(schema, '_idempotency'),
    where: sql`(${condition}) and l.body::text <> 'null'`,
  };
}

/** An erased answer: its key stays, so that a repeated request does not write again. */
export const EMPTY_ANSWER = sql`body = 'null'::json, etag = null`;

/** Answers of webhook receivers to events of these records. */
export function deliveriesOf(schema: string, records: readonly StoredRecord[]): ErasedRows {
  return {
    table: identifier(schema, '_webhook_deliveries'),
    where: sql`l.record_id in (${sameIds(schema, records)}) and l.answer is not null`,
  };
}

/** The comments that are kept with the record in the trash. */
export function trashedCommentsSql(record: ErasedRecord): Sql {
  const { table, where } = rowsOfTable('_trash', record);
  return sql`select coalesce(sum(jsonb_array_length(l.comments)), 0)::integer as rows
    from ${table} l where ${where} and l.comments is not null`;
}

/** The links that are kept with the record in the trash. */
export function trashedLinksSql(record: ErasedRecord): Sql {
  const { table, where } = rowsOfTable('_trash', record);
  return sql`select coalesce(sum(jsonb_array_length(l.links)), 0)::integer as rows
    from ${table} l where ${where} and l.links is not null`;
}

/**
 * The last counter of the record, and the person it belonged to when it was deleted, as far as the audit has them, also
 * under a name that the object had before. Objects may share ids (D590).
 */
export function lastStateSql({ model: { schema, objects }, object, id }: ErasedRecord): Sql {
  const audit = identifier(schema, '_audit');
  const others = [...objects.keys()].filter((type) => type !== object.object_type);
  return sql`select coalesce(max(a.revision), 0) as revision,
      (select d.reach_user_id from ${audit} d where d.record_id = ${id}::uuid and d.action in ('delete', 'merge')
        and not d.object_type = any(${others}::text[]) order by d.id desc limit 1) as reach_user_id
    from ${audit} a where a.record_id = ${id}::uuid`;
}

/** Words of the search index behind a word, in their order. */
export function wordsSql(schema: string, after: string, limit: number): Sql {
  return sql`select distinct w.word from ${identifier(schema, '_search_words')} w where w.word > ${after}::text
    order by w.word limit ${limit}::integer`;
}

/** The words among these that no text has. */
export function unusedWords(schema: string, words: readonly string[]): ErasedRows {
  const used = (place: Sql) => sql`exists (select from ${identifier(schema, '_search')} s
      where ${place} and s.text >= l.word and s.text < l.word || '!')`;
  return {
    table: identifier(schema, '_search_words'),
    where: sql`l.word = any(${words}::text[]) and not ${used(sql`s.place = 0`)} and not ${used(sql`s.place > 0`)}`,
  };
}

/** Webhooks that may have deliveries under way. */
export function sendingWebhooks(schema: string): ErasedRows {
  return {
    table: identifier(schema, '_webhooks'),
    where: sql`l.state in ('active', 'failing') or l.stopped_at > now() - interval '1 minute'`,
  };
}
