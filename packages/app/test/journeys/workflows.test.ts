// Workflows: the same move by mouse, by keyboard and in the table; approvers, categories and marks; applied as the data
// model is.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../axe.ts';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';

let app: BrowserWorld;

beforeAll(async () => {
  app = await openBrowserWorld();
});
afterAll(() => app?.close());

const address = () => `${app.address}/settings/workflows/pipeline`;
const bar = (page: Page) => page.getByRole('region', { name: 'Collected changes' });
const node = (page: Page, name: RegExp) => page.locator('svg').getByRole('button', { name });

async function middleOf(page: Page, name: RegExp) {
  const box = await node(page, name).boundingBox();
  if (box === null) throw new Error(`there is no ${name}`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

async function drag(page: Page, from: RegExp, to: RegExp) {
  const [start, end] = [await middleOf(page, from), await middleOf(page, to)];
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2);
  await page.mouse.move(end.x, end.y);
  await page.mouse.up();
}

test('by mouse: a move, a status with its category, approvers; then applied', async () => {
  const page = await app.as('ada');
  await page.goto(address());
  await node(page, /^Won, No way on/).waitFor();
  // It belongs to the data model.
  const settings = page.getByRole('navigation', { name: 'Settings' });
  const present = settings.locator('[aria-current=page]');
  expect(await present.allTextContents()).toEqual(['Data model']);
  expect(await axeFindings(page, 'both')).toEqual([]);
  await drag(page, /^Won/, /^Open/);
  await bar(page).getByText('One change').waitFor();
  expect(await page.getByText('No move leads away').count()).toBe(0);

  await page.getByLabel('New status').fill('On hold');
  await page.getByRole('button', { name: 'Add status' }).click();
  const panel = page.getByRole('complementary', { name: 'On hold' });
  await panel.getByText('No moves lead here from the initial status.').waitFor();
  await panel.getByLabel('Category').selectOption({ label: 'Cancelled' });
  await drag(page, /^Open/, /^On hold/);
  await node(page, /^Open/).click();
  const open = page.getByRole('complementary', { name: 'Open' });
  expect(await open.getByLabel('On hold', { exact: true }).isChecked()).toBe(true);
  await open.getByRole('button', { name: 'Ask for approval: On hold' }).click();
  await open.getByLabel('North').check();
  await open.getByLabel('Ada').check();
  await open.getByLabel('Approvals needed').fill('2');
  await open.getByLabel('Only for records with').selectOption({ label: 'amount' });
  await open.getByLabel('Condition').selectOption({ label: 'is at least' });
  await open.getByLabel('Value').fill('1000');
  await open.getByRole('button', { name: 'Color of Open: Gray' }).click();
  await page.getByRole('button', { name: 'Teal' }).click();
  expect(await axeFindings(page, 'both')).toEqual([]);

  await bar(page).getByRole('link', { name: 'Review' }).click();
  await page.getByText('Status “On hold” of Pipeline').waitFor();
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByText(/applied\./).waitFor();
  const { body } = await app.ada.get('/definition');
  const { statuses } = body.data.document.workflows.pipeline;
  expect(statuses.won.transitions).toEqual(['open']);
  expect(statuses.on_hold).toEqual({ name: 'On hold', category: 'cancelled' });
  expect(statuses.open).toMatchObject({ color: 'teal' });
  expect(statuses.open.transitions.at(-1)).toEqual({
    to: 'on_hold',
    approvers: { users: ['ada@acme.example'], teams: ['North'] },
    required: 2,
    when: { field: 'amount', op: 'gte', value: 1000 },
  });
});

test('by keyboard and in the table, on a telephone', async () => {
  const page = await app.as('ada', { width: 390 });
  await page.goto(address());
  const lost = node(page, /^Lost/);
  await lost.press('Enter');
  const panel = page.getByRole('complementary', { name: 'Lost' });
  await panel.getByLabel('Won', { exact: true }).press('Space');
  await bar(page).getByText('One change').waitFor();
  await page.getByRole('link', { name: 'Table' }).press('Enter');
  const box = page.getByLabel('From Lost to Won');
  expect(await box.isChecked()).toBe(true);
  expect(await axeFindings(page, 'both')).toEqual([]);
  await box.press('Space');
  await bar(page).waitFor({ state: 'detached' });
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(390);
  await page.goBack();
  await node(page, /^Lost/).waitFor();
});

test('a status that records have is not removed', async () => {
  await app.make('deals', { name: 'Rope' });
  const page = await app.as('ada');
  await page.goto(`${address()}?status=open`);
  await page.getByRole('button', { name: 'Remove status' }).click();
  await bar(page).getByRole('link', { name: 'Review' }).click();
  await page.getByText(/open.*1 record|1 record.*open/).waitFor();
  expect(await page.getByRole('button', { name: 'Apply' }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Discard all' }).click();
  await page.getByText('No changes to review').waitFor();
});
