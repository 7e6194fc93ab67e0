// The parts of a record: comments with mentions, links, children of a work item, the audit, and the deletion; all of
// it by keys too.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PersonName } from '../../../../test/world.ts';
import { axeFindings } from '../axe.ts';
import { type BrowserWorld, type Look, openBrowserWorld, visit } from '../browser-world.ts';
import { longTest } from '../long.ts';
import { SPECIMENS } from '../specimens.ts';

let app: BrowserWorld;

beforeAll(async () => {
  app = await openBrowserWorld();
  await app.world.apply(SPECIMENS);
});
afterAll(() => app?.close());

async function open(person: PersonName, path: string, title: string, look?: Look): Promise<Page> {
  const page = await app.as(person, look);
  await page.goto(`${app.address}/o/${path}`);
  await page.getByRole('heading', { name: title, level: 1 }).waitFor();
  return page;
}

test('a comment mentions somebody, is text, survives a reload, and comes to the other one by itself', async () => {
  const id = await app.make('deals', { name: 'Talked of', owner_user_id: app.world.users.rob });
  const other = await open('rob', `deals/${id}`, 'Talked of');
  await other.getByText('No activity yet.').waitFor();
  const page = await open('mia', `deals/${id}`, 'Talked of');
  await page.getByText('No activity yet.').waitFor();
  const field = page.getByRole('textbox', { name: 'Comment' });
  await field.pressSequentially('See https://acme.example/x, @ro');
  await page.getByRole('option', { name: 'Rob' }).waitFor();
  expect(await field.getAttribute('aria-activedescendant')).toBe(
    await page.getByRole('option', { name: 'Rob' }).getAttribute('id'),
  );
  expect(await axeFindings(page)).toEqual([]);
  await page.keyboard.press('Enter');
  expect(await field.inputValue()).toBe('See https://acme.example/x, @Rob ');
  await page.reload();
  await page.getByRole('heading', { name: 'Talked of', level: 1 }).waitFor();
  expect(await field.inputValue()).toBe('See https://acme.example/x, @Rob ');
  await field.press('End');
  await page.keyboard.type('<b>now</b>');
  await page.keyboard.press('Control+Enter');
  const list = page.getByRole('list', { name: 'Activity' });
  await list.getByText('<b>now</b>').waitFor();
  await expect.poll(() => field.inputValue()).toBe('');
  const link = list.getByRole('link');
  expect(await link.getAttribute('href')).toBe('https://acme.example/x');
  const rob = await app.world.as('rob');
  const { body } = await rob.get('/notifications');
  const [mention] = body.data;
  expect(mention).toMatchObject({ kind: 'mention', record_id: id, object_type: 'deals' });
  await other.getByRole('list', { name: 'Activity' }).getByText('<b>now</b>').waitFor();
});

longTest('earlier comments come page by page, the newest last', async () => {
  const id = await app.make('companies', { name: 'Much said' });
  const { ada } = app;
  for (let count = 1; count <= 35; count += 1)
    await ada.post(`/objects/companies/records/${id}/comments`, { body: `Number ${count}.` });
  const page = await open('ada', `companies/${id}`, 'Much said');
  const items = page.getByRole('list', { name: 'Activity' }).getByRole('listitem');
  await items.last().getByText('Number 35.').waitFor();
  expect(await items.count()).toBe(30);
  await page.getByRole('button', { name: 'Show earlier activity' }).click();
  await items.first().getByText('Ada created the record').waitFor();
  await items.nth(1).getByText('Number 1.').waitFor();
  expect(await items.count()).toBe(36);
});

