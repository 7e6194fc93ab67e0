// Validates a delete: required and restricting references prevent it, and the refusal names only what the
// caller may read (D54, D150). Pure.

import { say } from '../../messages/message.ts';
import type { Field, ObjectModel } from '../../model/definition/model.ts';
import type { Row } from '../../model/values/row.ts';
import { planReferrers } from './referrers.ts';
import {
  type Change,
  type Counts,
  currentValue,
  type Referring,
  recordKey,
  report,
  rowOf,
  type WriteValidation,
} from './write-validation.ts';

/**
 * No remaining record may require this one. Records that the caller may not read are neither
 * named nor counted.
 */
export function validateDelete(one: WriteValidation, row: Row): Change {
  const id = String(row.id);
  const { needing, cleared, hidden } = referringWhenDone(one, id);
  const counts = Object.entries(needing).map(([objectType, count]) => `${count} ${objectType}`);
  if (counts.length > 0) {
    const message = say('required_by', { counts: counts.join(', ') });
    report(one, 'rules', { code: 'conflict', message, records: needing });
  } else if (hidden) {
    report(one, 'rules', { code: 'conflict', message: say('required_by_others') });
  }
  return { kind: 'delete', id, before: row, keys: [], cleared };
}

const NOTHING: Referring = Object.freeze({ needing: {}, cleared: {}, hidden: false });

/** References to the record after the earlier operations of the batch. */
function referringWhenDone(one: WriteValidation, id: string): Referring {
  const { plan, lookedUp, write } = one;
  let { needing, cleared, hidden } = lookedUp.referring.get(id) ?? NOTHING;
  for (const { object, fields } of planReferrers(plan.model, plan.caller, write.object)) {
    if (!plan.objects.includes(object)) continue;
    const readable = fields.filter((field) => field.readable);
    const added = (restricts: boolean) => {
      const asked = readable.filter((field) => field.restricts === restricts);
      return addedReferences(one, { object, id, fields: asked.map(({ field }) => field) });
    };
    needing = adjusted(needing, object.object_type, added(true));
    cleared = adjusted(cleared, object.object_type, added(false));
  }
  return { needing, cleared, hidden };
}

interface Target {
  readonly object: ObjectModel;
  readonly id: string;
  readonly fields: readonly Field[];
}

/**
 * How many more records of the object refer to the target than were looked up: the look-up leaves out all that
 * the batch deletes, of which those of other objects are there still when they are deleted later.
 */
function addedReferences(one: WriteValidation, { object, id, fields }: Target): number {
  const { plan, lookedUp, records, write } = one;
  const refers = (row: Row | null | undefined) =>
    row !== null && row !== undefined && fields.some((field) => currentValue(row, field) === id);
  const seen = new Set<string>();
  let added = 0;
  for (const other of plan.writes) {
    if (other.object !== object || fields.length === 0) continue;
    const before = rowOf(lookedUp, other);
    const recordId = String(before?.id ?? other.id ?? other.made);
    if (seen.has(recordId)) continue;
    seen.add(recordId);
    const isDelete = other.operation.action === 'delete';
    if (other.index > write.index)
      added += Number(isDelete && object !== write.object && refers(before));
    else if (!isDelete)
      added +=
        Number(refers(records.get(recordKey(object, recordId))?.())) - Number(refers(before));
  }
  return added;
}

function adjusted(counts: Counts, objectType: string, added: number): Counts {
  const count = (counts[objectType] ?? 0) + added;
  const others = Object.entries(counts).filter(
    ([other, number]) => other !== objectType && number > 0,
  );
  return Object.fromEntries(count > 0 ? [...others, [objectType, count]] : others);
}
