// Clients of OAuth that have a row: those that registered themselves, and those that an administrator entered; and the
// clients that are switched off in a workspace.

import type { OauthClient } from '../../plan/oauth/client-plan.ts';
import type { Queryable, Row, Transaction } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { CONTROL_SCHEMA, identifier, sql } from '../../sql/sql.ts';
import { deleteSome } from '../process/delete-some.ts';

export interface NewClient extends OauthClient {
  /** Null: it registers itself. */
  readonly workspace_id: number | null;
  readonly registration_hash: Buffer | null;
}

export interface StoredClient extends OauthClient {
  readonly workspace_id: number | null;
  readonly registration_hash: Buffer | null;
  readonly created_at: string;
}

/** A client of a workspace: entered there, with grants there, or switched off there. */
export interface ListedClient {
  readonly client_id: string;
  /** Null: it has no row. */
  readonly name: string | null;
  readonly entered: boolean;
  readonly redirect_uris: readonly string[];
  readonly enabled: boolean;
  /** Grants in force. */
  readonly grants: number;
}

const CLIENTS = identifier(CONTROL_SCHEMA, 'oauth_clients');
const REFUSED = identifier(CONTROL_SCHEMA, 'oauth_refused_clients');
const API_KEYS = identifier(CONTROL_SCHEMA, 'api_keys');
/** Hours after which an unused registration is gone. */
const UNUSED = sql`interval '24 hours'`;

export async function loadClient(db: Queryable, id: string): Promise<StoredClient | undefined> {
  // An id of the service has no such character, and PostgreSQL takes no NUL.
  if (!/^[\x21-\x7e]+$/.test(id)) return undefined;
  const [row] = await runOnce(
    db,
    sql`select client_id, workspace_id, name, redirect_uris, secret_hash, registration_hash, created_at
      from ${CLIENTS} where client_id = ${id}
        and (workspace_id is not null or used_at is not null or created_at > now() - ${UNUSED})`,
  );
  return row && clientOf(row);
}

function clientOf(row: Row): StoredClient {
  const { client_id, workspace_id, ...others } = row;
  const kind = workspace_id === null ? 'registered' : 'entered';
  return { id: client_id, kind, workspace_id, ...others } as unknown as StoredClient;
}

/** Add a client; answers when it was created. */
export async function appendClient(tx: Queryable, client: NewClient): Promise<string> {
  const { id, workspace_id, name, redirect_uris, secret_hash, registration_hash } = client;
  const [row] = await runOnce(
    tx,
    sql`insert into ${CLIENTS} (client_id, workspace_id, name, redirect_uris, secret_hash, registration_hash)
      values (${id}, ${workspace_id}::integer, ${name}, ${redirect_uris}, ${secret_hash}::bytea,
        ${registration_hash}::bytea)
      returning created_at`,
  );
  return row?.created_at as string;
}

/** The number of unused registrations; until the transaction ends no other one adds any. */
export async function countUnusedClients(tx: Transaction): Promise<number> {
  await runOnce(tx, sql`lock table ${CLIENTS} in share row exclusive mode`);
  const [row] = await runOnce(
    tx,
    sql`select count(*)::integer as clients from ${CLIENTS}
      where workspace_id is null and used_at is null and created_at > now() - ${UNUSED}`,
  );
  return row?.clients as number;
}

export async function countEnteredClients(tx: Queryable, workspaceId: number): Promise<number> {
  const [row] = await runOnce(
    tx,
    sql`select count(*)::integer as clients from ${CLIENTS} where workspace_id = ${workspaceId}`,
  );
  return row?.clients as number;
}

/** A person has given it access: it is no longer unused. */
export async function noteClientUse(tx: Queryable, id: string): Promise<void> {
  await runOnce(
    tx,
    sql`update ${CLIENTS} set used_at = now() where client_id = ${id} and used_at is null`,
  );
}

export async function deleteClient(db: Queryable, id: string): Promise<void> {
  await runOnce(db, sql`delete from ${CLIENTS} where client_id = ${id}`);
}

export async function isClientRefused(
  db: Queryable,
  workspaceId: number,
  id: string,
): Promise<boolean> {
  const rows = await runOnce(
    db,
    sql`select from ${REFUSED} where workspace_id = ${workspaceId} and client_id = ${id}`,
  );
  return rows.length > 0;
}

/** The number of clients that are switched off. */
export async function countRefusedClients(tx: Queryable, workspaceId: number): Promise<number> {
  const [row] = await runOnce(
    tx,
    sql`select count(*)::integer as clients from ${REFUSED} where workspace_id = ${workspaceId}`,
  );
  return row?.clients as number;
}

/** Switch a client off or on; false: it was so already. */
export async function putClientRefusal(
  tx: Queryable,
  workspaceId: number,
  { id, enabled }: { readonly id: string; readonly enabled: boolean },
): Promise<boolean> {
  const change = enabled
    ? sql`delete from ${REFUSED} where workspace_id = ${workspaceId} and client_id = ${id} returning 1`
    : sql`insert into ${REFUSED} (workspace_id, client_id) values (${workspaceId}, ${id})
        on conflict do nothing returning 1`;
  return (await runOnce(tx, change)).length > 0;
}

/** The clients of a workspace, at most so many. */
export async function listClients(
  db: Queryable,
  workspaceId: number,
  most: number,
): Promise<readonly ListedClient[]> {
  const rows = await runOnce(
    db,
    sql`with granted as (
        select client_id, count(*)::integer as grants, max(created_at) as last from ${API_KEYS}
        where workspace_id = ${workspaceId} and client_id is not null and revoked_at is null
          and (expires_at is null or expires_at > now()) group by client_id),
      meant as (
        select client_id from granted
        union select client_id from ${CLIENTS} where workspace_id = ${workspaceId}
        union select client_id from ${REFUSED} where workspace_id = ${workspaceId})
      select meant.client_id, client.name, coalesce(client.workspace_id is not null, false) as entered,
        coalesce(client.redirect_uris, '{}') as redirect_uris,
        not exists (select from ${REFUSED} refused where refused.workspace_id = ${workspaceId}
          and refused.client_id = meant.client_id) as enabled,
        coalesce(granted.grants, 0) as grants
      from meant left join granted on granted.client_id = meant.client_id
        left join ${CLIENTS} client on client.client_id = meant.client_id
          and (client.workspace_id is null or client.workspace_id = ${workspaceId})
      order by granted.last desc nulls last, meant.client_id limit ${most}::integer`,
  );
  return rows as unknown as readonly ListedClient[];
}

/** Delete registrations without a grant in force; answers how many. */
export function deleteUnusedClients(db: Queryable, most: number): Promise<number> {
  const where = sql`t.workspace_id is null and t.created_at < now() - ${UNUSED}
    and (t.used_at is null or t.used_at < now() - ${UNUSED}) and not exists (
      select from ${API_KEYS} key where key.client_id = t.client_id and key.revoked_at is null
        and key.expires_at > now())`;
  return deleteSome(db, { table: CLIENTS, key: identifier('client_id'), where }, most);
}
