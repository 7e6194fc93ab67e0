// Signing in by an identity provider, in one tab and in several, and where it leads.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLBACK } from '../../../../src/api/people/sign-in-method-routes.ts';
import {
  CLIENT,
  type IdentityProvider,
  startIdentityProvider,
} from '../../../../test/identity-provider.ts';
import { axeFindings } from '../axe.ts';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';
import { longTest } from '../long.ts';

let app: BrowserWorld;
let provider: IdentityProvider;

beforeAll(async () => {
  provider = await startIdentityProvider();
  app = await openBrowserWorld({
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    OIDC_NAME: 'Acme login',
  });
  provider.open(`http://127.0.0.1:${app.world.port}${CALLBACK}`);
});
afterAll(async () => {
  await app?.close();
  await provider?.close();
});

const mia = { sub: 'mia', email: 'mia@acme.example', email_verified: true };

test('an identity provider signs in a known person', async () => {
  provider.signIn({ sub: 'mia', email: 'mia@acme.example', email_verified: true });
  const page = await app.window();
  await page.goto(`${app.address}/sign-in`);
  await page.getByRole('link', { name: /^Continue with/ }).click();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await page.getByRole('button', { name: 'Settings of Mia' }).waitFor();
  expect(page.url()).toBe(app.address);
});

longTest('one that does not know anybody leads back, in words, and to another way', async () => {
  provider.signIn({ sub: 'nobody', email: 'nobody@acme.example', email_verified: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await app.window({ colorScheme });
    await page.goto(`${app.address}/sign-in`);
    await page.getByRole('link', { name: /^Continue with/ }).click();
    await page.getByRole('alert').getByText('no person here has your address').waitFor();
    expect(page.url()).toBe(`${app.address}/sign-in?refused=invalid_credentials`);
    await page.getByLabel('E-mail address').waitFor();
    expect(await axeFindings(page)).toEqual([]);
  }
});

test('a link to a page leads there after signing in, also when the way back is repeated', async () => {
  provider.signIn(mia);
  const page = await app.window();
  const back = watchCallback(page);
  await page.goto(`${app.address}/o/companies?sort=-name`);
  await page.getByRole('link', { name: /^Continue with/ }).click();
  await page.getByRole('heading', { name: 'Companies' }).waitFor();
  expect(page.url()).toBe(`${app.address}/o/companies?sort=-name`);
  await page.goto(await back);
  await page.getByRole('heading', { name: 'Companies' }).waitFor();
  expect(page.url()).toBe(`${app.address}/o/companies?sort=-name`);
});

test('two tabs sign in at once, and each continues to its own page', async () => {
  provider.signIn(mia);
  const first = await app.window();
  const release = provider.hold();
  await first.goto(`${app.address}/o/companies`);
  const held = first.waitForRequest(/\/interaction\//);
  await first.getByRole('link', { name: /^Continue with/ }).click({ noWaitAfter: true });
  await held;
  const second = await first.context().newPage();
  await second.goto(`${app.address}/o/deals`);
  await second.getByRole('link', { name: /^Continue with/ }).click();
  await second.getByRole('heading', { name: 'Deals' }).waitFor();
  release();
  await first.getByRole('heading', { name: 'Companies' }).waitFor();
  await first.getByRole('button', { name: 'Settings of Mia' }).waitFor();
});

longTest(
  'a sign-in that took too long says so, and leads a person who has signed in meanwhile on',
  async () => {
    provider.signIn(mia);
    const page = await app.window();
    const back = watchCallback(page);
    await page.goto(`${app.address}/sign-in`);
    await page.getByRole('link', { name: /^Continue with/ }).click();
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    const late = await app.window();
    await late.goto(await back);
    await late.getByRole('alert').getByText('took too long').waitFor();
    await late.getByRole('heading', { name: 'Sign in to acme' }).waitFor();
    expect(await axeFindings(late)).toEqual([]);
    await page.context().clearCookies({ name: /-sign-in-/ });
    await page.goto(await back);
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    expect(page.url()).toBe(app.address);
  },
);

longTest('one that does not know anybody keeps where they wanted to go', async () => {
  provider.signIn({ sub: 'nobody', email: 'nobody@acme.example', email_verified: true });
  const page = await app.window();
  await page.goto(`${app.address}/o/companies`);
  await page.getByRole('link', { name: /^Continue with/ }).click();
  await page.getByRole('alert').waitFor();
  await page.context().clearCookies();
  provider.signIn(mia);
  await page.getByRole('link', { name: /^Continue with/ }).click();
  await page.getByRole('heading', { name: 'Companies' }).waitFor();
});

/** The address to which a page comes back next. */
async function watchCallback(page: Page): Promise<string> {
  const request = await page.waitForRequest((one) => new URL(one.url()).pathname === CALLBACK);
  return request.url();
}
