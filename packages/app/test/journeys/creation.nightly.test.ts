// New records: from a list, from the palette; a refusal is shown at its field, and no typed text is lost.

import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';
import { longTest, someOf } from '../long.ts';
import { SPECIMENS, type Specimen, specimensOf } from '../specimens.ts';

let app: BrowserWorld;
let firms: readonly string[];

beforeAll(async () => {
  app = await openBrowserWorld();
  await app.world.apply(SPECIMENS);
  await app.make('companies', { name: 'Harbour Supplies' });
  // Once: a part that chooses one by its name finds one.
  firms = await app.makeAll('companies', [{ name: 'Firm A' }, { name: 'Firm B' }]);
});
afterAll(() => app?.close());

async function openNew(page: Page, type: string, name: string) {
  await page.goto(`${app.address}/o/${type}`);
  // Not the line of the table, which makes one in place; an empty list offers it below as well.
  await page
    .getByRole('main')
    .getByRole('button', { name: `New ${name}` })
    .and(page.locator(':not([data-new-row])'))
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: `New ${name}` });
  await dialog.getByRole('button', { name: 'Create' }).waitFor();
  return dialog;
}

/** Each with types of several kinds. */
const PARTS = [0, 1, 2, 3, 4, 5];

test.each(someOf(PARTS, 1))(
  'every type of field, part %i: it is created, shown, edited and cleared',
  async (part) => {
    const { ada } = app;
    const { mia, rob } = app.world.users;
    const [one = '', other = ''] = firms;
    const all = specimensOf({ companies: [one, other], people: [mia, rob] });
    const specimens = all.filter((__, index) => index % PARTS.length === part);
    const page = await app.as('ada');
    const dialog = await openNew(page, 'specimens', 'Specimen');
    await dialog.getByLabel('Label').fill('All of them');
    for (const specimen of specimens) await specimen.enter(dialog, 'first');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('heading', { name: 'All of them', level: 1 }).waitFor();
    const path = `/objects/specimens/records/${page.url().split('/').at(-1)}`;
    const stored = async ({ key }: Specimen) => {
      const { fields } = (await ada.get(path)).body.data;
      return key === 'custom' ? fields.custom_fields.custom : fields[key];
    };
    for (const specimen of specimens) {
      const { name, key, first, second } = specimen;
      expect(await stored(specimen), key).toEqual(first.value);
      await shown(page, specimen, first.shown).waitFor();
      for (const [which, text] of [
        ['second', second.shown],
        ['empty', 'Empty'],
      ] as const) {
        await editing(page, name).click();
        await specimen.enter(page, which);
        await specimen.save(page);
        await shown(page, specimen, text).waitFor();
        await expect
          .poll(() => stored(specimen), { message: key })
          .toEqual(which === 'empty' ? null : second.value);
      }
    }
  },
);

/** The editor of a field: its value, or the button next to one that is a link. */
function editing(page: Page, name: string): Locator {
  return page
    .getByRole('button', { name: new RegExp(`^(Change )?${name} `) })
    .or(page.getByRole('button', { name: `Edit ${name}`, exact: true }));
}

function shown(page: Page, { name, isLink }: Specimen, text: string): Locator {
  if (isLink && text !== 'Empty') return page.getByRole('link', { name: text, exact: true });
  const words = text.split(/\s+/).map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return page.getByRole('button', { name: new RegExp(`^${name} .*${words.join('\\s+')}$`) });
}

test('certain problems are shown before anything is sent, the rest by the service at its field', async () => {
  const held = await app.make('deals', { name: 'Held', code: 'H-1' });
  const page = await app.as('ada');
  const dialog = await openNew(page, 'deals', 'Deal');
  await dialog.getByText('Starts as Open').waitFor();
  expect(await dialog.getByLabel('Name').getAttribute('aria-required')).toBe('true');
  await dialog.getByLabel('amount').fill('-5');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByText('This field is required.').waitFor();
  await dialog.getByText('At least 0.').waitFor();
  const focused = () =>
    page.evaluate(() => document.activeElement?.getAttribute('aria-describedby'));
  expect(await dialog.getByLabel('Name').getAttribute('aria-describedby')).toBe(await focused());
  await dialog.getByLabel('Name').fill('Second');
  await dialog.getByLabel('amount').fill('5');
  await dialog.getByLabel('code').fill('H-1');
  await page.keyboard.press('Control+Enter');
  await dialog.getByText('Another record has this value already.').waitFor();
  const link = dialog.getByRole('link', { name: 'Show record' });
  expect(await link.getAttribute('href')).toBe(`/app/acme/o/deals/${held}`);
  await dialog.getByLabel('code').fill('H-2');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Second', level: 1 }).waitFor();
  const rows = await app.world.rows('select code, status, owner_user_id from deals order by code');
  expect(rows.at(-1)).toEqual({ code: 'H-2', status: 'open', owner_user_id: app.world.users.ada });
});

