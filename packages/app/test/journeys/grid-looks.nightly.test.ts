// Dialogs of the grid, by the rules of WCAG 2.2 AA, in both themes; how much of it is in the document, and how much
// is rendered again.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { axeFindings } from '../axe.ts';
import { type BrowserWorld, type Look, openBrowserWorld } from '../browser-world.ts';
import { longTest } from '../long.ts';

let app: BrowserWorld;

beforeAll(async () => {
  app = await openBrowserWorld();
  const all = Array.from({ length: 200 }, (_, index) => ({
    ...{ name: `Look ${String(index).padStart(3, '0')}`, tier: 'gold' },
  }));
  await app.makeAll('companies', all);
});
afterAll(() => app?.close());

const LOOKS: readonly (readonly [string, Look])[] = [
  ['on a desk', {}],
  ['on a telephone', { width: 390 }],
];

const press = async (page: Page, ...keys: readonly string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};

/** The clipboard of the browser is one for all windows. */
const paste = (page: Page, text: string) =>
  page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    const options = { clipboardData, bubbles: true, cancelable: true };
    document.activeElement?.dispatchEvent(new ClipboardEvent('paste', options));
  }, text);

longTest.each(LOOKS)('what opens in the grid, %s', async (_, look) => {
  const page = await app.as('ada', look);
  await page.goto(`${app.address}/o/companies?sort=name&fields=tier,revenue,founded`);
  await page.getByRole('link', { name: 'Look 000' }).focus();
  const found = async (name: string) => expect(await axeFindings(page), name).toEqual([]);
  await press(page, 'ArrowRight', 'F2');
  await page.getByRole('option', { name: 'Gold' }).waitFor();
  await found('a choice in a cell');
  await press(page, 'Escape', 'ArrowRight');
  await page.keyboard.type('much');
  await press(page, 'Enter');
  await page.getByText('Enter a number such as 1,234.5.').waitFor();
  await found('a refused value in a cell');
  await press(page, 'Escape', 'Shift+ArrowDown', 'Shift+ArrowRight');
  await found('marked cells');
  await press(page, 'Shift+Space');
  await page.getByText('One row selected').waitFor();
  await found('chosen rows');
  await page.getByRole('button', { name: 'Change a field…' }).click();
  await page.getByRole('dialog').getByLabel('Field').waitFor();
  await found('the dialog that changes a field');
  await press(page, 'Escape');
  await page.getByRole('button', { name: 'Delete…' }).click();
  await page.getByRole('dialog', { name: 'Delete one record?' }).waitFor();
  await found('the question before a deletion');
});

longTest.each(LOOKS)('what a paste and the columns open, %s', async (_, look) => {
  const page = await app.as('ada', look);
  await page.goto(`${app.address}/o/companies?sort=name&fields=tier,revenue,founded`);
  await page.getByRole('link', { name: 'Look 000' }).focus();
  const found = async (name: string) => expect(await axeFindings(page), name).toEqual([]);
  await paste(page, 'a\tb\tc\nd\te\tf');
  await page.getByRole('dialog', { name: 'Paste 2 rows' }).waitFor();
  await found('a paste that is refused');
  await press(page, 'Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  await page.getByRole('button', { name: /^Move tier:/ }).waitFor();
  await found('the columns');
  await press(page, 'Escape');
  await page.getByRole('link', { name: 'Look 000' }).focus();
  await press(page, 'ArrowUp', 'Alt+ArrowDown');
  await page.getByRole('menuitem', { name: 'Make wider' }).waitFor();
  await found('the menu of a heading');
});

longTest(
  'few elements are in the document, and rows that stay are not rendered again',
  async () => {
    const page = await app.as('ada');
    await page.goto(`${app.address}/o/companies?sort=name`);
    await page.getByRole('link', { name: 'Look 000' }).focus();
    const elements = await page.evaluate(() => document.querySelectorAll('*').length);
    expect(elements).toBeLessThan(3000);
    // React keeps the props of each element on it: those of a row that is rendered again are another object.
    const drawn = (act: () => Promise<void>) => countDrawn(page, act);
    // Parts of the page that come later are drawn first.
    await expect.poll(() => drawn(() => page.waitForTimeout(500))).toBe(0);
    expect(await drawn(() => press(page, 'ArrowDown'))).toBeLessThanOrEqual(2);
    const scrolled = await drawn(async () => {
      const region = page.getByRole('region', { name: 'Companies' });
      await region.evaluate((element) => element.scrollTo(0, 5 * 36));
      await page.getByRole('link', { name: 'Look 030' }).waitFor();
    });
    expect(scrolled).toBe(0);
  },
);

/** Rows that were in the document before and after, and were rendered again meanwhile. */
async function countDrawn(page: Page, act: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    const props = new Map<Element, unknown>();
    for (const row of document.querySelectorAll('tbody [role=row]')) {
      const key = Object.keys(row).find((name) => name.startsWith('__reactProps$')) ?? '';
      props.set(row, Reflect.get(row, key));
    }
    Object.assign(globalThis, { propsBefore: props });
  });
  await act();
  return page.evaluate(() => {
    const before = Reflect.get(globalThis, 'propsBefore') as Map<Element, unknown>;
    return [...before].filter(([row, props]) => {
      const key = Object.keys(row).find((name) => name.startsWith('__reactProps$')) ?? '';
      return row.isConnected && Reflect.get(row, key) !== props;
    }).length;
  });
}
