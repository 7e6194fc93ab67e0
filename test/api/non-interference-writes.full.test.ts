// Records that a caller may not see must not show in their writes either: two databases that differ only in those
// answer any series of writes alike. With a guard of the look-ups switched off the comparison must find a difference,
// or it would prove nothing.

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as lookups from '../../src/sql/write/lookup-sql.ts';
import { withExports } from '../replaced-exports.ts';
import { timesOf } from '../until.ts';
import { ACME, type KeyOptions, openWorldWith, type PersonName, type World } from '../world.ts';
import { findDifference as compare, type Sent } from './twins.ts';

const RUNS = timesOf(120);
const NAMES = ['Alpha', 'Beta', 'Gamma', 'Delta', 'Omega'];
const RANKS = { rob: 1, rae: 2, sam: 3 } as const;
const OWNERS = ['rob', 'rae', 'sam'] as const;

const ofDeal = (name: string, words: object) => ({
  ...{ name, singular_name: name, display_field: 'name' },
  fields: {
    name: { type: 'text' },
    deal_id: { type: 'reference', reference_object_type: 'deals', ...words },
  },
});
const within = (reach: 'own' | 'team') => ({
  ...{ create: reach, read: reach, update: reach, delete: reach },
});
const sees = { permits: { read: 'own' }, flags: { read: 'own' } } as const;

const DOCUMENT = {
  ...ACME,
  name: 'Twins',
  objects: {
    ...ACME.objects,
    deals: {
      ...ACME.objects.deals,
      trash: { keep: '30d' },
      fields: {
        ...ACME.objects.deals.fields,
        rank: { type: 'number', unique: true },
        related_id: { type: 'reference', reference_object_type: 'deals' },
      },
    },
    permits: ofDeal('Permits', { required: true }),
    vaults: ofDeal('Vaults', { on_delete: 'restrict' }),
    flags: ofDeal('Flags', {}),
  },
  work_item_types: { task: { name: 'Task', prefix: 'TASK', workflow: 'pipeline' } },
  relationships: {
    peers: { name: 'Peers', kind: 'link', from: 'deals', to: 'deals', cardinality: 'many_to_many' },
  },
  roles: {
    ...ACME.roles,
    rep: {
      ...ACME.roles.rep,
      objects: {
        ...{ ...ACME.roles.rep.objects, ...sees },
        work_items: within('own'),
        deals: { ...within('own'), fields: { secret: 'none', code: 'read' } },
      },
    },
    manager: {
      ...ACME.roles.manager,
      objects: { ...ACME.roles.manager.objects, ...sees },
    },
  },
};

/** Deals of every owner, some of which others cannot be without, in sight and out of it. */
async function fill(world: World): Promise<readonly string[]> {
  const ada = await world.as('ada');
  const ids: string[] = [];
  const create = async (object: string, fields: object) => {
    const { body } = await ada.post(`/objects/${object}/records`, { fields });
    expect(body.data?.id, JSON.stringify(body)).toBeDefined();
    ids.push(body.data.id);
    if (object === 'deals') deals.push(body.data.id);
    return body.data.id as string;
  };
  for (const [index, name] of NAMES.entries()) {
    const company_id = await create('companies', { name, revenue: index * 100 });
    for (const owner of OWNERS) {
      const owner_user_id = world.users[owner];
      const fields = { name: `${name} ${owner}`, amount: index * 10, company_id, owner_user_id };
      // Unique values show wherever they are, so they are the same in both databases.
      const unique = index === 0 ? { rank: RANKS[owner], code: owner } : {};
      const closes_on = `2026-0${index + 1}-01`;
      const deal_id = await create('deals', {
        ...fields,
        ...unique,
        closes_on,
        secret: `s${index}`,
      });
      if (owner === 'sam') continue;
      const mine = { deal_id, owner_user_id: world.users.rob };
      const hidden = { deal_id, owner_user_id: world.users.sam };
      if (index === 0) await create('vaults', hidden);
      if (index === 1 || index === 2) await create('permits', hidden);
      if (index === 2)
        for (const side of [mine, { ...mine, owner_user_id: world.users.mia }])
          await create('permits', side);
      for (const flag of [mine, hidden]) await create('flags', flag);
    }
  }
  for (const [index, title] of NAMES.entries()) {
    const [mine, theirs] = [world.users.rob, world.users.sam];
    const item = { work_item_type_id: 'task', title };
    const top = await create('work_items', { ...item, owner_user_id: mine });
    const hidden = await create('work_items', { ...item, owner_user_id: theirs });
    const parent = { parent_work_item_id: index % 2 === 0 ? top : hidden };
    await create('work_items', { ...item, ...parent, title: 'Below', owner_user_id: theirs });
  }
  return ids;
}

