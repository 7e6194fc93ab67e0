// The statements behind `Idempotency-Key` (specification §3, D50): claim a key, find what it stored,
// store an answer, delete expired ones. Pure text.

import { LIMITS } from '../../limits.ts';
import { identifier, type Sql, sql } from '../sql.ts';

/** Answers that were stored before it are no longer repeated. */
const OLDEST = sql`now() - make_interval(hours => ${LIMITS.idempotencyHours}::integer)`;

/** An `Idempotency-Key` and the principal that sent it: an API key, or a session in its place. */
export interface ClaimedKey {
  readonly api_key_id: string;
  readonly key: string;
}

export interface StoredAnswer extends ClaimedKey {
  readonly fingerprint: Buffer;
  readonly status: number;
  readonly etag: string | null;
  readonly body: unknown;
  readonly object_type: string;
  readonly record_ids: readonly string[];
  /** Null: all are of `object_type`. */
  readonly record_types: readonly string[] | null;
  readonly reach_user_ids: readonly (number | null)[];
  readonly fields: readonly string[];
}

/**
 * The stored answer for each of these different keys in their order; when there is none, whether this transaction now
 * holds the key. Also the time of the transaction, as records written by it show it.
 */
export function claimKeysSql(schema: string, keys: readonly ClaimedKey[]): Sql {
  // The limit makes the plan one index look-up for each key, however small the table was when the
  // statement was planned.
  return sql`select now()::timestamptz(3) as now, s.fingerprint, s.status, s.etag, s.body,
      s.object_type, s.record_ids, s.record_types, s.reach_user_ids, s.fields, case when s.key is null then
        pg_try_advisory_xact_lock(hashtextextended(${`${schema} `}::text || k.api_key_id || ' ' || k.key, 1))
        end as claimed
    from unnest(${keys.map(({ api_key_id }) => api_key_id)}::uuid[],
      ${keys.map(({ key }) => key)}::text[]) with ordinality as k (api_key_id, key, place)
    left join lateral (select * from ${identifier(schema, '_idempotency')}
      where api_key_id = k.api_key_id and key = k.key
        and stored_at > ${OLDEST} limit 1) s on true
    order by k.place`;
}

/** The primary key of stored answers. */
export const ANSWERS_INDEX = '_idempotency_pkey';

/**
 * Store answers. Fails on `ANSWERS_INDEX` when there is one: an old one, or one that was stored just
 * before the key was claimed.
 */
export function storeAnswersSql(schema: string, answers: readonly StoredAnswer[]): Sql {
  const rows = answers.map((answer) => {
    return { ...answer, fingerprint: `\\x${answer.fingerprint.toString('hex')}` };
  });
  // json and not jsonb: a body is kept as it is sent.
  return sql`insert into ${identifier(schema, '_idempotency')} (${ANSWER})
    select ${ANSWER}
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (api_key_id uuid, key text,
      fingerprint bytea, status smallint, etag text, body json, object_type text,
      record_ids uuid[], record_types text[], reach_user_ids integer[], fields text[])`;
}

const ANSWER = sql`api_key_id, key, fingerprint, status, etag, body, object_type, record_ids,
      record_types, reach_user_ids, fields`;

/** Delete the expired answer of a key. */
export function deleteAnswerSql(schema: string, { api_key_id, key }: ClaimedKey): Sql {
  return sql`delete from ${identifier(schema, '_idempotency')}
    where api_key_id = ${api_key_id}::uuid and key = ${key}::text
      and stored_at <= ${OLDEST}`;
}

/** Delete some expired answers; skips rows that another sweeper has locked. */
export function deleteExpiredAnswersSql(schema: string, most: number): Sql {
  const table = identifier(schema, '_idempotency');
  return sql`with old as (
      select api_key_id, key from ${table} where stored_at <= ${OLDEST}
      order by stored_at limit ${most}::integer for update skip locked
    ), forgotten as (
      delete from ${table} s using old where s.api_key_id = old.api_key_id and s.key = old.key
      returning 1
    )
    select count(*) as forgotten from forgotten`;
}
