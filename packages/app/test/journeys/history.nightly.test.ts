// The earlier values of a record: who changed what, one value back again, and back from that; only for those who may.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PersonName } from '../../../../test/world.ts';
import { axeFindings } from '../axe.ts';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';

let app: BrowserWorld;

beforeAll(async () => {
  app = await openBrowserWorld();
});
afterAll(() => app?.close());

const pathOf = (id: string) => `/objects/companies/records/${id}`;
const fieldsOf = async (id: string) => (await app.ada.get(pathOf(id))).body.data.fields;

async function open(person: PersonName, id: string, title: string) {
  const page = await app.as(person);
  await page.goto(`${app.address}/o/companies/${id}`);
  await page.getByRole('heading', { name: title, level: 1 }).waitFor();
  await page.getByRole('tab', { name: 'History' }).click();
  return { page, list: page.getByRole('list', { name: 'Earlier values' }) };
}

test('a value that somebody replaced is restored, and the restore is undone', async () => {
  const id = await app.make('companies', { name: 'Kept', tier: 'gold', revenue: 5 });
  const mia = await app.world.as('mia');
  await mia.patch(pathOf(id), {
    fields: { tier: 'silver', custom_fields: { note: 'By mistake' } },
  });
  const { page, list } = await open('ada', id, 'Kept');
  const entry = list.getByRole('listitem').first();
  for (const text of ['Mia', 'Gold', 'silver', 'By mistake']) await entry.getByText(text).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await entry.getByRole('button', { name: 'Restore the earlier value of tier' }).click();
  await list.getByRole('listitem').nth(1).waitFor();
  expect((await fieldsOf(id)).tier).toBe('gold');
  // The record has this value again: there is no button for it.
  const mistake = list.getByRole('listitem').nth(1);
  await mistake.getByRole('button', { name: 'Restore the earlier value of note' }).waitFor();
  expect(await mistake.getByRole('button').count()).toBe(1);
  await page.keyboard.press('Control+z');
  await list.getByRole('listitem').nth(2).waitFor();
  expect((await fieldsOf(id)).tier).toBe('silver');
});

test('a change by somebody else appears by itself, page by page', async () => {
  const id = await app.make('companies', { name: 'Followed' });
  const { page, list } = await open('ada', id, 'Followed');
  await page.getByText('No earlier values yet.').waitFor();
  for (let founded = 1; founded <= 22; founded += 1) {
    const day = `2020-01-${String(founded).padStart(2, '0')}`;
    await app.ada.patch(pathOf(id), { fields: { founded: day } });
  }
  await list.getByRole('listitem').nth(19).waitFor();
  await page.getByRole('button', { name: 'Show earlier changes' }).click();
  await list.getByRole('listitem').nth(21).waitFor();
});

test('a hidden field is not shown, and people who only read restore nothing', async () => {
  const id = await app.make('companies', { name: 'Read only', revenue: 5, tier: 'gold' });
  await app.ada.patch(pathOf(id), { fields: { revenue: 6 } });
  await app.ada.patch(pathOf(id), { fields: { tier: 'silver' } });
  const { list } = await open('rob', id, 'Read only');
  await list.getByText('Gold').waitFor();
  expect(await list.getByRole('listitem').count()).toBe(1);
  expect(await list.getByRole('button').count()).toBe(0);
});

test('records of other objects have no history', async () => {
  const id = await app.make('deals', { name: 'Without' });
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/deals/${id}`);
  await page.getByText('Ada created the record').waitFor();
  expect(await page.getByRole('tab', { name: 'History' }).count()).toBe(0);
});
