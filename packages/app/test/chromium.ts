// The browser of the tests and the pictures: Debian's chromium without a window, without network traffic of its own.
// The one that was built without windows takes a third less of the processor.

import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

export type { Browser };

const PLACES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
);

export const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Undefined where there is none, such as on a machine for development. */
export function findChromium(): string | undefined {
  return [process.env.CHROMIUM ?? '', ...PLACES].find((place) => place !== '' && existsSync(place));
}

/** Errors: there is none. */
export function requireChromium(): string {
  const found = findChromium();
  if (found === undefined) throw new Error('there is no chromium; CHROMIUM says where one is');
  return found;
}

export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: requireChromium(), args: ARGUMENTS });
}
