// The number of requests of pages, besides the stream of events, the number of unread notifications, which follows each
// page half a second later, and the definition, which is loaded ahead two seconds later: the budget is six.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';
import { longTest, someOf } from '../long.ts';
import { settling } from '../settling.ts';
import { SPECIMENS } from '../specimens.ts';

let app: BrowserWorld;

beforeAll(async () => {
  app = await openBrowserWorld();
  await app.world.apply(SPECIMENS);
});
afterAll(() => app?.close());

const open = (page: Page, path: string, name: string) => openPage(page, `/o/${path}`, name);

interface Followed {
  /** The paths that the page has requested, below `/v1`. */
  readonly asked: string[];
  /** Until the page requests nothing more. */
  readonly settle: () => Promise<void>;
}

const LATER = /^\/(events|notifications)/;
/** The first page needs the definition itself (`app/code-ahead.ts`). */
const LATER_OR_AHEAD = /^\/(events|notifications|definition$)/;

/** The requests of the page, with those that follow from their answers. */
async function openPage(
  page: Page,
  path: string,
  name: string,
  leftOut = LATER_OR_AHEAD,
): Promise<Followed> {
  const asked: string[] = [];
  page.on('request', (request) => {
    const [, below] = request.url().split('/v1');
    if (below !== undefined && !leftOut.test(below)) asked.push(below);
  });
  const settle = settling(page);
  const counted = page.waitForRequest(/\/v1\/notifications/);
  await page.goto(`${app.address}${path}`);
  await page.getByText(name, { exact: true }).first().waitFor();
  await counted;
  await settle();
  return { asked, settle };
}

test('a record takes six requests, with the names of the records it refers to and the records linked to it', async () => {
  const company = await app.make('companies', { name: 'Referred to' });
  const deal = await app.make('deals', {
    name: 'Light',
    company_id: company,
    owner_user_id: app.world.users.rob,
  });
  const page = await app.as('ada');
  const { asked, settle } = await open(page, `deals/${deal}`, 'Light');
  await page.getByRole('link', { name: 'Referred to' }).waitFor();
  await page.getByRole('button', { name: 'Owner Rob' }).waitFor();
  await page.getByText('No comments yet.').waitFor();
  await page.getByRole('button', { name: 'Contacts', exact: true }).waitFor();
  expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(6);
  // From a list, for which the application has the definition of the object.
  const other = await app.make('deals', { name: 'Another', company_id: company });
  await page.getByRole('link', { name: 'Deals' }).first().click();
  await page.getByRole('link', { name: 'Another' }).waitFor();
  await settle();
  asked.length = 0;
  await page.getByRole('link', { name: 'Another' }).press('Enter');
  await page.getByRole('heading', { name: 'Another', level: 1 }).waitFor();
  await page.getByText('No comments yet.').waitFor();
  await page.getByRole('button', { name: 'Contacts', exact: true }).waitFor();
  await settle();
  expect(asked.map((path) => path.replace(other, 'id')).toSorted()).toEqual([
    '/objects/deals/records/id/comments?limit=30',
    '/query',
  ]);
});

longTest(
  'a work item takes two more, for the fields of its type and the rights to make one below it',
  async () => {
    const parent = await app.make('work_items', { title: 'Above', work_item_type_id: 'chore' });
    const item = await app.make('work_items', {
      title: 'Below',
      work_item_type_id: 'bug',
      severity: 3,
      parent_work_item_id: parent,
      owner_user_id: app.world.users.rob,
    });
    const page = await app.as('ada');
    const { asked } = await open(page, `work_items/${item}`, 'Below');
    await page.getByRole('link', { name: 'Above' }).waitFor();
    await page.getByRole('button', { name: 'Owner Rob' }).waitFor();
    await page.getByRole('button', { name: 'severity 3' }).waitFor();
    expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(8);
  },
);

test('the first page takes four, whatever is open of how many objects', async () => {
  const owner_user_id = app.world.users.ada;
  await app.make('deals', { name: 'Open', owner_user_id });
  await app.make('work_items', { title: 'To do', work_item_type_id: 'chore', owner_user_id });
  const page = await app.as('ada');
  const { asked } = await openPage(page, '/', 'Your open deals', LATER);
  await page.getByRole('heading', { name: 'Your open work items' }).waitFor();
  const objects = '/objects?localized=true&include=appearance';
  const me = '/me?include=links';
  const expected = ['/definition', me, objects, '/query'];
  expect(asked.toSorted()).toEqual(expected);
});

