// The confirmation of a move into a status that no move leads out of: one dialog for all pages, loaded on first use.

import { createStore, useStore } from '../lib/store.ts';

export interface AskedMove {
  /** Of the record. */
  readonly name: string;
  /** In words. */
  readonly status: string;
}

interface WaitingMove extends AskedMove {
  answer(isConfirmed: boolean): void;
}

const waiting = createStore<WaitingMove | undefined>(undefined);

/** Resolves to whether the person wants it. */
export function confirmMove(asked: AskedMove): Promise<boolean> {
  return new Promise((resolve) => {
    waiting.get()?.answer(false);
    waiting.set({
      ...asked,
      answer(isConfirmed) {
        waiting.set(undefined);
        resolve(isConfirmed);
      },
    });
  });
}

export function useWaitingMove(): WaitingMove | undefined {
  return useStore(waiting);
}
