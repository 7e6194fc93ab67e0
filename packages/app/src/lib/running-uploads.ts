// Files that are being sent: a form that is sent meanwhile would leave them out.

import { createStore, useStore } from './store.ts';

const running = createStore(0);

/** Counts as running until `work` ends. */
export async function whileUploading<Result>(work: () => Promise<Result>): Promise<Result> {
  running.set(running.get() + 1);
  try {
    return await work();
  } finally {
    running.set(running.get() - 1);
  }
}

export function useIsUploading(): boolean {
  return useStore(running) > 0;
}
