// Saved views of two people: saved, shared, changed, opened by default; one that uses a removed field still opens.
// And lists by groups, whose figures are those of the interface.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../axe.ts';
import { type BrowserWorld, openBrowserWorld, visit } from '../browser-world.ts';
import { longTest } from '../long.ts';

let app: BrowserWorld;

beforeAll(async () => {
  app = await openBrowserWorld();
  await app.makeAll('companies', [
    { name: 'Anchor', tier: 'gold', revenue: 30, founded: '2020-03-05' },
    { name: 'Buoy', tier: 'gold', revenue: 20, founded: '2020-03-31' },
    { name: 'Cable', tier: 'silver', revenue: 10, founded: '2021-07-01' },
    { name: 'Dock', tier: null, revenue: 5, founded: null },
  ]);
});
afterAll(() => app?.close());

const names = (page: Page) => page.locator('tbody a[data-record]').allTextContents();
const viewButton = (page: Page, name: string) =>
  page.getByRole('button', { name: `View: ${name}`, exact: true });

async function choose(page: Page, view: string, item: string): Promise<void> {
  await viewButton(page, view).click();
  await page.getByRole('menuitem', { name: item }).click();
}

async function saveAs(page: Page, name: string, shared: string): Promise<void> {
  await page.getByRole('button', { name: /^View: / }).click();
  await page.getByRole('menuitem', { name: 'Save as a view…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
  await dialog.getByLabel('Visible to').selectOption({ label: shared });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await viewButton(page, name).waitFor();
}

test('a view keeps the question, the address has the differences, and changes are saved or discarded', async () => {
  const page = await app.as('ada');
  // An order alone and a filter alone are offered to be kept.
  const keep = page.getByRole('button', { name: 'Save as a view…' });
  await page.goto(`${app.address}/o/companies?sort=revenue`);
  await expect.poll(() => names(page)).toContain('Buoy');
  await keep.waitFor();
  await visit(page, `${app.address}/o/companies`);
  await expect.poll(() => names(page)).toContain('Buoy');
  await keep.waitFor({ state: 'detached' });
  await visit(page, `${app.address}/o/companies?filter[tier][eq]=gold`);
  await keep.waitFor();
  await visit(page, `${app.address}/o/companies?filter[tier][eq]=gold&sort=revenue&fields=revenue`);
  await expect.poll(() => names(page)).toEqual(['Buoy', 'Anchor']);
  await saveAs(page, 'Golden', 'Only me');
  const address = page.url();
  expect(address).toMatch(/\/o\/companies\?view=[\w-]+$/);
  await page.getByRole('button', { name: 'revenue', exact: true }).click();
  await page.waitForURL(/&sort=-revenue$/);
  await expect.poll(() => names(page)).toEqual(['Anchor', 'Buoy']);
  const changed = page.getByRole('group', { name: 'Changed' });
  await changed.getByRole('button', { name: 'Reset' }).click();
  await expect.poll(() => page.url()).toBe(address);
  await expect.poll(() => names(page)).toEqual(['Buoy', 'Anchor']);
  await page.getByRole('button', { name: 'Remove filter' }).click();
  await expect.poll(() => names(page)).toEqual(['Dock', 'Cable', 'Buoy', 'Anchor']);
  expect(page.url()).toBe(`${address}&where=`);
  await changed.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(() => page.url()).toBe(address);
  await page.reload();
  await expect.poll(() => names(page)).toEqual(['Dock', 'Cable', 'Buoy', 'Anchor']);
  expect(await changed.count()).toBe(0);
  await choose(page, 'Golden', 'All Companies');
  await expect.poll(() => page.url()).toBe(`${app.address}/o/companies`);
  await page.goBack();
  await viewButton(page, 'Golden').waitFor();
  await choose(page, 'Golden', 'Delete view');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete view' }).click();
  await viewButton(page, 'All Companies').waitFor();
  await visit(page, address);
  await page.getByText('This view was deleted, or it is not shared with you.').waitFor();
  await expect.poll(() => page.url()).toBe(`${app.address}/o/companies`);
});

test('others see views that are shared with everybody, and are offered the permitted actions', async () => {
  const ada = await app.as('ada');
  await ada.goto(`${app.address}/o/companies?filter[tier][eq]=silver`);
  await expect.poll(() => names(ada)).toEqual(['Cable']);
  await saveAs(ada, 'Mine alone', 'Only me');
  await saveAs(ada, 'Silver', 'Everyone');
  const mia = await app.as('mia');
  await mia.goto(`${app.address}/o/companies`);
  await viewButton(mia, 'All Companies').click();
  await mia.getByRole('menuitem', { name: 'Silver' }).waitFor();
  expect(await mia.getByRole('menuitem', { name: 'Mine alone' }).count()).toBe(0);
  await mia.getByRole('menuitem', { name: 'Silver' }).click();
  await expect.poll(() => names(mia)).toEqual(['Cable']);
  expect(mia.url()).toBe(ada.url());
  await viewButton(mia, 'Silver').click();
  await mia.getByRole('menuitem', { name: 'Save as a view…' }).waitFor();
  expect(await mia.getByRole('menuitem', { name: 'Delete view' }).count()).toBe(0);
  expect(await mia.getByRole('menuitem', { name: 'Rename or share…' }).count()).toBe(0);
  expect(await axeFindings(mia)).toEqual([]);
  await mia.keyboard.press('Escape');
  await mia.getByRole('button', { name: 'Remove filter' }).click();
  const changed = mia.getByRole('group', { name: 'Changed' });
  await changed.getByRole('button', { name: 'Reset' }).waitFor();
  expect(await changed.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0);
});

longTest('a view for the people of one’s teams is theirs, and nobody else’s', async () => {
  const mia = await app.as('mia');
  await mia.goto(`${app.address}/o/companies?sort=-name`);
  await saveAs(mia, 'For the team', 'My teams');
  const rob = await app.as('rob');
  await rob.goto(`${app.address}/o/companies`);
  await viewButton(rob, 'All Companies').click();
  await rob.getByRole('menuitem', { name: 'For the team' }).waitFor();
  const sam = await app.as('sam');
  await sam.goto(`${app.address}/o/companies`);
  await viewButton(sam, 'All Companies').click();
  await sam.getByRole('menuitem', { name: 'Save as a view…' }).waitFor();
  expect(await sam.getByRole('menuitem', { name: 'For the team' }).count()).toBe(0);
});

longTest('a view is renamed by a person with the right, with a name', async () => {
  const ada = await app.as('ada');
  await ada.goto(`${app.address}/o/companies?sort=-revenue`);
  await saveAs(ada, 'Rich', 'Only me');
  await choose(ada, 'Rich', 'Rename or share…');
  const dialog = ada.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill(' ');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Enter a name for the view.').waitFor();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Richest');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await viewButton(ada, 'Richest').waitFor();
});

longTest(
  'a view opens first, the list without it is one choice away, and the order is one’s own',
  async () => {
    const page = await app.as('rae');
    await page.goto(`${app.address}/o/companies?sort=name`);
    await expect.poll(() => names(page)).toEqual(['Anchor', 'Buoy', 'Cable', 'Dock']);
    await saveAs(page, 'By name', 'Only me');
    await page.goto(`${app.address}/o/companies?filter[tier][is_null]=true`);
    await saveAs(page, 'Without tier', 'Only me');
    await choose(page, 'Without tier', 'Make this the default view');
    await viewButton(page, 'Without tier').click();
    await page.getByRole('menuitem', { name: 'Remove as default view' }).waitFor();
    await page.keyboard.press('Escape');
    await page.goto(app.address);
    await page.getByRole('link', { name: 'Companies' }).first().click();
    await viewButton(page, 'Without tier').waitFor();
    await expect.poll(() => names(page)).toEqual(['Dock']);
    await page.waitForURL(/companies\?view=[\w-]+$/);
    await page.goBack();
    await page.waitForURL(app.address);
    await page.goForward();
    await choose(page, 'Without tier', 'All Companies');
    await expect.poll(() => page.url()).toBe(`${app.address}/o/companies?view=all`);
    await expect.poll(async () => (await names(page)).length).toBe(4);
    await choose(page, 'All Companies', 'Reorder views…');
    await page.getByRole('button', { name: 'Move Without tier up' }).click();
    const listed = () => page.getByRole('dialog').locator('li > span').allTextContents();
    await expect
      .poll(async () => (await listed()).filter((name) => /name|tier/.test(name)))
      .toEqual(['Without tier', 'By name']);
    expect(await axeFindings(page)).toEqual([]);
  },
);

longTest('a view with a field that is gone says so, and shows the rest', async () => {
  const { ada } = app;
  const where = {
    any: [
      { field: 'tier', op: 'eq', value: 'gold' },
      { field: 'founded', op: 'is_null', value: true },
    ],
  };
  const { body } = await ada.post('/views', {
    ...{ object_type: 'companies', name: 'Old', shared: 'workspace' },
    ...{ query: { where, sort: [{ field: 'name' }] }, columns: [{ field: 'tier' }] },
  });
  const id = body.data.id;
  const kept = { all: [where, { field: 'gone', op: 'eq', value: 1 }] };
  const query = JSON.stringify({ where: kept, sort: [{ field: 'gone' }, { field: 'name' }] });
  await app.world.rows('update ws_acme._views set query = $1 where id = $2', [query, id]);
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/companies?view=${id}`);
  await page.getByText('Parts of this view no longer exist').waitFor();
  await page.getByText('There is no field "gone".').first().waitFor();
  await expect.poll(() => names(page)).toEqual(['Anchor', 'Buoy', 'Dock']);
  expect(await axeFindings(page)).toEqual([]);
});

/** The figures of each group, as the list has them. */
const heads = (page: Page) =>
  page
    .locator('h2 button')
    .allTextContents()
    .then((texts) => texts.map((text) => text.replaceAll(/\s+/g, ' ').trim()));

test('groups have the figures of the interface, open one by one, and stay open', async () => {
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/companies?sort=name`);
  await page.getByRole('button', { name: 'Group', exact: true }).click();
  await page.getByLabel('Group by').selectOption('tier');
  await page.getByLabel('Sum of').selectOption('revenue');
  await page.keyboard.press('Escape');
  await expect
    .poll(() => heads(page))
    .toEqual([
      'Gold2 recordsSum of revenue:$50.00',
      'silver1 recordSum of revenue:$10.00',
      'No tier1 recordSum of revenue:$5.00',
    ]);
  expect(page.url()).toBe(`${app.address}/o/companies?sum=revenue&group=tier&sort=name`);
  await expect.poll(() => names(page)).toEqual(['Anchor', 'Buoy']);
  await page.getByRole('button', { name: /^silver/ }).press('Enter');
  await expect.poll(() => names(page)).toEqual(['Anchor', 'Buoy', 'Cable']);
  await page.getByRole('button', { name: /^Gold/ }).press('Enter');
  await expect.poll(() => names(page)).toEqual(['Cable']);
  await page.reload();
  await expect.poll(() => names(page)).toEqual(['Cable']);
  expect(await page.getByRole('button', { name: /^Gold/ }).getAttribute('aria-expanded')).toBe(
    'false',
  );
  expect(await axeFindings(page, 'both')).toEqual([]);
  await visit(page, `${app.address}/o/companies?group=founded&sort=name`);
  await expect
    .poll(() => heads(page))
    .toEqual(['July 20211 record', 'March 20202 records', 'No founded1 record']);
  await page.getByRole('button', { name: /^March/ }).click();
  await expect.poll(() => names(page)).toContain('Buoy');
});

