// The kinds of credentials: the look-up of each, and the content of its row. The part that is the same for all of
// them, the person and the cache, is in authenticate.ts.

import { loadGrants } from '../../control/oauth/oauth-tokens.ts';
import { type ApiKeyRow, loadApiKeys } from '../../control/people/api-keys.ts';
import { loadSessions, type SessionRow } from '../../control/people/session-rows.ts';
import type { ErrorCode } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { isAccessToken, isFeedSecret, isSecret } from '../../model/rights/api-key-form.ts';
import type {
  CredentialKind,
  IdentifiedPrincipal,
  KeyPrincipal,
  SessionPrincipal,
} from '../../model/rights/principal.ts';
import { isToken } from '../../model/rights/session-token.ts';
import type { Queryable } from '../../postgres/db.ts';

/** The user and workspace of a credential, of any kind. */
export interface CredentialRow {
  readonly workspace_id: number;
  readonly schema_name: string;
  readonly revision: number;
  readonly user_id: number;
}

/** A credential that may be used, if its person may. */
export interface Valid {
  readonly principal: IdentifiedPrincipal;
  /** Milliseconds since 1970 by the clock of the database. */
  readonly endsAt: number;
}

/** A row with its judgement. */
export interface Judged {
  readonly row: CredentialRow;
  readonly judgement: Valid | ErrorCode;
}

export interface CredentialSource {
  /** The error for a malformed, unknown or ended credential, and for a deactivated person: all alike. */
  readonly invalid: ErrorCode;
  /** False costs no SQL. */
  isForm(secret: string): boolean;
  /** Loads with one statement; each at the place of its hash. */
  load(db: Queryable, hashes: readonly Buffer[]): Promise<readonly (Judged | undefined)[]>;
}

/** A credential as it is looked up: the access token of a grant is a key with a row of its own. */
export type SourceKind = CredentialKind | 'token';

/** `requestsPerMinute`: of keys without a limit of their own. */
export function credentialSources(
  requestsPerMinute: number,
): Readonly<Record<SourceKind, CredentialSource>> {
  const judged = (rows: readonly (ApiKeyRow | undefined)[]) =>
    rows.map((row) => row && { row, judgement: judgeKey(row, requestsPerMinute) });
  return {
    key: {
      invalid: 'invalid_api_key',
      isForm: isSecret,
      load: async (db, hashes) => judged(await loadApiKeys(db, hashes)),
    },
    token: {
      invalid: 'invalid_api_key',
      isForm: isAccessToken,
      load: async (db, hashes) => judged(await loadGrants(db, hashes)),
    },
    feed: {
      // Programs of calendars stop at 404, and ask for a password at 401.
      invalid: 'record_not_found',
      isForm: isFeedSecret,
      async load(db, hashes) {
        const rows = judged(await loadApiKeys(db, hashes));
        return rows.map((row) => (typeof row?.judgement === 'string' ? undefined : row));
      },
    },
    session: {
      invalid: 'invalid_credentials',
      isForm: isToken,
      async load(db, hashes) {
        const rows = await loadSessions(db, hashes);
        return rows.map((row) => row && { row, judgement: judgeSession(row) });
      },
    },
  };
}

function judgeKey(row: ApiKeyRow, requestsPerMinute: number): Valid | ErrorCode {
  if (row.revoked) return 'invalid_api_key';
  if (row.expires_in !== null && row.expires_in <= 0) return 'api_key_expired';
  const principal: KeyPrincipal = {
    kind: 'key',
    id: row.id,
    name: row.name,
    type: row.type,
    prefix: row.prefix,
    scopes: row.scopes,
    gates: row.gates,
    expires_at: row.expires_at,
    requests_per_minute: row.requests_per_minute ?? requestsPerMinute,
    ...(row.view_id === null ? {} : { view_id: row.view_id }),
  };
  return { principal, endsAt: row.expires_at === null ? Infinity : Date.parse(row.expires_at) };
}

function judgeSession(row: SessionRow): Valid | ErrorCode {
  if (row.ended) return 'invalid_credentials';
  const { id, method, second_factor, created_at, last_used_at, expires_at } = row;
  const principal: SessionPrincipal = {
    kind: 'session',
    ...{ id, method, second_factor, created_at, last_used_at, expires_at },
    isLimited: false,
    requests_per_minute: LIMITS.sessionRequestsPerMinute,
  };
  return { principal, endsAt: row.ends_at };
}
