// The OpenAPI document of a workspace: its readers, that it matches the requests and answers of each caller, and that
// it omits everything that the caller may not see.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { SCOPES } from '../../src/model/rights/access.ts';
import type { FieldType } from '../../src/model/values/field-types.ts';
import { expectNoCanary } from '../access/canary.ts';
import { call } from '../http-client.ts';
import { ACCEPTED } from '../sample-values.ts';
import { openWorldWith, type World } from '../world.ts';
import { DOCUMENT, HIDDEN } from './openapi-definition.ts';
import { type ContractCheck, checkContract } from './workspace-contract.ts';

const path = '/v1/openapi.json?workspace=true';

let world: World;
/** By name; `reader` is Ada with a key that may only read. */
let checked: Readonly<Record<'ada' | 'mia' | 'rob' | 'bea' | 'reader', ContractCheck>>;

beforeAll(async () => {
  world = await openWorldWith(DOCUMENT);
  const of = async (name: string, scopes: readonly string[] = SCOPES) =>
    checkContract(await world.as(name, { scopes }));
  checked = {
    ...{ ada: await of('ada'), mia: await of('mia'), rob: await of('rob'), bea: await of('bea') },
    reader: await of('ada', ['records:read']),
  };
});
afterAll(() => world?.close());

test('with the query it needs a key, without it none, and other parameters are refused', async () => {
  const { port } = world;
  const { secret: key } = await world.key('ada', { requestsPerMinute: 3 });
  const { secret: narrow } = await world.key('ada', { scopes: ['users:read'] });
  // An example in it has an address of acme, which `call` would refuse without a key of acme.
  const open = await (await fetch(`http://127.0.0.1:${port}/v1/openapi.json`)).text();
  expectNoCanary(key, open);
  expect((await call(port, '/v1/openapi.json', { key })).text).toBe(open);
  const codeOf = async (at: string, sent: { readonly key?: string } = {}) => {
    const { status, json, headers } = await call(port, at, sent);
    return [status, json.error?.code, json.error?.param, headers['ratelimit-remaining']];
  };
  expect(await codeOf(path)).toEqual([401, 'missing_api_key', undefined, undefined]);
  expect((await codeOf(path, { key: narrow })).slice(0, 2)).toEqual([403, 'insufficient_scope']);
  for (const query of ['workspace=false', 'workspace=true&x=1']) {
    const [status, code] = await codeOf(`/v1/openapi.json?${query}`, { key });
    expect([status, code]).toEqual([400, 'validation_failed']);
  }
  const answer = await call(port, path, { key });
  expect([answer.status, answer.headers['ratelimit-remaining']]).toEqual([200, '0']);
  expect(answer.headers['cache-control']).toBe('no-store');
  expect((await codeOf(path, { key })).slice(0, 2)).toEqual([429, 'rate_limited']);
});

test('the ETag is that of the rights and the definition', async () => {
  const { client } = checked.ada;
  const tagOf = async (of: ContractCheck) => {
    const { headers } = await of.client.get('/openapi.json?workspace=true');
    return headers.get('etag') ?? '';
  };
  const tag = await tagOf(checked.ada);
  expect(await tagOf(await checkContract(await world.as('ada')))).toBe(tag);
  const others = await Promise.all(
    [checked.mia, checked.rob, checked.bea, checked.reader].map(tagOf),
  );
  expect(new Set([tag, ...others]).size).toBe(5);
  const known = { 'if-none-match': tag };
  const again = await client.get('/openapi.json?workspace=true', known);
  expect([again.status, again.body]).toEqual([304, undefined]);
  const headers = { 'accept-encoding': 'gzip' };
  const head = await call(world.port, path, { method: 'HEAD', key: client.secret, headers });
  expect([head.status, head.text, head.headers.etag]).toEqual([200, '', tag]);
});

const SCALARS = Object.entries(ACCEPTED).filter(
  ([type]) => !['reference', 'user', 'file'].includes(type),
);
/** Of select and multi_select the sample has other options than the values. */
const WRITTEN = SCALARS.filter(([type]) => !type.endsWith('select'));
const MOST = Math.max(...WRITTEN.map(([, values]) => values.length));

/** Values that the service takes although the document says less: `''` for null, dates for times. */
function isLax(type: FieldType, given: unknown): boolean {
  return given === '' || (type === 'datetime' && !/^\d{4}-\d{2}-\d{2}T.*[Z+-]/.test(String(given)));
}

