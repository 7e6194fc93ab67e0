// Random graphs of records with references, links, comments, followers and trees, for tests that change them and bring
// them back.

import fc from 'fast-check';
import type { Fleet } from './fleet.ts';

export interface Made {
  readonly type: string;
  readonly id: string;
}

/** Numbers choose one of a list, so that graphs shrink. */
export const choice = fc.nat({ max: 1000 });

export interface Graph {
  /** Of deals, contacts, boats and work items: which companies, deals or items they refer to. */
  readonly companies: number;
  readonly deals: readonly (readonly number[])[];
  readonly contacts: readonly number[];
  readonly boats: readonly number[];
  readonly items: readonly number[];
  readonly links: readonly (readonly number[])[];
  readonly comments: readonly number[];
}

export const GRAPH = {
  companies: fc.integer({ min: 1, max: 4 }),
  deals: fc.array(fc.tuple(choice, choice, choice), { maxLength: 4 }),
  contacts: fc.array(choice, { maxLength: 3 }),
  boats: fc.array(choice, { maxLength: 2 }),
  items: fc.array(choice, { maxLength: 4 }),
  links: fc.array(fc.tuple(choice, choice, choice), { maxLength: 8 }),
  comments: fc.array(choice, { maxLength: 4 }),
};

/** One of the list, or none: half of the numbers choose nothing. */
function optional(list: readonly Made[], number: number): string | null {
  return number % 2 === 0 ? null : (list[(number >> 1) % Math.max(1, list.length)]?.id ?? null);
}

async function makeAll<Item>(
  { make }: Fleet,
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

export async function build(fleet: Fleet, graph: Graph): Promise<readonly Made[]> {
  const companies = await makeAll(fleet, 'companies', Array(graph.companies).fill(0), () => ({
    name: 'C',
  }));
  const some = (number: number) => companies[number % companies.length]?.id;
  const deals = await makeAll(
    fleet,
    'deals',
    graph.deals,
    ([company = 0, partner = 0, related = 0], before) => ({
      ...{ name: 'D', company_id: optional(companies, company) },
      related_id: optional(before, related),
      // Unique: the first deal that wants a partner gets it.
      partner_id: before.length === 0 ? optional(companies, partner) : null,
    }),
  );
  const contacts = await makeAll(fleet, 'contacts', graph.contacts, (company) => {
    return { name: 'P', company_id: optional(companies, company) };
  });
  const boats = await makeAll(fleet, 'boats', graph.boats, (company) => {
    return { name: 'B', company_id: some(company) };
  });
  const items = await makeAll(fleet, 'work_items', graph.items, (parent, before) => {
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
