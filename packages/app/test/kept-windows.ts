// Windows of the browser that a file of tests keeps: one in which the application was loaded before takes half as
// much of the processor to load it again. Between tests no data of a person stays in them. Errors of the browser,
// above all a violated policy, fail the test in which they happen.

import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';

export interface Look {
  readonly colorScheme?: 'light' | 'dark';
  readonly width?: number;
  readonly locale?: string;
  /** True: the person has not used the keys for undo in this browser, so notes say that there is a way back. */
  readonly isNewToUndo?: boolean;
  readonly hasTouch?: boolean;
}

const PLAIN = {
  colorScheme: 'light',
  width: 1280,
  locale: 'en-GB',
  hasTouch: false,
  isNewToUndo: false,
} as const;

interface Kept {
  readonly page: Page;
  readonly colorScheme: 'light' | 'dark';
  readonly viewport: { readonly width: number; readonly height: number };
  /** Whether a test has changed the window for as long as it is open. */
  readonly isChanged: () => boolean;
  /** Of the test that has it. */
  readonly complaints: string[];
}

/** Milliseconds: the machine may be busy. */
const PATIENCE = 30_000;

/**
 * Opens windows of one browser, each for the test that is running. Tests that follow have those again that look alike.
 * `restAt` is an address of the service without a script.
 */
export function keepWindows(browser: Browser, restAt: string): (look?: Look) => Promise<Page> {
  const free = new Map<string, Kept[]>();
  return async (wanted = {}) => {
    const look = { ...PLAIN, ...wanted };
    const alike = free.get(JSON.stringify(look)) ?? [];
    free.set(JSON.stringify(look), alike);
    const kept = alike.pop() ?? (await openWindow(browser, look));
    onTestFinished(async ({ task }) => {
      const isWhole = !kept.page.isClosed() && !kept.isChanged();
      const isKept = isWhole && task.result?.state !== 'fail';
      await (isKept ? rest(kept, restAt) : kept.page.context().close());
      if (isKept) alike.push(kept);
      expect(kept.complaints.splice(0)).toEqual([]);
    });
    return kept.page;
  };
}

async function openWindow(browser: Browser, look: Required<Look>): Promise<Kept> {
  const { width, isNewToUndo, ...others } = look;
  const { colorScheme } = look;
  const viewport = { width, height: 800 };
  const context = await browser.newContext({ ...others, viewport, reducedMotion: 'reduce' });
  context.setDefaultTimeout(PATIENCE);
  if (!isNewToUndo) {
    await context.addInitScript(() => {
      if (location.protocol === 'http:') localStorage.setItem('wrs.undoHints', '3');
    });
  }
  const page = await context.newPage();
  const complaints = complaintsOf(context);
  return { page, colorScheme, viewport, isChanged: lastingChangesOf(page), complaints };
}

/** Calls whose effect nothing undoes: a replaced clock, scripts of every page, functions of the test in it. */
function lastingChangesOf(page: Page): () => boolean {
  let isChanged = false;
  const note = (of: object, name: string) => {
    const change: (...given: unknown[]) => unknown = Reflect.get(of, name);
    Reflect.set(of, name, (...given: unknown[]) => {
      isChanged = true;
      return change.apply(of, given);
    });
  };
  note(page.clock, 'install');
  note(page, 'addInitScript');
  note(page, 'exposeFunction');
  return () => isChanged;
}

/** Those of Playwright itself are for other events. */
const LISTENED_TO = ['request', 'response', 'requestfinished', 'requestfailed'] as const;

/** Ends the actions of the test in it, and removes its traces: cookies, storage, a network that is off. */
async function rest({ page, colorScheme, viewport }: Kept, restAt: string): Promise<void> {
  const context = page.context();
  const others = context.pages().filter((other) => other !== page);
  await Promise.all(others.map((other) => other.close()));
  for (const event of LISTENED_TO) page.removeAllListeners(event);
  await Promise.all([
    page.unrouteAll({ behavior: 'ignoreErrors' }),
    context.setOffline(false),
    context.clearPermissions(),
    page.emulateMedia({ colorScheme }),
    page.setViewportSize(viewport),
  ]);
  await page.goto(restAt);
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await context.clearCookies();
}

/**
 * The browser logs refused requests by itself, and React the errors that a page has caught and shows; those are not
 * faults of the page.
 */
const REFUSED = /^Failed to load resource|RecordsError: /;

function complaintsOf(context: BrowserContext): string[] {
  const complaints: string[] = [];
  context.on('console', (message) => {
    if (message.type() !== 'error' || REFUSED.test(message.text())) return;
    complaints.push(message.text());
  });
  context.on('weberror', (error) => complaints.push(error.error().message));
  context.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    const isOfMachine = protocol === 'http:' && /^(?:127\.0\.0\.1|localhost)$/.test(hostname);
    // Pictures of files and codes are of the page itself.
    if (isOfMachine || protocol === 'blob:' || protocol === 'data:') return;
    complaints.push(`a request to ${hostname}`);
  });
  return complaints;
}
