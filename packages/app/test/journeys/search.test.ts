// Searching everything: the page, from the palette and by keys alone, and addresses that the interface gives.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../axe.ts';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';
import { longTest } from '../long.ts';

let app: BrowserWorld;

beforeAll(async () => {
  app = await openBrowserWorld();
  const company_id = await app.make('companies', { name: 'Lighthouse Works' });
  await app.make('companies', { name: 'Lighthouse Tours' });
  await app.make('contacts', { name: 'Lina Lighthouse', email: 'lina@lighthouse.example' });
  await app.make('boats', { name: 'Lighthouse Tender', company_id });
  await app.make('deals', { name: 'Painting of the lighthouse', company_id });
});
afterAll(() => app?.close());

test('the last entry of the palette leads to all hits by object; arrows go from one to the next', async () => {
  const page = await app.as('ada');
  await page.goto(app.address);
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await page.locator('[role=combobox]:focus').waitFor();
  await page.keyboard.type('lighthouse');
  await page.getByRole('option', { name: 'Lighthouse Works' }).waitFor();
  await page.keyboard.press('ArrowUp');
  await page
    .getByRole('option', { name: 'Show all results' })
    .and(page.locator('[aria-selected=true]'))
    .waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Search', level: 1 }).waitFor();
  expect(page.url()).toBe(`${app.address}/search?q=lighthouse`);
  await page.getByText('5 records found').waitFor();
  // GET /search leaves deals out.
  for (const name of ['Companies', 'Contacts', 'Boats', 'Deals']) {
    await page.getByRole('region', { name }).waitFor();
  }
  await page.getByRole('region', { name: 'Deals' }).getByText('Deal · Open').waitFor();
  expect(await axeFindings(page, 'both')).toEqual([]);
  await page.getByRole('searchbox').focus();
  await page.keyboard.press('ArrowDown');
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
  const first = await focused();
  expect(first).toContain('Lighthouse');
  await page.keyboard.press('ArrowDown');
  expect(await focused()).not.toBe(first);
  await page.keyboard.press('ArrowUp');
  expect(await focused()).toBe(first);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/o\/\w+\/[\w-]+$/);
});

test('the address has the shown hits, by object too, and going back finds them', async () => {
  const page = await app.as('ada');
  await page.goto(`${app.address}/search`);
  await page.locator('input[type=search]:focus').waitFor();
  await page.keyboard.type('lighthouse');
  await page.waitForURL(/q=lighthouse/);
  await page
    .getByRole('link', { name: 'Contacts', exact: true })
    .and(page.locator('main a'))
    .click();
  await page.waitForURL(/type=contacts/);
  await expect.poll(() => page.locator('[data-hit]').count()).toBe(1);
  await page.getByRole('link', { name: /Lina Lighthouse/ }).click();
  await page.getByRole('heading', { name: 'Lina Lighthouse' }).waitFor();
  await page.goBack();
  await page.getByRole('link', { name: /Lina Lighthouse/ }).waitFor();
  expect(await page.getByRole('searchbox').inputValue()).toBe('lighthouse');
  await page.getByRole('searchbox').fill('nothing of that kind');
  await page.getByText('Nothing found for').waitFor();
});

longTest('the address of a hit shows the record', async () => {
  const { body } = await app.ada.get('/search?q=lighthouse%20tender');
  const page = await app.as('ada');
  await page.goto(new URL(body.data[0].url, app.address).href);
  await page.getByRole('heading', { name: 'Lighthouse Tender' }).waitFor();
});
