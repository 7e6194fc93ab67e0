// Lists and records: the address is the list, going back finds it as it was, fields are edited with the keys, and
// concurrent changes of two people are merged or shown in a dialog.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BrowserWorld, type Look, openBrowserWorld } from '../browser-world.ts';
import { longTest } from '../long.ts';

let app: BrowserWorld;

beforeAll(async () => {
  app = await openBrowserWorld();
  const all = Array.from({ length: 300 }, (_, index) => ({
    ...{ name: `Firm ${String(index).padStart(3, '0')}`, revenue: index },
  }));
  await app.makeAll('companies', all);
});
afterAll(() => app?.close());

test('a heading sorts, the address says so, and a link opened elsewhere shows the same', async () => {
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/companies`);
  await page.getByRole('columnheader').getByRole('button', { name: 'Revenue' }).click();
  await page
    .getByRole('columnheader', { name: 'Revenue' })
    .and(page.locator('[aria-sort=ascending]'))
    .waitFor();
  await page.getByRole('columnheader').getByRole('button', { name: 'Revenue' }).click();
  await page.waitForURL(`${app.address}/o/companies?sort=-revenue`);
  const first = page.getByRole('row').nth(1).getByRole('link').first();
  await expect.poll(() => first.textContent()).toBe('Firm 299');
  const other = await app.as('mia');
  await other.goto(page.url());
  await expect
    .poll(() => other.getByRole('row').nth(1).getByRole('link').first().textContent())
    .toBe('Firm 299');
  await page.goBack();
  await expect.poll(() => page.url()).toBe(`${app.address}/o/companies?sort=revenue`);
  await expect.poll(() => first.textContent()).toBe('Firm 000');
  await page.goForward();
  await expect.poll(() => page.url()).toBe(`${app.address}/o/companies?sort=-revenue`);
  await expect.poll(() => first.textContent()).toBe('Firm 299');
});

longTest('the layout is switched to and fro in one place', async () => {
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/companies`);
  const board = page.getByRole('button', { name: 'Board', exact: true });
  const place = await board.boundingBox();
  await board.click();
  await page.getByRole('button', { name: /^Columns: / }).waitFor();
  expect(await board.boundingBox()).toEqual(place);
});

test('a search narrows the list, and invalid parts of the address are reported', async () => {
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/companies?sort=name&colour=red&filter[nothing]=1`);
  await page.getByText('does not have them: colour, filter[nothing]').waitFor();
  expect(page.url()).toBe(`${app.address}/o/companies?sort=name`);
  await page.getByRole('searchbox').fill('Firm 123');
  await page.waitForURL(/q=Firm\+123/);
  await expect.poll(() => page.locator('tbody a[data-record]').count()).toBe(1);
  await page.getByRole('searchbox').fill('nobody of that name');
  await page.getByText('No matching records').waitFor();
  await page.getByRole('columnheader').nth(1).waitFor();
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect.poll(() => page.getByRole('row').count()).toBeGreaterThan(10);
});

test('the list continues below, few rows are in the document, and going back finds the place', async () => {
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/companies?sort=name`);
  await page.getByRole('link', { name: 'Firm 000' }).waitFor();
  const scroller = page.getByRole('region', { name: 'Companies' });
  for (const name of ['Firm 120', 'Firm 250']) {
    const top = Number(name.slice(5)) * 36 - 100;
    await expect
      .poll(async () => {
        await scroller.evaluate((element, to) => element.scrollTo(0, to), top);
        return page.getByRole('link', { name }).count();
      })
      .toBe(1);
  }
  expect(await page.getByRole('row').count()).toBeLessThan(60);
  await page.getByRole('link', { name: 'Firm 250' }).click();
  await page.getByRole('heading', { name: 'Firm 250' }).waitFor();
  await page.goBack();
  const link = page.getByRole('link', { name: 'Firm 250' });
  await link.waitFor();
  await expect
    .poll(() => link.evaluate((element) => element === document.activeElement))
    .toBe(true);
  await page.keyboard.press('ArrowDown');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent))
    .toBe('Firm 251');
});

/** A deal, open on the page of somebody. */
async function openDeal(
  person: 'ada' | 'mia' | 'rob',
  fields: Readonly<Record<string, unknown>>,
  look: Look = {},
) {
  const id = await app.make('deals', { ...fields, owner_user_id: app.world.users.rob });
  const page = await app.as(person, look);
  await page.goto(`${app.address}/o/deals/${id}`);
  await page.getByRole('heading', { name: String(fields.name) }).waitFor();
  const patch = (changes: object) =>
    app.ada.patch(`/objects/deals/records/${id}`, { fields: changes });
  const row = async () => (await app.world.rows('select * from deals where id = $1', [id]))[0];
  return { page, patch, row, id };
}

test('fields are edited in place: Enter saves, Escape discards, invalid text is refused', async () => {
  const { page, row } = await openDeal('ada', { name: 'First', amount: 5 });
  await page.getByRole('button', { name: /^amount/ }).press('Enter');
  const amount = page.getByRole('textbox', { name: 'Amount' });
  expect(await amount.inputValue()).toBe('5');
  await page.getByText('$', { exact: true }).waitFor();
  await amount.fill('much');
  await page.keyboard.press('Enter');
  await page.getByText('Enter a number such as 1,234.5.').waitFor();
  await amount.fill('1,234.5');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Amount $1,234.50' }).waitFor();
  expect(Number((await row())?.amount)).toBe(1234.5);
  await page.keyboard.press('Enter');
  await amount.fill('9');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Amount $1,234.50' }).waitFor();
  await page.getByRole('button', { name: /^closes_on/ }).click();
  await page.getByLabel('closes_on').fill('2027-01-31');
  await page.keyboard.press('Enter');
  await page.getByText('31 Jan 2027').waitFor();
  await page.getByRole('button', { name: 'Status: Open' }).click();
  await page.getByRole('menuitem', { name: 'Won' }).click();
  await page.getByRole('button', { name: 'Move record' }).click();
  await expect.poll(async () => (await row())?.status).toBe('won');
  await page.getByRole('button', { name: 'Status: Won' }).waitFor();
});

