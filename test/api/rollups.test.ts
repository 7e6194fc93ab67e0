// Rollups over HTTP: their values, the rights that they need, the places that refuse them, and changes of their inputs.

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mergePatch } from '../../src/model/definition/definition.ts';
import { type Client, refusalOf } from '../client.ts';
import { dataIn, useTool } from '../mcp/agents.ts';
import { ACME, openWorldWith, type World } from '../world.ts';

const COMPANIES = '/objects/companies/records';
const OPEN = { field: 'status', op: 'eq', value: 'open' };
const reference = { object_type: 'deals', field: 'company_id' };
const rollup = (op: string, field?: string, ...where: readonly object[]) => ({
  type: 'rollup',
  rollup: { reference, op, ...(field && { field }), ...(where.length > 0 && { where }) },
});
const ROLLUPS = {
  deals: rollup('count'),
  open_deals: rollup('count', undefined, OPEN),
  total: rollup('sum', 'amount'),
  large: rollup('sum', 'amount', { field: 'amount', op: 'gte', value: 50 }, OPEN),
  least: rollup('min', 'amount'),
  latest_close: rollup('max', 'closes_on'),
  last_code: rollup('last', 'code'),
  last_open_close: rollup('last', 'closes_on', OPEN),
  secrets: rollup('count', undefined, { field: 'secret', op: 'eq', value: 'x' }),
  internal: rollup('count'),
};
const DOCUMENT = mergePatch(ACME, {
  objects: {
    companies: { fields: ROLLUPS },
    deals: { fields: { note: { type: 'text', storage: 'jsonb' } } },
  },
  roles: {
    manager: {
      objects: {
        deals: { read: 'organisation', fields: { secret: 'none' } },
        companies: { fields: { internal: 'none' } },
      },
    },
  },
}) as object;

let world: World;
let ada: Client;
beforeAll(async () => {
  world = await openWorldWith(DOCUMENT);
  ada = await world.as('ada');
});
afterAll(() => world?.close());

async function made(type: string, fields: object): Promise<string> {
  const { status, body } = await ada.post(`/objects/${type}/records`, { fields });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data.id;
}

interface Deal {
  readonly amount: number | null;
  readonly closes_on: string | null;
  readonly won: boolean;
}

const deal = fc.record({
  amount: fc.option(fc.constantFrom(0, 49.99, 50, 0.1, 0.2, 12345.67)),
  closes_on: fc.option(fc.constantFrom('2027-01-31', '2026-02-28', '2028-02-29')),
  won: fc.boolean(),
});

/** The rollups in memory; the codes of deals are their numbers. */
function summarized(deals: readonly Deal[], codes: readonly string[]) {
  const open = deals.filter(({ won }) => !won);
  const amounts = (some: readonly Deal[]) => some.flatMap(({ amount }) => amount ?? []);
  const sum = (some: readonly number[]) =>
    some.length === 0 ? null : some.reduce((all, one) => all + Math.round(one * 100), 0) / 100;
  const least = amounts(deals).toSorted((one, other) => one - other);
  return {
    deals: deals.length,
    open_deals: open.length,
    total: sum(amounts(deals)),
    large: sum(amounts(open).filter((amount) => amount >= 50)),
    least: least[0] ?? null,
    latest_close:
      deals
        .flatMap(({ closes_on }) => closes_on ?? [])
        .toSorted()
        .at(-1) ?? null,
    last_code: codes.at(-1) ?? null,
    last_open_close: open.at(-1)?.closes_on ?? null,
  };
}

