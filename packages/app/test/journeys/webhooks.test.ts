// Webhooks under settings: one is created, tested, watched, repeated, paused, rotated and deleted, with a receiver on this
// machine; people without developer access are offered none.

import type { Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type JobRunner, startJobs } from '../../../../src/flow/jobs/job-runner.ts';
import { replayingWebhooks } from '../../../../src/flow/webhooks/replay-job.ts';
import {
  ALLOWED,
  makeWebhook,
  type NotingReceiver,
  openReceiver,
  type Received,
  type Sending,
  startSending,
  stateOf,
} from '../../../../test/webhook-world.ts';
import { axeFindings } from '../axe.ts';
import { type BrowserWorld, openBrowserWorld, visit } from '../browser-world.ts';

let app: BrowserWorld;
let receiver: NotingReceiver;
let sending: Sending;
let jobs: JobRunner;

const fine = () => ({
  status: 200,
  text: '{"queued":"#sales"}',
  headers: { 'x-request-id': 'req_of_the_receiver' },
});

beforeAll(async () => {
  app = await openBrowserWorld(ALLOWED);
  receiver = await openReceiver();
  sending = await startSending(app.world);
  const { db, listeners } = app.world.database;
  const kinds = [replayingWebhooks(db)];
  jobs = await startJobs({ db, listeners, kinds, onError: () => undefined });
});
afterAll(async () => {
  await jobs?.stop();
  await sending?.stop();
  await receiver?.close();
  await app?.close();
});
beforeEach(async () => {
  await app.world.database.rows('delete from ws_acme._webhooks');
  receiver.answer(fine);
  receiver.all.length = 0;
});

const isSigned = ({ text, headers }: Received, secret: string) => {
  const found = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [
    name,
    String(headers[name]),
  ]);
  expect(() => new Webhook(secret).verify(text, Object.fromEntries(found))).not.toThrow();
};

const secretIn = async (page: Page) => {
  const secret = (await page.getByTestId('secret').textContent()) ?? '';
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByTestId('secret').waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain(secret);
  return secret;
};

const rowOf = (page: Page, text: string) =>
  page.getByRole('table', { name: 'Deliveries' }).getByRole('row').filter({ hasText: text });

test('a webhook is created, refusals are at their fields, and its deliveries appear by themselves', async () => {
  const page = await app.as('ada');
  await page.goto(`${app.address}/settings/webhooks`);
  await page.getByText('No webhooks yet').waitFor();
  await page.getByRole('link', { name: 'New webhook' }).click();
  await page.getByRole('heading', { name: 'New webhook', level: 1 }).waitFor();
  const create = page.getByRole('button', { name: 'Create webhook' });
  await create.click();
  await page.getByText('Enter a URL.').waitFor();
  const url = page.getByRole('textbox', { name: 'URL' });
  expect(await url.evaluate((field) => field === document.activeElement)).toBe(true);
  await url.fill('https://10.0.0.1/hook');
  await create.click();
  await page.getByText('Webhooks are not sent to this address.').waitFor();
  await expect.poll(() => url.getAttribute('aria-invalid')).toBe('true');

  await url.fill(receiver.url);
  await page.getByRole('checkbox', { name: 'Deals' }).check();
  await page.getByText('More options').click();
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('combobox', { name: 'Field' }).fill('amount');
  await page.keyboard.press('Enter');
  await page.getByLabel('Condition', { exact: true }).selectOption({ label: 'is more than' });
  await page.getByRole('textbox', { name: 'Value' }).fill('10');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('button', { name: /^amount > / }).waitFor();
  await page.getByRole('checkbox', { name: 'Imports' }).check();
  await page.getByRole('button', { name: 'Add header' }).click();
  await page.getByRole('textbox', { name: 'Header name' }).fill('Host');
  await page.getByRole('textbox', { name: 'Value' }).fill('Bearer of the receiver');
  await create.click();
  await page.getByText('The header "Host" cannot be set.').waitFor();
  await page.getByRole('textbox', { name: 'Header name' }).fill('Authorization');
  await create.click();
  await page.getByRole('dialog', { name: 'Webhook created' }).waitFor();
  const secret = await secretIn(page);

  await page.getByRole('heading', { level: 1, name: receiver.url }).waitFor();
  await rowOf(page, 'Ping').getByText('Delivered').waitFor();
  const [ping] = receiver.all;
  expect(ping?.headers.authorization).toBe('Bearer of the receiver');
  isSigned(ping as Received, secret);
  await page.getByText('Imports', { exact: true }).waitFor();

  await app.makeAll('deals', [
    { name: 'Rope', amount: 50 },
    { name: 'Twine', amount: 5 },
  ]);
  const rope = rowOf(page, 'Rope');
  await rope.getByText('Delivered').waitFor();
  expect(receiver.events().map(({ body }) => body.data.type)).toEqual(['record.created']);
  await rope.getByRole('button', { name: /^Details of Created/ }).click();
  await page.getByText('req_of_the_receiver').waitFor();
  await page.getByText('{"queued":"#sales"}').waitFor();
  expect(await axeFindings(page, 'both')).toEqual([]);
  await rope.getByRole('link', { name: 'Rope' }).click();
  await page.getByRole('heading', { name: 'Rope', level: 1 }).waitFor();
});