test('the names of records of several objects are one request', async () => {
  const mentioned = { body: 'Please look.', mention_user_ids: [app.world.users.ada] };
  for (const type of ['deals', 'companies']) {
    const id = await app.make(type, { name: `Mentioned ${type}` });
    await app.ada.post(`/objects/${type}/records/${id}/comments`, mentioned);
  }
  const page = await app.as('ada');
  const { asked } = await openPage(page, '/notifications', 'Mentioned deals');
  await page.getByText('Mentioned companies').waitFor();
  expect(asked.filter((path) => path === '/query')).toHaveLength(1);
  expect(asked.filter((path) => /\/records\b/.test(path))).toEqual([]);
});

test('each other page takes at most six', async () => {
  for (const type of ['deals', 'companies']) await app.make(type, { name: 'Own' });
  const pages: readonly (readonly [string, string])[] = [
    ['/o/deals?group=status', 'Own'],
    ['/search?q=own', 'Own'],
    ['/notifications', 'Notifications'],
    ['/o/deals', 'Own'],
    ['/settings/profile', 'Profile'],
    ['/settings/keys', 'API keys'],
    ['/settings/sessions', 'Sessions'],
    ['/settings/webhooks', 'No webhooks yet'],
    ['/settings/webhooks/new', 'Changes to send'],
  ];
  const page = await app.as('ada');
  for (const [path, name] of someOf(pages, 2)) {
    const { asked } = await openPage(page, path, name);
    expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(6);
  }
});

test('a webhook takes six, and one more for the names of records', async () => {
  const webhook = { url: 'https://receiver.example/hook', events: ['record.*'] };
  const { body } = await app.ada.post('/webhooks', webhook);
  const page = await app.as('ada');
  const path = `/settings/webhooks/${body.data.id}`;
  const { asked } = await openPage(page, path, 'receiver.example/hook');
  await page.getByRole('table', { name: 'Deliveries' }).waitFor();
  const once = new Set(asked);
  expect(once.size, asked.join('\n')).toBeLessThanOrEqual(6);
});

test('a list takes no request for owners, whom the reader may not know', async () => {
  const { ada, bea, mia, sam } = app.world.users;
  const owners = [ada, bea, mia, sam];
  await app.makeAll(
    'deals',
    owners.map((owner_user_id) => ({ name: `Of ${owner_user_id}`, owner_user_id })),
  );
  const page = await app.as('con');
  const { asked } = await open(page, 'deals?fields=owner_user_id', `Of ${ada}`);
  await page.getByText('Somebody', { exact: true }).nth(3).waitFor();
  expect(asked.filter((path) => path.startsWith('/users'))).toEqual([]);
});

test('the teams take one request for the names of all members', async () => {
  const page = await app.as('ada');
  const { asked } = await openPage(page, '/settings/teams', 'North');
  await page.getByRole('img', { name: 'Mia' }).first().waitFor();
  const ofPeople = asked.filter((path) => path.startsWith('/users'));
  expect(ofPeople).toEqual([expect.stringMatching(/^\/users\?ids=[\d%C,]+&limit=100$/)]);
});

longTest('a board of as many records as a page has takes six, whatever its columns', async () => {
  const lost = await app.make('deals', { name: 'Lost one', amount: 3 });
  await app.ada.post(`/objects/deals/records/${lost}/status`, { status_id: 'lost' });
  const page = await app.as('ada');
  const { asked } = await open(page, 'deals?layout=board', 'Lost one');
  await page.getByRole('region', { name: 'Lost' }).getByText('$3').first().waitFor();
  expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(6);
});

longTest('so does one of more records than a page has', async () => {
  const all = Array.from({ length: 100 }, (_, index) => ({ name: `Many ${index}` }));
  await app.makeAll('deals', all);
  const page = await app.as('ada');
  const { asked } = await open(page, 'deals?layout=board', 'Many 99');
  await page.getByRole('region', { name: 'Lost' }).getByText('Lost one').waitFor();
  expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(6);
  expect(asked.filter((path) => path === '/query')).toHaveLength(1);
});
