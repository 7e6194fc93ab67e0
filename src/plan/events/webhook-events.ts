// Which events a webhook asks for, as far as the event itself says so; conditions and statuses are judged on the record
// (flow/webhooks/webhook-body.ts). Pure.

import type { ShownEvent } from './event-plan.ts';
import { ALL_OF_RECORDS, type WebhookFields } from './webhook-plan.ts';

/** The parts of a webhook that decide about an event. */
export interface WebhookChoice
  extends Pick<
    WebhookFields,
    'events' | 'object_types' | 'changed_fields' | 'where' | 'status_to' | 'except'
  > {
  readonly owner_user_id: number;
  readonly api_key_id: string | null;
}

/** True for an event of a type and an object that the webhook asks for. */
export function isOfKind(webhook: WebhookChoice, event: ShownEvent): boolean {
  return isOfType(webhook, event) && isOfObject(webhook, event);
}

export function isChosen(webhook: WebhookChoice, event: ShownEvent): boolean {
  return (
    isOfKind(webhook, event) &&
    isOfField(webhook, event) &&
    canBeJudged(webhook, event) &&
    !isExcepted(webhook, event)
  );
}

function isOfType({ events }: WebhookChoice, { type }: ShownEvent): boolean {
  return events.includes(type) || (type.startsWith('record.') && events.includes(ALL_OF_RECORDS));
}

/** A change of the definition is for everybody who asks for it. */
function isOfObject({ object_types }: WebhookChoice, event: ShownEvent): boolean {
  if (object_types.length === 0 || event.type === 'definition.changed') return true;
  if (event.type !== 'reach.changed') return object_types.includes(event.row.object_type);
  const { object_types: changed } = event;
  return changed.length === 0 || changed.some((type) => object_types.includes(type));
}

/** One of the fields must be among those that changed; events that name none of them have changed none. */
function isOfField({ changed_fields }: WebhookChoice, event: ShownEvent): boolean {
  if (changed_fields.length === 0 || isOfReader(event)) return true;
  if (!('changed_fields' in event)) return false;
  // The relationship of a reference changes with the field.
  return event.changed_fields.some((key) =>
    [key, `ref.${key}`].some((name) => changed_fields.includes(name)),
  );
}

/** A record that is gone, or out of reach, meets no condition. */
function canBeJudged({ where, status_to }: WebhookChoice, event: ShownEvent): boolean {
  if (isOfReader(event)) return true;
  if (status_to.length > 0 && event.type !== 'record.status_changed') return false;
  if (where === null && status_to.length === 0) return true;
  return 'row' in event && event.type !== 'record.left' && event.row.present;
}

/** True for an event about the rights of the reader, not about a record. */
function isOfReader({ type }: ShownEvent): boolean {
  return type === 'reach.changed' || type === 'definition.changed';
}

function isExcepted({ except, ...webhook }: WebhookChoice, event: ShownEvent): boolean {
  if (!('row' in event)) return false;
  const { source, api_key_id, user_id } = event.row;
  if (except.sources.includes(source)) return true;
  if (!except.own || api_key_id === null) return false;
  const own = webhook.api_key_id;
  return own === null ? user_id === webhook.owner_user_id : api_key_id === own;
}
