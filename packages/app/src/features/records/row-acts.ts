// The functions that rows call in the grid; the same object as long as the grid lives, so that no row is rendered
// again for it.

import type { Field, RecordData } from '@workspace-records/client';
import type { CellStep } from '../../editing/cell-editor.tsx';

export interface RowActs {
  /** The record is about to be opened. */
  open(id: string): void;
  choose(id: string, isRange: boolean): void;
  save(edited: EditedCell, step: CellStep): void;
  cancel(edited: Pick<EditedCell, 'record' | 'field'>): void;
}

export interface EditedCell {
  readonly record: RecordData;
  readonly field: Field;
  readonly value: unknown;
  readonly base: unknown;
}
