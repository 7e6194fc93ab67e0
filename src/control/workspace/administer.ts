// The one way to change something other than records: people, teams, keys, sessions, links, views, jobs. A change, its
// audit rows and the hints for other processes are one transaction (docs/design/administration.md).

import type { WorkspaceModel } from '../../model/definition/model.ts';
import type { Caller } from '../../model/rights/access.ts';
import type { Database, Queryable, Transaction } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { sql } from '../../sql/sql.ts';
import { WEBHOOKS_CHANNEL } from '../events/webhook-runs.ts';
import { PEOPLE_JOBS } from '../jobs/job-kinds.ts';
import { JOBS_CHANNEL } from '../jobs/jobs.ts';
import { notePeople } from '../people/people.ts';
import {
  type AdministrativeActor,
  type AdministrativeEvent,
  administrativeActor,
  appendAdministrativeAudit,
  type CallerActor,
  type SubjectType,
} from './administrative-audit.ts';
import { CHANNEL } from './workspaces.ts';

/** The actor of a change, and its workspace. */
export interface Administration<Actor extends AdministrativeActor = AdministrativeActor> {
  readonly db: Database;
  readonly workspace: AdministeredWorkspace;
  readonly actor: Actor;
}

export interface AdministeredWorkspace {
  readonly id: number;
  readonly schema: string;
  readonly slug: string;
}

/** The result of a change and its events; a change without events has changed no row. */
export interface Made<Result> {
  readonly result: Result;
  readonly events: readonly AdministrativeEvent[];
}

/** The context of a change that a request makes. */
export interface AskedByCaller {
  readonly db: Database;
  readonly model: WorkspaceModel;
  readonly caller: Caller;
  readonly requestId: string;
}

export function administrationOf(asked: AskedByCaller): Administration<CallerActor> {
  const { db, model, caller, requestId } = asked;
  const workspace = { ...model.workspace, schema: model.schema };
  return { db, workspace, actor: administrativeActor(caller, requestId) };
}

/**
 * Make a change: all of it, with its audit rows and hints, or none of it. A change locks before it reads, in this
 * order: the row of the workspace, for people and teams; the rows that change; the calling key; the limits of a
 * person. It may be called again after a deadlock. Errors: those of the change.
 */
export function administer<Result>(
  asked: Administration,
  change: (tx: Transaction) => Promise<Made<Result>>,
): Promise<Result> {
  return asked.db.transaction(async (tx) => {
    const { result, events } = await change(tx);
    await noteEvents(tx, asked, events);
    return result;
  });
}

/**
 * The audit rows and hints of a change whose transaction does more: a sign-in, a request under an `Idempotency-Key`.
 * Also of an audited failure without a change.
 */
export async function noteEvents(
  tx: Queryable,
  { workspace, actor }: Omit<Administration, 'db'>,
  events: readonly AdministrativeEvent[],
): Promise<void> {
  await appendAdministrativeAudit(tx, workspace.schema, actor, events);
  if (events.some(isOfPeople)) await notePeople(tx, workspace.schema);
  const hints = events.flatMap((event) => hintOf(workspace.id, event) ?? []);
  if (hints.length === 0) return;
  await runOnce(
    tx,
    sql`select pg_notify(h.channel, h.payload)
      from jsonb_to_recordset(${JSON.stringify(hints)}) as h (channel text, payload text)`,
  );
}

interface Hint {
  readonly channel: string;
  readonly payload: string;
}

/**
 * The notification for other processes; PostgreSQL sends it with the commit and only then. They check for changes
 * within a second in any case (D80).
 */
function hintOf(workspaceId: number, event: AdministrativeEvent): Hint | undefined {
  const { subject_type, subject_id, action } = event;
  if (isOfPeople(event)) return { channel: CHANNEL, payload: `people:${workspaceId}` };
  if (isJob(event) && action === 'create')
    return { channel: JOBS_CHANNEL, payload: `${subject_id}` };
  switch (subject_type) {
    case 'key':
      return { channel: CHANNEL, payload: `key:${subject_id}` };
    case 'session':
      return ENDS.has(action)
        ? { channel: CHANNEL, payload: `sessions:${workspaceId}` }
        : undefined;
    case 'viewing':
      return { channel: CHANNEL, payload: `sessions:${workspaceId}` };
    case 'webhook':
      return { channel: WEBHOOKS_CHANNEL, payload: `${workspaceId}` };
    default:
      return undefined;
  }
}

function isJob({ subject_type }: AdministrativeEvent): boolean {
  return (PEOPLE_JOBS as readonly SubjectType[]).includes(subject_type);
}

const ENDS: ReadonlySet<string> = new Set(['end', 'sign_out']);

/** Identities at providers change no rights. */
function isOfPeople({ subject_type, action }: AdministrativeEvent): boolean {
  if (subject_type !== 'user' && subject_type !== 'team') return false;
  return action === 'create' || action === 'update' || action === 'delete';
}
