// Groups by people, by records that others refer to, and by yes and no: with their names, their figures, and their
// own rows; a change in a group is counted again.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../axe.ts';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';
import { longTest } from '../long.ts';
import { SPECIMENS } from '../specimens.ts';

let app: BrowserWorld;

beforeAll(async () => {
  app = await openBrowserWorld();
  await app.world.apply(SPECIMENS);
  const [one, other] = await app.makeAll('companies', [{ name: 'Firm A' }, { name: 'Firm B' }]);
  const { mia, rob } = app.world.users;
  const specimens = [
    ['One', mia, one, true, 10],
    ['Two', mia, one, true, 20],
    ['Three', rob, one, false, 30],
    ['Four', mia, other, null, 40],
    ['Five', null, null, true, null],
  ].map(([label, user, reference, boolean, currency]) => ({
    ...{ label, user, reference, boolean, currency },
  }));
  await app.makeAll('specimens', specimens);
});
afterAll(() => app?.close());

const names = (page: Page) => page.locator('tbody a[data-record]').allTextContents();

/** Each group as its head has it. */
const heads = (page: Page) =>
  page
    .locator('h2 button')
    .allTextContents()
    .then((texts) => texts.map((text) => text.replaceAll(/\s+/g, ' ').trim()));

async function openGroups(by: string): Promise<Page> {
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/specimens?group=${by}&sum=currency&sort=label&fields=${by}`);
  return page;
}

const FIELDS = [
  [
    'user',
    ['Mia3 recordsSum of Price:€70.00', 'Rob1 recordSum of Price:€30.00', 'No Person1 record'],
    ['Four', 'One', 'Two'],
    /^Rob/,
    'Three',
  ],
  [
    'reference',
    [
      'Firm A3 recordsSum of Price:€60.00',
      'Firm B1 recordSum of Price:€40.00',
      'No Company1 record',
    ],
    ['One', 'Three', 'Two'],
    /^Firm B/,
    'Four',
  ],
  [
    'boolean',
    [
      'No1 recordSum of Price:€30.00',
      'Yes3 recordsSum of Price:€30.00',
      'No Paid1 recordSum of Price:€40.00',
    ],
    ['Three'],
    /^No Paid/,
    'Four',
  ],
] as const;

longTest.each(FIELDS)('by %s', async (...[by, figures, first, other, its]) => {
  const page = await openGroups(by);
  await expect.poll(async () => (await heads(page)).toSorted()).toEqual(figures.toSorted());
  await expect.poll(() => names(page)).toEqual([...first]);
  await page.getByRole('button', { name: other }).press('Enter');
  await expect.poll(() => names(page)).toContain(its);
  expect(await axeFindings(page)).toEqual([]);
});

test('a record that is changed in a group is counted with its new one', async () => {
  const page = await openGroups('boolean');
  await expect.poll(() => names(page)).toEqual(['Three']);
  await page.getByRole('link', { name: 'Three', exact: true }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Y');
  await page.keyboard.press('Enter');
  await expect.poll(() => heads(page)).toContain('Yes4 recordsSum of Price:€60.00');
});
