// The list as a grid: cells by keys, editing in place, concurrent changes of two people, and undo.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hold } from '../../../../test/until.ts';
import { axeFindings } from '../axe.ts';
import { type BrowserWorld, openBrowserWorld, visit } from '../browser-world.ts';
import { longTest } from '../long.ts';

let app: BrowserWorld;

beforeAll(async () => {
  app = await openBrowserWorld();
});
afterAll(() => app?.close());

/** Deals with names of their own, so that the tests do not meet in one list. */
async function makeDeals(prefix: string, count: number): Promise<readonly string[]> {
  const all = Array.from({ length: count }, (_, index) => ({
    name: `${prefix} ${String(index).padStart(3, '0')}`,
    amount: index,
    owner_user_id: app.world.users.rob,
  }));
  return app.makeAll('deals', all);
}

const FIELDS = 'fields=amount,closes_on,code,owner_user_id,tags,updated_at';

async function openList(page: Page, prefix: string, query = FIELDS): Promise<void> {
  await page.goto(`${app.address}/o/deals?q=${prefix}&sort=name&${query}`);
  await page.getByRole('link', { name: `${prefix} 000` }).waitFor();
}

const row = async (name: string) =>
  (await app.world.rows('select * from deals where name = $1', [name]))[0];

/** The cell that has the focus: its row and column, as the grid counts them. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const cell = document.activeElement?.closest('[role=gridcell], [role=columnheader]');
    const parent = cell?.closest('[role=row]');
    return `${parent?.getAttribute('aria-rowindex')} ${cell?.getAttribute('aria-colindex')}`;
  });

const press = async (page: Page, ...keys: readonly string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};

/** The editor may be on its way, which takes letters but not Enter. */
const typeInCell = async (page: Page, text: string) => {
  await page.keyboard.type(text);
  await page.locator('[data-editor] :focus').waitFor();
  await press(page, 'Enter');
};

test('keys go from cell to cell, also to rows that are not in the document, and Tab leaves', async () => {
  await makeDeals('Keys', 130);
  const page = await app.as('ada');
  await openList(page, 'Keys');
  const grid = page.getByRole('grid');
  expect(await grid.getAttribute('aria-rowcount')).toBe('-1');
  expect(await grid.getAttribute('aria-colcount')).toBe('8');
  await page.getByRole('link', { name: 'Keys 000' }).focus();
  expect(await focused(page)).toBe('2 2');
  await press(page, 'ArrowRight', 'ArrowDown', 'ArrowDown');
  expect(await focused(page)).toBe('4 3');
  await press(page, 'End');
  expect(await focused(page)).toBe('4 8');
  await press(page, 'Home', 'ArrowUp', 'ArrowUp', 'ArrowUp');
  expect(await focused(page)).toBe('1 1');
  await press(page, 'Control+Home');
  expect(await focused(page)).toBe('2 1');
  await press(page, 'Control+End');
  await expect.poll(() => focused(page)).toMatch(/^1\d\d 8$/);
  await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('131');
  await press(page, 'Control+End');
  await expect.poll(() => focused(page)).toBe('131 8');
  await press(page, 'Home', 'PageUp');
  const up = Number((await focused(page)).split(' ')[0]);
  expect(up).toBeLessThan(125);
  // Scrolled away by other means, the cell keeps the focus and the keys continue from it.
  await page.getByRole('region', { name: 'Deals' }).evaluate((element) => element.scrollTo(0, 0));
  await page.getByRole('link', { name: 'Keys 000' }).waitFor();
  expect(await focused(page)).toBe(`${up} 1`);
  await press(page, 'ArrowDown');
  expect(await focused(page)).toBe(`${up + 1} 1`);
  // From a cell that Enter would edit: on the line for a new record the keys are those of its button.
  await press(page, 'ArrowRight', 'ArrowRight', 'Escape', 'Tab');
  const isInGrid = () =>
    page.evaluate(() => document.activeElement?.closest('[role=grid]') !== null);
  await grid.getByRole('button', { name: 'New deal' }).and(page.locator(':focus')).waitFor();
  await press(page, 'Tab');
  expect(await isInGrid()).toBe(false);
  await press(page, 'Shift+Tab', 'Enter');
  await grid.getByRole('textbox', { name: 'Name' }).and(page.locator(':focus')).waitFor();
});

