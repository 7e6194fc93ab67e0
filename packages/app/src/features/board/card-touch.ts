// The touches of a board: the finger carries a card to another column.

import type { TouchActs } from '../../ui/use-held-touch.ts';
import { type BoardContent, recordAt } from './board-context.ts';
import type { HeldActs } from './use-held.ts';

export function cardTouch(content: BoardContent, acts: HeldActs): TouchActs {
  return {
    items: '[data-index]',
    targets: 'section[data-column]',
    axis: 'x',
    pickUp(item) {
      const record = recordAt(content, item);
      return record !== undefined && acts.pickUp(record, 'touch');
    },
    over: (column) => acts.over(column?.dataset.column),
    drop(column) {
      // It may have been seen in part only.
      column.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      acts.drop(column.dataset.column);
    },
    putBack: acts.putBack,
  };
}
