// Deleted records that the service keeps: restoring them, and undoing a delete. What comes back is shown at once.

import type { QueryClient } from '@tanstack/react-query';
import type { ObjectDefinition, RecordData, RestoredRecord } from '@workspace-records/client';
import type { Translate } from './messages/index.ts';
import { dropRecord, noteCreated } from './record-cache.ts';
import type { WorkspaceClient } from './session.ts';
import type { UndoableAct } from './undo.ts';

/** False where a delete is for good. */
export function keepsDeleted(object: Pick<ObjectDefinition, 'trash'>): boolean {
  return daysKept(object) !== undefined;
}

/** The days for which deleted records can be restored. */
export function daysKept({ trash }: Pick<ObjectDefinition, 'trash'>): number | undefined {
  return trash?.days;
}

/** The outlook of so many deleted records, in words: how long they can be restored. */
export function outlookOf(
  object: Pick<ObjectDefinition, 'trash'>,
  count: number,
  t: Translate,
): string {
  const days = daysKept(object);
  if (days === undefined) return t(count === 1 ? 'delete.text' : 'grid.deleteText');
  return t(count === 1 ? 'trash.kept' : 'trash.keptMany', { count: days });
}

export function deletedKey(workspace: string, type: string): readonly string[] {
  return [workspace, type, 'deleted'];
}

interface Restoring extends WorkspaceClient {
  readonly queries: QueryClient;
  readonly type: string;
}

export async function restoreRecord(
  { workspace, client, queries, type }: Restoring,
  id: string,
): Promise<RestoredRecord> {
  const restored = await client.records(type).restoreDeleted(id);
  noteCreated(queries, workspace, restored.record);
  void queries.invalidateQueries({ queryKey: deletedKey(workspace, type) });
  return restored;
}

interface DeletedSince {
  /** Id of the person. */
  readonly by: number;
  readonly since: string;
  /** The number of records that must have been deleted. */
  readonly count: number;
}

/** Ids of the records that a person has deleted since a moment; undefined: they are not so many. */
export async function deletedSince(
  client: WorkspaceClient['client'],
  type: string,
  { by, since, count }: DeletedSince,
): Promise<readonly string[] | undefined> {
  const ids: string[] = [];
  // The last deleted first.
  for await (const one of client.records(type).allDeleted({ deleted_by: by, limit: 100 })) {
    if (one.deleted_at < since || ids.length > count) break;
    ids.push(one.id);
  }
  return ids.length === count ? ids : undefined;
}

interface Deletion {
  readonly ids: readonly string[];
  /** The records that were restored. */
  readonly restored?: readonly RecordData[];
  readonly text: string;
}

/** Undone, the records are back with their comments and links. */
export function deletionAct(
  restoring: Restoring,
  { ids, restored = [], text }: Deletion,
): UndoableAct {
  let back = restored;
  return {
    text,
    async undo() {
      back = [];
      for (const id of ids) back = [...back, (await restoreRecord(restoring, id)).record];
    },
    async redo() {
      const { workspace, client, queries, type } = restoring;
      for (const record of back) {
        await client.records(type).delete(record.id, { version: record.version });
        dropRecord(queries, workspace, record);
      }
    },
  };
}

/** Undone, the record is deleted again. */
export function restorationAct(
  restoring: Restoring,
  record: RecordData,
  text: string,
): UndoableAct {
  const { undo, redo } = deletionAct(restoring, { ids: [record.id], restored: [record], text });
  return { text, undo: redo, redo: undo };
}
