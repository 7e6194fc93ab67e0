// Relationships for reading: which a record has for whom, and the pages of records they lead to. Linking
// and unlinking are in links.test.ts.

import { describe, expect, test } from 'vitest';
import type { Client } from '../client.ts';
import { useFleet } from './fleet.ts';

const fleet = useFleet();
const { deal, make, refused } = fleet;

const NOWHERE = '01a1fd00-0000-7000-8000-000000000000';

interface Listed {
  readonly id: string;
  readonly cardinality: string;
  readonly can_link: boolean;
  readonly source_field: string | null;
}

/** As a definition has it. */
interface Known extends Listed {
  readonly object: { readonly key: string };
  readonly labels: readonly string[];
}

const pathOf = (object: string, id: string, association = '') =>
  `/objects/${object}/records/${id}/relationships${association === '' ? '' : `/${association}`}`;

async function linked(client: Client, path: string) {
  const { status, body } = await client.get(path);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

async function link(object: string, id: string, association: string, target_id: string) {
  const answer = await fleet.ada.post(pathOf(object, id, association), { target_id });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
}

const idsOf = ({ data }: { readonly data: readonly { readonly id: string }[] }) =>
  data.map(({ id }) => id);

describe('the relationships of a record', () => {
  async function listed(client: Client, object: string, id: string) {
    const { data } = await linked(client, pathOf(object, id));
    return data.map(({ id: association, cardinality, can_link, source_field }: Listed) => [
      ...[association, cardinality, can_link ? 'linkable' : 'fixed', source_field],
    ]);
  }

  test('every reference, inverse, association and link, in the order of the definition', async () => {
    const { id } = await deal(fleet.ada);
    expect(await listed(fleet.ada, 'deals', id)).toEqual([
      ['ref.company_id', 'many_to_one', 'linkable', 'company_id'],
      ['ref.partner_id', 'one_to_one', 'linkable', 'partner_id'],
      ['ref.related_id', 'many_to_one', 'linkable', 'related_id'],
      ['inv.deals.related_id', 'one_to_many', 'fixed', null],
      ['ref.broker_id', 'many_to_one', 'fixed', 'broker_id'],
      ['assoc.contacts_deals', 'many_to_many', 'linkable', null],
      ['assoc.deals_meetings', 'many_to_many', 'linkable', null],
      ['link.deals_products', 'many_to_many', 'linkable', null],
      ['link.deal_boat', 'one_to_one', 'linkable', null],
      ['link.deal_agency', 'many_to_one', 'linkable', null],
    ]);
    const company = await make('companies', { name: 'Related' });
    const ofCompany = await listed(fleet.ada, 'companies', company.id);
    expect(ofCompany).toContainEqual(['link.deal_agency', 'one_to_many', 'linkable', null]);
    expect(ofCompany).toContainEqual(['inv.deals.partner_id', 'one_to_one', 'fixed', null]);
    expect(ofCompany).toContainEqual(['link.friends', 'many_to_many', 'linkable', null]);
    const { data } = await linked(fleet.ada, pathOf('companies', company.id));
    expect(data.find((one: Listed) => one.id === 'inv.boats.company_id')).toEqual({
      id: 'inv.boats.company_id',
      label: 'Boats',
      object_type: 'boats',
      cardinality: 'one_to_many',
      can_link: false,
      source_field: null,
    });
  });

  test('without objects and fields the caller cannot read', async () => {
    const { id } = await deal(fleet.bea);
    const company = await make('companies', { name: 'Related' });
    const own = await listed(fleet.bea, 'deals', id);
    expect(own.map(([association]: string[]) => association)).toEqual([
      ...['ref.company_id', 'ref.related_id', 'inv.deals.related_id', 'ref.broker_id'],
      'link.deal_agency',
    ]);
    const other = await listed(fleet.bea, 'companies', company.id);
    expect(other.map(([association]: string[]) => association)).toEqual([
      ...['inv.deals.company_id', 'inv.deals.broker_id', 'link.deal_agency', 'link.friends'],
    ]);
  });

  test('are those of its definition, for each caller', async () => {
    for (const client of [fleet.ada, fleet.bea, fleet.rob]) {
      const { id } = await deal(client);
      const { data } = await linked(client, pathOf('deals', id));
      const { relationships } = (await linked(client, '/objects/deals')).data;
      const known = relationships.map(({ object, labels, ...own }: Known) => ({
        ...{ ...own, object_type: object.key, label: labels[0] },
      }));
      expect(known).toEqual(data);
    }
  });

  test('of a record that is not there, or out of sight', async () => {
    const { id } = await deal(fleet.sam);
    const gone = [404, 'record_not_found'] as const;
    await refused(() => fleet.rob.get(pathOf('deals', id)), gone);
    for (const wrong of [NOWHERE, 'nope', 'x'.repeat(201), "'%20or%201=1"]) {
      await refused(() => fleet.ada.get(pathOf('deals', wrong)), gone);
    }
    await refused(() => fleet.rob.get(pathOf('meetings', id)), [404, 'object_not_available']);
    await refused(() => fleet.ada.get(pathOf('companies', id)), gone);
    const writer = await fleet.world.as('ada', { scopes: ['records:write'] });
    await refused(() => writer.get(pathOf('deals', id)), [403, 'insufficient_scope']);
  });
});

describe('linked records', () => {
  test('of every kind, from both sides, as identities only', async () => {
    const company = await make('companies', { name: 'Acme' });
    const friend = await make('companies', { name: 'Friend' });
    const contact = await make('contacts', { name: 'Jo' });
    const product = await make('products', { name: 'Rope' });
    const first = await deal(fleet.ada, { company_id: company.id });
    const second = await deal(fleet.ada, { company_id: company.id, related_id: first.id });
    await link('deals', first.id, 'assoc.contacts_deals', contact.id);
    await link('deals', first.id, 'link.deals_products', product.id);
    await link('companies', company.id, 'link.friends', friend.id);
    const cases = [
      ['deals', first.id, 'ref.company_id', 'companies', [company.id]],
      ['deals', first.id, 'ref.partner_id', 'companies', []],
      ['companies', company.id, 'inv.deals.company_id', 'deals', [second.id, first.id]],
      ['deals', second.id, 'ref.related_id', 'deals', [first.id]],
      ['deals', first.id, 'inv.deals.related_id', 'deals', [second.id]],
      ['deals', second.id, 'inv.deals.related_id', 'deals', []],
      ['deals', first.id, 'assoc.contacts_deals', 'contacts', [contact.id]],
      ['contacts', contact.id, 'assoc.contacts_deals', 'deals', [first.id]],
      ['deals', first.id.toUpperCase(), 'link.deals_products', 'products', [product.id]],
      ['products', product.id, 'link.deals_products', 'deals', [first.id]],
      ['companies', company.id, 'link.friends', 'companies', [friend.id]],
      ['companies', friend.id, 'link.friends', 'companies', [company.id]],
      ['deals', second.id, 'link.deals_products', 'products', []],
    ] as const;
    for (const [object, id, association, object_type, expected] of cases) {
      const body = await linked(fleet.ada, pathOf(object, id, association));
      expect([association, body.object_type, idsOf(body)]).toEqual([
        ...[association, object_type, expected],
      ]);
      expect(body.pagination).toEqual({ limit: 25, has_more: false, next_cursor: null });
    }
    const { data } = await linked(fleet.ada, pathOf('deals', first.id, 'ref.company_id'));
    const { version: _, fields: __, ...identity } = company;
    expect(data).toEqual([identity]);
    // Without owners there is an identity all the same.
    const { data: products } = await linked(
      fleet.ada,
      pathOf('deals', first.id, 'link.deals_products'),
    );
    expect(products[0]).toMatchObject({ display: 'Rope', owner_user_id: null, status: null });
  });

  test('page by page, newest first', async () => {
    const { id } = await deal(fleet.ada);
    const contacts: string[] = [];
    for (let index = 0; index < 7; index += 1) {
      contacts.unshift((await make('contacts', { name: `Contact ${index}` })).id);
    }
    for (const contact of [...contacts].sort(() => -1)) {
      await link('contacts', contact, 'assoc.contacts_deals', id);
    }
    const path = pathOf('deals', id, 'assoc.contacts_deals');
    const pages: string[][] = [];
    let cursor = '';
    do {
      const { data, pagination } = await linked(fleet.ada, `${path}?limit=3&cursor=${cursor}`);
      pages.push(idsOf({ data }));
      expect(pagination.limit).toBe(3);
      expect(pagination.has_more).toBe(pagination.next_cursor !== null);
      cursor = pagination.next_cursor ?? '';
      expect(cursor.length).toBeLessThanOrEqual(500);
    } while (cursor !== '');
    expect(pages).toEqual([contacts.slice(0, 3), contacts.slice(3, 6), contacts.slice(6)]);
    expect(idsOf(await linked(fleet.ada, `${path}?limit=7`))).toEqual(contacts);
  });

  test('a cursor belongs to record, association and caller', async () => {
    const company = await make('companies', { name: 'Paged' });
    const other = await make('companies', { name: 'Other' });
    for (let index = 0; index < 3; index += 1) await deal(fleet.ada, { company_id: company.id });
    const path = pathOf('companies', company.id, 'inv.deals.company_id');
    const { pagination } = await linked(fleet.ada, `${path}?limit=1`);
    const cursor = pagination.next_cursor as string;
    const with_ = (to: string) => `${to}?cursor=${cursor}`;
    expect((await linked(fleet.ada, with_(path))).data).toHaveLength(2);
    const invalid = [400, 'invalid_cursor', 'cursor'] as const;
    const elsewhere = [
      pathOf('companies', other.id, 'inv.deals.company_id'),
      pathOf('companies', company.id, 'link.deal_agency'),
      pathOf('companies', company.id, 'inv.deals.broker_id'),
      '/objects/deals/records',
    ];
    for (const to of elsewhere) await refused(() => fleet.ada.get(with_(to)), invalid);
    await refused(() => fleet.bea.get(with_(path)), invalid);
    const list = await linked(fleet.ada, '/objects/deals/records?limit=1');
    const changed = cursor.startsWith('A') ? `B${cursor.slice(1)}` : `A${cursor.slice(1)}`;
    for (const wrong of [list.pagination.next_cursor, changed, cursor.slice(0, -1), 'x', '%00']) {
      await refused(
        async () => {
          const answer = await fleet.ada.get(`${path}?cursor=${wrong}`);
          return answer;
        },
        wrong === '%00' ? [400, 'validation_failed'] : invalid,
      );
    }
    await refused(
      () => fleet.ada.get(`${path}?cursor=${'x'.repeat(501)}`),
      [400, 'validation_failed', 'cursor'],
    );
  });

  test('malformed parameters', async () => {
    const { id } = await deal(fleet.ada);
    const path = pathOf('deals', id, 'ref.company_id');
    for (const limit of ['0', '101', '1.5', '-1', 'x', '']) {
      await refused(
        () => fleet.ada.get(`${path}?limit=${limit}`),
        [400, 'validation_failed', 'limit'],
      );
    }
    await refused(() => fleet.ada.get(`${path}?fields=name`), [400, 'validation_failed', 'fields']);
    const long = pathOf('deals', id, 'x'.repeat(101));
    await refused(() => fleet.ada.get(long), [400, 'validation_failed', 'association_id']);
  });

  test('need the right to read all records of the other object', async () => {
    const company = await make('companies', { name: 'Needs all' });
    const path = pathOf('companies', company.id, 'inv.deals.company_id');
    const denied = [403, 'permission_denied'] as const;
    await refused(() => fleet.rob.get(path), denied);
    await refused(() => fleet.mia.get(path), denied);
    expect((await fleet.bea.get(path)).status).toBe(200);
    const { id } = await deal(fleet.rob, { company_id: company.id });
    expect(idsOf(await linked(fleet.rob, pathOf('deals', id, 'ref.company_id')))).toEqual([
      company.id,
    ]);
    await refused(() => fleet.rob.get(pathOf('deals', id, 'inv.deals.related_id')), denied);
    await refused(() => fleet.rob.get(pathOf('deals', id, 'link.deal_boat')), denied);
  });

  test('through a field the caller cannot read are refused, also when there are none', async () => {
    const company = await make('companies', { name: 'Partner' });
    const [full, empty] = [
      await deal(fleet.ada, { partner_id: company.id }),
      await deal(fleet.ada),
    ];
    const answers = [];
    for (const path of [
      pathOf('deals', full.id, 'ref.partner_id'),
      pathOf('deals', empty.id, 'ref.partner_id'),
      pathOf('companies', company.id, 'inv.deals.partner_id'),
    ]) {
      await refused(() => fleet.bea.get(path), [403, 'permission_denied', 'association_id']);
      const { request_id: _, ...error } = (await fleet.bea.get(path)).body.error;
      answers.push(error);
    }
    expect(answers[1]).toEqual(answers[0]);
  });

  test('unknown associations and records', async () => {
    const { id } = await deal(fleet.ada);
    const unknown = [404, 'record_not_found', 'association_id'] as const;
    const associations = [
      ...['nope', 'ref.nope', 'ref.name', 'assoc.deal_boat', 'link.contacts_deals', 'company_id'],
      ...['ref.', 'REF.COMPANY_ID', '__proto__', 'ref.company_id%20', 'assoc.companies_events'],
    ];
    for (const association of associations) {
      await refused(() => fleet.ada.get(pathOf('deals', id, association)), unknown);
    }
    // A relationship to an object that is hidden from the caller does not exist either.
    await refused(() => fleet.bea.get(pathOf('deals', id, 'assoc.contacts_deals')), unknown);
    const gone = [404, 'record_not_found', 'record_id'] as const;
    for (const wrong of [NOWHERE, 'nope']) {
      await refused(() => fleet.ada.get(pathOf('deals', wrong, 'ref.company_id')), gone);
      await refused(() => fleet.ada.get(pathOf('deals', wrong, 'link.deals_products')), gone);
    }
    await refused(() => fleet.rob.get(pathOf('deals', id, 'ref.company_id')), gone);
    const long = pathOf('deals', 'x'.repeat(201), 'ref.company_id');
    await refused(() => fleet.ada.get(long), [400, 'validation_failed', 'record_id']);
  });
});
