// The touches of a calendar: the finger carries a record to another day.

import type { RecordData } from '@workspace-records/client';
import type { TouchActs } from '../../ui/use-held-touch.ts';
import type { Holding } from './use-held-entry.ts';

export function entryTouch(
  records: ReadonlyMap<string, RecordData>,
  { held, pickUp, over, drop, putBack }: Holding,
): TouchActs {
  return {
    items: '[data-entry]',
    targets: '[data-day]',
    axis: 'y',
    pickUp({ dataset: { entry = '' } }) {
      const record = records.get(entry);
      return record !== undefined && pickUp(record);
    },
    over: (cell) => void (held && cell?.dataset.day !== undefined && over(held, cell.dataset.day)),
    drop: () => void (held && drop(held)),
    putBack: () => void (held && putBack(held)),
  };
}
