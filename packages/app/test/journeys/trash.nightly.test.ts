// Deleted by mistake: undone at once with comments and links, or found among the deleted records and restored; and what
// is deleted for good.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { changingMany } from '../../../../src/flow/jobs/bulk-job.ts';
import { startJobs } from '../../../../src/flow/jobs/job-runner.ts';
import { ACME } from '../../../../test/world.ts';
import { axeFindings } from '../axe.ts';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';
import { longTest } from '../long.ts';

let app: BrowserWorld;

const trash = { keep: '30d' };
const { deals } = ACME.objects;

beforeAll(async () => {
  app = await openBrowserWorld();
  await app.world.apply({
    ...ACME,
    objects: { ...ACME.objects, deals: { ...deals, trash } },
  });
});
afterAll(() => app?.close());

async function dealWithParts(name: string): Promise<string> {
  const id = await app.make('deals', { name, amount: 5 });
  const contact = await app.make('contacts', { name: `Contact of ${name}` });
  const path = `/objects/deals/records/${id}`;
  await app.ada.post(`${path}/comments`, { body: `Said of ${name}` });
  await app.ada.post(`${path}/relationships/assoc.contacts_deals`, { target_id: contact });
  return id;
}

test('a delete is undone from its note, with comments and links', async () => {
  const id = await dealWithParts('Rash');
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/deals/${id}`);
  await page.getByRole('heading', { name: 'Rash', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('It can be restored for 30 days, with its comments and links.').waitFor();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('“Rash” was deleted.').waitFor();
  expect((await app.ada.get(`/objects/deals/records/${id}`)).status).toBe(404);
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  await page.keyboard.press('Control+z');
  await page.getByText('Undone: “Rash” was deleted.').waitFor();
  await page.getByRole('button', { name: 'Undo', exact: true }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Rash' }).click();
  await page.getByText('Said of Rash').waitFor();
  await page.getByText('Contact of Rash').waitFor();
});

test('deleted records are found, restored, and deleted for good', async () => {
  const kept = await dealWithParts('Mislaid');
  const lost = await app.make('deals', { name: 'Done with' });
  for (const id of [kept, lost]) await app.ada.delete(`/objects/deals/records/${id}`);
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/deals`);
  await page.getByRole('link', { name: 'Deleted records' }).click();
  await page.getByRole('heading', { name: 'Deleted: Deals', level: 1 }).waitFor();
  // The palette finds them from every page.
  await page.goto(app.address);
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search and commands' }).fill('trash');
  await page.getByRole('option', { name: 'Deleted: Deals' }).click();
  await page.getByRole('heading', { name: 'Deleted: Deals', level: 1 }).waitFor();
  const table = page.getByRole('table', { name: 'Deleted records' });
  await table.getByRole('row', { name: /Mislaid.*Ada/ }).waitFor();
  expect(await axeFindings(page, 'both')).toEqual([]);
  const search = page.getByRole('searchbox', { name: 'Search deleted records' });
  await search.pressSequentially('do');
  await page.waitForURL(/q=do$/);
  // The search leaves the focus in the field.
  await page.keyboard.type('ne');
  await page.waitForURL(/q=done/);
  await table.getByRole('row', { name: /Mislaid/ }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Delete for good: Done with' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete for good' }).click();
  await page.getByText('“Done with” was deleted for good.').waitFor();
  await page.getByText('No matching deleted records').waitFor();
  await page.getByRole('button', { name: 'Show all' }).click();
  await page.getByRole('button', { name: 'Restore Mislaid' }).click();
  await page.getByRole('heading', { name: 'Mislaid', level: 1 }).waitFor();
  await page.getByText('“Mislaid” was restored.').waitFor();
  await page.getByText('Said of Mislaid').waitFor();
  await page.getByText('Contact of Mislaid').waitFor();
  await page.keyboard.press('Control+z');
  await page.getByText('Undone: “Mislaid” was restored.').waitFor();
  expect(await app.world.rows('select id from deals where id = $1', [kept])).toEqual([]);
});

longTest('all that match are deleted, and come back by the note', async () => {
  const names = Array.from({ length: 120 }, (_, at) => `Swept ${String(at).padStart(3, '0')}`);
  await app.makeAll(
    'deals',
    names.map((name) => ({ name })),
  );
  const { db, listeners } = app.world.database;
  const jobs = await startJobs({
    db,
    listeners,
    kinds: [changingMany(db)],
    onError: console.error,
  });
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/deals?q=Swept&sort=name`);
  await page.getByRole('link', { name: 'Swept 000' }).focus();
  await page.keyboard.press('Control+a');
  await page.getByRole('button', { name: 'Select all 120 that match' }).click();
  await page.getByRole('button', { name: 'Delete…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete 120 records?' });
  await dialog.getByText('They can be restored for 30 days').waitFor();
  await dialog.getByRole('textbox').fill('120');
  await dialog.getByRole('button', { name: 'Delete 120 records' }).click();
  await page.getByText('120 records were deleted.').waitFor();
  const left = `select id from deals where name like 'Swept %'`;
  expect(await app.world.rows(left)).toHaveLength(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(async () => (await app.world.rows(left)).length, { timeout: 60_000 }).toBe(120);
  await jobs.stop();
});

test('people who may not delete are not led there', async () => {
  const page = await app.as('rob');
  await page.goto(`${app.address}/o/deals`);
  await page.getByRole('button', { name: 'Import and export' }).waitFor();
  expect(await page.getByRole('link', { name: 'Deleted records' }).count()).toBe(0);
});
