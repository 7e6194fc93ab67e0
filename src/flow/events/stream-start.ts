// Where a stream of live events begins: at the event that its client names, or now.

import { loadChangesMoment } from '../../control/process/moments.ts';
import { errorFromProblems } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { say } from '../../messages/message.ts';
import { openPosition } from '../../plan/events/event-id.ts';
import type { RightsEvent } from '../../plan/events/event-plan.ts';
import type { EventPosition, ReaderPosition } from '../../plan/events/event-position.ts';
import { unseenBy } from '../../plan/events/snapshot-moment.ts';
import type { ReaderRights } from '../../plan/people/reader-rights.ts';
import { behindSql } from '../../sql/events/event-sql.ts';
import { toStatement } from '../../sql/sql.ts';
import { endFor, noteTurn, type Turns } from './event-moves.ts';
import type { Outbox } from './event-pages.ts';
import { rightsEvents, rightsKey } from './event-rights.ts';
import type { ResetReason } from './event-subscriber.ts';

export interface Start {
  readonly position: EventPosition;
  /** The time at which the client was there, in milliseconds since 1970. */
  readonly at: number;
  /** The changes of the reader's rights since. */
  readonly rights: readonly RightsEvent[];
  /** Set when events after the client's position can no longer be sent. */
  readonly reset: ResetReason | undefined;
  /** The present moment. */
  readonly present: string;
}

/** Errors: `validation_failed` for the id. */
export async function startAfter(
  outbox: Outbox,
  turns: Turns,
  { reading, lastEventId }: { readonly reading: ReaderRights; readonly lastEventId: string },
): Promise<Start> {
  const from = requireEventId(reading, lastEventId);
  const { schema } = reading.model;
  const { delivered } = from.position;
  const present = await loadChangesMoment(outbox.db, schema, delivered);
  await noteTurn(outbox.db, schema, turns, { before: delivered, now: present, elapsed: Infinity });
  const isPassed = endFor(turns, delivered, present) !== undefined;
  const rights = await rightsEvents(outbox, reading, rightsKey(from.rights, from.at));
  const reset = isPassed ? await tooFar(outbox, schema, { from, present }) : 'database_recovered';
  if (reset === undefined) return { ...from, rights, reset, present };
  return { position: { delivered: present }, at: Date.now(), rights, reset, present };
}

/** The position that the id of an event names. */
function requireEventId({ model, caller }: ReaderRights, lastEventId: string): ReaderPosition {
  const named = openPosition(model.cursor_secret, caller.user.id, lastEventId);
  if (named !== undefined) return named;
  const message = say('last_event_id_foreign');
  throw errorFromProblems([{ param: 'Last-Event-ID', code: 'validation_failed', message }]);
}

async function tooFar(
  { db, days }: Outbox,
  schema: string,
  { from, present }: { readonly from: ReaderPosition; readonly present: string },
): Promise<ResetReason | undefined> {
  const isOld = from.at < Date.now() - days * 86_400_000;
  const bounds = { to: present, most: LIMITS.eventsBehind };
  const statement = behindSql(schema, unseenBy(from.position.delivered), bounds);
  const [found] = isOld ? [] : await db.near(schema).query(toStatement(statement));
  return isOld || found?.too_far === true ? 'too_far_behind' : undefined;
}
