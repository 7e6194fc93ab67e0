// The form of a webhook: from what the service has to a draft, and back to what is sent. Pure.

import type { Webhook, Where } from '@workspace-records/client';
import { treeOf } from '../../lib/where.ts';
import type { WebhookBody, WebhookChanges } from './api.ts';

export interface HeaderDraft {
  readonly id: number;
  readonly name: string;
  readonly value: string;
}

export interface WebhookDraft {
  readonly url: string;
  readonly events: readonly string[];
  readonly objectTypes: readonly string[];
  readonly changedFields: readonly string[];
  /** All of them must be true. */
  readonly where: readonly Where[];
  /** The time zone of the days in the conditions. */
  readonly timezone: string | null;
  readonly statusTo: readonly string[];
  readonly exceptOwn: boolean;
  readonly exceptSources: readonly string[];
  readonly payload: Webhook['payload'];
  /** Undefined: those that are stored stay; nobody can read their values. */
  readonly headers: readonly HeaderDraft[] | undefined;
  readonly owner: number;
}

export function newDraft(owner: number): WebhookDraft {
  return {
    ...{ url: '', events: ['record.*'], objectTypes: [], changedFields: [], where: [] },
    ...{ timezone: null, statusTo: [], exceptOwn: false, exceptSources: [], payload: 'thin' },
    ...{ headers: [], owner },
  };
}

export function draftOf(webhook: Webhook): WebhookDraft {
  const { url, events, object_types, changed_fields, where, timezone, except } = webhook;
  return {
    ...{ url, events, objectTypes: object_types, changedFields: changed_fields },
    ...{ where: partsOf(where), timezone, statusTo: webhook.status_to },
    ...{ exceptOwn: except.own, exceptSources: except.sources, payload: webhook.payload },
    headers: webhook.header_names.length === 0 ? [] : undefined,
    owner: webhook.owner_user_id,
  };
}

function partsOf(where: Where | null): readonly Where[] {
  if (where === null) return [];
  return 'all' in where ? where.all : [where];
}

/** Conditions are about the records of one object: of another one, none of them is true. */
export function withObjects(draft: WebhookDraft, objectTypes: readonly string[]): WebhookDraft {
  const isSame = objectTypes.length === 1 && objectTypes[0] === draft.objectTypes[0];
  return { ...draft, objectTypes, ...(isSame ? {} : { where: [], timezone: null }) };
}

export function withWhere(
  draft: WebhookDraft,
  where: readonly Where[],
  timezone: string,
): WebhookDraft {
  return { ...draft, where, timezone: where.length === 0 ? null : timezone };
}

/** The body of the request for a new webhook. */
export function bodyOf(draft: WebhookDraft): WebhookBody {
  const { headers, exceptOwn, exceptSources } = draft;
  return {
    url: draft.url.trim(),
    events: draft.events as WebhookBody['events'],
    object_types: draft.objectTypes,
    changed_fields: draft.changedFields,
    where: treeOf(draft.where) ?? null,
    timezone: draft.timezone,
    status_to: draft.statusTo,
    except: { own: exceptOwn, sources: exceptSources } as NonNullable<WebhookBody['except']>,
    payload: draft.payload,
    ...(headers === undefined ? {} : { headers: headersOf(headers) }),
    owner_user_id: draft.owner,
  };
}

/** Only what differs: each change gives the webhook the rights of its author. */
export function changesOf(before: WebhookDraft, draft: WebhookDraft): WebhookChanges {
  const old = bodyOf(before) as Readonly<Record<string, unknown>>;
  const changed = Object.entries(bodyOf(draft)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name]),
  );
  return Object.fromEntries(changed);
}

/** Lines without a name and a value are skipped. */
function headersOf(headers: readonly HeaderDraft[]): Readonly<Record<string, string>> {
  const written = headers.filter(({ name, value }) => name.trim() !== '' || value !== '');
  return Object.fromEntries(written.map(({ name, value }) => [name.trim(), value.trim()]));
}

/** The options that most webhooks leave alone. */
export function hasOptions(draft: WebhookDraft, me: number): boolean {
  const { changedFields, where, statusTo, exceptOwn, exceptSources, payload, headers } = draft;
  const lists = [changedFields, where, statusTo, exceptSources, headers ?? ['stored']];
  const isSet = exceptOwn || payload !== 'thin' || draft.owner !== me;
  return isSet || lists.some((list) => list.length > 0);
}
