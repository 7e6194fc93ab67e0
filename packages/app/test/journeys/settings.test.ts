// A person's own settings: the look of the application, the password, the sessions, and the removal of a key's
// secret.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { guardKey } from '../../../../test/access/canary.ts';
import { call } from '../../../../test/http-client.ts';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';
import { longTest } from '../long.ts';

let app: BrowserWorld;

beforeAll(async () => {
  app = await openBrowserWorld();
});
afterAll(() => app?.close());

longTest(
  'the theme is that of the system until another one is chosen, and is again when it is chosen',
  async () => {
    const page = await app.as('sam', { colorScheme: 'dark' });
    await page.goto(`${app.address}/settings/profile`);
    const theme = page.getByLabel('Theme');
    const shown = () => page.evaluate(() => document.documentElement.dataset.mantineColorScheme);
    await theme.waitFor();
    await expect.poll(shown).toBe('dark');
    await theme.selectOption({ label: 'Light theme' });
    await expect.poll(shown).toBe('light');
    await page.reload();
    await expect.poll(shown).toBe('light');
    await theme.selectOption({ label: 'System theme' });
    await expect.poll(shown).toBe('dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(shown).toBe('light');
  },
);

longTest('a password is set and changed, which ends the other sessions', async () => {
  const page = await app.as('mia');
  await page.goto(`${app.address}/settings/profile`);
  const change = async (current: string, next: string) => {
    await page.getByLabel('Current password').fill(current);
    await page.getByLabel('New password').fill(next);
    await page.getByRole('button', { name: 'Set password' }).click();
  };
  await change('', 'the first of two sentences');
  await page.getByText(/password is set/i).waitFor();
  const other = await app.window();
  await other.goto(`${app.address}/sign-in`);
  await other.getByLabel('E-mail address').fill('mia@acme.example');
  await other.getByLabel('Password', { exact: true }).fill('the first of two sentences');
  await other.keyboard.press('Enter');
  await other.getByRole('heading', { name: 'Home' }).waitFor();
  await change('not this one at all', 'the second of two sentences');
  await page.getByText('The current password is wrong.').waitFor();
  await change('the first of two sentences', 'the second of two sentences');
  await other.getByRole('dialog', { name: 'Sign in again' }).waitFor();
});

test('sessions are listed, and others than this one ended', async () => {
  const other = await app.as('rob');
  await other.goto(app.address);
  await other.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  const page = await app.as('rob');
  await page.goto(`${app.address}/settings/sessions`);
  await page.getByText('This session').waitFor();
  const sessions = page.getByRole('main').getByRole('listitem');
  expect(await sessions.count()).toBe(2);
  await page.getByRole('button', { name: 'End', exact: true }).click();
  await page.getByText('One session has ended.').waitFor();
  await expect.poll(() => sessions.count()).toBe(1);
  await other.getByRole('dialog', { name: 'Sign in again' }).waitFor();
});

/** All that the scripts of a page hold, as text. */
async function heapOf(page: Page): Promise<string> {
  const tools = await page.context().newCDPSession(page);
  const chunks: string[] = [];
  tools.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk));
  await tools.send('HeapProfiler.collectGarbage');
  await tools.send('HeapProfiler.takeHeapSnapshot');
  await tools.detach();
  return chunks.join('');
}

longTest(
  'the secret of a key is nowhere in the page when its dialog is closed; the list says when the key was used',
  async () => {
    const page = await app.as('rae');
    await page.goto(`${app.address}/settings/keys`);
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Once');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const secret = (await dialog.getByTestId('secret').textContent()) ?? '';
    guardKey(secret, '@acme.example');
    expect(await heapOf(page)).toContain(secret);
    for (const words of ['curl', '@workspace-records/client'])
      await dialog.locator('pre').filter({ hasText: words }).waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Never used').waitFor();
    await expect.poll(async () => (await heapOf(page)).includes(secret)).toBe(false);
    expect((await call(app.world.port, '/v1/me', { key: secret })).status).toBe(200);
    await page.reload();
    // The beginning of the minute in which it was used.
    await page.getByText(/^Used (?:now|\d+ \w+ ago)/).waitFor();
  },
);
