// Moving a record to another column: shown at once, written under its version, put back where it was when the service
// refuses, and undone by the person as long as the workflow allows it.

import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type Field, isRecordsError, type RecordData } from '@workspace-records/client';
import { confirmMove } from '../../editing/move-confirmation.ts';
import { needsApproval, refusalText } from '../../editing/move-refusals.ts';
import type { MoveWords } from '../../editing/move-words.ts';
import { askForApproval } from '../../editing/requests/asked-move.ts';
import { STATUS_KEY } from '../../lib/board-fields.ts';
import { fieldValue } from '../../lib/field-value.ts';
import { makeKey } from '../../lib/idempotency-key.ts';
import { dropRecord } from '../../lib/record-cache.ts';
import { type RecordQuestion, recordsQuery } from '../../lib/record-lists.ts';
import { recordName } from '../../lib/record-name.ts';
import { isConflict, saveField } from '../../lib/record-writes.ts';
import { type Session, useSession } from '../../lib/session.ts';
import { changeStatus, movedMeanwhile, showAs } from '../../lib/status-writes.ts';
import { noteUndo } from '../../lib/undo.ts';
import { showFinal, showToast } from '../../ui/toast.ts';
import { type BoardColumn, columnIdOf } from './columns.ts';
import { type FiguresByColumn, movedFigures } from './figures.ts';
import { type CardPosition, type Pages, placeOf, putIn, TOP, withoutRecord } from './placing.ts';

export interface Board {
  readonly type: string;
  readonly field: Field;
  readonly sum: Field | undefined;
  readonly columns: readonly BoardColumn[];
  /** The query of a column. */
  questionOf(column: BoardColumn): RecordQuestion;
  /** The query key of the figures of all columns. */
  readonly figuresKey: readonly unknown[];
  /** Resolves to whether the person may make this move. */
  isOpen(record: RecordData, column: BoardColumn): Promise<boolean>;
  /** True when no move leads out of the column. */
  endsIn(record: RecordData, column: BoardColumn): boolean;
}

interface Moving {
  readonly session: Session;
  readonly queries: QueryClient;
  readonly board: Board;
}

export interface Moves {
  /** Resolves to whether the record is there now; failures are reported. */
  move(record: RecordData, to: BoardColumn): Promise<boolean>;
  /** Put a record where it belongs that somebody else has moved. */
  rehome(record: RecordData): void;
}

export function useMoves(board: Board, words: MoveWords): Moves {
  const moving: Moving = { session: useSession(), queries: useQueryClient(), board };
  const nameOf = (id: string) => board.columns.find((column) => column.id === id)?.name ?? id;
  return {
    async move(record, to) {
      const asked = { name: recordName(record), status: to.name };
      if (board.endsIn(record, to) && !(await confirmMove(asked))) return false;
      try {
        const moved = await move(moving, record, to);
        void offerUndo(moving, record, moved, words);
        return true;
      } catch (error) {
        if (needsApproval(error)) askForApproval({ record, to: to.id, status: to.name });
        else showToast({ text: failureText(error, words, nameOf), isProblem: true });
        return false;
      }
    },
    rehome(record) {
      rehome(moving, record);
      void moving.queries.invalidateQueries({ queryKey: board.figuresKey });
    },
  };
}

async function move(moving: Moving, record: RecordData, to: BoardColumn): Promise<RecordData> {
  const { queries, session, board } = moving;
  const from = columnIdOf(record, board.field);
  const before = place(moving, record, to.id);
  try {
    const moved = await write(moving, record, to);
    rehome(moving, moved);
    return moved;
  } catch (error) {
    const now = presentOf(error);
    if (isRecordsError(error, 'record_not_found')) dropRecord(queries, session.workspace, record);
    else if (now === undefined)
      place(moving, withValue(record, board.field, to.value), from, before);
    else rehome(moving, now);
    throw error;
  } finally {
    void queries.invalidateQueries({ queryKey: board.figuresKey });
  }
}

