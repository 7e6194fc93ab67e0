// The scrypt hashes of passwords: at most one a person. flow/people/password-hash.ts makes and compares them.

import type { Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { CONTROL_SCHEMA, identifier, type Sql, sql } from '../../sql/sql.ts';

/** The cost of scrypt (RFC 7914). */
export interface ScryptParameters {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

export interface StoredPassword {
  readonly hash: Buffer;
  readonly salt: Buffer;
  readonly parameters: ScryptParameters;
}

/** A person of a workspace. */
export interface Holder {
  readonly workspace_id: number;
  readonly user_id: number;
}

/** The condition of rows of a person. */
export function isOf({ workspace_id, user_id }: Holder): Sql {
  return sql`workspace_id = ${workspace_id} and user_id = ${user_id}`;
}

const PASSWORDS = identifier(CONTROL_SCHEMA, 'passwords');

/**
 * No workspace and no person has the id 0: for them, and for people without a password, the statement reads the
 * password of another person and returns none, because reading a row takes time (D270).
 */
export async function loadPassword(
  db: Queryable,
  { workspace_id, user_id }: Holder,
): Promise<StoredPassword | undefined> {
  const [row] = await runOnce(
    db,
    sql`select hash, salt, parameters,
        workspace_id = ${workspace_id} and user_id = ${user_id} as is_asked from ${PASSWORDS}
      where workspace_id = ${workspace_id} and user_id = ${user_id}
        or (workspace_id, user_id) = (select workspace_id, user_id from ${PASSWORDS} order by 1, 2 limit 1)
      order by is_asked desc limit 1`,
  );
  const found = row as unknown as (StoredPassword & { readonly is_asked: boolean }) | undefined;
  return found?.is_asked === true ? found : undefined;
}

export async function putPassword(
  tx: Queryable,
  { workspace_id, user_id }: Holder,
  { hash, salt, parameters }: StoredPassword,
): Promise<void> {
  await runOnce(
    tx,
    sql`insert into ${PASSWORDS} (workspace_id, user_id, hash, salt, parameters)
      values (${workspace_id}, ${user_id}, ${hash}, ${salt}, ${JSON.stringify(parameters)}::jsonb)
      on conflict (workspace_id, user_id) do update set hash = excluded.hash,
        salt = excluded.salt, parameters = excluded.parameters, changed_at = now()`,
  );
}

/** True while the password is the one that was read; it cannot be changed until the transaction ends. */
export async function isPresentPassword(
  tx: Queryable,
  holder: Holder,
  { hash }: StoredPassword,
): Promise<boolean> {
  const rows = await runOnce(
    tx,
    sql`select from ${PASSWORDS} where ${isOf(holder)} and hash = ${hash} for no key update`,
  );
  return rows.length > 0;
}
