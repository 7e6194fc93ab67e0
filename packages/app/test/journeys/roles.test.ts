// Roles under settings: a role is made from another, edited as a matrix, reviewed in words, saved, and deleted.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../axe.ts';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';

let app: BrowserWorld;

beforeAll(async () => {
  app = await openBrowserWorld();
});
afterAll(() => app?.close());

const roleOf = async (key: string) =>
  (await app.ada.get('/roles')).body.data.find(
    (role: { readonly key: string }) => role.key === key,
  );

test('a role begins as a copy, is edited as a draft that a reload keeps, and is saved', async () => {
  const page = await app.as('ada');
  await page.goto(`${app.address}/settings/roles`);
  await page.getByRole('link', { name: 'rep: 3 people' }).waitFor();
  expect(await axeFindings(page, 'both')).toEqual([]);
  await page.getByRole('button', { name: 'New role' }).click();
  await page.getByLabel('Name').fill('Harbour master');
  await page.getByLabel('Start from').selectOption({ label: 'rep' });
  await page.getByRole('button', { name: 'Create role' }).click();
  await page.waitForURL(/roles\/harbour_master$/);
  await page.getByText('Nobody has this role.').waitFor();

  const access = (object: string) => page.getByLabel(`Access: ${object}`);
  for (const object of ['Deals', 'Companies', 'Boats'])
    await access(object).selectOption({ label: 'Custom' });
  await page.getByLabel('Delete: Deals').selectOption({ label: 'Team' });
  await page.getByText('Delete covers more records than Read', { exact: false }).waitFor();
  await page.getByLabel('Read: Deals').selectOption({ label: 'All' });
  await page.getByLabel('Read: Companies').selectOption({ label: 'None' });
  await page.getByRole('button', { name: /^Deals/ }).click();
  await page.getByLabel('secret: Deals').selectOption({ label: 'Read' });
  await page.getByRole('checkbox', { name: /See all people/ }).check();
  await page.getByText('5 unsaved changes').waitFor();
  // A field is not said to be written where no record of its object is.
  await page.getByLabel('Read: Boats').selectOption({ label: 'All' });
  await page.getByLabel('Create: Boats').selectOption({ label: 'None' });
  await page.getByRole('button', { name: /^Boats/ }).click();
  await page.getByText('Fields can be read at most', { exact: false }).waitFor();
  const options = page.getByLabel('name: Boats').locator('option');
  expect(await options.allTextContents()).toEqual(['Hidden', 'Read']);
  await page.getByLabel('Create: Boats').selectOption({ label: 'Own' });
  await page.getByLabel('Read: Boats').selectOption({ label: 'Own' });
  await page.getByText('“Write” counts for new records only', { exact: false }).waitFor();
  // At the end of the page the bar stands below the rights, not over them.
  await page.getByRole('main').evaluate((main) => main.scrollTo(0, main.scrollHeight));
  expect(await axeFindings(page, 'both')).toEqual([]);
  await page.reload();
  await page.getByText('5 unsaved changes').waitFor();
  await page.getByRole('button', { name: 'Review and save' }).click();
  const review = page.getByRole('dialog');
  for (const text of [
    '0 people have this role. The change takes effect at once.',
    'Can no longer read Companies.',
    'Can now delete Deals of their teams.',
    'Can now read all Deals.',
    'The field “secret” of Deals can now be read.',
    'See all people and teams: No → Yes',
  ]) {
    await review.getByText(text).waitFor();
  }
  expect(await axeFindings(page)).toEqual([]);
  await review.getByRole('button', { name: 'Save role' }).click();
  await page.getByText('“Harbour master” was saved.').waitFor();
  await page.getByText('unsaved changes').waitFor({ state: 'detached' });
  const { deals, companies } = (await roleOf('harbour_master')).objects;
  expect([deals.read, deals.delete, deals.fields.secret]).toEqual(['organisation', 'team', 'read']);
  expect([companies, (await roleOf('harbour_master')).directory]).toEqual([undefined, true]);

  await page.getByRole('button', { name: 'Delete role' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete role' }).click();
  await page.getByText('“Harbour master” was deleted.').waitFor();
  expect(await roleOf('harbour_master')).toBeUndefined();
});

test('a role that people have is not offered for deletion, and leads to them', async () => {
  const page = await app.as('ada', { width: 390 });
  await page.goto(`${app.address}/settings/roles/rep`);
  await page.getByRole('link', { name: 'Rob' }).waitFor();
  await page.getByRole('button', { name: 'Delete role' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('3 people have this role. Take it from them first.').waitFor();
  expect(await dialog.getByRole('button', { name: 'Delete role' }).count()).toBe(0);
  await page.keyboard.press('Escape');
  expect(await axeFindings(page, 'both')).toEqual([]);
  await page.getByRole('link', { name: 'Rob' }).click();
  await page.getByRole('heading', { name: 'Rob', level: 1 }).waitFor();
});

test('presets are the rights of a row, or of all rows, and other rights are a choice of their own', async () => {
  await app.ada.post('/roles', { key: 'guest', name: 'Guest', objects: {} });
  const page = await app.as('ada');
  await page.goto(`${app.address}/settings/roles/guest`);
  const access = (object: string) => page.getByLabel(`Access: ${object}`);
  await access('Deals').selectOption({ label: 'Edit own' });
  await page
    .getByRole('row', { name: 'Deals' })
    .getByRole('cell', { name: 'Own' })
    .first()
    .waitFor();
  await page.getByLabel('Choose for all rows').selectOption({ label: 'Read' });
  await expect.poll(() => access('Boats').inputValue()).toBe('read');
  await access('Boats').selectOption({ label: 'Custom' });
  await page.getByLabel('Create: Boats').selectOption({ label: 'Team' });
  await page.getByRole('button', { name: 'Review and save' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save role' }).click();
  await page.getByText('“Guest” was saved.').waitFor();
  const { deals, boats } = (await roleOf('guest')).objects;
  expect([deals.read, deals.create, boats.create]).toEqual(['organisation', undefined, 'team']);
  await page.reload();
  expect(await access('Boats').inputValue()).toBe('custom');
});

test('the last administrator keeps the role, in words', async () => {
  const page = await app.as('ada');
  await page.goto(`${app.address}/settings/roles/admin`);
  await page.getByText('Every permission on every object.').first().waitFor();
  await page.getByRole('checkbox', { name: /^Administrator/ }).uncheck();
  await page.getByRole('button', { name: 'Review and save' }).click();
  await page.getByRole('button', { name: 'Save role' }).click();
  await page.getByRole('alert').getByText('administrator', { exact: false }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Discard' }).click();
  expect((await roleOf('admin')).administrator).toBe(true);
});
