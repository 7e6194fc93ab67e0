// Two-step sign-in in Chromium with its virtual authenticator: set up in the profile, signing in by code, recovery code
// and passkey, a passkey alone, the set-up that a role requires, and the reset by an administrator.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeNow } from '../../../../test/factor-world.ts';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';

const PASSWORD = 'a sentence of some length';

let app: BrowserWorld;
let address: string;

beforeAll(async () => {
  app = await openBrowserWorld();
  // Passkeys need a host with a name.
  address = app.address.replace('127.0.0.1', 'localhost');
});
afterAll(() => app?.close());

/** A window in which the person has set a password after a link. */
async function openProfile(person: 'rob' | 'mia'): Promise<Page> {
  const page = await app.window();
  const tools = await page.context().newCDPSession(page);
  await tools.send('WebAuthn.enable');
  await tools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', automaticPresenceSimulation: true },
      ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
    },
  });
  await page.goto((await app.link(person)).replace('127.0.0.1', 'localhost'));
  await page.getByLabel('New password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Set password' }).click();
  return page;
}

async function signOut(page: Page): Promise<void> {
  await page.context().clearCookies();
  await page.goto(`${address}/sign-in`);
}

async function enterPassword(page: Page, person: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(`${person}@acme.example`);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

const atHome = (page: Page) => page.getByRole('heading', { name: 'Home' }).waitFor();
const forgetStep = () =>
  app.world.database.rows('update workspace_records.second_factors set code_step = 0');

/** Makes all sign-ins too old for changes of factors. The column in front has a trigger that empties caches. */
async function ageSessions(): Promise<void> {
  await app.world.database.rows(
    `update workspace_records.sessions set second_factor = second_factor, created_at = now() - interval '1 hour'`,
  );
  // The service hears of it within a second.
  await new Promise((done) => setTimeout(done, 1100));
}

/** Set up codes on the page; answers the secret and the recovery codes. */
async function setUpCodes(page: Page) {
  await page.getByRole('button', { name: 'Set up' }).click();
  await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
  const secret = String(await page.getByTestId('secret').textContent());
  await page.getByLabel('Code of the authenticator app').fill(codeNow(secret));
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('button', { name: 'Download' }).waitFor();
  const codes = await page.locator('li code').allTextContents();
  expect(codes).toHaveLength(10);
  await page.getByRole('button', { name: 'Done' }).click();
  return { secret, codes };
}

test('codes, recovery codes and passkeys sign in, and an administrator resets them', async () => {
  const page = await openProfile('rob');
  await atHome(page);
  await page.goto(`${address}/settings/profile`);
  const { secret, codes } = await setUpCodes(page);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByText(/not used yet/).waitFor();

  await signOut(page);
  await enterPassword(page, 'rob');
  await page.getByLabel('Code of the authenticator app').fill(codeNow(secret, 9));
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('This is not right').waitFor();
  await forgetStep();
  await page.getByLabel('Code of the authenticator app').fill(codeNow(secret));
  await page.getByRole('button', { name: 'Continue' }).click();
  await atHome(page);

  await signOut(page);
  await enterPassword(page, 'rob');
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(String(codes[0]));
  await page.getByRole('button', { name: 'Continue' }).click();
  await atHome(page);

  await signOut(page);
  await enterPassword(page, 'rob');
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await atHome(page);

  await signOut(page);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await atHome(page);
  await page.goto(`${address}/settings/profile`);
  await page.getByText('9 are left').waitFor();

  await ageSessions();
  await page.getByRole('button', { name: 'New codes' }).click();
  const confirmation = page.getByRole('dialog', { name: 'Confirm your identity' });
  await confirmation.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('button', { name: 'Download' }).waitFor();
  await confirmation.waitFor({ state: 'detached' });

  const admin = await app.as('ada');
  await admin.goto(`${app.address}/settings/people/${app.world.users.rob}`);
  await admin.getByRole('button', { name: 'Reset two-step sign-in' }).click();
  await admin.getByRole('dialog').getByRole('button', { name: 'Reset two-step sign-in' }).click();
  await admin.getByText('Two-step sign-in was reset.').waitFor();
  await signOut(page);
  await enterPassword(page, 'rob');
  await atHome(page);
});

test('a role that requires two steps leads to the set-up, and then to the application', async () => {
  const admin = await app.as('ada');
  await admin.goto(`${app.address}/settings/roles/manager`);
  await admin.getByLabel('Require two-step sign-in').check();
  await admin.getByRole('button', { name: 'Review and save' }).click();
  await admin.getByRole('dialog').getByRole('button', { name: 'Save role' }).click();
  await admin.getByRole('dialog').waitFor({ state: 'detached' });
  const page = await openProfile('mia');
  await page.getByRole('heading', { name: 'Set up two-step sign-in' }).waitFor();
  // However old the session of grace is; one from before the requirement needs a sign-in.
  await ageSessions();
  await page.goto(`${address}/o/deals`);
  await page.getByRole('heading', { name: 'Set up two-step sign-in' }).waitFor();
  await page.getByRole('button', { name: 'Set up' }).click();
  await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
  await app.world.database.rows('update workspace_records.sessions set second_factor = null');
  await app.world.database.rows('update workspace_records.second_factors set grace_at = null');
  const form = page.getByLabel('E-mail address');
  // The service hears of a change in SQL within a second.
  await expect
    .poll(async () => {
      await page.reload();
      await page.getByRole('button', { name: 'Set up' }).click();
      await page.getByRole('img', { name: /^QR/ }).or(form).waitFor();
      return form.isVisible();
    })
    .toBe(true);
  await enterPassword(page, 'mia');
  await setUpCodes(page);
  // The page that was asked for.
  await page.waitForURL(/\/o\/deals$/);
  await page.goto(`${address}/settings/profile`);
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByText('Your role requires a second factor.').waitFor();
});
