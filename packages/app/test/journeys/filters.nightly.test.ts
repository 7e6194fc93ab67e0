// Filters of a list: built with the keys and with the pointer, in the address, the same for everybody who opens it,
// and for every type of field with the results of the interface itself.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACME } from '../../../../test/world.ts';
import { axeFindings } from '../axe.ts';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';
import { longTest, someOf } from '../long.ts';

let app: BrowserWorld;

beforeAll(async () => {
  app = await openBrowserWorld();
  const { apply, users } = app.world;
  await apply({
    ...ACME,
    objects: {
      ...ACME.objects,
      samples: {
        name: 'Samples',
        singular_name: 'Sample',
        display_field: 'name',
        fields: {
          name: { type: 'text', required: true },
          code: { type: 'text', name: 'Code' },
          words: { type: 'long_text', name: 'Words' },
          mail: { type: 'email', name: 'Mail', indexed: true },
          telephone: { type: 'phone', name: 'Telephone' },
          site: { type: 'url', name: 'Site' },
          size: { type: 'number', name: 'Size' },
          pieces: { type: 'integer', name: 'Pieces' },
          price: { type: 'currency', currency: 'EUR', name: 'Price' },
          share: { type: 'percent', name: 'Share' },
          is_new: { type: 'boolean', name: 'New' },
          made_on: { type: 'date', name: 'Made on' },
          seen_at: { type: 'datetime', name: 'Seen at' },
          kind: {
            type: 'select',
            name: 'Kind',
            options: [
              { value: 'a', label: 'Kind A' },
              { value: 'b', label: 'Kind B' },
            ],
          },
          marks: { type: 'multi_select', name: 'Marks', options: [{ value: 'x' }, { value: 'y' }] },
          maker_id: { type: 'reference', name: 'Maker', reference_object_type: 'companies' },
          tester: { type: 'user', name: 'Tester' },
          data: { type: 'json', name: 'Data' },
        },
      },
    },
  });
  const [harbour, rope] = await app.makeAll('companies', [
    { name: 'Harbour Supplies', tier: 'gold' },
    { name: 'Rope Works', tier: 'silver' },
  ]);
  const today = new Date().toISOString();
  const full = {
    ...{ code: 'C-1', words: 'long', mail: 'one@samples.example', telephone: '+49 30 1' },
    ...{ site: 'https://one.example', size: 1.5, pieces: 10, price: 10_000, share: 50 },
    ...{ is_new: true, made_on: today.slice(0, 10), seen_at: today, kind: 'a', marks: ['x', 'y'] },
    ...{ maker_id: harbour, tester: users.ada, data: { a: 1 } },
  };
  const other = {
    ...{ code: 'C-2', words: 'longer', mail: 'two@samples.example', telephone: '+49 30 2' },
    ...{ site: 'https://two.example', size: 2.5, pieces: 20, price: 20_000, share: 75 },
    ...{ is_new: false, made_on: '2020-02-02', seen_at: '2020-02-02T12:00:00Z', kind: 'b' },
    ...{ marks: ['y'], maker_id: rope, tester: users.mia, data: [] },
  };
  await app.makeAll('samples', [
    { ...full, name: 'First' },
    { ...other, name: 'Second' },
    { name: 'Third' },
  ]);
});
afterAll(() => app?.close());

const namesOn = async (page: Page) =>
  (await page.getByRole('rowheader').or(page.locator('tbody a[data-record]')).allTextContents())
    .map((text) => text.trim())
    .sort();

const dialogOf = (page: Page) => page.getByRole('dialog');

/** Opens the builder and chooses a field by typing. */
async function begin(page: Page, field: string): Promise<void> {
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await choose(page, field);
}

/** In the field that has just got the focus. */
async function choose(page: Page, field: string): Promise<void> {
  await page.locator('[role=dialog] input[aria-haspopup=listbox]:focus').waitFor();
  await page.keyboard.type(field);
  await dialogOf(page).getByRole('option', { name: field, exact: true }).click();
}

