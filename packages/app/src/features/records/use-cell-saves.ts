// Values of cells that are being saved: a cell shows the new value at once, and the refusal when the service refuses
// it. The typed text is kept until then.

import { useQueryClient } from '@tanstack/react-query';
import type { Field, RecordData } from '@workspace-records/client';
import { useCallback, useState } from 'react';
import { isSame } from '../../lib/field-value.ts';
import { makeKey } from '../../lib/idempotency-key.ts';
import { translate } from '../../lib/messages/index.ts';
import { type Conflict, isConflict, saveField } from '../../lib/record-writes.ts';
import { useSession } from '../../lib/session.ts';
import { writeDraft } from '../../lib/storage.ts';
import { noteUndo } from '../../lib/undo.ts';
import { problemText } from '../../ui/problem.tsx';
import { showToast } from '../../ui/toast.ts';
import { nameOf } from './record-name.ts';
import type { EditedCell } from './row-acts.ts';

export interface CellState {
  readonly value: unknown;
  /** Undefined while it is being saved. */
  readonly problem: string | undefined;
}

/** The states of the cells of a record, by the key of the field. */
export type RowStates = Readonly<Record<string, CellState>>;

export function draftName({ object_type, id }: RecordData, { key }: Field): string {
  return `${object_type}/${id}/${key}`;
}

export function useCellSaves() {
  const session = useSession();
  const queries = useQueryClient();
  const { states, put } = useStates();
  const [conflict, setConflict] = useState<Conflict>();
  const send = useCallback(
    ({ record, field, value }: EditedCell, base: unknown) => {
      const place = { type: record.object_type, id: record.id };
      return saveField(session, queries, place, { field, value, base, key: makeKey() });
    },
    [session, queries],
  );
  const save = useCallback(
    async (wish: EditedCell) => {
      const { record, field, value, base } = wish;
      const name = draftName(record, field);
      const forget = () => {
        writeDraft(name, undefined);
        put(record.id, field.key, undefined);
      };
      if (isSame(value, base)) return forget();
      put(record.id, field.key, { value, problem: undefined });
      const saving = send(wish, base);
      // Noted in the order in which it was done: an undo while it is saved undoes this, not what was before it.
      const undo = async () => {
        await saving;
        return send({ ...wish, value: base }, value);
      };
      const redo = () => send(wish, base);
      const text = changedText(wish);
      const forgetAct = noteUndo({ text, undo, redo, isQuiet: true, saving });
      try {
        await saving;
        forget();
      } catch (error) {
        forgetAct();
        const problem = isConflict(error)
          ? translate()('conflict.title')
          : problemText(error, translate());
        put(record.id, field.key, { value, problem });
        if (isConflict(error)) setConflict(error.conflict);
        else showToast({ text: `${nameOf(record)}: ${problem}`, isProblem: true });
      }
    },
    [send, put],
  );
  const forget = useCallback(
    (record: RecordData, field: Field) => {
      writeDraft(draftName(record, field), undefined);
      put(record.id, field.key, undefined);
    },
    [put],
  );
  return { states, save, forget, conflict, closeConflict: () => setConflict(undefined) };
}

function useStates() {
  const [states, setStates] = useState<ReadonlyMap<string, RowStates>>(new Map());
  const put = useCallback((id: string, key: string, state: CellState | undefined) => {
    setStates((old) => {
      const { [key]: _, ...others } = old.get(id) ?? {};
      const row: RowStates = state === undefined ? others : { ...others, [key]: state };
      const next = new Map(old);
      if (Object.keys(row).length === 0) next.delete(id);
      else next.set(id, row);
      return next;
    });
  }, []);
  return { states, put };
}

function changedText({ record, field }: EditedCell): string {
  return translate()('grid.changed', { field: field.name ?? field.key, name: nameOf(record) });
}
