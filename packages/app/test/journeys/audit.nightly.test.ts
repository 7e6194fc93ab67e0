// The audit under settings, narrowed by the address and exported; and the page of sign-in methods.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../axe.ts';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';

let app: BrowserWorld;
let rope: string;
const folder = mkdtempSync(join(tmpdir(), 'audit-'));

beforeAll(async () => {
  app = await openBrowserWorld();
  rope = await app.make('deals', { name: 'Rope', amount: 5 });
  await app.make('deals', { name: 'Twine', amount: 5 });
  await app.ada.patch(`/objects/deals/records/${rope}`, { fields: { amount: 7 } });
  await app.ada.patch(`/users/${app.world.users.sam}`, { title: 'Clerk' });
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await app?.close();
});

test('entries are in words, narrowed by filters in the address, and lead to records and people', async () => {
  const page = await app.as('ada');
  await page.goto(`${app.address}/settings/audit`);
  const table = page.getByRole('table', { name: 'Audit' });
  await table.getByRole('row', { name: /Ada.*Person changed: title.*Sam/ }).waitFor();
  await table.getByRole('row', { name: /Changed: Amount Rope/i }).waitFor();
  expect(await axeFindings(page, 'both')).toEqual([]);
  await page.getByLabel('Object', { exact: true }).selectOption({ label: 'Deals' });
  await page.waitForURL(/object_type=deals/);
  await table.getByRole('row', { name: /Person changed/ }).waitFor({ state: 'detached' });
  await page.getByLabel('Action').selectOption({ label: 'Changed' });
  await page.getByLabel('Record').fill(`${app.address}/o/deals/${rope}`);
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(`record_id=${rope}`));
  await page.reload();
  await table.getByRole('row', { name: /Changed: Amount Rope/i }).waitFor();
  await expect.poll(() => table.getByRole('row').count()).toBe(2);
  await page.goBack();
  await page.waitForURL((url) => !url.search.includes('record_id'));
  await page.getByRole('combobox', { name: 'Person' }).fill('rob');
  await page.getByRole('option', { name: 'Rob' }).click();
  await page.getByText('No entries found').waitFor();
  await page.getByRole('main').getByRole('button', { name: 'Clear filters' }).last().click();
  await table.getByRole('link', { name: 'Rope' }).first().click();
  await page.getByRole('heading', { name: 'Rope', level: 1 }).waitFor();
});

test('the entries of a filter are exported as CSV and as JSON', async () => {
  const page = await app.as('ada', { width: 390 });
  await page.goto(`${app.address}/settings/audit?object_type=deals`);
  await page.getByRole('link', { name: 'Rope' }).first().waitFor();
  expect(await axeFindings(page, 'both')).toEqual([]);
  const file = async (format: string) => {
    await page.getByRole('button', { name: 'Export' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Format').selectOption(format);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Export' }).click(),
    ]);
    await dialog.getByText('3 entries exported.').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    expect(download.suggestedFilename()).toMatch(new RegExp(`^audit-acme-.*\\.${format}$`));
    // The browser may be elsewhere, so the file is brought here first.
    const path = join(folder, `audit.${format}`);
    await download.saveAs(path);
    return readFileSync(path, 'utf8');
  };
  const lines = (await file('csv')).trim().split('\r\n');
  expect(lines).toHaveLength(4);
  expect(lines[1]).toContain(`update,deals,${rope},,,amount`);
  const entries = JSON.parse(await file('json'));
  expect(entries.map(({ action }: { readonly action: string }) => action)).toEqual([
    ...['update', 'create', 'create'],
  ]);
});

test('the page of sign-in methods says what is on, and what each person has', async () => {
  const page = await app.as('ada');
  await page.goto(`${app.address}/settings/sign-in-methods`);
  await page.getByText('No identity provider is configured').waitFor();
  await page.getByRole('row', { name: /Rob.*None yet/ }).waitFor();
  expect(await axeFindings(page, 'both')).toEqual([]);
});
