// Files on the page of a record: a PDF is dropped on it and opens for those who may read the field, and only for them;
// pictures are shown small; the data model offers the type.

import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FILED } from '../../../../test/file-world.ts';
import type { PersonName } from '../../../../test/world.ts';
import { axeFindings } from '../axe.ts';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';

let app: BrowserWorld;

beforeAll(async () => {
  app = await openBrowserWorld();
  await app.world.apply(FILED);
});
afterAll(() => app?.close());

const PDF = '%PDF-1.4\n% a small one\n%%EOF\n';
/** One dot. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

async function open(person: PersonName, id: string, title: string): Promise<Page> {
  const page = await app.as(person);
  await page.goto(`${app.address}/o/deals/${id}`);
  await page.getByRole('heading', { name: title, level: 1 }).waitFor();
  const folded = page.getByRole('button', { name: /Show \d+ empty/ });
  if ((await folded.count()) > 0) await folded.click();
  return page;
}

/** As if a file were dragged from a folder onto the control. */
async function drop(page: Page, group: string, file: { name: string; type: string; text: string }) {
  const transfer = await page.evaluateHandle(({ name, type, text }) => {
    const all = new DataTransfer();
    all.items.add(new File([text], name, { type }));
    return all;
  }, file);
  await page.getByRole('group', { name: group }).dispatchEvent('drop', { dataTransfer: transfer });
}

const papersOf = async (id: string) =>
  (await app.ada.get(`/objects/deals/records/${id}`)).body.data.fields;

test('a PDF that is dropped on a record opens for those who may, and only for them', async () => {
  const id = await app.make('deals', { name: 'Dropped', owner_user_id: app.world.users.rob });
  const page = await open('ada', id, 'Dropped');
  await drop(page, 'scan', { name: 'Contract.pdf', type: 'application/pdf', text: PDF });
  const button = page.getByRole('button', { name: 'Contract.pdf', exact: true });
  await button.waitFor();
  await expect
    .poll(async () => (await papersOf(id)).scan)
    .toMatchObject([{ name: 'Contract.pdf', size: PDF.length }]);
  expect(await axeFindings(page)).toEqual([]);
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  expect(download.suggestedFilename()).toBe('Contract.pdf');
  expect(await text(await download.createReadStream())).toBe(PDF);
  // Mia reads the field, and cannot change it; Rob does not see it.
  const reader = await open('mia', id, 'Dropped');
  await reader.getByRole('button', { name: 'Contract.pdf', exact: true }).waitFor();
  expect(await reader.getByRole('button', { name: 'Remove Contract.pdf' }).count()).toBe(0);
  const stranger = await open('rob', id, 'Dropped');
  await stranger.getByText('papers').first().waitFor();
  expect(await stranger.getByText('Contract.pdf').count()).toBe(0);
});

test('files are chosen, shown small, removed, and brought back by undo', async () => {
  const id = await app.make('deals', { name: 'Chosen' });
  const page = await open('ada', id, 'Chosen');
  const group = page.getByRole('group', { name: 'papers' });
  await group.locator('input[type=file]').setInputFiles([
    { name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(PNG, 'base64') },
    { name: 'Ünï 文.txt', mimeType: 'text/plain', buffer: Buffer.from('text') },
  ]);
  await group.getByRole('button', { name: 'Ünï 文.txt', exact: true }).waitFor();
  await group.locator('img').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await group.getByRole('button', { name: 'Remove Ünï 文.txt' }).click();
  await expect.poll(async () => (await papersOf(id)).papers.length).toBe(1);
  await page.keyboard.press('Control+z');
  await group.getByRole('button', { name: 'Ünï 文.txt', exact: true }).waitFor();
});

test('a file that the field does not take is refused in words', async () => {
  const id = await app.make('deals', { name: 'Refused' });
  const page = await open('ada', id, 'Refused');
  await drop(page, 'scan', { name: 'a.txt', type: 'text/plain', text: 'x' });
  await page.getByText('The field takes no files of the type text/plain.').waitFor();
  expect((await papersOf(id)).scan).toBeNull();
});

test('a new record takes files, and a list shows their names', async () => {
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/deals?fields=papers`);
  await page.getByRole('button', { name: 'New deal' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').first().fill('With papers');
  await dialog
    .getByRole('group', { name: 'papers' })
    .locator('input[type=file]')
    .setInputFiles([{ name: 'first.txt', mimeType: 'text/plain', buffer: Buffer.from('1') }]);
  await dialog.getByText('first.txt').waitFor();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.goto(`${app.address}/o/deals?fields=papers`);
  await page.getByRole('gridcell', { name: 'first.txt' }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
});

test('a file that is removed while another one is sent stays removed; meanwhile none can be chosen', async () => {
  const id = await app.make('deals', { name: 'Removed' });
  const page = await open('ada', id, 'Removed');
  const group = page.getByRole('group', { name: 'papers' });
  const choose = (name: string) =>
    group
      .locator('input[type=file]')
      .setInputFiles([{ name, mimeType: 'text/plain', buffer: Buffer.from(name) }]);
  await choose('first.txt');
  await group.getByRole('button', { name: 'first.txt', exact: true }).waitFor();
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/v1/files**', async (route) => {
    await released;
    await route.continue();
  });
  await choose('second.txt');
  await group.getByRole('progressbar').waitFor();
  const chooser = group.getByRole('button', { name: /^Add a file/ });
  expect(await chooser.getAttribute('aria-disabled')).toBe('true');
  await group.getByRole('button', { name: 'Remove first.txt' }).click();
  release();
  await group.getByRole('button', { name: 'second.txt', exact: true }).waitFor();
  await expect
    .poll(async () => (await papersOf(id)).papers)
    .toMatchObject([{ name: 'second.txt' }]);
  expect(await group.getByRole('alert').count()).toBe(0);
});
