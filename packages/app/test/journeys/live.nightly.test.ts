// Live: changes of others are shown within a moment, no row moves under the pointer, records that a person may no
// longer see are removed, and tabs share one stream that outlives cuts.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ACME } from '../../../../test/world.ts';
import { type BreakableNetwork, openBreakableNetwork } from '../breakable-network.ts';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';
import { longTest } from '../long.ts';

let app: BrowserWorld;
let network: BreakableNetwork;

beforeAll(async () => {
  app = await openBrowserWorld();
  network = await openBreakableNetwork(app.world.port);
});
afterAll(async () => {
  await network?.close();
  await app?.close();
});

const set = (type: string, id: string, fields: Readonly<Record<string, unknown>>) =>
  app.ada.patch(`/objects/${type}/records/${id}`, { fields });

const row = (page: Page, name: string) => page.getByRole('link', { name, exact: true });

/** Requests of pages of lists since it was called. */
function listsAsked(page: Page): () => number {
  let count = 0;
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.endsWith('/records') && !search.includes('filter[id]')) count += 1;
  });
  return () => count;
}

test('a change by somebody else shows on the page of the record, and an open editor keeps what was typed', async () => {
  const id = await app.make('deals', { name: 'Shown', amount: 1 });
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/deals/${id}`);
  await page.getByRole('heading', { name: 'Shown' }).waitFor();
  await page.getByRole('button', { name: /^Show \d+ empty fields$/ }).click();
  await page.getByRole('button', { name: /^code/ }).click();
  await page.getByRole('textbox', { name: 'Code' }).fill('half typ');
  await set('deals', id, { name: 'Shown again', amount: 77 });
  await page.getByRole('heading', { name: 'Shown again' }).waitFor();
  await page.getByRole('button', { name: /77/ }).waitFor();
  const editor = page.getByRole('textbox', { name: 'Code' });
  expect(await editor.inputValue()).toBe('half typ');
  expect(await editor.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.type('ed');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /half typed/ }).waitFor();
});

test('rows of a list are read again by themselves; moved rows wait for a click', async () => {
  const all = Array.from({ length: 60 }, (_, index) => ({
    ...{ name: `Firm ${String(index).padStart(2, '0')}`, revenue: index },
  }));
  const ids = await app.makeAll('companies', all);
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/companies?sort=revenue`);
  await row(page, 'Firm 00').waitFor();
  const asked = listsAsked(page);
  const scroller = page.getByRole('region', { name: 'Companies' });
  await row(page, 'Firm 02').focus();
  await scroller.evaluate((element) => element.scrollTo(0, 90));
  const place = () => scroller.evaluate((element) => element.scrollTop);
  await set('companies', ids[3] ?? '', { name: 'Firm 03 again' });
  await row(page, 'Firm 03 again').waitFor();
  expect(await page.getByText(/change/).count()).toBe(0);
  await set('companies', ids[1] ?? '', { revenue: 900 });
  await app.make('companies', { name: 'Newest', revenue: -1 });
  await page.getByText('2 changes').waitFor();
  expect(asked()).toBe(0);
  expect(await place()).toBe(90);
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Firm 02');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await row(page, 'Newest').waitFor();
  await page.getByText('2 changes').waitFor({ state: 'detached' });
  await page.getByRole('row').nth(1).getByRole('link', { name: 'Newest' }).waitFor();
  expect(asked()).toBe(1);
});

longTest('a list with a filter tells of records that it finds only', async () => {
  await app.make('deals', { name: 'Dear', amount: 5000 });
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/deals?filter[amount][gt]=4000`);
  await row(page, 'Dear').waitFor();
  await app.make('deals', { name: 'Cheap', amount: 1 });
  await app.make('deals', { name: 'Dearer', amount: 6000 });
  await page.getByText('1 change', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await row(page, 'Dearer').waitFor();
  expect(await row(page, 'Cheap').count()).toBe(0);
});

longTest('cards of a board move by themselves when somebody else moves them', async () => {
  const id = await app.make('deals', { name: 'Card', owner_user_id: app.world.users.con });
  const page = await app.as('con');
  await page.goto(`${app.address}/o/deals?layout=board`);
  const column = (name: string) => page.getByRole('region', { name });
  await column('Open').getByText('Card').waitFor();
  await app.ada.post(`/objects/deals/records/${id}/status`, { status_id: 'won' });
  await column('Won').getByText('Card').waitFor();
  await column('Open').getByText('Card').waitFor({ state: 'detached' });
});

test('an empty list shows by itself what comes', async () => {
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/companies?q=Zephyr`);
  await page.getByText('No matching records').waitFor();
  await app.make('companies', { name: 'Zephyr Sails' });
  await row(page, 'Zephyr Sails').waitFor();
  expect(await page.getByRole('button', { name: 'Show', exact: true }).count()).toBe(0);
});

