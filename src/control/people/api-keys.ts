// API keys in the control schema: made, found by the hash of their secret, listed, revoked. Whether a
// key may be used is decided in flow/people/authenticate.ts.

import type { KeyType } from '../../model/rights/api-key-form.ts';
import type { Queryable } from '../../postgres/db.ts';
import { CONTROL_SCHEMA, identifier, type Sql, sql, toStatement } from '../../sql/sql.ts';

/** The public properties of a key. */
interface ApiKeyColumns {
  readonly id: string;
  readonly user_id: number;
  readonly type: KeyType;
  readonly name: string;
  readonly prefix: string;
  readonly scopes: readonly string[];
  readonly requests_per_minute: number | null;
  /** False: it neither moves records through gates nor approves. */
  readonly gates: boolean;
  /** The view that a calendar feed reads; null: another key. */
  readonly view_id: string | null;
}

/** A key together with what authentication needs of its workspace. */
export interface ApiKeyRow extends ApiKeyColumns {
  readonly workspace_id: number;
  readonly schema_name: string;
  /** Revision of the definition in force; a model with a lower one is out of date. */
  readonly revision: number;
  readonly expires_at: string | null;
  readonly revoked: boolean;
  /** Milliseconds until the key expires by the clock of the database; null: never. */
  readonly expires_in: number | null;
}

export interface NewApiKey extends Omit<ApiKeyColumns, 'gates' | 'view_id'> {
  /** Left out: true. */
  readonly gates?: boolean;
  /** The client of a grant of OAuth. */
  readonly client_id?: string;
  /** The view of a calendar feed. */
  readonly view_id?: string;
  readonly workspace_id: number;
  readonly secret_hash: Buffer;
  /** A moment, or seconds from now by the clock of the database. */
  readonly expires: string | number | null;
}

export interface ListedApiKey extends ApiKeyColumns {
  /** The client that has it by a grant of OAuth; null: a key of its own. */
  readonly client_id: string | null;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly created_at: string;
  /** The time of the last use to the minute; null: never. */
  readonly last_used_at: string | null;
}

/** Selects keys of a workspace; undefined is no condition. */
export interface ApiKeyFilter {
  readonly user_id?: number | undefined;
  /** True: revoked ones too. */
  readonly revoked: boolean;
  /** Only keys made before this one. */
  readonly before?: string | undefined;
}

/** The rights that a key can give to the keys it makes. */
export type HeldApiKey = Pick<ListedApiKey, 'scopes' | 'requests_per_minute' | 'expires_at'>;

/** The properties of a key that can be changed. */
export interface ApiKeyChange {
  readonly name: string;
  readonly requests_per_minute: number | null;
  readonly expires_at: string | null;
}

const API_KEYS = identifier(CONTROL_SCHEMA, 'api_keys');
const WORKSPACES = identifier(CONTROL_SCHEMA, 'workspaces');
const LISTED = sql`id, user_id, type, name, prefix, scopes, requests_per_minute, gates, client_id,
  view_id, expires_at, revoked_at, created_at, (
    select use.last_used_at from ${identifier(CONTROL_SCHEMA, 'key_uses')} use
    where use.api_key_id = id) as last_used_at`;

const BY_HASH = toStatement(sql`
  select key.secret_hash, key.id, key.workspace_id, workspace.schema_name, workspace.revision,
    key.user_id, key.type, key.name, key.prefix, key.scopes, key.requests_per_minute, key.gates,
    key.view_id, key.expires_at, key.revoked_at is not null as revoked,
    extract(epoch from key.expires_at - now())::float8 * 1000 as expires_in
  from ${API_KEYS} as key join ${WORKSPACES} as workspace on workspace.id = key.workspace_id
  where key.secret_hash = any(${[]}::bytea[])
`);

/** The keys with these hashes, each at the place of its hash; undefined where there is none. */
export async function loadApiKeys(
  db: Queryable,
  hashes: readonly Buffer[],
): Promise<readonly (ApiKeyRow | undefined)[]> {
  const rows = await db.query({ text: BY_HASH.text, values: [hashes] });
  const byHash = new Map(rows.map((row) => [(row.secret_hash as Buffer).toString('hex'), row]));
  return hashes.map((hash) => byHash.get(hash.toString('hex')) as ApiKeyRow | undefined);
}

export async function putApiKey(db: Queryable, key: NewApiKey): Promise<ListedApiKey> {
  const expires =
    typeof key.expires === 'number'
      ? sql`now() + make_interval(secs => ${key.expires})`
      : sql`${key.expires}::timestamptz`;
  const [row] = await db.query(
    toStatement(sql`
      insert into ${API_KEYS} (id, workspace_id, user_id, type, name, prefix, secret_hash, scopes,
        requests_per_minute, gates, client_id, view_id, expires_at)
      values (${key.id}, ${key.workspace_id}, ${key.user_id}, ${key.type}, ${key.name},
        ${key.prefix}, ${key.secret_hash}, ${key.scopes}, ${key.requests_per_minute}, ${key.gates ?? true},
        ${key.client_id ?? null}::text, ${key.view_id ?? null}::uuid, ${expires})
      returning ${LISTED}`),
  );
  return row as unknown as ListedApiKey;
}

/** Keys of a person that are in force, and those of the last hour, which have had windows of their own. */
export async function countApiKeys(
  db: Queryable,
  workspaceId: number,
  userId: number,
): Promise<number> {
  const [row] = await db.query(
    toStatement(sql`select count(*)::integer as keys from ${API_KEYS}
      where workspace_id = ${workspaceId}::integer and user_id = ${userId}::integer
        and (created_at > now() - interval '1 hour'
          or (revoked_at is null and (expires_at is null or expires_at > now())))`),
  );
  return row?.keys as number;
}