test('rollups have the values that memory computes, of a page, a question and a record', async () => {
  const random = fc.array(fc.array(deal, { maxLength: 4 }), { minLength: 4, maxLength: 4 });
  const [companies = []] = fc.sample(random, 1);
  const expected = new Map<string, object>();
  for (const [place, deals] of companies.entries()) {
    const id = await made('companies', { name: `Random ${place}`, tier: 'gold' });
    const codes: string[] = [];
    for (const [number, { won, ...fields }] of deals.entries()) {
      const code = `${place}-${number}`;
      const one = await made('deals', { name: code, code, company_id: id, ...fields });
      codes.push(code);
      if (!won) continue;
      const moved = await ada.post(`/objects/deals/records/${one}/status`, { status_id: 'won' });
      expect(moved.status).toBe(200);
    }
    expected.set(id, summarized(deals, codes));
  }
  const keys = Object.keys(summarized([], []));
  const asked = await ada.get(`${COMPANIES}?filter[tier]=gold&fields=${keys.join()}`);
  const body = { fields: keys, where: { field: 'tier', op: 'eq', value: 'gold' } };
  const questioned = await ada.post(`${COMPANIES}/query`, body);
  for (const { status, body } of [asked, questioned]) {
    expect(status, JSON.stringify(body)).toBe(200);
    for (const { id, fields } of body.data) expect(fields).toEqual(expected.get(id));
    expect(body.data.length).toBe(expected.size);
  }
  for (const [id, values] of expected) {
    const { body: read } = await ada.get(`${COMPANIES}/${id}`);
    expect(read.data.fields).toMatchObject(values);
  }
});

test('a rollup is read with all of its inputs only, and only where it is asked for', async () => {
  const id = await made('companies', { name: 'Rights' });
  await made('deals', { name: 'One', company_id: id, secret: 'x' });
  const [mia, rob] = await Promise.all([world.as('mia'), world.as('rob')]);
  const keysOf = async (by: Client) => {
    const { body } = await by.get('/objects/companies?include=appearance');
    const fields = (await by.get(`${COMPANIES}/${id}?fields=name,${Object.keys(ROLLUPS)}`)).body;
    const whole = (await by.get(`${COMPANIES}/${id}`)).body.data.fields;
    const known: readonly string[] = body.data.fields.map(({ key }: { key: string }) => key);
    for (const key of Object.keys(ROLLUPS)) {
      expect(Object.hasOwn(fields.data.fields, key), key).toBe(known.includes(key));
      expect(Object.hasOwn(whole, key), key).toBe(known.includes(key));
    }
    return Object.keys(ROLLUPS).filter((key) => known.includes(key));
  };
  expect(await keysOf(ada)).toEqual(Object.keys(ROLLUPS));
  const hidden = ['secrets', 'internal'];
  expect(await keysOf(mia)).toEqual(Object.keys(ROLLUPS).filter((key) => !hidden.includes(key)));
  expect(await keysOf(rob)).toEqual([]);
  expect((await ada.get(`${COMPANIES}?filter[name]=Rights&fields=name`)).body.data).toMatchObject([
    { fields: { name: 'Rights' } },
  ]);
});

test('agents are told what a rollup is computed from', async () => {
  const { text } = await useTool({ port: world.port, secret: ada.secret }, 'describe', {
    object_type: 'companies',
  });
  const total = ['total', 'currency', 'read-only, sum over deals, not for where or sort'];
  expect(dataIn(text)).toContain(JSON.stringify(total));
});

describe('a rollup cannot be', () => {
  test.each([
    ['filtered', 'filter[total]=1', 'filter[total]'],
    ['sorted', 'sort=total', 'sort'],
  ])('%s', async (_, query, param) => {
    expect(refusalOf(await ada.get(`${COMPANIES}?${query}`))).toEqual([
      400,
      'invalid_filter',
      param,
    ]);
  });
  test('grouped', async () => {
    const body = { group_by: ['total'], metrics: [{ name: 'n', op: 'count' }] };
    const answer = await ada.post(`${COMPANIES}/aggregate`, body);
    expect(refusalOf(answer)[1]).toBe('invalid_filter');
  });
  test('written', async () => {
    const answer = await ada.post(COMPANIES, { fields: { name: 'No', total: 1 } });
    expect(refusalOf(answer)).toEqual([422, 'invalid_write', 'fields.total']);
  });
});

