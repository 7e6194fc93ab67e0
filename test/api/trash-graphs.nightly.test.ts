// Random graphs of records with references, links, comments, followers and trees: some are deleted, and restored in another order.
// When all are back, the graph is as it was before, whatever did not come back at once.

import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { IS_LONG } from '../until.ts';
import { useFleet } from './fleet.ts';
import { contentOf, restore, TRASHED } from './trashed.ts';

const fleet = useFleet();
const { make } = fleet;

beforeAll(() => fleet.apply(TRASHED));

interface Made {
  readonly type: string;
  readonly id: string;
}

/** Numbers choose one of a list, so that graphs shrink. */
const choice = fc.nat({ max: 1000 });

interface Graph {
  /** Of deals, contacts, boats and work items: which companies, deals or items they refer to. */
  readonly companies: number;
  readonly deals: readonly (readonly number[])[];
  readonly contacts: readonly number[];
  readonly boats: readonly number[];
  readonly items: readonly number[];
  readonly links: readonly (readonly number[])[];
  readonly comments: readonly number[];
  readonly deleted: readonly number[];
  readonly restored: readonly number[];
}

const graphs: fc.Arbitrary<Graph> = fc.record({
  companies: fc.integer({ min: 1, max: 4 }),
  deals: fc.array(fc.tuple(choice, choice, choice), { maxLength: 4 }),
  contacts: fc.array(choice, { maxLength: 3 }),
  boats: fc.array(choice, { maxLength: 2 }),
  items: fc.array(choice, { maxLength: 4 }),
  links: fc.array(fc.tuple(choice, choice, choice), { maxLength: 8 }),
  comments: fc.array(choice, { maxLength: 4 }),
  deleted: fc.array(choice, { minLength: 1, maxLength: 14 }),
  restored: fc.array(choice, { minLength: 14, maxLength: 14 }),
});

/** One of the list, or none: half of the numbers choose nothing. */
function optional(list: readonly Made[], number: number): string | null {
  return number % 2 === 0 ? null : (list[(number >> 1) % Math.max(1, list.length)]?.id ?? null);
}

async function makeAll<Item>(
  type: string,
  items: readonly Item[],
  fieldsOf: (item: Item, before: readonly Made[]) => object,
): Promise<Made[]> {
  const made: Made[] = [];
  for (const item of items) {
    const { id } = await make(type, fieldsOf(item, made) as Readonly<Record<string, unknown>>);
    made.push({ type, id });
  }
  return made;
}

const LINKS = [
  { from: 'contacts', association: 'assoc.contacts_deals', to: 'deals' },
  { from: 'deals', association: 'link.deal_boat', to: 'boats' },
  { from: 'companies', association: 'link.friends', to: 'companies' },
  { from: 'contacts', association: 'link.spouses', to: 'contacts' },
  { from: 'deals', association: 'link.deal_agency', to: 'companies' },
] as const;

async function build(graph: Graph): Promise<readonly Made[]> {
  const companies = await makeAll('companies', Array(graph.companies).fill(0), () => ({
    name: 'C',
  }));
  const some = (number: number) => companies[number % companies.length]?.id;
  const deals = await makeAll(
    'deals',
    graph.deals,
    ([company = 0, partner = 0, related = 0], before) => ({
      ...{ name: 'D', company_id: optional(companies, company) },
      related_id: optional(before, related),
      // Unique: the first deal that wants a partner gets it.
      partner_id: before.length === 0 ? optional(companies, partner) : null,
    }),
  );
  const contacts = await makeAll('contacts', graph.contacts, (company) => {
    return { name: 'P', company_id: optional(companies, company) };
  });
  const boats = await makeAll('boats', graph.boats, (company) => {
    return { name: 'B', company_id: some(company) };
  });
  const items = await makeAll('work_items', graph.items, (parent, before) => {
    return { title: 'W', work_item_type_id: 'task', parent_work_item_id: optional(before, parent) };
  });
  const all = [...companies, ...deals, ...contacts, ...boats, ...items];
  for (const [kind = 0, from = 0, to = 0] of graph.links) {
    const { association, ...ends } = LINKS[kind % LINKS.length] as (typeof LINKS)[number];
    const [sources, targets] = [ends.from, ends.to].map((type) =>
      all.filter((one) => one.type === type),
    );
    const source = sources?.[from % Math.max(1, sources.length)];
    const target_id = targets?.[to % Math.max(1, targets.length)]?.id;
    if (source === undefined || target_id === undefined) continue;
    // An end that is taken, or a record and itself, is refused.
    const path = `/objects/${source.type}/records/${source.id}/relationships/${association}`;
    await fleet.ada.post(path, { target_id });
  }
  for (const [index, number] of graph.comments.entries()) {
    const { type, id } = all[number % all.length] as Made;
    if (type === 'boats') continue;
    const path = `/objects/${type}/records/${id}`;
    await fleet.ada.post(`${path}/comments`, { body: `${index}` });
    if (index % 2 === 0) await fleet.ada.put(`${path}/follow`, {});
  }
  return all;
}

/** Delete some, alone or together; those that others need stay. The deleted ones. */
async function deleteSome(all: readonly Made[], choices: readonly number[]): Promise<Made[]> {
  const gone: Made[] = [];
  for (const number of choices) {
    const left = all.filter((one) => !gone.includes(one));
    const one = left[number % Math.max(1, left.length)];
    if (one === undefined) break;
    const others = left.filter(({ type, id }) => type === one.type && id !== one.id);
    const pair = number % 3 === 0 ? [one, ...others.slice(0, 1)] : [one];
    const operations = pair.map(({ id }) => ({ action: 'delete', id }));
    const path = `/objects/${one.type}/records/batch`;
    const { status } = await fleet.ada.post(path, { operations });
    if (status === 200) gone.push(...pair);
    else expect(status).toBe(409);
  }
  return gone;
}

/** In rounds, each in an order of its own: a record that waits for one it requires comes again in the next round. */
async function restoreAll(gone: readonly Made[], choices: readonly number[]): Promise<void> {
  let left = [...gone];
  for (let turn = 0; left.length > 0; ) {
    const round = [...left];
    const waiting: Made[] = [];
    for (; round.length > 0; turn += 1) {
      const number = choices[turn % choices.length] ?? 0;
      const [one] = round.splice(number % round.length, 1) as [Made];
      const { status, body } = await restore(fleet.ada, one.type, one.id);
      if (status === 200) continue;
      const told = [status, body.error?.param];
      expect(told, JSON.stringify(body)).toEqual([422, 'fields.company_id']);
      waiting.push(one);
    }
    expect(waiting.length, 'a round brings back at least one').toBeLessThan(left.length);
    left = waiting;
  }
}

test('restored records leave the graph as it was', { timeout: 300_000 }, async () => {
  let restored = 0;
  await fc.assert(
    fc.asyncProperty(graphs, async (graph) => {
      const all = await build(graph);
      const before = await contentOf(fleet.world);
      const gone = await deleteSome(all, graph.deleted);
      await restoreAll(gone, graph.restored);
      restored += gone.length;
      expect(await contentOf(fleet.world)).toEqual(before);
      expect(await fleet.world.rows('select from _trash')).toEqual([]);
    }),
    { numRuns: IS_LONG ? 400 : 60, endOnFailure: true },
  );
  expect(restored).toBeGreaterThan(25);
});
