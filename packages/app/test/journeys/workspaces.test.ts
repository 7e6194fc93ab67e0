// Several workspaces in one browser: the menu of the person leads from one to another, while there is a session there.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { CANARY } from '../../../../test/world.ts';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';
import { settling } from '../settling.ts';

let app: BrowserWorld;

beforeAll(async () => {
  app = await openBrowserWorld();
});
afterAll(() => app?.close());

test('the other workspace is offered in the menu of the person, and no longer after signing out there', async () => {
  const page = await app.as('ada');
  const other = await app.world.inSession('ada', { workspace: 'globex' });
  const [name = '', value = ''] = other.cookie.split('=');
  const url = new URL(app.address).origin;
  await page.context().addCookies([{ name, value, url, httpOnly: true, sameSite: 'Lax' }]);
  const settle = settling(page);
  await page.goto(app.address);
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  const menu = page.getByRole('button', { name: /^Settings of Ada/ });
  await menu.click();
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
  await settle();
  expect(await page.getByText('Switch workspace').count()).toBe(0);
  await page.goto(app.address.replace('acme', 'globex'));
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  await menu.click();
  await page.getByText('Switch workspace').waitFor();
  await page.getByRole('menuitem', { name: 'Acme' }).click();
  await page.waitForURL(/\/app\/acme$/);
  await menu.click();
  await page.getByRole('menuitem', { name: `Globex ${CANARY}` }).waitFor();
  await other.delete('/sessions/current');
  await page.reload();
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  await menu.click();
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
  await settle();
  expect(await page.getByText('Switch workspace').count()).toBe(0);
});
