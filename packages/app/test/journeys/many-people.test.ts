// More people than a page has: each is found by typing.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ACME } from '../../../../test/world.ts';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';

let app: BrowserWorld;

beforeAll(async () => {
  app = await openBrowserWorld();
});
afterAll(() => app?.close());

test('an owner and a filter are chosen, and a mention is marked, among 130 people', async () => {
  const names = [...Array.from({ length: 130 }, (_, at) => `Person ${at + 100}`), 'Zoe Zander'];
  const users = Object.fromEntries(
    names.map((name, at) => [`person${at}@acme.example`, { name, roles: ['rep'] }]),
  );
  await app.world.apply({ ...ACME, users: { ...ACME.users, ...users } });
  const [{ id: zoe } = {}] = await app.world.rows(
    "select id from _users where name = 'Zoe Zander'",
  );
  const id = await app.make('deals', { name: 'Crowded' });
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/deals?q=Crowded&fields=owner_user_id`);
  // The people come after the first letters, and the text in the cell stays.
  await page.route(/\/v1\/users\?/, async (route) => {
    await sleep(1000);
    await route.continue();
  });
  await page.getByRole('link', { name: 'Crowded' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.getByRole('combobox', { name: /Owner/ }).fill('zoe');
  await page.getByRole('option', { name: 'Zoe Zander' }).click();
  const owner = async () =>
    (await app.world.rows('select owner_user_id from deals where id = $1', [id]))[0];
  await expect.poll(owner).toEqual({ owner_user_id: zoe });
  await page.goto(`${app.address}/o/deals?filter[owner_user_id][in]=${app.world.users.rob}`);
  await page.getByRole('group', { name: 'Filters' }).getByRole('button', { name: /Owner/ }).click();
  await page.getByRole('searchbox', { name: 'Search values' }).fill('zoe');
  await page.getByRole('checkbox', { name: 'Zoe Zander' }).waitFor();
  await app.ada.post(`/objects/deals/records/${id}/comments`, { body: 'Ask @Zoe Zander first' });
  await page.goto(`${app.address}/o/deals/${id}`);
  // A mention is an element of its own.
  await page.getByText('@Zoe Zander', { exact: true }).waitFor();
});