longTest('a view keeps what its groups add up, and that they add up nothing', async () => {
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/companies?group=tier&sum=revenue`);
  await saveAs(page, 'Revenue', 'Only me');
  expect(page.url()).toMatch(/\/o\/companies\?view=[\w-]+$/);
  await page.reload();
  const first = async () => (await heads(page))[0];
  await expect.poll(first).toBe('Gold2 recordsSum of revenue:$50.00');
  await choose(page, 'Revenue', 'All Companies');
  await choose(page, 'All Companies', 'Revenue');
  await expect.poll(first).toBe('Gold2 recordsSum of revenue:$50.00');
  const changed = page.getByRole('group', { name: 'Changed' });
  await page.getByRole('button', { name: 'Grouped by tier' }).click();
  await page.getByLabel('Sum of', { exact: true }).selectOption('');
  await page.keyboard.press('Escape');
  await expect.poll(first).toBe('Gold2 records');
  await changed.getByRole('button', { name: 'Save', exact: true }).click();
  await changed.waitFor({ state: 'detached' });
  await page.reload();
  await expect.poll(first).toBe('Gold2 records');
  expect(await changed.count()).toBe(0);
});

longTest(
  'the order has up to three fields, is changed by keys, and stands in the address',
  async () => {
    const page = await app.as('ada');
    await page.goto(`${app.address}/o/companies`);
    await page.getByRole('button', { name: 'Sort', exact: true }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Sort order' });
    const add = dialog.getByRole('button', { name: 'Add a field' });
    await expect.poll(() => add.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Sort by', { exact: true }).selectOption('tier');
    await dialog.getByLabel('Direction of tier').selectOption({ label: 'Descending' });
    await add.press('Enter');
    await dialog.getByLabel('Sort by', { exact: true }).last().selectOption('revenue');
    await page.waitForURL(/sort=-tier,revenue$/);
    await expect.poll(() => names(page)).toEqual(['Cable', 'Buoy', 'Anchor', 'Dock']);
    await dialog.getByRole('button', { name: 'Move revenue up' }).press('Enter');
    await page.waitForURL(/sort=revenue,-tier$/);
    await add.press('Enter');
    expect(await dialog.getByRole('button', { name: 'At most 3 fields' }).isDisabled()).toBe(true);
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Stop sorting by tier' }).press('Enter');
    await expect.poll(() => dialog.getByLabel('Sort by', { exact: true }).count()).toBe(2);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  },
);

longTest('groups on a telephone, in the dark, without a violation', async () => {
  const page = await app.as('ada', { width: 390, colorScheme: 'dark' });
  await page.goto(`${app.address}/o/companies?group=tier&sum=revenue`);
  await page.getByRole('button', { name: /^Gold/ }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
});

longTest('what opens above a list, on a telephone, in the dark, without a violation', async () => {
  const page = await app.as('ada', { width: 390, colorScheme: 'dark' });
  await page.goto(`${app.address}/o/companies`);
  await page.getByRole('button', { name: /^View: / }).click();
  await page.getByRole('menuitem', { name: 'Save as a view…' }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('menuitem', { name: 'Save as a view…' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Sort', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Add a field' }).click();
  expect(await axeFindings(page)).toEqual([]);
});

longTest('a list takes at most six requests beside the stream of events', async () => {
  const page = await app.as('ada');
  const asked: string[] = [];
  page.on('request', (request) => {
    const [, path] = request.url().split('/v1');
    if (path !== undefined && !path.startsWith('/events')) asked.push(path);
  });
  await page.goto(`${app.address}/o/companies`);
  await expect.poll(async () => (await names(page)).length).toBe(4);
  const first = asked.findIndex((path) => path.startsWith('/objects/companies/records'));
  expect(asked.slice(0, first + 1).length).toBeLessThanOrEqual(6);
});
