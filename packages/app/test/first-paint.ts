// How long the list or board of an address takes to be there, from an empty cache, from a full one, and from the first page
// of the application, which leads to it:
//   tsx packages/app/test/first-paint.ts <link to sign in> <path below the workspace> [times]

import type { BrowserContext } from 'playwright-core';
import { launchChromium } from './chromium.ts';

interface Paint {
  /** Milliseconds since the navigation began. */
  readonly first: number;
  readonly largest: number;
  readonly rows: number;
  readonly shift: number;
  readonly elements: number;
  readonly asked: number;
}

const ROWS = 'tbody a, [data-card]';
const [link = '', path = '', times = '5'] = process.argv.slice(2);
const place = link.replace(/\/sign-in#.*$/, '');
const browser = await launchChromium();
const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
await context.addInitScript(observe);
const page = await context.newPage();
await page.goto(link);
await page.getByRole('heading', { name: /welcome/i }).waitFor();
const cookies = await context.cookies();
await context.close();
const cold: Paint[] = [];
const warm: Paint[] = [];
const led: number[] = [];
for (let turn = 0; turn < Number(times); turn += 1) {
  const fresh = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await fresh.addInitScript(observe);
  await fresh.addCookies(cookies);
  cold.push(await measure(fresh));
  warm.push(await measure(fresh));
  if (!path.includes('?')) led.push(await follow(fresh));
  await fresh.close();
}
await browser.close();
console.log('empty cache', medianOf(cold));
console.log('full cache', medianOf(warm));
if (led.length > 0) console.log('from the first page', middleOf(led), 'ms to its rows');

/** Runs in the page. */
function observe(): void {
  const seen = { largest: 0, shift: 0 };
  Object.assign(window, { seen });
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) seen.largest = startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      seen.shift += (entry as unknown as { value: number }).value;
  }).observe({ type: 'layout-shift', buffered: true });
}

async function measure(of: BrowserContext): Promise<Paint> {
  const window = await of.newPage();
  await window.goto(place + path, { waitUntil: 'commit' });
  await window.locator(ROWS).first().waitFor();
  const rows = await window.evaluate(() => performance.now());
  // The network is never idle: live events are a request without an end.
  await window.waitForTimeout(1500);
  const paint = await window.evaluate(() => ({
    first: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
    ...(globalThis as unknown as { seen: { largest: number; shift: number } }).seen,
    elements: document.querySelectorAll('*').length,
    asked: performance.getEntriesByType('resource').filter(({ name }) => name.includes('/v1/'))
      .length,
  }));
  await window.close();
  return { rows, ...paint };
}

/** Milliseconds from a click in the navigation to the rows of another page. */
async function follow(of: BrowserContext): Promise<number> {
  const window = await of.newPage();
  await window.goto(place);
  const entry = window.locator(`nav a[href="${new URL(place + path).pathname}"]`);
  await entry.waitFor();
  await window.waitForTimeout(1500);
  const now = () => window.evaluate(() => performance.now());
  const began = await now();
  await entry.click();
  await window.locator(ROWS).first().waitFor();
  const taken = (await now()) - began;
  await window.close();
  return taken;
}

function middleOf(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

function medianOf(paints: readonly Paint[]): Paint {
  const middle = (name: keyof Paint) => middleOf(paints.map((paint) => paint[name]));
  const round = (value: number) => Math.round(value * 1000) / 1000;
  return {
    first: Math.round(middle('first')),
    largest: Math.round(middle('largest')),
    rows: Math.round(middle('rows')),
    shift: round(middle('shift')),
    elements: middle('elements'),
    asked: middle('asked'),
  };
}
