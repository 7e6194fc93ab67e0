// A record beside its list: by Space, by the button of a row, from the address; other records by the arrow keys; its
// page and the way back; on a telephone.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../axe.ts';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';
import { longTest } from '../long.ts';
import { rendersOf, watchRenders } from '../renders.ts';
import { settling } from '../settling.ts';

let app: BrowserWorld;
const NAMES = ['Alpha', 'Beta', 'Gamma', 'Delta'];
const ids = new Map<string, string>();

beforeAll(async () => {
  app = await openBrowserWorld();
  for (const name of NAMES) {
    const owner_user_id = app.world.users.rob;
    ids.set(name, await app.make('deals', { name, amount: 5, owner_user_id }));
  }
});
afterAll(() => app?.close());

async function openList(page: Page, search = '?sort=name'): Promise<void> {
  await page.goto(`${app.address}/o/deals${search}`);
  await page.getByRole('link', { name: 'Gamma' }).waitFor();
}

const peekOf = (page: Page, name: string) =>
  page.getByRole('complementary', { name: `Peek: ${name}` });

test('by Space beside the list, which keeps the focus; arrows, an edit, the page, and Back', async () => {
  const page = await app.as('ada');
  await openList(page);
  await page.getByRole('link', { name: 'Alpha', exact: true }).focus();
  await page.keyboard.press('Space');
  await peekOf(page, 'Alpha').getByRole('heading', { name: 'Alpha' }).waitFor();
  expect(new URL(page.url()).searchParams.get('peek')).toBe(ids.get('Alpha'));
  expect(await page.locator(':focus').textContent()).toBe('Alpha');
  await page.keyboard.press('ArrowDown');
  const peek = peekOf(page, 'Beta');
  await peek.getByText('2 of 4').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await peek.getByRole('button', { name: 'Amount $5.00' }).click();
  await peek.getByRole('textbox', { name: 'Amount' }).fill('7');
  await page.keyboard.press('Enter');
  await page.getByRole('row', { name: 'Beta' }).getByText('$7.00').waitFor();
  // With the focus beside the list the arrows lead on, too.
  await peek.focus();
  await page.keyboard.press('ArrowDown');
  await peekOf(page, 'Delta').getByRole('heading', { name: 'Delta' }).waitFor();
  await page.keyboard.press('Escape');
  await peekOf(page, 'Delta').waitFor({ state: 'detached' });
  expect(new URL(page.url()).searchParams.get('peek')).toBeNull();
  expect(await page.locator(':focus').textContent()).toBe('Delta');
  await page.keyboard.press('Space');
  await peekOf(page, 'Delta').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Delta', level: 1 }).waitFor();
  await page.getByText('3 of 4').waitFor();
  await page.goBack();
  await peekOf(page, 'Delta').getByRole('heading', { name: 'Delta' }).waitFor();
});

