// A formula in the data model: its expression is checked as it is typed, and records show its value as a read-only one.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../axe.ts';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';

let app: BrowserWorld;
let deal: string;

beforeAll(async () => {
  app = await openBrowserWorld();
  deal = await app.make('deals', { name: 'Rope', code: 'R-1', amount: 5 });
});
afterAll(() => app?.close());

test('a formula is checked, added, applied and shown', async () => {
  const page = await app.as('ada');
  await page.goto(`${app.address}/settings/model`);
  await page.getByRole('link', { name: 'Deals' }).last().click();
  await page.getByRole('button', { name: 'New field' }).click();
  await page.getByRole('button', { name: /^Formula / }).click();
  await page.getByLabel('Name', { exact: true }).fill('Gross');
  await page.getByRole('button', { name: 'Add field' }).click();
  await page.getByText('Write a formula.').waitFor();
  const expression = page.getByLabel('Formula', { exact: true });
  await expression.fill('amount * ammount');
  await page.locator('mark').getByText('ammount', { exact: true }).waitFor();
  await page.getByText(/did you mean "?amount/).waitFor();
  expect(await axeFindings(page, 'both')).toEqual([]);
  await expression.fill('amount * 1.19');
  await page.locator('mark').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Add field' }).click();
  await page.getByRole('link', { name: 'Review' }).click();
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByText('One change was applied.').waitFor();
  await page.goto(`${app.address}/o/deals/${deal}`);
  await page.getByText('5.95').first().waitFor();
});
