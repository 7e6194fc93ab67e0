// Sends for the webhooks of one workspace: one sending for each of them, opened again when somebody has changed it. What
// becomes of a webhook by itself is stored here.

import { uuidv7 } from 'uuidv7';
import { administer } from '../../control/administer.ts';
import { SERVICE } from '../../control/administrative-audit.ts';
import {
  loadAllWebhooks,
  putWebhookCondition,
  type WebhookCondition,
  type WebhookRow,
} from '../../control/webhook-rows.ts';
import { takePositions } from '../../control/webhook-runs.ts';
import { ApiError, isOperatorError } from '../../errors.ts';
import { requireReadable, type WebhookScope } from '../../plan/webhook-plan.ts';
import { REASONS, type Reason } from '../../plan/webhook-reasons.ts';
import type { Database } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { notifyOfSubjectSql } from '../../sql/notify-sql.ts';
import { type Checkpoints, openCheckpoints } from './checkpoints.ts';
import type { SendingParts } from './sending-context.ts';
import { openByteRate } from './sending-room.ts';
import { type Authorities, type Authority, isForAnother } from './webhook-authority.ts';
import { conditionOf, stoppedCondition } from './webhook-condition.ts';
import { eventOf } from './webhook-flow.ts';
import { openSecrets, type WebhookSecrets } from './webhook-secrets.ts';
import { openWebhookSending, type WebhookSending } from './webhook-sending.ts';

export interface WorkspaceParts extends SendingParts {
  readonly db: Database;
  readonly authorities: Authorities;
  /** Names this process in the rows that only it may write. */
  readonly holder: string;
}

export interface WorkspaceSending {
  /** Webhooks were added or changed, or there is something to send again; false: there are none. */
  reload(): Promise<boolean>;
  /** `grace`: milliseconds that requests have to end. */
  stop(grace?: number): Promise<void>;
}

interface Workspace {
  readonly id: number;
  readonly schema: string;
  readonly slug: string;
}

interface Running {
  readonly parts: WorkspaceParts;
  readonly workspace: Workspace;
  readonly rate: ReturnType<typeof openByteRate>;
  readonly checkpoints: Checkpoints;
  readonly sendings: Map<string, WebhookSending>;
}

export function openWorkspaceSending(
  parts: WorkspaceParts,
  workspace: Workspace,
): WorkspaceSending {
  const { db, holder, onError } = parts;
  const { schema } = workspace;
  const running: Running = {
    ...{ parts, workspace, rate: openByteRate(), sendings: new Map() },
    checkpoints: openCheckpoints({ db: db.near(schema), schema, holder, onError }),
  };
  return {
    reload: () => reload(running),
    async stop(grace) {
      const all = [...running.sendings.values()];
      running.sendings.clear();
      await Promise.all(all.map((sending) => sending.stop(grace)));
    },
  };
}

async function reload(running: Running): Promise<boolean> {
  const { parts, workspace, sendings } = running;
  const { db, holder, authorities } = parts;
  const rows = await loadAllWebhooks(db, workspace.schema);
  // They may name what only a newer definition has.
  authorities.lookAgain();
  const present = new Map(rows.map((row) => [row.id, row]));
  const over = [...sendings.values()].filter(
    ({ webhook }) => present.get(webhook.id)?.version !== webhook.version,
  );
  for (const { webhook } of over) sendings.delete(webhook.id);
  await Promise.all(over.map((sending) => sending.stop()));
  for (const sending of sendings.values()) sending.wake();
  // Without a secret nothing can be signed.
  const opened = rows.filter(({ id, secret }) => secret !== null && !sendings.has(id));
  const ids = opened.map(({ id }) => id);
  const positions = await takePositions(db.near(workspace.schema), workspace.schema, holder, ids);
  for (const row of opened) {
    if (positions.has(row.id)) openWithSecrets(running, row, positions.get(row.id) ?? null);
  }
  return rows.length > 0;
}

/** A webhook whose secret cannot be decrypted breaks. */
function openWithSecrets(running: Running, webhook: WebhookRow, position: string | null): void {
  const { parts, workspace } = running;
  try {
    open(running, { webhook, position, secrets: openSecrets(parts.keys, workspace.id, webhook) });
  } catch (error) {
    if (!isOperatorError(error)) throw error;
    if (webhook.stopped_at === null)
      note(running, webhook)(stopped(parts, webhook, 'secret_unreadable'));
    parts.onError(error);
  }
}