longTest('what the service refuses is said in the language of the page', async () => {
  await openDeal('ada', { name: 'Original', code: 'TAKEN' });
  const { page } = await openDeal(
    'ada',
    { name: 'Zweites', amount: 5, code: 'FREE' },
    { locale: 'de-DE' },
  );
  await page.getByRole('button', { name: /^code/ }).click();
  await page.getByRole('textbox', { name: 'code' }).fill('TAKEN');
  await page.keyboard.press('Enter');
  await page.getByText('Ein anderer Datensatz hat diesen Wert schon.').waitFor();
});

longTest('a change of another field by somebody else is merged without a question', async () => {
  const { page, patch, row } = await openDeal('mia', { name: 'Merged', amount: 5 });
  await page.getByRole('button', { name: /^amount/ }).click();
  await page.getByRole('textbox', { name: 'Amount' }).fill('6');
  await patch({ code: 'M-1' });
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Amount $6.00' }).waitFor();
  await expect.poll(row).toMatchObject({ amount: 6, code: 'M-1' });
});

test('a change of the same field opens a dialog, and no value is lost before the answer', async () => {
  const { page, patch, row } = await openDeal('mia', { name: 'Contested', amount: 5 });
  const change = async (value: string) => {
    await page.getByRole('button', { name: /^amount/ }).click();
    await page.getByRole('textbox', { name: 'Amount' }).fill(value);
  };
  const dialog = page.getByRole('dialog', { name: 'Someone else changed this field' });
  await change('6');
  await patch({ amount: 7 });
  await page.keyboard.press('Enter');
  await dialog.getByText('$7.00').waitFor();
  await dialog.getByText('$6.00').waitFor();
  await dialog.getByText(/^Changed by Ada, .*(?:now|second|minute)/).waitFor();
  expect(Number((await row())?.amount)).toBe(7);
  await page.keyboard.press('Escape');
  expect(await page.getByRole('textbox', { name: 'Amount' }).inputValue()).toBe('6');
  await page.reload();
  await page.getByRole('button', { name: 'Continue editing' }).click();
  expect(await page.getByRole('textbox', { name: 'Amount' }).inputValue()).toBe('6');
  await page.getByRole('textbox', { name: 'Amount' }).press('Enter');
  await dialog.getByRole('button', { name: 'Save your value' }).click();
  await page.getByRole('button', { name: 'Amount $6.00' }).waitFor();
  expect(Number((await row())?.amount)).toBe(6);
  await change('8');
  await patch({ amount: 9 });
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Keep their value' }).click();
  await page.getByRole('button', { name: 'Amount $9.00' }).waitFor();
  expect(Number((await row())?.amount)).toBe(9);
  // Her own change elsewhere.
  await change('10');
  const mia = await app.world.as('mia');
  await mia.patch(`/objects/deals/records/${(await row())?.id}`, { fields: { amount: 11 } });
  await page.keyboard.press('Enter');
  const own = page.getByRole('dialog', { name: 'You changed this field elsewhere' });
  await own.getByText(/^Changed by you, /).waitFor();
  await own.getByRole('button', { name: 'Keep the other value' }).click();
  await page.getByRole('button', { name: 'Amount $11.00' }).waitFor();
});

longTest('what may not be changed is offered to nobody', async () => {
  const { page, id } = await openDeal('rob', { name: 'Robs', code: 'R-1', secret: 'hidden' });
  expect(await page.getByText('hidden').count()).toBe(0);
  expect(await page.getByRole('button', { name: /^code/ }).count()).toBe(0);
  expect(await page.getByRole('heading', { name: 'Robs' }).getByRole('button').count()).toBe(1);
  const stranger = await app.as('sam');
  await stranger.goto(`${app.address}/o/deals/${id}`);
  await stranger.getByText('It was deleted, or you no longer have access to it.').waitFor();
  await stranger.getByRole('link', { name: 'Back to Deals' }).click();
  await stranger.getByText('No records yet').waitFor();
});

longTest('a busy service is waited for, and the page says so', async () => {
  const page = await app.as('ada');
  await page.goto(app.address);
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  let refused = 0;
  await page.route(/\/objects\/boats\/records/, async (route) => {
    refused += 1;
    if (refused > 1) return route.continue();
    const error = {
      type: 'api_error',
      code: 'service_unavailable',
      message: 'Busy.',
      request_id: 'x',
    };
    const headers = { 'Retry-After': '2', 'Content-Type': 'application/json' };
    return route.fulfill({ status: 503, headers, body: JSON.stringify({ error }) });
  });
  await page.getByRole('link', { name: 'Boats' }).first().click();
  await page.getByText(/The service is busy. Trying again in \d s/).waitFor();
  await page.getByText('No records yet').waitFor();
  expect(refused).toBe(2);
});
