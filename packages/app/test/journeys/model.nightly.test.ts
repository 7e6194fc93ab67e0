// The data model: changes are collected, their plan is reviewed, a stale plan is refused and made again, losses are typed
// by name; a file out and in again; back to an earlier revision. Only administrators are offered it.

import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { axeFindings } from '../axe.ts';
import { type BrowserWorld, openBrowserWorld, visit } from '../browser-world.ts';

let app: BrowserWorld;

beforeAll(async () => {
  app = await openBrowserWorld();
  await app.make('deals', { name: 'Rope', code: 'R-1', amount: 5 });
  await app.make('companies', { name: 'Harbour Supplies', custom_fields: { note: 'about nine' } });
});
afterAll(() => app?.close());

/** Somebody else changes the definition over the interface. */
async function applyElsewhere(patch: unknown): Promise<number> {
  const { body } = await app.ada.post('/definition/plan', { merge: true, patch });
  const { plan_id, revision, changes } = body.data;
  const allow = changes.flatMap((one: { allow: string | null }) => one.allow ?? []);
  const tag = { 'if-match': `"${revision}"` };
  const given = { merge: true, patch, plan_id, allow };
  const { status, body: applied } = await app.ada.post('/definition/apply', given, tag);
  expect(status).toBe(200);
  return applied.data.revision;
}

async function documentNow() {
  const { body } = await app.ada.get('/definition');
  return body.data.document;
}

/** Without the stream, so that the page learns of a change when it applies its own. */
const withoutStream = (page: Page) => page.route('**/v1/events**', (route) => route.abort());

const bar = (page: Page) => page.getByRole('region', { name: 'Collected changes' });

async function removeField(page: Page, name: string) {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Remove field' }).click();
}

test('changes are collected, planned, refused when stale, and applied with their losses typed', async () => {
  const page = await app.as('ada');
  await withoutStream(page);
  await page.goto(`${app.address}/settings/model`);
  await page.getByRole('link', { name: 'Deals' }).last().click();
  await page.getByRole('button', { name: 'New field' }).click();
  await page.getByRole('button', { name: /^Select / }).click();
  await page.getByLabel('Name', { exact: true }).fill('Stage');
  for (const option of ['Cold', 'Warm']) {
    await page.getByLabel('New option').fill(option);
    await page.keyboard.press('Enter');
  }
  await page.getByRole('button', { name: 'Color of Warm: Orange' }).click();
  await page.getByRole('button', { name: 'Red', exact: true }).click();
  expect(await axeFindings(page, 'both')).toEqual([]);
  await page.getByRole('button', { name: 'Add field' }).click();
  await removeField(page, 'code');
  await bar(page).getByText('2 changes').waitFor();
  expect(await axeFindings(page, 'both')).toEqual([]);

  await page.reload();
  await bar(page).getByRole('link', { name: 'Review' }).click();
  await page.getByText('Field “Stage” of Deals').waitFor();
  await page.getByText('One record loses its value.').waitFor();
  const applying = page.getByRole('button', { name: 'Apply' });
  expect(await applying.isDisabled()).toBe(true);
  await page.getByText('Removed: Field “code” of Deals').waitFor();
  await page.getByLabel('Type deals.code').fill('deals.code');
  expect(await axeFindings(page, 'both')).toEqual([]);

  await applyElsewhere({
    objects: { deals: { fields: { elsewhere: { name: 'Elsewhere', type: 'text' } } } },
  });
  await applying.click();
  await page.getByText('This is the new plan.').waitFor();
  expect(await page.getByText('Changed by someone else').count()).toBe(0);
  expect(await applying.isDisabled()).toBe(true);
  await page.getByLabel('Type deals.code').fill('deals.code');
  await applying.click();
  await page.getByText('2 changes were applied.').waitFor();
  await page.waitForURL(/settings\/model$/);
  await page.getByRole('heading', { name: 'Objects' }).waitFor();
  expect(await bar(page).count()).toBe(0);

  const { fields } = (await documentNow()).objects.deals;
  expect(fields.code).toBeUndefined();
  expect(fields.elsewhere).toEqual({ name: 'Elsewhere', type: 'text' });
  expect(fields.stage).toEqual({
    ...{ name: 'Stage', type: 'select' },
    options: [
      { value: 'cold', label: 'Cold' },
      { value: 'warm', label: 'Warm', color: 'red' },
    ],
  });
});

