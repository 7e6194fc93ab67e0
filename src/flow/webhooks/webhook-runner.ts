// Sends the webhooks of all workspaces (docs/design/webhooks.md): those of one by one process at a time, whose lease is
// a row of the control schema. It looks for changes of webhooks every second, and at once after a notification.

import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import {
  type HeldWorkspace,
  holdWorkspaces,
  releaseWorkspaces,
  WEBHOOKS_CHANNEL,
} from '../../control/events/webhook-runs.ts';
import { findWorkspaceById } from '../../control/workspace/workspaces.ts';
import type { Listeners } from '../../postgres/listen.ts';
import { type OutboxLoop, openOutboxLoop } from './outbox-loop.ts';
import type { SendingParts } from './outbox-state.ts';
import { openSendingPace, openSendingRoom } from './sending-limits.ts';
import { openAuthorities } from './webhook-authority.ts';

export interface WebhookRunnerOptions
  extends Omit<SendingParts, 'authorities' | 'holder' | 'room' | 'pace' | 'now' | 'random'>,
    Partial<Pick<SendingParts, 'now' | 'random'>> {
  readonly listeners: Listeners;
  /** Requests that this process has not answered yet; 0 where it answers none. */
  readonly requestsInFlight: () => number;
  /** Milliseconds. */
  readonly lease?: number;
  readonly poll?: number;
}

export interface WebhookRunner {
  /** Look for changes now. */
  look(): Promise<void>;
  stop(): Promise<void>;
}

/** Milliseconds for which the webhooks of a process that is gone wait for another one. */
const LEASE_MS = 5000;
const POLL_MS = 1000;
/** Milliseconds that requests have to end when the process ends. */
const GRACE_MS = 2000;

interface Held {
  readonly loop: OutboxLoop;
  /** The time of the last change that it knows of. */
  wanted_at: string;
}

interface RunnerState {
  readonly parts: SendingParts;
  readonly lease: number;
  readonly held: Map<number, Held>;
  isStopped: boolean;
}

export async function startWebhooks(options: WebhookRunnerOptions): Promise<WebhookRunner> {
  const { db, lease = LEASE_MS, poll = POLL_MS, listeners, onError } = options;
  const authorities = openAuthorities(db, options.feeds.changes);
  const holder = `${hostname()}:${process.pid}:${randomUUID()}`;
  const parts: SendingParts = {
    ...{ random: Math.random, now: authorities.now, ...options },
    ...{
      authorities,
      holder,
      room: openSendingRoom(),
      pace: openSendingPace(options.requestsInFlight),
    },
  };
  const state: RunnerState = { parts, lease, held: new Map(), isStopped: false };
  const looks = openLooks(() => lookOnce(state), onError);
  options.feeds.onWrite((id) => state.held.get(id)?.loop.wake());
  await listeners.listen(WEBHOOKS_CHANNEL, () => void looks.look());
  const timer = setInterval(looks.look, poll).unref();
  void looks.look();
  return {
    look: looks.look,
    async stop() {
      state.isStopped = true;
      clearInterval(timer);
      await looks.stop();
      await Promise.all([...state.held.values()].map(({ loop }) => loop.stop(GRACE_MS)));
      await releaseWorkspaces(db, holder).catch(() => undefined);
    },
  };
}

/** One look at a time; a request during a look causes another one. */
function openLooks(lookNow: () => Promise<void>, onError: (error: unknown) => void) {
  let isAsked = false;
  let isStopped = false;
  let isFailing = false;
  let looking: Promise<void> | undefined;

  async function lookWhileAsked(): Promise<void> {
    while (isAsked && !isStopped) {
      isAsked = false;
      try {
        await lookNow();
        isFailing = false;
      } catch (error) {
        if (!isFailing) onError(error);
        isFailing = true;
      }
    }
    looking = undefined;
  }

  return {
    look(): Promise<void> {
      isAsked = true;
      looking ??= lookWhileAsked();
      return looking;
    },
    async stop(): Promise<void> {
      isStopped = true;
      await looking;
    },
  };
}

async function lookOnce(state: RunnerState): Promise<void> {
  const { parts, lease, held } = state;
  const workspaces = await holdWorkspaces(parts.db, parts.holder, lease);
  const present = new Set(workspaces.map(({ workspace_id }) => workspace_id));
  for (const [id, { loop }] of held) {
    if (present.has(id)) continue;
    held.delete(id);
    await loop.stop();
  }
  for (const workspace of workspaces) await follow(state, workspace);
}

async function follow(state: RunnerState, workspace: HeldWorkspace): Promise<void> {
  const { parts, held } = state;
  const { workspace_id, wanted_at } = workspace;
  const known = held.get(workspace_id);
  if (state.isStopped || known?.wanted_at === wanted_at) return;
  if (known !== undefined) {
    known.wanted_at = wanted_at;
    known.loop.reload(workspace);
    return;
  }
  const found = await findWorkspaceById(parts.db, workspace_id);
  if (found === undefined) return;
  // The clock of the database is known after the first model.
  await parts.authorities.model(workspace_id);
  held.set(workspace_id, { loop: openOutboxLoop(parts, found, workspace), wanted_at });
}
