// The events for a reader whose rights, or whose definition, have changed since their position
// (docs/design/changes.md).

import {
  alteredObjects,
  changedNames,
  type ReaderBefore,
} from '../../plan/events/changed-names.ts';
import type { RightsEvent } from '../../plan/events/event-plan.ts';
import { objectThen } from '../../plan/events/name-history.ts';
import { changedRights, type ReaderRights } from '../../plan/people/reader-rights.ts';
import { historyOf, type Outbox } from './event-pages.ts';

/** The key of a change of rights: the mark of the rights before it, and a time at which they were in force. */
export function rightsKey(before: string, at: number): string {
  return `${before}@${at}`;
}

/** The events of a change of rights since the mark of its key; none when the rights are the same. */
export async function rightsEvents(
  outbox: Outbox,
  reading: ReaderRights,
  key: string,
): Promise<readonly RightsEvent[]> {
  const [before = '', at = ''] = key.split('@', 2);
  const changed = changedRights(before, reading);
  if (changed === undefined) return [];
  const { revision: after, readable, unreadable, isOther } = changed;
  const eventKey = `${before}@${at}`;
  if (after === undefined) {
    const object_types = [...readable, ...unreadable];
    return isOther ? [{ key: eventKey, type: 'reach.changed', object_types }] : [];
  }
  const history = await historyOf(outbox, reading.model);
  const altered = alteredObjects(history, reading, after);
  const object_types = [
    ...new Set([...readable, ...altered]),
    // The reader does not learn the new key.
    ...unreadable.map((type) => objectThen(history, type, after)),
  ];
  const isReach = isOther || altered.length > 0;
  return [
    ...definitionEvents(history, { ...reading, before }, { after, key: eventKey }),
    ...(isReach ? [{ key: eventKey, type: 'reach.changed', object_types } as const] : []),
  ];
}

/** One event for each revision that changed names, the first one first, and one for the definition in force. */
function definitionEvents(
  history: Awaited<ReturnType<typeof historyOf>>,
  reader: ReaderBefore,
  { after, key }: { readonly after: number; readonly key: string },
): readonly RightsEvent[] {
  const { revision } = reader.model;
  const names = changedNames(history, reader, after);
  const present = { revision, at: new Date().toISOString(), renamed: [], removed: [] };
  const all = names.at(-1)?.revision === revision ? names : [...names, present];
  return all.map((one) => ({ key: `${key}@${one.revision}`, type: 'definition.changed', ...one }));
}
