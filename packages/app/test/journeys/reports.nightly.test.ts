// Reports: a question is made on the page, each figure opens the records that it counts, it is saved, shared, exported
// and put on a dashboard, which is arranged by keys, by menu and by dragging.

import { buffer } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../axe.ts';
import { type BrowserWorld, openBrowserWorld, visit } from '../browser-world.ts';

let app: BrowserWorld;

const DEALS = [
  { name: 'First', amount: 100, closes_on: '2027-01-10' },
  { name: 'Second', amount: 250, closes_on: '2027-01-31' },
  { name: 'Third', amount: 400, closes_on: '2027-03-01' },
  { name: 'Fourth', amount: null, closes_on: null },
];

beforeAll(async () => {
  app = await openBrowserWorld();
  const gold = await app.make('companies', { name: 'Gold', tier: 'gold' });
  const plain = await app.make('companies', { name: 'Plain' });
  const { rob, sam } = app.world.users;
  await app.makeAll(
    'deals',
    DEALS.map((deal, index) => ({
      ...deal,
      owner_user_id: index === 2 ? sam : rob,
      company_id: index === 0 ? gold : index === 1 ? plain : null,
    })),
  );
});
afterAll(() => app?.close());

const mark = (page: Page, name: string | RegExp) => page.getByRole('link', { name });
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });

