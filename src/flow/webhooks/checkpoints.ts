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
  note(noted: Noted): Promise<boolean>;
  /** Resolves when everything that was noted is stored. */
  drained(): Promise<void>;
}

export interface Noted {
  readonly webhook_id: string;
  readonly position?: string;
  readonly outcome?: DeliveryOutcome;
}

interface Waiting extends Noted {
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
/** Rows of one statement. */
const MOST = 500;

export function openCheckpoints(options: CheckpointOptions): Checkpoints {
  let waiting: Waiting[] = [];
  let storing: Promise<void> | undefined;
  let isFailing = false;

  async function storeAll(): Promise<void> {
    // Those of the same turn come together.
    await Promise.resolve();
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MOST);
      try {
        const stored = await putCheckpoint(
          options.db,
          options.schema,
          checkpointOf(options, batch),
        );
        waiting = waiting.slice(batch.length);
        isFailing = false;
        for (const { resolve, webhook_id } of batch) resolve(stored.has(webhook_id));
      } catch (error) {
        if (!isFailing) options.onError(error);
        isFailing = true;
        await sleep(PAUSE_MS);
      }
    }
    storing = undefined;
  }

  return {
    note(noted) {
      return new Promise((resolve) => {
        waiting.push({ ...noted, resolve });
        storing ??= storeAll();
      });
    },
    async drained() {
      while (storing !== undefined) await storing;
    },
  };
}

/** The last of each webhook and event: a statement cannot write a row twice. */
function checkpointOf(
  { holder }: Pick<CheckpointOptions, 'holder'>,
  batch: readonly Noted[],
): Checkpoint {
  const positions = new Map<string, string>();
  const outcomes = new Map<string, DeliveryOutcome>();
  for (const { webhook_id, position, outcome } of batch) {
    if (position !== undefined) positions.set(webhook_id, position);
    if (outcome !== undefined) outcomes.set(`${webhook_id} ${outcome.event_id}`, outcome);
  }
  return {
    holder,
    positions: [...positions].map(([webhook_id, position]) => ({ webhook_id, position })),
    outcomes: [...outcomes.values()],
  };
}
