// The statements of the history of records: the values that changes replace, kept with the change, deleted with the
// record, and read by page or for a restore (docs/design/history.md). Pure text.

import type { ObjectModel } from '../../model/definition/model.ts';
import { reachColumn } from '../../model/rights/access.ts';
import { END_OF_SPANS, type KeySpan } from '../../plan/read/key-spans.ts';
import type { ReadPlan } from '../../plan/read/read-plan.ts';
import { columnsSql } from '../read/read-sql.ts';
import { allOf, selectionSql } from '../read/where-sql.ts';
import { EMPTY, identifier, type Sql, sql } from '../sql.ts';
import { insertMadeSql } from '../write/insert-sql.ts';
import type { Actor, DefinitionRevision } from './audit-sql.ts';

type Values = Readonly<Record<string, unknown>>;

/** The values that one change of a record has replaced, by the key of the field. */
export interface HistoryEntry {
  readonly actor: Actor;
  readonly object: Pick<ObjectModel, 'table'>;
  readonly record_id: string;
  readonly revision: number;
  readonly action: string;
  readonly old: Values;
  readonly now: Values;
}

const COLUMNS = sql`table_name, record_id, revision, definition, action, user_id, source, fields, old_values, new_values`;

/** Rows that were left of another record with the same id are replaced. */
const REPLACE = sql`on conflict (record_id, table_name, revision) do update set definition = excluded.definition,
      at = excluded.at, action = excluded.action, user_id = excluded.user_id, source = excluded.source,
      fields = excluded.fields, old_values = excluded.old_values, new_values = excluded.new_values`;

/** Keep the values that these changes replace. */
export function keepValuesSql(
  { schema, revision: definition }: DefinitionRevision,
  entries: readonly HistoryEntry[],
): Sql {
  const rows = entries.map(({ actor, object, record_id, revision, action, old, now }) => ({
    ...{ table_name: object.table, record_id, revision, action, user_id: actor.user_id },
    ...{ source: sourceOf(actor), fields: Object.keys(old), old_values: old, new_values: now },
  }));
  return sql`insert into ${identifier(schema, '_history')} (${COLUMNS})
    select r.table_name, r.record_id, r.revision, ${definition}::integer, r.action, r.user_id, r.source, r.fields,
      r.old_values, r.new_values
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(table_name text, record_id uuid, revision integer,
      action text, user_id integer, source text, fields text[], old_values json, new_values json)
    ${REPLACE}`;
}

/**
 * Keeps the references that lose their target and become null, or lead to the record `into`: `source` has `record_id`,
 * `revision`, `fields`, `old_values`.
 */
export function keepReferencesSql(
  { schema, revision: definition }: DefinitionRevision,
  {
    actor,
    object,
    into,
  }: Pick<HistoryEntry, 'actor' | 'object'> & { readonly into: string | null },
  source: Sql,
): Sql {
  const rows = sql`select ${object.table}::text, r.record_id, r.revision, ${definition}::integer, 'update', ${actor.user_id}::integer,
      ${sourceOf(actor)}::text, r.fields, r.old_values,
      (select json_object_agg(k, ${into}::text) from unnest(r.fields) k)
    from (${source}) r`;
  return insertMadeSql({ schema, table: '_history', columns: COLUMNS, rows, conflict: REPLACE });
}

/** The source as events name it. */
function sourceOf({ source, session_id }: Actor): string {
  return source === 'api' && session_id !== null ? 'application' : source;
}

/** Delete the history of records that are deleted for good. */
export function forgetRecordsSql(
  schema: string,
  { table }: Pick<ObjectModel, 'table'>,
  ids: readonly string[],
): Sql {
  return sql`delete from ${identifier(schema, '_history')}
    where record_id = any(${ids}::uuid[]) and table_name = ${table}::text`;
}

export interface HistoryPagePlan {
  /** Selects the record. */
  readonly source: ReadPlan;
  /** The names of the fields that are shown. */
  readonly spans: readonly KeySpan[];
  /** Only revisions before this one. */
  readonly before: number;
  readonly limit: number;
  /** Bytes of values, after which the page ends. */
  readonly bytes: number;
}

/**
 * One page, the last revision first, joined to the record: a single row of nulls when it has no history, no row at all
 * when the caller cannot find it. Values that are not shown are neither read nor counted.
 */
