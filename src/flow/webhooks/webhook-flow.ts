// Webhooks made, changed, given another secret and deleted (docs/design/webhooks.md). What one may ask for is decided in
// plan/events/webhook-plan.ts, which addresses it may have in webhooks/webhook-rules.ts; sending is webhook-runner.ts.

import { uuidv7 } from 'uuidv7';
import { appendPing } from '../../control/events/webhook-deliveries.ts';
import { appendPosition, putPosition } from '../../control/events/webhook-outbox.ts';
import {
  appendWebhook,
  countWebhooks,
  deleteWebhookById,
  loadWebhook,
  loadWebhooks,
  lockWebhook,
  putWebhook,
  type StoredWebhook,
  type WebhookRow,
} from '../../control/events/webhook-rows.ts';
import { wantRunner } from '../../control/events/webhook-runs.ts';
import { lockLimitsOf } from '../../control/people/people.ts';
import { sealNoted } from '../../control/stored/sealed-rows.ts';
import {
  type AskedByCaller,
  administer,
  administrationOf,
} from '../../control/workspace/administer.ts';
import type { AdministrativeEvent } from '../../control/workspace/administrative-audit.ts';
import { ApiError, isOperatorError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { about, say } from '../../messages/message.ts';
import { requireDeveloper } from '../../model/rights/access.ts';
import type { SecretKeys, SecretUse } from '../../model/rights/sealed-secret.ts';
import { parseRecordId } from '../../model/values/record-id.ts';
import { findUnstorable, UNSTORABLE } from '../../model/values/storable-text.ts';
import { positionText, type ReaderPosition } from '../../plan/events/event-position.ts';
import {
  canSeeWebhook,
  type NewWebhook,
  planNewWebhook,
  planWebhookChange,
  type WebhookPatch,
} from '../../plan/events/webhook-plan.ts';
import { rightsMarkOf } from '../../plan/people/reader-rights.ts';
import { isMet, type Precondition } from '../../plan/write/precondition.ts';
import type { Queryable, Transaction } from '../../postgres/db.ts';
import type { AddressRules } from '../../webhooks/addresses.ts';
import { makeWebhookSecret } from '../../webhooks/signature.ts';
import {
  requireHeadersAgain,
  requireWebhookHeaders,
  requireWebhookUrl,
} from '../../webhooks/webhook-rules.ts';
import { positionOf } from '../events/change-reader.ts';
import type { Outbox } from '../events/event-pages.ts';
import { adoptWebhook } from './webhook-author.ts';
import { type Activation, changedCondition, NEW_CONDITION } from './webhook-condition.ts';

/** Parts of the process for the webhooks of all requests. */
export interface WebhookTools {
  readonly rules: AddressRules;
  readonly keys: SecretKeys;
}

export interface WebhookAdministration extends AskedByCaller, WebhookTools {
  readonly outbox: Outbox;
  /** Milliseconds since 1970 by the clock of the database. */
  readonly now: () => number;
}

type Headers = Readonly<Record<string, string>>;

export interface WebhookRequest extends NewWebhook {
  readonly headers?: Headers | undefined;
  readonly owner_user_id?: number | undefined;
}

export interface WebhookChange extends WebhookPatch, Activation {
  readonly headers?: Headers | undefined;
  readonly owner_user_id?: number | undefined;
}

/** A webhook with its secret, which is nowhere else. */
export interface MadeWebhook {
  readonly webhook: WebhookRow;
  readonly secret: string;
}

/** A page of webhooks, newest first: of the caller, or all for administrators. Errors: `permission_denied`. */
export function listWebhooks(
  { db, model, caller }: AskedByCaller,
  page: { readonly before: string | undefined; readonly limit: number },
): Promise<readonly WebhookRow[]> {
  requireDeveloper(caller);
  const owner = caller.access.administrator ? undefined : caller.user.id;
  return loadWebhooks(db, model.schema, owner, page);
}

/** One that the caller sees. Errors: `permission_denied`, `record_not_found`. */
export function getWebhook(asked: AskedByCaller, id: string): Promise<WebhookRow> {
  return requireWebhook(asked.db, asked, id);
}

/** Errors: `permission_denied`, `record_not_found`. */
export async function requireWebhook(
  db: Queryable,
  { model, caller }: Pick<AskedByCaller, 'model' | 'caller'>,
  id: string,
  load = loadWebhook,
): Promise<WebhookRow> {
  requireDeveloper(caller);
  const webhookId = parseRecordId(id);
  const webhook = webhookId === undefined ? undefined : await load(db, model.schema, webhookId);
  if (webhook !== undefined && canSeeWebhook(caller, webhook)) return webhook;
  throw new ApiError('record_not_found', {
    param: 'webhook_id',
    message: say('webhook_not_found'),
  });
}

/** Make a webhook. Errors: those of its parts, `conflict` when the workspace has too many. */
export async function createWebhook(
  asked: WebhookAdministration,
  given: WebhookRequest,
): Promise<MadeWebhook> {
  const { model, caller } = asked;
  const { headers = {}, owner_user_id = caller.user.id, ...wanted } = given;
  requireDeveloper(caller);
  requireSendable(asked, { url: given.url, headers });
  const present = await presentOf(asked);
  const secret = makeWebhookSecret();
  const id = uuidv7();
  const webhook = await administer(administrationOf(asked), async (tx) => {
    const { author, scope } = await adoptWebhook(tx, asked, owner_user_id);
    const planned = planNewWebhook(scope, wanted);
    await requireFewWebhooks(tx, asked);
    const sealing = { tx, asked, id };
    const ofSecrets = {
      ...(await sealedHeaders(sealing, headers)),
      ...(await newSecret(sealing, secret)),
    };
    await appendWebhook(tx, model.schema, id, {
      ...{ ...planned, ...author, ...ofSecrets, ...NEW_CONDITION },
    });
    const position = positionText({ ...present, rights: rightsMarkOf(scope) });
    await appendPosition(tx, model.schema, { webhook_id: id, position });
    await beginWithPing(tx, asked, id);
    await wantRunner(tx, model.workspace.id);
    const events = [{ ...eventOf(id, 'create'), changed_fields: Object.keys(planned) }];
    return { result: await requireWebhook(tx, asked, id), events };
  });
  return { webhook, secret };
}

/**
 * Change a webhook; it acts with the key of this request from then on, unless it is only paused. Errors: those of its
 * parts, `record_not_found`, `stale_record`, `conflict` when it cannot be continued.
 */
export async function changeWebhook(
  asked: WebhookAdministration,
  id: string,
  change: WebhookChange,
  precondition: Precondition | undefined,
): Promise<WebhookRow> {
  const { model } = asked;
  requireSendable(asked, change);
  const present = change.resume === 'now' ? await presentOf(asked) : undefined;
  return administer(administrationOf(asked), async (tx) => {
    const before = await requireWebhook(tx, asked, id, lockWebhook);
    if (!isMet(precondition, { ...before })) throw staleWebhook();
    requireHeadersAgain(before, change);
    const { headers, owner_user_id = before.owner_user_id, active, resume, ...patch } = change;
    const isPause = active === false && Object.keys(change).length === 1;
    const adopted = isPause ? undefined : await adoptWebhook(tx, asked, owner_user_id);
    const planned = adopted && planWebhookChange(adopted.scope, before, patch);
    const condition = changedCondition(before, { active, resume }, asked.now());
    const isElsewhere = planned?.changed_fields.includes('url') === true;
    const after: StoredWebhook = {
      ...before,
      ...planned?.after,
      ...(headers === undefined ? {} : await sealedHeaders({ tx, asked, id: before.id }, headers)),
      ...condition,
      ...(isElsewhere ? { verified_at: null } : {}),
    };
    const changed_fields = [
      ...(planned?.changed_fields ?? []),
      ...(headers === undefined ? [] : ['headers']),
      ...(owner_user_id === before.owner_user_id ? [] : ['owner_user_id']),
      ...(condition.state === before.state ? [] : ['state']),
    ];
    if (changed_fields.length === 0) return { result: before, events: [] };
    await putWebhook(tx, model.schema, before.id, { ...after, ...adopted?.author });
    const begins = condition.stopped_at === null && before.stopped_at !== null;
    if (begins && present !== undefined && adopted !== undefined) {
      const position = positionText({ ...present, rights: rightsMarkOf(adopted.scope) });
      await putPosition(tx, model.schema, { webhook_id: before.id, position });
    }
    const isUnverified = after.stopped_at === null && after.verified_at === null;
    if (isUnverified && (begins || isElsewhere)) await beginWithPing(tx, asked, before.id);
    await wantRunner(tx, model.workspace.id);
    const events = [{ ...eventOf(before.id, 'update'), changed_fields }];
    return { result: await requireWebhook(tx, asked, before.id), events };
  });
}

/** Another secret; the one before stays valid for so many hours. Errors: `record_not_found`. */
export async function rotateSecret(
  asked: WebhookAdministration,
  id: string,
  overlapHours: number,
): Promise<MadeWebhook> {
  const { model } = asked;
  const secret = makeWebhookSecret();
  const webhook = await administer(administrationOf(asked), async (tx) => {
    const before = await requireWebhook(tx, asked, id, lockWebhook);
    const isKept = overlapHours > 0 && before.secret !== null;
    const until = new Date(asked.now() + overlapHours * HOUR_MS).toISOString();
    await putWebhook(tx, model.schema, before.id, {
      ...before,
      ...(await newSecret({ tx, asked, id: before.id }, secret)),
      ...(isKept ? { previous_secret: before.secret, previous_secret_until: until } : {}),
    });
    await wantRunner(tx, model.workspace.id);
    const events = [{ ...eventOf(before.id, 'rotate_secret'), changed_fields: ['secret'] }];
    return { result: await requireWebhook(tx, asked, before.id), events };
  });
  return { webhook, secret };
}

const HOUR_MS = 3_600_000;

/** Delete a webhook with its deliveries; answers its id. Errors: `record_not_found`. */
export function deleteWebhook(asked: AskedByCaller, id: string): Promise<string> {
  return administer(administrationOf(asked), async (tx) => {
    const webhook = await requireWebhook(tx, asked, id, lockWebhook);
    await deleteWebhookById(tx, asked.model.schema, webhook.id);
    await wantRunner(tx, asked.model.workspace.id);
    return { result: webhook.id, events: [eventOf(webhook.id, 'delete')] };
  });
}

async function beginWithPing(tx: Transaction, { model }: AskedByCaller, id: string): Promise<void> {
  const ping = uuidv7();
  await appendPing(tx, model.schema, { id: ping, webhook_id: id, event_id: `ping_${ping}` });
}

/** Errors: `validation_failed`. */
function requireSendable(
  { rules }: WebhookAdministration,
  change: { readonly url?: string | undefined; readonly headers?: Headers | undefined },
): void {
  const param = findUnstorable(change);
  if (param !== undefined) {
    throw new ApiError('validation_failed', { param, message: about('The value', UNSTORABLE) });
  }
  if (change.url !== undefined) requireWebhookUrl(change.url, rules);
  if (change.headers !== undefined) requireWebhookHeaders(change.headers);
}

/** Refuse one webhook too many of a workspace, also when several are added at once. Errors: `conflict`. */
async function requireFewWebhooks(tx: Queryable, { model }: AskedByCaller): Promise<void> {
  await lockLimitsOf(tx, model.workspace.id, NOBODY);
  if ((await countWebhooks(tx, model.schema)) < LIMITS.webhooks) return;
  const message = say('too_many_webhooks', { most: LIMITS.webhooks });
  throw new ApiError('conflict', { message, details: { limit: LIMITS.webhooks } });
}

/** Stands for the workspace where a lock has the id of a person. */
const NOBODY = 0;

/** The position before the transaction: events that are written while it runs are sent. */
async function presentOf(asked: WebhookAdministration): Promise<ReaderPosition> {
  const present = await positionOf(asked.outbox, asked, 'now');
  if ('expired' in present) throw new Error('the present has expired');
  return present;
}

interface Sealing {
  readonly tx: Queryable;
  readonly asked: WebhookAdministration;
  /** The webhook: what is sealed for one cannot be opened as that of another. */
  readonly id: string;
}

async function sealedHeaders(sealing: Sealing, headers: Headers) {
  const header_names = Object.keys(headers);
  const text = JSON.stringify(headers);
  const isNone = header_names.length === 0;
  return { header_names, headers: isNone ? null : await seal(sealing, 'webhook_headers', text) };
}

async function newSecret(sealing: Sealing, secret: string) {
  const sealed = await seal(sealing, 'webhook_secret', secret);
  return { secret: sealed, previous_secret: null, previous_secret_until: null };
}

async function seal({ tx, asked, id }: Sealing, use: SecretUse, text: string): Promise<string> {
  const place = { workspace_id: asked.model.workspace.id, row: id, use };
  try {
    return await sealNoted(tx, asked.keys, place, text);
  } catch (error) {
    if (!isOperatorError(error)) throw error;
    throw new ApiError('conflict', { message: say('secrets_key_missing'), cause: error });
  }
}

function staleWebhook(): ApiError {
  return new ApiError('stale_record', { message: say('webhook_changed') });
}

export function eventOf(id: string, action: string): AdministrativeEvent {
  return { subject_type: 'webhook', subject_id: id, action };
}
