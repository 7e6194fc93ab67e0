// Pages hold still and can be used while their data comes: sorting moves no row, a board takes the focus before its cards,
// settings have a heading, and the buttons of a long form stay in the window.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';

let app: BrowserWorld;

beforeAll(async () => {
  app = await openBrowserWorld();
  await app.makeAll('deals', [{ name: 'First' }, { name: 'Second' }]);
});
afterAll(() => app?.close());

/** Holds such requests back until the end of the test. */
const holdBack = (page: Page, path: RegExp) => page.route(path, () => undefined);

test('sorting a list moves no row', async () => {
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/deals`);
  const row = page.getByRole('row').nth(1);
  const top = async () => (await row.boundingBox())?.y;
  await row.getByRole('link').waitFor();
  const before = await top();
  await page.getByRole('columnheader').getByRole('button', { name: /^Deal/ }).first().click();
  await page.getByRole('button', { name: 'Save as a view…' }).waitFor();
  await expect.poll(top).toBe(before);
});

test('a board takes the focus before its cards come', async () => {
  const page = await app.as('ada');
  await holdBack(page, /records\/(?:query|aggregate)|\/v1\/query/);
  await page.goto(`${app.address}/o/deals?layout=board`);
  const board = page.locator('main div[tabindex="0"]');
  await board.focus();
  expect(await board.evaluate((one) => one === document.activeElement)).toBe(true);
});

test('settings have a heading while they load', async () => {
  const page = await app.as('ada');
  await holdBack(page, /\/v1\/access/);
  await page.goto(`${app.address}/settings/roles`);
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
});

test('the buttons of a long form stay in a low window', async () => {
  const page = await app.as('ada');
  await page.setViewportSize({ width: 1280, height: 480 });
  await page.goto(`${app.address}/settings/model/deals?field=%2B`);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /^Text/ }).first().click();
  const add = dialog.getByRole('button', { name: 'Add field' });
  await add.waitFor();
  const box = await add.boundingBox();
  expect((box?.y ?? 480) + (box?.height ?? 0)).toBeLessThanOrEqual(480);
});
