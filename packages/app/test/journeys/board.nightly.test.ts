// A board: moves by dragging, by the menu of a card and by keys do the same, closed columns show the reason, refused
// moves are reverted, and moves of others are shown.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hold } from '../../../../test/until.ts';
import { ACME, type PersonName } from '../../../../test/world.ts';
import { axeFindings } from '../axe.ts';
import { type BrowserWorld, type Look, openBrowserWorld, visit } from '../browser-world.ts';
import { longTest, someOf } from '../long.ts';
import { carry, carryOverEdge, scrollSideways, swipe } from '../touches.ts';

let app: BrowserWorld;

const APPROVAL = {
  name: 'Approval',
  initial: 'draft',
  statuses: {
    draft: {
      name: 'Draft',
      transitions: [
        'shelved',
        { to: 'signed', approvers: { users: ['mia@acme.example'], teams: ['South'] } },
      ],
    },
    signed: { name: 'Signed' },
    shelved: { name: 'Shelved', transitions: ['draft'] },
  },
};
const everything = {
  ...{ create: 'organisation', read: 'organisation' },
  ...{ update: 'organisation', delete: 'organisation' },
};

beforeAll(async () => {
  app = await openBrowserWorld();
  await app.world.apply({
    ...ACME,
    objects: {
      ...ACME.objects,
      contracts: {
        ...{ name: 'Contracts', singular_name: 'Contract', display_field: 'title' },
        ...{ workflow: 'approval', fields: { title: { type: 'text', required: true } } },
      },
    },
    workflows: { ...ACME.workflows, approval: APPROVAL },
    work_item_types: {
      task: { name: 'Task', prefix: 'TASK', workflow: 'pipeline' },
      permit: { name: 'Permit', prefix: 'PER', workflow: 'approval' },
    },
    roles: {
      ...ACME.roles,
      manager: {
        ...ACME.roles.manager,
        objects: { ...ACME.roles.manager.objects, contracts: everything },
      },
    },
  });
});
afterAll(() => app?.close());

const card = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
const column = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const inColumn = (page: Page, name: string, record: string) =>
  column(page, name).getByRole('link', { name: record, exact: true });
const press = async (page: Page, ...keys: readonly string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent);
const told = (page: Page, text: string | RegExp) => page.getByRole('status').getByText(text);

/** Records of an object, made by ada for rob, and the board of somebody that shows no others. */
async function openBoard(
  names: readonly string[],
  { person = 'ada', look = {}, object = 'deals', more = '', isLive = false }: Partial<Opened> = {},
) {
  const { ada } = app;
  const title = object === 'deals' ? 'name' : 'title';
  const ids: string[] = [];
  for (const [index, name] of names.entries()) {
    const owned = { [title]: name, owner_user_id: app.world.users.rob };
    const fields = object === 'deals' ? { ...owned, amount: 100 * (index + 1) } : owned;
    ids.push(await app.make(object, fields));
  }
  const page = await app.as(person, look);
  // A page without events: changes of others are found when the person saves.
  if (!isLive) await page.route('**/events/stream*', (route) => route.abort());
  const shown = names.map((name) => `"${name}"`).join(',');
  await page.goto(`${app.address}/o/${object}?layout=board&filter[${title}][in]=${shown}${more}`);
  await card(page, names[0] ?? '').waitFor();
  const path = (name: string) => `/objects/${object}/records/${ids[names.indexOf(name)]}`;
  const status = async (name: string) => (await ada.get(path(name))).body.data.status;
  return { page, ada, path, status };
}

interface Opened {
  readonly person: PersonName;
  readonly look: Look;
  readonly object: 'deals' | 'contracts';
  readonly more: string;
  readonly isLive: boolean;
}

