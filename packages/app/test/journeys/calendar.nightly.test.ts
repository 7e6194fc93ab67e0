// The calendar layout: its records are on their days, moved by keys, by dragging and by touch, undone, and beyond a few a
// list away; its month and field are in the address.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../axe.ts';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';
import { settling } from '../settling.ts';
import { carry, swipe } from '../touches.ts';

let app: BrowserWorld;

beforeAll(async () => {
  app = await openBrowserWorld();
  const on = (day: string, count: number, name: string) =>
    Array.from({ length: count }, (_, at) => ({ name: `${name} ${at + 1}`, closes_on: day }));
  await app.makeAll('deals', [
    ...on('2027-01-12', 1, 'Visit'),
    ...on('2027-01-27', 5, 'Busy'),
    { name: 'Undated' },
  ]);
});
afterAll(() => app?.close());

const cell = (page: Page, day: string) => page.locator(`td:has(time[datetime="${day}"])`);
const entryOn = (page: Page, day: string, name: string | RegExp) =>
  cell(page, day).getByRole('link', { name });

async function open(page: Page) {
  await page.goto(`${app.address}/o/deals?layout=calendar&on=2027-01`);
  await page.getByRole('heading', { name: 'January 2027' }).waitFor();
  await entryOn(page, '2027-01-27', /^Busy/).first().waitFor();
}

test('records are on their days, and moved by keys and by dragging', async () => {
  const page = await app.as('ada');
  await open(page);
  await entryOn(page, '2027-01-12', 'Visit 1').focus();
  for (const key of ['Space', 'ArrowDown', 'ArrowRight', 'Space']) await page.keyboard.press(key);
  await page
    .getByRole('status')
    .getByText(/^Visit 1 moved to Wednesday, 20 January 2027/)
    .first()
    .waitFor();
  await expect
    .poll(async () => {
      const { body } = await app.ada.get(
        '/objects/deals/records?filter[name][eq]=Visit 1&fields=closes_on',
      );
      return body.data[0].fields.closes_on;
    })
    .toBe('2027-01-20');
  await page.keyboard.press('Control+z');
  await entryOn(page, '2027-01-12', 'Visit 1').waitFor();
  await entryOn(page, '2027-01-12', 'Visit 1').dragTo(cell(page, '2027-01-14'));
  await entryOn(page, '2027-01-14', 'Visit 1').waitFor();
  await page.getByRole('button', { name: 'No date (1)' }).click();
  await page.getByRole('link', { name: 'Undated' }).dragTo(cell(page, '2027-01-15'));
  await entryOn(page, '2027-01-15', 'Undated').waitFor();
  expect(await axeFindings(page, 'both')).toEqual([]);
});

test('a record is moved again while its move is saved, also back', async () => {
  const id = await app.make('deals', { name: 'Hasty', closes_on: '2027-01-06' });
  const page = await app.as('ada');
  await page.route(`**/records/${id}`, async (route) => {
    if (route.request().method() === 'PATCH')
      await new Promise((resolve) => setTimeout(resolve, 500));
    await route.continue();
  });
  const stored = async () =>
    (await app.ada.get(`/objects/deals/records/${id}`)).body.data.fields.closes_on;
  const move = async (from: string, key: string) => {
    await entryOn(page, from, 'Hasty').focus();
    for (const one of ['Space', key, 'Space']) await page.keyboard.press(one);
  };
  await open(page);
  await move('2027-01-06', 'ArrowRight');
  await move('2027-01-07', 'ArrowRight');
  await expect.poll(stored).toBe('2027-01-08');
  await move('2027-01-08', 'ArrowLeft');
  await move('2027-01-07', 'ArrowRight');
  const settle = settling(page);
  await settle();
  await entryOn(page, '2027-01-08', 'Hasty').waitFor();
  expect(await stored()).toBe('2027-01-08');
});

test('days that the pointer is dragged over begin a record', async () => {
  const page = await app.as('ada');
  await open(page);
  const box = await cell(page, '2027-01-19').boundingBox();
  const end = await cell(page, '2027-01-20').boundingBox();
  if (box === null || end === null) throw new Error('the days are not in view');
  await page.mouse.move(box.x + 40, box.y + 60);
  await page.mouse.down();
  await page.mouse.move(end.x + 40, end.y + 60, { steps: 4 });
  await page.mouse.up();
  const dialog = page.getByRole('dialog', { name: 'New deal' });
  await dialog.waitFor();
  expect(await dialog.getByLabel('closes_on').inputValue()).toBe('2027-01-19');
});

test('a long press picks a record up, and the finger carries it; a short one does not', async () => {
  const page = await app.as('ada', { hasTouch: true });
  await open(page);
  const visit = page.getByRole('link', { name: 'Visit 1' });
  const moves: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PATCH') moves.push(request.postData() ?? '');
  });
  await swipe(page, visit, cell(page, '2027-01-19'));
  await carry(page, visit, cell(page, '2027-01-21'));
  await entryOn(page, '2027-01-21', 'Visit 1').waitFor();
  // Onto no day: it goes back.
  await carry(page, visit, page.getByRole('heading', { name: 'January 2027' }));
  await page
    .getByText(/^Visit 1 (?:is )?back on/)
    .first()
    .waitFor();
  await entryOn(page, '2027-01-21', 'Visit 1').waitFor();
  expect(moves).toHaveLength(1);
  expect(page.url()).toContain('layout=calendar');
});

test('on a telephone the empty days appear while a record is carried', async () => {
  const page = await app.as('ada', { width: 390, hasTouch: true });
  await open(page);
  const visit = page.getByRole('link', { name: 'Visit 1' });
  expect(await cell(page, '2027-01-22').isVisible()).toBe(false);
  await carry(page, visit, cell(page, '2027-01-22'));
  await entryOn(page, '2027-01-22', 'Visit 1').waitFor();
  await expect.poll(() => cell(page, '2027-01-21').isVisible()).toBe(false);
  expect(await page.getByText('There are no records on these days.').isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('There are no records on these days.').waitFor();
});

test('beyond a few they are a list away, and Back restores the month', async () => {
  const page = await app.as('ada');
  await open(page);
  await cell(page, '2027-01-27')
    .getByRole('button', { name: /^\d more on/ })
    .click();
  await page.waitForURL(/closes_on/);
  await page.getByRole('link', { name: 'Busy 5' }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'January 2027' }).waitFor();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.waitForURL(/on=2027-02/);
  await page.reload();
  await page.getByRole('heading', { name: 'February 2027' }).waitFor();
  await page.getByText('Week', { exact: true }).click();
  await page.waitForURL(/on=2027-02-01/);
});
