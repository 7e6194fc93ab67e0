// The codes and tokens of grants, as hashes. A grant is a key (control/people/api-keys.ts).

import type { Queryable, Row } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { CONTROL_SCHEMA, identifier, sql, toStatement } from '../../sql/sql.ts';
import type { ApiKeyRow } from '../people/api-keys.ts';
import { deleteSome } from '../process/delete-some.ts';

/** The grant that a code or token belongs to, locked until the transaction ends. */
export interface LockedGrant {
  readonly api_key_id: string;
  readonly client_id: string;
  readonly user_id: number;
  readonly scopes: readonly string[];
  readonly prefix: string;
  /** The hash of a secret that nobody has: a random value. */
  readonly secret_hash: Buffer;
  /** True: neither revoked nor expired. */
  readonly in_force: boolean;
  readonly workspace: { readonly id: number; readonly schema: string; readonly slug: string };
}

export interface NewCode {
  readonly code_hash: Buffer;
  readonly api_key_id: string;
  readonly redirect_uri: string;
  readonly challenge: string;
  readonly issuer: string;
  /** Seconds from now. */
  readonly grant_seconds: number;
  readonly seconds: number;
}

export interface LockedCode extends Pick<NewCode, 'redirect_uri' | 'challenge' | 'issuer'> {
  readonly grant: LockedGrant;
  readonly used: boolean;
  readonly expired: boolean;
}

export interface LockedToken {
  readonly grant: LockedGrant;
  readonly kind: 'access' | 'refresh';
  readonly expired: boolean;
  /** Seconds since it was issued. */
  readonly issued_for: number;
  /** Seconds since it was used first; null: it was not. */
  readonly replaced_for: number | null;
}

const API_KEYS = identifier(CONTROL_SCHEMA, 'api_keys');
const WORKSPACES = identifier(CONTROL_SCHEMA, 'workspaces');
const CODES = identifier(CONTROL_SCHEMA, 'oauth_codes');
const TOKENS = identifier(CONTROL_SCHEMA, 'oauth_tokens');
const ACCESS_SECONDS = 3600;
/** The access tokens that a grant has at most. */
export const MOST_ACCESS_TOKENS = 50;

const GRANT = sql`key.id as api_key_id, key.client_id, key.user_id, key.scopes, key.prefix, key.secret_hash,
  key.revoked_at is null and key.expires_at > clock_timestamp() as in_force,
  workspace.id as workspace_id, workspace.schema_name, workspace.slug`;

function grantOf(row: Row): LockedGrant {
  const { workspace_id: id, schema_name: schema, slug } = row;
  const workspace = { id, schema, slug };
  const { api_key_id, client_id, user_id, scopes, prefix, secret_hash, in_force } = row;
  const grant = { api_key_id, client_id, user_id, scopes, prefix, secret_hash, in_force };
  return { ...grant, workspace } as unknown as LockedGrant;
}

const BY_ACCESS_TOKEN = toStatement(sql`
  select token.token_hash as secret_hash, key.id, key.workspace_id, workspace.schema_name,
    workspace.revision, key.user_id, key.type, key.name, key.prefix, key.scopes,
    key.requests_per_minute, key.gates, key.view_id, least(key.expires_at, token.expires_at) as expires_at,
    key.revoked_at is not null as revoked,
    extract(epoch from least(key.expires_at, token.expires_at) - now())::float8 * 1000 as expires_in
  from ${TOKENS} as token join ${API_KEYS} as key on key.id = token.api_key_id
    join ${WORKSPACES} as workspace on workspace.id = key.workspace_id
  where token.token_hash = any(${[]}::bytea[]) and token.kind = 'access'
`);

/** The grants of these access tokens as keys that end with the token, each at the place of its hash. */
export async function loadGrants(
  db: Queryable,
  hashes: readonly Buffer[],
): Promise<readonly (ApiKeyRow | undefined)[]> {
  const rows = await db.query({ text: BY_ACCESS_TOKEN.text, values: [hashes] });
  const byHash = new Map(rows.map((row) => [(row.secret_hash as Buffer).toString('hex'), row]));
  return hashes.map((hash) => byHash.get(hash.toString('hex')) as ApiKeyRow | undefined);
}

/** Add a code; its key ends with the code until the code is used. */
export async function appendCode(tx: Queryable, code: NewCode): Promise<void> {
  await runOnce(
    tx,
    sql`insert into ${CODES} (code_hash, api_key_id, redirect_uri, challenge, issuer, grant_ends_at,
        expires_at)
      values (${code.code_hash}, ${code.api_key_id}::uuid, ${code.redirect_uri}, ${code.challenge},
        ${code.issuer}, now() + make_interval(secs => ${code.grant_seconds}),
        now() + make_interval(secs => ${code.seconds}))`,
  );
}

