// Lists whose loaded rows are all gone, while the service has more: the next ones come by themselves.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';

let app: BrowserWorld;

beforeAll(async () => {
  app = await openBrowserWorld();
});
afterAll(() => app?.close());

const NAMED = (prefix: string, index: number) => `${prefix} ${String(index).padStart(3, '0')}`;

function makeDeals(prefix: string, count: number, more: Record<string, unknown> = {}) {
  const all = Array.from({ length: count }, (_, index) => ({
    ...{ name: NAMED(prefix, index), owner_user_id: app.world.users.rob, ...more },
  }));
  return app.makeAll('deals', all);
}

const nothing = (page: Page) => page.getByText(/No records yet|No matching records/).count();

async function deleteLoaded(page: Page): Promise<void> {
  await page.keyboard.press('Control+a');
  await page.getByRole('button', { name: 'Delete…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete 100 records?' });
  await dialog.getByRole('button', { name: 'Delete 100 records' }).click();
  await page.getByText('100 records were deleted.').waitFor();
}

test('the loaded rows of a list are deleted: those behind them come', async () => {
  await makeDeals('Drain', 130);
  const page = await app.as('ada');
  // Without the stream the list gets only its own answers.
  await page.route(/\/events\/stream/, (route) => route.abort());
  await page.goto(`${app.address}/o/deals?q=Drain&sort=name&fields=amount`);
  await page.getByRole('link', { name: NAMED('Drain', 0) }).focus();
  await deleteLoaded(page);
  await page.getByRole('link', { name: NAMED('Drain', 100) }).waitFor();
  expect(await nothing(page)).toBe(0);
  await expect.poll(() => page.getByRole('grid').getAttribute('aria-rowcount')).toBe('31');
});

test('a group does the same', async () => {
  await makeDeals('Grouped', 110, { tags: ['hot'] });
  const page = await app.as('ada');
  await page.route(/\/events\/stream/, (route) => route.abort());
  await page.goto(`${app.address}/o/deals?q=Grouped&sort=name&fields=amount&group=owner_user_id`);
  await page.getByRole('link', { name: NAMED('Grouped', 0) }).focus();
  await deleteLoaded(page);
  await page.getByRole('link', { name: NAMED('Grouped', 100) }).waitFor();
  expect(await nothing(page)).toBe(0);
});

test('a paste that is undone leaves the rows that were there', async () => {
  await makeDeals('Undone Z', 3);
  const page = await app.as('ada');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.route(/\/events\/stream/, (route) => route.abort());
  await page.goto(`${app.address}/o/deals?q=Undone&sort=name&fields=code`);
  await page.getByRole('link', { name: NAMED('Undone Z', 2) }).focus();
  const lines = Array.from({ length: 111 }, (_, at) =>
    at === 0 ? NAMED('Undone Z', 2) : NAMED('Undone A', at),
  );
  await page.evaluate((text) => navigator.clipboard.writeText(text), lines.join('\n'));
  await page.keyboard.press('Control+v');
  await page.getByLabel('Where to paste').selectOption('over');
  await page.getByRole('button', { name: 'Paste 110 rows' }).click();
  await page.getByRole('link', { name: NAMED('Undone A', 1) }).waitFor();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await page.getByRole('link', { name: NAMED('Undone Z', 0) }).waitFor();
  expect(await nothing(page)).toBe(0);
});
