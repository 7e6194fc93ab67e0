// A move that needs approval, in two browsers: Rob asks, Mia refuses; he asks again, the record changes, she approves,
// and the record moves in his browser by itself.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GATED_ACME } from '../../../../test/world.ts';
import { axeFindings } from '../axe.ts';
import { type BrowserWorld, openBrowserWorld, visit } from '../browser-world.ts';

let app: BrowserWorld;

beforeAll(async () => {
  app = await openBrowserWorld();
  await app.world.apply(GATED_ACME);
});
afterAll(() => app?.close());

/** A lost deal of Rob, which only Mia can win back. */
async function lostDeal(name: string): Promise<string> {
  const rob = await app.world.as('rob');
  const { body } = await rob.post('/objects/deals/records', { fields: { name, amount: 100 } });
  const { id } = body.data;
  await rob.post(`/objects/deals/records/${id}/status`, { status_id: 'lost' });
  return id;
}

const statusOf = async (id: string) =>
  (await app.ada.get(`/objects/deals/records/${id}`)).body.data.status;

async function ask(page: Page, comment: string): Promise<void> {
  await page.getByRole('button', { name: 'Status: Lost' }).click();
  const item = page.getByRole('menuitem', { name: /^Won/ });
  await item.getByText('Ask for approval').waitFor();
  await item.click();
  const dialog = page.getByRole('dialog', { name: 'Ask for approval' });
  await dialog.getByRole('textbox', { name: 'Comment for the approvers' }).fill(comment);
  await dialog.getByRole('button', { name: 'Ask', exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
}

test('asked, refused, asked again and granted', async () => {
  const id = await lostDeal('Second chance');
  const [rob, mia] = [await app.as('rob'), await app.as('mia')];
  await mia.goto(app.address);
  await mia.getByRole('heading', { level: 1 }).waitFor();
  await rob.goto(`${app.address}/o/deals/${id}`);
  await rob.getByRole('heading', { name: 'Second chance', level: 1 }).waitFor();
  await rob.getByRole('button', { name: 'Status: Lost' }).click();
  expect(await axeFindings(rob)).toEqual([]);
  await rob.keyboard.press('Escape');
  await ask(rob, 'They called again');
  const pending = rob.getByRole('region', { name: 'Waiting for approval' });
  await pending.getByText('They called again').waitFor();
  await pending.getByText('Your role does not show who decides.').waitFor();
  await pending.getByRole('button', { name: 'Withdraw' }).waitFor();
  expect(await pending.getByRole('button', { name: 'Approve' }).count()).toBe(0);
  expect(await axeFindings(rob, 'both')).toEqual([]);

  // It comes to her first page by itself.
  const waiting = mia.getByRole('region', { name: 'Waiting for your decision' });
  await waiting.getByRole('link', { name: 'Second chance' }).waitFor();
  await waiting.getByText('They called again').waitFor();
  expect(await axeFindings(mia, 'both')).toEqual([]);
  const unread = mia.getByRole('region', { name: 'Unread notifications' });
  await unread.getByText('Rob asks for your approval').waitFor();
  await waiting.getByRole('button', { name: 'Reject' }).click();
  const reason = waiting.getByRole('textbox', { name: 'Reason' });
  expect(await reason.evaluate((input) => input === document.activeElement)).toBe(true);
  await waiting.getByRole('button', { name: 'Cancel' }).click();
  await waiting.getByRole('button', { name: 'Reject' }).press('Enter');
  await reason.fill('Too dear for them');
  expect(await axeFindings(mia, 'both')).toEqual([]);
  await waiting.getByRole('button', { name: 'Reject' }).click();
  await mia.getByText('Rejected: Second chance to Won').waitFor();
  await waiting.waitFor({ state: 'detached' });
  // Deciding reads the notification.
  await unread.waitFor({ state: 'detached' });
  await pending.waitFor({ state: 'detached' });
  expect(await statusOf(id)).toBe('lost');
  await rob.getByText('Earlier requests 1').click();
  const earlier = rob.getByRole('list', { name: 'Earlier requests' });
  await earlier.getByText('Rejected by Mia').waitFor();
  await earlier.getByText('Too dear for them').waitFor();
  expect(await axeFindings(rob, 'both')).toEqual([]);

  await ask(rob, 'And they would pay more');
  await app.ada.patch(`/objects/deals/records/${id}`, { fields: { amount: 900 } });
  await visit(mia, `${app.address}/notifications`);
  await mia.getByText('Rob asks for your approval').first().waitFor();
  await visit(mia, app.address);
  await waiting.getByText('Changed since: amount').waitFor();
  await waiting.getByRole('button', { name: 'Approve' }).click();
  await waiting.waitFor({ state: 'detached' });
  await rob.getByRole('button', { name: 'Status: Won' }).waitFor();
  expect(await statusOf(id)).toBe('won');
  await visit(rob, `${app.address}/notifications`);
  await rob.getByText('Mia approved your request').waitFor();
  const rejected = rob.getByRole('listitem').filter({ hasText: 'Mia rejected your request' });
  await rejected.getByText('Too dear for them').waitFor();
  await rejected.getByText('Won', { exact: true }).waitFor();
});

test('a request is withdrawn, and asked from the board', async () => {
  const id = await lostDeal('From the board');
  const page = await app.as('rob', { width: 390 });
  await page.goto(`${app.address}/o/deals?layout=board`);
  const asked = async () => {
    const { body } = await app.ada.get(`/status_requests?record_id=${id}&state=pending`);
    return body.data.length;
  };
  await page.getByRole('combobox', { name: 'Column', exact: true }).selectOption('lost');
  await page.getByRole('button', { name: 'Move From the board' }).click();
  await page.getByRole('menuitem', { name: /^Won/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Ask for approval' });
  await dialog.getByRole('button', { name: 'Ask', exact: true }).click();
  await expect.poll(asked).toBe(1);
  await visit(page, `${app.address}/o/deals/${id}`);
  const pending = page.getByRole('region', { name: 'Waiting for approval' });
  await pending.getByRole('button', { name: 'Withdraw' }).click();
  await pending.waitFor({ state: 'detached' });
  await expect.poll(asked).toBe(0);
  const isWide = () => document.documentElement.scrollWidth > document.documentElement.clientWidth;
  expect(await page.evaluate(isWide)).toBe(false);
});
