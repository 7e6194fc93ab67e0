// The statements that merge records into another one, and that undo it (docs/design/merge.md). What belongs to the
// merged records is put into the trash first, then goes over; the rest is deleted with them. Pure text.

import type { Field, ObjectModel } from '../../model/definition/model.ts';
import type { Referrer } from '../../plan/write/referrers.ts';
import type { TrashedLink } from '../../plan/write/restore-question.ts';
import type { DefinitionRevision } from '../events/audit-sql.ts';
import { EMPTY, identifier, joinSql, type Sql, sql } from '../sql.ts';
import { referencesSql, removedSql } from './delete-sql.ts';
import type { Attached, Deleted } from './deleted-records.ts';
import { linksOfSql } from './link-sql.ts';
import { trashSql } from './trash-sql.ts';

/** Records to merge; `attached.cleared` has all references to them, which lead to the other record afterwards. */
export interface Merged extends Deleted {
  readonly attached: Attached;
  readonly merge: MergeState;
}

/** The merge, for the trash, besides the parts that went over. */
export interface MergeState {
  readonly id: string;
  /** The record that the others become. */
  readonly into: string;
  /** The values that it had before and has after the merge, by the place of the field. */
  readonly replaced: Readonly<Record<string, readonly [before: unknown, after: unknown]>>;
}

/** Every record is locked. */
export function mergeSql(definition: DefinitionRevision, merged: Merged): readonly Sql[] {
  const { schema } = definition;
  const { attached, merge } = merged;
  const { trash, linked, requested, cleared } = attached;
  return [
    ...(trash === null ? [] : [trashSql(schema, merged, attached, trash.days)]),
    ...(trash === null ? [] : [noteSql(schema, merged, requested)]),
    mergedSql(schema, merged),
    ...(linked ? [betweenSql(schema, merged), linksOverSql(schema, merged)] : []),
    moveSql(schema, '_comments', merged),
    followsOverSql(schema, merged),
    ...(requested ? [requestsOverSql(schema, merged)] : []),
    moveSql(
      schema,
      '_notifications',
      merged,
      sql` and (l.comment_id is not null or exists (select from ${identifier(schema, '_status_requests')} q
        where q.id = l.status_request_id and q.record_id = ${merge.into}::uuid))`,
    ),
    ...referencesSql(definition, merged, cleared, merge.into),
    ...removedSql(definition, merged, { ...attached, cleared: [] }),
  ];
}

/** Write the merge beside the records in the trash, with the requests that they have now. */
function noteSql(schema: string, merged: Merged, requested: boolean): Sql {
  const { object, ids, merge } = merged;
  const requests = sql`(select coalesce(jsonb_agg(jsonb_build_object('id', q.id, 'revision', q.record_revision)), '[]')
        from ${identifier(schema, '_status_requests')} q
        where q.record_id = d.record_id and q.object_type = ${object.object_type}::text)`;
  return sql`update ${identifier(schema, '_trash')} d set merged = ${JSON.stringify(merge)}::jsonb
        || jsonb_build_object('requests', ${requested ? requests : sql`'[]'::jsonb`})
    where d.table_name = ${object.table}::text and d.record_id = any(${ids}::uuid[])`;
}

function mergedSql(schema: string, { object, ids, merge }: Merged): Sql {
  return sql`insert into ${identifier(schema, '_merged')} (table_name, record_id, into_id)
    select ${object.table}::text, m.id, ${merge.into}::uuid from unnest(${ids}::uuid[]) as m(id)
    on conflict (record_id, table_name) do update set into_id = excluded.into_id, merged_at = now()`;
}

/** Put what went over beside the merge in the trash; without a trash, only the change is made. */
function keptSql(schema: string, merged: Merged, key: string, change: Sql): Sql {
  const { object, ids, attached } = merged;
  if (attached.trash === null) return change;
  return sql`with moved as (${change})
    update ${identifier(schema, '_trash')} d
    set merged = d.merged || jsonb_build_object(${key}::text, (select jsonb_agg(to_jsonb(m.*)) from moved m))
    where d.table_name = ${object.table}::text and d.record_id = any(${ids}::uuid[])`;
}

/** Links between the records themselves end. */
function betweenSql(schema: string, { object, ids, merge }: Merged): Sql {
  const all = [...ids, merge.into];
  const keys = object.relationships.flatMap(({ via, object_type }) =>
    via.kind === 'link' && object_type === object.object_type ? [via.key] : [],
  );
  return sql`delete from ${identifier(schema, '_links')} l where l.relationship = any(${keys}::text[])
    and l.from_id = any(${all}::uuid[]) and l.to_id = any(${all}::uuid[])`;
}

/**
 * Links lead from and to the other record, which keeps its own: a link that it has already, or that an end with one link
 * only has no room for, is deleted with the merged record. Of several the one of the first record goes over.
 */
