// The keys of a list that are about the record beside it. They are taken before the list gets them, except where
// somebody edits, types or chooses.

import type { KeyboardEvent } from 'react';

export interface PeekKeyActs {
  /** The record that is shown. */
  readonly peek: string | undefined;
  show(id: string): void;
  close(): void;
  /** The page of the record. */
  open(id: string): void;
}

const ELSEWHERE =
  '[data-editor], [role=menu], [role=dialog], [role=listbox], input:not([type=checkbox]), textarea, select, button';

/** The record of the row or the card that has an element. */
export function recordOfElement(target: EventTarget | null): string | undefined {
  if (!(target instanceof Element)) return undefined;
  const row = target.closest('[role=row]');
  const inRow = row?.querySelector<HTMLElement>('[data-record]')?.dataset.record;
  return inRow ?? target.closest<HTMLElement>('[data-card]')?.dataset.card;
}

export function onPeekKey(event: KeyboardEvent, acts: PeekKeyActs): void {
  const { key, target, ctrlKey, metaKey, altKey, shiftKey } = event;
  if (ctrlKey || metaKey || altKey || shiftKey || event.nativeEvent.isComposing) return;
  if (!(target instanceof Element) || target.closest(ELSEWHERE) !== null) return;
  const act = actOf(key, target, acts);
  if (act === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}

function actOf(key: string, target: Element, acts: PeekKeyActs): (() => void) | undefined {
  const { peek, show, close, open } = acts;
  if (key === 'Escape' && peek !== undefined) return close;
  const id = recordOfElement(target);
  if (id === undefined) return undefined;
  if (key === ' ' && isCell(target)) return peek === id ? close : () => show(id);
  // On a board, where Space takes a card to another column.
  if (key === 'p' && isCard(target)) return peek === id ? close : () => show(id);
  return key === 'Enter' && peek === id ? () => open(id) : undefined;
}

/** Space in the box of a row chooses the row. */
function isCell(target: Element): boolean {
  return target.closest('[role=gridcell]:not([data-kind=select])') !== null;
}

function isCard(target: Element): boolean {
  return target.closest('[data-card]') !== null;
}
