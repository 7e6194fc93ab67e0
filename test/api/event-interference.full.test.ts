// Actions of others on records that a reader may not see leave no byte in the reader's stream: between two of its
// events there is nothing, whatever happened meanwhile.

import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../client.ts';
import { type EventClient, openEvents } from '../event-client.ts';
import { useFleet } from './fleet.ts';

const fleet = useFleet();
const { make, deal } = fleet;

const opened: EventClient[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
});

async function listen(name: 'ada' | 'rob' | 'bea'): Promise<EventClient> {
  const stream = await openEvents({ port: fleet.world.port, secret: fleet[name].secret });
  expect(stream.status, stream.text()).toBe(200);
  opened.push(stream);
  return stream;
}

const at = (object: string, id: string, rest = '') => `/objects/${object}/records/${id}${rest}`;
type Ids = Readonly<Record<'own' | 'others' | 'company' | 'product' | 'boat', string>>;
type Hidden = Readonly<Record<string, (ids: Ids) => Promise<Answer>>>;

/** By an administrator, on records of which Rob may not read both. */
const BESIDE_ROB: Hidden = {
  'a deal of another': ({ company }) =>
    fleet.ada.post('/objects/deals/records', {
      fields: { name: 'Hidden', company_id: company, owner_user_id: fleet.world.users.sam },
    }),
  'its change': ({ others }) => fleet.ada.patch(at('deals', others), { fields: { amount: 7 } }),
  'its status': ({ others }) =>
    fleet.ada.post(at('deals', others, '/status'), { status_id: 'won' }),
  'a comment on it': ({ others }) =>
    fleet.ada.post(at('deals', others, '/comments'), {
      body: 'Hidden',
      mention_user_ids: [fleet.world.users.rob],
    }),
  'its reference to a visible company': ({ others, company }) =>
    fleet.ada.post(at('deals', others, '/relationships/ref.company_id'), { target_id: company }),
  'its link to a visible company': ({ others, company }) =>
    fleet.ada.post(at('deals', others, '/relationships/link.deal_agency'), { target_id: company }),
  'the end of it': ({ others, company }) =>
    fleet.ada.delete(at('deals', others, `/relationships/link.deal_agency/${company}`)),
  'a link of a visible company to it': ({ others, company }) =>
    fleet.ada.post(at('companies', company, '/relationships/link.deal_agency'), {
      target_id: others,
    }),
  'the end of this one': ({ others, company }) =>
    fleet.ada.delete(at('companies', company, `/relationships/link.deal_agency/${others}`)),
  'a link of an own deal to an object that is not theirs': ({ own, product }) =>
    fleet.ada.post(at('deals', own, '/relationships/link.deals_products'), { target_id: product }),
  'the end of that one': ({ own, product }) =>
    fleet.ada.delete(at('deals', own, `/relationships/link.deals_products/${product}`)),
  'the same from the other side': ({ own, product }) =>
    fleet.ada.post(at('products', product, '/relationships/link.deals_products'), {
      target_id: own,
    }),
  'a link of an own deal to the boat of another': ({ own, boat }) =>
    fleet.ada.post(at('deals', own, '/relationships/link.deal_boat'), { target_id: boat }),
  'the end of that': ({ own, boat }) =>
    fleet.ada.delete(at('deals', own, `/relationships/link.deal_boat/${boat}`)),
  'a hidden field of an own deal': ({ own }) =>
    fleet.ada.patch(at('deals', own), { fields: { secret: 'x' } }),
  'a hidden field of a visible company': ({ company }) =>
    fleet.ada.patch(at('companies', company), { fields: { revenue: 5 } }),
  'a batch of all kinds': ({ own, others }) =>
    fleet.batch(fleet.ada, [
      { action: 'update', id: own, fields: { secret: 'y' } },
      { action: 'update', id: others, fields: { name: 'Still hidden' } },
      { action: 'create', fields: { name: 'Hidden too' } },
    ]),
  'a delete': ({ others }) => fleet.ada.delete(at('deals', others)),
  'another owner of a deal, and its delete': async () => {
    const { id } = await deal(fleet.sam);
    await fleet.set('deals', id, { owner_user_id: fleet.world.users.rae });
    return fleet.ada.delete(at('deals', id));
  },
};

/** Bea cannot read the `partner_id` of deals. */
const BESIDE_BEA: Hidden = {
  'a hidden reference': ({ own, company }) =>
    fleet.ada.post(at('deals', own, '/relationships/ref.partner_id'), { target_id: company }),
  'the end of it': ({ own, company }) =>
    fleet.ada.delete(at('deals', own, `/relationships/ref.partner_id/${company}`)),
  'a hidden field': ({ own, company }) =>
    fleet.ada.patch(at('deals', own), { fields: { partner_id: company } }),
  'its end': ({ own }) => fleet.ada.patch(at('deals', own), { fields: { partner_id: null } }),
};

describe.each([
  ['rob', BESIDE_ROB],
  ['bea', BESIDE_BEA],
] as const)('%s gets no event of', (name, hidden) => {
  let ids: Ids;
  beforeAll(async () => {
    const company = await make('companies', { name: 'Visible' });
    const made = await Promise.all([
      deal(fleet.rob),
      deal(fleet.sam),
      make('products', { name: 'Not for reps' }),
      make('boats', { name: 'Of Ada', company_id: company.id }),
    ]);
    const [own, others, product, boat] = made.map(({ id }) => String(id));
    ids = { own, others, product, boat, company: String(company.id) } as Ids;
  });

  test.each(Object.keys(hidden))('%s', async (what) => {
    const [stream, control] = await Promise.all([listen(name), listen('ada')]);
    const begin = await make('companies', { name: 'First' });
    await Promise.all(
      [stream, control].map((one) => one.next(({ data }) => data.record_id === begin.id)),
    );
    const feed = fleet[name];
    const cursor = (await feed.get('/changes')).body.pagination.next_cursor;
    const before = stream.text().length;
    const known = control.events.length;
    const answer = await hidden[what]?.(ids);
    expect(answer?.status, JSON.stringify(answer?.body)).toBeLessThan(300);
    const end = await make('companies', { name: 'Last' });
    await Promise.all(
      [stream, control].map((one) => one.next(({ data }) => data.record_id === end.id)),
    );
    const [block = '', ...more] = stream.text().slice(before).split('\n\n');
    expect(more).toEqual(['']);
    expect(block).toMatch(/^id: (?:[\w-]{192}|[\w-]{363})\nevent: record.created\ndata: \{.*\}$/);
    expect(block).toContain(end.id);
    const changes = await feed.get(`/changes?cursor=${cursor}`);
    expect(changes.body.data).toEqual([stream.events.at(-1)?.data]);
    // The number of an audit row would reveal how much all others have written.
    expect(stream.events.at(-1)?.data.id).toMatch(/^[\w-]{22}$/);
    // Otherwise the test would prove nothing: a reader with the right has got the event.
    expect(control.events.length).toBeGreaterThan(known + 1);
  });
});
