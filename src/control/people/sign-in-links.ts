// One-time links to sign in with, found by the hash of their token. Their person is looked up again
// when they are used.

import type { Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { CONTROL_SCHEMA, identifier, sql } from '../../sql/sql.ts';
import { deleteSome } from '../process/delete-some.ts';
import type { Holder } from './passwords.ts';

export interface NewLink extends Holder {
  readonly id: string;
  readonly token_hash: Buffer;
  /** The hours for which an invitation is valid; null: a link to sign in with, for 30 minutes. */
  readonly hours: number | null;
  /** The administrator who makes it; null: the operator, or its person. */
  readonly maker_user_id: number | null;
}

/** A link that can be used. */
export interface OpenLink {
  readonly id: string;
  readonly purpose: 'sign_in' | 'invitation';
  readonly created_at: string;
  readonly expires_at: string;
  readonly maker_user_id: number | null;
}

const LINKS = identifier(CONTROL_SCHEMA, 'sign_in_links');
const WORKSPACES = identifier(CONTROL_SCHEMA, 'workspaces');

/** Add a link, or replace the one with its id: a mail that is sent again has one link. */
export async function appendLink(tx: Queryable, link: NewLink): Promise<OpenLink> {
  const hours = sql`${link.hours}::integer`;
  const rows = await runOnce(
    tx,
    sql`insert into ${LINKS} (id, workspace_id, user_id, token_hash, purpose, expires_at, maker_user_id)
      values (${link.id}, ${link.workspace_id}, ${link.user_id}, ${link.token_hash},
        case when ${hours} is null then 'sign_in' else 'invitation' end,
        now() + coalesce(make_interval(hours => ${hours}), interval '30 minutes'),
        ${link.maker_user_id}::integer)
      on conflict (id) do update set token_hash = excluded.token_hash, created_at = now(),
        expires_at = excluded.expires_at, used_at = null, maker_user_id = excluded.maker_user_id
      returning id, purpose, created_at, expires_at, maker_user_id`,
  );
  return rows[0] as unknown as OpenLink;
}

/** The links of a person that are neither used nor over, the newest first. */
export async function loadOpenLinks(
  db: Queryable,
  { workspace_id, user_id }: Holder,
): Promise<readonly OpenLink[]> {
  const rows = await runOnce(
    db,
    sql`select id, purpose, created_at, expires_at, maker_user_id from ${LINKS}
      where workspace_id = ${workspace_id} and user_id = ${user_id} and used_at is null
        and expires_at > now() order by created_at desc, id desc`,
  );
  return rows as unknown as readonly OpenLink[];
}

export interface UsedLink extends Holder {
  readonly id: string;
  readonly maker_user_id: number | null;
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
      returning link.id, link.workspace_id, link.user_id, link.maker_user_id, workspace.schema_name as schema,
        workspace.slug, workspace.name`,
  );
  return row as unknown as UsedLink | undefined;
}

/** The links that end: all of a person, those of a purpose, or one. */
export interface EndedLinks extends Holder {
  readonly purpose?: OpenLink['purpose'];
  readonly id?: string;
}

/** Unused links become useless, and with invitations the mail that would make another one; answers how many were in force. */
export async function endLinks(
  tx: Queryable,
  { workspace_id, user_id, purpose, id }: EndedLinks,
): Promise<number> {
  // First: a mail that is being sent has made its link when this statement ends, so that the next one finds it.
  if (purpose !== 'sign_in') await skipInvitation(tx, { workspace_id, user_id }, id);
  const rows = await runOnce(
    tx,
    sql`update ${LINKS} set used_at = now()
      where workspace_id = ${workspace_id} and user_id = ${user_id} and used_at is null
        and expires_at > now()
        and (${purpose ?? null}::text is null or purpose = ${purpose ?? null}::text)
        and (${id ?? null}::uuid is null or id = ${id ?? null}::uuid)
      returning id`,
  );
  return rows.length;
}

/** The mail that waits is not sent; with an id, only when this link is an invitation. */
async function skipInvitation(
  tx: Queryable,
  { workspace_id, user_id }: Holder,
  id: string | undefined,
): Promise<void> {
  await runOnce(
    tx,
    sql`update ${identifier(CONTROL_SCHEMA, 'mails')} set state = 'skipped', ended_at = now()
      where workspace_id = ${workspace_id} and user_id = ${user_id} and kind = 'invitation'
        and state = 'waiting' and (${id ?? null}::uuid is null or exists (
          select from ${LINKS} where id = ${id ?? null}::uuid and purpose = 'invitation'))`,
  );
}

/** Delete links that are over; answers how many. */
export function deleteOldLinks(db: Queryable, most: number): Promise<number> {
  const where = sql`t.expires_at < now() - interval '7 days'`;
  return deleteSome(db, { table: LINKS, key: identifier('id'), where }, most);
}
