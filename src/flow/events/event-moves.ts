// How readers of changes continue when a crash has ended an epoch (D455), and when the workspace is moved to another node
// of Citus (docs/design/live-events.md, D355): changes of the node before are sent first, all of them, then those of the
// next one.

import { isContinued } from '../../control/process/moments.ts';
import {
  epochOf,
  isMoved,
  isSameEpoch,
  momentBefore,
  snapshotOf,
  unseenBy,
} from '../../plan/events/snapshot-moment.ts';
import type { Shareable } from '../../postgres/db.ts';
import { turnOfMoveSql } from '../../sql/events/event-sql.ts';
import { toStatement } from '../../sql/sql.ts';

interface Move {
  /** Sees all that was written on the node before. */
  readonly end: string;
  /** Sees nothing of what was written on the next node. */
  readonly start: string;
}

/** A crash: the same data in the next epoch. */
interface Crash {
  readonly next: string;
}

/** The moves and crashes that a process has seen, by the epoch that each of them ended. */
export type Turns = Map<string, Move | Crash>;

/** A step from one moment that a feed has polled to the next. */
export interface Step {
  readonly before: string;
  readonly now: string;
  /** Milliseconds between the two. */
  readonly elapsed: number;
}

/** Milliseconds in which a workspace is not moved twice. */
const ONE_MOVE = 5000;
/** Seconds that the longest write takes. */
const LONGEST_WRITE = 60;

/**
 * Note the crash or the move between two moments, if there cannot have been more than one move. A reader can stay behind
 * while the database crashes again: the present continues the last of the epochs that are known.
 */
export async function noteTurn(
  db: Shareable,
  schema: string,
  turns: Turns,
  step: Step,
): Promise<void> {
  const { now, elapsed } = step;
  const epoch = followCrashes(turns, epochOf(step.before), epochOf(now));
  // It sees the same transactions in the last epoch (D455).
  const before = `${snapshotOf(step.before)}:${epoch}`;
  if (isSameEpoch(before, now) || turns.has(epoch)) return;
  if (!isMoved(before, now)) {
    // The present of a slow reader can be older than this epoch: noted, the epochs would form a circle.
    const isLater = () => followCrashes(turns, epochOf(now), epoch) !== epoch;
    if (isLater() && (await isContinued(db, schema, { before, present: now })) && isLater()) {
      turns.set(epoch, { next: epochOf(now) });
    }
    return;
  }
  if (elapsed > ONE_MOVE) return;
  const statement = turnOfMoveSql(schema, { before, now }, elapsed / 1000 + LONGEST_WRITE);
  const [turn] = await db.near(schema).query(toStatement(statement));
  const { last, first } = turn as { readonly last: string | null; readonly first: string | null };
  const seen = BigInt(unseenBy(before).from);
  const after = last === null ? seen : BigInt(last) + 1n;
  turns.set(epochOf(before), {
    end: momentBefore(String(after > seen ? after : seen), before),
    start: momentBefore(first ?? unseenBy(now).from, now),
  });
}

/** The epoch to which known crashes lead from another one: the wanted one, or the last before an unknown crash or a move. */
function followCrashes(turns: Turns, from: string, wanted: string): string {
  let epoch = from;
  for (let turn = turns.get(epoch); epoch !== wanted && turn && 'next' in turn; ) {
    epoch = turn.next;
    turn = turns.get(epoch);
  }
  return epoch;
}

/**
 * The moment up to which a position can be read: the present, or the next move; undefined when the changes between are
 * not known.
 */
export function endFor(turns: Turns, delivered: string, present: string): string | undefined {
  const epoch = followCrashes(turns, epochOf(delivered), epochOf(present));
  if (epoch !== '' && epoch === epochOf(present)) return present;
  const turn = turns.get(epoch);
  return turn && 'end' in turn ? turn.end : undefined;
}

/** The continuation behind a position: on the next node, when all events of the previous one were sent. */
export function beyond(turns: Turns, delivered: string): string {
  const turn = turns.get(epochOf(delivered));
  return turn !== undefined && 'end' in turn && turn.end === delivered ? turn.start : delivered;
}
