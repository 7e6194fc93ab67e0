// People and teams under settings: somebody is invited with a link that signs them in once, given roles and teams,
// deactivated and reactivated; the last administrator stays; others see no such page.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../axe.ts';
import { type BrowserWorld, openBrowserWorld, visit } from '../browser-world.ts';

let app: BrowserWorld;

beforeAll(async () => {
  app = await openBrowserWorld();
});
afterAll(() => app?.close());

test('an invitation is a link that signs in once, and the person has the chosen roles', async () => {
  const page = await app.as('ada');
  await page.goto(`${app.address}/settings/people`);
  await page.getByRole('row', { name: /Rob/ }).waitFor();
  expect(await page.getByRole('row', { name: /Zed|Bot/ }).count()).toBe(0);
  expect(await axeFindings(page, 'both')).toEqual([]);
  await page.getByRole('button', { name: 'Invite person' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Nia Berg');
  await dialog.getByLabel('E-mail address').fill('rob@acme.example');
  await dialog.getByRole('button', { name: 'Create invitation' }).click();
  await dialog.getByText('Another person already has this address.').waitFor();
  await dialog.getByLabel('E-mail address').fill('nia@acme.example');
  await dialog.getByRole('checkbox', { name: 'North' }).check();
  await dialog.getByRole('button', { name: 'New role…' }).click();
  const role = page.getByRole('dialog', { name: 'New role' });
  await role.getByLabel('Name').fill('Reader');
  await role.getByLabel('Start from').selectOption({ label: 'Read everything' });
  await role.getByText('All records of the objects that exist now', { exact: false }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await role.getByRole('button', { name: 'Create role' }).click();
  await role.waitFor({ state: 'detached' });
  expect(await dialog.getByRole('checkbox', { name: 'Reader' }).isChecked()).toBe(true);
  expect(await dialog.getByLabel('E-mail address').inputValue()).toBe('nia@acme.example');
  expect(await axeFindings(page)).toEqual([]);
  const life = dialog.getByLabel('Link valid for');
  expect(await life.inputValue()).toBe('168');
  expect(await life.getByRole('option').allTextContents()).toEqual([
    ...['1 hour', '1 day', '3 days', '7 days', '14 days', '30 days'],
  ]);
  await life.selectOption({ label: '30 days' });
  await dialog.getByRole('button', { name: 'Create invitation' }).click();
  const link = await dialog.getByTestId('link').inputValue();
  expect(link).toMatch(/\/app\/acme\/sign-in#[\w-]{40,}$/);
  await dialog.getByText(/^Valid until /).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Done' }).click();
  expect(await page.content()).not.toContain(link);
  await page.getByRole('row', { name: /Nia Berg nia@acme\.example Reader North/ }).waitFor();
  await page.getByRole('link', { name: 'Nia Berg' }).click();
  const links = page.getByRole('table', { name: 'Open links of Nia Berg' });
  await links.getByRole('row', { name: /^Invitation Ada / }).waitFor();
  expect(await linkLives()).toEqual(['invitation 30 days']);
  expect(await axeFindings(page, 'both')).toEqual([]);

  const theirs = await app.window();
  await theirs.goto(link);
  await theirs.getByRole('heading', { name: /welcome/i }).waitFor();
  const again = await app.window();
  await again.goto(link);
  await again.getByRole('alert').waitFor();
});

test('filters are in the address, and Back and a reload restore them', async () => {
  const page = await app.as('ada');
  await page.goto(`${app.address}/settings/people`);
  await page.getByLabel('Kind').selectOption({ label: 'Agents' });
  await page.getByRole('row', { name: /Bot/ }).waitFor();
  await page.getByLabel('Kind').selectOption({ label: 'People' });
  await page.getByLabel('State').selectOption({ label: 'Inactive' });
  await page.getByRole('row', { name: /Zed/ }).waitFor();
  await page.waitForURL(/state=inactive/);
  await page.reload();
  await page.getByRole('row', { name: /Zed/ }).waitFor();
  expect(await page.getByLabel('State').inputValue()).toBe('inactive');
  await page.getByRole('searchbox', { name: 'Search people' }).pressSequentially('no');
  await page.waitForURL(/q=no(?:&|$)/);
  // The search leaves the focus in the field.
  await page.keyboard.type('body');
  await page.waitForURL(/q=nobody/);
  await page.getByText('No people found').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('row', { name: /Rob/ }).waitFor();
  await page.goBack();
  await page.waitForURL(/state=inactive/);
});

test('a person is changed, deactivated and reactivated, and the last administrator stays', async () => {
  const page = await app.as('ada');
  await page.goto(`${app.address}/settings/people/${app.world.users.sam}`);
  await page.getByRole('heading', { name: 'Sam', level: 1 }).waitFor();
  await page.getByLabel('Title').fill('Clerk');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').first().waitFor();
  await page.getByRole('checkbox', { name: 'manager' }).check();
  await page.getByRole('button', { name: 'Save' }).and(page.locator(':enabled')).click();
  await expect
    .poll(async () => (await app.ada.get(`/members/${app.world.users.sam}`)).body.data)
    .toMatchObject({ title: 'Clerk', roles: ['rep', 'manager'] });
  expect(await axeFindings(page, 'both')).toEqual([]);

  await page.getByRole('button', { name: 'One-time link' }).click();
  await page.getByRole('button', { name: 'Create link' }).click();
  const link = await page.getByTestId('link').inputValue();
  expect(link).toContain('/app/acme/sign-in#');
  await page.getByRole('button', { name: 'Done' }).click();
  const links = page.getByRole('table', { name: 'Open links of Sam' });
  await links.getByRole('row', { name: /^Sign-in link Ada / }).waitFor();
  expect((await linkLives()).at(-1)).toBe('sign_in 00:30:00');
  await links.getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('The link was revoked.').waitFor();
  await links.waitFor({ state: 'detached' });
  const late = await app.window();
  await late.goto(link);
  await late.getByRole('alert').waitFor();

  await page.getByRole('button', { name: 'Deactivate' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
  await page.getByText('“Sam” was deactivated.').waitFor();
  await page.getByRole('button', { name: 'Reactivate' }).click();
  await page.getByText('“Sam” is active again.').waitFor();

  await visit(page, `${app.address}/settings/people/${app.world.users.ada}`);
  await page.getByRole('heading', { name: 'Ada', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Deactivate' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
  await page.getByText('The workspace needs an active administrator.', { exact: false }).waitFor();
  await page.keyboard.press('Escape');
  await visit(page, `${app.address}/settings/people/999999`);
  await page.getByText('There is no person with this number.').waitFor();
});

test('a permission says which roles grant it', async () => {
  const page = await app.as('ada');
  await page.goto(`${app.address}/settings/people/${app.world.users.mia}`);
  await page.getByRole('button', { name: 'Read: Deals: Team. Why?' }).click();
  const why = page.getByRole('dialog', { name: 'Why: Read: Deals' });
  await why.getByRole('link', { name: 'manager' }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await why.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Companies', exact: true }).click();
  await page.getByRole('button', { name: 'revenue: Read. Why?' }).click();
  await page.getByRole('link', { name: 'manager' }).click();
  await page.getByRole('heading', { name: 'manager', level: 1 }).waitFor();
});

test('a team is created, filled, renamed and deleted, on a telephone too', async () => {
  const page = await app.as('ada', { width: 390 });
  await page.goto(`${app.address}/settings/teams`);
  await page.getByRole('button', { name: 'New team' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('North');
  await page.getByRole('button', { name: 'Create team' }).click();
  await page.getByText('A team with this name already exists.').waitFor();
  await page.getByRole('dialog').getByLabel('Name').fill('Harbour');
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
  await page.getByRole('button', { name: 'Create team' }).dblclick();
  await page.waitForURL(/open=\d+/);
  expect(sent.filter((url) => url.endsWith('/teams'))).toHaveLength(1);
  await page.getByRole('combobox', { name: 'Add a person' }).fill('rae');
  await page.getByRole('option', { name: 'Rae' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Rae' }).waitFor();
  expect((await app.ada.get(`/members/${app.world.users.rae}`)).body.data.teams).toHaveLength(2);
  await page.reload();
  await page.getByRole('button', { name: 'Remove Rae' }).click();
  await page.getByRole('link', { name: 'Rae' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Edit Harbour' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Quay');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The team was saved.').waitFor();
  expect(await axeFindings(page, 'both')).toEqual([]);
  const isWide = () => document.documentElement.scrollWidth > document.documentElement.clientWidth;
  expect(await page.evaluate(isWide)).toBe(false);
  await page.getByRole('button', { name: 'Delete Quay' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('The team was deleted.').waitFor();
});

test('an agent is added, which leads to its page', async () => {
  const page = await app.as('ada', { locale: 'de-DE' });
  await page.goto(`${app.address}/settings/people`);
  await page.getByRole('button', { name: 'Person einladen' }).click();
  await page.getByRole('radio', { name: 'Agent' }).check();
  await page.getByRole('dialog').getByLabel('Name').fill('Kran');
  await page.getByRole('dialog').getByLabel('E-Mail-Adresse').fill('kran@acme.example');
  await page.getByRole('button', { name: 'Agent anlegen' }).click();
  await page.getByRole('link', { name: 'Agent öffnen' }).click();
  await page.getByRole('heading', { name: 'Kran', level: 1 }).waitFor();
  await page.getByText('Ein Agent meldet sich nicht an.', { exact: false }).waitFor();
});

test('people who are no administrators are offered none of it', async () => {
  const page = await app.as('mia');
  for (const [path, name] of [
    ['people', 'People'],
    ['teams', 'Teams'],
    ['roles', 'Roles'],
    ['audit', 'Audit'],
    ['sign-in-methods', 'Sign-in methods'],
  ] as const) {
    await visit(page, `${app.address}/settings/${path}`);
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await page.getByText('Only administrators can open this page').waitFor();
  }
  const tabs = page.getByRole('navigation', { name: 'Settings' });
  expect(await tabs.getByRole('link').allTextContents()).toEqual([
    ...['Profile', 'Sessions', 'API keys', 'Webhooks'],
  ]);
});

/** The purpose and the life of all links, the oldest first. */
async function linkLives(): Promise<readonly unknown[]> {
  const rows = await app.world.database.rows(
    `select purpose || ' ' || (expires_at - created_at) as life
      from workspace_records.sign_in_links where purpose <> 'sign_in' or used_at is null order by created_at`,
  );
  return rows.map(({ life }) => life);
}
