// Pages of the outbox of live events, and the position in it that the id of an event stands for.

import { loadMomentOf } from '../../control/moments.ts';
import { errorFromProblems } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import type { WorkspaceModel } from '../../model/model.ts';
import { openEventId, type ReaderPosition } from '../../plan/event-id.ts';
import { type EventPosition, type EventRow, planEventPage } from '../../plan/event-plan.ts';
import { isSameEpoch, unseenBy } from '../../plan/snapshot-moment.ts';
import type { Shareable } from '../../postgres/db.ts';
import { behindSql, eventsSql } from '../../sql/event-sql.ts';
import { toStatement } from '../../sql/sql.ts';

/** What the id of an event stands for. */
export function requireEventId(
  { cursor_secret }: WorkspaceModel,
  lastEventId: string,
): ReaderPosition {
  const told = openEventId(cursor_secret, lastEventId);
  if (told !== undefined) return told;
  const message = 'The Last-Event-ID was not sent by a stream of this workspace.';
  throw errorFromProblems([{ param: 'Last-Event-ID', code: 'validation_failed', message }]);
}

/** Why a stream cannot continue from its position. */
export type ResetReason = 'too_far_behind' | 'database_recovered';

export interface Present {
  readonly moment: string;
  /** Undefined when a stream can continue from the given moment. */
  readonly reset: ResetReason | undefined;
}

/** Where somebody comes from. */
export interface Origin {
  readonly delivered: string;
  /** The workspace has been moved since, and its next node is known (event-moves.ts). */
  readonly isPassed: boolean;
}

export async function loadPresent(
  db: Shareable,
  { schema }: WorkspaceModel,
  { delivered, isPassed }: Origin,
): Promise<Present> {
  const moment = await loadMomentOf(db, schema);
  if (isPassed) return { moment, reset: undefined };
  if (!isSameEpoch(moment, delivered)) return { moment, reset: 'database_recovered' };
  const bounds = { to: moment, most: LIMITS.eventsBehind };
  const [found] = await db
    .near(schema)
    .query(toStatement(behindSql(schema, unseenBy(delivered), bounds)));
  return { moment, reset: found?.too_far === true ? 'too_far_behind' : undefined };
}

export interface Page {
  readonly rows: readonly EventRow[];
  /** The position after the rows. */
  readonly next: EventPosition;
  /** The moment that the rows were read up to. */
  readonly to: string;
}

/** Which page: behind a position, up to a moment of the same epoch, at most so many rows. */
export interface PageRequest {
  readonly position: EventPosition;
  readonly end: string;
  readonly limit: number;
}

export async function loadPage(
  db: Shareable,
  model: WorkspaceModel,
  { position, end, limit }: PageRequest,
): Promise<Page> {
  const plan = planEventPage(position, end, limit);
  const { to } = plan;
  const found = await db.near(model.schema).query(toStatement(eventsSql(model, plan)));
  const rows = found as unknown as readonly EventRow[];
  const isWhole = rows.length < limit;
  return { rows, to, next: isWhole ? { delivered: to } : positionAt(position, to, rows.at(-1)) };
}

/** The position within a page, after this row. */
export function positionAt(
  position: EventPosition,
  to: string,
  last: EventRow | undefined,
): EventPosition {
  if (last === undefined) return position;
  const { transaction, id } = last;
  return { delivered: position.delivered, within: { to, after: { transaction, id } } };
}
