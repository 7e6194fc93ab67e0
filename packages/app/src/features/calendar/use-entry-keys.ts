// The keys of a calendar: arrows go from record to record, or move the one that is picked up.

import type { RecordData } from '@workspace-records/client';
import type { FocusEvent, KeyboardEvent } from 'react';
import { dayAfter } from './days.ts';
import type { Holding } from './use-held-entry.ts';

const STEPS: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowLeft: -1,
  ArrowDown: 7,
  ArrowUp: -7,
};

export function useEntryKeys(
  records: ReadonlyMap<string, RecordData>,
  { held, pickUp, over, drop, putBack }: Holding,
) {
  return {
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      const id = (event.target as HTMLElement).closest<HTMLElement>('[data-entry]')?.dataset.entry;
      const record = records.get(id ?? '');
      if (record === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      const step = STEPS[event.key];
      const isTaken = held !== undefined || event.key === ' ' || step !== undefined;
      if (!isTaken || event.key === 'Tab') return;
      event.preventDefault();
      if (held === undefined) {
        if (event.key === ' ') pickUp(record);
        else focusNext(event.currentTarget, event.target as HTMLElement, Math.sign(step ?? 0));
        return;
      }
      if (step !== undefined) over(held, dayAfter(held.target, step));
      if (event.key === ' ' || event.key === 'Enter') drop(held);
      if (event.key === 'Escape') putBack(held);
    },
    onBlur: ({ target }: FocusEvent<HTMLElement>) => {
      if (held === undefined) return;
      // Another window took the focus when the element still has it here.
      requestAnimationFrame(() => {
        if (document.activeElement !== target && target.isConnected) putBack(held);
      });
    },
  };
}

/** Among all records that are shown, in their order. */
function focusNext(root: HTMLElement, from: HTMLElement, by: number): void {
  const all = [...root.querySelectorAll<HTMLElement>('[data-entry]')];
  all[all.indexOf(from) + by]?.focus();
}
