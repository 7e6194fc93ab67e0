// The state of the service, as the calls find it: the reason of a wait, and whether there is a network at all.

import { useSyncExternalStore } from 'react';
import { createStore, useStore } from './store.ts';

export interface Waiting {
  /** `Date.now()` of the next attempt. */
  readonly until: number;
  readonly reason: 'busy' | 'unreachable';
}

/** Milliseconds: shorter waits are not shown. */
const WORTH_TELLING = 800;
/** Milliseconds that the next attempt may take before the message is withdrawn. */
const ANSWERS_WITHIN = 1500;

const waiting = createStore<Waiting | undefined>(undefined);
let timer: ReturnType<typeof setTimeout> | undefined;

/** The client waits before it tries again. */
export function noteWait(milliseconds: number, status: number): void {
  if (milliseconds < WORTH_TELLING) return;
  clearTimeout(timer);
  const reason = status === 0 ? 'unreachable' : 'busy';
  waiting.set({ until: Date.now() + milliseconds, reason });
  timer = setTimeout(() => waiting.set(undefined), milliseconds + ANSWERS_WITHIN);
}

export function useWaiting(): Waiting | undefined {
  return useStore(waiting);
}

export function useOnline(): boolean {
  return useSyncExternalStore(followNetwork, () => navigator.onLine);
}

function followNetwork(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}
