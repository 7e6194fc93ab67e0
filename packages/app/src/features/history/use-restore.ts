// An earlier value that a field gets again: a change of the field like any other, with the same question when somebody
// else has changed it meanwhile, and the same undo.

import { useQueryClient } from '@tanstack/react-query';
import type { Field, RecordData } from '@workspace-records/client';
import { useState } from 'react';
import { fieldValue } from '../../lib/field-value.ts';
import { makeKey } from '../../lib/idempotency-key.ts';
import { useT } from '../../lib/messages/index.ts';
import { type Conflict, isConflict, saveField } from '../../lib/record-writes.ts';
import { useSession } from '../../lib/session.ts';
import { noteUndo } from '../../lib/undo.ts';
import { problemText } from '../../ui/problem.tsx';
import { showToast } from '../../ui/toast.ts';

export function useRestore(record: RecordData) {
  const t = useT();
  const session = useSession();
  const queries = useQueryClient();
  const [conflict, setConflict] = useState<Conflict>();
  const recordPlace = { type: record.object_type, id: record.id };
  const write = (field: Field, value: unknown, base: unknown) =>
    saveField(session, queries, recordPlace, { field, value, base, key: makeKey() });
  const restoreFrom = async (field: Field, value: unknown, base: unknown) => {
    try {
      await write(field, value, base);
      const text = t('history.restored', { field: field.name ?? field.key });
      const [undo, redo] = [() => write(field, base, value), () => write(field, value, base)];
      noteUndo({ text, undo, redo });
      await queries.invalidateQueries({
        queryKey: [session.workspace, recordPlace.type, 'history', recordPlace.id],
      });
    } catch (error) {
      if (isConflict(error)) setConflict(error.conflict);
      else showToast({ text: problemText(error, t), isProblem: true });
    }
  };
  return {
    conflict,
    restore(field: Field, value: unknown) {
      void restoreFrom(field, value, fieldValue(record, field));
    },
    settle(settlement: 'mine' | 'theirs' | 'later') {
      const settled = conflict;
      setConflict(undefined);
      if (settled === undefined || settlement !== 'mine') return;
      const { intent, theirs } = settled;
      void restoreFrom(intent.field, intent.value, fieldValue(theirs, intent.field));
    },
  };
}
