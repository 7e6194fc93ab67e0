// The statements of live events: a page of audit rows with the data that decides who may read them, whether a reader
// is too far behind, and what was written first on the node a workspace was moved to. Pure text.

import type { WorkspaceModel } from '../../model/definition/model.ts';
import { reachColumn } from '../../model/rights/access.ts';
import type { EventPage, EventPlace } from '../../plan/events/event-position.ts';
import type { FormerKey } from '../../plan/events/name-history.ts';
import { nodeGroupOf, snapshotOf, type Unseen } from '../../plan/events/snapshot-moment.ts';
import { wireTime } from '../read/wire-time-sql.ts';
import { CONTROL_SCHEMA, EMPTY, identifier, type Sql, sql } from '../sql.ts';
import { eventRequestSql } from '../write/status-request-sql.ts';
import { isHeardSql } from './notify-sql.ts';

/** Rows of a restored database have transaction numbers of another server: they count as not kept (D455). */
function keptSince(days: number): Sql {
  return sql`(select ${identifier(CONTROL_SCHEMA, 'changes_kept_since')}(${days}::integer))`;
}

/** Writes of records, and loads of all records of an object. */
const TOLD = sql`(a.object_type is not null or a.subject_type = 'import' and a.action = 'load')`;

/** The ids of a node of Citus begin with its group, in the bits above these. */
const GROUP_BITS = 48;

/** Only rows with numbers of the node of this moment: others have come along when the workspace was moved (D355). */
function ofNode(moment: string): Sql {
  const group = nodeGroupOf(moment);
  return group === undefined ? EMPTY : sql` and a.id >> ${GROUP_BITS}::integer = ${group}::bigint`;
}

/** The names of an object before, each with the revision in which it was renamed. */
type Renamed = readonly FormerKey[];

/** Rows and their names, as they are kept. */
export interface EventSource {
  readonly model: WorkspaceModel;
  readonly renamed: Renamed;
  readonly days: number;
}

/**
 * One page in the order of transactions, up to what the moment of its end sees. That was taken before by a
 * statement of its own, on the server that has the workspace (moment-sql.ts).
 */
export function eventsSql(source: EventSource, page: EventPage): Sql {
  const { schema } = source.model;
  const order = sql`order by a.transaction, a.id limit ${page.limit}::integer`;
  const behind = ({ transaction, id }: EventPlace) =>
    sql`(a.transaction, a.id) > (${transaction}::xid8, ${id}::bigint)`;
  const some = (condition: Sql) => sql`(select a.* from ${identifier(schema, '_audit')} a
        where ${condition} and ${TOLD}${ofNode(page.to)}
          and a.transaction < pg_snapshot_xmax(s.snapshot)
          and pg_visible_in_snapshot(a.transaction, s.snapshot) and a.at > ${keptSince(source.days)} ${order})`;
  // Two branches, so that each is a range of the index whatever the statistics say.
  return sql`select e.*
    from (select ${snapshotOf(page.to)}::pg_snapshot as snapshot) s
    cross join lateral (
      ${describedSql(
        source,
        sql`
        ${some(behind(page.start))}
        union all ${some(sql`a.transaction = any(${page.pending}::xid8[])
          and ${behind(page.after)}`)}`,
      )}
      ${order}
    ) e order by e.transaction, e.id`;
}

/** These audit rows as they are now: their events may be sent again. */
export function sameEventsSql(source: EventSource, places: readonly EventPlace[]): Sql {
  const audit = sql`select a.* from ${identifier(source.model.schema, '_audit')} a
    join unnest(${places.map(({ transaction }) => transaction)}::xid8[], ${places.map(({ id }) => id)}::bigint[])
      as p (transaction, id) on p.transaction = a.transaction and p.id = a.id`;
  return sql`select e.* from (${describedSql(source, audit)}) e order by e.transaction, e.id`;
}

