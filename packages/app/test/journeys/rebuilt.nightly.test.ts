// The demo is made again by clicks in an empty workspace of the same definition: its lists are exported and imported, and
// are equal to the letter; links and comments come from the files of the demo, and are equal without their times; its
// reports and its dashboard have the same questions, charts and places, and show the same figures.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text as textFrom } from 'node:stream/consumers';
import { chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { datedText } from '../../../../src/cli/service/dated-file.ts';
import { loadMemberByEmail } from '../../../../src/control/people/people.ts';
import { OPERATOR } from '../../../../src/control/workspace/administrative-audit.ts';
import { findWorkspace } from '../../../../src/control/workspace/workspaces.ts';
import { readDefinitionFile } from '../../../../src/definitions/document/definition-file.ts';
import { exporting } from '../../../../src/export/export-job.ts';
import { type JobRunner, startJobs } from '../../../../src/flow/jobs/job-runner.ts';
import { makeSignInLink } from '../../../../src/flow/people/make-sign-in-link.ts';
import { ALIVE } from '../../../../src/http/route/routing.ts';
import { importing } from '../../../../src/import/import-job.ts';
import { createWorkspace } from '../../../../src/workspaces/create-workspace.ts';
import { type DemoWorld, openDemoWorld } from '../../../../test/demo-world.ts';
import { visit } from '../browser-world.ts';
import { keepWindows } from '../kept-windows.ts';
import { type ClickedReport, makeDashboard, makeReport } from '../report-clicks.ts';

const EXAMPLES = join(import.meta.dirname, '../../../../examples/crm-sales');
/** Milliseconds: some thousand records on a busy machine. */
const PATIENCE = 120_000;

let world: DemoWorld;
let jobs: JobRunner;
let window: ReturnType<typeof keepWindows>;
let close: () => Promise<void>;

beforeAll(async () => {
  world = await openDemoWorld();
  const { db, listeners } = world.own;
  await createWorkspace(db, {
    slug: 'copy',
    document: readDefinitionFile(join(EXAMPLES, 'definition.yaml')),
  });
  const kinds = [importing(db), exporting(db)];
  jobs = await startJobs({ db, listeners, kinds, onError: console.error });
  const browser = await chromium.connect(inject('browser'));
  window = keepWindows(browser, `${world.origin}${ALIVE}`);
  close = () => browser.close();
});
afterAll(async () => {
  await jobs?.stop();
  await close?.();
  await world?.close();
});

async function signIn(page: Page, slug: string): Promise<void> {
  const { db } = world.own;
  const workspace = await findWorkspace(db, slug);
  if (workspace === undefined) throw new Error(`there is no ${slug}`);
  const person = await loadMemberByEmail(db, workspace.schema, 'admin@demo.example');
  if (person === undefined) throw new Error('there is no administrator');
  const asked = { db, workspace, actor: OPERATOR };
  const { url } = await makeSignInLink(asked, { person, origin: world.origin });
  await page.goto(url);
  const [use, later] = ['Use the link', 'Not now'].map((name) =>
    page.getByRole('button', { name }),
  );
  if (use === undefined || later === undefined) return;
  await use.or(later).waitFor();
  if (await use.isVisible()) await use.click();
  await later.click();
  await page.waitForURL((now) => !now.pathname.includes('sign-in'));
}

/** A file comes at once or, of many records, from the page of its job. */
async function exported(page: Page, slug: string, [type, title, sort]: List): Promise<string> {
  await visit(page, `${world.origin}/app/${slug}/o/${type}?sort=${sort}`);
  await page.getByRole('heading', { name: title, level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Import and export' }).click();
  await page.getByRole('menuitem', { name: 'Export…' }).click();
  await page.getByRole('radio', { name: 'All fields' }).check();
  const download = page.waitForEvent('download', { timeout: PATIENCE });
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await Promise.race([download, page.waitForURL(/\/jobs\//, { timeout: PATIENCE })]);
  if (page.url().includes('/jobs/')) {
    await page.getByRole('button', { name: 'Download' }).click({ timeout: PATIENCE });
  }
  return textFrom(await (await download).createReadStream());
}

async function chosen(page: Page, type: string, text: string): Promise<void> {
  await visit(page, `${world.origin}/app/copy/import/${type}`);
  await page.locator('input[type=file]').setInputFiles({
    ...{ name: `${type}.csv`, mimeType: 'text/csv', buffer: Buffer.from(text) },
  });
  await page.getByText(/columns matched/).waitFor();
}

async function imported(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Check/ }).click();
  await page.getByText('All rows can be imported.').waitFor({ timeout: PATIENCE });
  await page.getByRole('button', { name: /^Import \d/ }).click();
  await page.waitForURL(/\/jobs\//);
  await page.getByText('Done', { exact: true }).waitFor({ timeout: PATIENCE });
}

/** The field of a column, and the field by which the file names its records. */
async function mapped(page: Page, heading: string, field: string, by: string): Promise<void> {
  const column = page.getByRole('combobox', { name: `Field for ${heading}`, exact: true });
  await column.selectOption({ label: field });
  const naming = page.getByRole('combobox', {
    ...{ name: `What the file has for ${field.replace(' (required)', '')}`, exact: true },
  });
  await naming.selectOption(by);
}

/** A file of the demo, with the dates of this moment. */
function textOf(file: string): string {
  const text = readFileSync(join(EXAMPLES, `${file}.csv`), 'utf8');
  return datedText(text, new Date());
}

/** In the order in which they refer to one another. */
const LISTS = [
  ['products', 'Products', 'name'],
  ['companies', 'Companies', 'name'],
  ['contacts', 'Contacts', 'name'],
  ['deals', 'Deals', 'opportunity_id'],
  ['meetings', 'Meetings', 'title'],
  ['events', 'Events', 'title'],
  ['work_items', 'Work items', 'public_id'],
] as const;
type List = (typeof LISTS)[number];

/** The heading of a record in files of links, and the name of that record. */
const DEAL = { heading: 'deal', own: 'Deal', other: 'Deals', by: 'opportunity_id' };
const CONTACT = { heading: 'email', own: 'Contact', other: 'Contacts', by: 'email' };
const COMPANY = { heading: 'company', own: 'Company', other: 'Companies', by: 'name' };
const MEETING = { heading: 'meeting', own: 'Meeting', other: 'Meetings', by: 'title' };
const EVENT = { heading: 'event', own: 'Event', other: 'Events', by: 'title' };

const LINKS = [
  ['deals', 'deal_contacts', DEAL, CONTACT],
  ['meetings', 'meeting_companies', MEETING, COMPANY],
  ['meetings', 'meeting_contacts', MEETING, CONTACT],
  ['meetings', 'meeting_deals', MEETING, DEAL],
  ['events', 'event_contacts', EVENT, CONTACT],
] as const;

const COMMENTS = [
  ['deals', 'deal_comments', 'deal', 'Deal', 'opportunity_id'],
  ['work_items', 'onboarding_comments', 'item', 'Work item', 'public_id'],
  ['work_items', 'task_comments', 'task', 'Work item', 'public_id'],
] as const;

/** Of both workspaces: records have one id in both, and so have people. */
async function inBoth(query: string): Promise<readonly (readonly unknown[])[]> {
  const { rows } = world.own;
  return Promise.all(
    ['ws_demo', 'ws_copy'].map((schema) => rows(query.replaceAll('{schema}', schema))),
  );
}

const LINKED = `select relationship, from_id, to_id from {schema}._links order by 1, 2, 3`;
const COMMENTED = `select object_type, record_id, body, author_user_id,
  array(select user_id from {schema}._notifications n where n.comment_id = c.id order by 1) mentions
  from {schema}._comments c order by 1, 2, 3, 4`;

const OPEN = ['Status', 'is any of', ['Prospecting', 'Engaging']] as const;
const WON = ['Status', 'is', ['Won']] as const;
const COUNT = 'Number of records';
const VALUE = 'Sum of Close value';
const NUMBER = { object: 'Deals', groups: [], chart: 'Number', width: 1 };
const DRAWN = { object: 'Deals', width: 2 };
const DASHBOARD = 'Sales overview';

const REPORTS: readonly ClickedReport[] = [
  { name: 'Open deals', filter: OPEN, metrics: [COUNT], ...NUMBER },
  { name: 'Won value', filter: WON, metrics: [VALUE], ...NUMBER },
  { name: 'Average won deal', filter: WON, metrics: ['Average Close value'], ...NUMBER },
  { name: 'Largest won deal', filter: WON, metrics: ['Highest Close value'], ...NUMBER },
  { name: 'Pipeline', groups: ['Status'], metrics: [COUNT], chart: 'Funnel', ...DRAWN },
  {
    ...{ name: 'Won by month', filter: WON, groups: ['Close date'], metrics: [VALUE, COUNT] },
    ...{ chart: 'Bars', ...DRAWN },
  },
  {
    ...{ name: 'Won by owner', filter: WON, groups: ['Owner'], metrics: [VALUE, COUNT] },
    ...{ chart: 'Bars', ...DRAWN },
  },
  {
    ...{ name: 'Won by product series', filter: WON, groups: ['Close date', 'Product › Series'] },
    ...{ metrics: [VALUE], chart: 'Lines', ...DRAWN },
  },
  {
    ...{ name: 'Deals by owner', groups: ['Owner', 'Status'], metrics: [COUNT] },
    ...{ chart: 'Table', ...DRAWN, width: 4 },
  },
];

const STORED_REPORTS = `select object_type, kind, name, chart, shared, owner_user_id, query, columns, group_by, metrics
  from {schema}._views where kind = 'report' order by name`;
const DASHBOARDS = `select name, shared, owner_user_id, array(select v.name || ' ' || (tile ->> 'width')
    from json_array_elements(tiles) with ordinality as t (tile, place)
    join {schema}._views v on v.id = (tile ->> 'view_id')::uuid order by place) tiles
  from {schema}._dashboards order by name`;

async function toReports(page: Page, slug: string): Promise<void> {
  await visit(page, `${world.origin}/app/${slug}/reports`);
  await page.getByRole('heading', { name: 'Reports', level: 1 }).waitFor();
}

/** The tiles of the dashboard as people have them read out. */
async function readDashboard(page: Page, slug: string): Promise<string> {
  await toReports(page, slug);
  await page.getByRole('main').getByRole('link', { name: DASHBOARD }).click();
  await page.getByRole('heading', { name: DASHBOARD, level: 1 }).waitFor();
  const tiles = page.locator('ul:has(> li[data-width])');
  // Figures come first, then the names of people.
  const coming = tiles.locator('[aria-busy]').or(tiles.getByText(/^Somebody \(/));
  await expect.poll(() => coming.count()).toBe(0);
  const read = await tiles.ariaSnapshot();
  return read.replaceAll(`/app/${slug}/`, '/app/').replaceAll(/\/reports\/\S+/g, '/reports/');
}

test('the demo is made again by clicks: records, links and comments are equal', async () => {
  const [demo, copy] = await bothWindows();
  for (const list of LISTS) {
    const [type] = list;
    const original = await exported(demo, 'demo', list);
    expect(original.split('\n').length, type).toBeGreaterThan(5);
    await chosen(copy, type, original);
    await imported(copy);
    expect(await exported(copy, 'copy', list), type).toBe(original);
  }
  await makeLinks(copy);
  const [links, linksAgain] = await inBoth(LINKED);
  expect(links?.length).toBeGreaterThan(150);
  expect(linksAgain).toEqual(links);
  await makeComments(copy);
  const [comments, commentsAgain] = await inBoth(COMMENTED);
  expect(comments?.length).toBeGreaterThan(200);
  expect(commentsAgain).toEqual(comments);
});

test('reports and dashboards are made again by clicks, and show the same figures of these records', async () => {
  const [demo, copy] = await bothWindows();
  for (const report of REPORTS) {
    await toReports(copy, 'copy');
    await makeReport(copy, report);
  }
  await toReports(copy, 'copy');
  await makeDashboard(copy, DASHBOARD, REPORTS);
  for (const query of [STORED_REPORTS, DASHBOARDS]) {
    const [made] = await inBoth(query);
    expect(made?.length).toBeGreaterThan(0);
    // The page shows a change before it is saved.
    await expect.poll(async () => (await inBoth(query))[1]).toEqual(made);
  }
  const original = await readDashboard(demo, 'demo');
  expect(original).toMatch(/Largest won deal.*\$\d.*Deals by owner.*\d/s);
  expect(await readDashboard(copy, 'copy')).toBe(original);
});

async function bothWindows(): Promise<readonly [demo: Page, copy: Page]> {
  const [demo, copy] = [await window(), await window()];
  await signIn(demo, 'demo');
  await signIn(copy, 'copy');
  return [demo, copy];
}

async function makeLinks(page: Page): Promise<void> {
  for (const [type, file, one, other] of LINKS) {
    await chosen(page, type, textOf(file));
    const names = [one, other].map((end) => end.other).toSorted();
    const label = `A link: ${names[0]} and ${names[1]?.toLowerCase()}`;
    await page.getByLabel('Each row is').selectOption({ label });
    await mapped(page, one.heading, `${one.own} (required)`, one.by);
    await mapped(page, other.heading, `${other.other} (required)`, other.by);
    await imported(page);
  }
}

async function makeComments(page: Page): Promise<void> {
  for (const [type, file, heading, name, by] of COMMENTS) {
    await chosen(page, type, textOf(file));
    await page.getByLabel('Each row is').selectOption('comments');
    await mapped(page, heading, `${name} (required)`, by);
    await imported(page);
  }
}