describe('a definition', () => {
  const plan = async (objects: object, workflows: object = {}) => {
    const patch = { objects, workflows };
    return (await ada.post('/definition/plan', { patch, merge: true })).body.data;
  };

  test.each([
    [{ reference: { object_type: 'dealz', field: 'company_id' } }, 'reference.object_type'],
    [{ reference: { object_type: 'deals', field: 'name' } }, 'reference.field'],
    [{ field: 'tags', op: 'sum' }, 'field'],
    [{ field: null, op: 'sum' }, 'field'],
    [{ where: [{ field: 'status', op: 'eq', value: 'gone' }] }, 'where.0'],
    [{ where: [{ field: 'nme', op: 'eq', value: 'x' }] }, 'where.0'],
    [{ where: [{ field: 'note', op: 'eq', value: 'x' }] }, 'where.0'],
  ])('with %j has a problem at its place', async (part, place) => {
    const fields = { total: { rollup: part } };
    const { problems } = await plan({ companies: { fields } });
    expect(problems).toMatchObject([{ path: `objects.companies.fields.total.rollup.${place}` }]);
  });

  test('follows renamed fields and statuses, and changes nothing else', async () => {
    const amount = { ...ACME.objects.deals.fields.amount, renamed_from: 'amount' };
    const { open, lost } = ACME.workflows.pipeline.statuses;
    const statuses = {
      ...{ open: null, new: { ...open, renamed_from: 'open' } },
      lost: { ...lost, transitions: ['new'] },
    };
    const { changes, problems } = await plan(
      { deals: { fields: { amount: null, price: amount } } },
      { pipeline: { initial: 'new', statuses } },
    );
    expect(problems).toEqual([]);
    expect(changes.map(({ action }: { action: string }) => action)).toEqual(['rename', 'rename']);
  });

  test('is renamed as every field', async () => {
    const fields = { total: null, volume: { ...ROLLUPS.total, renamed_from: 'total' } };
    const { changes, problems } = await plan({ companies: { fields } });
    expect(problems).toEqual([]);
    expect(changes).toMatchObject([
      { path: 'objects.companies.fields.volume', action: 'rename', effect: 'none' },
    ]);
  });

  test('does not compare with an option that becomes its label', async () => {
    const size = { type: 'select', options: [{ value: 'l', label: 'Large' }] };
    const few = rollup('count', undefined, { field: 'size', op: 'eq', value: 'l' });
    const objects = { deals: { fields: { size } }, companies: { fields: { least: null, few } } };
    await world.apply(mergePatch(DOCUMENT, { objects }), ['companies.least']);
    const text = { size: { type: 'text', options: null } };
    const { problems } = await plan({ deals: { fields: text } });
    expect(problems).toMatchObject([{ path: 'objects.companies.fields.few.rollup.where' }]);
    const label = { rollup: { where: [{ field: 'size', op: 'eq', value: 'Large' }] } };
    const mended = await plan({
      deals: { fields: text },
      companies: { fields: { few: label } },
    });
    expect(mended.problems).toEqual([]);
    await world.apply(DOCUMENT, ['deals.size', 'companies.few']);
  });

  test('cannot drop an input without its rollups, which are to be named', async () => {
    const deals = { fields: { amount: null } };
    const { problems } = await plan({ deals });
    const paths: readonly string[] = problems.map(({ path }: { path: string }) => path);
    expect(paths).toContain('objects.companies.fields.total.rollup.field');
    const companies = { fields: { total: null, large: null, least: null } };
    const { changes } = await plan({ deals, companies });
    const allowed = changes.flatMap(({ allow }: { allow: string | null }) => allow ?? []);
    expect(allowed.toSorted()).toEqual([
      ...['companies.large', 'companies.least', 'companies.total', 'deals.amount'],
    ]);
  });
});
