// The list as a spreadsheet: Tab through the rows, and cells that are filled from the first one.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';
import { settling } from '../settling.ts';

let app: BrowserWorld;

beforeAll(async () => {
  app = await openBrowserWorld();
});
afterAll(() => app?.close());

async function openDeals(prefix: string, amounts: readonly number[]): Promise<Page> {
  await app.makeAll(
    'deals',
    amounts.map((amount, at) => ({ name: `${prefix} ${at}`, amount, code: `${prefix}-${at}` })),
  );
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/deals?q=${prefix}&sort=name&fields=amount,code`);
  await page.getByRole('link', { name: `${prefix} 0` }).focus();
  return page;
}

const cellOf = (page: Page, row: number, column: number) =>
  page.locator(`[data-row="${row}"] > [data-column="${column}"]`);

const focused = (page: Page) =>
  page.evaluate(() => {
    const cell = document.activeElement?.closest<HTMLElement>('[data-column]');
    const parent = cell?.closest<HTMLElement>('[data-row]');
    return cell == null ? '' : `${parent?.dataset.row} ${cell.dataset.column}`;
  });

const amounts = async (prefix: string) =>
  (
    await app.world.rows('select amount from deals where name like $1 order by name', [
      `${prefix} %`,
    ])
  ).map(({ amount }) => Number(amount));

test('Tab leads to the next row, Enter to the first column; Escape and Tab leave the list', async () => {
  const page = await openDeals('Tabbed', [1, 2, 3]);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('7');
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('0 3');
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('1 1');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.type('X');
  await page.keyboard.press('Enter');
  expect(await focused(page)).toBe('1 2');
  await expect.poll(() => amounts('Tabbed')).toEqual([7, 2, 3]);
  // The caret is at the end, and Escape restores.
  await page.keyboard.press('Enter');
  await page.keyboard.type('5');
  expect(await page.locator('[data-editor] input').inputValue()).toBe('25');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await page.waitForFunction(() => document.activeElement?.closest('[data-row]') === null);
  await expect.poll(() => amounts('Tabbed')).toEqual([7, 2, 3]);
});

test('after a press on another cell, Enter goes down and not to the column of an earlier Tab', async () => {
  const page = await openDeals('Pressed', [1, 2, 3]);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('7');
  await page.keyboard.press('Tab');
  await cellOf(page, 1, 3).click();
  await page.keyboard.type('pressed');
  await page.keyboard.press('Enter');
  expect(await focused(page)).toBe('2 3');
});

test('Ctrl D and the handle fill the cells below, which is undone at once', async () => {
  const page = await openDeals('Filled', [5, 6, 7, 8, 9]);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Control+d');
  await expect.poll(() => amounts('Filled')).toEqual([5, 5, 5, 8, 9]);
  await page.getByText('2 rows were changed.').waitFor();
  await page.keyboard.press('Control+z');
  await expect.poll(() => amounts('Filled')).toEqual([5, 6, 7, 8, 9]);
  // Of one cell: the value above it.
  await cellOf(page, 4, 2).click();
  await page.keyboard.press('Control+d');
  await expect.poll(() => amounts('Filled')).toEqual([5, 6, 7, 8, 8]);
  // Two rows, drawn over the others, in turn.
  await cellOf(page, 0, 2).click();
  await page.keyboard.press('Shift+ArrowDown');
  const handle = await page.locator('[data-fill]').boundingBox();
  const last = await cellOf(page, 4, 2).boundingBox();
  if (handle === null || last === null) throw new Error('there is no handle');
  await page.mouse.move(handle.x + 4, handle.y + 4);
  await page.mouse.down();
  await page.mouse.move(last.x + 20, last.y - 10, { steps: 4 });
  await page.mouse.move(last.x + 20, last.y + 10, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => amounts('Filled')).toEqual([5, 6, 5, 6, 5]);
});

/** Each of these requests takes a second more. */
const delay = (page: Page, path: string, method: string) =>
  page.route(path, async (route) => {
    if (route.request().method() === method)
      await new Promise((resolve) => setTimeout(resolve, 1000));
    await route.continue();
  });

test('while cells are emptied the next ones wait, and the focus stays where the person types', async () => {
  const page = await openDeals('Slow', [1, 2, 3]);
  const settle = settling(page);
  await delay(page, '**/v1/batch', 'POST');
  for (const key of ['ArrowRight', 'Delete', 'ArrowRight', 'Delete', 'ArrowDown', 'Control+k'])
    await page.keyboard.press(key);
  const search = page.getByRole('combobox', { name: 'Search and commands' });
  await search.pressSequentially('abc');
  const stored = () => app.world.rows("select amount, code from deals where name = 'Slow 0'");
  await expect.poll(stored).toEqual([{ amount: null, code: null }]);
  await settle();
  await search.and(page.locator(':focus')).waitFor();
  expect(await search.inputValue()).toBe('abc');
});

test('a cell that is edited again while it is saved is not changed elsewhere', async () => {
  const page = await openDeals('Twice', [1, 2]);
  await delay(page, '**/v1/objects/deals/records/*', 'PATCH');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('7');
  for (const key of ['Enter', 'ArrowUp', 'Enter']) await page.keyboard.press(key);
  await expect.poll(() => amounts('Twice')).toEqual([7, 2]);
  await settling(page)();
  await page.keyboard.type('8');
  await page.keyboard.press('Enter');
  await expect.poll(() => amounts('Twice')).toEqual([78, 2]);
  expect(await page.getByRole('dialog').count()).toBe(0);
});
