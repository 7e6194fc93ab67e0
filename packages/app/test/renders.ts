// Which components of a page React renders, as its developer tools find out: fibers of a commit that have done work.

import type { Page } from 'playwright-core';

interface Fiber {
  readonly tag: number;
  readonly flags: number;
  readonly stateNode: unknown;
  readonly child: Fiber | null;
  readonly sibling: Fiber | null;
  readonly alternate: Fiber | null;
}

interface Watched {
  /** Rendered again since the last request, by the places that are watched. */
  again: Record<string, number>;
}

/** Before the page is opened. Places are selectors; a component counts for each that it is in. */
export async function watchRenders(page: Page, places: readonly string[]): Promise<void> {
  await page.addInitScript(watch, places);
}

/** How many components were rendered again in each place since the last request. */
export function rendersOf(page: Page): Promise<Readonly<Record<string, number>>> {
  return page.evaluate(() => {
    const { watched } = globalThis as unknown as { watched: Watched };
    const { again } = watched;
    watched.again = {};
    return again;
  });
}

/** Runs in the page. */
function watch(places: readonly string[]): void {
  const watched: Watched = { again: {} };
  /** Tags of components that are functions, and of elements (ReactWorkTags). */
  const FUNCTIONS = [0, 11, 14, 15];
  const ELEMENT = 5;
  const PERFORMED_WORK = 1;
  const note = (next: Fiber, before: Fiber, around: readonly string[]) => {
    const within =
      next.tag === ELEMENT
        ? [...around, ...places.filter((one) => (next.stateNode as Element).matches(one))]
        : around;
    if (FUNCTIONS.includes(next.tag) && (next.flags & PERFORMED_WORK) !== 0) {
      for (const place of within) watched.again[place] = (watched.again[place] ?? 0) + 1;
    }
    if (next.child === before.child) return;
    for (let child = next.child; child !== null; child = child.sibling) {
      if (child.alternate !== null) note(child, child.alternate, within);
    }
  };
  const hook = {
    supportsFiber: true,
    inject: () => 1,
    onCommitFiberUnmount: () => undefined,
    onPostCommitFiberRoot: () => undefined,
    onCommitFiberRoot(_id: number, { current }: { readonly current: Fiber }) {
      if (current.alternate !== null) note(current, current.alternate, []);
    },
  };
  Object.assign(window, { watched, __REACT_DEVTOOLS_GLOBAL_HOOK__: hook });
}
