// A merge in everything that the application shows, and its undoing.

import type { QueryClient } from '@tanstack/react-query';
import type { MergeRequest, RecordData } from '@workspace-records/client';
import { dropRecord, noteCreated, putRecord, rereadAround } from '../../lib/record-cache.ts';
import type { WorkspaceClient } from '../../lib/session.ts';
import type { UndoableAct } from '../../lib/undo.ts';

export interface MergePlace extends WorkspaceClient {
  readonly queries: QueryClient;
  readonly type: string;
}

export interface Merge {
  /** The record that stays. */
  readonly id: string;
  readonly version: string | undefined;
  readonly request: MergeRequest;
}

/** Returns the record afterwards. Errors: those of the service. */
export async function mergeNow(
  place: MergePlace,
  { id, version, request }: Merge,
): Promise<RecordData> {
  const { workspace, client, queries, type } = place;
  const { record } = await client.records(type).merge(id, request, { version });
  for (const other of request.from)
    dropRecord(queries, workspace, { object_type: type, id: other.id });
  showAfter(place, record as RecordData);
  return record as RecordData;
}

/** Undone, the others are back with what went over, and the record has its values again. */
export function mergeAct(place: MergePlace, merge: Merge, text: string): UndoableAct {
  const { workspace, client, queries, type } = place;
  const records = client.records(type);
  let again = merge;
  return {
    text,
    async undo() {
      const { record, restored } = await records.unmerge(merge.id);
      const others = await Promise.all(restored.map((id) => records.get(id)));
      for (const other of others) noteCreated(queries, workspace, other as RecordData);
      showAfter(place, record as RecordData);
      const from = others.map(({ id, version }) => ({ id, expected_version: version ?? '' }));
      again = { ...merge, version: record.version, request: { ...merge.request, from } };
    },
    redo: () => mergeNow(place, again),
  };
}

/** Comments, links and children of the record are others than before. */
function showAfter({ workspace, queries, type }: MergePlace, record: RecordData): void {
  putRecord(queries, workspace, record);
  rereadAround(queries, workspace, type);
  void queries.invalidateQueries({
    predicate: ({ queryKey }) => queryKey[0] === workspace && queryKey.includes(record.id),
  });
}