async function apply(page: Page): Promise<void> {
  await dialogOf(page).getByRole('button', { name: 'Apply' }).click();
  await dialogOf(page).waitFor({ state: 'hidden' });
}

/** The interface's own results for the conditions of the address. */
async function answerTo(page: Page): Promise<readonly string[]> {
  const { ada } = app;
  const parameters = new URL(page.url()).searchParams;
  const where = parameters.get('where');
  const plain = [...parameters].filter(([name]) => name.startsWith('filter['));
  const query = plain.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  const { status, body } =
    where === null
      ? await ada.get(`/objects/samples/records?${query}`)
      : await ada.post('/objects/samples/records/query', { where: JSON.parse(where) });
  expect(status).toBe(200);
  return body.data.map(({ display }: { display: string }) => display).sort();
}

type Fill = (page: Page) => Promise<unknown>;

const typed =
  (...texts: readonly string[]): Fill =>
  async (page) => {
    const boxes = dialogOf(page).locator('[data-operand] input');
    for (const [index, text] of texts.entries()) await boxes.nth(index).fill(text);
  };
const checked =
  (...names: readonly string[]): Fill =>
  async (page) => {
    for (const name of names) await dialogOf(page).getByLabel(name, { exact: true }).check();
  };
const nothing: Fill = async () => undefined;

/** Field, operator in words, value, the results, the text of the chip. */
const CASES: readonly (readonly [string, string, Fill, readonly string[], string])[] = [
  ['name', 'contains', typed('irs'), ['First'], 'name contains irs'],
  ['Code', 'is', typed('C-1'), ['First'], 'Code is C-1'],
  ['Code', 'is not', typed('C-1'), ['Second', 'Third'], 'Code is not C-1'],
  ['Code', 'sorts after', typed('C-1'), ['Second'], 'Code sorts after C-1'],
  ['Words', 'is empty', nothing, ['Third'], 'Words is empty'],
  ['Mail', 'starts with', typed('TWO@'), ['Second'], 'Mail starts with TWO@'],
  ['Mail', 'ends with', typed('.example'), ['First', 'Second'], 'Mail ends with .example'],
  ['Telephone', 'is not empty', nothing, ['First', 'Second'], 'Telephone is not empty'],
  ['Site', 'is', typed('https://one.example'), ['First'], 'Site is https://one.example'],
  ['Size', 'is between', typed('1', '2'), ['First'], 'Size is between 1 and 2'],
  ['Pieces', 'is at least', typed('20'), ['Second'], 'Pieces ≥ 20'],
  ['Price', 'is more than', typed('10,000'), ['Second'], 'Price > €10,000.00'],
  ['Share', 'is less than', typed('60'), ['First'], 'Share < 60%'],
  ['New', 'is', checked('No'), ['Second'], 'New is No'],
  ['Made on', 'is in', nothing, ['First'], 'Made on is in the last 30 days'],
  [
    'Seen at',
    'is before',
    typed('2021-01-01T00:00'),
    ['Second'],
    'Seen at is before 1 Jan 2021, 00:00',
  ],
  [
    'Kind',
    'is any of',
    checked('Kind A', 'Kind B'),
    ['First', 'Second'],
    'Kind is any of Kind A, Kind B',
  ],
  ['Kind', 'is none of', checked('Kind A'), ['Second', 'Third'], 'Kind is none of Kind A'],
  ['Marks', 'has all of', checked('x', 'y'), ['First'], 'Marks has all of x, y'],
  ['Marks', 'has none of', checked('x'), ['Second', 'Third'], 'Marks has none of x'],
  ['Maker', 'is any of', checked('Rope Works'), ['Second'], 'Maker is any of Rope Works'],
  ['Maker › tier', 'is any of', checked('Gold'), ['First'], 'Maker › tier is any of Gold'],
  ['Tester', 'is any of', checked('Me'), ['First'], 'Tester is any of Me'],
  ['Data', 'is empty', nothing, ['Third'], 'Data is empty'],
];

/** Each with fields of several types. */
const PARTS = Array.from({ length: 6 }, (_, part) => [
  CASES.filter((__, index) => index % 6 === part),
]);

