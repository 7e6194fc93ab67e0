// Messages for failures: no network, a service that is busy, a session that was ended elsewhere, an address that
// leads nowhere. No data is lost by any of it.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { shareCounting } from '../../../../test/count-together.ts';
import { axeFindings } from '../axe.ts';
import { type BrowserWorld, openBrowserWorld, visit } from '../browser-world.ts';
import { longTest } from '../long.ts';

let app: BrowserWorld;

beforeAll(async () => {
  app = await openBrowserWorld();
});
afterAll(() => app?.close());

async function openCompany(name: string) {
  const id = await app.make('companies', { name });
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/companies/${id}`);
  const heading = page.getByRole('heading', { name });
  const rename = () => heading.getByRole('button').click();
  await heading.waitFor();
  const nameOf = async () => {
    const [row] = await app.world.rows('select name from companies where id = $1', [id]);
    return row?.name;
  };
  return { page, rename, nameOf };
}

test('without a network it says so, and what was typed is saved when there is one again', async () => {
  const { page, rename, nameOf } = await openCompany('Before the cut');
  await rename();
  await page.getByRole('textbox', { name: 'Name' }).fill('After the cut');
  await page.context().setOffline(true);
  await page.getByText('You are offline. Your changes may not be saved.').waitFor();
  await page.keyboard.press('Enter');
  expect(await nameOf()).toBe('Before the cut');
  await page.context().setOffline(false);
  await page.getByText('You are offline').waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'After the cut' }).waitFor();
  expect(await nameOf()).toBe('After the cut');
});

test('a page that has failed comes back by itself when there is a network again', async () => {
  await app.make('deals', { name: 'Reached by itself' });
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/companies`);
  await page.getByRole('heading', { name: 'Companies', level: 1 }).waitFor();
  await page.context().setOffline(true);
  await page.getByText('You are offline').waitFor();
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await navigation.getByRole('link', { name: 'Deals' }).click();
  await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor();
  await page.context().setOffline(false);
  await page.getByRole('link', { name: 'Reached by itself' }).waitFor();
});

test('a service that requests a wait is waited for, with the seconds, and then the page continues', async () => {
  const { page, rename, nameOf } = await openCompany('Before the wait');
  let refused = 0;
  await page.route('**/v1/objects/companies/records/*', (route) => {
    if (route.request().method() !== 'PATCH' || refused > 0) return route.continue();
    refused += 1;
    const error = { type: 'api_error', code: 'service_unavailable', message: 'Busy.' };
    return route.fulfill({
      status: 503,
      headers: { 'Retry-After': '2' },
      json: { error: { ...error, request_id: 'req_1' } },
    });
  });
  await rename();
  await page.getByRole('textbox', { name: 'Name' }).fill('After the wait');
  await page.keyboard.press('Enter');
  await page.getByText(/The service is busy. Trying again in \d s/).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('heading', { name: 'After the wait' }).waitFor();
  expect([refused, await nameOf()]).toEqual([1, 'After the wait']);
});

longTest('so is a limit of requests that the service really has', async () => {
  const { page } = await openCompany('Much asked');
  await shareCounting(app.world.database);
  // As after that many requests of this session, in a minute that does not end at once.
  await app.world.database.rows(
    `select pg_sleep(greatest(0, extract(second from now()) - 50) * 1.2)`,
  );
  await app.world.database.rows(`update workspace_records.rate_windows
    set requests = 100000, window_start = date_trunc('minute', clock_timestamp())`);
  await page.getByRole('link', { name: 'Boats' }).click();
  await page.getByText(/The service is busy. Trying again in \d+ s/).waitFor();
});

longTest(
  'a session that was ended elsewhere is asked for at once, also when nothing is done',
  async () => {
    const { page } = await openCompany('Watched');
    await page.waitForFunction(async () => {
      const { held = [] } = await navigator.locks.query();
      return held.some(({ name }) => name?.startsWith('wrs.live:'));
    });
    await app.world.database.rows(
      'update workspace_records.sessions set ended_at = now() where user_id = $1',
      [app.world.users.ada],
    );
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
  },
);

longTest('an address that leads nowhere says so, and leads back', async () => {
  const page = await app.as('mia');
  await page.goto(`${app.address}/o/companies`);
  await page.getByRole('heading', { name: 'Companies' }).waitFor();
  await visit(page, `${app.address}/o/companies/01900000-0000-7000-8000-000000000000`);
  await page.getByRole('heading', { name: 'This record is not available' }).waitFor();
  await page.getByRole('link', { name: 'Back to Companies' }).click();
  await page.getByRole('heading', { name: 'Companies' }).waitFor();
});

longTest(
  'an invitation: a link of the administrator, a password, and signing in by it next time',
  async () => {
    const ada = await app.world.inSession('ada');
    const person = { name: 'Ida New', email: 'ida@acme.example', roles: ['rep'] };
    const made = await ada.post('/users', person);
    const { body } = await ada.post(`/users/${made.body.data.id}/sign_in_links`, {});
    const page = await app.window();
    await page.goto(body.data.url);
    await page.getByRole('heading', { name: 'Welcome, Ida New' }).waitFor();
    await page.getByLabel('New password').fill('short');
    await page.getByLabel('New password').fill('a sentence is a good password');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    const later = await app.window();
    await later.goto(`${app.address}/o/deals`);
    await later.getByLabel('E-mail address').fill('ida@acme.example');
    await later.getByLabel('Password', { exact: true }).fill('a sentence is a good password');
    await later.keyboard.press('Enter');
    await later.getByRole('heading', { name: 'Deals' }).waitFor();
  },
);
