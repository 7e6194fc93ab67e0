// The state that the days of a calendar share.

import type { Field, ObjectDefinition, RecordData } from '@workspace-records/client';
import {
  createContext,
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useContext,
} from 'react';
import type { RecordQuestion } from '../../lib/record-lists.ts';
import type { Counts } from './calendar-questions.ts';
import type { Span } from './new-span.ts';

/** A record that is picked up by keys or by touch. */
export interface Held {
  readonly record: RecordData;
  readonly day: string | undefined;
  readonly target: string;
}

export interface CalendarContent {
  readonly object: ObjectDefinition;
  readonly field: Field;
  /** The field whose options are the colours. */
  readonly color: Field | undefined;
  readonly hintId: string;
  /** Has the days and the records without one. */
  readonly root: RefObject<HTMLDivElement | null>;
  /** Undefined while they are counted. */
  readonly counts: Counts | undefined;
  readonly error: Error | null;
  /** Records that a day has room for above the way to the others. */
  readonly perDay: number;
  /** Days that the pointer is dragged over. */
  readonly span: Span | undefined;
  questionOf(day: string): RecordQuestion | undefined;
  canMove(record: RecordData): boolean;
  /** Days of records whose move is being saved, by their ids. */
  readonly moved: ReadonlyMap<string, { readonly record: RecordData; readonly day: string }>;
  readonly held: Held | undefined;
  /** An announcement for people who cannot see the calendar. */
  readonly told: string;
  dayOf(record: RecordData): string | undefined;
  move(record: RecordData, day: string): void;
  onKeyDown(event: KeyboardEvent<HTMLElement>): void;
  onBlur(event: FocusEvent<HTMLElement>): void;
  /** Notes a record that is shown, so that keys find it by its element. */
  note(record: RecordData): void;
}

export const CalendarContext = createContext<CalendarContent | undefined>(undefined);

export function useCalendarContent(): CalendarContent {
  const content = useContext(CalendarContext);
  if (content === undefined) throw new Error('there is no calendar around it');
  return content;
}
