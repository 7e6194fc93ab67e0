// Mentions: a number in the navigation that is there within a moment, the page of them, and reading them, in every tab.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { axeFindings } from '../axe.ts';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';
import { longTest } from '../long.ts';

let app: BrowserWorld;

beforeAll(async () => {
  app = await openBrowserWorld();
});
afterAll(() => app?.close());
beforeEach(async () => {
  await app.world.rows('delete from _notifications');
});

async function mention(name: 'mia' | 'sam', company: string): Promise<void> {
  const path = `/objects/companies/records/${company}/comments`;
  const mention_user_ids = [app.world.users[name]];
  const { status } = await app.ada.post(path, { body: 'Please look.', mention_user_ids });
  expect(status).toBe(201);
}

const company = (name: string) => app.make('companies', { name });

test('a comment of somebody without a name has the address', async () => {
  const id = await company('Nameless Works');
  const nameAda = (name: string | null) =>
    app.world.database.rows('update ws_acme._users set name = $1 where id = $2', [
      name,
      app.world.users.ada,
    ]);
  await nameAda(null);
  await mention('mia', id);
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/companies/${id}`);
  await page.getByRole('listitem').filter({ hasText: 'Please look.' }).getByText(/^ada@/).waitFor();
  await nameAda('Ada');
});

test('a mention shows in the navigation at once, leads to its record, and is read by that in every tab', async () => {
  const id = await company('Harbour Supplies');
  const page = await app.as('mia');
  await page.goto(`${app.address}/o/companies`);
  await page.getByRole('link', { name: 'Harbour Supplies' }).waitFor();
  await page.getByRole('link', { name: 'Notifications', exact: true }).waitFor();
  await mention('mia', id);
  await page.getByRole('link', { name: 'Notifications, 1 unread' }).waitFor();
  const other = await page.context().newPage();
  await other.goto(`${app.address}/notifications`);
  await other.getByText('Ada mentioned you').waitFor();
  await other.getByRole('link', { name: 'Notifications, 1 unread' }).waitFor();
  await page.bringToFront();
  await page.getByRole('link', { name: 'Notifications, 1 unread' }).click();
  const item = page.getByRole('listitem').filter({ hasText: 'Harbour Supplies' });
  await item.getByRole('link').click();
  await page.getByRole('heading', { name: 'Harbour Supplies' }).waitFor();
  expect(page.url()).toContain(`/o/companies/${id}#comment-`);
  await page.locator('li:focus').filter({ hasText: 'Please look.' }).waitFor();
  await page.getByRole('link', { name: 'Notifications', exact: true }).waitFor();
  await other.bringToFront();
  await other.getByRole('link', { name: 'Notifications', exact: true }).waitFor();
  expect(await other.getByRole('button', { name: 'Mark as read' }).count()).toBe(0);
});

test('a job that failed shows in the navigation within five minutes', async () => {
  const page = await app.as('sam');
  await page.clock.install();
  const counted = page.waitForResponse((answer) => answer.url().includes('/notifications'));
  await page.goto(`${app.address}/o/companies`);
  await counted;
  await page.getByRole('link', { name: 'Notifications', exact: true }).waitFor();
  await app.world.rows(
    `insert into ws_acme._notifications (id, kind, user_id, subject_id) values (gen_random_uuid(), 'job_failed', $1, gen_random_uuid())`,
    [app.world.users.sam],
  );
  await page.clock.fastForward('04:50');
  await page.getByRole('link', { name: 'Notifications', exact: true }).waitFor();
  await page.clock.fastForward('00:20');
  await page.getByRole('link', { name: 'Notifications, 1 unread' }).waitFor();
});

longTest('unread ones by themselves, each or all marked as read', async () => {
  const names = ['Alpha', 'Beta', 'Gamma'];
  for (const name of names) await mention('sam', await company(name));
  const page = await app.as('sam');
  await page.goto(`${app.address}/notifications`);
  await page.getByRole('link', { name: 'Notifications, 3 unread' }).waitFor();
  const items = page.getByRole('listitem').filter({ hasText: 'Ada mentioned you' });
  await page.getByText('Gamma').waitFor();
  expect(await items.count()).toBe(3);
  expect(await axeFindings(page, 'both')).toEqual([]);
  await page.getByRole('link', { name: 'Unread', exact: true }).click();
  await page.waitForURL(/\?unread=true$/);
  await items.filter({ hasText: 'Beta' }).getByRole('button', { name: 'Mark as read' }).click();
  await expect.poll(() => items.count()).toBe(2);
  await page.getByRole('button', { name: 'Mark all as read' }).click();
  await page.getByText('No unread notifications').waitFor();
  await page.getByRole('link', { name: 'Notifications', exact: true }).waitFor();
  await page.getByRole('link', { name: 'All', exact: true }).click();
  await expect.poll(() => items.count()).toBe(3);
});

longTest.each([
  ['dark', { colorScheme: 'dark' as const }],
  ['on a telephone', { width: 390 }],
])('the pages are whole, %s', async (_, look) => {
  await mention('mia', await company('Seen by axe'));
  const page = await app.as('mia', look);
  await page.goto(`${app.address}/notifications`);
  await page.getByText('Seen by axe').first().waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.goto(`${app.address}/search?q=seen`);
  await page
    .getByRole('link', { name: /Seen by axe/ })
    .first()
    .waitFor();
  expect(await axeFindings(page)).toEqual([]);
});
