// The pages of this browser that are open: each holds a Web Lock as long as it lives. A page that was reloaded is another
// one.

import { makeKey } from './idempotency-key.ts';
import { createStore, useStore } from './store.ts';

const PREFIX = 'wrs.tab:';

/** The id of this page. */
export const OWN_TAB = makeKey();

/** Undefined until the locks are read: then other pages count as open. */
const live = createStore<ReadonlySet<string> | undefined>(undefined);

/** Holds the lock of this page, and reads those of the others whenever the page comes to the front. */
export function followTabs(): () => void {
  const over = new AbortController();
  const { signal } = over;
  const untilOver = () => new Promise((resolve) => signal.addEventListener('abort', resolve));
  // Pages over plain http of another machine have no locks.
  void navigator.locks?.request(PREFIX + OWN_TAB, untilOver);
  void readLocks();
  document.addEventListener('visibilitychange', () => void readLocks(), { signal });
  return () => over.abort();
}

async function readLocks(): Promise<void> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  live.set(new Set(held.map(({ name }) => name?.slice(PREFIX.length) ?? '')));
}

/** Notes that another page is open, which has just written something. */
export function noteLive(tab: string): void {
  const known = live.get();
  if (known !== undefined) live.set(new Set([...known, tab]));
}

/** Whether another page is open. */
export function useIsElsewhere(): (tab: string) => boolean {
  const known = useStore(live);
  return (tab) => tab !== OWN_TAB && known?.has(tab) !== false;
}
