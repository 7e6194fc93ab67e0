// How a feed of live events continues when its workspace is moved to another node of Citus (docs/design/live-events.md,
// D355): what was written on the node before is told first, all of it, then what was written on the next one.

import {
  epochOf,
  isMoved,
  isSameEpoch,
  momentBefore,
  unseenBy,
} from '../../plan/snapshot-moment.ts';
import type { Shareable } from '../../postgres/db.ts';
import { turnOfMoveSql } from '../../sql/event-sql.ts';
import { toStatement } from '../../sql/sql.ts';

interface Move {
  /** Sees all that was written on the node before. */
  readonly end: string;
  /** Sees nothing of what was written on the next node. */
  readonly start: string;
}

/** The moves that a feed has seen, by the epoch that each of them ended. */
export type Moves = Map<string, Move>;

/** From one moment that a feed has looked at to the next. */
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

/** Note the move between two moments, if that is what there was and cannot have been more than one. */
export async function noteMove(
  db: Shareable,
  schema: string,
  moves: Moves,
  step: Step,
): Promise<void> {
  const { before, now, elapsed } = step;
  if (moves.has(epochOf(before)) || !isMoved(before, now) || elapsed > ONE_MOVE) return;
  const statement = turnOfMoveSql(schema, step, elapsed / 1000 + LONGEST_WRITE);
  const [turn] = await db.near(schema).query(toStatement(statement));
  const { last, first } = turn as { readonly last: string | null; readonly first: string | null };
  const seen = BigInt(unseenBy(before).from);
  const after = last === null ? seen : BigInt(last) + 1n;
  moves.set(epochOf(before), {
    end: momentBefore(String(after > seen ? after : seen), before),
    start: momentBefore(first ?? unseenBy(now).from, now),
  });
}

/**
 * How far a position can be read: up to the present, or up to the next move; undefined when nobody knows what came
 * between.
 */
export function endFor(moves: Moves, delivered: string, present: string): string | undefined {
  return isSameEpoch(delivered, present) ? present : moves.get(epochOf(delivered))?.end;
}

/** Where it continues behind a position: on the next node, when all events of the one before were sent. */
export function beyond(moves: Moves, delivered: string): string {
  const move = moves.get(epochOf(delivered));
  return move?.end === delivered ? move.start : delivered;
}
