// The person who gets a record by a change of its owner, and is notified of it.

import { uuidv7 } from 'uuidv7';
import type { Field, ObjectModel } from '../../model/definition/model.ts';
import { reachColumn } from '../../model/rights/access.ts';
import type { Change } from '../../plan/write/write-validation.ts';
import type { Actor } from '../../sql/events/audit-sql.ts';
import type { Assigned } from '../../sql/events/notify-sql.ts';

interface Origin {
  readonly actor: Actor;
  readonly object: ObjectModel;
}

/** Imports give many records to people who know of it. */
export function assignedBy({ actor, object }: Origin, change: Change): Assigned | undefined {
  if (!object.owned || actor.source === 'import') return undefined;
  const owner = newOwnerOf(object, change);
  if (owner === null || owner === actor.user_id) return undefined;
  const { object_type } = object;
  const record = { object_type, record_id: change.id };
  return { id: uuidv7(), user_id: owner, ...record, author_user_id: actor.user_id };
}

function newOwnerOf(object: ObjectModel, change: Change): number | null {
  const column = reachColumn(object);
  if (change.kind === 'insert') return (change.columns[column] ?? null) as number | null;
  if (change.kind !== 'update' || !change.keys.includes(column)) return null;
  return (change.set.get(object.fields.get(column) as Field) ?? null) as number | null;
}
