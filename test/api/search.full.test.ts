// Search over all object types: ranking, rights, freshness, spelling, numbers, and refusals.

import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Client } from '../client.ts';
import { ACME, CANARY, openWorld } from '../world.ts';
import { useCast } from './cast.ts';

const cast = useCast();
const { refused } = cast;

interface Hit {
  readonly object_type: string;
  readonly id: string;
  readonly display: string | null;
  readonly subtitle: string | null;
  readonly url: string;
}

async function create(client: Client, objectType: string, fields: Record<string, unknown>) {
  const answer = await client.post(`/objects/${objectType}/records`, { fields });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
}

async function search(client: Client, q: string, limit = 20): Promise<readonly Hit[]> {
  const answer = await client.get(`/search?q=${encodeURIComponent(q)}&limit=${limit}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data;
}

async function names(client: Client, q: string, limit = 20): Promise<readonly (string | null)[]> {
  return (await search(client, q, limit)).map(({ display }) => display);
}

describe('ranking', () => {
  test('best first: same, prefix, word, near miss; then the newest', async () => {
    const companies = ['Harbuor Inn', 'Old Harbour', 'Harbour Lights', 'Harbour', 'Harbour Master'];
    for (const name of companies) await create(cast.ada, 'companies', { name });
    await create(cast.ada, 'meetings', { title: 'Harbour' });
    const hits = await search(cast.ada, 'harbour');
    expect(hits.map(({ display, object_type }) => `${object_type} ${display}`)).toEqual([
      'meetings Harbour',
      'companies Harbour',
      'companies Harbour Master',
      'companies Harbour Lights',
      'companies Old Harbour',
      'companies Harbuor Inn',
    ]);
    expect(await names(cast.ada, 'harbour', 2)).toEqual(['Harbour', 'Harbour']);
  });

  test('a hit has its type and its place', async () => {
    const contact = await create(cast.ada, 'contacts', {
      name: 'Zoë Quist',
      email: 'Zoe.Quist@example.com',
    });
    expect(await search(cast.ada, 'zoe q')).toEqual([
      {
        object_type: 'contacts',
        id: contact.id,
        display: 'Zoë Quist',
        subtitle: 'Contact · zoe.quist@example.com',
        url: `/app/acme/o/contacts/${contact.id}`,
      },
    ]);
  });

  test('of many the newest', async () => {
    const operations = Array.from({ length: 300 }, (_, index) => `Mass ${index}`);
    for (const name of operations) await create(cast.ada, 'companies', { name });
    const expected = operations.slice(-20).toReversed();
    expect(await names(cast.ada, 'ma')).toEqual(expected);
    expect(await names(cast.ada, 'mass')).toEqual(expected);
  });

  test('custom objects are found, deals and products are not', async () => {
    const company = await create(cast.ada, 'companies', { name: 'Pelican Ltd' });
    await create(cast.ada, 'boats', { name: 'Pelican', company_id: company.id });
    await create(cast.ada, 'deals', { name: 'Pelican' });
    await create(cast.ada, 'products', { name: 'Pelican' });
    const hits = await search(cast.ada, 'pelican');
    expect(hits.map(({ object_type }) => object_type)).toEqual(['boats', 'companies']);
    expect(hits[0]?.subtitle).toBe('Boat');
  });
});

describe('rights', () => {
  test('own, team and organisation', async () => {
    const company = await create(cast.ada, 'companies', { name: 'Reachable' });
    await create(cast.rob, 'boats', { name: 'Reachable rob', company_id: company.id });
    await create(cast.rae, 'boats', { name: 'Reachable rae', company_id: company.id });
    expect(await names(cast.rob, 'reachable')).toEqual(['Reachable', 'Reachable rob']);
    expect(await names(cast.rae, 'reachable')).toEqual(['Reachable', 'Reachable rae']);
    expect(await names(cast.mia, 'reachable')).toEqual(['Reachable']);
    expect(await names(cast.ada, 'reachable')).toHaveLength(3);
  });

  test('records out of reach take no places from those within', async () => {
    const company = await create(cast.ada, 'companies', { name: 'Crowd' });
    await create(cast.rob, 'boats', { name: 'Crowded', company_id: company.id });
    for (let count = 0; count < 40; count += 1) {
      await create(cast.ada, 'boats', { name: 'Crowded', company_id: company.id });
    }
    expect(await names(cast.rob, 'crowded', 1)).toEqual(['Crowded']);
  });

  test('several words: only within reach, and records out of reach take no places', async () => {
    const company = await create(cast.ada, 'companies', { name: 'Shipyard' });
    const boat = (name: string) => ({ name, company_id: company.id });
    await create(cast.rob, 'boats', boat('Tern white Albatross'));
    for (let count = 0; count < 40; count += 1) {
      await create(cast.ada, 'boats', boat(`Tern grey ${count} Albatross`));
    }
    expect(await names(cast.rob, 'albatross tern')).toEqual(['Tern white Albatross']);
    expect(await names(cast.rob, 'albat ter')).toEqual(['Tern white Albatross']);
    expect(await names(cast.rae, 'albatross tern')).toEqual([]);
    expect(await names(cast.ada, 'albatross tern', 30)).toHaveLength(30);
  });

  test('a field the caller may not read is neither matched nor shown', async () => {
    const bea = await cast.world.as('bea');
    const answer = await bea.get('/search?q=reachable');
    expect(answer.body.data).toEqual([]);
  });

  test('a key without the scope', async () => {
    const client = await cast.world.as('ada', { scopes: ['users:read'] });
    await refused(() => client.get('/search?q=harbour'), [403, 'insufficient_scope']);
  });

  test('another workspace is another world', async () => {
    const globex = await cast.world.as('ada', { workspace: 'globex' });
    await create(globex, 'companies', { name: `Harbour ${CANARY}` });
    expect(await names(globex, 'harbour')).toEqual([`Harbour ${CANARY}`]);
    expect(await names(cast.ada, CANARY)).toEqual([]);
  });
});

describe('after a write', () => {
  test('the very next request finds what was written, and no more what was', async () => {
    const { id } = await create(cast.ada, 'companies', { name: 'Kingfisher' });
    expect(await names(cast.ada, 'kingfisher')).toEqual(['Kingfisher']);
    await cast.ada.patch(`/objects/companies/records/${id}`, { fields: { name: 'Bullfinch' } });
    expect(await names(cast.ada, 'kingfisher')).toEqual([]);
    expect(await names(cast.ada, 'kingfihser')).toEqual([]);
    expect(await names(cast.ada, 'bullfinhc')).toEqual(['Bullfinch']);
    const words = () => cast.world.rows(`select word from _search_words where word = 'bullfinch'`);
    expect((await words()).length).toBeGreaterThan(0);
    const fields = { name: 'Bullfinch of the Northern Marshes' };
    await cast.ada.patch(`/objects/companies/records/${id}`, { fields });
    expect(await names(cast.ada, 'marshes bullfinch')).toEqual([fields.name]);
    await cast.ada.delete(`/objects/companies/records/${id}`);
    expect(await names(cast.ada, 'marshes bullfinch')).toEqual([]);
    expect(await names(cast.ada, 'bullfinch')).toEqual([]);
    expect(await words()).toEqual([]);
    expect(await cast.world.rows('select from _search where record_id = $1', [id])).toEqual([]);
  });

  test('words that another record has stay', async () => {
    const { id } = await create(cast.ada, 'companies', { name: 'Sandpiper one' });
    await create(cast.ada, 'companies', { name: 'Sandpiper two' });
    await cast.ada.delete(`/objects/companies/records/${id}`);
    expect(await names(cast.ada, 'sandpipre')).toEqual(['Sandpiper two']);
  });

  test('a new owner', async () => {
    await cast.world.apply({
      ...ACME,
      roles: {
        ...ACME.roles,
        rep: { ...ACME.roles.rep, objects: { contacts: { read: 'own', create: 'own' } } },
      },
    });
    const rob = await cast.world.as('rob');
    const given = { name: 'Wagtail', email: 'grey@rivers.example', phone: '+49 30 1234' };
    const { id } = await create(cast.ada, 'contacts', given);
    expect(await names(rob, 'wagtail')).toEqual([]);
    expect(await names(rob, 'rivers wagtail')).toEqual([]);
    const fields = { owner_user_id: cast.world.users.rob };
    await cast.ada.patch(`/objects/contacts/records/${id}`, { fields });
    expect(await names(rob, 'wagtail')).toEqual(['Wagtail']);
    expect(await names(rob, 'rivers wagtail')).toEqual(['Wagtail']);
    expect(await names(rob, '030 1234')).toEqual(['Wagtail']);
    await cast.world.apply(ACME);
  });
});

describe('a definition', () => {
  test('decides which fields are searched, of existing records as well', async () => {
    const { companies, deals, boats } = ACME.objects;
    await create(cast.ada, 'companies', {
      name: 'Plain',
      custom_fields: { note: 'Alpha Beta; Gamma' },
    });
    await create(cast.ada, 'deals', { name: 'Nightjar' });
    expect(await names(cast.ada, 'gamma')).toEqual([]);
    await cast.world.apply({
      ...ACME,
      objects: {
        ...ACME.objects,
        companies: {
          ...companies,
          subtitle_field: 'tier',
          fields: { ...companies.fields, note: { ...companies.fields.note, searchable: true } },
        },
        deals: { ...deals, searchable: true },
        boats: { ...boats, searchable: false },
      },
    });
    expect(await names(cast.ada, 'gamma')).toEqual(['Plain']);
    expect(await names(cast.ada, 'nightjar')).toEqual(['Nightjar']);
    const hits = await search(cast.ada, 'pelican');
    expect(hits.map(({ object_type }) => object_type).sort()).toEqual(['companies', 'deals']);
    await create(cast.ada, 'companies', { name: 'Tiered', tier: 'gold' });
    expect((await search(cast.ada, 'tiered'))[0]?.subtitle).toBe('Company · gold');
    await cast.world.apply(ACME);
    expect(await names(cast.ada, 'gamma')).toEqual([]);
    const again = await search(cast.ada, 'pelican');
    expect(again.map(({ object_type }) => object_type)).toEqual(['boats', 'companies']);
  });

  test('hidden fields do not match and do not show', async () => {
    const grant = { read: 'organisation', fields: { email: 'none', name: 'read' } };
    const half = { read: 'organisation', fields: { name: 'none' } };
    await cast.world.apply({
      ...ACME,
      roles: {
        ...ACME.roles,
        rep: { developer: true, objects: { contacts: grant } },
        manager: { developer: true, objects: { contacts: half } },
      },
    });
    const [rob, mia] = [await cast.world.as('rob'), await cast.world.as('mia')];
    await create(cast.ada, 'contacts', { name: 'Plover of Dunlin' });
    await create(cast.ada, 'contacts', { name: 'Plover', email: 'curlew@dunlin.example' });
    expect(await names(rob, 'dunlin plover')).toEqual(['Plover of Dunlin']);
    expect(await names(cast.ada, 'dunlin plover')).toEqual(['Plover', 'Plover of Dunlin']);
    expect(await names(rob, 'curlew')).toEqual([]);
    expect((await search(rob, 'plover'))[0]).toMatchObject({ subtitle: 'Contact' });
    expect(await names(mia, 'plover')).toEqual([]);
    expect(await search(mia, 'curlew dunlin')).toMatchObject([
      { display: null, subtitle: 'Contact · curlew@dunlin.example' },
    ]);
    await cast.world.apply(ACME);
  });
});

describe('spelling', () => {
  beforeAll(async () => {
    await create(cast.ada, 'contacts', {
      name: 'Søren Kierkegård',
      email: 'soren.k@copenhagen.example',
      phone: '+49 (170) 123-4567',
    });
    await create(cast.ada, 'companies', { name: '東京タワー Straße' });
  });

  test.each([
    ['soren kierkegard'],
    ['SØREN'],
    ['kierkegård'],
    ['kierkegrad'],
    ['kirkegard'],
    ['sroen'],
    ['kierkegard soren'],
    ['soren.k@copenhagen.example'],
    ['copenhagen'],
    ['0170 123'],
    ['+49 170 1234567'],
    ['123-4567'],
    ['1701234567'],
  ])('%s', async (q) => {
    expect((await names(cast.ada, q)).slice(0, 1)).toEqual(['Søren Kierkegård']);
  });

  test('all forms of sigma, and letters of one or of two characters', async () => {
    await create(cast.ada, 'companies', { name: 'Πλοίο Οδυσσεύς Ιθάκης' });
    await create(cast.ada, 'companies', { name: 'Ζο\u0308ου ΠΗΝΕΛΟΠΗΣ Ιθάκης' });
    for (const q of ['ΟΔΥΣΣΕΥΣ', 'οδυσσευς', 'οδυσσευσ', 'ιθακησ ΟΔΥΣΣΕΎΣ', 'ιθακ οδυσσ']) {
      expect(await names(cast.ada, q), q).toEqual(['Πλοίο Οδυσσεύς Ιθάκης']);
    }
    for (const q of ['πηνελοπης', 'Πηνελόπης ζο\u0308ου', 'ιθάκης πηνελόπησ']) {
      expect(await names(cast.ada, q), q).toHaveLength(1);
    }
  });

  test.each([['東京'], ['タワー'], ['strasse'], ['STRASSE'], ['tower']])('%s', async (q) => {
    const found = await names(cast.ada, q);
    expect(found).toEqual(q === 'tower' ? [] : ['東京タワー Straße']);
  });
});

describe('refusals', () => {
  test.each([
    ['', 'q'],
    ['?q=', 'q'],
    ['?q=a', 'q'],
    ['?q=%20a%20', 'q'],
    [`?q=${'x'.repeat(201)}`, 'q'],
    ['?q=a%00b', 'q'],
    ['?q=ab&limit=0', 'limit'],
    ['?q=ab&limit=31', 'limit'],
    ['?q=ab&limit=x', 'limit'],
    ['?q=ab&q=cd', 'q'],
    ['?q=ab&cursor=x', 'cursor'],
  ])('%s', async (query, param) => {
    await refused(() => cast.ada.get(`/search${query}`), [400, 'validation_failed', param]);
  });

  test.each([['!!'], ["' or 1=1--"], ['%%'], ['x'.repeat(200)], ['\u{1F600}\u{1F600}'], ['\\']])(
    '%s is only text',
    async (q) => {
      expect(await search(cast.ada, q.padEnd(2, '\\'))).toEqual([]);
    },
  );
});

test('without the application a hit says where its record is below the interface', async () => {
  const world = await openWorld({ APPLICATION: 'off' });
  onTestFinished(() => world.close());
  const ada = await world.as('ada');
  const { id } = await create(ada, 'companies', { name: 'Nowhere to be seen' });
  const [hit] = await search(ada, 'nowhere to');
  expect(hit).toMatchObject({ id, url: `/companies/${id}` });
});
