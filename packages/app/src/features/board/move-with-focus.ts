// A move that takes the focus along: the card is another element in another column, and comes back to its own one
// when the service refuses. Each column focuses the requested card once it has drawn it.

import type { RecordData } from '@workspace-records/client';
import type { BoardContent } from './board-context.ts';
import { type BoardColumn, columnIdOf } from './columns.ts';

type Content = Pick<BoardContent, 'field' | 'handles' | 'wanted'>;

/** Resolves to whether the record is there now. */
export async function moveWithFocus(
  content: Content,
  { record, to }: { readonly record: RecordData; readonly to: BoardColumn },
  move: (record: RecordData, to: BoardColumn) => Promise<boolean>,
): Promise<boolean> {
  const { field, handles, wanted } = content;
  const { id } = record;
  // Where its column is not shown, a card next to it has the focus next.
  const next = handles.has(to.id) ? id : besideOf(content, record)?.id;
  if (next !== undefined)
    wanted.current = { id: next, moved: id, leaves: columnIdOf(record, field) };
  const isMoved = await move(record, to);
  // Wherever it was put back, or somebody else has moved it.
  if (!isMoved && (wanted.current?.moved === id || isFocusOf(id)))
    wanted.current = { id, moved: id, leaves: to.id };
  return isMoved;
}

function besideOf({ field, handles }: Content, record: RecordData): RecordData | undefined {
  const { records = [] } = handles.get(columnIdOf(record, field)) ?? {};
  const index = records.findIndex(({ id }) => id === record.id);
  return records[index - 1] ?? records[index + 1];
}

/** The focus has not moved meanwhile: it is on the card still, or on no element. */
function isFocusOf(id: string): boolean {
  const { activeElement } = document;
  if (activeElement === null || activeElement === document.body) return true;
  const card = activeElement.closest('[data-index]')?.querySelector<HTMLElement>('[data-card]');
  return card?.dataset.card === id;
}
