// Content of people, in any amount: names of any length, in any script and direction, objects of 500 fields. No page
// grows wider than the screen by it.

import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ACME } from '../../../../test/world.ts';
import { axeFindings } from '../axe.ts';
import { type BrowserWorld, openBrowserWorld, visit } from '../browser-world.ts';
import { longTest, someOf } from '../long.ts';

const WIDE_FIELDS = Object.fromEntries(
  Array.from({ length: 499 }, (_, index) => [
    `field_${index}`,
    { name: `Field ${index}`, type: index % 5 === 0 ? 'integer' : 'text' },
  ]),
);
const DEFINITION = {
  ...ACME,
  objects: {
    ...ACME.objects,
    wides: {
      name: 'Wides',
      singular_name: 'Wide',
      display_field: 'label',
      fields: { label: { name: 'Label', type: 'text', required: true }, ...WIDE_FIELDS },
    },
  },
};
const WIDTHS = [390, 1280];

let app: BrowserWorld;

beforeAll(async () => {
  app = await openBrowserWorld();
  await app.world.apply(DEFINITION);
});
afterAll(() => app?.close());

/** By how many pixels the page, or its main part, is wider than the screen. */
function excess(page: Page): Promise<number> {
  return page.evaluate(() => {
    const parts = [document.documentElement, ...document.querySelectorAll('main')];
    return Math.max(...parts.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
  });
}

test.each(someOf(WIDTHS, 1))('the longest names widen no page of %i pixels', async (width) => {
  // As many characters as the service takes, with hardly a place to break them.
  const name = `Long ${'W'.repeat(495)}`;
  const company_id = await app.make('companies', { name });
  const deal = await app.make('deals', { name, company_id, owner_user_id: app.world.users.ada });
  const page = await app.as('ada', { width });
  const look = async (path: string, shown: Locator) => {
    await visit(page, app.address + path);
    await shown.waitFor();
    await page.getByText(name).filter({ visible: true }).first().waitFor();
    expect(await excess(page), path).toBe(0);
    expect(await axeFindings(page), path).toEqual([]);
  };
  const heading = (title: string) => page.getByRole('heading', { name: title, level: 1 });
  await look(`/o/deals/${deal}`, heading(name));
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).waitFor();
  expect(await excess(page)).toBe(0);
  await look('/o/deals', page.getByRole('grid'));
  await look('/o/deals?layout=board', page.getByRole('region', { name: 'Open', exact: true }));
  await look('/o/deals?group=status', page.locator('h2 button').first());
  await look('/search?q=long', heading('Search'));
  await look('', heading('Home'));
});

longTest('a list, groups and a board say that there is nothing', async () => {
  const page = await app.as('ada', { width: 390 });
  for (const [path, said] of [
    ['', page.getByText('No matching records')],
    ['&group=status', page.getByText('No matching records')],
    ['&layout=board', page.getByRole('region', { name: 'Open' })],
  ] as const) {
    await page.goto(`${app.address}/o/deals?filter[name][eq]=nobody${path}`);
    await said.waitFor();
    expect(await axeFindings(page), path).toEqual([]);
  }
});

