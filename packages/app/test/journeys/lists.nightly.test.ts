// The page of a list: one row of tools, views as tabs and favorites, heights of rows, and totals in the footer.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../axe.ts';
import { type BrowserWorld, type Look, openBrowserWorld } from '../browser-world.ts';
import { someOf } from '../long.ts';

let app: BrowserWorld;

const LONG = 'A name that no column has room for, '.repeat(6).trim();

beforeAll(async () => {
  app = await openBrowserWorld();
  await app.makeAll('companies', [
    { name: LONG, tier: 'gold', revenue: 30, founded: '2020-03-05' },
    { name: 'Buoy', tier: 'gold', revenue: 20, founded: '2021-03-31' },
    { name: 'Cable', tier: 'silver', revenue: 10 },
    { name: 'Dock' },
  ]);
});
afterAll(() => app?.close());

const open = async (page: Page, query = '') => {
  await page.goto(`${app.address}/o/companies${query}`);
  await page.getByRole('grid').getByRole('link', { name: 'Buoy' }).waitFor();
};

const footer = (page: Page) => page.getByRole('group', { name: 'Totals' });

async function saveAs(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a view' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: `View: ${name}`, exact: true }).waitFor();
}

const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name, exact: true });

const present = (page: Page, name: string) =>
  tab(page, name).and(page.locator('[aria-current=page]'));

test('the footer counts the records, and has totals that the keys choose and a view keeps', async () => {
  const page = await app.as('ada');
  await open(page, '?fields=revenue,founded,tier');
  await footer(page).getByText('4 records', { exact: true }).waitFor();
  const heading = page.getByRole('columnheader', { name: 'revenue' });
  await heading.getByRole('button').first().focus();
  await page.keyboard.press('Alt+ArrowDown');
  await page.getByRole('menuitem', { name: 'Calculate…' }).click();
  await page.getByRole('menuitemradio', { name: 'Average' }).click();
  await page.waitForURL(/totals=revenue:avg/);
  await footer(page)
    .getByRole('button', { name: /^revenue: Average.*20/ })
    .waitFor();
  await footer(page)
    .getByRole('button', { name: /^founded/ })
    .click({ force: true });
  await page.getByRole('menuitemradio', { name: 'Latest' }).click();
  await footer(page).getByText('31 Mar 2021').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await saveAs(page, 'With totals');
  expect(page.url()).toMatch(/\/companies\?view=[\w-]+$/);
  await page.reload();
  await footer(page).getByText('31 Mar 2021').waitFor();
  await page.goto(`${page.url()}&filter[tier][eq]=silver`);
  await footer(page).getByText('1 record', { exact: true }).waitFor();
  await footer(page)
    .getByRole('button', { name: /^revenue: Average.*10/ })
    .waitFor();
});

test('views are tabs, and one of them is a favorite in the navigation of its person', async () => {
  const page = await app.as('mia');
  await open(page, '?sort=-name');
  await saveAs(page, 'Backwards');
  await tab(page, 'All').click();
  await expect.poll(() => page.url()).toBe(`${app.address}/o/companies`);
  await present(page, 'All').waitFor();
  expect(await present(page, 'Backwards').count()).toBe(0);
  await tab(page, 'Backwards').click();
  await page.waitForURL(/view=/);
  await present(page, 'Backwards').waitFor();
  await page.getByRole('button', { name: 'View: Backwards' }).click();
  await page.getByRole('menuitem', { name: 'Add to favorites' }).click();
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await navigation.getByRole('link', { name: 'Backwards' }).waitFor();
  await page.goto(app.address);
  await navigation.getByRole('link', { name: 'Backwards' }).click();
  await tab(page, 'Backwards').waitFor();
  await page.getByRole('button', { name: 'View: Backwards' }).click();
  await page.getByRole('menuitem', { name: 'Remove from favorites' }).click();
  await navigation.getByRole('link', { name: 'Backwards' }).waitFor({ state: 'detached' });
});

test('rows have three heights, in the address and remembered', async () => {
  const page = await app.as('ada');
  await open(page);
  const height = async () => (await page.getByRole('row').nth(1).boundingBox())?.height;
  expect(await height()).toBe(36);
  await page.getByRole('button', { name: 'Row height' }).click();
  await page.getByRole('menuitemradio', { name: 'Tall' }).click();
  await page.waitForURL(/rows=tall/);
  await expect.poll(height).toBe(56);
  await open(page);
  await expect.poll(height).toBe(56);
  await open(page, '?rows=compact');
  await expect.poll(height).toBe(28);
});

test('a cell has one line, and all of its text for the pointer and for Enter', async () => {
  const page = await app.as('rob');
  await open(page, '?fields=name,tier&sort=-name');
  const cell = page.getByRole('gridcell', { name: LONG }).last();
  const { height } = (await cell.boundingBox()) ?? { height: 0 };
  expect(height).toBeLessThan(40);
  await cell.hover();
  await expect.poll(() => cell.getAttribute('title')).toBe(LONG);
  await cell.click();
  await page.keyboard.press('Enter');
  const whole = page.getByRole('dialog', { name: /^name, /i });
  await whole.getByText(LONG).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await whole.waitFor({ state: 'detached' });
  await expect
    .poll(() => cell.evaluate((element) => element === document.activeElement))
    .toBe(true);
});

const QUESTION =
  '?filter[revenue][gt]=1&filter[tier][in]=gold,silver&sort=-revenue,name&group=tier';

test.each<Look>(someOf<Look>([{}, { width: 390 }, { width: 390, colorScheme: 'dark' }], 2))(
  'tools are in one row, and filters push none of them: %o',
  async (look) => {
    const page = await app.as('ada', look);
    await page.goto(`${app.address}/o/companies`);
    const search = page.getByRole('searchbox');
    await page.getByRole('button', { name: 'Sort', exact: true }).waitFor();
    const place = await search.boundingBox();
    await page.goto(`${app.address}/o/companies${QUESTION}`);
    await page.getByRole('button', { name: /^Grouped by/ }).waitFor();
    const buttons = page.locator('[data-tools] button:visible');
    const middles = await buttons.evaluateAll((all) =>
      all.map((one) => {
        const { top, height, right } = one.getBoundingClientRect();
        return { middle: Math.round(top + height / 2), isSeen: right <= innerWidth };
      }),
    );
    expect(new Set(middles.map(({ middle }) => middle)).size).toBe(1);
    expect(middles.every(({ isSeen }) => isSeen)).toBe(true);
    const now = await search.boundingBox();
    expect([now?.y, now?.height]).toEqual([place?.y, place?.height]);
    if (look.width === 390) {
      await page.getByRole('button', { name: '2 filters' }).click();
    }
    await page.getByRole('group', { name: 'Filters' }).getByText('gold').waitFor();
    expect(await axeFindings(page)).toEqual([]);
  },
);
