// Values of cells that are not saved: a cell shows the new value at once, with a mark until the service has confirmed it.

import { useMemo, useSyncExternalStore } from 'react';
import type { CellDraft } from '../../editing/cell-editor.tsx';
import { dropDraft, keepDraft, saveEdit, useSaving } from '../../editing/save-edits.ts';
import { isSame } from '../../lib/field-value.ts';
import { type EditStore, fieldPlace, type UnsavedEdit, useEdits } from '../../lib/unsaved-edits.ts';
import type { CellOfRecord, EditedCell } from './row-acts.ts';

export interface CellState {
  readonly value: unknown;
  /** Undefined while it is being saved. */
  readonly problem: string | undefined;
}

/** The states of the cells of a record, by the key of the field. */
export type RowStates = Readonly<Record<string, CellState>>;

type States = ReadonlyMap<string, RowStates>;

export function useCellSaves(type: string) {
  const saving = useSaving();
  const states = useStates(type);
  const acts = useMemo(
    () => ({
      type: (cell: CellOfRecord, draft: CellDraft) => keepDraft(saving, cell, draft),
      cancel: (cell: CellOfRecord) => dropDraft(saving, fieldPlace(cell.record, cell.field)),
      save: (edited: EditedCell) => saveEdit(saving, edited, edited),
    }),
    [saving],
  );
  return { states, ...acts };
}

function useStates(type: string): States {
  const edits = useEdits();
  const read = useMemo(() => openStates(edits, type), [edits, type]);
  return useSyncExternalStore(edits.subscribe, read);
}

/** Reads the states. Equal ones keep their object, also those of a row, so that a key renders neither list nor row again. */
function openStates(edits: EditStore, type: string): () => States {
  let all = edits.get();
  let states: States = statesOf(type, [...all.values()]);
  return () => {
    if (edits.get() === all) return states;
    all = edits.get();
    const next = statesOf(type, [...all.values()]);
    for (const [id, row] of next) {
      const before = states.get(id);
      if (before !== undefined && isSame(before, row)) next.set(id, before);
    }
    const isEqual =
      next.size === states.size && [...next].every(([id, row]) => states.get(id) === row);
    if (!isEqual) states = next;
    return states;
  };
}

function statesOf(type: string, edits: readonly UnsavedEdit[]): Map<string, RowStates> {
  const states = new Map<string, RowStates>();
  for (const { kind, type: object, id, part, wish, problem } of edits) {
    if (kind !== 'field' || object !== type || wish === undefined) continue;
    const state: CellState = { value: wish.value, problem: problem?.text };
    states.set(id, { ...states.get(id), [part]: state });
  }
  return states;
}
