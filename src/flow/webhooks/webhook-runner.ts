// Sends the webhooks of all workspaces (docs/design/webhooks.md): those of one by one process at a time, whose lease is
// a row of the control schema. It looks for changes of webhooks every second, and at once after a notification.

import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import {
  forgetWorkspace,
  type HeldWorkspace,
  holdWorkspaces,
  releaseWorkspaces,
  WEBHOOKS_CHANNEL,
} from '../../control/webhook-runs.ts';
import { findWorkspaceById } from '../../control/workspaces.ts';
import type { Listeners } from '../../postgres/listen.ts';
import type { SendingParts } from './sending-context.ts';
import { openSendingRoom } from './sending-room.ts';
import { openAuthorities } from './webhook-authority.ts';
import {
  openWorkspaceSending,
  type WorkspaceParts,
  type WorkspaceSending,
} from './workspace-sending.ts';

export interface WebhookRunnerOptions
  extends Omit<WorkspaceParts, 'authorities' | 'holder' | 'room' | 'now' | 'random'>,
    Partial<Pick<SendingParts, 'now' | 'random'>> {
  readonly listeners: Listeners;
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
  readonly sending: WorkspaceSending;
  wanted_at: string;
}

export async function startWebhooks(options: WebhookRunnerOptions): Promise<WebhookRunner> {
  const { db, lease = LEASE_MS, poll = POLL_MS } = options;
  const authorities = openAuthorities(db);
  const holder = `${hostname()}:${process.pid}:${randomUUID()}`;
  const parts: WorkspaceParts = {
    ...{ random: Math.random, now: authorities.now, ...options },
    ...{ authorities, holder, room: openSendingRoom() },
  };
  const held = new Map<number, Held>();
  let isStopped = false;
  let isFailing = false;
  let looking: Promise<void> | undefined;
  let again = false;

  async function lookOnce(): Promise<void> {
    const workspaces = await holdWorkspaces(db, holder, lease);
    const present = new Set(workspaces.map(({ workspace_id }) => workspace_id));
    for (const [id, { sending }] of held) {
      if (present.has(id)) continue;
      held.delete(id);
      await sending.stop();
    }
    for (const workspace of workspaces) await follow(workspace);
  }

  async function follow(workspace: HeldWorkspace): Promise<void> {
    const { workspace_id, wanted_at } = workspace;
    const known = held.get(workspace_id);
    if (isStopped || known?.wanted_at === wanted_at) return;
    const one = known ?? (await openHeld(workspace));
    if (one === undefined) return;
    held.set(workspace_id, one);
    if (await one.sending.reload()) one.wanted_at = wanted_at;
    else {
      held.delete(workspace_id);
      await forgetWorkspace(db, workspace);
    }
  }

  async function openHeld({ workspace_id }: HeldWorkspace): Promise<Held | undefined> {
    // The present time of the database comes with the definition.
    await authorities.model(workspace_id).catch(() => undefined);
    const workspace = await findWorkspaceById(db, workspace_id);
    return workspace && { sending: openWorkspaceSending(parts, workspace), wanted_at: '' };
  }

  async function lookWhileAsked(): Promise<void> {
    while (again && !isStopped) {
      again = false;
      try {
        await lookOnce();
        isFailing = false;
      } catch (error) {
        if (!isFailing) options.onError(error);
        isFailing = true;
      }
    }
    looking = undefined;
  }

  function look(): Promise<void> {
    again = true;
    looking ??= lookWhileAsked();
    return looking;
  }

  await options.listeners.listen(WEBHOOKS_CHANNEL, () => void look());
  const timer = setInterval(look, poll).unref();
  void look();
  return {
    look,
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await looking;
      await Promise.all([...held.values()].map(({ sending }) => sending.stop(GRACE_MS)));
      await releaseWorkspaces(db, holder).catch(() => undefined);
    },
  };
}
