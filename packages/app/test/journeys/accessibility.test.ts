// Every page and every open dialog, by the rules of WCAG 2.2 AA, on a desk and on a telephone; each in both themes.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../axe.ts';
import { type BrowserWorld, type Look, openBrowserWorld, visit } from '../browser-world.ts';
import { longTest, someOf } from '../long.ts';

let app: BrowserWorld;
let deal: string;

beforeAll(async () => {
  app = await openBrowserWorld();
  const firm = { name: 'Harbour Supplies', tier: 'gold', revenue: 12, founded: '1999-01-01' };
  const company_id = await app.make('companies', firm);
  deal = await app.make('deals', { name: 'Rope', amount: 5, tags: ['hot'], company_id });
  await app.make('readings', { value: 1 });
});
afterAll(() => app?.close());

const LOOKS: readonly (readonly [string, Look])[] = [
  ['on a desk', {}],
  ['on a telephone', { width: 390 }],
];

const heading = (name: string) => (page: Page) =>
  page.getByRole('heading', { name, level: 1 }).waitFor();

/** Pages and their required text, in turns with the dialogs opened on them. */
const STEPS: readonly (readonly [string, string, (page: Page) => Promise<unknown>])[] = [
  ['home', '', heading('Home')],
  [
    'a list',
    '/o/companies',
    (page) => page.getByRole('link', { name: 'Harbour Supplies' }).waitFor(),
  ],
  ['an empty list', '/o/boats', (page) => page.getByText('No records yet').waitFor()],
  ['an unknown page', '/nothing/here', heading('Not found')],
  ['notifications', '/notifications', heading('Notifications')],
  ['profile', '/settings/profile', (page) => page.getByLabel('New password').waitFor()],
  ['sessions', '/settings/sessions', (page) => page.getByText('This session').waitFor()],
  ['keys', '/settings/keys', (page) => page.getByRole('button', { name: 'New key' }).waitFor()],
  ['webhooks', '/settings/webhooks', (page) => page.getByText('No webhooks yet').waitFor()],
  ['an unknown object', '/o/nothing', heading('Not found')],
  // Deals are not searched unless a definition says so.
  [
    'hits',
    '/search?q=harbour',
    (page) => page.getByRole('link', { name: /Harbour Supplies/ }).waitFor(),
  ],
  [
    'a list with a filter',
    '/o/deals?filter[amount][gt]=1&sort=-amount',
    (page) => page.getByRole('link', { name: 'Rope' }).waitFor(),
  ],
];

test.each(someOf(LOOKS, 1))('pages, %s', async (_, look) => {
  const page = await app.as('ada', look);
  for (const [name, path, ready] of [
    ...someOf(STEPS, 8),
    ['a record', `/o/deals/${deal}`, heading('Rope')] as const,
  ]) {
    await visit(page, app.address + path);
    await ready(page);
    expect(await axeFindings(page, 'both'), name).toEqual([]);
  }
});

longTest.each(LOOKS)('what opens, %s', async (_, look) => {
  const page = await app.as('ada', look);
  await page.goto(`${app.address}/o/deals/${deal}`);
  await heading('Rope')(page);
  const found = async (name: string) => expect(await axeFindings(page), name).toEqual([]);
  await page.getByRole('button', { name: /^amount/ }).click();
  await page.getByRole('textbox', { name: 'Amount' }).fill('x');
  await page.keyboard.press('Enter');
  await page.getByText('Enter a number such as 1,234.5.').waitFor();
  await found('a refused value');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Edit Company' }).click();
  await page.getByRole('option', { name: 'Harbour Supplies' }).waitFor();
  await found('a reference that is chosen');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^tags/ }).click();
  await page.getByRole('checkbox', { name: 'hot' }).waitFor();
  await found('several values that are chosen');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Status/ }).click();
  await page.getByRole('menuitem', { name: 'Won' }).waitFor();
  await found('the menu of a status');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search and commands' }).fill('harbour');
  await page.getByRole('option', { name: /Harbour Supplies/ }).waitFor();
  await found('the palette');
  await page.keyboard.press('Escape');
  if (look.width !== undefined) {
    await page.getByRole('button', { name: 'Open navigation' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Home' }).waitFor();
    await found('the drawer');
  }
  await page.getByRole('button', { name: 'Settings of Ada' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
  await found('the menu of the person');
  await page.keyboard.press('Escape');
  await visit(page, `${app.address}/settings/keys`);
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByRole('dialog').getByLabel('Name').waitFor();
  await found('a new key');
  await page.keyboard.press('Escape');
  await visit(page, `${app.address}/settings/webhooks/new`);
  await page.getByText('More options').click();
  await page.getByRole('checkbox', { name: 'Deals' }).check();
  await page.getByRole('checkbox', { name: 'Won' }).waitFor();
  await found('a new webhook');
  await visit(page, `${app.address}/settings/keys`);
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByRole('dialog').getByLabel('Name').waitFor();
  await page.context().clearCookies();
  await page.getByRole('dialog').getByLabel('Name').fill('Never made');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
  await found('the dialog to sign in again');
});

test.each(someOf(LOOKS, 1))('without a session, %s', async (_, look) => {
  const page = await app.window(look);
  await page.goto(app.address.replace('/acme', ''));
  await page.getByLabel('Workspace').waitFor();
  expect(await axeFindings(page, 'both')).toEqual([]);
  await page.goto(`${app.address}/sign-in`);
  await page.getByLabel('E-mail address').fill('ada@acme.example');
  await page.getByLabel('Password', { exact: true }).fill('wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').waitFor();
  expect(await axeFindings(page, 'both')).toEqual([]);
  await page.goto(await app.link('ada'));
  await page.getByLabel('New password').waitFor();
  expect(await axeFindings(page, 'both')).toEqual([]);
});
