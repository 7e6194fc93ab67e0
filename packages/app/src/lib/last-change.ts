// Reads who changed a field of a record last, by the change feed: everybody who reads the record may know it.

import { queryOptions } from '@tanstack/react-query';
import type { ChangeEvent, RecordData } from '@workspace-records/client';
import type { WorkspaceClient } from './session.ts';

export interface LastChange {
  /** Id; undefined: nobody who could be named. */
  readonly user: number | undefined;
  readonly at: string;
}

/** Milliseconds before the last change of the record, in which its field may have been changed. */
const BEFORE = 600_000;
/** Pages of a thousand events: a busy workspace has no more than these looked through. */
const MOST_PAGES = 3;

/** Null: it is not among the changes of the last minutes. */
export function lastChangeQuery(session: WorkspaceClient, record: RecordData, key: string) {
  const { workspace, client } = session;
  const { object_type: type, id, version, updated_at } = record;
  return queryOptions({
    queryKey: [workspace, type, 'last change', id, key, version],
    queryFn: async ({ signal }): Promise<LastChange | null> => {
      const since = new Date(Date.parse(updated_at ?? '') - BEFORE || Date.now() - BEFORE);
      const asked = { objectType: type, since, wait: 0, signal } as const;
      let lastChange: LastChange | null = null;
      let pages = 0;
      for await (const { events } of client.changes(asked)) {
        lastChange = lastIn(events, id, key) ?? lastChange;
        pages += 1;
        if (pages === MOST_PAGES) break;
      }
      return lastChange;
    },
    retry: false,
  });
}

/** Undefined: none of them. */
export function lastIn(
  events: readonly ChangeEvent[],
  id: string,
  key: string,
): LastChange | undefined {
  const event = events.findLast(
    (one) =>
      'record_id' in one &&
      one.record_id === id &&
      'changed_fields' in one &&
      one.changed_fields.includes(key),
  );
  if (event === undefined) return undefined;
  const user = 'user' in event ? event.user?.id : undefined;
  return { user: user ?? undefined, at: event.occurred_at };
}