function linksOverSql(schema: string, merged: Merged): Sql {
  const { object, ids, merge } = merged;
  const links = identifier(schema, '_links');
  const moved = (end: 'from' | 'to') => {
    const keys = object.relationships.flatMap(({ via }) =>
      via.kind === 'link' && (via.side === end || via.side === 'both') ? [via.key] : [],
    );
    const id = identifier(`${end}_id`);
    return sql`(l.${id} = any(${ids}::uuid[]) and l.relationship = any(${keys}::text[]))`;
  };
  const [from, to] = [moved('from'), moved('to')];
  const into = sql`${merge.into}::uuid`;
  return keptSql(
    schema,
    merged,
    'links',
    sql`update ${links} l set from_id = r.new_from, to_id = r.new_to
      from (
        select o.*,
          row_number() over (partition by o.relationship, o.new_from, o.new_to order by o.own, o.other) as same,
          row_number() over (partition by o.relationship, o.new_from order by o.own, o.other) as from_place,
          row_number() over (partition by o.relationship, o.new_to order by o.own, o.other) as to_place
        from (
          select l.relationship, l.from_id, l.to_id, l.from_one, l.to_one,
            case when ${from} then ${into} else l.from_id end as new_from,
            case when ${to} then ${into} else l.to_id end as new_to,
            case when ${from} then l.from_id else l.to_id end as own,
            case when ${from} then l.to_id else l.from_id end as other
          from ${links} l where ${linksOfSql(object, (id) => sql`${id} = any(${ids}::uuid[])`)}
        ) o
      ) r
      where l.relationship = r.relationship and l.from_id = r.from_id and l.to_id = r.to_id
        and r.same = 1 and (not r.from_one or r.from_place = 1) and (not r.to_one or r.to_place = 1)
        and not exists (select from ${links} e where e.relationship = r.relationship
          and ((e.from_id = r.new_from and e.to_id = r.new_to)
            or (r.from_one and e.from_id = ${into} and r.new_from = ${into})
            or (r.to_one and e.to_id = ${into} and r.new_to = ${into})))
      returning l.relationship, l.from_id, l.to_id`,
  );
}

function moveSql(schema: string, table: string, merged: Merged, condition: Sql = EMPTY): Sql {
  const { object, ids, merge } = merged;
  return sql`update ${identifier(schema, table)} l set record_id = ${merge.into}::uuid
    where l.record_id = any(${ids}::uuid[]) and l.object_type = ${object.object_type}::text${condition}`;
}

function followsOverSql(schema: string, merged: Merged): Sql {
  const { object, ids, merge } = merged;
  const follows = identifier(schema, '_follows');
  return keptSql(
    schema,
    merged,
    'follows',
    sql`insert into ${follows} (user_id, object_type, record_id, created_at)
      select f.user_id, f.object_type, ${merge.into}::uuid, min(f.created_at) from ${follows} f
      where f.record_id = any(${ids}::uuid[]) and f.object_type = ${object.object_type}::text
      group by f.user_id, f.object_type
      on conflict (record_id, user_id) do nothing returning user_id`,
  );
}

/**
 * Requests for moves go over, as made for a record before it had values: approvers see that it has changed. Of two
 * pending requests for one status the record keeps its own, or gets the first.
 */
function requestsOverSql(schema: string, { object, ids, merge }: Merged): Sql {
  const requests = identifier(schema, '_status_requests');
  const pending = sql`select q.to_status from ${requests} q
        where q.record_id = ${merge.into}::uuid and q.state = 'pending'`;
  return sql`update ${requests} r set record_id = ${merge.into}::uuid, record_revision = 0
    from (select q.id, q.state, q.to_status,
        row_number() over (partition by q.to_status, q.state order by q.requested_at, q.id) as place
      from ${requests} q where q.record_id = any(${ids}::uuid[]) and q.object_type = ${object.object_type}::text) o
    where r.id = o.id and (o.state <> 'pending' or o.place = 1 and not o.to_status in (${pending}))`;
}

/** Counts what would go over, at most one more than the limit of each kind. */
export function countMovedSql(
  schema: string,
  { object, ids }: Pick<Deleted, 'object' | 'ids'>,
  referrers: readonly Referrer[],
  most: number,
): Sql {
  const limit = sql` limit ${most + 1}::integer`;
  const isOne = (id: Sql) => sql`${id} = any(${ids}::uuid[])`;
  const counted = [
    ...referrers.map(
      (referrer) => sql`select t.id from ${identifier(schema, referrer.object.table)} t
        where ${isOne(sql`t.${identifier(referrer.field.column)}`)}${limit}`,
    ),
    sql`select l.to_id from ${identifier(schema, '_links')} l where ${linksOfSql(object, isOne)}${limit}`,
    sql`select c.id from ${identifier(schema, '_comments')} c where ${isOne(sql`c.record_id`)}${limit}`,
  ];
  const parts = counted.map((one) => sql`(select count(*) from (${one}) x)`);
  return sql`select ${joinSql(parts, ' + ')} as moved`;
}

