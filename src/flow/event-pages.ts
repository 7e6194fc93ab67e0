// What feeds of live events read: pages of the outbox, and where in it a reader is who comes with an id.

import { errorFromProblems } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import type { WorkspaceModel } from '../model/model.ts';
import { openEventId } from '../plan/event-id.ts';
import { type EventPosition, type EventRow, planEventPage, unseenBy } from '../plan/event-plan.ts';
import { behindSql, eventsSql, PRESENT } from '../sql/event-sql.ts';
import { toStatement } from '../sql/sql.ts';
import type { Queryable } from '../store/db.ts';

/** The snapshot of who was told of all up to the id. */
export function requireEventId({ cursor_secret }: WorkspaceModel, lastEventId: string): string {
  const told = openEventId(cursor_secret, lastEventId);
  if (told !== undefined) return told;
  const message = 'The Last-Event-ID was not sent by a stream of this workspace.';
  throw errorFromProblems([{ param: 'Last-Event-ID', code: 'validation_failed', message }]);
}

export interface Present {
  readonly snapshot: string;
  /** True when who knows no more than another snapshot is too far behind to catch up. */
  readonly too_far: boolean;
}

export async function loadPresent(
  db: Queryable,
  { schema }: WorkspaceModel,
  told?: string,
): Promise<Present> {
  const [present] = await db.query(toStatement(PRESENT));
  const snapshot = present?.snapshot as string;
  if (told === undefined) return { snapshot, too_far: false };
  const bounds = { to: snapshot, most: LIMITS.eventsBehind };
  const [found] = await db.query(toStatement(behindSql(schema, unseenBy(told), bounds)));
  return { snapshot, too_far: found?.too_far === true };
}

export interface Page {
  readonly rows: readonly EventRow[];
  /** Where a reader is who has been told of the rows. */
  readonly next: EventPosition;
  /** The snapshot that the rows were read up to. */
  readonly to: string;
}

/** Which page: behind a position, up to a snapshot or (null) to the present, at most so many rows. */
export interface PageRequest {
  readonly position: EventPosition;
  readonly end: string | null;
  readonly limit: number;
}

export async function loadPage(
  db: Queryable,
  model: WorkspaceModel,
  { position, end, limit }: PageRequest,
): Promise<Page> {
  const plan = planEventPage(position, end, limit);
  const to = plan.to ?? (await loadPresent(db, model)).snapshot;
  const found = await db.query(toStatement(eventsSql(model, plan, to)));
  const rows = found as unknown as readonly EventRow[];
  const isWhole = rows.length < limit;
  return { rows, to, next: isWhole ? { told: to } : positionAt(position, to, rows.at(-1)) };
}

/** Where a reader is who was told of the rows up to this one only. */
export function positionAt(
  position: EventPosition,
  to: string,
  last: EventRow | undefined,
): EventPosition {
  if (last === undefined) return position;
  const { transaction, id } = last;
  return { told: position.told, within: { to, after: { transaction, id } } };
}
