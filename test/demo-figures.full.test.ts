// The figures of the demo through the interface: every aggregate of the won deals equals the sums of the CSV files,
// which are added up here.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from './client.ts';
import { type DemoWorld, type Line, openDemoWorld, pipelineLines } from './demo-world.ts';

type Figures = ReadonlyMap<string | null, readonly [deals: number, worth: number]>;

const pipeline = pipelineLines();
const won = pipeline.filter(({ deal_stage }) => deal_stage === 'Won');
const productOf = ({ product = '' }: Line) => (product === 'GTXPro' ? 'GTX Pro' : product);

/** Deals and their worth by what `keyOf` says of a line; an empty key is null. */
function figuresOf(keyOf: (line: Line) => string | undefined): Figures {
  const figures = new Map<string | null, readonly [number, number]>();
  for (const line of won) {
    const key = keyOf(line) || null;
    const [deals, worth] = figures.get(key) ?? [0, 0];
    figures.set(key, [deals + 1, worth + Number(line.close_value)]);
  }
  return figures;
}

const DEALS = '/objects/deals/records';
const metrics = [
  { name: 'deals', op: 'count' },
  { name: 'worth', op: 'sum', field: 'close_value' },
  { name: 'valued', op: 'count', field: 'close_value' },
];

let demo: DemoWorld;
let admin: Client;

beforeAll(async () => {
  demo = await openDemoWorld();
  ({ admin } = demo);
});
afterAll(() => demo?.close());

type Group = Readonly<Record<string, string | number | null>>;

/** All groups of the won deals, page by page. */
async function groupsOf(group_by: readonly string[], filters: object = {}): Promise<Group[]> {
  const groups: Group[] = [];
  const body = { filters: { status: 'won', ...filters }, group_by, metrics, limit: 50 };
  let cursor: string | null = null;
  do {
    const page: object = cursor === null ? {} : { cursor };
    const answer = await admin.post(`${DEALS}/aggregate`, { ...body, ...page });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    groups.push(...answer.body.data);
    cursor = answer.body.pagination.next_cursor;
  } while (cursor !== null);
  return groups;
}

const figuresIn = (groups: readonly Group[], nameOf: (group: Group) => string | null): Figures =>
  new Map(groups.map((group) => [nameOf(group), [Number(group.deals), Number(group.worth)]]));

/** Names by id of an object that deals refer to. */
async function namesOf(objectType: string): Promise<ReadonlyMap<unknown, string>> {
  const { body } = await admin.get(`/objects/${objectType}/records?limit=100`);
  expect(body.pagination.has_more).toBe(false);
  return new Map(body.data.map((row: { id: string; display: string }) => [row.id, row.display]));
}

describe('won deals', () => {
  test('are 4,238, worth 10,005,534', async () => {
    expect(await groupsOf([])).toEqual([{ deals: 4238, worth: 10_005_534, valued: 4238 }]);
    const total = won.reduce((sum, line) => sum + Number(line.close_value), 0);
    expect([won.length, total]).toEqual([4238, 10_005_534]);
  });

  test('add up by owner', async () => {
    const { body } = await admin.get('/users?limit=100');
    const names = new Map(body.data.map((user: Group) => [user.id, String(user.name)]));
    const groups = await groupsOf(['owner_user_id']);
    const found = figuresIn(groups, (group) => String(names.get(group.owner_user_id)));
    expect(found).toEqual(figuresOf(({ sales_agent }) => sales_agent));
  });

  test.each([
    ['product_id', 'products', productOf],
    ['company_id', 'companies', ({ account }: Line) => account],
  ] as const)('add up by %s', async (key, objectType, keyOf) => {
    const names = await namesOf(objectType);
    const found = figuresIn(await groupsOf([key]), (group) => names.get(group[key]) ?? null);
    expect(found).toEqual(figuresOf(keyOf));
  });

  test('add up by month of close: filtered month by month, and grouped by day', async () => {
    const expected = figuresOf(({ close_date }) => close_date?.slice(0, 7));
    const months = [...expected.keys()].map(String);
    expect(months.length).toBeGreaterThan(9);
    for (const month of months) {
      const [year = 0, number = 0] = month.split('-').map(Number);
      const next = new Date(Date.UTC(year, number)).toISOString().slice(0, 10);
      const filters = { close_date: { gte: `${month}-01`, lt: next } };
      const found = figuresIn(await groupsOf([], filters), () => month);
      expect(found.get(month)).toEqual(expected.get(month));
    }
    const days = await groupsOf(['close_date']);
    expect(figuresIn(days, ({ close_date }) => String(close_date))).toEqual(
      figuresOf(({ close_date }) => close_date),
    );
  });

  test('add up by two keys at once, and list the counted records', async () => {
    const names = await namesOf('products');
    const groups = await groupsOf(['product_id', 'close_date']);
    const found = figuresIn(
      groups,
      (group) => `${names.get(group.product_id)} ${group.close_date}`,
    );
    expect(found).toEqual(figuresOf((line) => `${productOf(line)} ${line.close_date}`));
    const [first] = groups;
    const filters = { status: 'won', product_id: first?.product_id, close_date: first?.close_date };
    const { body } = await admin.post(`${DEALS}/search`, { filters, fields: ['close_value'] });
    const values = body.data.map(
      (row: { fields: { close_value: number } }) => row.fields.close_value,
    );
    expect(values).toHaveLength(Number(first?.deals));
    expect(values.reduce((sum: number, value: number) => sum + value, 0)).toBe(first?.worth);
  });
});
