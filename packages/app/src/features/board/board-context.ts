// The state that the columns and cards of a board share. It stays the same object while cards are moved.

import type { Field, ObjectDefinition, RecordData } from '@workspace-records/client';
import { createContext, type RefObject, useContext } from 'react';
import type { Obstacle } from '../../editing/status-moves.ts';
import type { RecordQuestion } from '../../lib/record-lists.ts';
import type { BoardColumn } from './columns.ts';
import type { Spot } from './keys.ts';

/** A card that is being moved, and the column where it would go. */
export interface Held {
  readonly record: RecordData;
  readonly by: 'keys' | 'mouse' | 'touch';
  /** Ids of columns. */
  readonly from: string;
  readonly target: string | undefined;
}

/** The functions of a shown column that the board calls. */
export interface ColumnHandle {
  /** The cards that are loaded. */
  readonly records: readonly RecordData[];
  focus(index: number): void;
}

/** The card that shall have the focus as soon as it is drawn. */
export interface FocusTarget {
  /** The id of the record of the card. */
  readonly id: string;
  /** The record that is moved: the same, or the one next to it. */
  readonly moved: string;
  /** The column where that one is no longer. */
  readonly leaves: string;
}

export interface BoardContent {
  readonly object: ObjectDefinition;
  readonly field: Field;
  readonly sum: Field | undefined;
  readonly cardFields: readonly Field[];
  readonly columns: readonly BoardColumn[];
  readonly handles: Map<string, ColumnHandle>;
  readonly wanted: RefObject<FocusTarget | undefined>;
  readonly hintId: string;
  questionOf(column: BoardColumn): RecordQuestion;
  canMove(record: RecordData): boolean;
  /** Why it may not go there; undefined: it may. */
  obstacle(record: RecordData, column: BoardColumn): Obstacle | undefined;
  /** Moves a card by its menu. */
  move(record: RecordData, column: BoardColumn): void;
  /** A record of a column that belongs to another one now: somebody else has moved it. */
  rehome(record: RecordData): void;
  focus(spot: Spot): void;
}

export const BoardContext = createContext<BoardContent | undefined>(undefined);

export function useBoard(): BoardContent {
  const board = useContext(BoardContext);
  if (board === undefined) throw new Error('not on a board');
  return board;
}

/** The record of the card in the element. */
export function recordAt(
  { handles }: BoardContent,
  { dataset: { column = '', index } }: HTMLElement,
): RecordData | undefined {
  return handles.get(column)?.records[Number(index)];
}

/** The numbers of cards in the visible columns, in their order. */
export function countsOf({ columns, handles }: BoardContent) {
  return columns.flatMap(({ id }) => {
    const handle = handles.get(id);
    return handle === undefined ? [] : [[id, handle.records.length] as const];
  });
}
