// A merge in everything that the application shows, and its undoing.

import type { QueryClient } from '@tanstack/react-query';
import type { MergedRecord, MergeRequest, RecordData } from '@workspace-records/client';
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

/** Errors: those of the service. */
export function sendMerge(
  { client, type }: MergePlace,
  { id, version, request }: Merge,
): Promise<MergedRecord> {
  return client.records(type).merge(id, request, { version });
}

/** Shows the record afterwards, and no longer the others, in every list and page. */
export function showMerge(place: MergePlace, { record, merged }: MergedRecord): void {
  const { workspace, queries, type } = place;
  for (const id of merged) dropRecord(queries, workspace, { object_type: type, id });
  showAfter(place, record as RecordData);
}

/** Undone, the others are back with what went over, and the record has its values again. */
export function mergeAct(
  place: MergePlace,
  { merge: sent, made, text }: { readonly merge: Merge; readonly made: string; text: string },
): UndoableAct {
  const { workspace, client, queries, type } = place;
  const records = client.records(type);
  let again = sent;
  let merge = made;
  return {
    text,
    async undo() {
      const { record, restored } = await records.unmerge(sent.id, { merge });
      const others = await Promise.all(restored.map((id) => records.get(id)));
      for (const other of others) noteCreated(queries, workspace, other as RecordData);
      showAfter(place, record as RecordData);
      const from = others.map(({ id, version }) => ({ id, expected_version: version ?? '' }));
      again = { ...sent, version: record.version, request: { ...sent.request, from } };
    },
    async redo() {
      const done = await sendMerge(place, again);
      merge = done.merge;
      showMerge(place, done);
    },
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
