// Developer settings: a key is made, its secret is shown once and works, then it is revoked.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { guardKey } from '../../../../test/access/canary.ts';
import { call } from '../../../../test/http-client.ts';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';

let app: BrowserWorld;

beforeAll(async () => {
  app = await openBrowserWorld();
});
afterAll(() => app?.close());

test('a key is shown once, works, and is revoked', async () => {
  const page = await app.as('rob');
  await page.goto(`${app.address}/settings/keys`);
  const opener = page.getByRole('button', { name: 'New key' });
  await opener.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Berth display');
  // The second press of a double click comes when the dialog is there, beside it.
  await opener.click({ force: true });
  await page.mouse.click(5, 5);
  expect(await dialog.getByLabel('Name').inputValue()).toBe('Berth display');
  expect(await dialog.getByLabel('records:read').isChecked()).toBe(true);
  expect(await dialog.getByText('workspace:write').count()).toBe(0);
  await dialog.getByLabel('users:read').check();
  await dialog.getByLabel('Requests per minute').fill('60');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const secret = (await dialog.getByTestId('secret').textContent()) ?? '';
  expect(secret).toMatch(/^wrs_p_\w{30,}$/);
  guardKey(secret, '@acme.example');
  const me = await call(app.world.port, '/v1/me', { key: secret });
  expect(me.json.data).toMatchObject({
    user: { id: app.world.users.rob },
    api_key: { name: 'Berth display', scopes: ['records:read', 'users:read'] },
    rate_limit: { requests_per_minute: 60 },
  });

  await page.mouse.click(5, 5);
  expect(await dialog.count()).toBe(1);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain(secret);
  await page.reload();
  await page.getByText('Berth display').waitFor();
  expect(await page.content()).not.toContain(secret);
  expect(
    await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage })),
  ).not.toContain(secret);

  await page.getByRole('button', { name: 'Revoke Berth display' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('“Berth display” was revoked.').waitFor();
  await page.getByText('No keys yet').waitFor();
  const gone = await call(app.world.port, '/v1/me', { key: secret });
  expect(gone.status).toBe(401);
});

test('a sign-in that is too old is repeated, then the key is made', async () => {
  const session = await app.world.inSession('ada');
  await session.put('/me/password', { password: 'a sentence of some length' });
  const page = await app.as('ada');
  await app.world.database.rows(
    `update workspace_records.sessions set created_at = created_at - interval '31 minutes'`,
  );
  await page.goto(`${app.address}/settings/keys`);
  await page.getByRole('button', { name: 'New key' }).click();
  const form = page.getByRole('dialog', { name: 'New key' });
  await form.getByLabel('Name').fill('After it');
  await form.getByRole('button', { name: 'Create key' }).click();
  const again = page.getByRole('dialog', { name: 'Confirm your identity' });
  await again.getByLabel('Password', { exact: true }).fill('a sentence of some length');
  await again.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('dialog', { name: 'Key “After it”' }).waitFor();
});

test('a person without developer access is offered none', async () => {
  const page = await app.as('con');
  await page.goto(`${app.address}/settings/keys`);
  await page.getByText('You have no developer access').waitFor();
  expect(await page.getByRole('button', { name: 'New key' }).count()).toBe(0);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('key');
  // Only the link to the page that searches, and the list of keys of the keyboard.
  await page.getByRole('option', { name: 'Search' }).waitFor();
  await page.getByRole('option', { name: 'Keyboard shortcuts' }).waitFor();
  expect(await page.getByRole('option').count()).toBe(2);
});

test('an administrator creates a key for an agent, sees all keys, and revokes one', async () => {
  const page = await app.as('ada');
  await page.goto(`${app.address}/settings/keys?user=${app.world.users.bot}`);
  await page.getByText('then create a key that acts for them', { exact: false }).waitFor();
  const whose = page.getByRole('combobox', { name: 'Whose keys' });
  await expect.poll(() => whose.inputValue()).not.toBe('');
  await page.getByRole('button', { name: 'New key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Crane');
  await dialog.getByLabel('Requests per minute').fill('30');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const secret = (await dialog.getByTestId('secret').textContent()) ?? '';
  guardKey(secret, '@acme.example');
  expect(secret).toMatch(/^wrs_o_\w{30,}$/);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByText('Crane').waitFor();
  const me = await call(app.world.port, '/v1/me', { key: secret });
  expect(me.json.data).toMatchObject({ user: { id: app.world.users.bot } });
  await page.getByRole('button', { name: 'Keys of everyone' }).click();
  await page.waitForURL(/user=all/);
  await page.getByRole('link', { name: 'Bot' }).waitFor();
  expect(await page.getByRole('button', { name: 'New key' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Revoke Crane' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('“Crane” was revoked.').waitFor();
  expect((await call(app.world.port, '/v1/me', { key: secret })).status).toBe(401);
});