test('a click on a reference selects its cell, the next one opens the record; with Ctrl at once', async () => {
  const company_id = await app.make('companies', { name: 'Quay Works' });
  await app.make('boats', { name: 'Barge', company_id });
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/boats`);
  const reference = page.getByRole('gridcell').getByRole('link', { name: 'Quay Works' });
  const editor = page.getByRole('combobox', { name: /company/i });
  await reference.click();
  await expect.poll(() => focused(page)).toBe('2 3');
  await press(page, 'Enter');
  await editor.waitFor();
  await press(page, 'Escape');
  const opened = page.context().waitForEvent('page');
  await page.getByRole('gridcell').getByRole('checkbox').focus();
  await reference.click({ modifiers: ['ControlOrMeta'] });
  await (await opened).waitForURL(/\/o\/companies\//);
  // A double click edits, and does not follow the link by its second press.
  await page.getByRole('gridcell').getByRole('checkbox').focus();
  await reference.dblclick();
  await editor.waitFor();
  await press(page, 'Escape');
  expect(page.url()).toContain('/o/boats');
  await reference.click();
  await page.getByRole('heading', { name: 'Quay Works' }).waitFor();
});

test('typing, Enter and F2 edit; Enter goes down, Tab to the side, Escape discards', async () => {
  await makeDeals('Edit', 3);
  const page = await app.as('ada');
  await openList(page, 'Edit');
  await page.getByRole('link', { name: 'Edit 000' }).focus();
  await press(page, 'ArrowRight');
  await typeInCell(page, '12');
  expect(await focused(page)).toBe('3 3');
  await expect.poll(async () => Number((await row('Edit 000'))?.amount)).toBe(12);
  await press(page, 'Enter');
  const amount = page.getByRole('textbox', { name: 'Amount, Edit 001' });
  expect(await amount.inputValue()).toBe('1');
  await page.keyboard.type('x');
  await press(page, 'Enter');
  await page.getByText('Enter a number such as 1,234.5.').waitFor();
  await press(page, 'Escape');
  expect(await focused(page)).toBe('3 3');
  await press(page, 'F2');
  await page.keyboard.type('34');
  await press(page, 'Tab');
  expect(await focused(page)).toBe('3 4');
  await expect.poll(async () => Number((await row('Edit 001'))?.amount)).toBe(134);
  await press(page, 'Enter');
  await page.getByLabel('closes_on, Edit 001').fill('2027-01-31');
  await press(page, 'Enter');
  await page.getByRole('gridcell', { name: '31 Jan 2027' }).waitFor();
  // To the column in which Tab began.
  expect(await focused(page)).toBe('4 3');
  // A cell that cannot be edited says so.
  await press(page, 'End', 'x');
  await page.getByText('You cannot change this value.').waitFor();
  await press(page, 'Escape');
  // The name: Enter opens the record, F2 edits.
  await press(page, 'Home', 'ArrowRight', 'F2', 'Control+a');
  await page.keyboard.type('Edited');
  await press(page, 'Enter');
  await page.getByRole('link', { name: 'Edited' }).waitFor();
  await expect.poll(() => row('Edited')).toBeDefined();
  await press(page, 'ArrowUp', 'Enter');
  await page.getByRole('heading', { name: /^Edit/ }).waitFor();
  await page.goBack();
  await expect.poll(() => focused(page)).toMatch(/ 2$/);
});

test('a press on another cell saves the text, or keeps it in hand where it cannot be saved', async () => {
  await makeDeals('Pressed', 3);
  const page = await app.as('ada');
  await openList(page, 'Pressed', 'fields=amount,code');
  const cell = (at: number, column: 'Amount' | 'Code') =>
    page
      .getByRole('row')
      .filter({ has: page.getByRole('link', { name: `Pressed 00${at}` }) })
      .getByRole('gridcell')
      .nth(column === 'Amount' ? 2 : 3);
  await cell(0, 'Code').click();
  await page.keyboard.type('by the way');
  await cell(1, 'Code').click();
  await expect.poll(async () => (await row('Pressed 000'))?.code).toBe('by the way');
  await expect.poll(() => focused(page)).toBe('3 4');
  await cell(1, 'Amount').dblclick();
  await page.locator('[data-editor] input').fill('twenty');
  await cell(2, 'Code').click();
  await page.getByText('Enter a number such as 1,234.5.').waitFor();
  expect(await page.locator('[data-editor] input').inputValue()).toBe('twenty');
  await expect.poll(() => focused(page)).toBe('3 3');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('20');
  await page.getByRole('link', { name: 'Pressed 002' }).click();
  await expect.poll(async () => Number((await row('Pressed 001'))?.amount)).toBe(20);
});

longTest('a choice is searched by typing, several are ticked, a person is chosen', async () => {
  await makeDeals('Choice', 2);
  const page = await app.as('ada');
  await openList(page, 'Choice');
  await page.getByRole('link', { name: 'Choice 000' }).focus();
  await press(page, 'End', 'ArrowLeft');
  await press(page, 'Enter', 'Space');
  await page.getByRole('checkbox', { name: 'new' }).and(page.locator(':checked')).waitFor();
  await press(page, 'Enter');
  await expect.poll(async () => (await row('Choice 000'))?.tags).toEqual(['new']);
  expect(await focused(page)).toBe('3 7');
  await press(page, 'ArrowLeft', 'Enter');
  await page.getByRole('option', { name: 'Mia' }).click();
  await expect
    .poll(async () => Number((await row('Choice 001'))?.owner_user_id))
    .toBe(app.world.users.mia);
  expect(await focused(page)).toBe('3 6');
  await app.make('companies', { name: 'Tiered' });
  await visit(page, `${app.address}/o/companies?q=Tiered&fields=tier`);
  await page.getByRole('link', { name: 'Tiered' }).focus();
  await press(page, 'ArrowRight');
  await page.keyboard.type('gol');
  await page.getByRole('option', { name: 'Gold' }).waitFor();
  await press(page, 'Enter');
  await page.getByRole('gridcell', { name: 'Gold' }).waitFor();
});

test('typed text is saved at once in the cell, and undone by Ctrl Z, which the first notes say', async () => {
  await makeDeals('Undo', 3);
  const page = await app.as('ada', { isNewToUndo: true });
  await openList(page, 'Undo');
  await page.getByRole('link', { name: 'Undo 000' }).focus();
  await press(page, 'ArrowRight');
  const notes = page.getByRole('status').filter({ hasText: /^amount of/i });
  for (const [index, value] of ['70', '71', '72'].entries()) {
    await typeInCell(page, value);
    const note = notes.filter({ hasText: `Undo 00${index}` });
    await note.getByRole('button', { name: 'Undo' }).waitFor();
  }
  await page.getByRole('gridcell', { name: '$72.00' }).waitFor();
  await expect.poll(async () => Number((await row('Undo 002'))?.amount)).toBe(72);
  await page.getByRole('gridcell', { name: '$72.00' }).focus();
  await press(page, 'Control+z');
  await page.getByText('Undone: Amount of Undo 002 was changed.').waitFor();
  expect(Number((await row('Undo 002'))?.amount)).toBe(2);
  await press(page, 'Control+z');
  await expect.poll(async () => Number((await row('Undo 001'))?.amount)).toBe(1);
  expect(Number((await row('Undo 000'))?.amount)).toBe(70);
  await page.reload();
  await page.getByRole('link', { name: 'Undo 000' }).focus();
  await press(page, 'ArrowRight');
  await typeInCell(page, '80');
  await expect.poll(async () => Number((await row('Undo 000'))?.amount)).toBe(80);
  await press(page, 'Control+z');
  // A note of the change would be there before that of its undo.
  await page.getByText('Undone: Amount of Undo 000 was changed.').waitFor();
  expect(await notes.count()).toBe(0);
});

test('a conflict in a cell opens a dialog, another field merges, and a refusal loses no text', async () => {
  const [, id] = await makeDeals('Contest', 2);
  const patch = (fields: object) => app.ada.patch(`/objects/deals/records/${id}`, { fields });
  const page = await app.as('mia');
  await openList(page, 'Contest', 'fields=amount,closes_on');
  await page.getByRole('link', { name: 'Contest 001' }).focus();
  await press(page, 'ArrowRight');
  await page.keyboard.type('6');
  await patch({ closes_on: '2027-02-03' });
  await press(page, 'Enter');
  await page.getByRole('gridcell', { name: '3 Feb 2027' }).waitFor();
  // The date may have come by the stream of events, before the amount is saved.
  await expect.poll(async () => Number((await row('Contest 001'))?.amount)).toBe(6);
  await page.keyboard.type('7');
  // A change that comes by the stream of events while a person types opens the dialog too.
  await patch({ amount: 8, closes_on: '2027-02-04' });
  await page.getByRole('gridcell', { name: '4 Feb 2027' }).waitFor();
  await press(page, 'Enter');
  const dialog = page.getByRole('dialog', { name: 'Someone else changed this field' });
  await dialog.getByText('$8.00').waitFor();
  await dialog.getByRole('button', { name: 'Save your value' }).click();
  await expect.poll(async () => Number((await row('Contest 001'))?.amount)).toBe(7);
  // Refused: the cell shows the typed text, and editing continues from there.
  await page.getByRole('gridcell', { name: '$7.00' }).click();
  await page.keyboard.type('-5');
  await press(page, 'Enter');
  await page.locator('[aria-invalid=true]').waitFor();
  expect(Number((await row('Contest 001'))?.amount)).toBe(7);
  await page.getByRole('gridcell', { name: '-$5.00' }).dblclick();
  const amount = page.getByRole('textbox', { name: 'Amount, Contest 001' });
  expect(await amount.inputValue()).toBe('-5');
  await press(page, 'Escape');
  await page.getByRole('gridcell', { name: '$7.00' }).waitFor();
});

longTest('what may not be edited says so, and no key edits it', async () => {
  await makeDeals('Quiet', 1);
  const page = await app.as('rob');
  await openList(page, 'Quiet', 'fields=code,amount');
  await page.getByRole('link', { name: 'Quiet 000' }).focus();
  await press(page, 'ArrowRight');
  const isReadOnly = () =>
    page.evaluate(() => document.activeElement?.getAttribute('aria-readonly'));
  expect(await isReadOnly()).toBe('true');
  await press(page, 'Enter', 'F2', 'x');
  expect(await page.locator('[data-editor] input').count()).toBe(0);
  await press(page, 'Escape', 'ArrowRight');
  expect(await isReadOnly()).toBe('false');
});

longTest('what is typed before the editor has come is in it when it comes', async () => {
  await makeDeals('Early', 1);
  const page = await app.as('ada');
  const { held, release: letGo } = hold();
  await page.route(/cell-editor-[^/]*\.js$/, async (route) => {
    await held;
    await route.continue();
  });
  await openList(page, 'Early');
  await page.getByRole('link', { name: 'Early 000' }).focus();
  await press(page, 'ArrowRight');
  await page.keyboard.type('123');
  letGo();
  const amount = page.getByRole('textbox', { name: 'Amount, Early 000' });
  await expect.poll(() => amount.inputValue()).toBe('123');
  await press(page, 'Enter');
  await expect.poll(async () => Number((await row('Early 000'))?.amount)).toBe(123);
});

test('a status is moved in its cell, by the keys of any cell, where its workflow lets it', async () => {
  const [id] = await makeDeals('Cell', 2);
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/deals?q=Cell&sort=name&fields=status,amount`);
  const status = async () =>
    (await app.world.rows('select status from deals where id = $1', [id]))[0]?.status;
  const cell = page.getByRole('row').nth(1).getByRole('gridcell', { name: 'Open' });
  await cell.waitFor();
  expect(await cell.getAttribute('aria-readonly')).toBe('false');
  await page.getByRole('link', { name: 'Cell 000' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  const menu = page.getByRole('menu', { name: 'Status, Cell 000' });
  await menu.getByRole('menuitem', { name: 'Won' }).and(page.locator(':focus')).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'detached' });
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Open');
  await page.keyboard.press('F2');
  await menu.getByRole('menuitem', { name: 'Won' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect.poll(status).toBe('lost');
  const moved = page.getByRole('row').nth(1).getByRole('gridcell', { name: 'Lost' });
  await moved.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Control+z');
  await expect.poll(status).toBe('open');
  await cell.dblclick();
  await menu.getByRole('menuitem', { name: 'Won' }).click();
  await page.getByRole('button', { name: 'Move record' }).click();
  await expect.poll(status).toBe('won');
  // There is no way on from there.
  await page.keyboard.press('Enter');
  await menu.getByText('The workflow allows no move from here.').waitFor();
});
