// The audit rows of everything but records (D259): sign-ins, keys, people, roles, definitions, jobs. They are in the
// same table as those of records, and no live event is made of them.

import type { Caller } from '../../model/rights/access.ts';
import { keyOf, type Principal, sessionOf } from '../../model/rights/principal.ts';
import type { Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { EMPTY, identifier, sql } from '../../sql/sql.ts';
import { PEOPLE_JOBS } from '../jobs/job-kinds.ts';

/** Somebody in a session, a program with a key, or a command on behalf of a person. */
export interface CallerActor {
  readonly kind: 'caller';
  readonly caller: Caller;
  /** Null: a command has no request. */
  readonly request_id: string | null;
}

/** An operator at the command line of the server, or with the key of operators. */
export interface Operator {
  readonly kind: 'operator';
}

/** Somebody who signs in, or fails to. */
export interface SigningIn {
  readonly kind: 'sign_in';
  /** Null: unknown. */
  readonly user_id: number | null;
  /** The session that begins. */
  readonly session_id: string | null;
  readonly request_id: string;
}

/** A job, with the names of its author. */
export interface JobActor {
  readonly kind: 'job';
  readonly asked_by: AuditedActor;
}

/** The service itself, such as when it disables a webhook. */
export interface ServiceActor {
  readonly kind: 'service';
}

/** The actor of a change of something other than records. */
export type AdministrativeActor = CallerActor | Operator | SigningIn | JobActor | ServiceActor;

/** The names of an actor in the audit; all null: an operator, or with the source `api` the service itself. */
export interface AuditedActor {
  readonly user_id: number | null;
  readonly api_key_id: string | null;
  readonly api_key_prefix: string | null;
  readonly session_id: string | null;
  readonly source: 'api' | 'import' | 'cli';
  readonly request_id: string | null;
}

export const SUBJECT_TYPES = [
  'session',
  'viewing',
  'sign_in_link',
  'password',
  'second_factor',
  'key',
  'oauth_client',
  'user',
  'team',
  'role',
  'definition',
  ...PEOPLE_JOBS,
  'job',
  'view',
  'dashboard',
  'webhook',
  'status_check',
] as const;

export type SubjectType = (typeof SUBJECT_TYPES)[number];

/** One administrative act. */
export interface AdministrativeEvent {
  readonly subject_type: SubjectType;
  /** Id or name of the subject of the action; null when it has none. */
  readonly subject_id: string | null;
  /** A word such as `create`, `update`, `revoke`. */
  readonly action: string;
  /** Names of what changed, never values. */
  readonly changed_fields?: readonly string[];
  /** `transactionNumber`, for rows that builds during other writes must notice. */
  readonly transaction?: string;
}

/** An event about one subject, such as a view that is deleted. */
export function subjectEvent(
  subject_type: SubjectType,
  subject_id: string,
  action: string,
): AdministrativeEvent {
  return { subject_type, subject_id, action };
}

export const OPERATOR: Operator = Object.freeze({ kind: 'operator' });

export const SERVICE: ServiceActor = Object.freeze({ kind: 'service' });

/** The principal of a request; without `requestId` that of a command. */
export function administrativeActor(caller: Caller, requestId: string | null): CallerActor {
  return { kind: 'caller', caller, request_id: requestId };
}

const NOBODY: AuditedActor = Object.freeze({
  user_id: null,
  api_key_id: null,
  api_key_prefix: null,
  session_id: null,
  source: 'cli',
  request_id: null,
});

/** The actor as the audit names it. */
export function auditedActor(actor: AdministrativeActor): AuditedActor {
  switch (actor.kind) {
    case 'operator':
      return NOBODY;
    case 'service':
      return { ...NOBODY, source: 'api' };
    case 'job':
      return actor.asked_by;
    case 'sign_in': {
      const { user_id, session_id, request_id } = actor;
      return { ...NOBODY, user_id, session_id, request_id, source: 'api' };
    }
    case 'caller':
      return auditedCaller(actor);
  }
}

const SOURCES: Readonly<Record<Principal['kind'], AuditedActor['source']>> = {
  key: 'api',
  session: 'api',
  viewing: 'api',
  import: 'import',
  export: 'cli',
  bulk: 'cli',
  webhook: 'api',
  request: 'api',
  mail: 'api',
};

function auditedCaller({ caller, request_id }: CallerActor): AuditedActor {
  const key = keyOf(caller.principal);
  return {
    user_id: caller.user.id,
    api_key_id: key?.id ?? null,
    api_key_prefix: key?.prefix ?? null,
    session_id: sessionOf(caller.principal)?.id ?? null,
    source: SOURCES[caller.principal.kind],
    request_id,
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
  const by = auditedActor(actor);
  const rows = events.map((event) => ({ changed_fields: [], ...event }));
  const isNumbered = events.every(({ transaction }) => transaction !== undefined);
  const [column, value] = isNumbered ? [sql`, transaction`, sql`, e.transaction`] : [EMPTY, EMPTY];
  await runOnce(
    tx,
    sql`insert into ${identifier(schema, '_audit')} (user_id, api_key_id, api_key_prefix, session_id,
        source, request_id, subject_type, subject_id, action, changed_fields${column})
      select ${by.user_id}::integer, ${by.api_key_id}::uuid, ${by.api_key_prefix}::text,
        ${by.session_id}::uuid, ${by.source}::text, ${by.request_id}::text, e.subject_type,
        e.subject_id, e.action, e.changed_fields${value}
      from jsonb_to_recordset(${JSON.stringify(rows)})
        as e (subject_type text, subject_id text, action text, changed_fields text[], transaction xid8)`,
  );
}
