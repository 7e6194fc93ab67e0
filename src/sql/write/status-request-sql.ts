// The statements of status requests: a page of them, one of them with a lock, asking, deciding and expiring. A request is
// found only while its reader can read the record. Pure text.

import type { RequestState } from '../../plan/events/event-plan.ts';
import type {
  AskedMove,
  OwnGate,
  RequestPagePlan,
  RequestScope,
} from '../../plan/people/status-request-plan.ts';
import { AUTHOR_KEY } from '../../plan/write/write-fields.ts';
import { isHeardSql } from '../events/notify-sql.ts';
import { allOf, reachSql } from '../read/where-sql.ts';
import { wireTime } from '../read/wire-time-sql.ts';
import { EMPTY, identifier, type Sql, sql } from '../sql.ts';

/** Select the page, newest first, with one more row that shows whether another page follows. */
export function requestsSql(plan: RequestPagePlan): Sql {
  const { schema, user_id, state, waiting, requested_by, record_id, after } = plan;
  const conditions = [
    ...(state === undefined ? [] : [stateSql(state)]),
    ...(waiting === undefined ? [] : [waitingSql(schema, user_id, waiting)]),
    ...(requested_by === undefined ? [] : [sql`r.requested_by = ${requested_by}::integer`]),
    ...(record_id === undefined ? [] : [sql`r.record_id = ${record_id}::uuid`]),
    ...(after === undefined
      ? []
      : [sql`(r.requested_at, r.id) < (${after[0]}::timestamptz, ${after[1]}::uuid)`]),
  ];
  return sql`${shownSql(plan)} where ${allOf(conditions)}
    order by r.requested_at desc, r.id desc limit ${plan.limit + 1}`;
}

/** Select one; no row when the reader may not read it. */
export function requestSql(scope: RequestScope, id: string): Sql {
  return sql`${shownSql(scope)} where r.id = ${id}::uuid`;
}

/** Rows as `RequestRow`. One that is overdue counts as expired at once. */
function shownSql(scope: RequestScope): Sql {
  const { schema } = scope;
  return sql`select ${MOVE}, r.api_key_id, r.api_key_prefix, r.session_id, u.name as requester_name,
      t.version, t.reach_user_id, t.record_people, t.display, ${decisionsSql(schema)} as decisions,
      ${teamsOfSql(schema, sql`${scope.user_id}::integer`)} as own_teams,
      case when r.state = 'pending' and t.version > r.record_revision then ${changesSql(schema)} end as changes
    from ${identifier(schema, '_status_requests')} r
    cross join lateral (${recordSql(scope)} limit 1) t
    left join ${identifier(schema, '_users')} u on u.id = r.requested_by`;
}

const OVERDUE = sql`r.state = 'pending' and r.expires_at <= now()`;

const MOVE = sql`r.id, r.object_type, r.record_id, r.workflow_id, r.from_status, r.to_status, r.record_revision,
      r.comment, r.requested_by, r.requested_at, r.expires_at,
      case when ${OVERDUE} then 'expired' else r.state end as state,
      case when ${OVERDUE} then r.expires_at else r.decided_at end as decided_at`;

function stateSql(state: RequestState): Sql {
  if (state === 'pending') return sql`r.state = 'pending' and r.expires_at > now()`;
  if (state === 'expired') return sql`(r.state = 'expired' or ${OVERDUE})`;
  return sql`r.state = ${state}::text`;
}

/** Requests that wait for a decision of this person. */
function waitingSql(schema: string, user_id: number, gates: readonly OwnGate[]): Sql {
  const me = sql`${user_id}::integer`;
  return sql`exists (
      select from jsonb_to_recordset(${JSON.stringify(gates)}::jsonb) as g (workflow_id text, from_status text,
        to_status text, named boolean, own boolean, teams text[])
      where g.workflow_id = r.workflow_id and g.from_status = r.from_status and g.to_status = r.to_status
        and (g.own or r.requested_by <> ${me} and ${me} <> all(t.record_people))
        and (g.named or g.teams && ${teamsOfSql(schema, me)}))
    and not exists (select from ${identifier(schema, '_status_decisions')} d
      where d.request_id = r.id and d.user_id = ${me})`;
}

/** Names of the teams of a person. */
function teamsOfSql(schema: string, user: Sql): Sql {
  return sql`array(select g.name::text from ${identifier(schema, '_teams')} g
        join ${identifier(schema, '_team_members')} m on m.team_id = g.id where m.user_id = ${user})`;
}

