// Records that a caller may not see must not show: two databases that differ only in those answer any read alike,
// byte for byte. The same comparison with a guard switched off must find a difference, or it would prove nothing.

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as access from '../../src/model/rights/access.ts';
import { WHERE_OPERATORS } from '../../src/model/values/field-type.ts';
import { withExports } from '../replaced-exports.ts';
import { timesOf } from '../until.ts';
import { type KeyOptions, openWorldWith, type PersonName, type World } from '../world.ts';
import { WITH_QUOTES } from './quotes.ts';
import { findDifference as compare, type Sent } from './twins.ts';

const RUNS = timesOf(400);

const NAMES = ['Alpha', 'Beta', 'Gamma', 'Delta', 'Omega'];

/** Deals of every owner and companies, the same in every copy. */
async function fill(world: World): Promise<readonly string[]> {
  const ada = await world.as('ada');
  const ids: string[] = [];
  const create = async (object: string, fields: object) => {
    const { body } = await ada.post(`/objects/${object}/records`, { fields });
    ids.push(body.data.id);
    return body.data.id as string;
  };
  for (const [index, name] of NAMES.entries()) {
    const company = await create('companies', { name, revenue: index * 100, tier: 'gold' });
    for (const fields of [{ revenue: 1 }, { tier: 'silver' }, { revenue: 2, tier: 'gold' }]) {
      await ada.patch(`/objects/companies/records/${company}`, { fields });
    }
    for (const owner of ['rob', 'rae', 'sam'] as const) {
      const deal = await create('deals', {
        name: `${name} ${owner}`,
        amount: index * 10,
        secret: `s${index}`,
        company_id: company,
        owner_user_id: world.users[owner],
        closes_on: `2026-0${index + 1}-01`,
      });
      // Deals of Sam are deleted, which clears what refers to them.
      if (owner !== 'sam') await create('quotes', { name: `Quote ${name}`, deal_id: deal });
    }
    await ada.post('/objects/readings/records', { fields: { value: index } });
  }
  return ids;
}

/** Changes to all rows that this person may not see, and only to those. */
const HIDDEN: Partial<Record<PersonName, readonly string[]>> = {
  rob: [
    `update ws_acme.deals set secret = 'changed ' || id`,
    `update ws_acme.companies set revenue = coalesce(revenue, 0) + 7777`,
    `update ws_acme.deals set name = 'Zeta', amount = 5, status = 'won', closes_on = '2020-01-01',
      version = 9 where owner_user_id <> (select id from ws_acme._users where name = 'Rob')`,
    `delete from ws_acme.deals where owner_user_id = (select id from ws_acme._users where name = 'Sam')
      and amount > 4`,
    'delete from ws_acme.readings',
    `update ws_acme._history set old_values = '{"revenue": 8888}', new_values = '{"revenue": 9999}'
      where fields = '{revenue}'`,
    `insert into ws_acme._history select table_name, record_id, revision + 100, definition, at, action, user_id,
      source, '{revenue}', '{"revenue": 1}', '{"revenue": 7777}' from ws_acme._history where fields = '{tier}'`,
  ],
  mia: [
    `update ws_acme.deals set name = 'Zeta', amount = 5, status = 'lost'
      where owner_user_id = (select id from ws_acme._users where name = 'Sam')`,
    'delete from ws_acme.readings',
  ],
  bea: [`update ws_acme.companies set name = 'Hidden ' || id`, 'delete from ws_acme.deals'],
};

const KEYS = [
  'name',
  'amount',
  'secret',
  'status',
  'owner_user_id',
  'closes_on',
  'revenue',
  'tier',
  'id',
  'created_at',
  'company_id',
  'value',
  'nope',
  'note',
  'custom_fields',
  'deal_id',
];
const PATHS = ['company_id', 'deal_id', 'owner_user_id', 'tier', 'nope'].flatMap((through) =>
  ['name', 'amount', 'revenue', 'secret', 'status', 'owner_user_id', 'nope'].map(
    (key) => `${through}.${key}`,
  ),
);
const SPOKEN = [
  { relative: '-1d' },
  { relative: 'start_of_year' },
  { me: true },
  { my_teams: true },
];
const VALUES = [
  'Alpha rob',
  'Zeta',
  's1',
  'open',
  'won',
  'gold',
  '2026-01-01',
  '',
  'Hidden',
  'a',
  0,
  5,
  10,
  7777,
  1,
  true,
  null,
];

