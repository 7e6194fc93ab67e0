// The words of lists, boards and comments: one copied cell, a field of many records, columns, long texts, work items
// without types, a wrong address, a new card, a failed page, a mention.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';
import { settling } from '../settling.ts';
import { SPECIMENS } from '../specimens.ts';

let app: BrowserWorld;

const NOTE = 'She said "yes".\nThen she left, and nobody knows where to; they looked everywhere.';

beforeAll(async () => {
  app = await openBrowserWorld();
  const { work_item_types: _, ...document } = SPECIMENS;
  await app.world.apply({ ...document, objects: { ...SPECIMENS.objects, work_items: {} } });
  await app.makeAll('specimens', [
    { label: 'Copied', long_text: NOTE, text: 'a' },
    { label: 'Copied too', text: 'b' },
  ]);
});
afterAll(() => app?.close());

interface SomeTypes {
  readonly work_item_types?: unknown;
}

async function openList(page: Page, fields: string): Promise<void> {
  await page.goto(`${app.address}/o/specimens?sort=label&fields=${fields}`);
  await page.getByRole('link', { name: 'Copied', exact: true }).focus();
}

test('one cell is copied as its text, and pasted here as one cell', async () => {
  const page = await app.as('ada');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await openList(page, 'long_text');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Control+c');
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(NOTE);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Control+v');
  await page.getByText('One row was changed.').waitFor();
  const rows = await app.world.rows('select long_text from specimens order by label');
  expect(rows.map(({ long_text }) => long_text)).toEqual([NOTE, NOTE]);
});

test('a long text has one line in a cell, and all of it where the pointer rests', async () => {
  const page = await app.as('ada');
  await openList(page, 'long_text');
  const text = page.getByRole('gridcell').getByTitle('She said').first();
  expect(await text.getAttribute('title')).toBe(NOTE);
  const { height } = (await text.boundingBox()) ?? { height: 0 };
  expect(height).toBeLessThan(30);
});

test('a field of many records is set, or cleared by a button of its own', async () => {
  const page = await app.as('ada');
  await openList(page, 'text');
  await page.keyboard.press('Control+a');
  await page.getByRole('button', { name: 'Change a field…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change a field of 2 records' });
  await dialog.getByLabel('Field').selectOption('label');
  expect(await dialog.getByRole('button', { name: 'Clear the field' }).count()).toBe(0);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('This field is required.').waitFor();
  await dialog.getByLabel('Field').selectOption('text');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Enter a value, or clear the field.').waitFor();
  await dialog.getByRole('button', { name: 'Clear the field' }).click();
  await page.getByText('Text of 2 records was changed.').waitFor();
  const rows = await app.world.rows('select text from specimens');
  expect(rows.map(({ text }) => text)).toEqual([null, null]);
});

test('a list shows more columns than a request takes, and a change in the last one', async () => {
  const id = await app.make('specimens', {
    label: 'Broad',
    custom_fields: { custom: 'At the end' },
  });
  const page = await app.as('ada');
  const { body } = await app.ada.get('/objects/specimens');
  const keys: string[] = body.data.fields.map(({ key }: { key: string }) => key);
  expect(keys.length).toBeGreaterThan(20);
  await openList(page, keys.toSorted((one) => (one === 'custom' ? 1 : -1)).join(','));
  await page.getByRole('region', { name: 'Specimens' }).evaluate((list) => {
    list.scrollTo({ left: list.scrollWidth });
  });
  await page.getByText('At the end').waitFor();
  await app.ada.patch(`/objects/specimens/records/${id}`, {
    fields: { custom_fields: { custom: 'Changed there' } },
  });
  await page.getByText('Changed there').waitFor();
});

