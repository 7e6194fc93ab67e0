// Linking and unlinking through references, associations and custom links of every cardinality. The effect of a
// delete on them is in delete-and-approval.test.ts.

import { describe, expect, test } from 'vitest';
import type { Answer, Client } from '../client.ts';
import { useFleet } from './fleet.ts';

const fleet = useFleet();
const { batch, deal, make, refused, trail } = fleet;

const NOWHERE = '01a1fd00-0000-7000-8000-000000000000';

type Refusal = readonly [status: number, code: string, param?: string];

const pathOf = (object: string, id: string, association: string) =>
  `/objects/${object}/records/${id}/relationships/${association}`;

/** One side of a relationship. */
function side(object: string, association: string, client: Client = fleet.ada) {
  return {
    link: (id: string, target_id: string) =>
      client.post(pathOf(object, id, association), { target_id }),
    unlink: (id: string, target: string) =>
      client.delete(`${pathOf(object, id, association)}/${target}`),
    async of(id: string): Promise<readonly string[]> {
      const { body } = await fleet.ada.get(pathOf(object, id, association));
      return body.data.map((record: { readonly id: string }) => record.id);
    },
  };
}

async function done(sent: Promise<Answer>, linked: boolean) {
  const { status, body, headers } = await sent;
  expect([status, body.data?.linked], JSON.stringify(body)).toEqual([200, linked]);
  expect(headers.get('etag')?.split('.')[0]).toBe(`"${body.data.version}`);
  return body.data;
}

/** Expect success without any change. */
async function idle(send: () => Promise<Answer>, linked: boolean) {
  const before = await fleet.world.digest();
  await done(send(), linked);
  expect(await fleet.world.digest()).toBe(before);
}

const company = async (name = 'Company') => (await make('companies', { name })).id as string;
const aDeal = async () => (await deal(fleet.ada)).id as string;
const boat = async (client?: Client) => {
  const fields = { name: 'Boat', company_id: await company() };
  if (client === undefined) return (await make('boats', fields)).id as string;
  return (await client.post('/objects/boats/records', { fields })).body.data.id as string;
};
const versionOf = async (object: string, id: string) =>
  (await fleet.ada.get(`/objects/${object}/records/${id}`)).body.data.version;

describe('many to many', () => {
  test('is added once, seen from both sides, and removed from either', async () => {
    const contacts = side('contacts', 'assoc.contacts_deals');
    const deals = side('deals', 'assoc.contacts_deals');
    const [one, two] = [await aDeal(), await aDeal()];
    const { id, version } = await make('contacts', { name: 'Jo' });
    expect(await done(deals.link(one, id), true)).toEqual({
      id: one,
      association_id: 'assoc.contacts_deals',
      target_id: id,
      linked: true,
      version: expect.stringMatching(/^1-/),
    });
    await idle(() => deals.link(one, id), true);
    await idle(() => deals.link(one, id.toUpperCase()), true);
    await idle(() => contacts.link(id, one), true);
    await done(contacts.link(id, two), true);
    expect([await contacts.of(id), await deals.of(two)]).toEqual([[two, one], [id]]);
    expect((await trail(one)).slice(1)).toEqual([['link', ['assoc.contacts_deals']]]);
    expect((await trail(id)).slice(1)).toEqual([['link', ['assoc.contacts_deals']]]);
    await done(contacts.unlink(id, one), false);
    await idle(() => deals.unlink(one, id), false);
    await idle(() => contacts.unlink(id, one), false);
    expect(await contacts.of(id)).toEqual([two]);
    expect((await trail(id)).slice(2)).toEqual([['unlink', ['assoc.contacts_deals']]]);
    // Links belong to neither record.
    expect(await versionOf('contacts', id)).toBe(version);
  });

  test('of an object with itself has no direction', async () => {
    const friends = side('companies', 'link.friends');
    const [one, two, three] = [await company(), await company(), await company()];
    await done(friends.link(one, two), true);
    await idle(() => friends.link(two, one), true);
    await done(friends.link(three, one), true);
    expect([await friends.of(one), await friends.of(two)]).toEqual([[three, two], [one]]);
    await done(friends.unlink(two, one), false);
    expect([await friends.of(one), await friends.of(two)]).toEqual([[three], []]);
    await refused(() => friends.link(one, one), [422, 'invalid_write', 'target_id']);
  });
});

