// Journey 21: deleted by mistake and brought back with comments and links, one earlier value restored, everything
// downloaded, and the record erased for good; only administrators are led there.

import { text as textFrom } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { erasing } from '../../../../src/flow/jobs/erasure-job.ts';
import { type JobRunner, startJobs } from '../../../../src/flow/jobs/job-runner.ts';
import { ACME } from '../../../../test/world.ts';
import { axeFindings } from '../axe.ts';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';

let app: BrowserWorld;
let jobs: JobRunner;

const { deals } = ACME.objects;
const KEPT = { ...deals, trash: { keep: '30d' }, history: { keep: '90d' } };

beforeAll(async () => {
  app = await openBrowserWorld();
  await app.world.apply({ ...ACME, objects: { ...ACME.objects, deals: KEPT } });
  const { db, listeners } = app.world.database;
  const kinds = [erasing(db, { pause: 0 })];
  jobs = await startJobs({ db, listeners, kinds, onError: console.error });
});
afterAll(async () => {
  await jobs?.stop();
  await app?.close();
});

async function dealWithParts(name: string): Promise<string> {
  const id = await app.make('deals', { name, amount: 5 });
  const contact = await app.make('contacts', { name: `Contact of ${name}` });
  const path = `/objects/deals/records/${id}`;
  await app.ada.post(`${path}/comments`, { body: `Said of ${name}` });
  await app.ada.post(`${path}/relationships/assoc.contacts_deals`, { target_id: contact });
  await app.ada.patch(path, { fields: { amount: 6 } });
  return id;
}

test('a record comes back, gets an earlier value again, and is erased', async () => {
  const id = await dealWithParts('Regretted');
  const page = await app.as('ada');
  const address = `${app.address}/o/deals/${id}`;
  const more = (item: string) => async () => {
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  await page.goto(address);
  await page.getByRole('heading', { name: 'Regretted', level: 1 }).waitFor();
  await more('Delete…')();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone: “Regretted” was deleted.').waitFor();
  await page.getByRole('link', { name: 'Regretted' }).click();
  await page.getByText('Said of Regretted').waitFor();
  await page.getByText('Contact of Regretted').waitFor();

  await page.getByRole('tab', { name: 'History' }).click();
  await page.getByRole('button', { name: 'Restore the earlier value of amount' }).first().click();
  await expect
    .poll(async () => (await app.ada.get(`/objects/deals/records/${id}`)).body.data.fields.amount)
    .toBe(5);

  const saving = page.waitForEvent('download');
  await more('Download everything about it')();
  const file = await saving;
  expect(file.suggestedFilename()).toBe('Regretted.json');
  const bundle = JSON.parse(await textFrom(await file.createReadStream()));
  expect(bundle).toMatchObject({ complete: true, record: { id } });
  expect(bundle.comments.data[0].body).toBe('Said of Regretted');

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('erase');
  await page.getByRole('option', { name: 'Erase without a trace…' }).click();
  const dialog = page.getByRole('dialog');
  for (const text of ['1 record', '1 comment', '1 link']) {
    await dialog.getByText(text, { exact: true }).waitFor();
  }
  expect(await axeFindings(page, 'both')).toEqual([]);
  const submit = dialog.getByRole('button', { name: 'Erase without a trace' });
  expect(await submit.isDisabled()).toBe(true);
  await dialog.getByRole('textbox').fill('Regretted');
  await submit.click();
  await page.getByRole('heading', { name: 'Erasure', level: 1 }).waitFor();
  await page.getByText('Backups and archived logs of the database are not changed.').waitFor();
  await page.getByText('1 comment', { exact: true }).waitFor();
  expect((await app.ada.get(`/objects/deals/records/${id}`)).status).toBe(404);
  expect((await app.ada.post(`/objects/deals/deleted/${id}/restore`, undefined)).status).toBe(404);
  await page.goto(address);
  await page.getByRole('heading', { name: 'Regretted', level: 1 }).waitFor({ state: 'detached' });
});

test('a deleted record is erased from the list of deleted ones', async () => {
  const id = await dealWithParts('Withdrawn');
  await app.ada.delete(`/objects/deals/records/${id}`);
  const page = await app.as('ada');
  const other = await app.make('deals', { name: 'Other' });
  await page.goto(`${app.address}/o/deals/${other}`);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Erase without a trace…' }).waitFor();
  await page.goto(`${app.address}/o/deals/deleted`);
  await page.getByRole('button', { name: 'Erase without a trace: Withdrawn' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('1 deleted record', { exact: true }).waitFor();
  await dialog.getByRole('textbox').fill('Withdrawn');
  await dialog.getByRole('button', { name: 'Erase without a trace' }).click();
  await page.getByRole('heading', { name: 'Erasure', level: 1 }).waitFor();
  await page.getByText('1 deleted record', { exact: true }).waitFor();
  await page.goto(`${app.address}/o/deals/deleted`);
  await page.getByText('No deleted records').waitFor();
});

test('people who are no administrators download what they may read, and erase nothing', async () => {
  const id = await dealWithParts('Not theirs');
  await app.ada.patch(`/objects/deals/records/${id}`, {
    fields: { owner_user_id: app.world.users.rob, secret: 'hidden' },
  });
  const page = await app.as('rob');
  await page.goto(`${app.address}/o/deals/${id}`);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  const download = page.getByRole('menuitem', { name: 'Download everything about it' });
  await download.waitFor();
  expect(await page.getByRole('menuitem', { name: 'Erase without a trace…' }).count()).toBe(0);
  const saving = page.waitForEvent('download');
  await download.click();
  const text = await textFrom(await (await saving).createReadStream());
  expect(JSON.parse(text).record.id).toBe(id);
  expect(text).not.toContain('hidden');
});
