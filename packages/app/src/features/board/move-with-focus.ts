// A move that takes the focus along: the card is another element in another column, and comes back to its own one when the
// service refuses.

import type { RecordData } from '@workspace-records/client';
import type { BoardContent } from './board-context.ts';
import { type BoardColumn, columnIdOf } from './columns.ts';

type Content = Pick<BoardContent, 'field' | 'handles' | 'wanted' | 'focus'>;

/** Resolves to whether the record is there now. */
export async function moveWithFocus(
  content: Content,
  { record, to }: { readonly record: RecordData; readonly to: BoardColumn },
  move: (record: RecordData, to: BoardColumn) => Promise<boolean>,
): Promise<boolean> {
  const from = columnIdOf(record, content.field);
  const { records = [] } = content.handles.get(from) ?? {};
  const index = records.findIndex(({ id }) => id === record.id);
  if (content.handles.has(to.id)) content.wanted.current = record.id;
  // Its column is not shown: the card before it has the focus next.
  else content.focus({ column: from, index: Math.max(0, index - 1) });
  const isMoved = await move(record, to);
  if (!isMoved) {
    await drawn();
    if (isLost()) focusCard(content, record.id);
  }
  return isMoved;
}

/** Wherever it was put back, or somebody else has moved it. */
function focusCard({ handles, focus }: Content, id: string): void {
  for (const [column, { records }] of handles) {
    const index = records.findIndex((record) => record.id === id);
    if (index >= 0) focus({ column, index });
  }
}

function drawn(): Promise<unknown> {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
}

/** Nobody has gone elsewhere meanwhile. */
function isLost(): boolean {
  const { activeElement } = document;
  return activeElement === null || activeElement === document.body;
}
