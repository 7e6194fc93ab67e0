// The first page: the person's open records, mentions, the last opened records; and the message for a person without
// rights.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../axe.ts';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';
import { longTest } from '../long.ts';
import { settling } from '../settling.ts';

let app: BrowserWorld;

beforeAll(async () => {
  app = await openBrowserWorld();
});
afterAll(() => app?.close());

test('an empty workspace shows its administrator the first steps until there is a record', async () => {
  const page = await app.as('ada');
  await page.goto(app.address);
  await page.getByRole('heading', { name: 'This workspace has no records yet' }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('button', { name: /^Start with work items/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Start with work items' });
  await dialog.getByText('To do, In progress, In review, Done').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await hideContacts(page);
  await app.make('companies', { name: 'The first' });
  await page.reload();
  await page.getByText('No open work').waitFor();
  await expect.poll(() => page.getByText('has no records yet').count()).toBe(0);
});

/** An object that the person hides is under “More objects”, also after a reload. */
async function hideContacts(page: Page): Promise<void> {
  const inMain = page.getByRole('main').getByRole('button', { name: 'Show or hide objects' });
  await inMain.click();
  const choice = page.getByRole('dialog', { name: 'Show or hide objects' });
  await choice.getByRole('checkbox', { name: 'Contacts' }).uncheck();
  expect(await axeFindings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await inMain.and(page.locator(':focus')).waitFor();
  const navigation = page.getByRole('navigation', { name: 'Main' });
  const contacts = navigation.getByRole('link', { name: 'Contacts' });
  await expect.poll(() => contacts.count()).toBe(0);
  await page.reload();
  await navigation.getByRole('button', { name: 'More objects' }).click();
  await contacts.waitFor();
  await navigation.getByRole('link', { name: 'Companies' }).waitFor();
}

test('own records that are not done, mentions and what was opened last; a change shows by itself', async () => {
  const { ada } = app;
  const make = (name: string) => app.make('deals', { name, owner_user_id: app.world.users.rob });
  const [open, done] = [await make('To be won'), await make('Done with')];
  await ada.post(`/objects/deals/records/${done}/status`, { status_id: 'won' });
  await ada.post(`/objects/deals/records/${open}/comments`, {
    body: 'Rob?',
    mention_user_ids: [app.world.users.rob],
  });
  const page = await app.as('rob');
  await page.goto(`${app.address}/o/deals/${done}`);
  await page.getByRole('heading', { name: 'Done with' }).waitFor();
  await page.getByRole('link', { name: 'Home' }).click();
  await page.getByRole('heading', { name: 'Your open deals' }).waitFor();
  await page.getByText('Ada mentioned you').waitFor();
  // Among the open ones, and in the mention; finished ones only among the last opened.
  const work = page.getByRole('region', { name: 'Your open deals' });
  await work.getByRole('link', { name: 'To be won' }).waitFor();
  await work.getByText('Open', { exact: true }).waitFor();
  const mentions = page.getByRole('region', { name: 'Unread notifications' });
  await mentions.getByRole('link', { name: /mentioned you.*To be won/ }).waitFor();
  await mentions.getByText('Rob?').waitFor();
  await expect.poll(() => page.getByRole('link', { name: /^Done with/ }).count()).toBe(1);
  expect(await axeFindings(page)).toEqual([]);
  const third = await make('Just assigned');
  await page.getByRole('link', { name: /^Just assigned/ }).waitFor();
  await ada.post(`/objects/deals/records/${third}/status`, { status_id: 'lost' });
  await page.getByRole('link', { name: 'Show all', exact: true }).click();
  await page.waitForURL(/filter\[status\]\[in\]=open/);
  await page.getByRole('heading', { name: 'Deals', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'To be won', exact: true }).waitFor();
});

test('favorites and dashboards are links, and where there are none there is no part for them', async () => {
  const page = await app.as('mia');
  const settle = settling(page);
  await page.goto(app.address);
  await page.getByText('No open work').waitFor();
  await settle();
  const links = page.getByRole('navigation', { name: 'Favorites and dashboards' });
  expect(await links.count()).toBe(0);
  const mia = await app.world.as('mia');
  const view = { object_type: 'deals', kind: 'table', name: 'Large ones', query: {} };
  const { body } = await mia.post('/views', view);
  const id = body.data.id;
  const order = { object_type: 'deals', view_ids: [id], default_view_id: null };
  await mia.put('/views/order', { ...order, favorite_view_ids: [id] });
  await mia.post('/dashboards', { name: 'The quarter', tiles: [] });
  await page.reload();
  await links.getByRole('link', { name: 'The quarter' }).waitFor();
  await links.getByRole('link', { name: 'Large ones' }).click();
  await page.waitForURL(new RegExp(`/o/deals\\?view=${id}`));
});

test('a person without read rights gets the next step, and sees new rights', async () => {
  const roles = (names: string) =>
    app.world.database.rows(`update ws_acme._users set roles = $1 where name = 'Con'`, [names]);
  await roles('{}');
  const page = await app.as('con');
  await page.goto(app.address);
  await page.getByText('You cannot read any records yet').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await roles('{contractor}');
  await page.getByRole('main').getByRole('button', { name: 'New deal' }).waitFor();
});

longTest('what cannot be read is said, and read when it is asked for again', async () => {
  await app.make('deals', { name: 'Hers', owner_user_id: app.world.users.ada });
  const page = await app.as('ada');
  const broken = [/notifications\?/, /\/v1\/definition$/, /\/query$/];
  for (const url of broken) await page.route(url, (route) => route.fulfill({ status: 500 }));
  await page.goto(app.address);
  const mentions = page.getByRole('region', { name: 'Unread notifications' });
  const work = page.getByRole('region', { name: 'Your open records' });
  await mentions.getByRole('alert').waitFor();
  await work.getByRole('alert').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.unroute(/\/v1\/definition$/);
  const refused = page.waitForResponse(/\/query$/);
  await work.getByRole('button', { name: 'Try again' }).click();
  await refused;
  await page.unroute(/\/query$/);
  await work.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('link', { name: /^Hers/ }).waitFor();
  expect(await work.getByRole('alert').count()).toBe(0);
  await page.unroute(/notifications\?/);
  await mentions.getByRole('button', { name: 'Try again' }).click();
  await mentions.waitFor({ state: 'detached' });
});

longTest(
  'the reference page violates no policy, not even by a question whether it may',
  async () => {
    const page = await app.window();
    const violations: string[] = [];
    await page.exposeFunction('note', (text: string) => violations.push(text));
    await page.addInitScript(`addEventListener('securitypolicyviolation', (event) =>
    note(event.violatedDirective + ' ' + event.blockedURI))`);
    const settle = settling(page);
    await page.goto(app.address.replace('/app/acme', '/reference'));
    await page.getByRole('heading', { level: 1, name: 'Workspace Records' }).waitFor();
    await settle();
    expect(violations).toEqual([]);
  },
);