/** A code with its grant, both locked until the transaction ends. */
export async function lockCode(tx: Queryable, hash: Buffer): Promise<LockedCode | undefined> {
  const [row] = await runOnce(
    tx,
    sql`select code.redirect_uri, code.challenge, code.issuer, code.used_at is not null as used,
        code.expires_at <= now() as expired, ${GRANT}
      from ${CODES} as code join ${API_KEYS} as key on key.id = code.api_key_id
        join ${WORKSPACES} as workspace on workspace.id = key.workspace_id
      where code.code_hash = ${hash} for update of code, key`,
  );
  return row && ({ ...row, grant: grantOf(row) } as unknown as LockedCode);
}

/** The code is used, and its grant lasts from now on as long as the person agreed to, unless they have shortened it since. */
export async function useCode(tx: Queryable, hash: Buffer): Promise<void> {
  await runOnce(
    tx,
    sql`with used as (update ${CODES} set used_at = now() where code_hash = ${hash}
        returning api_key_id, grant_ends_at, expires_at)
      update ${API_KEYS} key set expires_at = used.grant_ends_at from used
        where key.id = used.api_key_id and key.expires_at > used.expires_at - interval '1 second'`,
  );
}

/**
 * A token with its grant, locked until the transaction ends. The grant is locked by a statement of its own, so that the
 * second one sees what another transaction has done with the token.
 */
export async function lockToken(tx: Queryable, hash: Buffer): Promise<LockedToken | undefined> {
  await runOnce(
    tx,
    sql`select from ${API_KEYS} key where key.id =
        (select api_key_id from ${TOKENS} where token_hash = ${hash}) for update`,
  );
  const [row] = await runOnce(
    tx,
    sql`select token.kind, token.expires_at <= now() as expired,
        extract(epoch from clock_timestamp() - token.issued_at)::float8 as issued_for,
        extract(epoch from clock_timestamp() - token.replaced_at)::float8 as replaced_for, ${GRANT}
      from ${TOKENS} as token join ${API_KEYS} as key on key.id = token.api_key_id
        join ${WORKSPACES} as workspace on workspace.id = key.workspace_id
      where token.token_hash = ${hash}`,
  );
  return row && ({ ...row, grant: grantOf(row) } as unknown as LockedToken);
}

/** All refresh tokens of a grant are used: only one that comes after may be the first use of its own. */
export async function replaceTokens(tx: Queryable, grantId: string): Promise<void> {
  await runOnce(
    tx,
    sql`update ${TOKENS} set replaced_at = clock_timestamp()
      where api_key_id = ${grantId}::uuid and kind = 'refresh' and replaced_at is null`,
  );
}

/** The tokens of this kind of the last hour. */
export async function countRecentTokens(
  tx: Queryable,
  grantId: string,
  kind: LockedToken['kind'],
): Promise<number> {
  const [row] = await runOnce(
    tx,
    sql`select count(*)::integer as count from ${TOKENS} where api_key_id = ${grantId}::uuid
      and kind = ${kind} and issued_at > clock_timestamp() - interval '1 hour'`,
  );
  return row?.count as number;
}

/** Add an access and a refresh token, which may be there already, and drop the oldest of too many access tokens; the seconds for which the access token is valid. */
export async function appendTokens(
  tx: Queryable,
  grantId: string,
  hashes: { readonly access: Buffer; readonly refresh: Buffer },
): Promise<number> {
  const rows = await runOnce(
    tx,
    sql`insert into ${TOKENS} (token_hash, api_key_id, kind, expires_at)
      select new.hash, key.id, new.kind, least(key.expires_at,
        case when new.kind = 'access' then now() + make_interval(secs => ${ACCESS_SECONDS}) end)
      from ${API_KEYS} key, (values (${hashes.access}::bytea, 'access'), (${hashes.refresh}::bytea, 'refresh'))
        as new (hash, kind)
      where key.id = ${grantId}::uuid
      on conflict (token_hash) do nothing returning kind, round(extract(epoch from expires_at - now()))::integer as seconds`,
  );
  await runOnce(
    tx,
    sql`delete from ${TOKENS} where token_hash = any (array(
      select token_hash from ${TOKENS} where api_key_id = ${grantId}::uuid and kind = 'access'
      order by issued_at desc offset ${MOST_ACCESS_TOKENS}::integer))`,
  );
  return rows.find(({ kind }) => kind === 'access')?.seconds as number;
}

/** Delete codes and tokens that are over; answers how many. */
export async function deleteOldGrantSecrets(db: Queryable, most: number): Promise<number> {
  const where = sql`t.expires_at < now() - interval '1 day'`;
  const codes = await deleteSome(db, { table: CODES, key: identifier('code_hash'), where }, most);
  const tokens = await deleteSome(
    db,
    { table: TOKENS, key: identifier('token_hash'), where },
    most,
  );
  return Math.max(codes, tokens);
}
