// Second factors of people: the secret of one-time codes, recovery codes, the sign-in of grace. Passkeys are in
// passkey-rows.ts. One function, one statement.

import type { Queryable, Transaction } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { CONTROL_SCHEMA, identifier, sql } from '../../sql/sql.ts';
import { type Holder, isOf } from './passwords.ts';

/** The factors of a person; a row may stand for none, while the first one is set up. */
export interface FactorRow {
  /** The user handle of passkeys; the sealed secrets belong to it. */
  readonly handle: string;
  readonly code_secret: string | null;
  readonly pending_secret: string | null;
  readonly code_created_at: string | null;
  /** The number of recovery codes that are left. */
  readonly recovery_codes: number;
  readonly passkeys: number;
}

const FACTORS = identifier(CONTROL_SCHEMA, 'second_factors');
const RECOVERY = identifier(CONTROL_SCHEMA, 'recovery_codes');
const PASSKEYS = identifier(CONTROL_SCHEMA, 'passkeys');

/** Undefined when the person has never had one. */
export async function loadFactors(db: Queryable, holder: Holder): Promise<FactorRow | undefined> {
  const [row] = await runOnce(
    db,
    sql`select handle, code_secret, pending_secret, code_created_at,
        (select count(*)::integer from ${RECOVERY} where ${isOf(holder)}) as recovery_codes,
        (select count(*)::integer from ${PASSKEYS} where ${isOf(holder)}) as passkeys
      from ${FACTORS} where ${isOf(holder)}`,
  );
  return row as unknown as FactorRow | undefined;
}

/** True when a person has a factor: recovery codes alone are none. */
export function hasFactor(row: FactorRow | undefined): row is FactorRow {
  return row !== undefined && (row.code_secret !== null || row.passkeys > 0);
}

/**
 * The row of the person, made when there is none, and locked: until the transaction ends nobody else changes the factors
 * of the person.
 */
export async function lockFactors(
  tx: Transaction,
  { workspace_id, user_id }: Holder,
): Promise<void> {
  await runOnce(
    tx,
    sql`insert into ${FACTORS} (workspace_id, user_id) values (${workspace_id}, ${user_id})
      on conflict (workspace_id, user_id) do update set user_id = excluded.user_id`,
  );
}

/** A secret that counts once the person has sent a code of it. */
export async function putPendingSecret(
  tx: Queryable,
  holder: Holder,
  sealed: string,
): Promise<void> {
  await runOnce(tx, sql`update ${FACTORS} set pending_secret = ${sealed} where ${isOf(holder)}`);
}

/** The pending secret takes the place of the one in use; the code of this step has been used. */
export async function confirmSecret(tx: Queryable, holder: Holder, step: number): Promise<void> {
  await runOnce(
    tx,
    sql`update ${FACTORS} set code_secret = pending_secret, pending_secret = null, code_step = ${step}::bigint,
        code_created_at = now() where ${isOf(holder)}`,
  );
}

/** Takes the code of a step, once, and none of an earlier step after it; false: somebody was faster. */
export async function takeCode(
  tx: Queryable,
  holder: Holder,
  { secret, step }: { readonly secret: string; readonly step: number },
): Promise<boolean> {
  const rows = await runOnce(
    tx,
    sql`update ${FACTORS} set code_step = ${step}::bigint
      where ${isOf(holder)} and code_secret = ${secret} and code_step < ${step}::bigint returning 1`,
  );
  return rows.length > 0;
}

export async function deleteSecret(tx: Queryable, holder: Holder): Promise<boolean> {
  const rows = await runOnce(
    tx,
    sql`update ${FACTORS} set code_secret = null, pending_secret = null, code_created_at = null
      where ${isOf(holder)} and code_secret is not null returning 1`,
  );
  return rows.length > 0;
}

/** Replace the recovery codes of a person by these. */
export async function putRecoveryCodes(
  tx: Queryable,
  holder: Holder,
  hashes: readonly Buffer[],
): Promise<void> {
  await runOnce(
    tx,
    sql`with gone as (delete from ${RECOVERY} where ${isOf(holder)})
      insert into ${RECOVERY} (workspace_id, user_id, code_hash)
      select ${holder.workspace_id}, ${holder.user_id}, h.hash from unnest(${hashes}::bytea[]) as h (hash)`,
  );
}

/** Takes a recovery code, once; false: the person has no such code. */
export async function takeRecoveryCode(
  tx: Queryable,
  holder: Holder,
  hash: Buffer,
): Promise<boolean> {
  const rows = await runOnce(
    tx,
    sql`delete from ${RECOVERY} where ${isOf(holder)} and code_hash = ${hash} returning 1`,
  );
  return rows.length > 0;
}

/** Delete the factors of a person, recovery codes and the note of the grace; false: there was nothing. */
export async function deleteFactors(tx: Queryable, holder: Holder): Promise<boolean> {
  const rows = await runOnce(tx, sql`delete from ${FACTORS} where ${isOf(holder)} returning 1`);
  return rows.length > 0;
}

/** True when one of the roles requires a second factor by the definition in force. */
export async function isFactorRequired(
  tx: Queryable,
  schema: string,
  roles: readonly string[],
): Promise<boolean> {
  const rows = await runOnce(
    tx,
    sql`select from ${identifier(schema, '_definitions')} d, json_each(d.document -> 'roles') role
      where d.in_force and role.key = any(${roles}::text[])
        and role.value ->> 'second_factor' = 'required' limit 1`,
  );
  return rows.length > 0;
}

/** Takes the one sign-in of grace; false: the person has had it. */
export async function takeGrace(
  tx: Queryable,
  { workspace_id, user_id }: Holder,
): Promise<boolean> {
  const rows = await runOnce(
    tx,
    sql`insert into ${FACTORS} as f (workspace_id, user_id, grace_at)
      values (${workspace_id}, ${user_id}, now())
      on conflict (workspace_id, user_id) do update set grace_at = now() where f.grace_at is null
      returning 1`,
  );
  return rows.length > 0;
}
