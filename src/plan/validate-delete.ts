// Validates a delete: required and restricting references prevent it, and the refusal names only what the
// caller may read (D54, D150). Pure.

import { ownReferrers } from './referrers.ts';
import {
  type Change,
  type Counts,
  currentValue,
  givenValue,
  type Referring,
  report,
  rowOf,
  type WriteValidation,
} from './write-validation.ts';

type Row = Readonly<Record<string, unknown>>;

/**
 * No remaining record may require this one. Records that the caller may not read are neither
 * named nor counted.
 */
export function validateDelete(one: WriteValidation, row: Row): Change {
  const id = String(row.id);
  const { needing, cleared, hidden } = referringWhenDone(one, id);
  const counts = Object.entries(needing).map(([objectType, count]) => `${count} ${objectType}`);
  if (counts.length > 0) {
    const message = `Other records cannot be without this one: ${counts.join(', ')}.`;
    report(one, 'rules', { code: 'conflict', message, records: needing });
  } else if (hidden) {
    const message = 'Other records cannot be without this one.';
    report(one, 'rules', { code: 'conflict', message });
  }
  return { kind: 'delete', id, keys: [], cleared };
}

const NOTHING: Referring = Object.freeze({ needing: {}, cleared: {}, hidden: false });

/** References to the record after the earlier operations of the batch. */
function referringWhenDone({ plan, lookedUp, write }: WriteValidation, id: string): Referring {
  const { model, object } = plan;
  const { needing, cleared, hidden } = lookedUp.referring.get(id) ?? NOTHING;
  const earlier = plan.writes
    .slice(0, write.index)
    .filter(({ operation }) => operation.action !== 'delete');
  const added = { needing: 0, cleared: 0 };
  for (const { field, restricts } of ownReferrers(model, object)) {
    for (const one of earlier) {
      const given = givenValue(one, field);
      if (given === undefined) continue;
      const row = rowOf(lookedUp, one);
      const left = Number(row !== undefined && currentValue(row, field) === id);
      added[restricts ? 'needing' : 'cleared'] += Number(given === id) - left;
    }
  }
  const { object_type } = object;
  return {
    needing: adjusted(needing, object_type, added.needing),
    cleared: adjusted(cleared, object_type, added.cleared),
    hidden,
  };
}

function adjusted(counts: Counts, objectType: string, added: number): Counts {
  const count = (counts[objectType] ?? 0) + added;
  const others = Object.entries(counts).filter(
    ([other, number]) => other !== objectType && number > 0,
  );
  return Object.fromEntries(count > 0 ? [...others, [objectType, count]] : others);
}