/** Every key of a workspace, revoked ones included, oldest first. */
export async function loadApiKeysOf(
  db: Queryable,
  workspaceId: number,
): Promise<readonly ListedApiKey[]> {
  const rows = await db.query(
    toStatement(sql`select ${LISTED} from ${API_KEYS} where workspace_id = ${workspaceId}
      order by created_at, id`),
  );
  return rows as unknown as readonly ListedApiKey[];
}

/** A page of the keys of a workspace, newest first: ids are made of the time. */
export async function loadApiKeyPage(
  db: Queryable,
  workspaceId: number,
  { user_id, revoked, before }: ApiKeyFilter,
  limit: number,
): Promise<readonly ListedApiKey[]> {
  const rows = await db.query(
    toStatement(sql`select ${LISTED} from ${API_KEYS}
      where workspace_id = ${workspaceId}
        and (${user_id ?? null}::integer is null or user_id = ${user_id ?? null}::integer)
        and (${revoked}::boolean or revoked_at is null)
        and (${before ?? null}::uuid is null or id < ${before ?? null}::uuid)
      order by id desc limit ${limit}`),
  );
  return rows as unknown as readonly ListedApiKey[];
}

/** Locks a key of the workspace against changes until the transaction ends. */
export async function lockApiKey(
  tx: Queryable,
  workspaceId: number,
  id: string,
): Promise<ListedApiKey | undefined> {
  const rows = await tx.query(
    toStatement(sql`select ${LISTED} from ${API_KEYS}
      where workspace_id = ${workspaceId} and id = ${id}::uuid for update`),
  );
  return rows[0] as unknown as ListedApiKey | undefined;
}

/**
 * Locks a key that makes others and returns its rights; undefined when it has ended. It cannot be revoked or changed
 * until the transaction ends.
 */
export async function holdApiKey(tx: Queryable, id: string): Promise<HeldApiKey | undefined> {
  const rows = await tx.query(
    toStatement(sql`select scopes, requests_per_minute, expires_at from ${API_KEYS}
      where id = ${id}::uuid and revoked_at is null
        and (expires_at is null or expires_at > clock_timestamp()) for share`),
  );
  return rows[0] as HeldApiKey | undefined;
}

/** A key that is valid now, with the person it acts as. */
export interface KeyInForce {
  readonly id: string;
  readonly user_id: number;
  readonly expires_at: string | null;
}

/** The keys of the workspace among these ids that are neither revoked nor expired. */
export async function loadKeysInForce(
  db: Queryable,
  workspaceId: number,
  ids: readonly string[],
): Promise<readonly KeyInForce[]> {
  const rows = await db.query(
    toStatement(sql`select id, user_id, expires_at from ${API_KEYS}
      where workspace_id = ${workspaceId} and id = any(${ids}::uuid[]) and revoked_at is null
        and (expires_at is null or expires_at > now())`),
  );
  return rows as unknown as readonly KeyInForce[];
}

/** The moment of the database, for times that a key is to end at. */
export async function loadMoment(db: Queryable, secondsFromNow: number): Promise<string> {
  const rows = await db.query(
    toStatement(
      sql`select (clock_timestamp() + make_interval(secs => ${secondsFromNow}))::timestamptz(3) as at`,
    ),
  );
  return rows[0]?.at as string;
}

export async function changeApiKey(
  tx: Queryable,
  id: string,
  { name, requests_per_minute, expires_at }: ApiKeyChange,
): Promise<ListedApiKey> {
  const [row] = await tx.query(
    toStatement(sql`update ${API_KEYS} set name = ${name},
        requests_per_minute = ${requests_per_minute}::integer, expires_at = ${expires_at}::timestamptz
      where id = ${id}::uuid returning ${LISTED}`),
  );
  return row as unknown as ListedApiKey;
}

/** Revoke by id or prefix, once; empty when no key that is in force matches. */
export async function revokeApiKeys(
  db: Queryable,
  workspaceId: number,
  idOrPrefix: string,
): Promise<readonly ListedApiKey[]> {
  const rows = await db.query(
    toStatement(sql`
      update ${API_KEYS} set revoked_at = now()
      where workspace_id = ${workspaceId} and revoked_at is null
        and (id::text = ${idOrPrefix} or prefix = ${idOrPrefix})
      returning ${LISTED}`),
  );
  return rows as unknown as readonly ListedApiKey[];
}

/** Revoke the grants of a client; those that were in force. */
export async function revokeGrants(
  tx: Queryable,
  workspaceId: number,
  clientId: string,
): Promise<readonly ListedApiKey[]> {
  const rows = await tx.query(
    toStatement(sql`
      update ${API_KEYS} set revoked_at = now()
      where workspace_id = ${workspaceId} and client_id = ${clientId} and revoked_at is null
      returning ${LISTED}`),
  );
  return rows as unknown as readonly ListedApiKey[];
}

/** True when this key was revoked or has expired; null is no key. */
export function isEndedSql(id: string | null): Sql {
  return sql`exists (select from ${API_KEYS} k where k.id = ${id}::uuid
    and (k.revoked_at is not null or k.expires_at <= now()))`;
}

export async function isKeyEnded(db: Queryable, id: string | null): Promise<boolean> {
  const [row] = await db.query(toStatement(sql`select ${isEndedSql(id)} as ended`));
  return row?.ended === true;
}
