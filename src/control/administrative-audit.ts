// The audit rows of what is done beside records (D259): sign-ins, keys, people, roles, definitions, jobs. They
// are in the same table as those of records, and no live event is made of them.

import type { Caller } from '../model/access.ts';
import { identifiedOf, keyOf, sessionOf } from '../model/principal.ts';
import type { Queryable } from '../postgres/db.ts';
import { runOnce } from '../postgres/run-once.ts';
import { EMPTY, identifier, sql } from '../sql/sql.ts';

/** Who did it; all null: an operator, by a command. */
export interface AdministrativeActor {
  readonly user_id: number | null;
  readonly api_key_id: string | null;
  readonly api_key_prefix: string | null;
  readonly session_id: string | null;
  readonly source: 'api' | 'import' | 'cli';
  readonly request_id: string | null;
}

export const SUBJECT_TYPES = [
  'session',
  'sign_in_link',
  'password',
  'key',
  'user',
  'team',
  'role',
  'definition',
  'import',
  'bulk',
  'export',
  'job',
  'view',
] as const;

export type SubjectType = (typeof SUBJECT_TYPES)[number];

/** One thing that was done. */
export interface AdministrativeEvent {
  readonly subject_type: SubjectType;
  /** Id or name of what it was done to; null when it has none. */
  readonly subject_id: string | null;
  /** A word such as `create`, `update`, `revoke`. */
  readonly action: string;
  /** Names of what changed, never values. */
  readonly changed_fields?: readonly string[];
  /** `transactionNumber`, for what builds beside writers must notice. */
  readonly transaction?: string;
}

/** An operator at the command line of the server. */
export const OPERATOR: AdministrativeActor = Object.freeze({
  user_id: null,
  api_key_id: null,
  api_key_prefix: null,
  session_id: null,
  source: 'cli',
  request_id: null,
});

/** The principal of a request. */
export function administrativeActor(caller: Caller, requestId: string): AdministrativeActor {
  const key = keyOf(caller.principal);
  return {
    user_id: caller.user.id,
    api_key_id: key?.id ?? null,
    api_key_prefix: key?.prefix ?? null,
    session_id: sessionOf(caller.principal)?.id ?? null,
    source: identifiedOf(caller.principal) === undefined ? 'cli' : 'api',
    request_id: requestId,
  };
}

/** Append a row for each event, in the transaction of the change. */
export async function appendAdministrativeAudit(
  tx: Queryable,
  schema: string,
  actor: AdministrativeActor,
  events: readonly AdministrativeEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map((event) => ({ changed_fields: [], ...event }));
  const isNumbered = events.every(({ transaction }) => transaction !== undefined);
  const [column, value] = isNumbered ? [sql`, transaction`, sql`, e.transaction`] : [EMPTY, EMPTY];
  await runOnce(
    tx,
    sql`insert into ${identifier(schema, '_audit')} (user_id, api_key_id, api_key_prefix, session_id,
        source, request_id, subject_type, subject_id, action, changed_fields${column})
      select ${actor.user_id}::integer, ${actor.api_key_id}::uuid, ${actor.api_key_prefix}::text,
        ${actor.session_id}::uuid, ${actor.source}::text, ${actor.request_id}::text, e.subject_type,
        e.subject_id, e.action, e.changed_fields${value}
      from jsonb_to_recordset(${JSON.stringify(rows)})
        as e (subject_type text, subject_id text, action text, changed_fields text[], transaction xid8)`,
  );
}
