// A record that is picked up, by keys or by touch: the day that it is over, and announcements for those who cannot see it.

import type { RecordData } from '@workspace-records/client';
import { useState } from 'react';
import { useT } from '../../lib/messages/index.ts';
import { recordName } from '../../lib/record-name.ts';
import type { Held } from './calendar-context.ts';
import { useDayNames } from './day-names.ts';

interface Options {
  readonly days: readonly string[];
  canMove(record: RecordData): boolean;
  dayOf(record: RecordData): string | undefined;
  move(record: RecordData, day: string): void;
}

export interface Holding {
  readonly held: Held | undefined;
  readonly told: string;
  /** Whether it may be moved. */
  pickUp(record: RecordData): boolean;
  /** Days that are not shown are passed over. */
  over(held: Held, target: string): void;
  drop(held: Held): void;
  putBack(held: Held): void;
}

export function useHeldEntry({ days, canMove, dayOf, move }: Options): Holding {
  const t = useT();
  const { whole } = useDayNames();
  const [held, setHeld] = useState<Held>();
  const [told, tell] = useState('');
  return {
    ...{ held, told },
    pickUp(record) {
      if (!canMove(record)) {
        tell(t('calendar.cannot', { name: recordName(record) }));
        return false;
      }
      const day = dayOf(record);
      const target = day ?? days[0] ?? '';
      setHeld({ record, day, target });
      tell(t('calendar.pickedUp', { name: recordName(record), day: whole(target) }));
      return true;
    },
    over(now, target) {
      if (target === now.target || !days.includes(target)) return;
      setHeld({ ...now, target });
      tell(t('calendar.over', { day: whole(target) }));
    },
    drop({ record, target }) {
      setHeld(undefined);
      move(record, target);
      tell(t('calendar.dropped', { name: recordName(record), day: whole(target) }));
      focusSoon(record.id);
    },
    putBack({ record, day }) {
      setHeld(undefined);
      tell(
        t('calendar.back', { name: recordName(record), day: day === undefined ? '' : whole(day) }),
      );
    },
  };
}

/** The record is in another cell then. */
function focusSoon(id: string): void {
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>(`[data-entry="${id}"]`)?.focus({ preventScroll: true }),
  );
}
