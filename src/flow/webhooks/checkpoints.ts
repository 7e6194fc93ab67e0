// Stores what became of deliveries and how far webhooks are: everything that came up while the statement before was
// under way goes into the next one. What is not stored is sent again after a crash.

import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Checkpoint,
  type DeliveryOutcome,
  putCheckpoint,
} from '../../control/webhook-runs.ts';
import type { Queryable } from '../../postgres/db.ts';

export interface Checkpoints {
  /** Resolves when it is stored; false: the webhook is gone, or another process sends for it. */
  note(outcome: DeliveryOutcome): Promise<boolean>;
  /** Store a position with the next outcomes, or after a while. */
  move(webhookId: string, position: string): void;
  /** Resolves when everything that was noted is stored. */
  drained(): Promise<void>;
}

interface Waiting {
  readonly outcome: DeliveryOutcome;
  resolve(isStored: boolean): void;
}

interface CheckpointOptions {
  readonly db: Queryable;
  readonly schema: string;
  readonly holder: string;
  /** Called when storing begins to fail; it is tried again until it succeeds. */
  onError(error: unknown): void;
}

const PAUSE_MS = 500;
/** Rows of one statement, and milliseconds in which they come together. */
const MOST = 500;
const TOGETHER_MS = 10;
/** Milliseconds after which a position is stored without outcomes. */
const MOVED_AFTER = 2000;

interface CheckpointState {
  waiting: Waiting[];
  /** The last position of each webhook. */
  readonly positions: Map<string, string>;
  storing: Promise<void> | undefined;
  timer: NodeJS.Timeout | undefined;
}

export function openCheckpoints(options: CheckpointOptions): Checkpoints {
  const state: CheckpointState = {
    ...{ waiting: [], positions: new Map(), storing: undefined, timer: undefined },
  };
  const store = () => {
    clearTimeout(state.timer);
    state.timer = undefined;
    state.storing ??= storeAll(options, state);
  };
  return {
    note(outcome) {
      return new Promise((resolve) => {
        state.waiting.push({ outcome, resolve });
        store();
      });
    },
    move(webhookId, position) {
      state.positions.set(webhookId, position);
      state.timer ??= setTimeout(store, MOVED_AFTER);
    },
    async drained() {
      if (state.positions.size > 0) store();
      while (state.storing !== undefined) await state.storing;
    },
  };
}

async function storeAll(options: CheckpointOptions, state: CheckpointState): Promise<void> {
  let isFailing = false;
  await sleep(TOGETHER_MS);
  while (state.waiting.length > 0 || state.positions.size > 0) {
    const batch = state.waiting.slice(0, MOST);
    const positions = new Map(state.positions);
    try {
      const checkpoint = checkpointOf(options, batch, positions);
      const stored = await putCheckpoint(options.db, options.schema, checkpoint);
      state.waiting = state.waiting.slice(batch.length);
      for (const [id, position] of positions) {
        if (state.positions.get(id) === position) state.positions.delete(id);
      }
      isFailing = false;
      for (const { resolve, outcome } of batch) resolve(stored.has(outcome.webhook_id));
    } catch (error) {
      if (!isFailing) options.onError(error);
      isFailing = true;
      await sleep(PAUSE_MS);
    }
  }
  state.storing = undefined;
}

/** The last outcome of each event: a statement cannot write a row twice. */
function checkpointOf(
  { holder }: Pick<CheckpointOptions, 'holder'>,
  batch: readonly Waiting[],
  moved: ReadonlyMap<string, string>,
): Checkpoint {
  const outcomes = new Map(
    batch.map(({ outcome }) => [`${outcome.webhook_id} ${outcome.event_id}`, outcome]),
  );
  const positions = [...moved].map(([webhook_id, position]) => ({ webhook_id, position }));
  return { holder, positions, outcomes: [...outcomes.values()] };
}