/** The decisions in their order, each with its person as gates name them. */
function decisionsSql(schema: string): Sql {
  return sql`(select coalesce(json_agg(json_build_object('decision', d.decision, 'comment', d.comment,
          'at', ${wireTime(sql`d.at`)}, 'user', json_build_object('id', d.user_id, 'name', p.name,
            'email', coalesce(p.email, ''), 'active', coalesce(p.active, false) and p.kind = 'user',
            'teams', ${teamsOfSql(schema, sql`d.user_id`)})) order by d.number), '[]')
        from ${identifier(schema, '_status_decisions')} d
        left join ${identifier(schema, '_users')} p on p.id = d.user_id
        where d.request_id = r.id)`;
}

/** The changes of the record since then, each with the revision of the definition that its keys are of. */
function changesSql(schema: string): Sql {
  return sql`(select json_agg(json_build_object('keys', a.changed_fields, 'revision', coalesce(a.definition, 0))
          order by a.id) from ${identifier(schema, '_audit')} a
        where a.record_id = r.record_id and a.revision > r.record_revision)`;
}

/** The person of the last change of a record that the audit has; null: none. */
function lastChangedBySql(schema: string, record_id: Sql): Sql {
  return sql`(select a.user_id from ${identifier(schema, '_audit')} a
        where a.record_id = ${record_id} and a.revision is not null and not a.consequence
        order by a.id desc limit 1)`;
}

/** The record of the request `r` when it is within reach, looked up by its id in the one table where it can be. */
function recordSql({ schema, readable }: RequestScope): Sql {
  const branches = readable.map(({ object, reach, display }) => {
    const within = allOf([
      sql`r.object_type = ${object.object_type}::text`,
      sql`t.id = r.record_id`,
      ...reachSql(reach),
    ]);
    const shown = display === undefined ? sql`null` : sql`t.${identifier(display.column)}`;
    return sql`select t.version, t.${identifier(reach.column)} as reach_user_id,
        array_remove(array[t.${identifier(reach.column)}, t.${identifier(AUTHOR_KEY)},
          ${lastChangedBySql(schema, sql`r.record_id`)}], null) as record_people,
        ${shown}::text as display
      from ${identifier(schema, object.table)} t where ${within}`;
  });
  return branches.reduce((all, branch) => sql`${all} union all ${branch}`);
}

/** Lock a request, with its decisions, the teams of the person who decides, and the time of the transaction. */
export function lockRequestSql(schema: string, id: string, user_id: number): readonly [Sql, Sql] {
  const table = identifier(schema, '_status_requests');
  // The decisions are read by a statement of its own, which sees what was committed before the lock was given.
  return [
    sql`select r.id from ${table} r where r.id = ${id}::uuid for update of r`,
    sql`select ${MOVE}, ${decisionsSql(schema)} as decisions, now()::timestamptz(3) as now,
        ${teamsOfSql(schema, sql`${user_id}::integer`)} as own_teams,
        ${changesSql(schema)} as changes, ${lastChangedBySql(schema, sql`r.record_id`)} as last_changed_by
      from ${table} r where r.id = ${id}::uuid`,
  ];
}

/**
 * The time of the transaction, the pending request of a record for a status, and the person of its last change; null
 * when there is none.
 */
export function pendingSql(schema: string, record_id: string | null, to_status: string): Sql {
  return sql`select now()::timestamptz(3) as now, (
      select r.id from ${identifier(schema, '_status_requests')} r
      where r.record_id = ${record_id}::uuid and r.to_status = ${to_status}::text
        and r.state = 'pending' and r.expires_at > now()) as pending,
      ${lastChangedBySql(schema, sql`${record_id}::uuid`)} as last_changed_by`;
}

/** A new request, and the credential that it came with. */
export interface NewRequest extends Omit<AskedMove, 'state' | 'decided_at'> {
  readonly api_key_id: string | null;
  readonly api_key_prefix: string | null;
  readonly session_id: string | null;
}

/** Expire an overdue request for the same move, and insert the new one. */
export function askSql(schema: string, request: NewRequest): readonly Sql[] {
  const table = identifier(schema, '_status_requests');
  const { id, object_type, record_id, workflow_id, from_status, to_status } = request;
  const { record_revision, comment, requested_by, requested_at, expires_at } = request;
  const { api_key_id, api_key_prefix, session_id } = request;
  return [
    sql`update ${table} r set ${EXPIRED} where r.record_id = ${record_id}::uuid
      and r.to_status = ${to_status}::text and ${OVERDUE}`,
    sql`insert into ${table} (id, object_type, record_id, workflow_id, from_status, to_status, record_revision,
        comment, requested_by, api_key_id, api_key_prefix, session_id, requested_at, expires_at)
      values (${id}::uuid, ${object_type}::text, ${record_id}::uuid, ${workflow_id}::text, ${from_status}::text,
        ${to_status}::text, ${record_revision}::integer, ${comment}::text, ${requested_by}::integer,
        ${api_key_id}::uuid, ${api_key_prefix}::text, ${session_id}::uuid, ${requested_at}::timestamptz,
        ${expires_at}::timestamptz)`,
  ];
}

