// Rows from a spreadsheet: appended at the end of a list and on an empty one, by their headings, in their order.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';

let app: BrowserWorld;

beforeAll(async () => {
  app = await openBrowserWorld();
});
afterAll(() => app?.close());

async function clip(page: Page, text: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
}

const stored = async (name: string) =>
  app.world.rows('select * from deals where name like $1 order by name', [`${name}%`]);

const shown = (page: Page, name: string) =>
  page.getByRole('link', { name: new RegExp(`^${name}`) }).allInnerTexts();

test('on an empty list: headings name the fields, and the order of the text is that of the list', async () => {
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/deals?fields=amount`);
  await page.getByText('No records yet').waitFor();
  await page
    .getByText('Create the first record, or paste rows of a spreadsheet with their headings.')
    .waitFor();
  await clip(page, 'Amount\tMood\tDeal\tCode\n1\tx\tEmpty 1\tE-1\n2\ty\tEmpty 2\tE-2');
  await page.keyboard.press('Control+v');
  const dialog = page.getByRole('dialog', { name: 'Paste' });
  await dialog.getByText('The column Mood has no field here. It is skipped.').waitFor();
  await dialog.getByText('New records: 2.').waitFor();
  await dialog.getByRole('button', { name: 'Paste 2 rows' }).click();
  await page.getByText('2 records were created.').waitFor();
  await page.getByRole('link', { name: 'Empty 2' }).waitFor();
  expect(await shown(page, 'Empty')).toEqual(['Empty 1', 'Empty 2']);
  expect((await stored('Empty')).map(({ amount, code }) => [Number(amount), code])).toEqual([
    [1, 'E-1'],
    [2, 'E-2'],
  ]);
});

test('on the last row: new records by default, over it on request; undone by one key', async () => {
  await app.make('deals', { name: 'Last', amount: 7 });
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/deals?q=Last&sort=name&fields=amount`);
  await page.getByRole('link', { name: 'Last' }).focus();
  await clip(page, 'Last a\t1\nLast b\t2');
  await page.keyboard.press('Control+v');
  const dialog = page.getByRole('dialog', { name: 'Paste 2 rows' });
  await dialog.getByText('Rows to change: 0. New records: 2.').waitFor();
  await dialog.getByLabel('Where to paste').selectOption('over');
  await dialog.getByText('Rows to change: 1. New records: 1.').waitFor();
  await dialog.getByLabel('Where to paste').selectOption('new');
  await dialog.getByText('Rows to change: 0. New records: 2.').waitFor();
  await dialog.getByRole('button', { name: 'Paste 2 rows' }).click();
  await page.getByText('2 records were created.').waitFor();
  const names = async () => (await stored('Last')).map(({ name }) => name);
  expect(await names()).toEqual(['Last', 'Last a', 'Last b']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(names).toEqual(['Last']);
});

test('a copied row is pasted as it is: columns that cannot be changed do not matter', async () => {
  await app.makeAll('deals', [
    { name: 'Row a', amount: 1 },
    { name: 'Row b', amount: 2 },
  ]);
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/deals?q=Row&sort=name&fields=status,amount`);
  await page.getByRole('link', { name: 'Row a' }).focus();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  for (const key of ['Shift+ArrowRight', 'Shift+ArrowRight', 'Control+c', 'ArrowDown'])
    await page.keyboard.press(key);
  await page.getByRole('link', { name: 'Row b' }).focus();
  await page.keyboard.press('Control+v');
  await page.getByText('One row was changed.').waitFor();
  expect((await stored('Row')).map(({ name, amount }) => [name, Number(amount)])).toEqual([
    ['Row a', 1],
    ['Row a', 1],
  ]);
});

test('on the line for a new record of a long list: new records, whatever is loaded', async () => {
  const all = Array.from({ length: 130 }, (_, at) => ({ name: `Long ${1000 + at}` }));
  await app.makeAll('deals', all);
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/deals?q=Long&sort=name&fields=amount`);
  await page.getByRole('link', { name: 'Long 1000' }).waitFor();
  await clip(page, 'Long a\t1\nLong b\t2');
  await page.getByRole('grid').getByRole('button', { name: 'New deal' }).focus();
  await page.keyboard.press('Control+v');
  const dialog = page.getByRole('dialog', { name: 'Paste 2 rows' });
  await dialog.getByText('Rows to change: 0. New records: 2.').waitFor();
  expect(await dialog.getByLabel('Where to paste').count()).toBe(0);
  await dialog.getByRole('button', { name: 'Paste 2 rows' }).click();
  await page.getByText('2 records were created.').waitFor();
  expect(await stored('Long')).toHaveLength(132);
});