test.each(someOf(PARTS, 1))(
  'fields of each type find the results of the interface, %#',
  async (cases) => {
    const page = await app.as('ada');
    await page.goto(`${app.address}/o/samples`);
    for (const [field, operator, fill, found, text] of cases) {
      await begin(page, field);
      const select = dialogOf(page).getByLabel('Condition');
      await select.selectOption({ label: operator });
      await fill(page);
      await apply(page);
      const chip = page
        .getByRole('group', { name: 'Filters' })
        .getByRole('button', { name: text, exact: true });
      await chip.waitFor();
      await expect.poll(() => namesOn(page), { message: text }).toEqual(found);
      expect(await answerTo(page), text).toEqual(found);
      await page.getByRole('button', { name: 'Remove filter' }).click();
      await expect.poll(() => namesOn(page)).toEqual(['First', 'Second', 'Third']);
    }
  },
);

test('a filter is made with the keys alone, changed, and found again by going back', async () => {
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/samples`);
  await page.getByRole('button', { name: 'Filter', exact: true }).press('Enter');
  await page.locator('[role=dialog] input:focus').waitFor();
  await page.keyboard.type('pri');
  await dialogOf(page).getByRole('option', { name: 'Price' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.locator('[data-operand] input:focus').waitFor();
  await page.keyboard.press('Enter');
  await dialogOf(page).getByText('Enter a value.').waitFor();
  await page.keyboard.type('much');
  await page.keyboard.press('Enter');
  await dialogOf(page).getByText('Enter a number such as 1,234.5.').waitFor();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('15,000');
  await page.keyboard.press('Enter');
  await page.waitForURL(/filter\[price\]\[gt\]=15000/);
  await expect.poll(() => namesOn(page)).toEqual(['Second']);
  const chip = page.getByRole('button', { name: 'Price > €15,000.00' });
  await chip.press('Enter');
  await dialogOf(page).getByLabel('Condition').selectOption({ label: 'is less than' });
  await page.locator('[data-operand] input').press('Enter');
  await expect.poll(() => namesOn(page)).toEqual(['First']);
  const changed = page.getByRole('button', { name: 'Price < €15,000.00' });
  await expect.poll(() => changed.evaluate((one) => one === document.activeElement)).toBe(true);
  await changed.press('Enter');
  await page.locator('[role=dialog] :focus').waitFor();
  await page.keyboard.press('Escape');
  await dialogOf(page).waitFor({ state: 'hidden' });
  // Pressed before the dialog has the focus.
  await changed.press('Enter');
  await page.locator('[role=dialog] :focus').waitFor();
  await changed.focus();
  await page.keyboard.press('Escape');
  await dialogOf(page).waitFor({ state: 'hidden' });
  await page.goBack();
  await expect.poll(() => namesOn(page)).toEqual(['Second']);
  await page.goBack();
  await expect.poll(() => namesOn(page)).toEqual(['First', 'Second', 'Third']);
});

longTest(
  'any of several, and all but these, stand in the address and show the same to somebody else',
  async () => {
    const page = await app.as('ada');
    await page.goto(`${app.address}/o/samples?sort=name`);
    await begin(page, 'Kind');
    await checked('Kind A')(page);
    await dialogOf(page).getByRole('button', { name: 'Add “or” condition' }).click();
    await choose(page, 'Code');
    await dialogOf(page).getByLabel('Condition').last().selectOption({ label: 'is empty' });
    await apply(page);
    await expect.poll(() => namesOn(page)).toEqual(['First', 'Third']);
    await page.getByRole('button', { name: 'Kind is any of Kind A or Code is empty' }).click();
    await dialogOf(page).getByLabel('Exclude these').check();
    await apply(page);
    await expect.poll(() => namesOn(page)).toEqual(['Second']);
    expect(await answerTo(page)).toEqual(['Second']);
    const other = await app.as('ada');
    await other.goto(page.url());
    await other
      .getByRole('button', { name: 'not: Kind is any of Kind A or Code is empty' })
      .waitFor();
    await expect.poll(() => namesOn(other)).toEqual(['Second']);
  },
);

describe('conditions that cannot be queried', () => {
  longTest(
    'parts of a text in a field without an index are not offered, with the reason',
    async () => {
      const page = await app.as('ada');
      await page.goto(`${app.address}/o/samples`);
      await begin(page, 'Code');
      const option = dialogOf(page).getByRole('option', {
        name: 'contains (the field has no index)',
      });
      await expect.poll(() => option.isDisabled()).toBe(true);
      await page.keyboard.press('Escape');
      await begin(page, 'Mail');
      await expect
        .poll(() => dialogOf(page).getByRole('option', { name: 'contains', exact: true }).count())
        .toBe(1);
      await dialogOf(page).getByLabel('Condition').selectOption({ label: 'contains' });
      await typed('ab')(page);
      await page.keyboard.press('Enter');
      await dialogOf(page).getByText('Enter at least three characters.').waitFor();
    },
  );

  longTest(
    'fields behind a reference are offered to who may read all that it leads to',
    async () => {
      const offeredTo = async (person: 'ada' | 'rob' | 'con') => {
        const page = await app.as(person);
        await page.goto(`${app.address}/o/deals`);
        await page.getByRole('button', { name: 'Filter', exact: true }).click();
        await dialogOf(page).getByRole('option', { name: 'amount' }).waitFor();
        return () => dialogOf(page).getByRole('option').allTextContents();
      };
      await expect.poll(await offeredTo('ada')).toContain('Company › revenue');
      const forRob = await offeredTo('rob');
      await expect.poll(forRob).toContain('Company › tier');
      expect(await forRob()).not.toContain('Company › revenue');
      expect(await forRob()).not.toContain('secret');
      const forCon = await (await offeredTo('con'))();
      expect(forCon.filter((name) => name.startsWith('Company ›'))).toEqual([]);
    },
  );

  longTest('a condition on a field that is gone is told and left out', async () => {
    const page = await app.as('ada');
    const where = {
      any: [
        { field: 'gone', op: 'eq', value: 1 },
        { field: 'kind', op: 'eq', value: 'a' },
      ],
    };
    await page.goto(`${app.address}/o/samples?where=${encodeURIComponent(JSON.stringify(where))}`);
    await page.getByText('does not have them: where gone').waitFor();
    await expect.poll(() => namesOn(page)).toEqual(['First']);
  });
});

longTest('on a telephone, in the dark: a sheet, without a violation', async () => {
  const page = await app.as('ada', { width: 390, colorScheme: 'dark' });
  await page.goto(`${app.address}/o/samples?filter[kind][eq]=a`);
  await page.getByRole('button', { name: '1 filter' }).click();
  await page.getByRole('button', { name: 'Kind is Kind A' }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await begin(page, 'Made on');
  expect(await axeFindings(page)).toEqual([]);
  await dialogOf(page).getByRole('button', { name: 'Add “or” condition' }).click();
  expect(await axeFindings(page)).toEqual([]);
  await dialogOf(page).getByRole('button', { name: 'Remove condition' }).click();
  await apply(page);
  await page.getByRole('button', { name: 'Made on is in the last 30 days' }).waitFor();
  await expect.poll(() => namesOn(page)).toEqual(['First']);
});

longTest(
  'on a telephone the sheet is at its place at once: its first list opens with it, and stays where it opened',
  async () => {
    const page = await app.as('ada', { width: 390 });
    await page.goto(`${app.address}/o/samples`);
    await page.getByRole('button', { name: 'Filter' }).waitFor();
    await page.evaluate(() => {
      const places: number[] = [];
      Object.assign(window, { places });
      new MutationObserver(() => {
        const sheet = document.querySelector('[role=dialog]');
        if (sheet !== null) places.push(innerHeight - sheet.getBoundingClientRect().bottom);
      }).observe(document.body, { subtree: true, childList: true, attributes: true });
    });
    await begin(page, 'Made on');
    const places = await page.evaluate(() => Reflect.get(window, 'places'));
    expect(places.length).toBeGreaterThan(0);
    expect(new Set(places)).toEqual(new Set([0]));
  },
);
