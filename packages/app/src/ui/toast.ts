// Short notes about what was done, with a place for taking it back. They go away by themselves, later when there is
// something to press.

import { createStore, useStore } from '../lib/store.ts';
import { forgetUndo } from '../lib/undo.ts';

export interface Toast {
  readonly text: string;
  readonly isProblem?: boolean;
  /** Undoes what the text describes. */
  readonly undo?: () => void;
  /** Does again what the text says was undone. */
  readonly redo?: () => void;
  /** An earlier note about the same goes away. */
  readonly about?: object;
}

const isWanted = createStore(false);

/** Whether there has been a note: before, their place is not loaded. */
export function useToastsWanted(): boolean {
  return useStore(isWanted);
}

export function showToast(toast: Toast): void {
  isWanted.set(true);
  void import('./toasts.tsx').then(({ show }) => show(toast));
}

/** Takes away the note about this. */
export function hideToast(about: object): void {
  void import('./toasts.tsx').then(({ hide }) => hide(about));
}

/** About an act without a way back: Ctrl Z does not reach for one before it. */
export function showFinal(toast: Toast): void {
  forgetUndo();
  showToast(toast);
}
