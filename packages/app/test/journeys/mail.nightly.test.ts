// Mail: a colleague is invited by mail, signs in by the link and finds the mention that was mailed; a link from the sign-in
// page; following a record; choosing what is sent. The mail server is real.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type MailServer, openMailServer } from '../../../../test/mail/mail-server.ts';
import {
  forgetMails,
  MAIL_SETTINGS,
  type Mailer,
  openMailer,
} from '../../../../test/mail/mailer.ts';
import { until } from '../../../../test/until.ts';
import { axeFindings } from '../axe.ts';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';

let app: BrowserWorld;
let server: MailServer;
let mailer: Mailer;

beforeAll(async () => {
  app = await openBrowserWorld(MAIL_SETTINGS);
  server = await openMailServer();
  const originOf = async () => new URL(app.address).origin;
  mailer = await openMailer(app.world, server, { originOf });
});
afterAll(async () => {
  await mailer?.stop();
  await server?.close();
  await app?.close();
});
beforeEach(async () => {
  await forgetMails(app.world);
  server.mails.length = 0;
});

const mailTo = async (address: string) => {
  const find = () => server.mails.find(({ to }) => to.includes(address));
  await until(() => find() !== undefined);
  return find()?.text ?? '';
};
const linkIn = (text: string, path: RegExp) =>
  new RegExp(`http://\\S*${path.source}\\S*`).exec(text)?.[0] ?? '';

test('a colleague who is invited by mail signs in and finds the mention that was mailed', async () => {
  const page = await app.as('ada');
  await page.goto(`${app.address}/settings/people`);
  await page.getByRole('button', { name: 'Invite person' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Nia Berg');
  await dialog.getByLabel('E-mail address').fill('nia@acme.example');
  await dialog.getByRole('checkbox', { name: 'manager', exact: true }).check();
  await dialog.getByRole('button', { name: 'Create invitation' }).click();
  await dialog.getByTestId('link').waitFor();
  await dialog.getByText(/is also sent to them by mail/).waitFor();
  const invitation = await mailTo('nia@acme.example');
  server.mails.length = 0;

  const company = await app.make('companies', { name: 'Harbour Supplies' });
  const people = await app.ada.get('/users?q=nia');
  const said = { body: 'canary words', mention_user_ids: [people.body.data[0].id] };
  await app.ada.post(`/objects/companies/records/${company}/comments`, said);
  const digest = await mailTo('nia@acme.example');
  expect(digest).toContain('Ada mentioned you: Harbour Supplies');
  expect(digest).not.toContain('canary');

  const theirs = await app.window();
  await theirs.goto(linkIn(invitation, /sign-in#/));
  await theirs.getByRole('heading', { name: /welcome/i }).waitFor();
  await theirs.goto(linkIn(digest, /\/o\/companies\//));
  await theirs.getByRole('heading', { name: 'Harbour Supplies' }).waitFor();
  await theirs.getByText('canary words').waitFor();
  await theirs.getByRole('link', { name: 'Notifications, 1 unread' }).click();
  await theirs.getByText('Ada mentioned you').waitFor();
});

test('the sign-in page sends a link, and says the same for everybody', async () => {
  const page = await app.window();
  await page.goto(`${app.address}/sign-in`);
  for (const address of ['nobody@acme.example', 'mia@acme.example']) {
    await page.getByRole('button', { name: 'Mail me a link' }).click();
    const field = page.getByRole('textbox', { name: 'E-mail address' }).last();
    await field.fill(address);
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByText(`If ${address} belongs to a person here`).waitFor();
    await page.reload();
  }
  const text = await mailTo('mia@acme.example');
  expect(server.mails).toHaveLength(1);
  await page.goto(linkIn(text, /sign-in#/));
  await page.getByRole('heading', { name: /welcome/i }).waitFor();
});

test('a record is followed, and its comments are heard of', async () => {
  const company = await app.make('companies', { name: 'Quay Works' });
  const page = await app.as('mia');
  await page.goto(`${app.address}/o/companies/${company}`);
  await page.getByRole('heading', { name: 'Quay Works' }).waitFor();
  await page.getByRole('button', { name: 'More', exact: true }).first().click();
  await page.getByRole('menuitem', { name: 'Follow' }).click();
  await page.getByText('You now hear of comments on this record.').waitFor();
  await app.ada.post(`/objects/companies/records/${company}/comments`, { body: 'Done.' });
  await page.getByRole('link', { name: 'Notifications, 1 unread' }).click();
  await page.getByText('Ada commented').waitFor();
  expect(await axeFindings(page, 'both')).toEqual([]);
  await page.goBack();
  await page.getByRole('button', { name: 'More', exact: true }).first().click();
  await page.getByRole('menuitem', { name: 'Stop following' }).click();
  await page.getByText('You no longer follow this record.').waitFor();
});

test('a person chooses what is listed and what is mailed', async () => {
  const page = await app.as('rob');
  await page.goto(`${app.address}/settings/profile`);
  await page.getByLabel('By mail', { exact: true }).selectOption({ label: 'Every hour' });
  const box = page.getByRole('checkbox', { name: 'Records assigned to you: In the list' });
  await box.uncheck();
  expect(await axeFindings(page, 'both')).toEqual([]);
  const rob = await app.world.as('rob');
  const settings = async () => (await rob.get('/me/notification_settings')).body.data;
  await expect
    .poll(settings)
    .toMatchObject({ mail: 'hourly', language: 'en', kinds: { assignment: { list: false } } });
  await app.make('deals', { name: 'Given', owner_user_id: app.world.users.rob });
  await page.reload();
  await box.waitFor();
  expect(await box.isChecked()).toBe(false);
  await page.goto(`${app.address}/notifications`);
  await page.getByText('No notifications yet').waitFor();
});