test('every value that is taken is answered as the document says', async () => {
  const { ada } = checked;
  for (let index = 0; index < MOST; index += 1) {
    const fields: Record<string, unknown> = { name: `Gadget ${index}` };
    const custom: Record<string, unknown> = {};
    for (const [type, values] of WRITTEN) {
      const [given] = values[index % values.length] as readonly unknown[];
      if (type === 'long_text' && String(given).length > 1000) continue;
      fields[`a_${type}`] = given;
      custom[`x_${type}`] = given;
    }
    const body = { fields: { ...fields, custom_fields: custom } };
    const { status, body: made } = await ada.client.post('/objects/gadgets/records', body);
    expect(status, JSON.stringify(made)).toBe(201);
    await ada.send('GET', `/objects/gadgets/records/${made.data.id}`);
  }
  for (const [type, values] of WRITTEN) {
    for (const [given] of values) {
      const isTaken = ada.takes('POST', '/objects/gadgets/records', {
        fields: { name: 'x', [`a_${type}`]: given },
      });
      if (!isLax(type as FieldType, given))
        expect(isTaken, `${type} ${given}`.slice(0, 200)).toBe(true);
    }
  }
});

/** The document of this caller for every kind of request that succeeds. */
async function work({ send, takes, document }: ContractCheck, type: string, fields: object) {
  const records = `/objects/${type}/records`;
  const has = (method: string, at: string) => document.paths[records + at]?.[method] !== undefined;
  const listed = await send('GET', `${records}?limit=5`);
  const sort = [{ field: 'created_at', direction: 'desc' }];
  const filters = { created_at: { gt: '2020-01-01' }, id: { is_null: false } };
  if (has('post', '/search')) await send('POST', `${records}/search`, { sort, filters });
  const metrics = [{ name: 'n', op: 'count' }];
  await send('POST', `${records}/aggregate`, { metrics, group_by: ['created_at'], filters });
  if (!has('post', '')) expect(takes('POST', records, { fields })).toBeUndefined();
  const made = has('post', '') ? await send('POST', records, { fields }) : undefined;
  if (made !== undefined) expect(made.status, JSON.stringify(made.body)).toBe(201);
  const { id } = made?.body.data ?? listed.body.data[0];
  const keys = Object.keys((await send('GET', `${records}/${id}`)).body.data.fields);
  await send('GET', `${records}?fields=${keys.slice(0, 20)}`);
  const { body } = await send('GET', `${records}/${id}/relationships`);
  for (const { id: one } of body.data) await send('GET', `${records}/${id}/relationships/${one}`);
  if (has('patch', '/{record_id}')) await send('PATCH', `${records}/${id}`, { fields });
  if (has('post', '/batch')) {
    const operations = [
      ...(has('post', '') ? [{ action: 'create', fields }] : []),
      ...(has('patch', '/{record_id}') ? [{ action: 'update', id, fields }] : []),
    ];
    await send('POST', `${records}/batch`, { operations });
  }
  if (has('delete', '/{record_id}')) await send('DELETE', `${records}/${id}`);
}

test('requests and answers match the document', async () => {
  const { ada, mia, rob, bea, reader } = checked;
  const company = (await ada.client.get('/objects/companies/records?limit=1')).body.data[0]?.id;
  const made = await ada.send('POST', '/objects/companies/records', { fields: { name: 'Acme' } });
  const company_id = company ?? made.body.data.id;
  const task = { work_item_type_id: 'task', title: 'Do', due_date: '2030-01-01' };
  await work(ada, 'deals', { name: 'A', amount: 1, tags: ['hot'], grade: 'x', company_id });
  await work(ada, 'boats', { name: 'B', company_id });
  await work(ada, 'readings', { value: 1.5 });
  await work(ada, 'gadgets', {
    name: 'G',
    code: 'AB',
    rating: 5,
    custom_fields: { x_level: null },
  });
  await work(ada, 'work_items', task);
  await work(mia, 'deals', { name: 'M', grade: HIDDEN });
  await work(mia, 'companies', { name: 'M' });
  await work(rob, 'deals', { name: 'R', amount: 3, closes_on: null });
  await work(rob, 'boats', { name: 'R', company_id });
  await work(rob, 'work_items', { work_item_type_id: 'task', title: 'R' });
  await work(rob, 'companies', { name: 'R' });
  await work(bea, 'companies', {});
  await work(reader, 'companies', { name: 'x' });
});

