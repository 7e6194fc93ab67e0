// Computed fields in the data model: the expression of a formula is checked as it is typed, a rollup is chosen from lists, and
// records show their values as read-only ones.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../axe.ts';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';

let app: BrowserWorld;
let deal: string;
let company: string;

beforeAll(async () => {
  app = await openBrowserWorld();
  company = await app.make('companies', { name: 'Ropery' });
  deal = await app.make('deals', { name: 'Rope', code: 'R-1', amount: 5, company_id: company });
  await app.make('deals', { name: 'Knot', amount: 2, company_id: company });
});
afterAll(() => app?.close());

test('a formula is checked, added, applied and shown', async () => {
  const page = await app.as('ada');
  await page.goto(`${app.address}/settings/model/deals`);
  await page.getByRole('button', { name: 'New field' }).click();
  await page.getByRole('button', { name: /^Formula / }).click();
  await page.getByLabel('Name', { exact: true }).fill('Gross');
  await page.getByRole('button', { name: 'Add field' }).click();
  await page.getByText('Write a formula.').waitFor();
  const expression = page.getByLabel('Formula', { exact: true });
  await expression.fill('amount * ammount');
  await page.locator('mark').getByText('ammount', { exact: true }).waitFor();
  await page.getByText(/^"ammount" is not .* did you mean "?amount/).waitFor();
  await page.getByRole('button', { name: 'Add field' }).click();
  expect(await expression.evaluate((input) => input === document.activeElement)).toBe(true);
  expect(await axeFindings(page, 'both')).toEqual([]);
  await expression.fill('Monthly fee * 12');
  await page.getByText(/"Monthly" does not belong .* by their keys/).waitFor();
  await expression.fill('');
  const fields = page.getByRole('group', { name: 'Insert a field' });
  await fields.getByRole('button', { name: 'amount', exact: true }).click();
  await page.keyboard.type(' * 1.19');
  await page.locator('mark').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Add field' }).click();
  await page.getByRole('link', { name: 'Review' }).click();
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByText('One change was applied.').waitFor();
  await page.goto(`${app.address}/o/deals/${deal}`);
  await page.getByText('5.95').first().waitFor();
  await page.goto(`${app.address}/settings/roles/rep`);
  await page.getByRole('button', { name: /^Deals/ }).click();
  const rights = page.getByLabel('Gross: Deals').locator('option');
  expect(await rights.allInnerTexts()).toEqual(['Hidden', 'Read']);
});

test('a rollup is chosen, added, applied and shown', async () => {
  const page = await app.as('ada');
  await page.goto(`${app.address}/settings/model/companies`);
  await page.getByRole('button', { name: 'New field' }).click();
  await page.getByRole('button', { name: /^Rollup / }).click();
  await page.getByLabel('Name', { exact: true }).fill('Large deals');
  await page.getByRole('button', { name: 'Add field' }).click();
  await page.getByText('Choose the records.').waitFor();
  await page.getByLabel('Records', { exact: true }).selectOption({ label: 'Deals (Company)' });
  await page.getByLabel('Result', { exact: true }).selectOption('Sum');
  await page.getByLabel('Field', { exact: true }).selectOption('amount');
  await page.getByLabel('Only records with').selectOption('amount');
  await page.getByLabel('Condition').selectOption('is at least');
  await page.getByLabel('Value', { exact: true }).fill('3');
  await page.getByLabel('And with').waitFor();
  expect(await axeFindings(page, 'both')).toEqual([]);
  await page.getByRole('button', { name: 'Add field' }).click();
  await page.getByRole('link', { name: 'Review' }).click();
  await page.getByText('Deals: Sum (amount), one condition').waitFor();
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByText('One change was applied.').waitFor();
  await page.goto(`${app.address}/o/companies/${company}`);
  await page.getByText(/5\.00/).first().waitFor();
});
