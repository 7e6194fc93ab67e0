// Signing in: by password, by a one-time link, after failures, and again in the middle of work.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';
import { longTest } from '../long.ts';

const PASSWORD = 'a sentence of some length';

let app: BrowserWorld;

beforeAll(async () => {
  app = await openBrowserWorld();
});
afterAll(() => app?.close());
beforeEach(() => app.world.database.rows('delete from workspace_records.sign_in_attempts'));

test('an invitation: a link signs in once, its token leaves the address, a password is set', async () => {
  const link = await app.link('rob');
  const page = await app.window();
  await page.goto(link);
  await page.getByRole('heading', { name: 'Welcome, Rob' }).waitFor();
  expect(page.url()).toBe(`${app.address}/sign-in`);
  await page.getByLabel('New password').fill('short');
  await page.getByRole('button', { name: 'Set password' }).click();
  expect(await page.getByLabel('New password').evaluate((input) => input.matches(':invalid'))).toBe(
    true,
  );
  await page.getByLabel('New password').fill('rob@acme.example');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByText(/e-mail address/i).waitFor();
  await page.getByLabel('New password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  expect(page.url()).toBe(app.address);

  const other = await app.window();
  await other.goto(link);
  await other.getByText('It was used already').waitFor();
  await other.getByRole('link', { name: 'Sign in another way' }).click();
  await other.getByLabel('E-mail address').fill('rob@acme.example');
  await other.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await other.getByRole('button', { name: 'Sign in' }).click();
  await other.getByRole('heading', { name: 'Home' }).waitFor();
  // Sessions are told apart by browser and system.
  await other.goto(`${app.address}/settings/sessions`);
  await other.getByText('Chrome on Linux').first().waitFor();
});

test('a session that ends on the page of a link is reported', async () => {
  const page = await app.window();
  await page.goto(await app.link('rob'));
  await page.getByRole('heading', { name: 'Welcome, Rob' }).waitFor();
  await page.context().clearCookies();
  await page.getByLabel('New password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByText('Your session has ended. Sign in again.').waitFor();
});

longTest(
  'a wrong password is refused, ten lock the form for as long as the service says',
  async () => {
    const page = await app.window();
    await page.goto(`${app.address}/o/deals`);
    await page.getByRole('heading', { name: 'Sign in to acme' }).waitFor();
    const attempt = async (password: string) => {
      await page.getByLabel('E-mail address').fill('mia@acme.example');
      await page.getByLabel('Password', { exact: true }).fill(password);
      const answered = page.waitForResponse((response) => response.url().endsWith('/v1/sessions'));
      await page.getByRole('button', { name: 'Sign in' }).click();
      return (await answered).status();
    };
    expect(await attempt('wrong')).toBe(401);
    await page.getByRole('alert').getByText('address or the password is wrong').waitFor();
    for (let count = 1; count < 10; count += 1) expect(await attempt('wrong')).toBe(401);
    expect(await attempt('wrong')).toBe(429);
    await page.getByText(/Try again in 1[45]:\d\d/).waitFor();
    expect(await page.getByRole('button', { name: 'Sign in' }).isDisabled()).toBe(true);
  },
);

longTest('who comes by a link to a page signs in and is there', async () => {
  await setPassword('sam');
  const page = await app.window();
  await page.goto(`${app.address}/o/companies?sort=-name`);
  await page.getByLabel('E-mail address').fill('sam@acme.example');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Companies' }).waitFor();
  expect(page.url()).toBe(`${app.address}/o/companies?sort=-name`);
});

test('an address that leads out of the workspace leads to its first page', async () => {
  await setPassword('mia');
  const page = await app.window();
  for (const to of [
    '/acme/../../../evil',
    '/acme/%2e%2e/%2e%2e/evil',
    '//evil.example',
    '/globex',
  ]) {
    await page.goto(`${app.address}/sign-in?to=${to}`);
    await page.getByLabel('E-mail address').fill('mia@acme.example');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    expect(page.url()).toBe(app.address);
  }
});

longTest('who comes by a one-time link keeps where they wanted to go', async () => {
  const page = await app.window();
  const link = new URL(await app.link('rob'));
  await page.goto(`${link.origin}${link.pathname}?to=/acme/o/companies${link.hash}`);
  await page.getByRole('button', { name: 'Not now' }).click();
  await page.getByRole('heading', { name: 'Companies' }).waitFor();
  const other = await app.window();
  await other.goto(`${link.origin}${link.pathname}?to=/acme/o/companies${link.hash}`);
  await other.getByRole('link', { name: 'Sign in another way' }).click();
  await other.getByLabel('E-mail address').waitFor();
  expect(other.url()).toBe(`${app.address}/sign-in?to=/acme/o/companies`);
});

longTest('/app leads to the only session, and without one asks for the workspace', async () => {
  const signedIn = await app.as('ada');
  await signedIn.goto(app.address.replace('/acme', ''));
  await signedIn.getByRole('heading', { name: 'Home' }).waitFor();
  expect(signedIn.url()).toBe(app.address);
  const page = await app.window();
  await page.goto(app.address.replace('/app/acme', '/'));
  await page.getByLabel('Workspace').fill('acme');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Sign in to acme' }).waitFor();
});

test('a session that ends in the middle of work: what was typed is saved after signing in again', async () => {
  await setPassword('ada');
  const id = await app.make('companies', { name: 'Kept' });
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/companies/${id}`);
  await page.getByRole('button', { name: 'Kept' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Kept and changed');
  await page.context().clearCookies();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.waitFor();
  expect(await page.getByLabel('E-mail address').inputValue()).toBe('ada@acme.example');
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Kept and changed' }).waitFor();
  await dialog.waitFor({ state: 'detached' });
  const [row] = await app.world.rows('select name from companies where id = $1', [id]);
  expect(row).toEqual({ name: 'Kept and changed' });
});

test('signing out leaves no data in the browser, in no tab', async () => {
  const page = await app.as('mia');
  await page.goto(app.address);
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  const other = await page.context().newPage();
  await other.goto(`${app.address}/o/companies`);
  await other.getByRole('heading', { name: 'Companies' }).waitFor();
  await page.evaluate(() => sessionStorage.setItem('wrs.draft:x', '"kept"'));
  await page.getByRole('button', { name: 'Settings of Mia' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in to acme' }).waitFor();
  await other.getByRole('heading', { name: 'Sign in to acme' }).waitFor();
  const kept = await page.evaluate(() => Object.keys({ ...sessionStorage }));
  expect(kept.filter((name) => name.startsWith('wrs.'))).toEqual([]);
  expect(await page.context().cookies()).toEqual([]);
});

test('a link in a browser with a session needs a confirmation before it replaces the session', async () => {
  const page = await app.as('ada');
  const unused = await app.link('rob');
  await page.goto(unused);
  await page.getByRole('heading', { name: 'You are already signed in' }).waitFor();
  await page.getByRole('button', { name: 'Stay signed in as Ada' }).click();
  await page.getByRole('button', { name: 'Settings of Ada' }).waitFor();
  const opened = await app.make('companies', { name: 'Opened by Ada' });
  await page.goto(`${app.address}/o/companies/${opened}`);
  await page.getByRole('heading', { name: 'Opened by Ada' }).waitFor();
  const drafts = () => page.evaluate(() => JSON.stringify({ ...sessionStorage }));
  await expect.poll(drafts).toContain('Opened by Ada');
  await page.goto(unused);
  await page.getByRole('button', { name: 'Use the link' }).click();
  await page.getByRole('heading', { name: 'Welcome, Rob' }).waitFor();
  await page.getByRole('button', { name: 'Not now' }).click();
  await page.getByRole('button', { name: 'Settings of Rob' }).waitFor();
  expect(await drafts()).not.toContain('Opened by Ada');
});

test('a tab notices that another person has signed in, and does not write in their name', async () => {
  const id = await app.make('companies', { name: 'Of Ada' });
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/companies/${id}`);
  await page.getByRole('heading', { name: 'Of Ada' }).getByRole('button').click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Of nobody');
  const other = await page.context().newPage();
  await other.goto(await app.link('rob'));
  await other.getByRole('button', { name: 'Use the link' }).click();
  // Announced when it is made: "Welcome" stays open.
  await other.getByRole('heading', { name: 'Welcome, Rob' }).waitFor();
  const dialog = page.getByRole('dialog', { name: 'Another person has signed in' });
  await dialog.waitFor();
  const writes: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PATCH') writes.push(request.url());
  });
  await page.getByRole('textbox', { name: 'Name', includeHidden: true }).press('Enter');
  await page.keyboard.press('Escape');
  expect(writes).toEqual([]);
  await dialog.getByRole('button', { name: 'Continue as Rob' }).click();
  await page.getByRole('button', { name: 'Settings of Rob' }).waitFor();
  await dialog.waitFor({ state: 'detached' });
});

async function setPassword(person: 'ada' | 'mia' | 'sam'): Promise<void> {
  const session = await app.world.inSession(person);
  expect((await session.put('/me/password', { password: PASSWORD })).status).toBe(200);
}
