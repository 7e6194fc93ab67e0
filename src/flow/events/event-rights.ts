// The events of a change of the rights of a reader, who continues with other rights than before
// (docs/design/changes.md).

import { tableName } from '../../model/physical-names.ts';
import type { RightsEvent } from '../../plan/event-plan.ts';
import { changedNames, formerObjectTypes } from '../../plan/name-history.ts';
import {
  type ChangedRights,
  changedRights,
  couldRead,
  type ReaderRights,
  readsWhole,
} from '../../plan/reader-rights.ts';
import { historyOf, type Outbox } from './event-pages.ts';

/** The key of a change of rights: the mark before it, and the time at which the reader had it. */
export function rightsKey(before: string, at: number): string {
  return `${before}@${at}`;
}

/** The events of a change of rights since the mark of its key; none when the rights are the same. */
export async function rightsEvents(
  outbox: Outbox,
  reading: ReaderRights,
  key: string,
): Promise<readonly RightsEvent[]> {
  const [before = ''] = key.split('@', 1);
  const changed = changedRights(before, reading);
  if (changed === undefined) return [];
  const { object_types, isOther } = changed;
  const reach = { key, type: 'reach.changed', object_types } as const;
  const definition = await definitionEvents(outbox, reading, { ...changed, before });
  return [...definition.map((event) => ({ key, ...event })), ...(isOther ? [reach] : [])];
}

/** Of names only those that the reader may know: of objects that they read, of fields that they could read. */
async function definitionEvents(
  outbox: Outbox,
  reading: ReaderRights,
  { revision: after, before }: ChangedRights & { readonly before: string },
) {
  if (after === undefined) return [];
  const { model, caller } = reading;
  const { revision } = model;
  const history = await historyOf(outbox, model);
  const { renamed, removed } = changedNames(history, { after, until: revision });
  const couldReadObject = (objectType: string) =>
    formerObjectTypes(history, objectType).some((key) => couldRead(before, tableName(key)));
  const known = {
    renamed: renamed.filter(({ of, object_type, to }) => {
      const access = caller.access.objects.get(object_type);
      return access?.reach.read != null && (of === 'object' || access.readable.has(to));
    }),
    removed: removed.filter(({ object_type, field }) => {
      const object = model.objects.get(object_type);
      if (field === null) return object === undefined && couldReadObject(object_type);
      return object !== undefined && readsWhole(reading, object);
    }),
  };
  return [{ type: 'definition.changed', revision, ...known } as const];
}