function requests(ids: readonly string[]): fc.Arbitrary<Sent> {
  const key = fc.constantFrom(...KEYS);
  const value = fc.constantFrom<unknown>(...VALUES, ...ids);
  const operator = fc.constantFrom('eq', 'ne', 'lt', 'gte', 'in', 'is_null');
  const object = fc.constantFrom(
    ...['deals', 'deals', 'deals', 'companies', 'companies'],
    ...['boats', 'readings', 'contacts', 'quotes', 'nope'],
  );
  const filters = fc.dictionary(
    key,
    fc.oneof(
      value,
      fc.tuple(operator, value).map(([name, operand]) => ({
        [name]: name === 'in' ? [operand] : name === 'is_null' ? true : operand,
      })),
    ),
    { maxKeys: 2 },
  );
  const text = fc.constantFrom(undefined, undefined, 'a', 'zeta', 'hidden', 'rob');
  const limit = fc.constantFrom(1, 3, 100);
  const fields = fc.uniqueArray(key, { maxLength: 3 });
  const sort = fc.uniqueArray(key, { maxLength: 2 });
  const list = fc.tuple(object, text, fields, sort, limit).map(([type, q, keys, order, size]) => {
    const query = new URLSearchParams({ limit: String(size) });
    if (q !== undefined) query.set('q', q);
    if (keys.length > 0) query.set('fields', keys.join(','));
    if (order.length > 0) query.set('sort', order.join(',-'));
    return { method: 'GET' as const, path: `/objects/${type}/records?${query}` };
  });
  const search = fc
    .record({
      filters,
      query: text,
      fields,
      limit,
      sort: sort.map((keys) => keys.map((field) => ({ field }))),
    })
    .chain((body) => object.map((type) => ({ type, body })))
    .map(({ type, body }) => ({
      method: 'POST' as const,
      path: `/objects/${type}/records/search`,
      body,
    }));
  const metric = fc.tuple(fc.constantFrom('count', 'count_distinct', 'sum', 'min', 'max'), key);
  const aggregate = fc
    .tuple(object, filters, fc.uniqueArray(key, { maxLength: 2 }), metric)
    .map(([type, where, groups, [op, field]]) => ({
      method: 'POST' as const,
      path: `/objects/${type}/records/aggregate`,
      body: {
        filters: where,
        group_by: groups,
        metrics: [
          { name: 'n', op: 'count' },
          { name: 'm', op, field },
        ],
      },
    }));
  const path = fc.oneof(key, fc.constantFrom(...PATHS));
  const expand = fc.uniqueArray(fc.constantFrom('company_id', 'deal_id', 'owner_user_id', 'nope'), {
    maxLength: 2,
  });
  const where = whereOf(path, fc.oneof(value, fc.constantFrom(...SPOKEN)));
  const query = fc
    .record(
      {
        ...{ where, query: text, limit, expand, filters },
        fields: fc.uniqueArray(path, { maxLength: 3 }),
        sort: fc
          .uniqueArray(path, { maxLength: 2 })
          .map((keys) => keys.map((field) => ({ field }))),
        count: fc.constantFrom('none', 'exact'),
      },
      { requiredKeys: [] },
    )
    .chain((body) => object.map((type) => ({ type, body })))
    .chain(({ type, body }) =>
      fc.constantFrom(
        { method: 'POST' as const, path: `/objects/${type}/records/query`, body },
        {
          ...{ method: 'POST' as const, path: '/query' },
          body: { queries: [{ object_type: 'deals' }, { object_type: type, ...body }] },
        },
      ),
    );
  const period = fc
    .tuple(path, fc.constantFrom('month', 'year'))
    .map(([field, by]) => ({ field, by }));
  const grouped = fc
    .tuple(object, where, fc.array(fc.oneof(path, period), { maxLength: 2 }), metric)
    .map(([type, tree, group_by, [op, field]]) => ({
      method: 'POST' as const,
      path: `/objects/${type}/records/aggregate/query`,
      body: { where: tree, group_by, metrics: [{ name: 'm', op, field }] },
    }));
  const expanding = fc.tuple(object, expand, fc.constantFrom(...ids)).chain(([type, keys, id]) => {
    const asked = `expand=${keys.join(',')}`;
    const linked = `/objects/companies/records/${id}/relationships/inv.deals.company_id`;
    return fc
      .constantFrom(
        `/objects/${type}/records?${asked}&fields=deal_id.name,company_id.revenue`,
        `/objects/${type}/records?${asked}`,
        `/objects/deals/records/${id}/relationships/inv.quotes.deal_id?${asked}`,
        `${linked}?${asked}`,
        `/search?q=alpha&${asked}`,
      )
      .map((at) => ({ method: 'GET' as const, path: at }));
  });
  const get = fc.tuple(object, fc.constantFrom(...ids, 'nope'), fields).map(([type, id, keys]) => ({
    method: 'GET' as const,
    path: `/objects/${type}/records/${id}${keys.length > 0 ? `?fields=${keys.join(',')}` : ''}`,
  }));
  // Companies have a history.
  const kept = fc.constantFrom('companies', 'companies', 'companies', 'deals');
  const ofKept = fc.constantFrom('revenue', 'tier', 'name', 'secret');
  const past = fc
    .tuple(kept, fc.constantFrom(...ids, 'nope'), ofKept, fc.integer({ min: 1, max: 5 }))
    .chain(([type, id, field, revision]) => {
      const path = `/objects/${type}/records/${id}`;
      const body = { revision, fields: [field], dry_run: true };
      const asked = ['', '?limit=1', `?field=${field}`].map((query) => ({
        ...{ method: 'GET' as const, path: `${path}/history${query}` },
      }));
      return fc.constantFrom(...asked, { method: 'POST' as const, path: `${path}/restore`, body });
    });
  const other = fc
    .constantFrom(
      '/me',
      '/users',
      '/teams',
      '/objects',
      '/objects/deals',
      '/workflows/pipeline',
      '/search?q=alpha',
      '/search?q=zeta',
      '/search?q=hidden',
    )
    .map((path) => ({ method: 'GET' as const, path }));
  return fc.oneof(
    { weight: 4, arbitrary: list },
    { weight: 4, arbitrary: search },
    { weight: 4, arbitrary: aggregate },
    { weight: 6, arbitrary: query },
    { weight: 3, arbitrary: grouped },
    { weight: 2, arbitrary: expanding },
    { weight: 5, arbitrary: get },
    { weight: 3, arbitrary: past },
    { weight: 1, arbitrary: other },
  );
}

