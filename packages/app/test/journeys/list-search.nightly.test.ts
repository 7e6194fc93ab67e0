// The search in a list: in the name of a record, and in the shown columns of text that have an index.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';

let app: BrowserWorld;

beforeAll(async () => {
  app = await openBrowserWorld();
  await app.makeAll('contacts', [
    { name: 'Ada Stone', email: 'ada@quarry.example', phone: '+49 30 1' },
    { name: 'Quarry Master', email: 'master@stone.example' },
    { name: 'Nobody', email: 'no@body.example' },
  ]);
});
afterAll(() => app?.close());

test('a part of an e-mail address finds its record; columns without an index are named', async () => {
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/contacts?fields=email,phone&sort=name`);
  await page.getByRole('link', { name: 'Nobody' }).waitFor();
  const search = page.getByRole('searchbox', { name: 'Search in this list' });
  await search.focus();
  await expect
    .poll(() => search.getAttribute('title'))
    .toBe('Searches Name and E-mail. Not searched, because they have no index: Phone.');
  await page.keyboard.type('quarry');
  await page.getByRole('link', { name: 'Nobody' }).waitFor({ state: 'detached' });
  const names = () =>
    page
      .getByRole('grid')
      .getByRole('link', { name: /^[AQN]/ })
      .allInnerTexts();
  await expect.poll(names).toEqual(['Ada Stone', 'Quarry Master']);
  // The address has the words, and a change of the list keeps them.
  await page.waitForURL(/[?&]q=quarry/);
  await page.getByRole('button', { name: 'E-mail', exact: true }).click();
  await page.waitForURL(/sort=email/);
  expect(page.url()).toMatch(/q=quarry/);
  expect(page.url()).not.toMatch(/where/);
  // The name alone, where the column is not shown.
  await page.goto(`${app.address}/o/contacts?fields=phone&sort=name&q=quarry`);
  await page.getByRole('link', { name: 'Quarry Master' }).waitFor();
  expect(await page.getByRole('link', { name: 'Ada Stone' }).count()).toBe(0);
  await search.fill('nothing like it');
  await page.getByText('No matching records').waitFor();
  await page.getByRole('button', { name: 'Show all' }).click();
  await page.getByRole('link', { name: 'Nobody' }).waitFor();
  expect(page.url()).not.toMatch(/q=/);
});
