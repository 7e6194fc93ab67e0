// Why an unsaved edit can no longer be saved: its record, its field or the right to change it is gone.

import { useQueries } from '@tanstack/react-query';
import { isRecordsError, type ObjectDefinition } from '@workspace-records/client';
import { useSyncExternalStore } from 'react';
import type { PlainKey } from '../../lib/messages/index.ts';
import { objectQuery } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import { keyOfPlace, type UnsavedEdit } from '../../lib/unsaved-edits.ts';
import { followGone, isGone } from '../../live/gone-records.ts';

/** The reasons by the key of the place; an edit without one can still be saved. */
export function useEditReasons(edits: readonly UnsavedEdit[]): ReadonlyMap<string, PlainKey> {
  const session = useSession();
  const queryOf = ({ type, itemType }: UnsavedEdit) => objectQuery(session, type, itemType);
  const queries = new Map(edits.map((edit) => [JSON.stringify(queryOf(edit).queryKey), edit]));
  const answers = useQueries({ queries: [...queries.values()].map(queryOf) });
  const goneIds = edits.filter(({ type, id }) => isGone(type, id)).map(({ id }) => id);
  useSyncExternalStore(followGone, () => goneCount(edits));
  const keys = [...queries.keys()];
  return new Map(
    edits.flatMap((edit) => {
      const { data, error } = answers[keys.indexOf(JSON.stringify(queryOf(edit).queryKey))] ?? {};
      const isRefused = isRecordsError(error) && (error.status === 404 || error.status === 403);
      const reason = goneIds.includes(edit.id)
        ? 'edits.recordGone'
        : isRefused
          ? 'edits.objectGone'
          : data && reasonOf(edit, data);
      return reason === undefined ? [] : [[keyOfPlace(edit), reason] as const];
    }),
  );
}

function goneCount(edits: readonly UnsavedEdit[]): number {
  return edits.filter(({ type, id }) => isGone(type, id)).length;
}

function reasonOf(
  { kind, part }: UnsavedEdit,
  { fields, capabilities, permissions }: ObjectDefinition,
): PlainKey | undefined {
  if (!permissions.read.allowed) return 'edits.objectGone';
  if (kind === 'comment') return undefined;
  if (kind === 'form') return permissions.create.allowed ? undefined : 'edits.noRight';
  const field = fields.find(({ key }) => key === part);
  if (field === undefined) return 'edits.fieldGone';
  const isAllowed = field.editable && capabilities.update && permissions.update.allowed;
  return isAllowed ? undefined : 'edits.noRight';
}
