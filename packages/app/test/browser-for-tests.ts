// Gives a run of tests one browser, with a profile that is thrown away; each test has a window of its own in it.

import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { ARGUMENTS, requireChromium } from './chromium.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the browser is spoken to. */
    browser: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await chromium.launchServer({
    executablePath: requireChromium(),
    args: ARGUMENTS,
  });
  project.provide('browser', server.wsEndpoint());
  return () => server.close();
}