test('the page of a record knows its list: the records around it, and the way back', async () => {
  const page = await app.as('ada');
  await openList(page, '?filter[name][ne]=Beta&sort=-name');
  await page.getByRole('link', { name: 'Delta', exact: true }).press('Enter');
  await page.getByRole('heading', { name: 'Delta', level: 1 }).waitFor();
  await page.getByText('2 of 3').waitFor();
  await page.keyboard.press('j');
  await page.getByRole('heading', { name: 'Alpha', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Previous record' }).click();
  await page.getByRole('heading', { name: 'Delta', level: 1 }).waitFor();
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').first().click();
  await page.waitForURL(/filter\[name\]\[ne\]=Beta/);
  await page.getByRole('link', { name: 'Gamma' }).waitFor();
  expect(await page.getByRole('link', { name: 'Beta' }).count()).toBe(0);
  // Home has the list that was filtered.
  await page.getByRole('link', { name: 'Home' }).click();
  await page.getByRole('link', { name: /^Filtered list/ }).click();
  await page.waitForURL(/filter\[name\]\[ne\]=Beta/);
});

test('the heading of a record is its name, which is edited there; fields without a value are folded', async () => {
  const deal = await app.make('deals', { name: 'Before' });
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/deals/${deal}`);
  await page.getByRole('button', { name: 'Before' }).click();
  const field = page.getByRole('textbox', { name: 'Name' });
  await field.fill('After');
  await field.press('Enter');
  await page.getByRole('heading', { name: 'After', level: 1 }).waitFor();
  await expect
    .poll(() => app.world.rows('select name from deals where id = $1', [deal]))
    .toEqual([{ name: 'After' }]);
  const fold = page.getByRole('button', { name: /^Show \d+ empty fields$/ });
  expect(await page.getByRole('button', { name: /^code/i }).count()).toBe(0);
  await fold.click();
  await page.getByRole('button', { name: /^code/i }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
});

test('a record that is closed while the focus moves on stays closed', async () => {
  const page = await app.as('ada');
  await openList(page, `?sort=name&peek=${ids.get('Alpha')}`);
  await peekOf(page, 'Alpha').getByRole('heading', { name: 'Alpha' }).waitFor();
  const settle = settling(page);
  // Before the record of the row has followed.
  await page.evaluate((id) => {
    const row = document.querySelector<HTMLElement>(`[data-record="${id}"]`);
    row?.focus();
    row?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  }, ids.get('Beta'));
  await page.getByRole('complementary', { name: /^Peek/ }).waitFor({ state: 'detached' });
  await settle();
  expect(new URL(page.url()).searchParams.get('peek')).toBeNull();
});

test('opening, following and closing it renders nothing of the list again', async () => {
  const page = await app.as('ada');
  await watchRenders(page, ['[role=grid]', 'thead', 'main', 'aside']);
  await openList(page);
  await page.getByRole('link', { name: 'Alpha', exact: true }).focus();
  await page.keyboard.press('Space');
  await peekOf(page, 'Alpha').getByRole('heading', { name: 'Alpha' }).waitFor();
  await page.keyboard.press('Escape');
  await peekOf(page, 'Alpha').waitFor({ state: 'detached' });
  // The code and the answers are there from now on.
  await expect.poll(() => rendersOf(page), { interval: 500 }).toEqual({});
  await page.keyboard.press('Space');
  await peekOf(page, 'Alpha').getByRole('heading', { name: 'Alpha' }).waitFor();
  const opened = await rendersOf(page);
  expect(opened.aside).toBeGreaterThan(2);
  expect(opened['[role=grid]'] ?? 0).toBe(0);
  expect((opened.main ?? 0) - (opened.aside ?? 0)).toBeLessThan(10);
  await page.keyboard.press('Escape');
  await peekOf(page, 'Alpha').waitFor({ state: 'detached' });
  const closed = await rendersOf(page);
  expect(closed['[role=grid]'] ?? 0).toBe(0);
  expect((closed.main ?? 0) - (closed.aside ?? 0)).toBeLessThan(10);
  // From row to row the headings stay as they are.
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => page.locator(':focus').textContent()).toBe('Delta');
  const moved = await rendersOf(page);
  expect(moved['[role=grid]']).toBeGreaterThan(0);
  expect(moved.thead ?? 0).toBe(0);
});

longTest('on a telephone it covers the list, and Back shows the list again', async () => {
  const page = await app.as('ada', { width: 390 });
  await openList(page);
  await page.goto(`${app.address}/o/deals?sort=name&peek=${ids.get('Gamma')}`);
  const peek = peekOf(page, 'Gamma');
  await peek.getByRole('heading', { name: 'Gamma' }).waitFor();
  expect(await page.getByRole('row', { name: 'Alpha' }).isVisible()).toBe(false);
  expect((await peek.boundingBox())?.width).toBe(390);
  expect(await axeFindings(page)).toEqual([]);
  await peek.getByRole('button', { name: 'Close', exact: true }).click();
  await page.getByRole('link', { name: 'Alpha', exact: true }).waitFor();
});

longTest('on a board by the button of a card and by its key', async () => {
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/deals?layout=board`);
  const card = page.locator('[data-card]').filter({ hasText: 'Alpha' });
  await card.focus();
  await page.keyboard.press('p');
  await peekOf(page, 'Alpha').getByRole('heading', { name: 'Alpha' }).waitFor();
  await page.getByRole('article').filter({ hasText: 'Gamma' }).hover();
  await page.getByRole('button', { name: 'Peek at Gamma' }).click();
  await peekOf(page, 'Gamma').getByRole('heading', { name: 'Gamma' }).waitFor();
});

test('after a delete the list beside it keeps its filters and its order', async () => {
  await app.make('deals', { name: 'Epsilon', amount: 5, owner_user_id: app.world.users.rob });
  const page = await app.as('ada');
  await openList(page, '?filter[name][ne]=Beta&sort=-name');
  await page.getByRole('link', { name: 'Epsilon', exact: true }).focus();
  await page.keyboard.press('Space');
  const peek = peekOf(page, 'Epsilon');
  await peek.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await peek.waitFor({ state: 'detached' });
  const { searchParams } = new URL(page.url());
  expect([searchParams.get('sort'), searchParams.get('peek')]).toEqual(['-name', null]);
  expect(await page.getByRole('link', { name: 'Beta' }).count()).toBe(0);
});
