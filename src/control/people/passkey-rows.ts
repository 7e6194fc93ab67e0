// Passkeys of people: the public keys that their authenticators made for a host. One function, one statement.

import type { Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { CONTROL_SCHEMA, identifier, sql } from '../../sql/sql.ts';
import { type Holder, isOf } from './passwords.ts';

/** A passkey as its person sees it. */
export interface ListedPasskey {
  readonly id: string;
  readonly name: string;
  /** The host for which it was made, and at which it works (RP ID). */
  readonly host: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
}

export interface NewPasskey {
  readonly id: string;
  readonly name: string;
  readonly host: string;
  /** In base64url, as browsers send it. */
  readonly credential_id: string;
  /** The key as COSE (RFC 9052). */
  readonly public_key: Uint8Array;
  readonly counter: number;
  readonly transports: readonly string[];
}

/** A passkey with all that a sign-in needs. */
export interface PasskeyRow extends NewPasskey {
  readonly workspace_id: number;
  readonly user_id: number;
  readonly handle: string;
}

const PASSKEYS = identifier(CONTROL_SCHEMA, 'passkeys');
const FACTORS = identifier(CONTROL_SCHEMA, 'second_factors');
const LISTED = sql`id, name, host, created_at, last_used_at`;

export async function loadPasskeys(
  db: Queryable,
  holder: Holder,
): Promise<readonly (ListedPasskey & Pick<NewPasskey, 'credential_id' | 'transports'>)[]> {
  const rows = await runOnce(
    db,
    sql`select ${LISTED}, credential_id, transports from ${PASSKEYS}
      where ${isOf(holder)} order by created_at, id`,
  );
  return rows as unknown as Awaited<ReturnType<typeof loadPasskeys>>;
}

export async function findPasskey(
  db: Queryable,
  workspaceId: number,
  credentialId: string,
): Promise<PasskeyRow | undefined> {
  const [row] = await runOnce(
    db,
    sql`select p.id, p.name, p.host, p.credential_id, p.public_key, p.counter::float8 as counter,
        p.transports, p.workspace_id, p.user_id, f.handle
      from ${PASSKEYS} p join ${FACTORS} f using (workspace_id, user_id)
      where p.workspace_id = ${workspaceId} and p.credential_id = ${credentialId}`,
  );
  return row as unknown as PasskeyRow | undefined;
}

/** Add a passkey; undefined when the workspace knows its credential already. */
export async function appendPasskey(
  tx: Queryable,
  { workspace_id, user_id }: Holder,
  passkey: NewPasskey,
): Promise<ListedPasskey | undefined> {
  const { id, name, host, credential_id, public_key, counter, transports } = passkey;
  const [row] = await runOnce(
    tx,
    sql`insert into ${PASSKEYS} (id, workspace_id, user_id, name, host, credential_id, public_key, counter,
        transports)
      values (${id}::uuid, ${workspace_id}, ${user_id}, ${name}, ${host}, ${credential_id},
        ${Buffer.from(public_key)}::bytea, ${counter}::bigint, ${transports}::text[])
      on conflict (workspace_id, credential_id) do nothing returning ${LISTED}`,
  );
  return row as unknown as ListedPasskey | undefined;
}

/**
 * Note a use with the counter of the authenticator, which always grows unless it stays 0; false: the passkey is gone, or
 * its counter was used meanwhile.
 */
export async function takeCounter(tx: Queryable, id: string, counter: number): Promise<boolean> {
  const rows = await runOnce(
    tx,
    sql`update ${PASSKEYS} set counter = ${counter}::bigint, last_used_at = now()
      where id = ${id}::uuid and (counter < ${counter}::bigint or (counter = 0 and ${counter}::bigint = 0))
      returning 1`,
  );
  return rows.length > 0;
}

export async function deletePasskey(tx: Queryable, holder: Holder, id: string): Promise<boolean> {
  const rows = await runOnce(
    tx,
    sql`delete from ${PASSKEYS} where ${isOf(holder)} and id = ${id}::uuid returning 1`,
  );
  return rows.length > 0;
}