longTest('linked records show some of their fields, on a telephone below their names', async () => {
  const company = await app.make('companies', { name: 'With deals' });
  const owner_user_id = app.world.users.rob;
  await app.make('deals', {
    name: 'Seen',
    company_id: company,
    amount: 12,
    code: 'S',
    owner_user_id,
  });
  for (const width of [1280, 390]) {
    const page = await open('ada', `companies/${company}`, 'With deals', { width });
    const section = page.getByRole('region', { name: 'Deals' });
    // Before somebody opens the section.
    await section.getByRole('listitem').filter({ hasText: 'Seen' }).getByText('Open').waitFor();
    await section.getByRole('button', { name: 'Deals', exact: true }).click();
    const row = section.getByRole('table', { name: 'Deals' }).getByRole('row', { name: 'Seen' });
    await row.getByRole('cell', { name: 'Open' }).waitFor();
    await row.getByRole('cell', { name: '$12.00' }).waitFor();
    expect(await section.getByRole('columnheader', { name: 'Company' }).count()).toBe(0);
    expect(await axeFindings(page)).toEqual([]);
  }
});

test('records are linked by search, unlinked, and that is undone', async () => {
  const deal = await app.make('deals', { name: 'Linked deal' });
  const contact = await app.make('contacts', { name: 'Jo Contact' });
  const page = await open('ada', `deals/${deal}`, 'Linked deal');
  const section = page.getByRole('region', { name: 'Contacts' });
  await section.getByRole('button', { name: 'Contacts', exact: true }).click();
  await section.getByText('No records').waitFor();
  await section.getByRole('button', { name: 'Link Contacts' }).click();
  await page.keyboard.type('jo con');
  await page.getByRole('option', { name: 'Jo Contact' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const link = section.getByRole('link', { name: 'Jo Contact' });
  await link.waitFor();
  const links = () => app.world.rows('select 1 from _links where from_id = $1', [contact]);
  await expect.poll(links).toHaveLength(1);
  await section.getByRole('button', { name: 'Unlink Jo Contact' }).click();
  await section.getByText('No records').waitFor();
  await expect.poll(links).toHaveLength(0);
  const note = page.getByText('“Jo Contact” was unlinked.');
  await note.waitFor();
  await page
    .getByRole('status')
    .filter({ hasText: 'was unlinked' })
    .getByRole('button', { name: 'Undo' })
    .click();
  await link.waitFor();
  await expect.poll(links).toHaveLength(1);
});

test('readers are offered no links, and no new records whose reference they may not write', async () => {
  const { con } = app.world.users;
  const company = await app.make('companies', { name: 'Read company' });
  const deal = await app.make('deals', { name: 'Read deal', company_id: company });
  const contact = await app.make('contacts', { name: 'Read contact' });
  const place = `/objects/deals/records/${deal}/relationships/assoc.contacts_deals`;
  await app.ada.post(place, { target_id: contact });
  const read = { read: 'organisation' };
  const objects = { deals: { ...read, create: 'own' }, contacts: read, companies: read };
  await app.ada.post('/roles', { key: 'reader', name: 'Reader', objects });
  await app.ada.patch(`/users/${con}`, { roles: ['reader'] });
  const page = await open('con', `deals/${deal}`, 'Read deal');
  await page.getByRole('region', { name: 'Contacts' }).getByText('Read contact').waitFor();
  expect(await page.getByRole('button', { name: /link/i }).count()).toBe(0);
  // Without the directory people have no names.
  await page.getByText('Somebody', { exact: true }).first().waitFor();
  await visit(page, `${app.address}/o/companies/${company}`);
  const section = page.getByRole('region', { name: 'Deals' });
  await section.getByRole('button', { name: 'New deal' }).waitFor();
  const fields = { company_id: 'read' };
  await app.ada.patch('/roles/reader', { objects: { deals: { fields } } });
  await page.reload();
  await section.getByText('Read deal').waitFor();
  expect(await section.getByRole('button', { name: 'New deal' }).count()).toBe(0);
});

longTest('a new record that refers to this one has it from the start', async () => {
  const company = await app.make('companies', { name: 'Parent of deals' });
  const page = await open('ada', `companies/${company}`, 'Parent of deals');
  const section = page.getByRole('region', { name: 'Deals' });
  await section.getByRole('button', { name: 'Deals', exact: true }).click();
  await section.getByRole('button', { name: 'New deal' }).click();
  const dialog = page.getByRole('dialog', { name: 'New deal' });
  await dialog.getByLabel('Name').fill('Its deal');
  await page.keyboard.press('Control+Enter');
  await section.getByRole('link', { name: 'Its deal' }).waitFor();
  const rows = await app.world.rows(`select company_id from deals where name = 'Its deal'`);
  expect(rows).toEqual([{ company_id: company }]);
});

longTest(
  'below a work item: level by level, counted by status, moved elsewhere and back',
  async () => {
    const below = (title: string, parent?: string) =>
      app.make('work_items', {
        title,
        work_item_type_id: 'chore',
        parent_work_item_id: parent ?? null,
      });
    const top = await below('Top');
    const child = await below('Child', top);
    await below('Grandchild', child);
    const other = await below('Elsewhere');
    const page = await open('ada', `work_items/${top}`, 'Top');
    const tree = page.getByRole('region', { name: 'Sub-items' });
    await tree.getByText('1 Open').waitFor();
    expect(await tree.getByRole('link', { name: 'Grandchild' }).count()).toBe(0);
    await tree.getByRole('button', { name: 'Sub-items of Child' }).click();
    await tree.getByRole('link', { name: 'Grandchild' }).waitFor();
    await tree.getByRole('button', { name: 'Actions for Child' }).click();
    await page.getByRole('menuitem', { name: 'Change parent…' }).click();
    await page.keyboard.type('else');
    await page.getByRole('option', { name: 'Elsewhere' }).click();
    await tree.getByText('No sub-items').waitFor();
    const parent = async () =>
      (
        await app.world.rows('select parent_work_item_id from work_items where id = $1', [child])
      )[0];
    await expect.poll(parent).toEqual({ parent_work_item_id: other });
    await page.getByRole('button', { name: 'Undo' }).click();
    await tree.getByRole('link', { name: 'Child', exact: true }).waitFor();
    await expect.poll(parent).toEqual({ parent_work_item_id: top });
  },
);

longTest(
  'the audit, in words: all of it for administrators, their own actions for others',
  async () => {
    const id = await app.make('deals', { name: 'Worked on', owner_user_id: app.world.users.rob });
    const rob = await app.world.as('rob');
    await rob.patch(`/objects/deals/records/${id}`, {
      fields: { amount: 5, closes_on: '2027-01-01' },
    });
    for (const [person, isAll] of [
      ['ada', true],
      ['rob', false],
    ] as const) {
      const page = await open(person, `deals/${id}`, 'Worked on');
      const list = page.getByRole('list', { name: 'Activity' });
      await list.getByText('Rob changed amount and closes_on').waitFor();
      const [others, own] = [
        list.getByText('Ada created the record'),
        page.getByText('Only your own activity.'),
      ];
      await (isAll ? others : own).waitFor();
      expect(await (isAll ? own : others).count()).toBe(0);
    }
  },
);

test('a delete says what goes with it, and what prevents it', async () => {
  const company = await app.make('companies', { name: 'Going' });
  const deal = await app.make('deals', { name: 'Stays', company_id: company });
  const { ada } = app;
  await ada.post(`/objects/companies/records/${company}/comments`, { body: 'Once.' });
  const boat = await app.make('boats', { name: 'Holds', company_id: company });
  const page = await open('ada', `companies/${company}`, 'Going');
  const ask = async () => {
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    return page.getByRole('dialog', { name: 'Delete “Going”?' });
  };
  let dialog = await ask();
  await dialog.getByText('1 Boat needs it').waitFor();
  expect(await dialog.getByRole('button', { name: 'Delete' }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await ada.delete(`/objects/boats/records/${boat}`);
  dialog = await ask();
  await dialog.getByText('1 Deal loses its Company').waitFor();
  await dialog.getByText('Comments that are deleted: 1').waitFor();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('“Going” was deleted. 1 Deal lost its reference to it.').waitFor();
  await page.getByRole('heading', { name: 'Companies', level: 1 }).waitFor();
  expect(await page.getByRole('link', { name: 'Going' }).count()).toBe(0);
  const [row] = await app.world.rows('select company_id from deals where id = $1', [deal]);
  expect(row).toEqual({ company_id: null });
});

longTest('where much is lost, the name is typed', async () => {
  const company = await app.make('companies', { name: 'Large' });
  const all = Array.from({ length: 25 }, (_, index) => ({
    ...{ name: `Deal ${index}`, company_id: company },
  }));
  await app.makeAll('deals', all);
  const page = await open('ada', `companies/${company}`, 'Large');
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete “Large”?' });
  await dialog.getByText('25 Deals lose their Company').waitFor();
  const button = dialog.getByRole('button', { name: 'Delete' });
  expect(await button.isDisabled()).toBe(true);
  await dialog.getByRole('textbox').fill('Large');
  await button.click();
  await page.getByText('“Large” was deleted.').waitFor();
});

longTest('what may not be changed says why; what may not be deleted is not offered', async () => {
  const id = await app.make('deals', {
    name: 'Rob’s',
    code: 'R-9',
    owner_user_id: app.world.users.rob,
  });
  const page = await open('rob', `deals/${id}`, 'Rob’s');
  await page.getByText('You cannot change this field.').first().waitFor();
  await page.getByText('Only people who may assign records can change the owner.').waitFor();
  expect(await page.getByRole('button', { name: /^Owner/ }).count()).toBe(0);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Copy link' }).waitFor();
  expect(await page.getByRole('menuitem', { name: 'Delete…' }).count()).toBe(0);
  const company = await app.make('companies', { name: 'Only read' });
  const reader = await open('rob', `companies/${company}`, 'Only read');
  await reader.getByText('You can read this record but not change it.').waitFor();
  const heading = reader.getByRole('heading', { name: 'Only read', level: 1 });
  expect(await heading.getByRole('button').count()).toBe(0);
  // Deals are read by their owner: the list of the company has those, and no others.
  await app.make('deals', {
    name: 'Seen',
    company_id: company,
    owner_user_id: app.world.users.rob,
  });
  await app.make('deals', { name: 'Hidden', company_id: company });
  await reader.reload();
  const section = reader.getByRole('region', { name: 'Deals' });
  await section.getByRole('button', { name: 'Deals', exact: true }).click();
  await section.getByRole('link', { name: 'Seen' }).waitFor();
  expect(await section.getByRole('link', { name: 'Hidden' }).count()).toBe(0);
});

test('Ctrl Z undoes a change, and keeps later changes of others', async () => {
  const id = await app.make('deals', { name: 'Undone', amount: 5 });
  const page = await open('ada', `deals/${id}`, 'Undone');
  await page.getByRole('button', { name: /^amount/ }).click();
  await page.getByRole('textbox', { name: 'Amount' }).fill('6');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Amount $6.00' }).waitFor();
  await app.ada.patch(`/objects/deals/records/${id}`, { fields: { code: 'U-1' } });
  await page.keyboard.press('Control+z');
  await page.getByRole('button', { name: 'Amount $5.00' }).waitFor();
  const [row] = await app.world.rows('select amount, code from deals where id = $1', [id]);
  expect([Number(row?.amount), row?.code]).toEqual([5, 'U-1']);
});

longTest('a record that is gone says so', async () => {
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/deals/0199d9a2-0000-7000-8000-000000000000`);
  await page.getByText('It was deleted, or you no longer have access to it.').waitFor();
});

const KEYS_ALONE = [
  ['wide', {}],
  ['on a telephone', { width: 390, colorScheme: 'dark' }],
] as const;

longTest.each(KEYS_ALONE)(
  'by keys alone, %s: created, edited, commented, linked, deleted',
  async (where, look) => {
    const contact = await app.make('contacts', { name: `Kay ${where}` });
    const page = await app.as('ada', look);
    await page.goto(`${app.address}/o/deals`);
    await page.getByRole('heading', { name: 'Deals', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.locator('[role=combobox]:focus').waitFor();
    await page.keyboard.type('new deal');
    await page.getByRole('option', { name: /^New deal/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'New deal' }).waitFor();
    await page.waitForFunction(() => document.activeElement?.tagName === 'INPUT');
    await page.keyboard.type(`By keys ${where}`);
    await page.keyboard.press('Control+Enter');
    await page.getByRole('heading', { name: `By keys ${where}`, level: 1 }).waitFor();
    const id = page.url().split('/').at(-1);
    await tabTo(page, /^amount/i);
    await page.keyboard.press('Enter');
    await page.keyboard.type('12');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Amount $12.00' }).waitFor();
    await tabTo(page, /^Link Contacts/);
    await page.keyboard.press('Enter');
    await page.keyboard.type(`kay ${where}`);
    await page.getByRole('option', { name: `Kay ${where}` }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: `Kay ${where}` }).waitFor();
    await tabTo(page, /^Comment$/);
    await page.keyboard.type('Done without a mouse.');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('list', { name: 'Activity' }).getByText('without a mouse').waitFor();
    const [links] = await app.world.rows('select to_id from _links where from_id = $1', [contact]);
    expect(links).toEqual({ to_id: id });
    await tabTo(page, /^More$/);
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Delete…' }).waitFor();
    await expect
      .poll(async () => {
        await page.keyboard.press('ArrowUp');
        return page.evaluate(() => document.activeElement?.textContent);
      })
      .toBe('Delete…');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: /^Delete/ });
    await dialog.getByText('Links to Contacts that are removed: 1').waitFor();
    await tabTo(page, /^Delete$/);
    await page.keyboard.press('Enter');
    await page.getByText(`“By keys ${where}” was deleted.`).waitFor();
    expect(await app.world.rows('select 1 from deals where id = $1', [id])).toEqual([]);
  },
);

/** With Tab, until the focus is on what has this name. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let turn = 0; turn < 80; turn += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const { activeElement: element } = document;
      const ids = element?.getAttribute('aria-labelledby')?.split(' ') ?? [];
      const labels = ids.map((id) => document.getElementById(id)?.textContent ?? '');
      const text = labels.length > 0 ? labels.join(' ') : (element?.textContent ?? '');
      return (element?.getAttribute('aria-label') ?? text).trim();
    });
    if (name.test(focused)) return;
  }
  throw new Error(`Tab never comes to ${name}`);
}

longTest.each([
  ['on a desk', {}],
  ['on a telephone', { width: 390 }],
] as const)('axe: the page, the dialogs, %s', async (_, look) => {
  const company = await app.make('companies', { name: 'Looked at' });
  const deal = await app.make('deals', { name: 'Contested', amount: 5, company_id: company });
  await app.make('contacts', { name: 'Somebody' });
  const page = await open('ada', `companies/${company}`, 'Looked at', look);
  const found = async (what: string) => expect(await axeFindings(page), what).toEqual([]);
  const section = page.getByRole('region', { name: 'Deals' });
  await section.getByRole('button', { name: 'Deals', exact: true }).click();
  await section.getByRole('link', { name: 'Contested' }).waitFor();
  await found('a record with links');
  await page.getByText('Ada created the record').waitFor();
  await found('activity');
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  await page.getByText('1 Deal loses its Company').waitFor();
  await found('the question before a delete');
  await page.keyboard.press('Escape');
  await visit(page, `${app.address}/o/deals/${deal}`);
  await page.getByRole('button', { name: 'Link Contacts' }).click();
  await page.getByRole('option', { name: 'Somebody' }).first().waitFor();
  await found('choosing what to link');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^amount/ }).click();
  await page.getByRole('textbox', { name: 'Amount' }).fill('6');
  await app.ada.patch(`/objects/deals/records/${deal}`, { fields: { amount: 7 } });
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Someone else changed this field' }).waitFor();
  await found('a conflict');
  await page.getByRole('button', { name: /Keep (their|the other) value/ }).click();
  await visit(page, `${app.address}/o/deals`);
  await page.getByRole('button', { name: 'New deal' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  await page.getByText('This field is required.').waitFor();
  await found('a new record that is refused');
});
