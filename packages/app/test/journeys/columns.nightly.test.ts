// Columns: which, in which order and how wide, by pointer and by keys; the address says the first two, the browser keeps
// the third.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';
import { longTest } from '../long.ts';

let app: BrowserWorld;

beforeAll(async () => {
  app = await openBrowserWorld();
  await app.make('companies', { name: 'Column Ltd', tier: 'gold', revenue: 1200 });
});
afterAll(() => app?.close());

const headings = (page: Page) =>
  page
    .getByRole('columnheader')
    .evaluateAll((cells) => cells.map((cell) => cell.textContent).filter((text) => text !== ''));

const fieldsOf = (page: Page) => new URL(page.url()).searchParams.get('fields');

async function openList(page: Page): Promise<void> {
  await page.goto(`${app.address}/o/companies?fields=tier,revenue,founded`);
  await page.getByRole('link', { name: 'Column Ltd' }).waitFor();
}

test('fields are chosen and ordered by keys, by buttons and by a handle', async () => {
  const page = await app.as('ada');
  await openList(page);
  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  await page.getByRole('checkbox', { name: 'founded' }).click();
  await expect.poll(() => fieldsOf(page)).toBe('tier,revenue');
  await page.getByRole('checkbox', { name: 'note' }).click();
  await expect.poll(() => fieldsOf(page)).toBe('tier,revenue,note');
  await page.getByRole('button', { name: 'Move note left' }).click();
  await expect.poll(() => fieldsOf(page)).toBe('tier,note,revenue');
  const handle = page.getByRole('button', { name: /^Move note:/ });
  await handle.focus();
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => fieldsOf(page)).toBe('note,tier,revenue');
  await page.locator('button:focus[aria-label^="Move note"]').waitFor();
  await page.getByText('note is now column 1.').waitFor();
  const box = await handle.boundingBox();
  if (box === null) throw new Error('the handle is not in view');
  await page.mouse.move(box.x + 5, box.y + 5);
  await page.mouse.down();
  await page.mouse.move(box.x + 5, box.y + 50, { steps: 3 });
  await page.mouse.move(box.x + 5, box.y + 5 + 64, { steps: 3 });
  await page.mouse.up();
  await expect.poll(() => fieldsOf(page)).toBe('tier,revenue,note');
  await page.getByRole('button', { name: 'Reset columns' }).click();
  await expect.poll(() => fieldsOf(page)).toBeNull();
});

test('names stay in view while the other columns move, and are layers of their own only then', async () => {
  const page = await app.as('ada', { width: 700 });
  await openList(page);
  const name = page.locator('[data-kind="name"][role="gridcell"]').first();
  const position = () => name.evaluate((cell) => getComputedStyle(cell).position);
  const before = await name.boundingBox();
  expect(await position()).toBe('relative');
  await page.getByRole('region', { name: 'Companies' }).evaluate((list) => list.scrollBy(200, 0));
  await expect.poll(position).toBe('sticky');
  expect(await name.boundingBox()).toEqual(before);
  await page.getByRole('region', { name: 'Companies' }).evaluate((list) => list.scrollBy(-200, 0));
  await expect.poll(position).toBe('relative');
  await page.context().close();
});

test('the end of the headings shows another field, or leads an administrator to a new one', async () => {
  const page = await app.as('ada');
  await openList(page);
  const add = page.locator('[aria-label="Add a column"]');
  await add.click();
  await page.getByRole('menuitem', { name: 'note', exact: true }).click();
  await expect.poll(() => fieldsOf(page)).toBe('tier,revenue,founded,note');
  await page.locator('[data-row="-1"] > [data-column="5"]:focus-within').waitFor();
  await add.click();
  await page.getByRole('menuitem', { name: 'New field…' }).click();
  await page.getByRole('dialog', { name: 'New field' }).waitFor();
});

test('a heading of numbers ends where its numbers end, sorted or not', async () => {
  const page = await app.as('ada');
  /** Where the texts of the heading and of the first cell of a column end. */
  const endsOf = (name: string) =>
    page.evaluate((wanted) => {
      const all = [...document.querySelectorAll('[role=columnheader]')];
      const heading = all.find(({ textContent }) => textContent === wanted);
      const at = heading?.getAttribute('aria-colindex');
      const cell = document.querySelector(`tbody [aria-colindex="${at}"]`);
      return [heading, cell].map((element) => {
        const texts = document.createTreeWalker(element as Node, NodeFilter.SHOW_TEXT);
        const range = document.createRange();
        range.selectNodeContents(texts.nextNode() as Node);
        return Math.round(range.getBoundingClientRect().right);
      });
    }, name);
  for (const sort of ['', '&sort=revenue']) {
    await page.goto(`${app.address}/o/companies?fields=tier,revenue${sort}`);
    await page.getByRole('link', { name: 'Column Ltd' }).waitFor();
    const [heading, number] = await endsOf('revenue');
    expect(heading, sort).toBe(number);
  }
  // Layouts have their names, so no tooltip covers the title or the headings.
  await page.getByRole('button', { name: 'Board' }).hover();
  const name = await page.getByText('Board', { exact: true }).boundingBox();
  expect(name?.width).toBeGreaterThan(20);
});

longTest(
  'a heading has a menu, by keys too: moved, hidden, sorted, and the link shows the same',
  async () => {
    const page = await app.as('ada');
    await openList(page);
    await page.getByRole('link', { name: 'Column Ltd' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowUp');
    const open = async () => {
      await page.keyboard.press('Alt+ArrowDown');
      await page.getByRole('menu').waitFor();
    };
    await open();
    await page.getByRole('menuitem', { name: 'Move right' }).press('Enter');
    await expect.poll(() => fieldsOf(page)).toBe('revenue,tier,founded');
    await page.locator('[role=columnheader] button:focus', { hasText: 'tier' }).waitFor();
    await open();
    await page.getByRole('menuitem', { name: 'Sort descending' }).press('Enter');
    await page.waitForURL(/sort=-tier/);
    await open();
    await page.getByRole('menuitem', { name: 'Hide' }).press('Enter');
    await expect.poll(() => fieldsOf(page)).toBe('revenue,founded');
    const other = await app.as('mia');
    await other.goto(page.url());
    await other.getByRole('link', { name: 'Column Ltd' }).waitFor();
    expect((await headings(other)).slice(1)).toEqual((await headings(page)).slice(1));
  },
);

longTest('a column is as wide as it was drawn, also after a reload', async () => {
  const page = await app.as('ada');
  await openList(page);
  const tier = page.getByRole('columnheader', { name: 'tier' });
  const width = () => tier.evaluate((cell) => Math.round(cell.getBoundingClientRect().width));
  const before = await width();
  const box = await tier.boundingBox();
  if (box === null) throw new Error('the heading is not in view');
  const [x, y] = [box.x + box.width - 3, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 40, y, { steps: 4 });
  await page.mouse.up();
  await expect.poll(width).toBe(before + 40);
  await tier.locator('button[aria-label^=Column]').click();
  await page.getByRole('menuitem', { name: 'Make wider' }).press('Enter');
  await expect.poll(width).toBe(before + 64);
  await page.reload();
  await page.getByRole('link', { name: 'Column Ltd' }).waitFor();
  expect(await width()).toBe(before + 64);
  await tier.locator('button[aria-label^=Column]').click();
  await page.getByRole('menuitem', { name: 'Reset width' }).click();
  await expect.poll(width).toBe(before);
});
