// An administrator views as a person: with a banner, read only, what that person sees; then stops, and both are in the
// audit.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../axe.ts';
import { type BrowserWorld, openBrowserWorld, visit } from '../browser-world.ts';
import { settling } from '../settling.ts';

let app: BrowserWorld;

beforeAll(async () => {
  app = await openBrowserWorld();
  const rob = await app.world.as('rob');
  await rob.post('/objects/deals/records', { fields: { name: 'Rope of Rob' } });
  await app.make('deals', { name: 'Hidden from Rob', secret: 'secret words' });
});
afterAll(() => app?.close());

test('the list, the record and the settings are those of the person, and nothing is refused', async () => {
  const page = await app.as('ada');
  const refused: string[] = [];
  const answers: Promise<unknown>[] = [];
  await page.goto(`${app.address}/settings/people/${app.world.users.rob}`);
  await page.getByRole('button', { name: 'View as' }).waitFor();
  const settle = settling(page);
  page.on('response', (response) => {
    if (response.status() === 403) refused.push(`${response.request().method()} ${response.url()}`);
    answers.push(
      response.text().then(
        (text) => expect(text).not.toContain('secret words'),
        () => undefined,
      ),
    );
  });
  await page.getByRole('button', { name: 'View as' }).click();
  await page.getByText('You are viewing as Rob.').waitFor();
  expect(await axeFindings(page, 'both')).toEqual([]);
  await visit(page, `${app.address}/o/deals`);
  await page.getByRole('link', { name: 'Rope of Rob' }).waitFor();
  expect(await page.getByText('Hidden from Rob').count()).toBe(0);
  expect(await page.getByRole('button', { name: /^New/ }).count()).toBe(0);
  await page.getByRole('link', { name: 'Rope of Rob' }).click();
  await page.getByRole('heading', { name: 'Rope of Rob', level: 1 }).waitFor();
  await page.getByText('No comments yet.').waitFor();
  expect(await page.getByRole('textbox').count()).toBe(0);
  for (const [path, name] of [
    ['notifications', 'Notifications'],
    ['search?q=rope', 'Search'],
    ['settings/profile', 'Profile'],
    ['settings/people', 'People'],
  ] as const) {
    await visit(page, `${app.address}/${path}`);
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await settle();
  }
  await page.getByText('Only administrators can open this page').waitFor();
  // The tab stays so after a reload.
  await page.reload();
  await page.getByText('You are viewing as Rob.').waitFor();
  await Promise.all(answers);
  expect(refused).toEqual([]);

  await page.getByRole('button', { name: 'Stop viewing as Rob' }).click();
  await page.getByRole('heading', { name: 'Rob', level: 1 }).waitFor();
  expect(await page.getByText('You are viewing as Rob.').count()).toBe(0);
  await visit(page, `${app.address}/settings/audit?subject_type=viewing`);
  const table = page.getByRole('table', { name: 'Audit' });
  await table.getByRole('row', { name: /Ada View as person ended Rob/ }).waitFor();
  await table.getByRole('row', { name: /Ada View as person begun Rob/ }).waitFor();
});

test('when it is over, the tab is that of the administrator again', async () => {
  const page = await app.as('ada', { width: 390 });
  await page.goto(`${app.address}/settings/people/${app.world.users.mia}`);
  await page.getByRole('button', { name: 'View as' }).click();
  await page.getByText('You are viewing as Mia.').waitFor();
  const isWide = () => document.documentElement.scrollWidth > document.documentElement.clientWidth;
  expect(await page.evaluate(isWide)).toBe(false);
  await app.world.database.rows(
    `update workspace_records.sessions set viewed_until = now() where viewed_until is not null`,
  );
  const settle = settling(page);
  await expect
    .poll(async () => {
      await visit(page, `${app.address}/o/deals?sort=name`);
      await visit(page, `${app.address}/o/companies`);
      await settle();
      return page.getByText('You are viewing as Mia.').count();
    })
    .toBe(0);
});
