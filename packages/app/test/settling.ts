// Requests of a page: waits until it makes no more of them.

import type { Page, Request } from 'playwright-core';

/** Milliseconds without a request; live events do not count, as their stream does not end. */
const QUIET = 500;

/**
 * Follows the requests from now on. The function waits until none is open, the page has nothing left to compute, and
 * none has been made for a moment.
 */
export function settling(page: Page): () => Promise<void> {
  const open = new Set<Request>();
  let last = Date.now();
  const end = (request: Request) => {
    if (open.delete(request)) last = Date.now();
  };
  page.on('request', (request) => {
    if (!request.url().includes('/events/')) open.add(request);
  });
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  return async () => {
    last = Date.now();
    while (open.size > 0 || Date.now() - last < QUIET) {
      await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
      await page.waitForTimeout(50);
    }
  };
}