export function historySql({ source, spans, before, limit, bytes }: HistoryPagePlan): Sql {
  const { schema, object } = source;
  return sql`${spansSql(spans)}
    select h.*
    from (select t.id from ${identifier(schema, object.table)} t where ${allOf(selectionSql(source))}) t
    left join lateral (
      select m.* from (
        select p.*, row_number() over w as place, lead(p.revision) over w is not null as more,
          sum(octet_length(p.changes::text)) over w - octet_length(p.changes::text) as earlier
        from (
          select h.revision, h.at, h.user_id, h.source, h.action, (${changesSql}) as changes
          from ${ofRecord(schema, object)} and h.revision < ${before}::integer and ${shownSql(spans)}
          order by h.revision desc limit ${limit + 1}::integer
        ) p
        window w as (order by p.revision desc)
      ) m where m.place <= ${limit}::integer and m.earlier <= ${bytes}::bigint
    ) h on true
    order by h.revision desc`;
}

/** The names of fields by definition: `field` is the present key of the one that was `key`. */
function spansSql(spans: readonly KeySpan[]): Sql {
  return sql`with spans as (
      select * from unnest(${spans.map(({ field }) => field)}::text[], ${spans.map(({ key }) => key)}::text[],
        ${spans.map(({ first }) => first)}::integer[], ${spans.map(({ until }) => until)}::integer[])
        with ordinality as s(field, key, first, until, place))`;
}

const isOfSpan = sql`s.key = any(h.fields) and h.definition >= s.first and h.definition < s.until`;

const changesSql = sql`select json_agg(json_build_object('field', s.field, 'old', h.old_values -> s.key,
            'new', h.new_values -> s.key) order by s.place) from spans s where ${isOfSpan}`;

/** Most objects have had no other names: comparing the keys is enough, and ten times as fast. */
function shownSql(spans: readonly KeySpan[]): Sql {
  const named = sql`h.fields && ${spans.map(({ key }) => key)}::text[]`;
  const isAlwaysOne = spans.every(({ first, until }) => first === 0 && until === END_OF_SPANS);
  return isAlwaysOne ? named : sql`${named} and exists (select from spans s where ${isOfSpan})`;
}

function ofRecord(schema: string, { table }: ObjectModel): Sql {
  return sql`${identifier(schema, '_history')} h where h.record_id = t.id and h.table_name = ${table}::text`;
}

/** The columns of `keptValuesSql` besides those of the record; no field has such names. */
export const KEPT = Object.freeze({
  owner: '_owner',
  /** Whether the record was changed to this revision, as far as the history goes back. */
  reached: '_reached',
  /** The revision of the next change, and the definition that it was made by; a restore follows its delete. */
  next: '_next',
  definition: '_definition',
  /** `[field, revision, value]`: the first change of the field behind the revision, for each name that it had. */
  values: '_values',
});

/** The record as the plan selects it, with the values that its fields had at a revision. */
export function keptValuesSql(source: ReadPlan, spans: readonly KeySpan[], revision: number): Sql {
  const { schema, object } = source;
  const later = sql`${ofRecord(schema, object)} and h.revision > ${revision}::integer`;
  const first = sql`order by h.revision limit 1`;
  return sql`${spansSql(spans)}
    select ${columnsSql(source)}, t.${identifier(reachColumn(object))} as ${identifier(KEPT.owner)},
      exists (select from ${ofRecord(schema, object)} and h.revision = ${revision}::integer)
        as ${identifier(KEPT.reached)},
      (select h.revision - (h.action = 'restore')::integer from ${later} ${first}) as ${identifier(KEPT.next)},
      (select h.definition from ${later} ${first}) as ${identifier(KEPT.definition)},
      (select json_agg(json_build_array(s.field, k.revision, k.value)) from spans s cross join lateral (
        select h.revision, h.old_values -> s.key as value from ${later} and ${isOfSpan} ${first}
      ) k) as ${identifier(KEPT.values)}
    from ${identifier(schema, object.table)} t where ${allOf(selectionSql(source))}`;
}

/** The tables that have rows, found one by one in the index. */
export function historyTablesSql(schema: string): Sql {
  const history = identifier(schema, '_history');
  const next = (after: Sql) =>
    sql`(select h.table_name from ${history} h${after} order by h.table_name limit 1)`;
  return sql`with recursive found(table_name) as (
      select ${next(EMPTY)}
      union all select ${next(sql` where h.table_name > f.table_name`)} from found f
      where f.table_name is not null)
    select table_name from found where table_name is not null`;
}
