// Keys of a page, the list of them, the palette with the actions of the page, and links that people send.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../axe.ts';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';
import { settling } from '../settling.ts';

let app: BrowserWorld;

beforeAll(async () => {
  app = await openBrowserWorld();
});
afterAll(() => app?.close());

const clipped = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

async function openDeals(page: Page): Promise<void> {
  await page.goto(`${app.address}/o/deals?sort=name&fields=amount`);
  await page.getByRole('grid').getByRole('link').first().waitFor();
  await page.getByRole('heading', { level: 1 }).focus();
}

test('single keys search, filter, create and edit; typing is left alone; the profile switches them off', async () => {
  const deal = await app.make('deals', { name: 'Keyed' });
  const page = await app.as('ada');
  await openDeals(page);
  await page.keyboard.press('/');
  const search = page.getByRole('searchbox', { name: 'Search in this list' });
  await search.and(page.locator(':focus')).waitFor();
  await page.keyboard.type('fc?');
  expect(await search.inputValue()).toBe('fc?');
  await search.fill('');
  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.press('f');
  await page.getByRole('dialog', { name: /filter/i }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.press('c');
  await page.getByRole('dialog', { name: 'New deal' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'New deal' }).waitFor({ state: 'detached' });
  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await help.getByText('Search in this list').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await help.getByRole('link', { name: 'Profile' }).click();
  await page.getByLabel('Single-key shortcuts').selectOption('off');
  await page.goto(`${app.address}/o/deals/${deal}`);
  const title = page.getByRole('heading', { level: 1, name: 'Keyed' });
  await title.waitFor();
  await title.focus();
  const settle = settling(page);
  await page.keyboard.press('e');
  await page.keyboard.press('?');
  // The keys of the palette come after them, and so does its code.
  await page.keyboard.press('Control+k');
  await page.locator('[role=combobox]:focus').waitFor();
  await settle();
  expect(await page.getByRole('textbox', { name: 'name' }).count()).toBe(0);
  expect(await help.count()).toBe(0);
  await page.evaluate(() => localStorage.removeItem('wrs.singleKeys'));
  await page.reload();
  await title.waitFor();
  await title.focus();
  await page.keyboard.press('e');
  await page.getByRole('textbox', { name: 'name' }).and(page.locator(':focus')).waitFor();
});

test('the palette begins with the actions of the page', async () => {
  await app.make('deals', { name: 'Offered' });
  const page = await app.as('ada');
  await openDeals(page);
  await page.keyboard.press('Control+k');
  const options = page.getByRole('option');
  await options.first().waitFor();
  const first = await options.allInnerTexts();
  expect(first.slice(0, 3).join(' ')).toMatch(/New deal.*This page/s);
  await page.keyboard.type('copy link');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.keyboard.press('Enter');
  await page.getByText('Link copied.').waitFor();
  expect(await clipped(page)).toBe(page.url());
});

test('a link to selected rows shows these rows alone', async () => {
  await app.makeAll('deals', [{ name: 'Sent a' }, { name: 'Sent b' }, { name: 'Sent c' }]);
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/deals?q=Sent&sort=name&fields=amount`);
  for (const name of ['Sent a', 'Sent c'])
    await page.getByRole('checkbox', { name: `Select ${name}` }).click();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.getByText('Link copied.').waitFor();
  await page.goto(await clipped(page));
  await page.getByRole('link', { name: 'Sent a' }).waitFor();
  await page.getByRole('link', { name: 'Sent c' }).waitFor();
  expect(await page.getByRole('link', { name: 'Sent b' }).count()).toBe(0);
});

test('a work item is offered only where there is a type of it', async () => {
  await app.make('deals', { name: 'Beside' });
  const page = await app.as('ada');
  await openDeals(page);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('new');
  await page
    .getByRole('option', { name: /^New deal/ })
    .first()
    .waitFor();
  await page.getByRole('option', { name: /^New contact/ }).waitFor();
  expect(await page.getByRole('option', { name: /^New work item/i }).count()).toBe(0);
  await page.goto(`${app.address}/o/work_items`);
  await page.getByText('No records yet').waitFor();
  expect(await page.getByRole('button', { name: /^New work item/i }).count()).toBe(0);
});
