// Attempts to sign in, counted by account and by address for all processes (docs/decisions.md, D215). One is
// counted before it is judged, so that many at once are no more than one after the other.

import type { Queryable } from '../postgres/db.ts';
import { runOnce } from '../postgres/run-once.ts';
import { CONTROL_SCHEMA, identifier, sql } from '../sql/sql.ts';
import { deleteSome } from './delete-some.ts';

const ATTEMPTS = identifier(CONTROL_SCHEMA, 'sign_in_attempts');
/** So many may fail in this time. */
const MOST = sql`10`;
const WINDOW = sql`interval '15 minutes'`;

/**
 * Count an attempt for each of these subjects. Answers 0, or the seconds to wait when one of them has too
 * many; an attempt that is refused does not make it longer.
 */
export async function countAttempt(db: Queryable, subjects: readonly Buffer[]): Promise<number> {
  const recent = sql`array(select at from unnest(known.attempted_at) as at
    where at > now() - ${WINDOW} order by at)`;
  // In the order of the subjects: two that count the same ones cannot deadlock.
  const rows = await runOnce(
    db,
    sql`insert into ${ATTEMPTS} as known (subject, attempted_at)
      select subject, array[clock_timestamp()] from unnest(${subjects}::bytea[]) as subject
      order by subject
      on conflict (subject) do update set
        refused = cardinality(${recent}) >= ${MOST},
        attempted_at = case when cardinality(${recent}) >= ${MOST} then ${recent}
          else ${recent} || clock_timestamp() end
      returning case when refused then greatest(1, ceil(extract(epoch from
        attempted_at[1] + ${WINDOW} - now()))) else 0 end::float8 as seconds`,
  );
  return Math.max(...rows.map(({ seconds }) => seconds as number));
}

/** An attempt has succeeded: the account starts anew, the address has one attempt less. */
export async function forgiveAttempt(
  tx: Queryable,
  { account, address }: { readonly account: Buffer | undefined; readonly address: Buffer },
): Promise<void> {
  const subjects = account === undefined ? [address] : [account, address];
  await runOnce(
    tx,
    sql`update ${ATTEMPTS} known set attempted_at = case when subject = ${address}::bytea
        then trim_array(attempted_at, least(1, cardinality(attempted_at))) else '{}' end
      where subject in (select subject from ${ATTEMPTS}
        where subject = any(${subjects}::bytea[]) order by subject for update)`,
  );
}

/** Delete what no longer counts; answers how many. */
export function deleteOldAttempts(db: Queryable, most: number): Promise<number> {
  const where = sql`coalesce(
    t.attempted_at[cardinality(t.attempted_at)] < now() - ${WINDOW}, true)`;
  return deleteSome(db, { table: ATTEMPTS, key: identifier('subject'), where }, most);
}
