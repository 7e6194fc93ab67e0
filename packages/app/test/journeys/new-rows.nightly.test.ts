// New records in a line of a list: in a table, in a group of one, and below a work item.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../axe.ts';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';
import { longTest } from '../long.ts';
import { SPECIMENS } from '../specimens.ts';

let app: BrowserWorld;

beforeAll(async () => {
  app = await openBrowserWorld();
});
afterAll(() => app?.close());

const stored = (table: string, name: string) =>
  app.world.rows(`select * from ${table} where name like $1 order by id`, [`${name}%`]);

const press = async (page: Page, ...keys: readonly string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};

test('Enter makes a record and begins the next one; Escape discards it; a missing field is asked', async () => {
  const tide = await app.make('companies', { name: 'Tide Works', tier: 'gold' });
  await app.make('boats', { name: 'First', company_id: tide });
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/boats?fields=owner_user_id`);
  await page.getByRole('link', { name: 'First' }).waitFor();
  await page.getByRole('button', { name: 'New boat' }).last().press('Enter');
  const name = page.getByRole('textbox', { name: 'name' });
  await name.waitFor();
  await page.keyboard.type('Second');
  await press(page, 'Enter');
  // The table has no column for it.
  await page.getByText('This field is required.').waitFor();
  const company = page.getByRole('combobox', { name: /company/i });
  await company.fill('tide');
  await page.getByRole('option', { name: 'Tide Works' }).click();
  expect(await axeFindings(page)).toEqual([]);
  await name.focus();
  await press(page, 'Enter');
  await page.getByText('“Second” was created.').waitFor();
  expect(await stored('boats', 'Second')).toMatchObject([{ company_id: tide }]);
  await page.getByRole('link', { name: 'Second' }).waitFor();
  await expect.poll(() => name.inputValue()).toBe('');
  await page.keyboard.type('Never');
  await press(page, 'Escape');
  await expect.poll(() => name.count()).toBe(0);
  await page.getByRole('button', { name: 'New boat' }).last().click();
  expect(await name.inputValue()).toBe('');
  expect(await stored('boats', 'Never')).toEqual([]);
});

test('a new row does not begin with the draft of the dialog, which stays there', async () => {
  await app.make('companies', { name: 'Draft keeper' });
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/companies?fields=founded`);
  await page.getByRole('link', { name: 'Draft keeper' }).waitFor();
  const open = () => page.getByRole('button', { name: 'New company' }).first().click();
  await open();
  const dialog = page.getByRole('dialog');
  const draft = dialog.getByRole('textbox', { name: 'name' });
  await draft.fill('Abandoned');
  await press(page, 'Escape');
  await dialog.waitFor({ state: 'hidden' });
  await page.getByRole('grid').getByRole('button', { name: 'New company' }).click();
  const name = page.getByRole('grid').getByRole('textbox', { name: 'name' });
  await name.waitFor();
  expect(await name.inputValue()).toBe('');
  await name.fill('Short');
  await press(page, 'Escape');
  await open();
  await dialog.getByText('Your earlier draft is restored.').waitFor();
  expect(await draft.inputValue()).toBe('Abandoned');
});

test('a new row in a group has the value of the group', async () => {
  await app.make('companies', { name: 'Silver One', tier: 'silver' });
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/companies?group=tier&fields=founded&filter[tier][eq]=silver`);
  await page.getByRole('link', { name: 'Silver One' }).waitFor();
  await page.getByRole('grid').getByRole('button', { name: /^New / }).click();
  await page.getByRole('textbox', { name: 'name' }).waitFor();
  await page.keyboard.type('Silver Two');
  await press(page, 'Enter');
  await page.getByRole('link', { name: 'Silver Two' }).waitFor();
  await expect.poll(() => stored('companies', 'Silver Two')).toMatchObject([{ tier: 'silver' }]);
});

longTest('a work item below another one', async () => {
  await app.world.apply(SPECIMENS);
  const page = await app.as('ada');
  const parent = await app.make('work_items', { title: 'Above', work_item_type_id: 'chore' });
  await page.goto(`${app.address}/o/work_items/${parent}`);
  const tree = page.getByRole('region', { name: 'Sub-items' });
  await tree.getByRole('button', { name: /^New / }).last().click();
  await tree.getByRole('textbox', { name: /title/i }).waitFor();
  await tree.getByLabel('Type').selectOption('chore');
  await tree.getByRole('textbox', { name: /title/i }).focus();
  await page.keyboard.type('Below');
  await press(page, 'Enter');
  await tree.getByRole('link', { name: 'Below' }).waitFor();
});