/** Lock the records in the trash of the last merge into this one. */
export function lockMergedSql(schema: string, { table }: ObjectModel, into: string): Sql {
  const trash = identifier(schema, '_trash');
  const isMerged = (d: string) =>
    sql`${identifier(d)}.table_name = ${table}::text and ${identifier(d)}.merged ->> 'into' = ${into}::text
      and ${identifier(d)}.kept_until > now()`;
  return sql`select d.record_id, d.reach_user_id, d.merged from ${trash} d
    where ${isMerged('d')} and d.merged ->> 'id' = (select n.merged ->> 'id' from ${trash} n
      where ${isMerged('n')} order by n.deleted_at desc, n.merged ->> 'id' desc limit 1)
    order by d.record_id for update of d`;
}

/** Rows that an unmerge takes from the record: they came with the merged ones. */
export interface Unmerged {
  readonly object: ObjectModel;
  /** The records that come back. */
  readonly ids: readonly string[];
  readonly from: string;
  readonly follows: readonly number[];
  readonly links: readonly TrashedLink[];
}

/** Everything that went over and is still there goes back; restores of the records follow. */
export function unmergeSql(schema: string, unmerged: Unmerged): readonly Sql[] {
  const { object, ids, from, follows, links } = unmerged;
  const trashed = sql`${identifier(schema, '_trash')} d`;
  const isBack = sql`d.table_name = ${object.table}::text and d.record_id = any(${ids}::uuid[])`;
  const back = (table: string, set: Sql, rows: Sql, is: Sql) =>
    sql`update ${identifier(schema, table)} l set record_id = d.record_id${set} from ${trashed}
      cross join lateral ${rows} where ${isBack} and l.record_id = ${from}::uuid and ${is}`;
  const comments = sql`jsonb_to_recordset(d.comments) as c(id uuid)`;
  const requests = sql`jsonb_to_recordset(d.merged -> 'requests') as c(id uuid, revision integer)`;
  return [
    back('_notifications', EMPTY, comments, sql`l.comment_id = c.id`),
    back('_comments', EMPTY, comments, sql`l.id = c.id`),
    ...(object.gated
      ? [
          back('_notifications', EMPTY, requests, sql`l.status_request_id = c.id`),
          back('_status_requests', sql`, record_revision = c.revision`, requests, sql`l.id = c.id`),
        ]
      : []),
    sql`delete from ${identifier(schema, '_follows')} where record_id = ${from}::uuid
      and object_type = ${object.object_type}::text and user_id = any(${follows}::integer[])`,
    sql`delete from ${identifier(schema, '_links')} l using ${namedLinks(links)}`,
  ];
}

/** The links among these that exist. */
export function presentLinksSql(schema: string, links: readonly TrashedLink[]): Sql {
  return sql`select l.relationship, l.from_id, l.to_id
    from ${identifier(schema, '_links')} l cross join ${namedLinks(links)}`;
}

/** A source of these links, with the condition that `l` is one of them. */
function namedLinks(links: readonly TrashedLink[]): Sql {
  return sql`unnest(${links.map(({ relationship }) => relationship)}::text[],
        ${links.map(({ from_id }) => from_id)}::uuid[], ${links.map(({ to_id }) => to_id)}::uuid[])
        as w(relationship, from_id, to_id)
      where l.relationship = w.relationship and l.from_id = w.from_id and l.to_id = w.to_id`;
}

/** The records below these in a tree, without these, and at most one more than the limit. */
export function belowSql(
  schema: string,
  { table }: ObjectModel,
  { parent, ids, most }: { readonly parent: Field; readonly ids: readonly string[]; most: number },
): Sql {
  return sql`select t.id from ${identifier(schema, table)} t
    where t.${identifier(parent.column)} = any(${ids}::uuid[]) and not t.id = any(${ids}::uuid[])
    order by t.id limit ${most + 1}::integer`;
}

/** The record has come back, or is none that was merged. */
export function unmergedSql(schema: string, { table }: ObjectModel, id: string): Sql {
  return sql`delete from ${identifier(schema, '_merged')}
    where record_id = ${id}::uuid and table_name = ${table}::text`;
}

/** The record that another one became, by any number of merges; its owner decides who may know it. */
export function mergedIntoSql(
  schema: string,
  { table }: ObjectModel,
  { id, condition }: { readonly id: string; readonly condition: Sql },
): Sql {
  const merged = identifier(schema, '_merged');
  return sql`with recursive chain(id, step) as (
      select m.into_id, 1 from ${merged} m where m.record_id = ${id}::uuid and m.table_name = ${table}::text
      union all
      select m.into_id, c.step + 1 from chain c join ${merged} m on m.record_id = c.id and m.table_name = ${table}::text
      where c.step < 100)
    select t.id from chain c join ${identifier(schema, table)} t on t.id = c.id
    where ${condition} order by c.step desc limit 1`;
}
