// Changes while a person works: the definition, the same record in another tab, a network that is slow or gone. No
// typed text is lost, and no write is made twice.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ACME } from '../../../../test/world.ts';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';
import { longTest } from '../long.ts';

let app: BrowserWorld;

beforeAll(async () => {
  app = await openBrowserWorld();
});
afterAll(() => app?.close());

const { deals } = ACME.objects;
let dealFields: object = deals.fields;

/** The definition with more fields of deals, or some under another name. */
function changeDeals(fields: object): Promise<unknown> {
  dealFields = { ...dealFields, ...fields };
  const objects = { ...ACME.objects, deals: { ...deals, fields: dealFields } };
  return app.world.apply({ ...ACME, objects });
}

const isFocused = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => element === document.activeElement);

test('a changed definition is followed, and a draft on a record stays', async () => {
  const id = await app.make('deals', { name: 'Followed' });
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/deals/${id}`);
  await page.getByRole('button', { name: /^Show \d+ empty fields$/ }).click();
  await page.getByRole('button', { name: /^code/i }).click();
  await page.getByRole('textbox', { name: /code/i }).fill('half typ');
  const code = { name: 'Reference number', type: 'text', unique: true };
  await changeDeals({ mast: { name: 'Mast', type: 'text' }, code });
  await page.getByText('Mast', { exact: true }).waitFor();
  const editor = page.getByRole('textbox', { name: 'Reference number' });
  expect(await editor.inputValue()).toBe('half typ');
  expect(await isFocused(page, 'main input[type=text]')).toBe(true);
  await page.keyboard.type('ed');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Reference number half typed' }).waitFor();
});

longTest('so is one by a cell that is edited, and by the dialog of a new record', async () => {
  await app.make('deals', { name: 'Celled', amount: 5 });
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/deals?q=Celled&fields=amount,code`);
  await page.getByRole('link', { name: 'Celled' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('12');
  await page.locator('[data-editor] input').waitFor();
  const list = await page.context().newPage();
  await list.goto(`${app.address}/o/deals`);
  await list.getByRole('button', { name: 'New deal' }).first().click();
  const dialog = list.getByRole('dialog', { name: 'New deal' });
  await dialog.getByLabel('Name').fill('Half made');
  const amount = { ...deals.fields.amount, name: 'Worth' };
  await changeDeals({ keel: { name: 'Keel', type: 'text' }, amount });
  await dialog.getByLabel('Keel').waitFor();
  expect(await dialog.getByLabel('Name').inputValue()).toBe('Half made');
  await dialog.getByLabel('Keel').fill('Long');
  await dialog.getByLabel('Keel').press('Control+Enter');
  await list.getByRole('heading', { name: 'Half made', level: 1 }).waitFor();
  await page.bringToFront();
  await page.getByRole('columnheader', { name: 'Worth' }).waitFor();
  expect(await page.locator('[data-editor] input').inputValue()).toBe('12');
  await page.keyboard.type('3');
  await page.keyboard.press('Enter');
  await page.getByRole('gridcell', { name: '$123.00' }).waitFor();
});

longTest(
  'two tabs of one person: each keeps what is typed in it, and the second to save is asked',
  async () => {
    const id = await app.make('deals', { name: 'In two tabs', amount: 1 });
    const first = await app.as('ada');
    const second = await first.context().newPage();
    const amountOf = (page: Page) => page.getByRole('textbox', { name: 'Worth' });
    for (const [page, value] of [
      [first, '2'],
      [second, '3'],
    ] as const) {
      await page.goto(`${app.address}/o/deals/${id}`);
      await page.getByRole('button', { name: /^worth/i }).click();
      await amountOf(page).fill(value);
    }
    await first.bringToFront();
    await amountOf(first).press('Enter');
    await first.getByRole('button', { name: 'Worth $2.00' }).waitFor();
    await second.bringToFront();
    expect(await amountOf(second).inputValue()).toBe('3');
    await amountOf(second).press('Enter');
    const dialog = second.getByRole('dialog', { name: 'Someone else changed this field' });
    await dialog.getByText('$2.00').waitFor();
    await dialog.getByRole('button', { name: 'Save your value' }).click();
    await second.getByRole('button', { name: 'Worth $3.00' }).waitFor();
    await first.bringToFront();
    await first.getByRole('button', { name: 'Worth $3.00' }).waitFor();
  },
);

/** Answers of the interface come that many milliseconds late; the stream of events is let through. */
const slowDown = (page: Page, late: number) =>
  page.route(/\/v1\/(?!events)/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, late));
    await route.continue().catch(() => undefined);
  });

test('a network that takes three seconds for each answer: the page waits, and no write is made twice', async () => {
  await app.make('deals', { name: 'Slowly', amount: 1 });
  const page = await app.as('ada');
  await slowDown(page, 3000);
  await page.goto(`${app.address}/o/deals?fields=amount`);
  await page.locator('[aria-busy=true]').first().waitFor();
  await page.getByRole('link', { name: 'Slowly' }).waitFor();
  // A cell shows at once the value that is still being saved.
  await page.getByRole('link', { name: 'Slowly' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('7');
  await page.keyboard.press('Enter');
  await page.getByRole('gridcell', { name: '$7.00' }).waitFor();
  await expect.poll(() => amountsOf('Slowly')).toEqual([7]);
  await page.getByRole('button', { name: 'New deal' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New deal' });
  await dialog.getByLabel('Name').fill('Pressed twice');
  for (let press = 0; press < 3; press += 1) await page.keyboard.press('Control+Enter');
  await page.getByRole('heading', { name: 'Pressed twice', level: 1 }).waitFor();
  expect(await amountsOf('Pressed twice')).toHaveLength(1);
});

async function amountsOf(name: string): Promise<readonly number[]> {
  const rows = await app.world.rows('select amount from deals where name = $1', [name]);
  return rows.map(({ amount }) => Number(amount));
}

longTest(
  'a dead network: what cannot be read says so, and what was asked for comes when there is a network again',
  async () => {
    await app.make('deals', { name: 'Reached again' });
    const page = await app.as('ada');
    await page.goto(`${app.address}/o/companies`);
    await page.getByRole('heading', { name: 'Companies', level: 1 }).waitFor();
    const navigation = page.getByRole('navigation', { name: 'Main' });
    await page.context().setOffline(true);
    await page.getByText('You are offline').waitFor();
    await navigation.getByRole('link', { name: 'Deals' }).click();
    await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor();
    await page.getByText('The service cannot be reached.').waitFor();
    // Of this page not even the code is there.
    await navigation.getByRole('link', { name: 'Notifications' }).click();
    await page.waitForURL(/notifications$/);
    await page.context().setOffline(false);
    await page.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Reached again' }).waitFor();
  },
);