const person = (name: string) => `(select id from ws_acme._users where name = '${name}')`;
/** As many again, which only Sam and the administrators can read. */
const doubled = (object: string) => `insert into ws_acme.${object}
  select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid()))).*
  from ws_acme.${object} t where owner_user_id = ${person('Sam')}`;
const MORE = ['vaults', 'permits', 'flags', 'flags'].map(doubled);
const ITEMS = `update ws_acme.work_items
  set title = case title when 'Below' then 'Alpha' else 'Zeta' end, status = 'won', version = 9
  where owner_user_id = ${person('Sam')}`;
const others = (
  where: string,
) => `update ws_acme.deals set name = 'Zeta', amount = 5, status = 'won',
  closes_on = '2020-01-01', company_id = null, version = 9 where ${where}`;

/** Changes to all rows that this person may not see, and only to those. */
const HIDDEN: Partial<Record<PersonName, readonly string[]>> = {
  rob: [
    ...MORE,
    ITEMS,
    `update ws_acme.deals set secret = 'changed ' || id`,
    `update ws_acme.companies set revenue = coalesce(revenue, 0) + 7777`,
    others(`owner_user_id <> ${person('Rob')}`),
    `delete from ws_acme.deals where owner_user_id = ${person('Sam')} and rank is null`,
  ],
  mia: [
    ...MORE,
    ITEMS,
    others(`owner_user_id = ${person('Sam')}`),
    `delete from ws_acme.deals where owner_user_id = ${person('Sam')} and rank is null`,
  ],
};

type Operation = Readonly<Record<string, unknown>>;

const TEXTS = [
  ...NAMES.flatMap((name) => OWNERS.map((owner) => `${name} ${owner}`)),
  'Zeta',
  'New',
];
const NOWHERE = '01a1fd00-0000-7000-8000-000000000000';

function operations(ids: readonly string[]): fc.Arbitrary<Operation> {
  // Deals that others refer to come first; most operations are about them.
  const id = fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(...ids.slice(0, 40)) },
    { weight: 1, arbitrary: fc.constantFrom(...ids, NOWHERE) },
  );
  const values: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
    name: fc.constantFrom(...TEXTS),
    amount: fc.constantFrom<unknown>(0, 5, 10, 20, 'bad'),
    closes_on: fc.constantFrom('2026-01-01', '2026-02-01', '2020-01-01'),
    company_id: fc.oneof(id, fc.constant('bad')),
    related_id: id,
    rank: fc.constantFrom(1, 2, 3, 4),
    code: fc.constantFrom('rob', 'sam', 'new'),
    secret: fc.constantFrom('s0', 's1'),
    status: fc.constantFrom('open', 'won'),
    id,
    nope: fc.constant(1),
  };
  const some = (keys: readonly string[], minLength: number, maxLength: number) =>
    fc
      .uniqueArray(fc.constantFrom(...keys), { minLength, maxLength })
      .chain((chosen) =>
        fc.record(
          Object.fromEntries(chosen.map((key) => [key, values[key] as fc.Arbitrary<unknown>])),
        ),
      );
  // Most keys are some that everybody may write, else most requests would end before they are looked at.
  const written = ['name', 'amount', 'closes_on', 'company_id', 'related_id', 'rank'];
  const all = [...written, ...written, ...Object.keys(values)];
  const match = some([...new Set(['name', 'name', 'amount', ...written])], 1, 3);
  const fields = fc.oneof(some(written, 0, 3), some([...new Set(all)], 0, 3));
  const association_id = fc.constantFrom('ref.company_id', 'ref.related_id', 'link.peers');
  const operation = (action: string, parts: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
    fc.record({ action: fc.constant(action), ...parts });
  const target = fc.constant('deals');
  return fc.oneof(
    { weight: 5, arbitrary: operation('upsert', { target, match, fields }) },
    { weight: 2, arbitrary: operation('create', { fields }) },
    { weight: 3, arbitrary: operation('update', { id, fields }) },
    { weight: 4, arbitrary: operation('delete', { id }) },
    {
      weight: 1,
      arbitrary: operation('status', { id, status_id: fc.constantFrom('won', 'lost') }),
    },
    { weight: 2, arbitrary: operation('link', { id, association_id, target_id: id }) },
    { weight: 1, arbitrary: operation('unlink', { id, association_id, target_id: id }) },
  );
}