longTest(
  '10,000 characters are too many for a name, which its field says and keeps, and enough for a comment',
  async () => {
    const text = 'y'.repeat(10_000);
    const page = await app.as('ada', { width: 390 });
    await page.goto(`${app.address}/o/boats`);
    await page.getByRole('button', { name: 'New boat' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New boat' });
    await dialog.getByLabel('Name').fill(text);
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('At most 500 characters.').waitFor();
    expect(await dialog.getByLabel('Name').inputValue()).toBe(text);
    expect(await excess(page)).toBe(0);
    const deal = await app.make('deals', { name: 'Much said' });
    await page.goto(`${app.address}/o/deals/${deal}`);
    await page.getByRole('textbox', { name: 'Comment' }).fill(text);
    await page.keyboard.press('Control+Enter');
    await page.getByRole('list', { name: 'Activity' }).getByText(text).waitFor();
    expect(await excess(page)).toBe(0);
  },
);

/** Whether a character at the end of a text is left of one at its start. */
function isWrittenFromRight(page: Page, selector: string): Promise<boolean> {
  return page.locator(selector).evaluate((element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const node = walker.nextNode() as Text;
    const left = (character: string) => {
      const range = document.createRange();
      const at = node.data.indexOf(character);
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      return range.getBoundingClientRect().left;
    };
    return left('!') < left('ס');
  });
}

test('a name from right to left, with emoji, is kept, found, and written in its own direction everywhere', async () => {
  const name = 'ספינה 👩‍👩‍👧 (2027)!';
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/deals`);
  await page.getByRole('button', { name: 'New deal' }).first().click();
  await page.getByRole('dialog').getByLabel('Name').fill(name);
  await page.keyboard.press('Control+Enter');
  await page.getByRole('heading', { name, level: 1 }).waitFor();
  expect(await app.world.rows('select status from deals where name = $1', [name])).toHaveLength(1);
  expect(await isWrittenFromRight(page, 'h1')).toBe(true);
  await page.getByRole('textbox', { name: 'Comment' }).fill(name);
  await page.keyboard.press('Control+Enter');
  const comment = page.getByRole('list', { name: 'Activity' }).getByText(name);
  await comment.waitFor();
  await comment.evaluate((element) => element.setAttribute('data-spoken', ''));
  expect(await isWrittenFromRight(page, '[data-spoken]')).toBe(true);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search and commands' }).fill('ספינה');
  await page.getByRole('option', { name: /ספינה/ }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await visit(page, `${app.address}/o/deals?q=ספינה`);
  await page.getByRole('link', { name }).waitFor();
  expect(await isWrittenFromRight(page, 'tbody a')).toBe(true);
  await visit(page, `${app.address}/o/deals?layout=board`);
  await page.getByRole('button', { name: /^Move .ספינה/ }).click();
  await page.getByRole('menuitem', { name: 'Lost' }).click();
  // In a sentence it is isolated from the text around it.
  await page.getByText(`“\u2068${name}\u2069” is now in “Lost”.`).waitFor();
  expect(await isWrittenFromRight(page, '[data-card]:has-text("ספינה")')).toBe(true);
});

longTest('an object of 500 fields is listed, opened, edited and asked by any of them', async () => {
  const id = await app.make('wides', { label: 'Of many', field_7: 'seven', field_490: 490 });
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/wides?fields=field_7,field_490`);
  await page.getByRole('gridcell', { name: 'seven' }).waitFor();
  const elements = () => page.evaluate(() => document.querySelectorAll('*').length);
  expect(await elements()).toBeLessThan(3000);
  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Field 498' }).check();
  await page.waitForURL(/fields=field_7,field_490,field_498/);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.locator('[role=dialog] input:focus').waitFor();
  await page.keyboard.type('Field 490');
  await page.getByRole('option', { name: 'Field 49', exact: true }).waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  await page.locator('[data-operand] input:focus').waitFor();
  await page.keyboard.type('489');
  await page.keyboard.press('Enter');
  await page.waitForURL(/filter\[field_490\]\[gt\]=489/);
  await page.getByRole('link', { name: 'Of many' }).click();
  await page.getByRole('heading', { name: 'Of many', level: 1 }).waitFor();
  await page.getByRole('button', { name: /^Show \d+ empty fields$/ }).click();
  await page.getByRole('button', { name: /^Field 498 / }).click();
  await page.getByRole('textbox', { name: 'Field 498' }).fill('the last');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Field 498 the last' }).waitFor();
  await expect
    .poll(() => app.world.rows('select field_498 from wides where id = $1', [id]))
    .toEqual([{ field_498: 'the last' }]);
  expect(await excess(page)).toBe(0);
});

longTest('a new record of 500 fields is made', async () => {
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/wides`);
  await page.getByRole('button', { name: 'New wide' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New wide' });
  await dialog.getByLabel('Label').fill('Made');
  await dialog.getByLabel('Field 498', { exact: true }).fill('at the end');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('heading', { name: 'Made', level: 1 }).waitFor();
  const [row] = await app.world.rows(`select field_498 from wides where label = 'Made'`);
  expect(row).toEqual({ field_498: 'at the end' });
});
