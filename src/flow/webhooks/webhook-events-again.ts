// Events that were read before, as their reader may know them now: they waited too long, or are sent again.

import type { PendingDelivery } from '../../control/webhook-runs.ts';
import { planEvents, type ShownEvent } from '../../plan/event-plan.ts';
import type { WebhookScope } from '../../plan/webhook-plan.ts';
import { changesOf } from '../events/change-reader.ts';
import { loadSameRows, type Outbox } from '../events/event-pages.ts';
import { rightsEvents } from '../events/event-rights.ts';

/** Of a change of rights: its key. */
function keyOf(event: ShownEvent): string | null {
  return 'row' in event ? null : event.key;
}

/** The place of an event in the audit, or the rights before it. */
export type EventSource = Pick<PendingDelivery, 'type' | 'transaction' | 'audit_id' | 'rights'>;

export function sourceOf(event: ShownEvent): EventSource {
  if (!('row' in event)) {
    return { type: event.type, transaction: null, audit_id: null, rights: keyOf(event) };
  }
  const { transaction, id } = event.row;
  return { type: event.type, transaction, audit_id: id, rights: null };
}

/** Each at the place of its source; undefined when the reader may no longer know of it. */
export async function readAgain(
  outbox: Outbox,
  scope: WebhookScope,
  sources: readonly EventSource[],
): Promise<readonly (ShownEvent | undefined)[]> {
  const places = sources.flatMap(({ transaction, audit_id }) =>
    transaction === null ? [] : [{ transaction, id: audit_id as number }],
  );
  const rows = places.length === 0 ? [] : await loadSameRows(outbox, scope.model, places);
  const found = new Map(
    rows.map((row) => [`${row.transaction} ${row.id}`, planEvents(scope, row)]),
  );
  const again: (ShownEvent | undefined)[] = [];
  for (const { type, transaction, audit_id, rights } of sources) {
    const events =
      rights === null
        ? changesOf(found.get(`${transaction} ${audit_id}`) ?? [])
        : await rightsEvents(outbox, scope, rights);
    const same = events.find((event) => event.type === type && rights === keyOf(event));
    // A reader with another reach may know of the same change as one of another type.
    again.push(same ?? events[0]);
  }
  return again;
}
