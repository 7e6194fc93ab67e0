// The statements behind `Idempotency-Key` (specification §3, D50): claim a key, find what it stored,
// remember an answer, forget old ones. Pure text.

import { EMPTY, identifier, type Sql, sql } from './sql.ts';

/** A key as its API key sent it. */
export interface KeyOfCaller {
  readonly schema: string;
  readonly api_key_id: string;
  readonly key: string;
}

export interface RememberedAnswer {
  readonly fingerprint: Buffer;
  readonly status: number;
  readonly etag: string | null;
  readonly body: unknown;
  readonly object_type: string;
  readonly record_ids: readonly string[];
  readonly reach_user_ids: readonly (number | null)[];
  readonly fields: readonly string[];
}

/**
 * The stored answer; when there is none, whether this transaction now holds the key. Also the time of
 * the transaction, as records written by it show it.
 */
export function claimKeySql(owned: KeyOfCaller): Sql {
  const lock = `${owned.schema} ${owned.api_key_id} ${owned.key}`;
  return sql`select now()::timestamptz(3) as now, ${STORED},
      case when s.key is null
        then pg_try_advisory_xact_lock(hashtextextended(${lock}, 1)) end as claimed
    from (select) one left join ${storedSql(owned)} on true`;
}

const STORED = sql`s.fingerprint, s.status, s.etag, s.body, s.object_type, s.record_ids,
      s.reach_user_ids, s.fields`;

function storedSql({ schema, api_key_id, key }: KeyOfCaller): Sql {
  return sql`(select * from ${identifier(schema, '_idempotency')}
      where api_key_id = ${api_key_id}::uuid and key = ${key}::text
        and stored_at > now() - interval '24 hours') s`;
}

/** The primary key of stored answers. */
export const ANSWERS_INDEX = '_idempotency_pkey';

/**
 * Keep an answer. Fails on `ANSWERS_INDEX` when there is one: an old one, or one that was stored just
 * before the key was claimed.
 */
export function rememberSql({ schema, api_key_id, key }: KeyOfCaller, a: RememberedAnswer): Sql {
  return sql`insert into ${identifier(schema, '_idempotency')} (api_key_id, key, fingerprint,
      status, etag, body, object_type, record_ids, reach_user_ids, fields)
    values (${api_key_id}::uuid, ${key}::text, ${a.fingerprint}::bytea, ${a.status}::smallint,
      ${a.etag}::text, ${JSON.stringify(a.body)}::json, ${a.object_type}::text,
      ${a.record_ids}::uuid[], ${a.reach_user_ids}::integer[], ${a.fields}::text[])`;
}

/** The stored answer as one more part of the statement that makes the change. */
export function rememberedSql(remembered: Sql | undefined): Sql {
  return remembered === undefined ? EMPTY : sql`, remembered as (${remembered})`;
}

/** Delete the answer of a key whose 24 hours are over. */
export function forgetAnswerSql({ schema, api_key_id, key }: KeyOfCaller): Sql {
  return sql`delete from ${identifier(schema, '_idempotency')}
    where api_key_id = ${api_key_id}::uuid and key = ${key}::text
      and stored_at <= now() - interval '24 hours'`;
}

/** Delete some answers that nobody can ask for any more; skips what another sweeper deletes. */
export function forgetAnswersSql(schema: string, most: number): Sql {
  const table = identifier(schema, '_idempotency');
  return sql`with old as (
      select api_key_id, key from ${table} where stored_at <= now() - interval '24 hours'
      order by stored_at limit ${most}::integer for update skip locked
    ), forgotten as (
      delete from ${table} s using old where s.api_key_id = old.api_key_id and s.key = old.key
      returning 1
    )
    select count(*) as forgotten from forgotten`;
}
