// Records that are chosen by typing their names: Enter takes the first that was found, however fast it follows.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BrowserWorld, openBrowserWorld, visit } from '../browser-world.ts';
import { longTest } from '../long.ts';

let app: BrowserWorld;

beforeAll(async () => {
  app = await openBrowserWorld();
});
afterAll(() => app?.close());

/** Holds back the hits for a text until the returned call. */
async function holdSearch(page: Page, text: string): Promise<() => void> {
  let letGo = () => {};
  const isLetGo = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route(
    (url) => url.searchParams.get('q') === text,
    async (route) => {
      await isLetGo;
      await route.continue();
    },
  );
  return letGo;
}

test('a reference: Enter takes a hit for the typed text, also a later one, and never an old one', async () => {
  const deal = await app.make('deals', { name: 'Referring' });
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/deals/${deal}`);
  await page.getByRole('button', { name: /^Company\b/ }).click();
  await page.getByText('No records', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  const harbour = await app.make('companies', { name: 'Harbour Supplies' });
  const rope = await app.make('companies', { name: 'Rope Works' });
  await app.make('companies', { name: 'Newest' });
  const company = async () => {
    const [row] = await app.world.rows('select company_id from deals where id = $1', [deal]);
    return row?.company_id;
  };
  await page.reload();
  await page.getByRole('button', { name: /^Company\b/ }).press('Enter');
  await page.getByRole('option', { name: 'Newest' }).waitFor();
  const answer = await holdSearch(page, 'harb');
  await page.keyboard.type('harb');
  await page.keyboard.press('Enter');
  const field = page.getByRole('combobox', { name: 'Company' });
  expect([await field.inputValue(), await company()]).toEqual(['harb', null]);
  answer();
  await page.getByRole('link', { name: 'Harbour Supplies' }).waitFor();
  await expect.poll(company).toBe(harbour);
  await page.getByRole('button', { name: 'Edit Company' }).press('Enter');
  await field.fill('rope');
  await page.getByRole('option', { name: 'Harbour Supplies' }).waitFor({ state: 'detached' });
  await page.getByRole('option', { name: 'Rope Works' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Rope Works' }).waitFor();
  await expect.poll(company).toBe(rope);
});

longTest('a record to link: another key after Enter means another one', async () => {
  await app.makeAll(
    'contacts',
    ['Jo Contact', 'Jim Contact', 'Newest'].map((name) => ({ name })),
  );
  const deal = await app.make('deals', { name: 'Linking' });
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/deals/${deal}`);
  const section = page.getByRole('region', { name: 'Contacts' });
  await section.getByRole('button', { name: 'Contacts', exact: true }).click();
  await section.getByRole('button', { name: 'Link Contacts' }).click();
  await page.getByRole('option', { name: 'Newest' }).waitFor();
  const [first, second] = [await holdSearch(page, 'j'), await holdSearch(page, 'ji')];
  await page.keyboard.type('j');
  await page.keyboard.press('Enter');
  await page.keyboard.type('i');
  first();
  second();
  await page.getByRole('option', { name: 'Newest' }).waitFor({ state: 'detached' });
  await page.getByRole('option', { name: 'Jim Contact' }).waitFor();
  expect(await section.getByRole('link').count()).toBe(0);
  await page.keyboard.press('Enter');
  await section.getByRole('link', { name: 'Jim Contact' }).waitFor();
  expect(await section.getByRole('link').count()).toBe(1);
});

longTest('a person and the field of a condition: the first one that matches', async () => {
  const deal = await app.make('deals', { name: 'Owned' });
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/deals/${deal}`);
  await page.getByRole('button', { name: /^Owner/ }).press('Enter');
  await page.getByRole('combobox', { name: 'Owner' }).fill('mi');
  await page.getByRole('option', { name: 'Mia' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Owner Mia' }).waitFor();
  await visit(page, `${app.address}/o/deals`);
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('option', { name: 'Amount' }).waitFor();
  await page.keyboard.type('amou');
  await page.getByRole('option', { name: 'Name' }).waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  await page.getByRole('combobox', { name: 'Condition' }).waitFor();
});
