// How long the application takes to answer to keys and clicks on a processor four times as slow, and its memory after
// scrolling for long:
//   tsx packages/app/test/interactions.ts <link to sign in> <path of a long list below the workspace> [minutes]
// Without minutes it does not scroll.

import type { CDPSession, Page } from 'playwright-core';
import { launchChromium } from './chromium.ts';

interface Seen {
  /** Milliseconds of the longest interaction since the last request. */
  longest: number;
}

const THROTTLE = 4;
const [link = '', path = '', minutes = '0'] = process.argv.slice(2);
const browser = await launchChromium();
const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
await context.addInitScript(observe);
const page = await context.newPage();
await page.goto(link);
await page.getByRole('heading', { name: /welcome/i }).waitFor();
const tools = await context.newCDPSession(page);
await page.goto(link.replace(/\/sign-in#.*$/, '') + path);
await page.locator('tbody a').first().waitFor();
await tools.send('Emulation.setCPUThrottlingRate', { rate: THROTTLE });
for (const [name, act] of [
  ['a key in the search of the list', typeInList],
  ['opening the palette', () => page.keyboard.press('Control+k')],
  ['a key in the palette', typeInPalette],
  ['closing the palette', () => page.keyboard.press('Escape')],
  ['opening a record beside the list', openPeek],
  ['another record beside it', () => page.keyboard.press('ArrowDown')],
  ['closing it', closePeek],
  ['opening it again', openPeek],
  ['closing it again', closePeek],
  ['opening a record', openRecord],
  ['opening the editor of a field', openEditor],
  ['a key in the editor', () => page.keyboard.press('1')],
  ['saving a field', save],
] as const) {
  await act();
  console.log(name.padEnd(36), `${await longestOf(page)} ms`);
}
await page.goBack();
await page.locator('tbody a').first().waitFor();
for (const [name, act] of [
  ['opening the list of reports', openReports],
  ['opening a report', openReport],
  ['another chart', changeChart],
  ['back to the reports', leaveReport],
] as const) {
  await act();
  console.log(name.padEnd(36), `${await longestOf(page)} ms`);
}
await page.goBack();
await tools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
if (Number(minutes) > 0) {
  await page.locator('tbody a').first().waitFor();
  await scroll(page, tools, Number(minutes) * 60_000);
}
await browser.close();

/** Runs in the page. */
function observe(): void {
  const seen: Seen = { longest: 0 };
  Object.assign(window, { seen });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { interactionId } = entry as unknown as { interactionId: number };
      if (interactionId > 0) seen.longest = Math.max(seen.longest, entry.duration);
    }
  }).observe({ type: 'event', buffered: true, durationThreshold: 16 } as PerformanceObserverInit);
}

/** After two frames what was done has been painted, and noted. */
async function longestOf(of: Page): Promise<number> {
  return of.evaluate(async () => {
    await new Promise((resolve) =>
      requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 500))),
    );
    const { seen } = globalThis as unknown as { seen: Seen };
    const { longest } = seen;
    seen.longest = 0;
    return longest;
  });
}

async function typeInList(): Promise<void> {
  await page.getByRole('searchbox').first().click();
  await longestOf(page);
  await page.keyboard.type('a');
  await page.keyboard.press('Backspace');
}

async function typeInPalette(): Promise<void> {
  await page.locator('[role=combobox]:focus').waitFor();
  await page.keyboard.type('de');
}

async function openPeek(): Promise<void> {
  await page.locator('tbody a').first().press('Space');
  await page.locator('aside h2').first().waitFor();
}

async function closePeek(): Promise<void> {
  await page.keyboard.press('Escape');
  await page.locator('aside h2').first().waitFor({ state: 'detached' });
}

async function openReports(): Promise<void> {
  await page.getByRole('link', { name: 'Reports' }).first().press('Enter');
  await page.getByRole('heading', { name: 'Reports', level: 1 }).waitFor();
}

async function openReport(): Promise<void> {
  await page.locator('main li a').last().press('Enter');
  await page.getByRole('group', { name: 'Chart' }).waitFor();
}

async function changeChart(): Promise<void> {
  await page.getByRole('button', { name: 'Table', exact: true }).press('Enter');
}

async function leaveReport(): Promise<void> {
  await page.getByRole('link', { name: 'Reports' }).first().press('Enter');
  await page.getByRole('heading', { name: 'Reports', level: 1 }).waitFor();
}

async function openRecord(): Promise<void> {
  await page.locator('tbody a').first().press('Enter');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator('main button[aria-describedby], main button').first().waitFor();
}

async function openEditor(): Promise<void> {
  await page
    .getByRole('button', { name: /^close value|^amount|value/i })
    .first()
    .press('Enter');
  await page.locator('main input:focus').waitFor();
}

async function save(): Promise<void> {
  await page.keyboard.press('Enter');
  await page.locator('main input:focus').waitFor({ state: 'detached' });
}

async function scroll(of: Page, from: CDPSession, milliseconds: number): Promise<void> {
  const box = await of.locator('tbody').first().boundingBox();
  await of.mouse.move((box?.x ?? 300) + 200, 400);
  const end = performance.now() + milliseconds;
  let elements = 0;
  for (let turn = 0; performance.now() < end; turn += 1) {
    // Down for long, then up for a while, as people do.
    await of.mouse.wheel(0, turn % 40 < 30 ? 900 : -900);
    await of.waitForTimeout(50);
    if (turn % 20 > 0) continue;
    elements = Math.max(elements, await of.evaluate(() => document.querySelectorAll('*').length));
  }
  await from.send('HeapProfiler.collectGarbage');
  const { usedSize } = await from.send('Runtime.getHeapUsage');
  const rows = await of.locator('tbody tr').last().getAttribute('aria-rowindex');
  const megabytes = Math.round(usedSize / 100_000) / 10;
  console.log(`after ${minutes} min of scrolling, to row ${rows}: ${megabytes} MB of heap`);
  console.log(`at most ${elements} elements`);
}