function whereOf(path: fc.Arbitrary<string>, value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const operand = (op: string): fc.Arbitrary<unknown> => {
    if (op === 'is_null') return fc.boolean();
    if (op === 'between') return fc.tuple(value, value);
    return /^(?:in|not_in|has_\w+)$/.test(op)
      ? fc.array(value, { minLength: 1, maxLength: 2 })
      : value;
  };
  const leaf = fc
    .tuple(path, fc.constantFrom(...WHERE_OPERATORS))
    .chain(([field, op]) => operand(op).map((one) => ({ field, op, value: one })));
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 2, depthSize: 'small' },
      leaf,
      fc.record({ any: fc.array(tie('tree'), { minLength: 1, maxLength: 2 }) }),
      fc.record({ not: tie('tree') }),
    ),
  }));
  return tree;
}

let frozen: string;
let ids: readonly string[];
let seed: World;
const secrets = new Map<PersonName, string>();
/** The token of a session of Rob. */
let session: string;

beforeAll(async () => {
  seed = await openWorldWith(WITH_QUOTES);
  ids = await fill(seed);
  const options: KeyOptions = { requestsPerMinute: 100_000_000 };
  for (const person of ['rob', 'mia', 'bea'] as const) {
    secrets.set(person, (await seed.key(person, options)).secret);
  }
  session = (await seed.inSession('rob')).secret;
  frozen = await seed.freeze();
});

afterAll(() => seed.database.drop());

function findDifference(person: PersonName): Promise<unknown> {
  return compare({
    frozen,
    secret: secrets.get(person) as string,
    hidden: HIDDEN[person] ?? [],
    requests: fc.sample(requests(ids), { numRuns: RUNS, seed: 42 }),
  });
}

test.each(['rob', 'mia', 'bea'] as const)('hidden rows do not show to %s', async (person) => {
  expect(await findDifference(person)).toBeUndefined();
});

test('nor in a session', async () => {
  const found = await compare({
    ...{ frozen, secret: session, hidden: HIDDEN.rob ?? [] },
    // The rights are those of the key, which was tried with more. A session has a limit of 1,200 requests in a minute.
    requests: fc.sample(requests(ids), { numRuns: Math.min(timesOf(150), 1000), seed: 43 }),
    // A moment is another one after every request, because requests are counted; it is sealed, and of one length.
    normalise: (text) =>
      text
        .replaceAll(/last_used_at[^,}]*/g, '')
        .replaceAll(/last_event_id\\*":\\*"[\w-]{192}\\*"/g, ''),
  });
  expect(found).toBeUndefined();
});

type AccessModule = typeof access;

/** Each guard switched off in turn, with a person whom it stops. */
const GUARDS: readonly [string, PersonName, (real: AccessModule) => Partial<AccessModule>][] = [
  ['field permission', 'rob', () => ({ canReadField: () => true })],
  ['display permission', 'bea', () => ({ canReadField: () => true })],
  [
    'readable fields of a record',
    'rob',
    ({ objectAccess }) => ({
      objectAccess: (caller, object) => ({
        ...objectAccess(caller, object),
        readable: new Set(object.fields.keys()),
      }),
    }),
  ],
  [
    'reach',
    'mia',
    ({ objectAccess }) => ({
      objectAccess(caller, object) {
        const access = objectAccess(caller, object);
        const read = access.reach.read === null ? null : ('organisation' as const);
        return { ...access, reach: { ...access.reach, read } };
      },
    }),
  ],
  [
    'object permission',
    'bea',
    ({ objectAccess }) => ({
      objectAccess(caller, object) {
        const access = objectAccess(caller, object);
        return { ...access, reach: { ...access.reach, read: access.reach.read ?? 'organisation' } };
      },
      canReadObject: () => true,
    }),
  ],
];

describe('the comparison finds the difference of a missing guard', () => {
  test.each(GUARDS)('%s', async (_, person, replace) => {
    const found = await withExports(access, replace, () => findDifference(person));
    expect(found).toBeDefined();
  });
});
