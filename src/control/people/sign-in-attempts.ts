// Attempts to sign in, counted by account and by address for all processes (docs/design/sessions.md, D215, D399). An
// attempt is counted before it is checked, so that attempts at once are limited like consecutive ones.

import type { Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { CONTROL_SCHEMA, identifier, type Sql, sql } from '../../sql/sql.ts';
import { deleteSome } from '../process/delete-some.ts';

const ATTEMPTS = identifier(CONTROL_SCHEMA, 'sign_in_attempts');
/** The most failures in the time window. */
const MOST = sql`10`;
const WINDOW = sql`interval '15 minutes'`;

/**
 * Count an attempt for a subject. Answers 0, or the seconds to wait when it has too many: then it is not counted.
 */
export async function countAttempt(db: Queryable, subject: Buffer): Promise<number> {
  const recent = sql`array(select at from unnest(known.attempted_at) as at
    where at > now() - ${WINDOW} order by at)`;
  const [row] = await runOnce(
    db,
    sql`insert into ${ATTEMPTS} as known (subject, attempted_at)
      values (${subject}::bytea, array[clock_timestamp()])
      on conflict (subject) do update set
        refused = cardinality(${recent}) >= ${MOST},
        attempted_at = case when cardinality(${recent}) >= ${MOST} then ${recent}
          else ${recent} || clock_timestamp() end
      returning case when refused then greatest(1, ceil(extract(epoch from
        attempted_at[1] + ${WINDOW} - now()))) else 0 end::float8 as seconds`,
  );
  return row?.seconds as number;
}

/** Takes one attempt of each subject off the count. */
export async function uncountAttempt(db: Queryable, subjects: readonly Buffer[]): Promise<void> {
  await runOnce(db, sql`update ${ATTEMPTS} set attempted_at = ${LESS} where ${heldSql(subjects)}`);
}

const LESS = sql`trim_array(attempted_at, least(1, cardinality(attempted_at)))`;

/** Locked in the order of the subjects: two that change the same ones cannot deadlock. */
function heldSql(subjects: readonly Buffer[]): Sql {
  return sql`subject in (select subject from ${ATTEMPTS}
    where subject = any(${subjects}::bytea[]) order by subject for update)`;
}

/** An attempt has succeeded: the account starts again, the address has one attempt less. */
export async function forgiveAttempt(
  tx: Queryable,
  { account, address }: { readonly account: Buffer | undefined; readonly address: Buffer },
): Promise<void> {
  const subjects = account === undefined ? [address] : [account, address];
  await runOnce(
    tx,
    sql`update ${ATTEMPTS} set attempted_at = case when subject = ${address}::bytea
        then ${LESS} else '{}' end where ${heldSql(subjects)}`,
  );
}

/** Delete what no longer counts; answers how many. */
export function deleteOldAttempts(db: Queryable, most: number): Promise<number> {
  const where = sql`coalesce(
    t.attempted_at[cardinality(t.attempted_at)] < now() - ${WINDOW}, true)`;
  return deleteSome(db, { table: ATTEMPTS, key: identifier('subject'), where }, most);
}