test('a work item is not offered where it has no type, and the dialog says why', async () => {
  const page = await app.as('ada');
  const offer = page.getByRole('option', { name: 'New work item' });
  await page.goto(`${app.address}/o/work_items`);
  await page.getByRole('heading', { name: 'Work items', level: 1 }).waitFor();
  await page.getByText('No work item types yet').waitFor();
  expect(await page.getByRole('button', { name: /^New / }).count()).toBe(0);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('new ');
  await page.getByRole('option', { name: 'New specimen' }).first().waitFor();
  expect(await offer.count()).toBe(0);
  // From a list of objects that is older than the end of the last type.
  await page.route(/\/v1\/objects\?/, async (route) => {
    const answer = await route.fetch();
    const { data, ...rest } = await answer.json();
    const older = data.map(({ work_item_types: _, ...object }: object & SomeTypes) => object);
    await route.fulfill({ response: answer, json: { ...rest, data: older } });
  });
  await page.reload();
  await page.getByText('No work item types yet').waitFor();
  expect(await page.getByRole('button', { name: /^New / }).count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Import a file' }).count()).toBe(0);
  await page.getByRole('main').getByRole('link', { name: 'Data model' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('new work item');
  await offer.first().click();
  const dialog = page.getByRole('dialog', { name: 'New work item' });
  await dialog.getByText('No work item types yet').waitFor();
  expect(await dialog.getByRole('button', { name: 'Create' }).count()).toBe(0);
});

test('an address of no record is a page that is not there', async () => {
  const page = await app.as('ada');
  for (const path of ['o/specimens/nonsense', 'o/work_items/BUG-99', 'nowhere']) {
    await page.goto(`${app.address}/${path}`);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    expect(await page.getByText(/must match|format|failed/i).count()).toBe(0);
  }
});

test('another question begins at the left of the list, wherever it was scrolled before a reload', async () => {
  const page = await app.as('ada');
  await openList(page, 'text,long_text,number,integer,currency,percent,date,datetime,select');
  const list = page.getByRole('region', { name: 'Specimens' });
  const left = () => list.evaluate((element) => element.scrollLeft);
  await list.evaluate((element) => element.scrollTo({ left: 300 }));
  await expect.poll(left).toBe(300);
  // The router notes where one has scrolled to a moment later.
  await settling(page)();
  await page.reload();
  await page.getByRole('link', { name: 'Copied', exact: true }).waitFor();
  await page.getByRole('searchbox').fill('too');
  await page.getByRole('link', { name: 'Copied', exact: true }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Copied too' }).waitFor();
  expect(await left()).toBe(0);
});

test('a new card begins with the conditions of the board; where it is not on it, a note reports it', async () => {
  await app.make('specimens', { label: 'On it', select: 'red', integer: 7, boolean: true });
  const page = await app.as('ada');
  const asked = 'filter[integer][gte]=5&filter[boolean][eq]=true';
  await page.goto(`${app.address}/o/specimens?layout=board&by=select&${asked}`);
  await page.getByRole('link', { name: 'On it' }).waitFor();
  await page.getByRole('button', { name: 'New specimen in Red' }).click();
  const dialog = page.getByRole('dialog', { name: 'New specimen' });
  await dialog.getByLabel('Label').fill('Fresh');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByText('The filters or the search hide “Fresh” on this board.').waitFor();
  const [made] = await app.world.rows("select * from specimens where label = 'Fresh'");
  expect(made).toMatchObject({ select: 'red', boolean: true });
});

test('a list whose next page has failed continues when the network is back', async () => {
  await app.makeAll(
    'specimens',
    Array.from({ length: 130 }, (_, at) => ({ label: `Row ${String(at).padStart(3, '0')}` })),
  );
  const page = await app.as('ada');
  let isCut = true;
  const pages: string[] = [];
  await page.route(/specimens\/records\?/, (route) => {
    const isNext = route.request().url().includes('cursor=');
    if (!(isNext && isCut)) return route.continue();
    pages.push(route.request().url());
    return route.abort('connectionrefused');
  });
  await page.goto(`${app.address}/o/specimens?q=Row&sort=label&fields=text`);
  await page.getByRole('link', { name: 'Row 000' }).focus();
  await page.keyboard.press('Control+End');
  await page.getByText('The service cannot be reached.').waitFor({ timeout: 120_000 });
  isCut = false;
  await page.context().setOffline(true);
  await page.getByText('You are offline').waitFor();
  await page.context().setOffline(false);
  await page.getByText('The service cannot be reached.').waitFor({ state: 'detached' });
  await expect.poll(() => page.getByRole('grid').getAttribute('aria-rowcount')).toBe('131');
});

test('a comment that mentions a person names who is notified', async () => {
  const id = await app.make('companies', { name: 'Talked about' });
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/companies/${id}`);
  await page.getByRole('textbox', { name: 'Comment' }).fill('Look, @Mi');
  await page.getByRole('option', { name: 'Mia' }).click();
  await page.getByText('Only people who can see this record are notified.').waitFor();
});