test('a record that is deleted or given away leaves lists, and its page says so', async () => {
  const [kept, given, deleted] = await app.makeAll(
    'deals',
    ['Kept', 'Given away', 'Deleted'].map((name) => ({
      ...{ name, owner_user_id: app.world.users.sam },
    })),
  );
  const list = await app.as('sam');
  await list.goto(`${app.address}/o/deals`);
  await row(list, 'Given away').waitFor();
  const page = await list.context().newPage();
  await page.goto(`${app.address}/o/deals/${given}`);
  await page.getByRole('heading', { name: 'Given away' }).waitFor();
  await set('deals', given ?? '', { owner_user_id: app.world.users.rob });
  await page.getByRole('heading', { name: 'This record is not available' }).waitFor();
  await row(list, 'Given away').waitFor({ state: 'detached' });
  await app.ada.delete(`/objects/deals/records/${deleted}`);
  await row(list, 'Deleted').waitFor({ state: 'detached' });
  expect(await row(list, 'Kept').count()).toBe(1);
  await page.getByRole('link', { name: 'Back to Deals' }).click();
  await row(page, 'Kept').click();
  await page.getByRole('heading', { name: 'Kept' }).waitFor();
  await set('deals', kept ?? '', { name: 'Kept again' });
  await page.getByRole('heading', { name: 'Kept again' }).waitFor();
});

longTest('a role that is withdrawn takes away what it let one see, without a reload', async () => {
  const id = await app.make('deals', { name: 'For reps only', owner_user_id: app.world.users.rae });
  const page = await app.as('rae');
  await page.goto(network.through(`${app.address}/o/deals/${id}`));
  await page.getByRole('heading', { name: 'For reps only' }).waitFor();
  await expect.poll(() => network.streams()).toBe(1);
  const list = await page.context().newPage();
  await list.goto(network.through(`${app.address}/o/companies`));
  await list.getByRole('heading', { name: 'Companies' }).waitFor();
  const roles = (names: string) =>
    app.world.database.rows(`update ws_acme._users set roles = $1 where name = 'Rae'`, [names]);
  await roles('{blind}');
  await page.getByRole('heading', { name: 'This record is not available' }).waitFor();
  const navigation = list.getByRole('navigation', { name: 'Main' });
  await navigation.getByRole('link', { name: 'Deals' }).waitFor({ state: 'detached' });
  await roles('{rep}');
  await navigation.getByRole('link', { name: 'Deals' }).waitFor();
});

longTest('a field that a changed definition adds is there without a reload', async () => {
  const id = await app.make('boats', {
    name: 'Old',
    company_id: await app.make('companies', { name: 'X' }),
  });
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/boats/${id}`);
  await page.getByRole('heading', { name: 'Old' }).waitFor();
  const { boats } = ACME.objects;
  const fields = { ...boats.fields, sails: { name: 'Sails', type: 'integer' } };
  const objects = { ...ACME.objects, boats: { ...boats, fields } };
  await app.world.apply({ ...ACME, objects });
  await page.getByText('Sails').waitFor();
});

longTest(
  'tabs share one stream; when the one that reads it is closed, the next one continues',
  async () => {
    const id = await app.make('companies', { name: 'Watched' });
    const address = network.through(`${app.address}/o/companies/${id}`);
    const before = network.opened();
    const first = await app.as('mia');
    await first.goto(address);
    await expect.poll(() => network.streams()).toBe(1);
    const others = [];
    for (let count = 0; count < 3; count += 1) {
      const tab = await first.context().newPage();
      await tab.goto(address);
      await tab.getByRole('heading', { name: 'Watched' }).waitFor();
      others.push(tab);
    }
    expect([network.streams(), network.opened()]).toEqual([1, before + 1]);
    await set('companies', id, { name: 'Seen by all' });
    for (const tab of [first, ...others]) {
      await tab.bringToFront();
      await tab.getByRole('heading', { name: 'Seen by all' }).waitFor();
    }
    await first.close();
    await set('companies', id, { name: 'Seen by the others' });
    for (const tab of others) {
      await tab.bringToFront();
      await tab.getByRole('heading', { name: 'Seen by the others' }).waitFor();
    }
    await expect.poll(() => network.streams()).toBe(1);
    expect(network.opened()).toBe(before + 2);
    const [tab] = others;
    await tab?.bringToFront();
    await tab?.getByRole('button', { name: 'Settings of Mia' }).click();
    await tab?.getByRole('menuitem', { name: 'Sign out' }).click();
    await expect.poll(() => network.streams()).toBe(0);
    for (const one of others) await one.getByRole('heading', { name: 'Sign in to acme' }).waitFor();
  },
);

test('a cut loses no event and repeats none', async () => {
  const company = await app.make('companies', { name: 'Y' });
  const ids = await app.makeAll(
    'boats',
    ['Cut A', 'Cut B'].map((name) => ({ name, company_id: company })),
  );
  const page = await app.as('ada');
  await page.goto(network.through(`${app.address}/o/boats`));
  await row(page, 'Cut A').waitFor();
  await expect.poll(() => network.streams()).toBe(1);
  network.cut();
  await expect.poll(() => network.streams()).toBe(0);
  await set('boats', ids[0] ?? '', { name: 'Cut A, changed meanwhile' });
  await app.ada.delete(`/objects/boats/records/${ids[1]}`);
  await app.make('boats', { name: 'Made meanwhile', company_id: company });
  expect(await row(page, 'Cut B').count()).toBe(1);
  network.restore();
  await row(page, 'Cut A, changed meanwhile').waitFor();
  await row(page, 'Cut B').waitFor({ state: 'detached' });
  await page.getByText('1 change', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await row(page, 'Made meanwhile').waitFor();
  expect(await row(page, 'Cut A, changed meanwhile').count()).toBe(1);
  expect(await row(page, 'Made meanwhile').count()).toBe(1);
  await page.context().setOffline(true);
  await page.getByText('You are offline').waitFor();
  await set('boats', ids[0] ?? '', { name: 'Cut A, once more' });
  await page.context().setOffline(false);
  await row(page, 'Cut A, once more').waitFor();
});