describe('a deal is moved', () => {
  test('by dragging it, and counts, sums and the way back are right', async () => {
    const { page, status } = await openBoard(['Dragged', 'Left alone']);
    await column(page, 'Open').getByText('$300.00').waitFor();
    await card(page, 'Dragged').dragTo(page.getByRole('region', { name: 'Lost' }));
    await inColumn(page, 'Lost', 'Dragged').waitFor();
    await expect.poll(() => status('Dragged')).toBe('lost');
    await column(page, 'Lost').getByText('$100').first().waitFor();
    await column(page, 'Open').getByText('$200').first().waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await inColumn(page, 'Open', 'Dragged').waitFor();
    await expect.poll(() => status('Dragged')).toBe('open');
    await card(page, 'Dragged').click();
    await page.getByRole('heading', { name: 'Dragged' }).waitFor();
  });

  longTest('by the menu of its card, and the focus goes along', async () => {
    const { page, status } = await openBoard(['By menu', 'Below it']);
    await page.getByRole('button', { name: 'Move By menu' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Won' }).press('Enter');
    // There is no way on from there.
    const dialog = page.getByRole('dialog', { name: 'Move “By menu” to Won?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    const menu = page.getByRole('button', { name: 'Move By menu' });
    await menu.and(page.locator(':focus')).waitFor();
    expect(await status('By menu')).toBe('open');
    await menu.press('Enter');
    await page.getByRole('menuitem', { name: 'Won' }).press('Enter');
    await dialog.getByRole('button', { name: 'Move record' }).click();
    await inColumn(page, 'Won', 'By menu').waitFor();
    await expect.poll(() => focused(page)).toBe('By menu');
    await expect.poll(() => status('By menu')).toBe('won');
    // There is no way back from there.
    await page.getByText('“By menu” is now in “Won”.').waitFor();
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Move By menu' }).click();
    const closed = page.getByRole('menuitem', { name: 'Open' });
    await closed.getByText('The workflow allows no move from “Won” to here.').waitFor();
    await closed.press('Enter');
    await closed.waitFor();
    expect(await status('By menu')).toBe('won');
  });

  longTest(
    'before its workflow has come, and no way back is offered that there is not',
    async () => {
      const { page } = await openBoard(['Faster']);
      const { held: released, release } = hold();
      await page.route('**/workflows/*', async (route) => {
        await released;
        await route.continue();
      });
      await page.getByRole('button', { name: 'Move Faster' }).press('Enter');
      await page.getByRole('menuitem', { name: 'Won' }).press('Enter');
      await inColumn(page, 'Won', 'Faster').waitFor();
      await expect.poll(() => focused(page)).toBe('Faster');
      release();
      await page.getByText('“Faster” is now in “Won”.').waitFor();
      await page.getByRole('button', { name: 'Move Faster' }).click();
      await page.getByText('The workflow allows no move from “Won” to here.').first().waitFor();
      expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    },
  );

  test('by keys, with announcements, and cancelled by Escape', async () => {
    const { page, status } = await openBoard(['First key', 'Second key']);
    await card(page, 'Second key').focus();
    await press(page, 'ArrowDown');
    await expect.poll(() => focused(page)).toBe('First key');
    await press(page, ' ');
    await told(page, /^Picked up First key from Open\./).waitFor();
    await press(page, 'ArrowRight');
    await told(page, 'Won, column 2 of 3.').waitFor();
    await press(page, 'Escape');
    await told(page, 'First key stays in Open.').waitFor();
    expect(await focused(page)).toBe('First key');
    await press(page, ' ', 'End', 'Enter');
    await told(page, 'First key is now in Lost.').waitFor();
    await inColumn(page, 'Lost', 'First key').waitFor();
    await expect.poll(() => focused(page)).toBe('First key');
    expect(await status('First key')).toBe('lost');
    await press(page, 'ArrowLeft');
    await expect.poll(() => focused(page)).toBe('Second key');
    await press(page, 'Control+z');
    await inColumn(page, 'Open', 'First key').waitFor();
  });

  longTest(
    'only where its workflow lets it: the other columns are closed and say why',
    async () => {
      const { page, status } = await openBoard(['Settled', 'Still open']);
      await page.getByRole('button', { name: 'Move Settled' }).click();
      await page.getByRole('menuitem', { name: 'Won' }).click();
      await page.getByRole('button', { name: 'Move record' }).click();
      await expect.poll(() => focused(page)).toBe('Settled');
      await press(page, ' ', 'ArrowLeft');
      await told(
        page,
        'Open is not available. The workflow allows no move from “Won” to here.',
      ).waitFor();
      await column(page, 'Open')
        .getByText('The workflow allows no move from “Won” to here.')
        .waitFor();
      await press(page, 'Enter');
      expect(await column(page, 'Open').getAttribute('data-closed')).toBe('true');
      await press(page, 'Escape');
      await told(page, 'Settled stays in Won.').waitFor();
      await card(page, 'Still open').focus();
      await press(page, ' ', 'Escape');
      await told(page, 'Still open stays in Open.').waitFor();
      await card(page, 'Settled').dragTo(column(page, 'Open'));
      await told(page, 'Settled stays in Won.').waitFor();
      expect(await status('Settled')).toBe('won');
    },
  );
});

describe('a card is carried by touch', () => {
  test('after a long press; a swipe scrolls, and a closed column puts it back', async () => {
    const { page, status } = await openBoard(['Carried', 'Rests'], { look: { hasTouch: true } });
    const moves: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/status')) moves.push(request.url());
    });
    await swipe(page, card(page, 'Carried'), column(page, 'Lost'));
    await carry(page, card(page, 'Carried'), column(page, 'Lost'));
    await inColumn(page, 'Lost', 'Carried').waitFor();
    await expect.poll(() => status('Carried')).toBe('lost');
    // No move leads there from Lost.
    await carry(page, card(page, 'Carried'), column(page, 'Won'));
    await told(page, 'Carried stays in Lost.').waitFor();
    expect(moves).toHaveLength(1);
    expect(await status('Carried')).toBe('lost');
    expect(page.url()).toContain('layout=board');
  });

  test('to a column off screen: the board scrolls at its edge', async () => {
    const look = { width: 390, hasTouch: true } as const;
    const { page, status } = await openBoard(['Far', 'Near'], { look });
    const edge = { x: 380, y: 400 };
    await carryOverEdge(page, card(page, 'Far'), edge, column(page, 'Lost'));
    await expect.poll(() => status('Far')).toBe('lost');
    const shown = page.getByRole('combobox', { name: 'Column', exact: true });
    await expect.poll(() => shown.inputValue()).toBe('lost');
    // Where the board comes to rest a column is whole.
    const left = () => column(page, 'Lost').evaluate((one) => one.getBoundingClientRect().left);
    await expect.poll(left).toBe(12);
    await scrollSideways(page, column(page, 'Lost'), 280);
    await expect.poll(() => shown.inputValue()).toBe('won');
    expect(await status('Far')).toBe('lost');
  });
});

describe("the service's answer to a move", () => {
  test('a refusal is shown, and the card is where it was', async () => {
    const { page, status } = await openBoard(['Refused', 'Above', 'Topmost']);
    await page.route('**/status', (route) => {
      const error = { type: 'invalid_request_error', code: 'invalid_write', request_id: 'x' };
      const message = 'The month is closed.';
      return route.fulfill({ status: 422, json: { error: { ...error, message } } });
    });
    await card(page, 'Refused').focus();
    await press(page, ' ', 'End', 'Enter');
    await page.getByRole('alert').getByText('The month is closed.').waitFor();
    await inColumn(page, 'Open', 'Refused').waitFor();
    const names = column(page, 'Open').locator('[data-card]');
    expect(await names.allTextContents()).toEqual(['Topmost', 'Above', 'Refused']);
    await expect.poll(() => focused(page)).toBe('Refused');
    expect(await status('Refused')).toBe('open');
  });

  longTest('another change by somebody else is kept, another move is told', async () => {
    const { page, ada, path, status } = await openBoard(['Merged', 'Overtaken']);
    await ada.patch(path('Merged'), { fields: { amount: 7 } });
    await card(page, 'Merged').dragTo(page.getByRole('region', { name: 'Lost' }));
    await inColumn(page, 'Lost', 'Merged').waitFor();
    await expect.poll(() => status('Merged')).toBe('lost');
    await column(page, 'Lost').getByText('$7.00').first().waitFor();
    await ada.post(`${path('Overtaken')}/status`, { status_id: 'won' });
    await page.getByRole('button', { name: 'Move Overtaken' }).click();
    await page.getByRole('menuitem', { name: 'Lost' }).click();
    await page
      .getByRole('alert')
      .getByText('Someone else moved it to “Won”. Your move was not made.')
      .waitFor();
    await inColumn(page, 'Won', 'Overtaken').waitFor();
    expect(await status('Overtaken')).toBe('won');
  });

  longTest('a record that is gone leaves the board', async () => {
    const { page, ada, path } = await openBoard(['Gone', 'Stays']);
    await ada.delete(path('Gone'));
    await page.getByRole('button', { name: 'Move Gone' }).click();
    await page.getByRole('menuitem', { name: 'Lost' }).click();
    await page.getByText('This does not exist, or you do not have access to it.').waitFor();
    await expect.poll(() => card(page, 'Gone').count()).toBe(0);
    await card(page, 'Stays').waitFor();
  });

  longTest('what somebody else moves goes to its column by itself', async () => {
    const { page, ada, path } = await openBoard(['Watched', 'Beside'], { isLive: true });
    await ada.post(`${path('Watched')}/status`, { status_id: 'lost' });
    await inColumn(page, 'Lost', 'Watched').waitFor();
    await expect.poll(() => card(page, 'Watched').count()).toBe(1);
  });
});

longTest('a move that needs approval says whose, and those who give it may make it', async () => {
  const names = ['Lease', 'Licence'];
  const { page } = await openBoard(names, { object: 'contracts' });
  const reason = 'Needs the approval of Mia or the team South.';
  await card(page, 'Lease').focus();
  await press(page, ' ');
  await page.getByText(reason).waitFor();
  await press(page, 'Escape');
  await page.getByRole('button', { name: 'Move Lease' }).click();
  await page.getByRole('menuitem', { name: 'Signed' }).getByText(reason).waitFor();
  await press(page, 'Escape');
  await card(page, 'Lease').dragTo(column(page, 'Signed'));
  const asking = page.getByRole('dialog', { name: 'Ask for approval' });
  await asking.getByRole('button', { name: 'Cancel' }).click();
  await inColumn(page, 'Draft', 'Lease').waitFor();
  await card(page, 'Lease').click();
  await page.getByRole('button', { name: 'Status: Draft' }).click();
  await page.getByRole('menuitem', { name: 'Signed' }).getByText(reason).waitFor();
  const mia = await openBoard(['Tenancy', 'Terms'], { person: 'mia', object: 'contracts' });
  await mia.page.getByRole('button', { name: 'Move Tenancy' }).click();
  await mia.page.getByRole('menuitem', { name: 'Signed' }).click();
  await mia.page.getByRole('dialog').getByRole('button', { name: /^Move/ }).click();
  await inColumn(mia.page, 'Signed', 'Tenancy').waitFor();
  await expect.poll(() => mia.status('Tenancy')).toBe('signed');
});

longTest('work items of several workflows are on one board, each with its own ways', async () => {
  await app.makeAll('work_items', [
    { title: 'A task', work_item_type_id: 'task' },
    { title: 'A permit', work_item_type_id: 'permit' },
  ]);
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/work_items?layout=board`);
  await inColumn(page, 'Open', 'A task').waitFor();
  await inColumn(page, 'Draft', 'A permit').focus();
  await press(page, ' ');
  await column(page, 'Open').getByText('This status is not in its workflow.').waitFor();
  await press(page, 'Escape');
  await page.getByRole('button', { name: 'Columns: Status' }).click();
  await page.getByLabel('Type').selectOption({ label: 'Permit' });
  await page.waitForURL(/filter\[work_item_type_id\]\[eq\]=permit/);
  await expect.poll(() => column(page, 'Open').count()).toBe(0);
  await inColumn(page, 'Draft', 'A permit').waitFor();
});

longTest('a field with options makes a board, and a move writes it', async () => {
  const { ada } = app;
  const id = await app.make('companies', { name: 'Harbour Supplies', tier: 'gold' });
  const path = `/objects/companies/records/${id}`;
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/companies?layout=board`);
  await page.getByRole('button', { name: /^Columns: / }).click();
  await page.getByRole('dialog').getByLabel('Columns').selectOption('tier');
  await page.waitForURL(/by=tier/);
  await page.keyboard.press('Escape');
  await inColumn(page, 'Gold', 'Harbour Supplies').focus();
  await press(page, ' ', 'ArrowRight', 'Enter');
  await inColumn(page, 'silver', 'Harbour Supplies').waitFor();
  await expect.poll(async () => (await ada.get(path)).body.data.fields.tier).toBe('silver');
  await page.getByRole('button', { name: 'Move Harbour Supplies' }).click();
  await page.getByRole('menuitem', { name: 'No value' }).click();
  await expect.poll(async () => (await ada.get(path)).body.data.fields.tier).toBe(null);
  const note = page.getByRole('status').filter({ hasText: 'is now in “No value”' });
  const undo = note.getByRole('button', { name: 'Undo' });
  // Its word is whole next to a text of two lines.
  const [needed, there] = await undo.evaluate((button) => {
    const range = document.createRange();
    range.selectNodeContents(button);
    return [range.getBoundingClientRect().width, button.clientWidth];
  });
  expect(needed).toBeLessThanOrEqual(Number(there));
  await undo.click();
  await inColumn(page, 'silver', 'Harbour Supplies').waitFor();
  await page.getByRole('button', { name: /^New .* in Gold$/ }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Rope Works');
  await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click();
  await inColumn(page, 'Gold', 'Rope Works').waitFor();
});

longTest('who may not change a record is not offered to move it', async () => {
  const { page } = await openBoard(['For the eyes'], { person: 'rob' });
  await page.getByRole('button', { name: 'Move For the eyes' }).waitFor();
  await app.make('companies', { name: 'Only read', tier: 'gold' });
  await visit(page, `${app.address}/o/companies?layout=board&by=tier`);
  await card(page, 'Only read').focus();
  await press(page, ' ');
  await told(page, 'You cannot move Only read.').waitFor();
  expect(await page.getByRole('button', { name: 'Move Only read' }).count()).toBe(0);
  expect(await page.locator('[draggable=true]').count()).toBe(0);
});

test('the fields on cards are chosen, and the address keeps them', async () => {
  await app.make('companies', { name: 'Carded', tier: 'gold', founded: '2021-03-31' });
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/companies?layout=board&by=tier&fields=revenue`);
  const card = page.locator('article', { hasText: 'Carded' });
  await card.waitFor();
  await page.getByRole('button', { name: /^Columns:/ }).click();
  await page.getByRole('checkbox', { name: 'founded' }).check();
  await page.waitForURL(/fields=revenue,founded/);
  await card.getByText('31 Mar 2021').waitFor();
  expect(await axeFindings(page, 'both')).toEqual([]);
});

test('columns continue below, few cards are in the document, and cards do not wait for counts', async () => {
  const lots = Array.from({ length: 300 }, (_, index) => ({
    ...{ name: `Lot ${String(index).padStart(3, '0')}`, code: `L${index}` },
  }));
  await app.makeAll('deals', lots);
  const page = await app.as('ada');
  const { held, release: answer } = hold();
  await page.route('**/aggregate/query', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`${app.address}/o/deals?layout=board&sort=name&filter[code][gte]=L`);
  await card(page, 'Lot 000').waitFor();
  answer();
  await column(page, 'Open').getByText('300', { exact: true }).waitFor();
  for (const name of ['Lot 120', 'Lot 250']) {
    const list = column(page, 'Open').getByRole('list').locator('..');
    await expect
      .poll(async () => {
        const height = 96;
        await list.evaluate(
          (element, to) => element.scrollTo(0, to),
          Number(name.slice(4)) * height,
        );
        return page.locator('[data-card]').filter({ hasText: name }).count();
      })
      .toBe(1);
  }
  expect(await page.locator('[data-card]').count()).toBeLessThan(40);
});

test('on a telephone there is one column at a time, and the menu moves cards', async () => {
  const look = { width: 390, colorScheme: 'dark' } as const;
  const { page, status } = await openBoard(['Small', 'Smaller'], { look });
  const shown = page.getByRole('combobox', { name: 'Column', exact: true });
  expect(await shown.inputValue()).toBe('open');
  await page.getByRole('button', { name: 'Move Small', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Lost' }).click();
  await expect.poll(() => card(page, 'Small').count()).toBe(0);
  await expect.poll(() => focused(page)).toBe('Smaller');
  await expect.poll(() => status('Small')).toBe('lost');
  await page.getByRole('button', { name: 'Next column' }).click();
  await expect.poll(() => shown.inputValue()).toBe('won');
  await shown.selectOption('Lost (1)');
  await card(page, 'Small').waitFor();
  await card(page, 'Small').focus();
  await press(page, ' ', 'Home', 'Enter');
  await expect.poll(() => status('Small')).toBe('open');
});

longTest('on a telephone one swipes from column to column, and sees which it is', async () => {
  const { page } = await openBoard(['Swiped', 'Beside'], { look: { width: 390 } });
  const shown = page.getByRole('combobox', { name: 'Column', exact: true });
  const swipe = (columns: number) =>
    column(page, 'Open')
      .locator('..')
      .evaluate((board, by) => board.scrollBy(by * board.clientWidth * 0.7, 0), columns);
  await swipe(1);
  await expect.poll(() => shown.inputValue()).toBe('won');
  await column(page, 'Won').waitFor();
  // Where the swipe ends a column is whole.
  const left = () => column(page, 'Won').evaluate((one) => one.getBoundingClientRect().left);
  await expect.poll(left).toBe(12);
  expect(await axeFindings(page)).toEqual([]);
  await swipe(1);
  await expect.poll(() => shown.inputValue()).toBe('lost');
  await shown.selectOption('open');
  await expect
    .poll(() => card(page, 'Swiped').evaluate((one) => one.getBoundingClientRect().left))
    .toBeGreaterThan(0);
});

test.each<Look>(someOf<Look>([{}, { width: 390 }], 1))(
  'accessible, also while a card is held: %o',
  async (look) => {
    const seen = `Seen ${look.width ?? 1280}`;
    const { page } = await openBoard([seen, 'Heard'], { look });
    expect(await axeFindings(page, 'both'), 'the board').toEqual([]);
    await card(page, seen).focus();
    await press(page, ' ');
    await told(page, /Picked up/).waitFor();
    expect(await axeFindings(page), 'a card that is held').toEqual([]);
    await press(page, 'End', 'Enter');
    await told(page, `${seen} is now in Lost.`).waitFor();
    if (look.width !== undefined)
      await page.getByRole('combobox', { name: 'Column', exact: true }).selectOption('lost');
    await card(page, seen).focus();
    await press(page, ' ', 'ArrowLeft');
    await told(
      page,
      'Won is not available. The workflow allows no move from “Lost” to here.',
    ).waitFor();
    expect(await axeFindings(page), 'closed columns').toEqual([]);
    await press(page, 'Escape');
    await page.getByRole('button', { name: `Move ${seen}` }).click();
    await page.getByRole('menuitem', { name: 'Open' }).waitFor();
    expect(await axeFindings(page), 'the menu of a card').toEqual([]);
  },
);
