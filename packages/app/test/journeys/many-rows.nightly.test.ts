// Many rows at once, said as it is: which rows are selected, and which moves have no way back.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../axe.ts';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';

let app: BrowserWorld;

beforeAll(async () => {
  app = await openBrowserWorld();
});
afterAll(() => app?.close());

const NAMED = (prefix: string, index: number) => `${prefix} ${String(index).padStart(3, '0')}`;

const makeDeals = (prefix: string, count: number) =>
  app.makeAll(
    'deals',
    Array.from({ length: count }, (_, index) => ({ name: NAMED(prefix, index) })),
  );

async function openList(page: Page, prefix: string): Promise<void> {
  await page.goto(`${app.address}/o/deals?q=${prefix}&sort=name&fields=status`);
  await page.getByRole('link', { name: NAMED(prefix, 0) }).waitFor();
}

test('the box and the bar say which rows are selected, also after another order', async () => {
  await makeDeals('Order', 120);
  const page = await app.as('ada', { colorScheme: 'dark' });
  await openList(page, 'Order');
  const all = page.getByRole('checkbox', { name: 'Select all loaded rows' });
  const isMixed = () => all.evaluate((box) => (box as HTMLInputElement).indeterminate);
  const bar = page.getByRole('region', { name: 'Actions for the selected rows' });
  await all.check();
  await bar.getByText('100 rows selected').waitFor();
  await bar.getByRole('button', { name: 'Select all 120 that match' }).waitFor();
  await page.getByRole('columnheader', { name: 'Deal' }).getByRole('button').first().click();
  await page.getByRole('link', { name: NAMED('Order', 119) }).waitFor();
  await bar.getByText('100 rows selected').waitFor();
  await bar.getByText('20 of them are not among the loaded rows.').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  expect(await all.isChecked()).toBe(false);
  expect(await isMixed()).toBe(true);
  await all.click();
  await bar.getByText('120 rows selected').waitFor();
  expect(await all.isChecked()).toBe(true);
});

test('a move of many without a way back needs a confirmation, and is reported', async () => {
  await makeDeals('Stuck', 3);
  const page = await app.as('ada');
  await openList(page, 'Stuck');
  const statuses = async () => {
    const rows = await app.world.rows('select status from deals where name like $1', ['Stuck %']);
    return rows.map(({ status }) => status);
  };
  const choose = async () => {
    const bar = page.getByRole('region', { name: 'Actions for the selected rows' });
    await bar.getByRole('button', { name: 'Status' }).click();
    await page.getByRole('menuitem', { name: 'Won' }).click();
  };
  await page.getByRole('link', { name: NAMED('Stuck', 0) }).focus();
  await page.keyboard.press('Control+a');
  await choose();
  const dialog = page.getByRole('dialog', { name: 'Move 3 records to Won?' });
  await dialog.getByText('The workflow allows no move back from Won.').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await statuses()).toEqual(['open', 'open', 'open']);
  await choose();
  await dialog.getByRole('button', { name: 'Move 3 records' }).click();
  await page.getByText('3 records were moved to Won. 3 of them cannot be moved back.').waitFor();
  expect(await statuses()).toEqual(['won', 'won', 'won']);
});

test('a move of one record is reported where it has no way back, and undone where it has one', async () => {
  const [id] = await makeDeals('Single', 1);
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/deals/${id}`);
  const move = async (from: string, to: string) => {
    await page.getByRole('button', { name: `Status: ${from}` }).click();
    await page.getByRole('menuitem', { name: to }).click();
    if (to === 'Won') {
      const dialog = page.getByRole('dialog', { name: 'Move “Single 000” to Won?' });
      await dialog.getByText('The workflow allows no move from Won.').waitFor();
      await dialog.getByRole('button', { name: 'Move record' }).click();
    }
    await page.getByRole('button', { name: `Status: ${to}` }).waitFor();
  };
  await move('Open', 'Lost');
  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.press('Control+z');
  await page.getByRole('button', { name: 'Status: Open' }).waitFor();
  await page.keyboard.press('Control+y');
  await page.getByRole('button', { name: 'Status: Lost' }).waitFor();
  await page.getByText('Redone: One record was moved to Lost.').waitFor();
  await page.keyboard.press('Control+z');
  await page.getByRole('button', { name: 'Status: Open' }).waitFor();
  await move('Open', 'Won');
  await page.getByText('One record was moved to Won. It cannot be moved back.').waitFor();
});

async function clip(page: Page, text: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
}

const amountsOf = async (prefix: string) => {
  const rows = await app.world.rows('select amount from deals where name like $1 order by name', [
    `${prefix} %`,
  ]);
  return rows.map(({ amount }) => (amount === null ? null : Number(amount)));
};

test('a row that was copied here is pasted here, without fields that cannot be edited', async () => {
  await makeDeals('Row', 3);
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/deals?q=Row&sort=name&fields=status,amount,updated_at`);
  await clip(page, 'nothing yet');
  await page.getByRole('link', { name: NAMED('Row', 1) }).focus();
  await page.keyboard.press('Shift+End');
  await page.keyboard.press('Control+c');
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('Open');
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  // Over itself a paste changes nothing.
  await page.keyboard.press('Control+v');
  await page.getByText('Nothing to change: the cells have these values already.').waitFor();
  await clip(page, copied.replace('\tOpen\t\t', '\tWon\t7\t'));
  await page.keyboard.press('Control+v');
  const dialog = page.getByRole('dialog', { name: 'Paste one row' });
  await dialog.getByText('Status cannot be changed here. The column is skipped.').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Paste one row' }).click();
  await page.getByText('One row was changed.').waitFor();
  expect(await amountsOf('Row')).toEqual([null, 7, null]);
});

test('the owner is not offered to people who may not assign records', async () => {
  const { rob } = app.world.users;
  await app.makeAll('deals', [
    { name: NAMED('Assign', 0), owner_user_id: rob },
    { name: NAMED('Assign', 1), owner_user_id: rob },
  ]);
  const page = await app.as('rob');
  const writes: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET' && /batch|\/records\/[^/]+$/.test(request.url()))
      writes.push(request.url());
  });
  await page.goto(`${app.address}/o/deals?q=Assign&sort=name&fields=owner_user_id`);
  await page.getByRole('link', { name: NAMED('Assign', 0) }).focus();
  await page.keyboard.press('ArrowRight');
  const cell = page.getByRole('gridcell', { name: 'Rob' }).first();
  expect(await cell.getAttribute('aria-readonly')).toBe('true');
  await page.keyboard.press('F2');
  await page.keyboard.press('Delete');
  await page.getByText('Owner cannot be changed here.').waitFor();
  expect(await page.locator('[data-editor], [role=dialog]').count()).toBe(0);
  await page.keyboard.press('Control+a');
  await page.getByRole('button', { name: 'Change a field…' }).click();
  const fields = page.getByRole('dialog').getByLabel('Field');
  expect(await fields.locator('option').allTextContents()).not.toContain('Owner');
  expect(writes).toEqual([]);
});
