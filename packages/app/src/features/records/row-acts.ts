// The functions that rows call in the grid; the same object as long as the grid lives, so that no row is rendered
// again for it.

import type { Field, RecordData } from '@workspace-records/client';
import type { CellDraft, CellStep } from '../../editing/cell-editor.tsx';

export interface RowActs {
  /** The record is about to be opened. */
  open(id: string): void;
  choose(id: string, isRange: boolean): void;
  /** Keeps what was typed so far. */
  type(cell: CellOfRecord, draft: CellDraft): void;
  save(edited: EditedCell, step: CellStep): void;
  /** Gives up what was typed. */
  cancel(cell: CellOfRecord): void;
  /** Ends the reading of a cell. */
  close(): void;
}

export interface CellOfRecord {
  readonly record: RecordData;
  readonly field: Field;
}

export interface EditedCell extends CellOfRecord, CellDraft {
  readonly value: unknown;
}