/** Follows a figure to its list, which has so many records, and returns. */
async function expectCount(page: Page, name: string | RegExp, count: number): Promise<void> {
  await mark(page, name).first().click();
  await page.waitForURL(/\/o\/deals\?/);
  await page.getByRole('heading', { name: 'Deals', level: 1 }).waitFor();
  const rows = page.locator('tbody tr:has(a[href*="/o/deals/"])');
  await expect.poll(() => rows.count()).toBe(count);
  await page.goBack();
  await page.waitForURL(/\/reports\//);
}

test('each bar, point, part and stage opens exactly the records that it counts', async () => {
  const page = await app.as('ada');
  const report = (query: string) => visit(page, `${app.address}/reports/new?object=deals&${query}`);
  await report('group=closes_on:month');
  await expectCount(page, 'Jan 2027: 2', 2);
  await mark(page, 'Feb 2027: 0').first().waitFor();
  await expectCount(page, /^No .*: 1$/, 1);
  await report('group=company_id.tier&chart=bars');
  await expectCount(page, 'Gold: 1', 1);
  await expectCount(page, /^No .*: 3$/, 3);
  await report('group=owner_user_id,closes_on:quarter&metrics=sum:amount,count&chart=lines');
  await expectCount(page, 'Rob, Q1 2027: $350', 2);
  await report('group=status&chart=funnel');
  await expectCount(page, 'Open: 4', 4);
  await report('group=created_at:day:Pacific/Auckland&chart=bars');
  await expectCount(page, /: 4$/, 4);
});

test('a report is made on the page, saved, shared and exported, and Back restores it', async () => {
  const page = await app.as('ada');
  await page.goto(`${app.address}/reports`);
  await page.getByText('No reports yet').waitFor();
  await page.getByRole('link', { name: 'New report' }).first().click();
  await heading(page, 'New report').waitFor();
  // The first object with records, then the one of the last list.
  await page.getByRole('button', { name: 'Object: Companies' }).waitFor();
  await visit(page, `${app.address}/o/deals`);
  await heading(page, 'Deals').waitFor();
  await visit(page, `${app.address}/reports/new`);
  await page.getByRole('button', { name: 'Object: Deals' }).waitFor();
  await page.getByRole('button', { name: 'By Status' }).click();
  const dialog = page.getByRole('dialog', { name: 'Group by' });
  await dialog.getByRole('combobox', { name: 'Group by' }).fill('Owner');
  await page.keyboard.press('Enter');
  await page.waitForURL(/group=owner_user_id/);
  expect(await axeFindings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Number of records' }).click();
  const metrics = page.getByRole('dialog', { name: 'Metrics' });
  await metrics.getByRole('combobox').first().click();
  // The list is longer than the dialog, which does not clip it.
  const list = await page.getByRole('listbox').boundingBox();
  expect(list?.height).toBeGreaterThan(150);
  const below = { x: list!.x + 20, y: list!.y + list!.height - 20 };
  const isShown = ({ x, y }: typeof below) =>
    document.elementFromPoint(x, y)?.closest('[role=listbox]') !== null;
  expect(await page.evaluate(isShown, below)).toBe(true);
  await metrics.getByRole('combobox').first().fill('Sum of Amount');
  await page.keyboard.press('Enter');
  await page.waitForURL(/metrics=sum:amount/);
  await page.keyboard.press('Escape');
  await mark(page, 'Sam: $400').first().waitFor();
  expect(await axeFindings(page, 'both')).toEqual([]);
  await page.goBack();
  await page.getByRole('button', { name: 'Number of records' }).waitFor();
  await page.goForward();
  await page.getByRole('button', { name: 'Save report' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('By owner');
  await page.getByRole('combobox', { name: 'Visible to' }).selectOption('workspace');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await heading(page, 'By owner').waitFor();
  const waiting = page.waitForEvent('download');
  await page.getByRole('button', { name: 'More actions for this report' }).click();
  await page.getByRole('menuitem', { name: 'Export as CSV' }).click();
  const file = await waiting;
  expect(file.suggestedFilename()).toBe('By-owner.csv');
  const text = await buffer(await file.createReadStream());
  expect(text.toString()).toMatch(/^\uFEFFOwner,Sum of Amount\r\nSam,400\r\nRob,350\r\n$/i);
  await page.getByRole('button', { name: 'Lines', exact: true }).click();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect.poll(() => page.url()).not.toContain('chart=');
  // As without HTTPS.
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await page.getByRole('button', { name: 'More actions for this report' }).click();
  await page.getByRole('menuitem', { name: 'Copy link' }).click();
  await page.getByText('The browser did not allow copying.').waitFor();
  const other = await app.as('mia');
  await other.goto(`${app.address}/reports`);
  await other.getByRole('link', { name: 'By owner' }).click();
  // People see the records that they may read: those of their team.
  await mark(other, 'Rob: $350').first().waitFor();
  expect(await mark(other, 'Sam: $400').count()).toBe(0);
});

test('a report is a tile with what it says, and a favorite comes first, also after another one', async () => {
  const { ada } = app;
  const make = async (name: string, kind: string, query: object) =>
    (await ada.post('/views', { object_type: 'companies', name, kind, query })).body.data.id;
  const metrics = [{ name: 'metric_1', op: 'count' }];
  await make('A tile', 'report', { group_by: [], metrics });
  const second = await make('B tile', 'report', { group_by: ['tier'], metrics });
  const table = await make('A table', 'table', {});
  const page = await app.as('ada');
  await page.goto(`${app.address}/reports`);
  const tiles = page.getByRole('listitem').filter({ hasText: 'tile' });
  await tiles.first().getByText('A tile').waitFor();
  await page.getByRole('button', { name: 'Add to favorites: B tile' }).click();
  await tiles.first().getByText('B tile').waitFor();
  expect(await axeFindings(page, 'both')).toEqual([]);
  await visit(page, `${app.address}/o/companies?view=${table}`);
  await page.getByRole('button', { name: 'View: A table', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Add to favorites' }).click();
  const favorites = async () => (await ada.get('/views?favorite=true')).body.data;
  await expect.poll(async () => (await favorites()).length).toBe(2);
  expect((await favorites()).map(({ id }: { id: string }) => id)).toContain(second);
});

test('a dashboard is arranged by keys and by menu, reads its reports together, and each fails alone', async () => {
  const { ada } = app;
  const views: string[] = [];
  for (const [name, field] of [
    ['One', 'status'],
    ['Two', 'owner_user_id'],
    ['Three', 'name'],
  ] as const) {
    const query = { group_by: [field], metrics: [{ name: 'metric_1', op: 'count' }] };
    const body = { object_type: 'deals', name, kind: 'report', chart: 'bars', query };
    views.push((await ada.post('/views', body)).body.data.id);
  }
  const page = await app.as('ada');
  await page.goto(`${app.address}/reports`);
  await page.getByRole('button', { name: 'New dashboard' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Team');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await heading(page, 'Team').waitFor();
  await page.getByText('This dashboard is empty').waitFor();
  for (const name of ['One', 'Two']) {
    await page.getByRole('button', { name: 'Add report' }).first().click();
    await page.getByRole('menuitem', { name }).click();
    await page.getByRole('link', { name, exact: true }).waitFor();
  }
  const team = page.url();
  await visit(page, `${app.address}/reports/${views[2]}`);
  await page.getByRole('button', { name: 'More actions for this report' }).click();
  await page.getByRole('menuitem', { name: 'Team' }).click();
  await page.getByText('“Three” was added to “Team”.').waitFor();
  await visit(page, team);
  await page.getByRole('link', { name: 'Three', exact: true }).waitFor();
  const names = () => page.locator('li h2').allTextContents();
  await page.getByRole('button', { name: 'Move One' }).focus();
  for (const key of ['Space', 'ArrowRight', 'Shift+ArrowRight', 'Space']) {
    await page.keyboard.press(key);
  }
  await page.getByRole('status').getByText('One dropped.').waitFor();
  await expect.poll(names).toEqual(['Two', 'One', 'Three']);
  await page.getByRole('button', { name: 'More actions for Three' }).click();
  await page.getByRole('menuitem', { name: 'Move back' }).click();
  await expect.poll(names).toEqual(['Two', 'Three', 'One']);
  await page
    .getByRole('button', { name: 'Move One' })
    .dragTo(page.getByRole('link', { name: 'Two', exact: true }));
  await expect.poll(names).toEqual(['One', 'Two', 'Three']);
  expect(await axeFindings(page, 'both')).toEqual([]);
  await expect
    .poll(async () => (await ada.get('/dashboards')).body.data[0].tiles)
    .toEqual([
      { view_id: views[0], width: 3 },
      { view_id: views[1], width: 2 },
      { view_id: views[2], width: 2 },
    ]);
  // One of them cannot be answered.
  await app.world.database.rows(
    `update ws_acme._views set query = '{"group_by":["tags"],"metrics":[{"name":"metric_1","op":"count"}]}'
      where id = '${views[2]}'`,
  );
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url().split('/v1')[1] ?? ''));
  await page.reload();
  await mark(page, 'Rob: 3').waitFor();
  await page.getByRole('alert').waitFor();
  expect(asked.filter((path) => path === '/aggregate')).toHaveLength(1);
  const small = await app.as('ada', { width: 390 });
  await small.goto(page.url());
  await mark(small, 'Rob: 3').waitFor();
  const isWide = await small.evaluate(() => document.body.scrollWidth > innerWidth);
  expect(isWide).toBe(false);
});
