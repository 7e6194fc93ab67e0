// Fields that are opened and left: no write is sent, also when the control cannot show all of the value.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';
import { settling } from '../settling.ts';
import { SPECIMENS } from '../specimens.ts';

let app: BrowserWorld;

beforeAll(async () => {
  app = await openBrowserWorld();
  await app.world.apply(SPECIMENS);
});
afterAll(() => app?.close());

const VALUES = {
  datetime: '2027-01-31T09:30:45.123Z',
  number: 1.234e-16,
  percent: 1.5e-17,
  text: '  two blanks before',
  json: { b: 1, a: [1.5] },
};

/** The writes of records. */
function writesOf(page: Page): readonly string[] {
  const writes: string[] = [];
  page.on('request', (request) => {
    if (/\/records\//.test(request.url()) && request.method() === 'PATCH')
      writes.push(request.postData() ?? '');
  });
  return writes;
}

async function fieldsOf(id: string) {
  const { body } = await app.ada.get(`/objects/specimens/records/${id}`);
  return { version: body.data.version, ...body.data.fields };
}

test('cells of a list', async () => {
  const id = await app.make('specimens', { label: 'Left', ...VALUES });
  const before = await fieldsOf(id);
  const page = await app.as('ada');
  const writes = writesOf(page);
  const settle = settling(page);
  const keys = Object.keys(VALUES);
  await page.goto(`${app.address}/o/specimens?q=Left&fields=${keys.join(',')}`);
  await page.getByRole('link', { name: 'Left' }).focus();
  await page.keyboard.press('ArrowRight');
  for (const _ of keys) {
    await page.keyboard.press('F2');
    await page.locator('[data-editor] :is(input, textarea)').waitFor();
    await page.keyboard.press('Tab');
    await expect.poll(() => page.locator('[data-editor]').count()).toBe(0);
  }
  await settle();
  expect(writes).toEqual([]);
  expect(await fieldsOf(id)).toEqual(before);
  expect(before).toMatchObject(VALUES);
});

test('fields of a record', async () => {
  const id = await app.make('specimens', { label: 'Left too', ...VALUES });
  const before = await fieldsOf(id);
  const page = await app.as('ada');
  const writes = writesOf(page);
  const settle = settling(page);
  await page.goto(`${app.address}/o/specimens/${id}`);
  for (const name of ['Moment', 'Number', 'Share', 'Text', 'Raw']) {
    await page.getByRole('button', { name: new RegExp(`^${name} `) }).click();
    await page.getByLabel(name, { exact: true }).waitFor();
    await page.getByRole('heading', { level: 1 }).focus();
    await expect
      .poll(() => page.locator('main :is(input, textarea)[aria-labelledby]').count())
      .toBe(0);
  }
  await settle();
  expect(writes).toEqual([]);
  expect(await fieldsOf(id)).toEqual(before);
});

test('a condition whose other end is changed', async () => {
  const page = await app.as('ada');
  const range = [VALUES.datetime, '2027-03-01T00:00:00.000Z'];
  const where = JSON.stringify({ field: 'datetime', op: 'between', value: range });
  await page.goto(`${app.address}/o/specimens?where=${encodeURIComponent(where)}`);
  await page.getByRole('button', { name: /^Moment \S/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('input[type=datetime-local]').last().fill('2027-04-01T12:00');
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await expect.poll(() => decodeURIComponent(page.url())).toContain(VALUES.datetime);
  expect(decodeURIComponent(page.url())).toContain('2027-04-01');
});