/** Audit rows with the data that decides who may read them. */
function describedSql(source: EventSource, audit: Sql): Sql {
  const { schema } = source.model;
  return sql`select a.id, a.transaction, a.at, a.object_type, a.record_id, a.action, a.changed_fields,
        a.definition, a.revision, a.user_id, a.api_key_id, a.batch_id,
        case when a.source = 'api' and a.session_id is not null then 'application' else a.source end as source,
        coalesce(r.present, false) as present,
        ${reachSql(source)} as reach_user_id,
        a.reach_user_id as former_user_id,
        case when c.id is not null then ${commentSql(schema)} end as comment,
        case when a.action = 'merge' then ${mergedIntoSql(source.model)} end as merged_into,
        case when a.status_request_id is not null then ${eventRequestSql(schema)} end as request,
        case when r.present and a.action in ('create', 'update') and r.reach_user_id <> a.user_id
          and 'owner_user_id' = any(a.changed_fields) then ${assignmentsSql(schema)} end as assigned
      from (
        select a.id, a.transaction, a.at, ${presentType(sql`a`, source.renamed)} as object_type, a.record_id, a.action,
          a.changed_fields, a.definition, a.revision, a.user_id, a.api_key_id, a.session_id, a.batch_id, a.source,
          a.reach_user_id, a.comment_id, a.status_request_id
        from (${audit}) a
      ) a
      left join lateral (${recordSql(source.model, sql`a.record_id`)} limit 1) r on true
      left join ${identifier(schema, '_comments')} c on c.id = a.comment_id
      left join ${identifier(schema, '_users')} u on u.id = c.author_user_id`;
}

/**
 * The person the record belongs to. Of an end, the owner until then; of a change of owner in a record that is gone now,
 * its last owner, so that earlier owners learn that it left them. Only such rows need the delete.
 */
function reachSql({ model: { schema }, renamed }: EventSource): Sql {
  return sql`case when a.action in ('delete', 'merge', 'erase') then a.reach_user_id
          when r.present then r.reach_user_id
          when a.reach_user_id is not null then (select d.reach_user_id from ${identifier(schema, '_audit')} d
            where d.record_id = a.record_id and d.action in ('delete', 'merge') and ${presentType(sql`d`, renamed)} = a.object_type
            order by d.id desc limit 1) end`;
}

/** A row has the object type of its time; a load of records has it as the name of its subject. */
function presentType(a: Sql, renamed: Renamed): Sql {
  const type = sql`coalesce(${a}.object_type, ${a}.subject_id)`;
  if (renamed.length === 0) return type;
  return sql`coalesce((select n.now from unnest(${renamed.map(({ revision }) => revision)}::integer[],
          ${renamed.map(({ from }) => from)}::text[], ${renamed.map(({ to }) => to)}::text[])
          with ordinality as n (revision, was, now, place)
        where n.was = ${type} and n.revision > ${a}.definition order by n.place limit 1), ${type})`;
}

/** The record that a merged one has become, and its owner; null when the merge was undone. */
function mergedIntoSql(model: WorkspaceModel): Sql {
  const objects = [...model.objects.values()];
  return sql`(select json_build_object('id', m.into_id, 'reach_user_id', w.reach_user_id)
          from unnest(${objects.map(({ object_type }) => object_type)}::text[],
            ${objects.map(({ table }) => table)}::text[]) as o(object_type, name)
          join ${identifier(model.schema, '_merged')} m on m.table_name = o.name and m.record_id = a.record_id
          cross join lateral (${recordSql(model, sql`m.into_id`)} limit 1) w
          where o.object_type = a.object_type)`;
}

/** A record of the object type of an audit row, and its owner. */
function recordSql({ schema, objects }: WorkspaceModel, id: Sql): Sql {
  const branches = [...objects.values()].map(
    (object) => sql`select true as present,
        t.${identifier(reachColumn(object))} as reach_user_id
      from ${identifier(schema, object.table)} t
      where a.object_type = ${object.object_type}::text and t.id = ${id}`,
  );
  const none = sql`select true as present, null::integer as reach_user_id where false`;
  return branches.reduce((all, branch) => sql`${all} union all ${branch}`, none);
}

/** One value, because few rows are about a comment, and the driver reads each column of each row. */
function commentSql(schema: string): Sql {
  return sql`json_build_object('id', c.id, 'body', c.body, 'author_user_id', c.author_user_id,
          'author_kind', u.kind, 'author_name', u.name, 'created_at', ${wireTime(sql`c.created_at`)},
          'updated_at', ${wireTime(sql`c.updated_at`)}, 'notifications', (${notificationsSql(schema)}))`;
}