longTest('one after another, and a draft is there after the page was reloaded', async () => {
  const page = await app.as('ada');
  let dialog = await openNew(page, 'companies', 'Company');
  await dialog.getByLabel('Create another').check();
  for (const name of ['One', 'Two']) {
    await dialog.getByLabel('Name').fill(name);
    await page.keyboard.press('Control+Enter');
    await dialog.getByText(`“${name}” was created.`).waitFor();
    await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe('');
  }
  await dialog.getByLabel('Name').fill('Three');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Two' }).waitFor();
  await page.reload();
  dialog = await openNew(page, 'companies', 'Company');
  await dialog.getByText('Your earlier draft is restored.').waitFor();
  expect(await dialog.getByLabel('Name').inputValue()).toBe('Three');
  await dialog.getByRole('button', { name: 'Start over' }).click();
  expect(await dialog.getByLabel('Name').inputValue()).toBe('');
});

test('text that is typed while the service makes the record is kept', async () => {
  const page = await app.as('ada');
  const dialog = await openNew(page, 'companies', 'Company');
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/objects/companies/records', async (route) => {
    await released;
    await route.continue();
  });
  await dialog.getByLabel('Create another').check();
  await dialog.getByLabel('Name').fill('Sent');
  await page.keyboard.press('Control+Enter');
  await dialog.getByLabel('Name').fill('Typed after that');
  release();
  await dialog.getByText('“Sent” was created.').waitFor();
  expect(await dialog.getByLabel('Name').inputValue()).toBe('Typed after that');
  await page.keyboard.press('Control+Enter');
  await dialog.getByText('“Typed after that” was created.').waitFor();
  await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe('');
});

longTest('an answer that is lost makes no second record', async () => {
  const page = await app.as('ada');
  const dialog = await openNew(page, 'companies', 'Company');
  let lost = 0;
  await page.route('**/objects/companies/records', async (route) => {
    await route.fetch();
    lost += 1;
    await route.abort('connectionreset');
  });
  await dialog.getByLabel('Name').fill('Only one');
  await page.keyboard.press('Control+Enter');
  await dialog.getByText('The service cannot be reached.').waitFor();
  await page.unroute('**/objects/companies/records');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('heading', { name: 'Only one', level: 1 }).waitFor();
  expect(lost).toBeGreaterThan(0);
  expect(await app.world.rows(`select 1 from companies where name = 'Only one'`)).toHaveLength(1);
});

longTest(
  'the palette makes records, of those objects of which the person may make some',
  async () => {
    const page = await app.as('rob');
    await page.goto(app.address);
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Search and commands' });
    const offered = (name: RegExp) => page.getByRole('option', { name });
    await field.fill('new boat');
    await offered(/^New boat/).waitFor();
    await field.fill('new company');
    await expect.poll(() => offered(/^New boat/).count()).toBe(0);
    expect(await offered(/^New company/).count()).toBe(0);
    await field.fill('new deal');
    await offered(/^New deal/).waitFor();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New deal' });
    await dialog.getByLabel('Name').fill('Of Rob');
    expect(await dialog.getByLabel('code').count()).toBe(0);
    expect(await dialog.getByLabel('Owner').count()).toBe(0);
    await page.keyboard.press('Control+Enter');
    await page.getByRole('heading', { name: 'Of Rob', level: 1 }).waitFor();
    await page.goto(`${app.address}/o/companies`);
    await page.getByRole('link', { name: 'Harbour Supplies' }).waitFor();
    expect(await page.getByRole('button', { name: 'New company' }).count()).toBe(0);
  },
);

test('a work item has the fields of its type, also when its draft is restored', async () => {
  const page = await app.as('ada');
  let dialog = await openNew(page, 'work_items', 'Work item');
  await dialog.getByLabel('Title').fill('Leak');
  expect(await dialog.getByLabel('severity').count()).toBe(0);
  await dialog.getByLabel('Type').selectOption('Bug');
  await dialog.getByLabel('severity').fill('3');
  dialog = await openNew(page, 'work_items', 'Work item');
  await expect.poll(() => dialog.getByLabel('severity').inputValue()).toBe('3');
  await dialog.getByText('Starts as Open').waitFor();
  await page.keyboard.press('Control+Enter');
  await page.getByRole('heading', { name: 'Leak', level: 1 }).waitFor();
  const [row] = await app.world.rows('select work_item_type_id, severity from work_items');
  expect(row).toMatchObject({ work_item_type_id: 'bug' });
  expect(Number(row?.severity)).toBe(3);
});
