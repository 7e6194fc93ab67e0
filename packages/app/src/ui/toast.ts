// Short notes about what was done, with a place for taking it back. They go away by themselves, later when there is
// something to press.

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

export function showToast(toast: Toast): void {
  void import('./toasts.tsx').then(({ show }) => show(toast));
}

/** About an act without a way back: Ctrl Z does not reach for one before it. */
export function showFinal(toast: Toast): void {
  forgetUndo();
  showToast(toast);
}