function notificationsSql(schema: string): Sql {
  return sql`select coalesce(json_agg(json_build_object('id', n.id, 'kind', n.kind, 'user_id', n.user_id,
          'created_at', ${wireTime(sql`n.created_at`)}, 'read_at', ${wireTime(sql`n.read_at`)}) order by n.id), '[]')
        from ${identifier(schema, '_notifications')} n
        where n.record_id = a.record_id and n.comment_id = c.id and ${isHeardSql(schema)}`;
}

/** The notification of the person to whom the row gave the record. */
function assignmentsSql(schema: string): Sql {
  return sql`(select json_agg(json_build_object('id', n.id, 'kind', n.kind, 'user_id', n.user_id,
          'author_user_id', n.author_user_id, 'author_kind', p.kind, 'author_name', p.name,
          'created_at', ${wireTime(sql`n.created_at`)}, 'read_at', ${wireTime(sql`n.read_at`)}))
        from ${identifier(schema, '_notifications')} n
        left join ${identifier(schema, '_users')} p on p.id = n.author_user_id
        where n.record_id = a.record_id and n.kind = 'assignment' and n.created_at = a.at
          and n.user_id = r.reach_user_id and ${isHeardSql(schema)})`;
}

/** The audit ids of moves to a status after which the record has moved again. */
export function laterMovesSql(
  schema: string,
  moves: readonly { readonly record_id: string; readonly id: number }[],
): Sql {
  return sql`select m.id from unnest(${moves.map(({ record_id }) => record_id)}::uuid[],
      ${moves.map(({ id }) => id)}::bigint[]) as m (record_id, id)
    where exists (select from ${identifier(schema, '_audit')} a
      where a.record_id = m.record_id and a.id > m.id and a.action = 'status')`;
}

/** Whether there are more than `most` rows that were not seen before the moment `to`. */
export function behindSql(
  schema: string,
  { from, pending }: Unseen,
  { to, most }: { readonly to: string; readonly most: number },
): Sql {
  const order = sql`order by a.transaction, a.id limit ${most + 1}::integer`;
  const some = (condition: Sql) => sql`(select a.at from ${identifier(schema, '_audit')} a
        where ${condition} and ${TOLD}${ofNode(to)}
          and a.transaction < pg_snapshot_xmax(s.snapshot) ${order})`;
  return sql`select b.rows > ${most}::integer as too_far
    from (select ${snapshotOf(to)}::pg_snapshot as snapshot) s
    cross join lateral (
      select count(*) as rows from (
        ${some(sql`a.transaction >= ${from}::xid8`)}
        union all ${some(sql`a.transaction = any(${pending}::xid8[])`)}
      ) b
    ) b`;
}

/**
 * The last transaction of those that began so many seconds before a time, or earlier: it had its number before the
 * time, as it takes its number sooner than that. Null: there is none.
 */
export function transactionBeforeSql(
  schema: string,
  {
    at,
    present,
    seconds,
    days,
  }: {
    readonly at: string;
    readonly present: string;
    readonly seconds: number;
    readonly days: number;
  },
): Sql {
  return sql`select (select a.transaction::text from ${identifier(schema, '_audit')} a
      where a.at <= ${at}::timestamptz - make_interval(secs => ${seconds}::float8) and a.at > ${keptSince(days)}${ofNode(present)}
      order by a.at desc, a.id desc limit 1) as last`;
}

/**
 * The last transaction that wrote on the node of the moment `before`, and the first one on that of `now` since the
 * workspace came there; among those that began less than so many seconds ago. Rows that came along were stored by
 * transactions other than those they name.
 */
export function turnOfMoveSql(
  schema: string,
  { before, now }: { readonly before: string; readonly now: string },
  seconds: number,
): Sql {
  return sql`select max(a.transaction) filter (where true${ofNode(before)})::text as last,
      min(a.transaction) filter (where a.xmin::text::bigint = mod(a.transaction::text::numeric, 4294967296)
        ${ofNode(now)})::text as first
    from ${identifier(schema, '_audit')} a
    where a.at > now() - make_interval(secs => ${seconds}::float8)`;
}