/** Work items are matched by their type as well, and form trees. */
function itemRequests(ids: readonly string[]): fc.Arbitrary<Sent> {
  const title = fc.constantFrom(...NAMES, 'Zeta', 'Below');
  const id = fc.constantFrom(...ids.slice(-3 * NAMES.length));
  const parent = fc.oneof(fc.constant({}), fc.record({ parent_work_item_id: id }));
  const target = fc.constantFrom('task', 'work_items');
  const match = fc.record({ title });
  const operation = fc.oneof(
    fc.record({ action: fc.constant('upsert'), target, match, fields: parent }),
    fc.record({ action: fc.constant('update'), id, fields: parent }),
    fc.record({ action: fc.constant('delete'), id }),
  );
  return fc.array(operation, { minLength: 1, maxLength: 2 }).map((list): Sent => {
    const body = { operations: list };
    return { method: 'POST', path: '/objects/work_items/records/batch', body };
  });
}

/** Batches, single writes, and comments. */
function requests(ids: readonly string[]): fc.Arbitrary<Sent> {
  const path = '/objects/deals/records';
  const batch = fc
    .array(operations(ids), { minLength: 1, maxLength: 3 })
    .map((list): Sent => ({ method: 'POST', path: `${path}/batch`, body: { operations: list } }));
  const single = operations(ids).map(({ action, id, fields, ...rest }): Sent => {
    if (action === 'create') return { method: 'POST', path, body: { fields } };
    if (action === 'update') return { method: 'PATCH', path: `${path}/${id}`, body: { fields } };
    if (action === 'delete') return { method: 'DELETE', path: `${path}/${id}` };
    if (action === 'upsert') {
      const operation = { action, fields, ...rest };
      return { method: 'POST', path: `${path}/batch`, body: { operations: [operation] } };
    }
    return { method: 'POST', path: `${path}/${id}/comments`, body: { body: String(action) } };
  });
  return fc.oneof(
    { weight: 4, arbitrary: single },
    { weight: 2, arbitrary: batch },
    { weight: 1, arbitrary: itemRequests(ids) },
  );
}

/** Merges, some of which are undone: of deals that are in sight, and of others. */
function merges(deals: readonly string[]): fc.Arbitrary<Sent> {
  const place = (id: string) => `/objects/deals/records/${id}`;
  const taken = fc.constantFrom(
    'name',
    'name',
    'amount',
    'company_id',
    'related_id',
    'rank',
    'secret',
  );
  const version = fc.constantFrom(1, 1, 1, 1, 2, 3);
  const merge = fc
    .uniqueArray(fc.constantFrom(...deals, NOWHERE), { minLength: 2, maxLength: 3 })
    .chain(([id, ...others]) =>
      fc.record({
        method: fc.constant('POST' as const),
        path: fc.constant(`${place(String(id))}/merge`),
        body: fc.record({
          from: fc.tuple(
            ...others.map((one) =>
              version.map((n) => ({ id: one, expected_version: `${n}-${one.slice(-12)}` })),
            ),
          ),
          take: fc.dictionary(taken, fc.constantFrom(String(id), ...others), { maxKeys: 1 }),
          dry_run: fc.boolean(),
        }),
      }),
    );
  const undone = fc
    .constantFrom(...deals)
    .map((id): Sent => ({ method: 'POST', path: `${place(id)}/unmerge` }));
  return fc.oneof({ weight: 4, arbitrary: merge }, { weight: 1, arbitrary: undone });
}

