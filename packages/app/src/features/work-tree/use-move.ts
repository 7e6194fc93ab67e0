// Moving a work item below another one, or out of the tree, with the way back noted.

import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Field, RecordData } from '@workspace-records/client';
import { fieldValue } from '../../lib/field-value.ts';
import { makeKey } from '../../lib/idempotency-key.ts';
import { translate } from '../../lib/messages/index.ts';
import { rereadAround } from '../../lib/record-cache.ts';
import { recordQuery, saveField } from '../../lib/record-writes.ts';
import { useSession } from '../../lib/session.ts';
import { noteUndo } from '../../lib/undo.ts';

export function useMove(item: RecordData, field: Field | undefined) {
  const session = useSession();
  const queries = useQueryClient();
  const { object_type: type, id } = item;
  const move = async (value: unknown, base: unknown) => {
    if (field === undefined) return;
    // Its version: a move by somebody else since then must be noticed.
    await queries.fetchQuery({ ...recordQuery(session, type, id), staleTime: 0 });
    await saveField(session, queries, { type, id }, { field, value, base, key: makeKey() });
    rereadAround(queries, session.workspace, type);
  };
  return useMutation({
    mutationFn: (parent: string | null) => move(parent, field && fieldValue(item, field)),
    onSuccess(_, parent) {
      const text = translate()('tree.moved', { name: item.display ?? item.id });
      const before = field && fieldValue(item, field);
      noteUndo({ text, undo: () => move(before, parent), redo: () => move(parent, before) });
    },
  });
}