test.each([
  ['an unknown field', { name: 'x', nope: 1 }],
  ['a field that may only be read', { name: 'x', code: 'x' }],
  ['a field that nobody writes', { name: 'x', origin: 'x' }],
  ['a hidden field', { name: 'x', secret: 'x' }],
  ['no option', { name: 'x', tags: ['none'] }],
  ['a wrong type', { name: 'x', amount: '1' }],
  ['too little', { name: 'x', amount: -1 }],
  ['nothing that is required', {}],
  ['null where a value is required', { name: null }],
  ['no date', { name: 'x', closes_on: 'tomorrow' }],
])('the document and the service refuse %s', async (_, fields) => {
  const { client, takes } = checked.rob;
  expect(takes('POST', '/objects/deals/records', { fields })).toBe(false);
  const { status } = await client.post('/objects/deals/records', { fields });
  expect([400, 403, 422]).toContain(status);
});

test('parts that are kept from the caller are nowhere in it', () => {
  // An object of the sample has the name of a path of imports.
  const textOf = (name: keyof typeof checked) =>
    JSON.stringify(checked[name].document).replace('/imports/readings', '');
  for (const name of ['ada', 'mia', 'reader'] as const) expect(textOf(name)).toContain(HIDDEN);
  for (const name of ['rob', 'bea'] as const) expect(textOf(name)).not.toContain(HIDDEN);
  // Objects and fields that Rob may not read, and the field by which one refers to another.
  for (const word of ['vaults', 'readings', 'revenue', 'gadgets', 'parts']) {
    expect(textOf('rob')).not.toMatch(new RegExp(`\\b${word}\\b`));
  }
  expect(textOf('rob')).toContain('gadget_id');
  expect(
    Object.keys(checked.bea.document.components.schemas.FieldsOfCompanies.properties),
  ).not.toContain('name');
  const { paths } = checked.reader.document;
  const methods = Object.values<object>(paths).flatMap((item) => Object.keys(item));
  const posts = Object.keys(paths).filter((at) => 'post' in paths[at] && /\/records/.test(at));
  expect(new Set(methods)).toEqual(new Set(['get', 'post']));
  expect(posts.filter((at) => !/(?:search|aggregate|query)$/.test(at))).toEqual([]);
});

test('work items: types that are in use are answered, active ones are taken', () => {
  const { schemas } = checked.ada.document.components;
  const typeIn = (part: string) => schemas[`${part}OfWorkItems`].properties.work_item_type_id.enum;
  expect(typeIn('Fields')).toEqual(['task', 'old', null]);
  expect(typeIn('NewFields')).toEqual(['task']);
  expect(schemas.NewFieldsOfWorkItems.required).toEqual(['title', 'work_item_type_id']);
  expect(schemas.StatusOfWorkItems.enum).toEqual(['open', 'won', 'lost']);
});

test('filters on a status or another select field take its values and no others', async () => {
  const { document, client } = checked.ada;
  const { schemas } = document.components;
  const statuses = schemas.StatusOfDeals.enum;
  const { status } = schemas.FiltersOfDeals.properties;
  expect(status.anyOf[0]).toEqual({ type: 'string', enum: statuses });
  expect(status.anyOf[2].properties.in.items.enum).toEqual(statuses);
  const [one, operators] = schemas.QueryFiltersOfDeals.properties.status.anyOf;
  expect([one.enum, operators.properties.eq.enum]).toEqual([statuses, statuses]);
  for (const operator of Object.keys(operators.properties)) {
    const operand = operator === 'is_null' ? 'true' : statuses[0];
    const answer = await client.get(
      `/objects/deals/records?filter[status][${operator}]=${operand}`,
    );
    expect(answer.status, operator).toBe(200);
  }
  const selects = ['a_select', 'status'].filter(
    (key) => key in schemas.FiltersOfGadgets.properties,
  );
  for (const key of selects) {
    expect(schemas.FiltersOfGadgets.properties[key].anyOf[0].enum.length, key).toBeGreaterThan(0);
  }
  expect(selects).toContain('a_select');
});