/** The rows that the person sees in the end. */
const LOOKS: readonly Sent[] = [
  'deals',
  'companies',
  'permits',
  'flags',
  'vaults',
  'work_items',
].map((object) => ({
  method: 'GET',
  path: `/objects/${object}/records?limit=100&fields=name,deal_id,amount,company_id,related_id,secret`,
}));

let frozen: string;
let ids: readonly string[];
const deals: string[] = [];
let seed: World;
const secrets = new Map<PersonName, string>();

beforeAll(async () => {
  seed = await openWorldWith(DOCUMENT);
  ids = await fill(seed);
  const options: KeyOptions = { requestsPerMinute: 100_000_000 };
  for (const name of ['rob', 'mia'] as const) {
    secrets.set(name, (await seed.key(name, options)).secret);
  }
  frozen = await seed.freeze();
});

afterAll(() => seed.database.drop());

/** Ids, versions and cursors of what was made since, and times, are new in each database. */
function normalise(text: string): string {
  const known = new Set(ids);
  const ends = new Set(ids.map((id) => id.slice(-12)));
  return text
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) =>
      known.has(id) ? id : 'new',
    )
    .replaceAll(/"(\d+)-([0-9a-f]{12})\\*"/g, (token, version, end) =>
      ends.has(end) ? token : `"${version}-new"`,
    )
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
    .replaceAll(/next_cursor\\*":\\*"[^"]+"/g, 'next_cursor');
}

function findDifference(name: PersonName): Promise<unknown> {
  // Deletes the remaining deals in the end; some of them are required by others.
  const deletes = ids.map(
    (id): Sent => ({ method: 'DELETE', path: `/objects/deals/records/${id}` }),
  );
  return compare({
    frozen,
    secret: secrets.get(name) as string,
    hidden: HIDDEN[name] ?? [],
    requests: [
      ...fc.sample(merges(deals), { numRuns: 3 * RUNS, seed: 41 }),
      ...deals.map((id): Sent => ({ method: 'GET', path: `/objects/deals/records/${id}` })),
      ...LOOKS,
      ...fc.sample(requests(ids), { numRuns: RUNS, seed: 42 }),
      ...deletes,
      ...LOOKS,
    ],
    normalise,
  });
}

test.each(['rob', 'mia'] as const)('writes of %s reveal nothing that is hidden', async (name) => {
  expect(await findDifference(name)).toBeUndefined();
});

type Lookups = typeof lookups;

const everyone = { user_ids: undefined };

/** Each guard switched off in turn. */
const GUARDS: readonly [string, (real: Lookups) => Partial<Lookups>][] = [
  [
    'reach of matches',
    ({ matchSql }) => ({
      matchSql: (schema, { object, reach }, ...rest) =>
        matchSql(schema, { object, reach: { ...reach, ...everyone } }, ...rest),
    }),
  ],
  [
    'reach of what refers to a record that is deleted',
    ({ referringSql }) => ({
      referringSql: (schema, deleted, { object, reach, fields }) =>
        referringSql(schema, deleted, { object, fields, reach: { ...reach, ...everyone } }),
    }),
  ],
  [
    'objects and fields that refer to a record that is deleted',
    ({ referringSql }) => ({
      referringSql: (schema, deleted, { fields, ...referrers }) => {
        const readable = fields.map((field) => ({ ...field, readable: true }));
        const reach = { ...referrers.reach, ...everyone };
        return referringSql(schema, deleted, { ...referrers, reach, fields: readable });
      },
    }),
  ],
  [
    'reach of references',
    ({ referencesSql }) => ({
      referencesSql: (schema, object, { ids }) =>
        referencesSql(schema, object, { ids, reaches: ids.map(() => null) }),
    }),
  ],
];

describe('the comparison finds the difference of a missing guard', () => {
  test.each(GUARDS)('%s', async (_, replace) => {
    const found = await withExports(lookups, replace, () => findDifference('rob'));
    expect(found).toBeDefined();
  });
});
