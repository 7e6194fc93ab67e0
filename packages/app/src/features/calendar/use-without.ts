// Records without a day: how many there are, and whether they are shown beside the calendar.

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../../lib/session.ts';
import type { CalendarProps } from './calendar-layout.tsx';
import { withoutQuery } from './calendar-questions.ts';

export interface Without {
  /** Undefined: not counted, or there can be none. */
  readonly count: number | undefined;
  readonly isOpen: boolean;
  toggle(): void;
}

export function useWithout(props: CalendarProps): Without {
  const { key, required } = props.field;
  const [isOpen, setOpen] = useState(false);
  const canBeEmpty = !required && key !== 'created_at' && key !== 'updated_at';
  const { data: count } = useQuery({
    ...withoutQuery(useSession(), props),
    enabled: canBeEmpty,
  });
  return { count, isOpen, toggle: () => setOpen(!isOpen) };
}
