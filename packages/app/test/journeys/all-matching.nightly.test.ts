// All records that match, beyond the loaded ones: counted, confirmed, changed by a job of the service, and reported.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changingMany } from '../../../../src/flow/jobs/bulk-job.ts';
import { type JobRunner, startJobs } from '../../../../src/flow/jobs/job-runner.ts';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';
import { longTest } from '../long.ts';

let app: BrowserWorld;
let jobs: JobRunner;

beforeAll(async () => {
  app = await openBrowserWorld();
  const { db, listeners } = app.world.database;
  jobs = await startJobs({ db, listeners, kinds: [changingMany(db)], onError: () => undefined });
});
afterAll(async () => {
  await jobs?.stop();
  await app?.close();
});

async function makeDeals(prefix: string, count: number): Promise<void> {
  const all = Array.from({ length: count }, (_, index) => ({
    name: `${prefix} ${String(index).padStart(3, '0')}`,
    amount: index,
    owner_user_id: index % 2 === 0 ? app.world.users.rob : app.world.users.sam,
  }));
  await app.makeAll('deals', all);
}

async function chooseAll(page: Page, prefix: string, count: number): Promise<void> {
  await page.goto(`${app.address}/o/deals?q=${prefix}&sort=name&fields=status,amount`);
  await page.getByRole('link', { name: `${prefix} 000` }).focus();
  await page.keyboard.press('Control+a');
  await page.getByRole('button', { name: `Select all ${count} that match` }).click();
  await page.getByText(`All ${count} matching records are selected`).waitFor();
}

const amounts = async (prefix: string) => {
  const text = 'select distinct amount from deals where name like $1';
  const rows = await app.world.rows(text, [`${prefix}%`]);
  return rows.map(({ amount }) => Number(amount));
};

test('a field of all that match is changed after the number was confirmed; then all are deleted', async () => {
  await makeDeals('Every', 130);
  const page = await app.as('ada');
  await chooseAll(page, 'Every', 130);
  await page.getByRole('button', { name: 'Change a field' }).click();
  const form = page.getByRole('dialog', { name: 'Change a field of all matching records' });
  await form.getByLabel('Field').selectOption('amount');
  await form.getByRole('textbox', { name: 'Value' }).fill('77');
  await form.getByRole('button', { name: 'Next' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change Amount of 130 records?' });
  await dialog.getByText('You cannot undo this.').waitFor();
  expect(await amounts('Every')).toHaveLength(130);
  await dialog.getByRole('button', { name: 'Change 130 records' }).click();
  await page.getByText('Amount of 130 records was changed.').waitFor();
  expect(await amounts('Every')).toEqual([77]);
  // A delete needs the number.
  await page.getByRole('button', { name: 'Delete…' }).click();
  const remove = page.getByRole('dialog', { name: 'Delete 130 records?' });
  const button = remove.getByRole('button', { name: 'Delete 130 records' });
  await remove.getByRole('textbox', { name: 'Type 130 to delete them' }).fill('13');
  expect(await button.isDisabled()).toBe(true);
  await remove.getByRole('textbox').fill('130');
  await button.click();
  await page.getByText('130 records were deleted.').waitFor();
  expect(await amounts('Every')).toEqual([]);
  await page.getByText('No matching records').waitFor();
});

longTest(
  'a status is set where the workflow has a way; a refused record is told by name',
  async () => {
    await makeDeals('Moved', 120);
    const page = await app.as('ada');
    await chooseAll(page, 'Moved', 120);
    await page
      .getByRole('region', { name: 'Actions for the selected rows' })
      .getByRole('button', { name: 'Status' })
      .click();
    await page.getByRole('menuitem', { name: 'Won (120)' }).click();
    const dialog = page.getByRole('dialog', { name: 'Move 120 records to Won?' });
    await dialog.getByText('The workflow allows no move back from Won.').waitFor();
    await dialog.getByRole('button', { name: 'Move 120 records' }).click();
    await page.getByText('120 records were moved to Won.').waitFor();
  },
);