test('failed deliveries are found by the address, and sent again alone or as a range', async () => {
  const { id } = await makeWebhook(app.ada, receiver, { object_types: ['deals'] });
  receiver.answer(() => ({ status: 410, text: 'gone' }));
  await app.make('deals', { name: 'Lost', amount: 1 });
  await expect.poll(async () => (await stateOf(app.ada, id)).state).toBe('disabled');
  receiver.answer(fine);
  const page = await app.as('ada');
  await page.goto(`${app.address}/settings/webhooks/${id}`);
  await page.getByText('The receiver answered 410: it is gone.').waitFor();
  await page.getByLabel('State').selectOption({ label: 'Failed' });
  await page.waitForURL(/state=failed/);
  await rowOf(page, 'Ping').waitFor({ state: 'detached' });
  await page.reload();
  const lost = rowOf(page, 'Lost');
  await lost.getByText('410').waitFor();
  await lost.getByRole('button', { name: /^Details/ }).click();
  await page.getByText('gone', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Send again', exact: true }).click();
  await page.getByText('Activate it first.').waitFor();

  await page.getByRole('button', { name: 'Resume' }).click();
  const resume = page.getByRole('dialog', { name: 'Resume webhook' });
  await resume.getByRole('radio', { name: 'From now on' }).check();
  await resume.getByRole('button', { name: 'Resume' }).click();
  await page.getByText('The webhook is active.').waitFor();
  await expect.poll(async () => (await stateOf(app.ada, id)).verified_at).not.toBeNull();
  await page.getByRole('button', { name: 'Send again', exact: true }).click();
  await page.getByText('The delivery is sent again.').waitFor();
  await page.getByText('No deliveries match').waitFor();
  await page.getByRole('button', { name: 'Show all deliveries' }).click();
  await rowOf(page, 'Lost').getByText('Delivered').waitFor();
  const sent = () => receiver.events().map((one) => one.id);
  expect(new Set(sent()).size).toBe(1);

  await page.getByRole('button', { name: 'Send a range again' }).click();
  const range = page.getByRole('dialog', { name: 'Send a range again' });
  await range.getByLabel('Until').fill('2020-01-01T00:00');
  await range.getByRole('button', { name: 'Send again' }).click();
  await range.getByText('until must be after since.').waitFor();
  await range.getByLabel('Until').fill('');
  await range.getByRole('checkbox', { name: 'Failed' }).uncheck();
  await range.getByRole('button', { name: 'Send again' }).click();
  await range.getByText('Choose at least one state.').waitFor();
  await range.getByRole('checkbox', { name: 'Delivered' }).check();
  expect(await axeFindings(page)).toEqual([]);
  const before = sent().length;
  await range.getByRole('button', { name: 'Send again' }).click();
  await range.getByText(/deliveries are sent again\.$/).waitFor();
  await expect.poll(() => sent().length).toBe(before + 1);
  expect(new Set(sent()).size).toBe(1);
});

test('a webhook is edited, tested, paused, given another secret and deleted', async () => {
  const headers = { 'X-Team': 'sales' };
  const { id, secret } = await makeWebhook(app.ada, receiver, { headers });
  const page = await app.as('ada');
  await page.goto(`${app.address}/settings/webhooks/${id}`);
  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByText('limited to the scopes of the API key').waitFor();
  await page.getByText('Stored: X-Team').waitFor();
  await page.getByRole('checkbox', { name: 'All changes of records' }).uncheck();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Choose at least one event.').waitFor();
  await page.getByRole('checkbox', { name: 'Status changed' }).check();
  await page.getByRole('combobox', { name: 'Owner' }).fill('Rob');
  await page.getByRole('option', { name: 'Rob' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The webhook was saved.').waitFor();
  expect(await stateOf(app.ada, id)).toMatchObject({
    ...{ events: ['record.status_changed'], owner_user_id: app.world.users.rob },
    ...{ api_key: null, header_names: ['X-Team'] },
  });

  receiver.answer(() => 500);
  await page.getByRole('button', { name: 'Send test' }).click();
  await page.getByText('The test failed: the receiver answered 500.').waitFor();
  receiver.answer(fine);
  await page.getByRole('button', { name: 'Send test' }).click();
  await page.getByText(/^The receiver answered 200 after /).waitFor();

  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('It was paused.').waitFor();
  await page.getByText('Paused', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Rotate secret' }).click();
  await page.getByLabel('Hours until the previous secret ends').fill('2');
  await page.getByRole('button', { name: 'Rotate secret' }).click();
  const next = await secretIn(page);
  await page.getByText(/^The previous one is valid until /).waitFor();
  await page.getByRole('button', { name: 'Resume' }).click();
  const resume = page.getByRole('dialog', { name: 'Resume webhook' });
  await resume.getByRole('button', { name: 'Resume' }).click();
  await page.getByText('The webhook is active.').waitFor();
  await page.getByRole('button', { name: 'Send test' }).click();
  const signatures = () => String(receiver.all.at(-1)?.headers['webhook-signature']).split(' ');
  await expect.poll(() => signatures().length).toBe(2);
  for (const one of [secret, next]) isSigned(receiver.all.at(-1) as Received, one);

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete webhook' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('The webhook was deleted.').waitFor();
  await page.getByText('No webhooks yet').waitFor();
  expect((await app.ada.get(`/webhooks/${id}`)).status).toBe(404);
});

test('people see their own webhooks, administrators all, and others no page', async () => {
  await makeWebhook(app.ada, receiver);
  const rob = await app.world.as('rob');
  const own = await makeWebhook(rob, receiver, { url: `${receiver.url}/rob` });
  const page = await app.as('rob');
  await page.goto(`${app.address}/settings/webhooks`);
  await page.getByRole('link', { name: '/hook/rob' }).waitFor();
  expect(await page.getByRole('main').getByRole('listitem').count()).toBe(1);
  await visit(page, `${app.address}/settings/webhooks/${own.id}/edit`);
  await page.getByText('More options').click();
  await page.getByRole('heading', { name: 'Exclusions' }).waitFor();
  expect(await page.getByRole('combobox', { name: 'Owner' }).count()).toBe(0);

  const all = await app.as('ada');
  await all.goto(`${app.address}/settings/webhooks`);
  await all.getByText('Owner: Rob').waitFor();
  expect(await all.getByRole('main').getByRole('listitem').count()).toBe(2);

  const none = await app.as('con');
  await none.goto(`${app.address}/settings/webhooks`);
  await none.getByText('You have no developer access').waitFor();
  const tabs = none.getByRole('navigation', { name: 'Settings' });
  expect(await tabs.getByRole('link').allTextContents()).toEqual(['Profile', 'Sessions']);
});

test('a webhook is created by keys alone, from the palette, on a telephone', async () => {
  const page = await app.as('rob', { width: 390 });
  await page.goto(app.address);
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('webhooks');
  await page.getByRole('option', { name: 'Webhooks Settings' }).waitFor();
  await page.keyboard.press('Enter');
  const make = page.getByRole('link', { name: 'New webhook' });
  await make.focus();
  await page.keyboard.press('Enter');
  const url = page.getByRole('textbox', { name: 'URL' });
  await url.focus();
  await page.keyboard.type(receiver.url);
  expect(await axeFindings(page, 'both')).toEqual([]);
  await page.keyboard.press('Enter');
  await page.getByTestId('secret').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await rowOf(page, 'Ping').getByText('Delivered').waitFor();
  await rowOf(page, 'Ping').getByRole('button').focus();
  await page.keyboard.press('Enter');
  await page.getByText('Request ID of the receiver').waitFor();
  expect(await axeFindings(page, 'both')).toEqual([]);
  const overflow = () =>
    page.evaluate(() => {
      const main = document.querySelector('main');
      return (main?.scrollWidth ?? 0) - (main?.clientWidth ?? 0);
    });
  expect(await overflow()).toBe(0);
});