test('the same changed by somebody else is asked', async () => {
  const page = await app.as('ada');
  await page.goto(`${app.address}/settings/model/deals?field=closes_on`);
  await page.getByText('For new records. Existing records keep their values.').waitFor();
  await page.getByLabel('Name', { exact: true }).fill('Closing');
  await page.getByRole('button', { name: 'Done' }).click();
  await bar(page).getByText('One change').waitFor();
  await applyElsewhere({ objects: { deals: { fields: { closes_on: { name: 'Close date' } } } } });
  await bar(page).getByRole('link', { name: 'Review' }).click();
  await page.getByText('Changed by someone else').waitFor();
  await page.getByText('Close date').first().waitFor();
  expect(await page.getByRole('button', { name: 'Apply' }).isDisabled()).toBe(true);
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await page.getByText('Changed by someone else').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByText(/applied\./).waitFor();
  expect((await documentNow()).objects.deals.fields.closes_on.name).toBe('Closing');
});

test('values that do not fit are listed with their records; a change and all of them can be dropped', async () => {
  const page = await app.as('ada');
  await page.goto(`${app.address}/settings/model/companies?field=note`);
  await page.getByLabel('Type', { exact: true }).selectOption({ label: 'Whole number' });
  await page.getByRole('dialog').getByRole('link', { name: 'about nine' }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Done' }).click();
  await removeField(page, 'founded');
  await bar(page).getByRole('link', { name: 'Review' }).click();
  await page.getByRole('link', { name: 'about nine' }).waitFor();
  expect(await page.getByRole('button', { name: 'Apply' }).isDisabled()).toBe(true);
  expect(await axeFindings(page)).toEqual([]);
  await page.getByText(/^A plain whole number fits/).waitFor();
  await page.getByText(/^An import reads more forms/).waitFor();
  await page.getByRole('link', { name: /^Show these records/ }).click();
  await page.getByRole('link', { name: 'Harbour Supplies' }).waitFor();
  await page.goBack();
  await page.getByRole('button', { name: /^Discard the change: Field “note”/ }).click();
  await page.getByRole('link', { name: 'about nine' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Discard all' }).click();
  await page.getByText('No changes to review').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Field “founded” of Companies', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Discard all' }).click();
});

test('a file is what a terminal takes, and changes what it says', async () => {
  const page = await app.as('ada');
  await page.goto(`${app.address}/settings/model`);
  await page.getByRole('button', { name: 'More' }).click();
  const saving = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Export as a file (YAML)' }).click();
  const file = join(tmpdir(), `definition-${process.pid}.yaml`);
  await (await saving).saveAs(file);
  const { body } = await app.ada.get('/definition?form=patch');
  const { revision, patch } = body.data;
  const text = readFileSync(file, 'utf8');
  // The command prints it so (src/cli/definition-command.ts).
  expect(text).toBe(`# acme, revision ${revision}\n${stringify(patch)}`);

  writeFileSync(file, text.replace('name: Boats', 'name: Ships'));
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Import a file (YAML)…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('File').setInputFiles(file);
  expect(await axeFindings(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Review changes' }).click();
  await page.getByText('One change').waitFor();
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByText(/applied\./).waitFor();
  expect((await documentNow()).objects.boats.name).toBe('Ships');
});

test('an earlier revision is gone back to by a plan', async () => {
  const page = await app.as('ada');
  const revision = await applyElsewhere({ objects: { boats: { singular_name: 'Ship' } } });
  await page.goto(`${app.address}/settings/plans`);
  await page.getByText(`Revision ${revision}`, { exact: true }).waitFor();
  expect(await axeFindings(page, 'both')).toEqual([]);
  await page.getByRole('button', { name: `Go back to revision ${revision - 1}` }).click();
  await page.getByText('Object “Ships”', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByText(/applied\./).waitFor();
  expect((await documentNow()).objects.boats.singular_name).toBe('Boat');
});

test('a long change is a job, and what it has made is no draft any longer', async () => {
  const page = await app.as('ada');
  await page.route('**/v1/definition/apply', async (route) => {
    const body = { ...route.request().postDataJSON(), background: true };
    await route.continue({ postData: JSON.stringify(body) });
  });
  await page.goto(`${app.address}/settings/model/boats?field=name`);
  await page.getByLabel('Name', { exact: true }).fill('Title');
  await page.getByRole('button', { name: 'Done' }).click();
  await bar(page).getByRole('link', { name: 'Review' }).click();
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByText('Waiting to begin.').waitFor();
  expect(await axeFindings(page)).toEqual([]);
});

test('by keyboard, on a telephone: a new object with a field that moves', async () => {
  const page = await app.as('ada', { width: 390 });
  await page.goto(`${app.address}/settings/model?new=object`);
  const dialog = page.getByRole('dialog', { name: 'New object' });
  await dialog.getByLabel('Plural name').waitFor();
  await page.keyboard.type('Berths');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Berth');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Berths', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'New field' }).press('Enter');
  await page.getByRole('button', { name: /^Text / }).press('Enter');
  await page.keyboard.type('Pier');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Pier', exact: true }).press('Alt+ArrowUp');
  const names = page.getByRole('list', { name: 'Fields' }).getByRole('listitem');
  await names.first().getByText('Pier').waitFor();
  expect(await axeFindings(page, 'both')).toEqual([]);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(390);
  await bar(page).getByRole('button', { name: 'Discard' }).click();
  await page.waitForURL(/settings\/model$/);
});

/** The lower edge of the note is above the upper edge of the bar. */
async function expectApart(page: Page) {
  const [note, low] = await Promise.all(
    [page.getByRole('alert'), bar(page)].map((one) => one.boundingBox()),
  );
  expect((note?.y ?? 0) + (note?.height ?? 0)).toBeLessThan(low?.y ?? 0);
}

async function addBerths(page: Page) {
  await page.getByRole('button', { name: 'New object', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'New object' });
  await dialog.getByLabel('Plural name').fill('Berths');
  await dialog.getByLabel('Singular name').fill('Berth');
  await dialog.getByRole('button', { name: 'Add object' }).click();
  await page.getByRole('heading', { name: 'Berths', level: 1 }).waitFor();
}

test('a new object keeps deleted records and refers to another; notes do not cover the bar', async () => {
  const page = await app.as('ada');
  await page.goto(`${app.address}/settings/model/berths`);
  await page.getByText('This object does not exist').waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Data model' }).last().click();
  await addBerths(page);
  await bar(page).getByRole('button', { name: 'Discard' }).click();
  await addBerths(page);
  await page.getByText('One change was discarded.').waitFor();
  await expectApart(page);
  await page.setViewportSize({ width: 390, height: 800 });
  await expectApart(page);
  await page.getByRole('button', { name: 'New relationship' }).click();
  await page.getByLabel('With', { exact: true }).selectOption({ label: 'Ships' });
  await page.getByLabel('Each Berth has one Boat, which has many Berths').check();
  expect(await axeFindings(page, 'both')).toEqual([]);
  await page.getByRole('button', { name: 'Add field' }).click();
  await bar(page).getByRole('link', { name: 'Review' }).click();
  await page.getByText('With 2 fields: Name (Text), Boat (Reference)').waitFor();
  await page.getByText('Deleted records are kept for 30 days.').waitFor();
  const access = page.getByRole('group', { name: 'Roles with access' });
  await access.getByRole('link', { name: 'Roles' }).waitFor();
  const nobody = access.getByText('Only administrators have access.');
  await nobody.waitFor();
  await access.getByRole('checkbox', { name: /^rep / }).check();
  await nobody.waitFor({ state: 'detached' });
  expect(await axeFindings(page, 'both')).toEqual([]);
  await page.getByRole('button', { name: 'Discard all' }).click();
});

test('names of the base are in the language of the page, as in the navigation', async () => {
  const page = await app.as('ada', { locale: 'de-DE' });
  await page.goto(`${app.address}/settings/model`);
  const main = page.getByRole('main');
  await main.getByRole('link', { name: 'Kontakte', exact: true }).click();
  await page.getByRole('heading', { name: 'Kontakte', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Telefon', exact: true }).waitFor();
  await page.getByRole('region', { name: 'Kontakte und die Objekte darum herum' }).waitFor();
  await visit(page, `${app.address}/settings/roles/rep`);
  await page.getByLabel('Zugriff: Kontakte').waitFor();
});

test('it is offered to administrators only', async () => {
  const page = await app.as('mia');
  await page.goto(`${app.address}/settings/profile`);
  await page.getByLabel('New password').waitFor();
  expect(await page.getByRole('link', { name: 'Data model' }).count()).toBe(0);
  // Each has another title than the one before it.
  for (const [path, name] of [
    ['model', 'Data model'],
    ['plans', 'Revisions'],
    ['model/deals', 'Data model'],
    ['plans/review', 'Review changes'],
    ['workflows/pipeline', 'Workflows'],
  ] as const) {
    await visit(page, `${app.address}/settings/${path}`);
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await page.getByText('Only administrators can open this page').waitFor();
  }
});

test('the default of a number is typed through its zeros', async () => {
  const page = await app.as('ada');
  await page.goto(`${app.address}/settings/model/deals?field=amount`);
  const field = page.getByLabel('Default value');
  await field.pressSequentially('1.05');
  expect(await field.inputValue()).toBe('1.05');
});