describe('at most one', () => {
  const taken: Refusal = [409, 'conflict', 'target_id'];

  test('one to one', async () => {
    const [deals, boats] = [side('deals', 'link.deal_boat'), side('boats', 'link.deal_boat')];
    const [one, two] = [await aDeal(), await aDeal()];
    const [first, second] = [await boat(), await boat()];
    await done(deals.link(one, first), true);
    await idle(() => deals.link(one, first), true);
    await idle(() => boats.link(first, one), true);
    await refused(() => deals.link(two, first), taken);
    await refused(() => deals.link(one, second), taken);
    await refused(() => boats.link(first, two), taken);
    await done(deals.link(two, second), true);
    await done(boats.unlink(first, one), false);
    await refused(() => boats.link(first, two), taken);
    await done(deals.link(one, first), true);
  });

  test('many to one and one to many are the same from the other side', async () => {
    const deals = side('deals', 'link.deal_agency');
    const companies = side('companies', 'link.deal_agency');
    const [one, two] = [await aDeal(), await aDeal()];
    const [agency, other] = [await company(), await company()];
    await done(deals.link(one, agency), true);
    await done(companies.link(agency, two), true);
    await refused(() => deals.link(one, other), taken);
    await refused(() => companies.link(other, two), taken);
    expect(await companies.of(agency)).toEqual([two, one]);
    const hosts = side('companies', 'link.company_events');
    const events = side('events', 'link.company_events');
    const [fair, gala] = [
      (await make('events', { title: 'Fair' })).id,
      (await make('events', { title: 'Gala' })).id,
    ];
    await done(hosts.link(agency, fair), true);
    await done(events.link(gala, agency), true);
    await refused(() => hosts.link(other, fair), taken);
    await refused(() => events.link(gala, other), taken);
    expect(await hosts.of(agency)).toEqual([gala, fair]);
  });

  test('one to one with the same object', async () => {
    const spouses = side('contacts', 'link.spouses');
    const [a, b, c] = await Promise.all(
      ['A', 'B', 'C'].map(async (name) => (await make('contacts', { name })).id as string),
    );
    const [one, two, three] = [a, b, c] as [string, string, string];
    await done(spouses.link(one, two), true);
    await idle(() => spouses.link(two, one), true);
    for (const [from, to] of [
      [one, three],
      [two, three],
      [three, one],
      [three, two],
    ] as const) {
      await refused(() => spouses.link(from, to), taken);
    }
    await refused(() => spouses.link(three, three), [422, 'invalid_write', 'target_id']);
    await done(spouses.unlink(two, one), false);
    await done(spouses.link(three, one), true);
    expect(await spouses.of(two)).toEqual([]);
  });

  test('of many that race for one, one gets it', async () => {
    const deals = side('deals', 'link.deal_boat');
    for (let round = 0; round < 5; round += 1) {
      const target = await boat();
      const racers = await Promise.all([1, 2, 3, 4].map(aDeal));
      const answers = await Promise.all(racers.map((id) => deals.link(id, target)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    }
  });

  test('a reference that is unique: the holder is named only to callers who may read it', async () => {
    const target = await company();
    const holder = await aDeal();
    const mine = await deal(fleet.rob);
    await done(side('deals', 'ref.partner_id').link(holder, target), true);
    for (const [client, named] of [
      [fleet.ada, holder],
      [fleet.rob, undefined],
    ] as const) {
      const { link } = side('deals', 'ref.partner_id', client);
      await refused(() => link(mine.id, target), taken);
      const { details } = (await link(mine.id, target)).body.error;
      expect(details.existing_record_id).toBe(named);
    }
    const operation = { action: 'link', id: mine.id, association_id: 'ref.partner_id' };
    await refused(
      () => batch(fleet.ada, [{ ...operation, target_id: target }]),
      [409, 'conflict', 'operations[0].target_id'],
    );
  });
});

describe('a reference', () => {
  const association = 'ref.company_id';

  test('is set, replaced and cleared, each a change of the record', async () => {
    const deals = side('deals', association);
    const [id, first, second] = [await aDeal(), await company(), await company()];
    await done(deals.link(id, first), true);
    await idle(() => deals.link(id, first), true);
    await done(deals.link(id, second), true);
    expect(await deals.of(id)).toEqual([second]);
    await refused(() => deals.unlink(id, first), [412, 'stale_record', 'target_id']);
    await done(deals.unlink(id, second.toUpperCase()), false);
    for (const target of [second, NOWHERE, 'nope', id]) {
      await refused(() => deals.unlink(id, target), [412, 'stale_record', 'target_id']);
    }
    expect((await trail(id)).slice(1)).toEqual([
      ['link', ['company_id']],
      ['link', ['company_id']],
      ['unlink', ['company_id']],
    ]);
    expect(await versionOf('deals', id)).toMatch(/^4-/);
  });

  test('that is required can be replaced but not cleared', async () => {
    const boats = side('boats', association);
    const [id, first, second] = [await boat(), await company(), await company()];
    await done(boats.link(id, first), true);
    await refused(() => boats.unlink(id, second), [412, 'stale_record']);
    await refused(() => boats.unlink(id, first), [422, 'invalid_write', 'association_id']);
    await done(boats.link(id, second), true);
  });

  test('to the record itself is refused, however it is written', async () => {
    const { id } = await deal(fleet.ada, { code: 'SELF' });
    const itself = { related_id: id.toUpperCase() };
    await refused(
      () => side('deals', 'ref.related_id').link(id, id.toUpperCase()),
      [422, 'invalid_write', 'target_id'],
    );
    await refused(
      () => fleet.ada.patch(`/objects/deals/records/${id}`, { fields: itself }),
      [422, 'invalid_write', 'fields.related_id'],
    );
    for (const operation of [
      { action: 'update', id, fields: itself },
      { action: 'upsert', target: 'deals', match: { code: 'SELF' }, fields: itself },
    ]) {
      await refused(
        () => fleet.batch(fleet.ada, [operation]),
        [422, 'invalid_write', 'operations[0].fields.related_id'],
      );
    }
    const other = await aDeal();
    const joined = await fleet.ada.patch(`/objects/deals/records/${id}`, {
      fields: { related_id: other },
    });
    expect(joined.status).toBe(200);
  });

  test('that the caller may not write is 403 before anything is compared', async () => {
    const target = await company();
    const { id } = await deal(fleet.ada, { company_id: target, partner_id: target });
    const denied: Refusal = [403, 'permission_denied', 'association_id'];
    for (const field of ['ref.company_id', 'ref.partner_id']) {
      const deals = side('deals', field, fleet.bea);
      for (const other of [target, NOWHERE, 'nope']) {
        await refused(() => deals.link(id, other), denied);
        await refused(() => deals.unlink(id, other), denied);
      }
    }
    const fixed: Refusal = [403, 'write_not_supported', 'association_id'];
    const broker = side('deals', 'ref.broker_id');
    await refused(() => broker.link(id, target), fixed);
    await refused(() => broker.unlink(id, target), fixed);
    const inverse = side('companies', 'inv.deals.company_id');
    await refused(() => inverse.link(target, id), fixed);
    await refused(() => inverse.unlink(target, id), fixed);
  });

  test('unlink and relink race: never both', async () => {
    const deals = side('deals', association);
    for (let round = 0; round < 10; round += 1) {
      const [target, other] = [await company(), await company()];
      const { id } = await deal(fleet.ada, { company_id: target });
      const [unlinked, again, linked] = await Promise.all([
        deals.unlink(id, target),
        deals.unlink(id, target),
        deals.link(id, other),
      ]);
      expect(linked.status).toBe(200);
      const statuses = [unlinked.status, again.status].sort();
      expect([JSON.stringify([200, 412]), JSON.stringify([412, 412])]).toContain(
        JSON.stringify(statuses),
      );
      expect(await deals.of(id)).toEqual([other]);
    }
  });
});

describe('the rights to link', () => {
  const notFound = (param: string): Refusal => [404, 'record_not_found', param];

  test('a target must be there for the caller', async () => {
    const foreign = await fleet.world.as('ada', { workspace: 'globex' });
    const fields = { name: 'globex-canary-7f3a' };
    const abroad = await foreign.post('/objects/companies/records', { fields });
    const contact = await make('contacts', { name: 'Wrong type' });
    const id = await aDeal();
    const wrong = [NOWHERE, 'nope', 'a\0', '\ud800', contact.id, abroad.body.data.id, id];
    for (const association of ['ref.company_id', 'link.deal_agency']) {
      const deals = side('deals', association);
      for (const target of wrong) {
        await refused(() => deals.link(id, target), notFound('target_id'));
      }
      if (association === 'ref.company_id') continue;
      for (const target of [NOWHERE, 'nope', contact.id]) {
        await refused(() => deals.unlink(id, target), notFound('target_id'));
      }
    }
  });

  test('a target out of sight does not exist', async () => {
    const mine = await deal(fleet.rob);
    const [hidden, own] = [await boat(), await boat(fleet.rob)];
    const theirs = await deal(fleet.sam);
    const boats = side('deals', 'link.deal_boat', fleet.rob);
    await refused(() => boats.link(mine.id, hidden), notFound('target_id'));
    await done(side('deals', 'link.deal_boat').link(theirs.id, hidden), true);
    await refused(() => boats.link(mine.id, hidden), notFound('target_id'));
    await refused(() => boats.unlink(mine.id, hidden), notFound('target_id'));
    await done(boats.link(mine.id, own), true);
    const related = side('deals', 'ref.related_id', fleet.rob);
    await refused(() => related.link(mine.id, theirs.id), notFound('target_id'));
  });

  test('the record itself: out of sight 404, not updatable 403', async () => {
    const theirs = await deal(fleet.sam);
    const target = await company();
    await refused(
      () => side('deals', 'ref.company_id', fleet.rob).link(theirs.id, target),
      notFound('record_id'),
    );
    const contact = await make('contacts', { name: 'Read only' });
    const mine = await deal(fleet.rob);
    const contacts = side('contacts', 'assoc.contacts_deals', fleet.rob);
    await refused(() => contacts.link(contact.id, mine.id), [403, 'permission_denied']);
    await refused(() => contacts.unlink(contact.id, mine.id), [403, 'permission_denied']);
    // From the other side it is one's own record that is linked.
    const deals = side('deals', 'assoc.contacts_deals', fleet.rob);
    await done(deals.link(mine.id, contact.id), true);
    const companies = side('companies', 'link.friends', fleet.rob);
    const friend = await company();
    await refused(() => companies.link(target, friend), [403, 'permission_denied']);
    const reader = await fleet.world.as('ada', { scopes: ['records:read', 'records:delete'] });
    const read = side('deals', 'ref.company_id', reader);
    await refused(() => read.link(mine.id, target), [403, 'insufficient_scope']);
    await refused(() => read.unlink(mine.id, target), [403, 'insufficient_scope']);
  });

  test('unknown associations, and those of hidden objects', async () => {
    const id = await aDeal();
    const contact = await make('contacts', { name: 'Hidden' });
    for (const association of ['nope', 'ref.name', 'assoc.deal_boat', '__proto__']) {
      const unknown = side('deals', association);
      await refused(() => unknown.link(id, contact.id), notFound('association_id'));
      await refused(() => unknown.unlink(id, contact.id), notFound('association_id'));
    }
    await refused(
      () => side('deals', 'assoc.contacts_deals', fleet.bea).link(id, contact.id),
      notFound('association_id'),
    );
  });

  test('malformed requests', async () => {
    const path = pathOf('deals', await aDeal(), 'ref.company_id');
    const shape = (param: string) => [400, 'validation_failed', param] as const;
    for (const target_id of [undefined, null, 5, '', 'x'.repeat(201), [NOWHERE]]) {
      await refused(() => fleet.ada.post(path, { target_id }), shape('target_id'));
    }
    await refused(() => fleet.ada.post(path, { target_id: 'x', id: 'y' }), shape('id'));
    await refused(() => fleet.ada.post(path, '{'), [400, 'invalid_json']);
    await refused(() => fleet.ada.delete(`${path}/${'x'.repeat(201)}`), shape('target_id'));
    const long = pathOf('deals', NOWHERE, 'x'.repeat(101));
    await refused(() => fleet.ada.post(long, { target_id: 'x' }), shape('association_id'));
    await refused(() => fleet.ada.delete(path), [405, 'method_not_allowed']);
  });
});
