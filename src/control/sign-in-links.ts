// One-time links to sign in with, found by the hash of their token. Their person is looked up again
// when they are used.

import type { Queryable } from '../postgres/db.ts';
import { runOnce } from '../postgres/run-once.ts';
import { CONTROL_SCHEMA, identifier, sql } from '../sql/sql.ts';
import { deleteSome } from './delete-some.ts';
import type { Holder } from './passwords.ts';

export interface NewLink extends Holder {
  readonly id: string;
  readonly token_hash: Buffer;
}

const LINKS = identifier(CONTROL_SCHEMA, 'sign_in_links');
const WORKSPACES = identifier(CONTROL_SCHEMA, 'workspaces');

/** Add a link that holds for 30 minutes; answers when it ends. */
export async function appendLink(tx: Queryable, link: NewLink): Promise<string> {
  const [row] = await runOnce(
    tx,
    sql`insert into ${LINKS} (id, workspace_id, user_id, token_hash, expires_at)
      values (${link.id}, ${link.workspace_id}, ${link.user_id}, ${link.token_hash},
        now() + interval '30 minutes')
      returning expires_at`,
  );
  return row?.expires_at as string;
}

export interface UsedLink extends Holder {
  readonly id: string;
  readonly schema: string;
  readonly slug: string;
  readonly name: string;
}

/** Use a link, once; undefined when there is none that is in force. */
export async function useLink(tx: Queryable, tokenHash: Buffer): Promise<UsedLink | undefined> {
  const [row] = await runOnce(
    tx,
    sql`update ${LINKS} link set used_at = now() from ${WORKSPACES} workspace
      where link.token_hash = ${tokenHash} and link.used_at is null and link.expires_at > now()
        and workspace.id = link.workspace_id
      returning link.id, link.workspace_id, link.user_id, workspace.schema_name as schema,
        workspace.slug, workspace.name`,
  );
  return row as unknown as UsedLink | undefined;
}

/** Unused links of a person become useless. */
export async function endLinks(tx: Queryable, { workspace_id, user_id }: Holder): Promise<void> {
  await runOnce(
    tx,
    sql`update ${LINKS} set used_at = now()
      where workspace_id = ${workspace_id} and user_id = ${user_id} and used_at is null`,
  );
}

/** Delete links that are over; answers how many. */
export function deleteOldLinks(db: Queryable, most: number): Promise<number> {
  const where = sql`t.expires_at < now() - interval '7 days'`;
  return deleteSome(db, { table: LINKS, key: identifier('id'), where }, most);
}
