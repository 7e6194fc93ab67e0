// Identities of people at identity providers: issuer and subject, which a provider never assigns twice (OpenID
// Connect Core §2).

import type { Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { CONTROL_SCHEMA, identifier, sql } from '../../sql/sql.ts';
import type { Holder } from './passwords.ts';

export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

const IDENTITIES = identifier(CONTROL_SCHEMA, 'oidc_identities');

/** The id of the person with this identity. */
export async function loadIdentityHolder(
  db: Queryable,
  workspaceId: number,
  { issuer, subject }: Identity,
): Promise<number | undefined> {
  const [row] = await runOnce(
    db,
    sql`select user_id from ${IDENTITIES} where workspace_id = ${workspaceId}
      and issuer = ${issuer} and subject = ${subject}`,
  );
  return row?.user_id as number | undefined;
}

/** False when the person has another identity of this issuer, or somebody else has this one. */
export async function appendIdentity(
  tx: Queryable,
  { workspace_id, user_id }: Holder,
  { issuer, subject }: Identity,
): Promise<boolean> {
  const rows = await runOnce(
    tx,
    sql`insert into ${IDENTITIES} (workspace_id, issuer, subject, user_id)
      values (${workspace_id}, ${issuer}, ${subject}, ${user_id})
      on conflict do nothing returning user_id`,
  );
  return rows.length > 0;
}

/** Delete a person's identities; returns their number. */
export async function deleteIdentities(
  tx: Queryable,
  { workspace_id, user_id }: Holder,
): Promise<number> {
  const rows = await runOnce(
    tx,
    sql`delete from ${IDENTITIES} where workspace_id = ${workspace_id} and user_id = ${user_id}
      returning issuer`,
  );
  return rows.length;
}
