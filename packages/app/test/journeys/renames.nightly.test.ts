// Other keys for an object, a status and a relationship: the plan says what stays and what clients notice, and the data is
// there under the new key. Names in several languages keep those that the page does not show.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../axe.ts';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';

let app: BrowserWorld;
let deal: string;

beforeAll(async () => {
  app = await openBrowserWorld();
  const company_id = await app.make('companies', { name: 'Harbour Supplies' });
  await app.make('boats', { name: 'Barge', company_id });
  deal = await app.make('deals', { name: 'Rope' });
});
afterAll(() => app?.close());

const bar = (page: Page) => page.getByRole('region', { name: 'Collected changes' });

async function apply(page: Page) {
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByText(/applied\./).waitFor();
}

async function documentNow() {
  const { body } = await app.ada.get('/definition');
  return body.data.document;
}

test('of an object: its records stay, and programs find them at the new key', async () => {
  const page = await app.as('ada');
  await page.goto(`${app.address}/settings/model/companies`);
  await page.getByRole('heading', { name: 'Settings', level: 2 }).waitFor();
  // Programs rely on the objects that every workspace has.
  expect(await page.getByRole('button', { name: 'Change key…' }).count()).toBe(0);
  await page.goto(`${app.address}/settings/model/boats`);
  await page.getByRole('button', { name: 'Change key…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change the key of Boats' });
  const key = dialog.getByLabel('Key');
  await key.fill('deals');
  await dialog.getByText('This key is taken.').waitFor();
  await key.fill('ships');
  await dialog.getByText('Programs must use the new key').waitFor();
  expect(await axeFindings(page, 'both')).toEqual([]);
  await dialog.getByRole('button', { name: 'Change key' }).click();
  await page.waitForURL(/settings\/model\/ships$/);
  await bar(page).getByText('One change').waitFor();
  await bar(page).getByRole('link', { name: 'Review' }).click();
  await page.getByText('Object “Boats”').waitFor();
  await page.getByText('Records, links, rights, views and webhooks stay.').waitFor();
  await page.getByText('Programs must use the new key').waitFor();
  expect(await axeFindings(page, 'both')).toEqual([]);
  await apply(page);
  const { body } = await app.ada.get('/objects/ships/records');
  expect(body.data.map(({ display }: { display: string }) => display)).toEqual(['Barge']);
  expect((await app.ada.get('/objects/boats/records')).status).toBe(404);
  expect((await documentNow()).roles.rep.objects.ships).toEqual({ create: 'own', read: 'own' });
});

test('of a status: the records that have it', async () => {
  const page = await app.as('ada');
  await page.goto(`${app.address}/settings/workflows/pipeline?status=open`);
  await page.getByRole('button', { name: 'Change key…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change the key of Open' });
  await dialog.getByLabel('Key').fill('fresh');
  await dialog.getByRole('button', { name: 'Change key' }).click();
  const panel = page.getByRole('complementary', { name: 'Open' });
  await panel.getByText('fresh').waitFor();
  expect(await axeFindings(page, 'both')).toEqual([]);
  await bar(page).getByText('One change').waitFor();
  await bar(page).getByRole('link', { name: 'Review' }).click();
  await page.getByText('Records stay in this status.').waitFor();
  await apply(page);
  const { body } = await app.ada.get(`/objects/deals/records/${deal}`);
  expect(JSON.stringify(body.data)).toContain('"fresh"');
});

test('of a relationship', async () => {
  const page = await app.as('ada');
  await page.goto(`${app.address}/settings/model/deals?relationship=contacts_deals`);
  const dialog = page.getByRole('dialog', { name: 'Contacts and deals' });
  await dialog.getByLabel('Key').fill('involved');
  await dialog.getByText('Links stay.').waitFor();
  expect(await axeFindings(page, 'both')).toEqual([]);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await bar(page).getByRole('link', { name: 'Review' }).click();
  await page.getByText('Programs must use the new key to read and change links.').waitFor();
  await apply(page);
  const { relationships } = await documentNow();
  expect(relationships.involved).toMatchObject({ from: 'contacts', to: 'deals' });
  expect(relationships.contacts_deals).toBeUndefined();
});

test('options that are edited keep their labels in other languages', async () => {
  const patch = {
    objects: {
      deals: {
        fields: {
          tags: {
            options: [
              { value: 'new', label: { en: 'New', de: 'Neu' } },
              { value: 'hot', label: { en: 'Hot', de: 'Heiß' } },
            ],
          },
        },
      },
    },
  };
  const { body } = await app.ada.post('/definition/plan', { merge: true, patch });
  const { plan_id, revision } = body.data;
  const tag = { 'if-match': `"${revision}"` };
  await app.ada.post('/definition/apply', { merge: true, patch, plan_id }, tag);
  const page = await app.as('ada');
  await page.goto(`${app.address}/settings/model/deals?field=tags`);
  await page.getByLabel('Label of new').fill('Fresh');
  // One click is enough for an option that is typed and not added yet.
  await page.getByLabel('New option').fill('Cold');
  await page.getByRole('button', { name: 'Done' }).click();
  await bar(page).getByRole('link', { name: 'Review' }).click();
  await page.getByText('Field “tags” of Deals').waitFor();
  await apply(page);
  expect((await documentNow()).objects.deals.fields.tags.options).toEqual([
    { value: 'new', label: { en: 'Fresh', de: 'Neu' } },
    { value: 'hot', label: { en: 'Hot', de: 'Heiß' } },
    { value: 'cold', label: 'Cold' },
  ]);
});
