// Many rows at once: chosen, changed, moved, deleted; copied and pasted; all of it undone.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';
import { longTest } from '../long.ts';

let app: BrowserWorld;

beforeAll(async () => {
  app = await openBrowserWorld();
});
afterAll(() => app?.close());

async function makeDeals(prefix: string, count: number): Promise<readonly string[]> {
  const all = Array.from({ length: count }, (_, index) => ({
    name: `${prefix} ${String(index).padStart(3, '0')}`,
    amount: index,
    owner_user_id: app.world.users.rob,
  }));
  return app.makeAll('deals', all);
}

async function openList(page: Page, prefix: string, fields: string): Promise<void> {
  await page.goto(`${app.address}/o/deals?q=${prefix}&sort=name&fields=${fields}`);
  await page.getByRole('link', { name: `${prefix} 000` }).waitFor();
}

const named = (prefix: string) =>
  app.world.rows('select * from deals where name like $1 order by name', [`${prefix}%`]);

const press = async (page: Page, ...keys: readonly string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};

/** A text that a person has copied elsewhere. */
async function clip(page: Page, text: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
}

const clipped = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

test('rows are chosen by keys and pointer; a field of all of them is changed, and undone', async () => {
  await makeDeals('Many', 6);
  const page = await app.as('ada');
  await openList(page, 'Many', 'status,amount');
  await page.getByRole('link', { name: 'Many 000' }).focus();
  await press(page, 'Shift+Space');
  await page.getByText('One row selected').waitFor();
  await page.getByRole('checkbox', { name: 'Select Many 003' }).click({ modifiers: ['Shift'] });
  await page.getByText('4 rows selected').waitFor();
  await page.getByRole('button', { name: 'Change a field' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change a field of 4 records' });
  await dialog.getByLabel('Field').selectOption('amount');
  await dialog.getByRole('textbox', { name: 'Value' }).fill('77');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Amount of 4 records was changed.').waitFor();
  const amounts = async () => (await named('Many')).map(({ amount }) => Number(amount));
  expect(await amounts()).toEqual([77, 77, 77, 77, 4, 5]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(amounts).toEqual([0, 1, 2, 3, 4, 5]);
  await page.getByRole('button', { name: 'Redo' }).click();
  await page.getByText('Redone: Amount of 4 records was changed.').waitFor();
  expect(await amounts()).toEqual([77, 77, 77, 77, 4, 5]);
  await press(page, 'Control+z');
  await expect.poll(amounts).toEqual([0, 1, 2, 3, 4, 5]);
  await press(page, 'Control+Shift+z');
  await expect.poll(amounts).toEqual([77, 77, 77, 77, 4, 5]);
  await press(page, 'Control+z');
  const redo = page.getByRole('button', { name: 'Redo' });
  await redo.waitFor();
  await page.getByRole('grid').locator('[tabindex="0"]').focus();
  await press(page, 'Control+Home', 'ArrowDown', 'End');
  await page.keyboard.type('5');
  await page.locator('[data-editor] :focus').waitFor();
  await press(page, 'Enter');
  // After another change nothing can be redone.
  await expect.poll(() => redo.count()).toBe(0);
  await expect.poll(amounts).toEqual([5, 1, 2, 3, 4, 5]);
});

longTest(
  'records that were changed meanwhile are told by name, the others are changed',
  async () => {
    const ids = await makeDeals('Stale', 3);
    const page = await app.as('ada');
    // Without the stream the list does not hear of it.
    await page.route(/\/events\/stream/, (route) => route.abort());
    await openList(page, 'Stale', 'amount');
    await page.getByRole('link', { name: 'Stale 000' }).focus();
    await press(page, 'Control+a');
    await page.getByText('3 rows selected').waitFor();
    const mia = await app.world.as('ada');
    await mia.patch(`/objects/deals/records/${ids[1]}`, { fields: { amount: 40 } });
    await page.getByRole('button', { name: 'Change a field' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Field').selectOption('amount');
    await dialog.getByRole('textbox', { name: 'Value' }).fill('9');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('One change failed. Changes made: 2.').waitFor();
    await dialog.getByText(/^Stale 001:/).waitFor();
    expect((await named('Stale')).map(({ amount }) => Number(amount))).toEqual([9, 40, 9]);
  },
);

longTest(
  'statuses are moved where the workflow lets them, and moved back where it has a way',
  async () => {
    await makeDeals('Move', 3);
    const page = await app.as('ada');
    await openList(page, 'Move', 'status');
    await page.getByRole('link', { name: 'Move 000' }).focus();
    await press(page, 'Control+a');
    await page
      .getByRole('region', { name: 'Actions for the selected rows' })
      .getByRole('button', { name: 'Status' })
      .click();
    await page.getByRole('menuitem', { name: 'Lost' }).click();
    await page.getByText('3 records were moved to Lost.').waitFor();
    await press(page, 'Escape');
    expect((await named('Move')).map(({ status }) => status)).toEqual(['lost', 'lost', 'lost']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect
      .poll(async () => (await named('Move')).map(({ status }) => status))
      .toEqual(['open', 'open', 'open']);
  },
);

test('cells are copied as they are shown and pasted over others', async () => {
  await makeDeals('Copy', 4);
  const page = await app.as('ada');
  await openList(page, 'Copy', 'amount,owner_user_id,tags');
  await clip(page, 'nothing yet');
  await page.getByRole('link', { name: 'Copy 000' }).focus();
  await press(page, 'ArrowRight', 'Shift+ArrowRight', 'Shift+ArrowDown');
  await press(page, 'Control+c');
  await expect.poll(() => clipped(page)).toBe('0\tRob\n1\tRob');
  await clip(page, '50\tmia@acme.example\tnew, hot\n51\tAda\thot');
  await press(page, 'ArrowDown', 'ArrowLeft', 'Control+v');
  await page.getByText('2 rows were changed.').waitFor();
  const { users } = app.world;
  const now = async () =>
    (await named('Copy')).map(({ amount, owner_user_id, tags }) => [
      ...[Number(amount), Number(owner_user_id), tags],
    ]);
  expect((await now()).slice(2)).toEqual([
    [50, users.mia, ['new', 'hot']],
    [51, users.ada, ['hot']],
  ]);
  await press(page, 'Control+z');
  await expect.poll(now).toEqual([0, 1, 2, 3].map((amount) => [amount, users.rob, null]));
  // Problems are shown before anything is written.
  await clip(page, 'much\tNobody\n5\tAda');
  await press(page, 'Control+v');
  const dialog = page.getByRole('dialog', { name: 'Paste 2 rows' });
  await dialog.getByText('Row 1: Amount “much” Enter a number such as 1,234.5.').waitFor();
  await dialog.getByText(/Row 1: .*“Nobody” is not a person in this workspace\./).waitFor();
  expect(await dialog.getByRole('button', { name: 'Paste' }).count()).toBe(0);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  // Emptied by a key.
  await press(page, 'Delete');
  await expect.poll(async () => (await named('Copy'))[2]?.amount).toBeNull();
});

longTest(
  '500 rows are pasted: 20 change, 480 are new, and one key takes all of it back',
  async () => {
    await makeDeals('Paste', 20);
    const page = await app.as('ada');
    await openList(page, 'Paste', 'amount,code');
    const lines = Array.from({ length: 500 }, (_, at) => `Paste ${1000 + at}\t${at}\tP-${at}`);
    await clip(page, lines.join('\n'));
    await page.getByRole('link', { name: 'Paste 000' }).focus();
    await press(page, 'Control+v');
    const dialog = page.getByRole('dialog', { name: 'Paste 500 rows' });
    await dialog.getByText('Rows to change: 20. New records: 480.').waitFor();
    await dialog.getByRole('button', { name: 'Paste 500 rows' }).click();
    await page.getByText('500 rows were changed.').waitFor();
    const rows = await named('Paste');
    expect(rows).toHaveLength(500);
    expect(rows[499]).toMatchObject({ name: 'Paste 1499', code: 'P-499' });
    await page.getByRole('link', { name: 'Paste 1000' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone: 500 rows were changed.').waitFor();
    const left = await named('Paste');
    expect(left.map(({ name }) => name)).toEqual(
      Array.from({ length: 20 }, (_, at) => `Paste ${String(at).padStart(3, '0')}`),
    );
    await page.getByRole('button', { name: 'Redo' }).click();
    await page.getByText('Redone: 500 rows were changed.').waitFor();
    expect(await named('Paste')).toHaveLength(500);
    // The records that were made again are others.
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expect.poll(async () => (await named('Paste')).length).toBe(20);
  },
);

longTest('what the service refuses of a paste is told by row', async () => {
  await makeDeals('Refuse', 2);
  const page = await app.as('ada');
  await openList(page, 'Refuse', 'amount,code');
  await clip(page, 'Refuse 000\t-1\tR-1\nRefuse 001\t2\tR-2\nRefuse 002\t3\tR-3');
  await page.getByRole('link', { name: 'Refuse 000' }).focus();
  await press(page, 'Control+v');
  const dialog = page.getByRole('dialog', { name: 'Paste 3 rows' });
  await dialog.getByRole('button', { name: 'Paste 3 rows' }).click();
  await dialog.getByText('One change failed. Changes made: 2.').waitFor();
  await dialog.getByText(/Row 1: Refuse 000: amount: /i).waitFor();
  const codes = (await named('Refuse')).map(({ code }) => code);
  expect(codes).toEqual([null, 'R-2', 'R-3']);
});

longTest('by keys alone: made by a paste, edited, deleted after a question', async () => {
  await makeDeals('Keyed', 1);
  const page = await app.as('ada');
  await openList(page, 'Keyed', 'amount');
  await clip(page, 'Keyed 001\t1\nKeyed new\t2');
  await page.getByRole('link', { name: 'Keyed 000' }).focus();
  await press(page, 'Control+v');
  await page.getByRole('dialog', { name: 'Paste 2 rows' }).waitFor();
  await page.locator('[role=dialog] button[data-autofocus]:focus').waitFor();
  await press(page, 'Enter');
  await page.getByRole('link', { name: 'Keyed new' }).waitFor();
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  await page.getByRole('grid').locator('[tabindex="0"]').focus();
  await press(page, 'Control+Home', 'ArrowDown', 'ArrowRight', 'ArrowRight');
  await page.keyboard.type('33');
  await press(page, 'Enter');
  await expect.poll(async () => Number((await named('Keyed'))[1]?.amount)).toBe(33);
  await press(page, 'Shift+Space');
  await page.getByText('One row selected').waitFor();
  const remove = page.getByRole('button', { name: 'Delete…' });
  // The bar comes before the grid.
  for (
    let turn = 0;
    turn < 5 && !(await remove.evaluate((one) => one === document.activeElement));
    turn += 1
  )
    await press(page, 'Shift+Tab');
  await press(page, 'Enter');
  await page.getByRole('dialog', { name: 'Delete one record?' }).waitFor();
  await page.locator('[role=dialog] button[data-autofocus]:focus').waitFor();
  await press(page, 'Tab', 'Enter');
  await page.getByText('One record was deleted.').waitFor();
  const left = (await named('Keyed')).map(({ name }) => name);
  expect(left).toEqual(['Keyed 000', 'Keyed 001']);
  expect(await page.getByRole('link', { name: 'Keyed new' }).count()).toBe(0);
});

test('people who may not change or delete are offered neither', async () => {
  const page = await app.as('bea');
  await app.make('companies', { name: 'Plain', tier: 'gold' });
  await page.goto(`${app.address}/o/companies?fields=tier`);
  await page.getByRole('gridcell', { name: 'Gold' }).waitFor();
  expect(await page.getByRole('checkbox').count()).toBe(0);
  await page.getByRole('gridcell', { name: 'Gold' }).click();
  await press(page, 'Shift+Space', 'Delete');
  expect(await page.getByRole('button', { name: 'Change a field' }).count()).toBe(0);
});
