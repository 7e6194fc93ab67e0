// The confirmation of a move into a status that no move leads out of: one dialog for all pages, loaded on first use.

import { focusBefore } from '../lib/focus-before.ts';
import { createStore, useStore } from '../lib/store.ts';

export interface AskedMove {
  /** The name of the record. */
  readonly name: string;
  /** The status in words. */
  readonly status: string;
}

interface WaitingMove extends AskedMove {
  answer(isConfirmed: boolean): void;
}

const waiting = createStore<WaitingMove | undefined>(undefined);

/** Milliseconds: the menu that the move was chosen in first gives the focus back to where the dialog leaves it. */
const AFTER_MENU = 50;

/** Resolves to whether the person wants it. The focus is then where it was before. */
export async function confirmMove(asked: AskedMove): Promise<boolean> {
  await new Promise((resolve) => setTimeout(resolve, AFTER_MENU));
  return new Promise((resolve) => {
    waiting.get()?.answer(false);
    const giveBack = focusBefore();
    const waitingMove: WaitingMove = {
      ...asked,
      answer(isConfirmed) {
        if (waiting.get() !== waitingMove) return;
        waiting.set(undefined);
        giveBack();
        resolve(isConfirmed);
      },
    };
    waiting.set(waitingMove);
  });
}

export function useWaitingMove(): WaitingMove | undefined {
  return useStore(waiting);
}