interface Opening {
  readonly webhook: WebhookRow;
  readonly position: string | null;
  readonly secrets: WebhookSecrets;
}

/** Stores conditions one after the other; what requests that still end say of a stopped webhook is not stored. */
function note(running: Running, webhook: WebhookRow) {
  let changing = Promise.resolve();
  let isStopped = false;
  return (condition: WebhookCondition, isTold = false) => {
    if (isStopped) return;
    isStopped = condition.stopped_at !== null;
    const action = isStopped ? stopAction(webhook, condition) : isTold ? 'fail' : undefined;
    changing = changing
      .then(() => store(running, webhook, condition, action))
      .catch((error: unknown) => running.parts.onError(error));
    if (isStopped) end(running, webhook.id);
  };
}

const STOPS: Readonly<Record<string, string>> = {
  paused: 'pause',
  disabled: 'disable',
  broken: 'break',
};

/** A ping to a webhook that was stopped before does not stop it. */
function stopAction(before: WebhookRow, { state }: WebhookCondition): string | undefined {
  return before.stopped_at === null ? STOPS[state] : undefined;
}

function stopped(
  { now }: WorkspaceParts,
  webhook: WebhookRow,
  reason: Reason,
  message = REASONS[reason].text,
): WebhookCondition {
  const at = new Date(now()).toISOString();
  const state = PAUSES.has(reason) ? 'paused' : isDisabled(webhook, reason) ? 'disabled' : 'broken';
  return stoppedCondition(conditionOf(webhook), state, reason, { at, message });
}

/** The maker of a webhook for another person has lost the right to it. */
function isDisabled(webhook: WebhookRow, reason: Reason): boolean {
  return reason === 'maker_not_administrator' || (reason === 'key_ended' && isForAnother(webhook));
}

function open(running: Running, { webhook, position, secrets }: Opening): void {
  const { parts, workspace, rate, checkpoints, sendings } = running;
  let judged:
    | { readonly authority: Authority; readonly problem: StopProblem | undefined }
    | undefined;
  const change = note(running, webhook);
  const stopWith = (reason: Reason, message?: string) =>
    change(stopped(parts, webhook, reason, message));
  const sending = openWebhookSending(
    {
      ...parts,
      ...{ webhook, rate, checkpoints, change, stopWith, secrets },
      lose: () => end(running, webhook.id),
      ...{ schema: workspace.schema, workspaceId: workspace.id },
      async scope() {
        const authority = await parts.authorities.of(workspace.id, webhook);
        if (judged?.authority !== authority) {
          judged = { authority, problem: problemOf(authority, webhook) };
        }
        const { problem } = judged;
        if (problem === undefined) return authority as WebhookScope;
        stopWith(problem.reason, problem.message);
        return undefined;
      },
    },
    position,
  );
  sendings.set(webhook.id, sending);
}

const PAUSES: ReadonlySet<Reason> = new Set(['database_restored', 'position_expired']);

interface StopProblem {
  readonly reason: Reason;
  readonly message?: string;
}

/** Why it may no longer send; undefined when it may. */
function problemOf(authority: Authority, webhook: WebhookRow): StopProblem | undefined {
  if ('refusal' in authority) return { reason: authority.refusal };
  try {
    requireReadable(authority, webhook);
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const place = error.param === undefined ? '' : `${error.param}: `;
    return {
      reason: 'not_readable',
      message: `${REASONS.not_readable.text} ${place}${error.message}`,
    };
  }
}

/** It sends no more; what is being sent ends. */
function end({ sendings, parts }: Running, id: string): void {
  const sending = sendings.get(id);
  sendings.delete(id);
  sending?.stop().catch((error: unknown) => parts.onError(error));
}

/** Somebody who has changed the webhook meanwhile has the last word. */
async function store(
  { parts, workspace }: Running,
  webhook: WebhookRow,
  condition: WebhookCondition,
  action: string | undefined,
): Promise<void> {
  const { id, version } = webhook;
  const row = { id, version };
  await administer({ db: parts.db, workspace, actor: SERVICE }, async (tx) => {
    const isStored = await putWebhookCondition(tx, workspace.schema, row, condition);
    if (!isStored || action === undefined) return { result: undefined, events: [] };
    const told = { id: uuidv7(), user_id: webhook.owner_user_id, subject_id: id } as const;
    await runOnce(tx, notifyOfSubjectSql(workspace.schema, { kind: 'webhook_failed', ...told }));
    return { result: undefined, events: [eventOf(id, action)] };
  });
}