function write(moving: Moving, record: RecordData, to: BoardColumn): Promise<RecordData> {
  const { session, queries, board } = moving;
  const { field } = board;
  if (field.key === STATUS_KEY) return changeStatus(moving, { record, to: to.id });
  const base = fieldValue(record, field);
  const place = { type: record.object_type, id: record.id };
  return saveField(session, queries, place, { field, value: to.value, base, key: makeKey() });
}

/** The present record, when another person was faster. */
function presentOf(error: unknown): RecordData | undefined {
  return isConflict(error) ? error.conflict.theirs : movedMeanwhile(error);
}

/** Shows it in a column, and answers where it was in its own. */
function place(
  moving: Moving,
  record: RecordData,
  to: string,
  at: CardPosition = TOP,
): CardPosition | undefined {
  const { queries, session, board } = moving;
  const column = board.columns.find(({ id }) => id === to);
  if (column === undefined) return undefined;
  const from = columnIdOf(record, board.field);
  const before = pagesOf(moving, from);
  const shown = withValue(record, board.field, column.value);
  showAs(queries, session.workspace, record, (one) => withValue(one, board.field, column.value));
  rehome(moving, shown, at);
  queries.setQueryData<FiguresByColumn>(
    board.figuresKey,
    (figures) =>
      figures && movedFigures(figures, { from, to }, board.sum && fieldValue(record, board.sum)),
  );
  return before && placeOf(before, record.id);
}

/** Puts the record into its own column, and removes it from the other loaded columns. */
function rehome({ queries, session, board }: Moving, record: RecordData, at?: CardPosition): void {
  const home = columnIdOf(record, board.field);
  for (const column of board.columns) {
    const { queryKey } = recordsQuery(session, board.type, board.questionOf(column));
    queries.setQueryData<Pages>(queryKey, (list) => {
      if (list === undefined) return undefined;
      return column.id === home ? putIn(list, record, at) : withoutRecord(list, record.id);
    });
  }
}

function pagesOf({ queries, session, board }: Moving, id: string): Pages | undefined {
  const column = board.columns.find((one) => one.id === id);
  if (column === undefined) return undefined;
  const { queryKey } = recordsQuery(session, board.type, board.questionOf(column));
  return queries.getQueryData<Pages>(queryKey);
}

function withValue(record: RecordData, { key }: Field, value: unknown): RecordData {
  if (key === STATUS_KEY) return { ...record, status: value as string | null };
  const fields = { ...record.fields, [key]: value };
  return key === 'owner_user_id'
    ? { ...record, owner_user_id: value as number | null }
    : { ...record, fields };
}

/** Undo is offered when the way back is open to the person; otherwise the note says that there is none. */
async function offerUndo(
  moving: Moving,
  before: RecordData,
  moved: RecordData,
  { t }: MoveWords,
): Promise<void> {
  const { board } = moving;
  const columnAt = (record: RecordData) =>
    board.columns.find(({ id }) => id === columnIdOf(record, board.field));
  const [from, to] = [columnAt(before), columnAt(moved)];
  if (from === undefined || to === undefined) return;
  const isOpen = await board.isOpen(moved, from).catch(() => false);
  const name = recordName(moved);
  const text = t('board.moved', { name, column: to.name });
  let now = moved;
  const turn = (column: BoardColumn) => async () => {
    now = await move(moving, now, column);
  };
  if (isOpen) noteUndo({ text, undo: turn(from), redo: turn(to) });
  else showFinal({ text: `${text} ${t('move.noWayBack', { count: 1 })}` });
}

function failureText(error: unknown, words: MoveWords, nameOf: (id: string) => string): string {
  if (!isConflict(error)) return refusalText(error, { words, nameOf });
  const { intent, theirs } = error.conflict;
  return words.t('move.meanwhile', { status: nameOf(columnIdOf(theirs, intent.field)) });
}
