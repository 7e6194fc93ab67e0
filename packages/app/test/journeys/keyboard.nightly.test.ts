// Without a mouse: the palette leads everywhere, the focus goes along, and settings are changed.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';
import { longTest } from '../long.ts';

let app: BrowserWorld;

beforeAll(async () => {
  app = await openBrowserWorld();
});
afterAll(() => app?.close());

test('the palette leads to each page, and the focus to its heading', async () => {
  const page = await app.as('ada');
  await page.goto(app.address);
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  for (const [words, heading, path] of [
    ['compan', 'Companies', '/o/companies'],
    ['boats', 'Boats', '/o/boats'],
    ['notif', 'Notifications', '/notifications'],
    ['profile', 'Profile', '/settings/profile'],
    ['sessions', 'Sessions', '/settings/sessions'],
    ['developer', 'API keys', '/settings/keys'],
    ['home', 'Home', ''],
  ] as const) {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search and commands' }).fill(words);
    await page.getByRole('option', { name: heading }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    expect(page.url()).toBe(app.address + path);
    await expect.poll(() => page.title()).toBe(heading);
    await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
  }
});

test('settings have an entry of the navigation and are found by that word', async () => {
  const page = await app.as('ada');
  await page.goto(app.address);
  const entry = page.getByRole('link', { name: 'Settings', exact: true });
  await entry.click();
  await page.waitForURL(/settings\/profile$/);
  await page
    .getByRole('navigation', { name: 'Settings' })
    .getByRole('link', { name: 'Roles' })
    .click();
  await page.getByRole('heading', { name: 'Roles', level: 1 }).waitFor();
  await expect.poll(() => entry.getAttribute('aria-current')).toBe('page');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('settings');
  for (const name of ['Profile', 'People', 'Roles', 'Data model', 'Audit'])
    await page.getByRole('option', { name }).first().waitFor();
});

longTest('the palette finds records as one types, and opens one', async () => {
  const made = await app.make('companies', { name: 'Harbour Supplies' });
  const page = await app.as('ada');
  await page.goto(app.address);
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await page.locator('[role=combobox]:focus').waitFor();
  await page.keyboard.type('harbour sup');
  await page.getByRole('option', { name: /Harbour Supplies/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Harbour Supplies' }).waitFor();
  expect(page.url()).toBe(`${app.address}/o/companies/${made}`);
});

test('theme and language are switched from the palette and stay', async () => {
  const page = await app.as('ada');
  await page.goto(app.address);
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  const choose = async (words: string) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search and commands' }).fill(words);
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
  };
  const theme = () => page.evaluate(() => document.documentElement.dataset.mantineColorScheme);
  expect(await theme()).toBe('light');
  await choose('dark theme');
  await expect.poll(theme).toBe('dark');
  await choose('deutsch');
  await page.getByRole('link', { name: 'Start' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Start', level: 1 }).waitFor();
  expect(await theme()).toBe('dark');
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('de');
});

longTest('a browser that wants German has it', async () => {
  const page = await app.window({ locale: 'de-DE' });
  await page.goto(app.address);
  await page.getByRole('heading', { name: 'Bei acme anmelden' }).waitFor();
});

test('the first key of a page skips the navigation', async () => {
  const page = await app.as('ada');
  await page.goto(app.address);
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
});
