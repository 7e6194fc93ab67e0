// Two records that are the same thing: compared side by side, merged with the chosen values, and the merge undone.

import type { Request } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { findingDuplicates } from '../../../../src/flow/jobs/duplicates-job.ts';
import { startJobs } from '../../../../src/flow/jobs/job-runner.ts';
import { merge } from '../../../../test/api/merged.ts';
import { ACME } from '../../../../test/world.ts';
import { axeFindings } from '../axe.ts';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';

let app: BrowserWorld;

const companies = {
  ...ACME.objects.companies,
  trash: { keep: '30d' },
  fields: {
    ...ACME.objects.companies.fields,
    parent: { name: 'Parent', type: 'reference', reference_object_type: 'companies' },
  },
} as const;

beforeAll(async () => {
  app = await openBrowserWorld();
  await app.world.apply({
    ...ACME,
    objects: { ...ACME.objects, companies },
  });
});
afterAll(() => app?.close());

test('rows are merged with the chosen values, references go over, and Undo brings all back', async () => {
  const stays = await app.make('companies', { name: 'Halyard', founded: '1999-01-31' });
  const goes = await app.make('companies', {
    ...{ name: 'Halyard & Sons', tier: 'gold', parent: stays },
  });
  const contact = await app.make('contacts', { name: 'Ann', company_id: goes });
  const fieldsOf = async (type: string, id: string) =>
    (await app.ada.get(`/objects/${type}/records/${id}`)).body.data?.fields;
  const page = await app.as('ada');
  const row = (name: string) => page.locator('a[data-record]').getByText(name, { exact: true });
  await page.goto(`${app.address}/o/companies`);
  await page.getByRole('checkbox', { name: 'Select Halyard', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Select Halyard & Sons' }).click();
  await page.getByRole('button', { name: 'Merge…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Merge 2 records' });
  await dialog.getByText('References that go over: 1 Contact.').waitFor();
  await dialog.getByText(/merge undone, for 30 days/).waitFor();
  const group = (name: string) => dialog.getByRole('radiogroup', { name, exact: true });
  // An empty value gives way to that of the other record; the name is chosen by the person.
  expect(
    await group('Record that stays')
      .getByText(/^Created /)
      .count(),
  ).toBe(2);
  await group('tier').getByRole('radio', { name: 'Gold', checked: true }).waitFor();
  await group('Name').getByText('Halyard & Sons').last().click();
  expect(await dialog.getByRole('radiogroup').count()).toBe(5);
  // The parent of the other is the record itself: refused before anything is written.
  await group('Parent')
    .getByRole('radio', { name: /^Halyard & Sons: / })
    .check();
  await dialog
    .getByRole('alert')
    .getByText(/^Parent: /)
    .waitFor();
  expect(await dialog.getByRole('button', { name: 'Merge' }).isDisabled()).toBe(true);
  await group('Parent').getByText('Empty').click();
  expect(await axeFindings(page, 'both')).toEqual([]);
  await dialog.getByRole('button', { name: 'Merge' }).click();
  await page.getByText('One record was merged into “Halyard & Sons”.').waitFor();
  await row('Halyard').waitFor({ state: 'detached' });
  expect(await fieldsOf('companies', stays)).toMatchObject({
    ...{ name: 'Halyard & Sons', tier: 'gold', founded: '1999-01-31' },
  });
  expect(await fieldsOf('contacts', contact)).toMatchObject({ company_id: stays });
  await page.keyboard.press('Control+z');
  await page.getByText('Undone: One record was merged into “Halyard & Sons”.').waitFor();
  await row('Halyard').waitFor();
  await row('Halyard & Sons').waitFor();
  expect(await fieldsOf('companies', stays)).toMatchObject({ name: 'Halyard', tier: null });
  expect(await fieldsOf('contacts', contact)).toMatchObject({ company_id: goes });
  // A merge of somebody else is not undone in place of one's own.
  await page.keyboard.press('Control+Shift+z');
  await row('Halyard').waitFor({ state: 'detached' });
  const later = await app.make('companies', { name: 'Later' });
  expect((await merge(app.ada, 'companies', [stays, later])).status).toBe(200);
  await page.keyboard.press('Control+z');
  await page.getByText(/The last merge into this record is another one/).waitFor();
  expect(await fieldsOf('companies', later)).toBeUndefined();
});

test('a record is merged with another one from its page, and the page is that of the one that stays', async () => {
  const stays = await app.make('companies', { name: 'Quay Works' });
  const goes = await app.make('companies', { name: 'Quay Wroks' });
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/companies/${goes}`);
  await page.getByRole('main').getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Merge with…' }).click();
  const search = page.getByRole('dialog', { name: 'Merge “Quay Wroks” with' });
  await search.getByRole('combobox', { name: 'Search for the other record' }).fill('quay');
  await page.getByRole('option', { name: 'Quay Works' }).click();
  const dialog = page.getByRole('dialog', { name: 'Merge 2 records' });
  await dialog.getByText('Quay Works', { exact: true }).first().click();
  await dialog.getByRole('button', { name: 'Merge' }).click();
  await page.getByText('One record was merged into “Quay Works”.').waitFor();
  await page.getByRole('heading', { name: 'Quay Works', level: 1 }).waitFor();
  expect(page.url()).toContain(stays);
});

test('records with the same name or e-mail address are shown while one is made', async () => {
  await app.make('contacts', { name: 'Ada Mole', email: 'mole@quay.example' });
  await app.make('contacts', { name: 'Ada Moleman' });
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/contacts`);
  await page.getByRole('main').getByRole('button', { name: 'New Contact' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New Contact' });
  const found = dialog.getByRole('link', { name: 'Ada Mole · mole@quay.example' });
  // A request that is not answered yet ends with the next key.
  const isEarly = (request: Request) => request.postData()?.includes('"ada mo"') === true;
  await page.route('**/query', (route) =>
    isEarly(route.request()) ? undefined : route.continue(),
  );
  const [sent, ended] = [page.waitForRequest(isEarly), page.waitForEvent('requestfailed', isEarly)];
  await dialog.getByLabel('Name').fill('ada mo');
  await sent;
  await dialog.getByLabel('Name').fill('ada mole');
  await Promise.all([ended, found.waitFor()]);
  expect(await dialog.getByRole('status').getByRole('link').count()).toBe(1);
  await page.unrouteAll();
  await dialog.getByLabel('Name').fill('Somebody else');
  await found.waitFor({ state: 'detached' });
  await dialog.getByLabel('E-mail').fill('Mole@quay.example');
  await dialog.getByRole('link', { name: 'Ada Mole' }).waitFor();
  expect(await axeFindings(page, 'both')).toEqual([]);
});

test('duplicates are found by a job, and each group is merged from its page', async () => {
  for (const name of ['Twin Ltd', 'TWIN', 'Single']) await app.make('companies', { name });
  const { db, listeners } = app.world.database;
  const kinds = [findingDuplicates(db)];
  const jobs = await startJobs({ db, listeners, kinds, onError: console.error });
  onTestFinished(() => jobs.stop());
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/companies`);
  await page.getByRole('button', { name: 'Import and export' }).click();
  await page.getByRole('menuitem', { name: 'Find duplicates' }).click();
  const group = page
    .getByRole('listitem')
    .filter({ hasText: 'Equal: Name' })
    .filter({ hasText: 'TWIN' });
  await group.getByRole('link', { name: 'Twin Ltd' }).waitFor();
  expect(await page.getByText('Single').count()).toBe(0);
  expect(await axeFindings(page, 'both')).toEqual([]);
  await group.getByRole('button', { name: /^Merge/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).click();
  await page.getByText(/^One record was merged into/).waitFor();
  await group.waitFor({ state: 'detached' });
});
