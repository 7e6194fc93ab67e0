// Windows that a file of tests keeps: a test finds nothing in its window of the test before it.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';

let app: BrowserWorld;
let answers = 0;

beforeAll(async () => {
  app = await openBrowserWorld();
});
afterAll(() => app?.close());

test('a test listens and changes the size', async () => {
  const page = await app.window();
  page.on('response', () => {
    answers += 1;
  });
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(app.address);
  await page.getByLabel('E-mail address').waitFor();
  expect(answers).toBeGreaterThan(0);
});

test('the next one finds neither, and replaces the clock', async () => {
  const before = answers;
  const page = await app.window();
  expect(page.viewportSize()).toEqual({ width: 1280, height: 800 });
  await page.goto(app.address);
  await page.getByLabel('E-mail address').waitFor();
  expect(answers).toBe(before);
  await page.clock.install();
});

test('the last one finds the clock of the browser', async () => {
  const page = await app.window();
  await page.goto(app.address);
  expect(await page.evaluate(() => Date.toString())).toContain('[native code]');
});
