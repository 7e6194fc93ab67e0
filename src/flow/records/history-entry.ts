// The row that a change of a record adds to its history (docs/design/history.md).

import type { ObjectModel } from '../../model/definition/model.ts';
import { replacedValues } from '../../plan/write/replaced-values.ts';
import type { Change } from '../../plan/write/write-validation.ts';
import type { Actor, AuditEntry } from '../../sql/events/audit-sql.ts';
import type { HistoryEntry } from '../../sql/events/history-sql.ts';

/** Undefined: the object has no history, or the change replaces nothing. */
export function historyOf(
  { actor, object }: { readonly actor: Actor; readonly object: ObjectModel },
  change: Change,
  { record_id, revision, action }: AuditEntry,
): HistoryEntry | undefined {
  const replaced = replacedValues(object, change);
  if (replaced === undefined || revision === null) return undefined;
  return { actor, object, record_id, revision, action, ...replaced };
}