const EXPIRED = sql`state = 'expired', decided_at = r.expires_at`;

/** A decision, and the state that the request has then; undefined: it is pending still. */
export interface NewDecision {
  readonly request_id: string;
  readonly number: number;
  readonly user_id: number;
  readonly decision: 'approved' | 'rejected';
  readonly comment: string | null;
}

export function decideSql(schema: string, decision: NewDecision): Sql {
  const { request_id, number, user_id, comment } = decision;
  return sql`insert into ${identifier(schema, '_status_decisions')}
      (request_id, number, user_id, decision, comment)
    values (${request_id}::uuid, ${number}::integer, ${user_id}::integer, ${decision.decision}::text,
      ${comment}::text)`;
}

export function endRequestSql(schema: string, id: string, state: RequestState): Sql {
  return sql`update ${identifier(schema, '_status_requests')} set state = ${state}::text, decided_at = now()
    where id = ${id}::uuid`;
}

/** A notification about a request for each of these who is a person: agents are not notified. */
export function notifyOfRequestSql(
  schema: string,
  { id, object_type, record_id }: Pick<AskedMove, 'id' | 'object_type' | 'record_id'>,
  told: {
    readonly kind: 'approval_requested' | 'request_decided';
    readonly author: number;
    readonly people: readonly { readonly id: string; readonly user_id: number }[];
  },
): Sql {
  const { kind, author, people } = told;
  return sql`insert into ${identifier(schema, '_notifications')}
      (id, kind, user_id, status_request_id, object_type, record_id, author_user_id, created_at)
    select n.id, ${kind}::text, n.user_id, ${id}::uuid, ${object_type}::text, ${record_id}::uuid, ${author}::integer, now()
    from unnest(${people.map((one) => one.id)}::uuid[], ${people.map(({ user_id }) => user_id)}::integer[])
      as n (id, user_id) join ${identifier(schema, '_users')} u on u.id = n.user_id and u.kind = 'user'`;
}

/** Mark the notifications that ask for a decision as read: those of one person, or of all when it is decided. */
export function readAskedSql(
  schema: string,
  { id, record_id }: Pick<AskedMove, 'id' | 'record_id'>,
  user_id: number | undefined,
): Sql {
  const person = user_id === undefined ? EMPTY : sql` and n.user_id = ${user_id}::integer`;
  return sql`update ${identifier(schema, '_notifications')} n set read_at = now()
    where n.record_id = ${record_id}::uuid and n.status_request_id = ${id}::uuid and n.read_at is null${person}`;
}

/** Expire some overdue requests; skips rows that another sweeper or an approver has locked. */
export function expireRequestsSql(schema: string, most: number): Sql {
  const table = identifier(schema, '_status_requests');
  return sql`with old as (
      select r.id from ${table} r where ${OVERDUE}
      order by r.expires_at limit ${most}::integer for update skip locked
    ), expired as (
      update ${table} r set ${EXPIRED} from old where r.id = old.id returning 1
    )
    select count(*) as expired from expired`;
}

/** The request of an audit row `a` as its event shows it, with its notifications. */
export function eventRequestSql(schema: string): Sql {
  return sql`(select json_build_object('id', q.id, 'from_status', q.from_status, 'to_status', q.to_status,
          'state', q.state, 'requested_by', q.requested_by, 'notifications', (
            select coalesce(json_agg(json_build_object('id', n.id, 'kind', n.kind, 'user_id', n.user_id,
              'author_user_id', n.author_user_id, 'author_kind', p.kind, 'author_name', p.name,
              'created_at', ${wireTime(sql`n.created_at`)},
              'read_at', ${wireTime(sql`n.read_at`)}) order by n.id), '[]')
            from ${identifier(schema, '_notifications')} n
            left join ${identifier(schema, '_users')} p on p.id = n.author_user_id
            where n.record_id = a.record_id and n.status_request_id = q.id and n.created_at = a.at
              and ${isHeardSql(schema)}))
        from ${identifier(schema, '_status_requests')} q where q.id = a.status_request_id)`;
}

/** The person of the last change of each record. */
export function lastChangesSql(schema: string, ids: readonly string[]): Sql {
  return sql`select t.id, ${lastChangedBySql(schema, sql`t.id`)} as user_id from unnest(${ids}::uuid[]) as t (id)`;
}
