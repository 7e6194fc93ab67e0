// The answer an Idempotency-Key stores is foreseen before anything is written. Here every field type, in
// both storages, shows that it is the answer the first request got and the record that is there.

import { beforeAll, describe, expect, test } from 'vitest';
import { useFleet } from './fleet.ts';

const fleet = useFleet();
const { make } = fleet;
const GAUGES = '/objects/gauges/records';

let count = 0;
let company: string;

beforeAll(async () => {
  company = (await make('companies', { name: 'Referred' })).id;
});

/** Write under a key, twice; both answers and the record read afterwards must be the same. */
async function written(method: 'POST' | 'PATCH', path: string, body: unknown) {
  count += 1;
  const headers = { 'idempotency-key': `value-${count}` };
  const first = await fleet.ada.request(method, path, { body, headers });
  expect([200, 201], JSON.stringify(first.body)).toContain(first.status);
  const { data } = first.body;
  // Read in between, so that a replay is compared with the database.
  const read = await fleet.ada.get(`${GAUGES}/${data.id}`);
  expect(read.body.data).toEqual(data);
  const again = await fleet.ada.request(method, path, { body, headers });
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect([again.status, again.body]).toEqual([first.status, first.body]);
  expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
  expect(read.headers.get('etag')).toBe(first.headers.get('etag'));
  return data;
}

/** Values as sent; each in the column and in `custom_fields`. */
const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  text: ['a', '', ' \t ', 'É😀\u202e<script>', "'; drop table x --", '{}', 'null', '\u2028'],
  long_text: ['line\nline\r\n', 'x'.repeat(20_000), ''],
  number: [0, -0, 1.5, 1e-7, 0.1 + 0.2 - 4e-17, 999999999999999, -123456789.012345, 5e-300],
  integer: [0, -0, 2147483647, -2147483648, 1.0],
  currency: [0.01, 12.5, 1e14],
  percent: [0.333333333333333, 100],
  boolean: [true, false],
  date: ['2024-02-29', '0001-01-01', '9999-12-31', '1582-10-10'],
  datetime: [
    '2026-01-01',
    '2026-01-01T12:00:00+05:30',
    '2026-01-01t12:00:00.123000000z',
    '2026-01-01 12:00:00.1Z',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
    '1890-06-06T06:06:06-00:01',
  ],
  select: ['red', 'blue'],
  multi_select: [['red'], ['green', 'red', 'green'], []],
  email: ['Jo.Do@EXAMPLE.org', 'ß@straße.de'],
  phone: ['+49 (0) 30 / 123-45', '030x12'],
  url: ['HTTPS://User:PW@Example.ORG/Path?Q=1#F', 'http://[::1]:8080/'],
};

const JSON_VALUES = [
  '"text"',
  '""',
  '0',
  '-0',
  'false',
  '[]',
  '{}',
  '[null,{"b":1,"a":[2,{"c":null}]}]',
  '{"zz":1,"a":2,"B":3,"":4,"ä":5}',
  '{"__proto__":{"polluted":true},"constructor":1}',
  '{"a":1,"a":2}',
  '{"custom_fields":{"x":1},"id":null}',
  '[1e-7,1E+21,0.1,1.0,5e-324,1.7976931348623157e308]',
  '"\\u2028\\u001f\\ud83d\\ude00\\\\"',
];

describe('every type', () => {
  test.each(Object.entries(VALUES))('%s', async (type, values) => {
    const created = await written('POST', GAUGES, { fields: { label: type } });
    const path = `${GAUGES}/${created.id}`;
    for (const value of values) {
      const fields = { [`p_${type}`]: value, custom_fields: { [`j_${type}`]: value } };
      const made = await written('POST', GAUGES, { fields });
      const updated = await written('PATCH', path, { fields });
      for (const { fields: shown } of [made, updated]) {
        expect(shown.custom_fields[`j_${type}`]).toEqual(shown[`p_${type}`]);
      }
      expect((await written('PATCH', path, { fields })).version).toBe(updated.version);
    }
    const fields = { [`p_${type}`]: null, custom_fields: { [`j_${type}`]: null } };
    const cleared = await written('PATCH', path, { fields });
    expect(cleared.fields[`p_${type}`]).toBeNull();
    expect(cleared.fields.custom_fields[`j_${type}`]).toBeNull();
  });

  test('json', async () => {
    const { id } = await written('POST', GAUGES, { fields: {} });
    for (const value of JSON_VALUES) {
      const body = `{"fields":{"p_json":${value},"custom_fields":{"j_json":${value}}}}`;
      const made = await written('POST', GAUGES, body);
      expect(made.fields.p_json).toEqual(JSON.parse(value === '-0' ? '0' : value));
      expect(made.fields.custom_fields.j_json).toEqual(made.fields.p_json);
      const updated = await written('PATCH', `${GAUGES}/${id}`, body);
      expect(updated.fields.p_json).toEqual(made.fields.p_json);
    }
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    const cleared = await written('PATCH', `${GAUGES}/${id}`, '{"fields":{"p_json":null}}');
    expect(cleared.fields.p_json).toBeNull();
  });

  test('reference, user and owner', async () => {
    const { rob } = fleet.world.users;
    const fields = { p_reference: company.toUpperCase(), p_user: rob, owner_user_id: rob };
    const made = await written('POST', GAUGES, { fields });
    expect(made.fields).toMatchObject({ p_reference: company, p_user: rob, owner_user_id: rob });
    const path = `${GAUGES}/${made.id}`;
    const cleared = { p_reference: null, p_user: null, owner_user_id: null };
    expect((await written('PATCH', path, { fields: cleared })).owner_user_id).toBeNull();
    await written('PATCH', path, { fields });
  });
});

describe('the record around the values', () => {
  test('defaults of both storages, and what replaces them', async () => {
    const preset = await written('POST', GAUGES, { fields: {} });
    expect(preset.fields).toMatchObject({
      p_preset: '2026-01-01T00:00:00.000Z',
      custom_fields: { j_preset: ['red'] },
    });
    const fields = { p_preset: null, custom_fields: { j_preset: [] } };
    const empty = await written('POST', GAUGES, { fields });
    expect([empty.fields.p_preset, empty.fields.custom_fields.j_preset]).toEqual([null, null]);
  });

  test('custom_fields are merged key by key', async () => {
    const custom = (values: object) => ({ fields: { custom_fields: values } });
    const { id } = await written('POST', GAUGES, custom({ j_text: 'a', j_number: 1 }));
    const path = `${GAUGES}/${id}`;
    await written('PATCH', path, custom({ j_boolean: false }));
    await written('PATCH', path, custom({ j_text: null, j_date: '2026-02-02' }));
    const { fields } = await written('PATCH', path, custom({}));
    expect(fields.custom_fields).toMatchObject({
      ...{ j_text: null, j_number: 1, j_boolean: false, j_date: '2026-02-02' },
    });
  });

  test('a change of status, a link, and changes without a difference', async () => {
    const deal = await make('deals', { name: 'Moved', tags: ['hot', 'new'], amount: 0.1 });
    const path = `/objects/deals/records/${deal.id}`;
    const twice = async (to: string, body: unknown) => {
      count += 1;
      const headers = { 'idempotency-key': `value-${count}` };
      const first = await fleet.ada.post(to, body, headers);
      const read = await fleet.ada.get(path);
      const again = await fleet.ada.post(to, body, headers);
      expect([again.status, again.body]).toEqual([first.status, first.body]);
      return [first.body.data, read.body.data];
    };
    const [moved, read] = await twice(`${path}/status`, { status_id: 'lost' });
    expect(moved).toEqual(read);
    const linking = { target_id: company.toUpperCase() };
    for (const _ of ['linked', 'linked already']) {
      const [linked] = await twice(`${path}/relationships/ref.company_id`, linking);
      expect(linked).toEqual({
        id: deal.id,
        association_id: 'ref.company_id',
        target_id: company,
        linked: true,
        version: expect.any(String),
      });
    }
  });

  test('a batch of all actions', async () => {
    const [one, two, three, four] = await Promise.all(
      ['1', '2', '3', '4'].map(async (name) => (await make('deals', { name })).id),
    );
    const link = { association_id: 'link.deal_agency', target_id: company };
    const body = {
      operations: [
        { action: 'create', fields: { name: 'Batched' } },
        { action: 'update', id: one, fields: { amount: 1 } },
        { action: 'status', id: two, status_id: 'won' },
        { action: 'delete', id: three },
        { action: 'upsert', target: 'deals', match: { code: 'BATCHED' }, fields: { name: 'x' } },
        { action: 'upsert', target: 'deals', match: { name: '4' }, fields: { name: '4' } },
      ],
    };
    const headers = { 'idempotency-key': 'batch-of-all' };
    const path = '/objects/deals/records/batch';
    const first = await fleet.ada.post(path, body, headers);
    expect(first.status, JSON.stringify(first.body)).toBe(200);
    const again = await fleet.ada.post(path, body, headers);
    expect(again.body).toEqual(first.body);
    for (const action of ['link', 'link', 'unlink', 'unlink']) {
      count += 1;
      const key = { 'idempotency-key': `value-${count}` };
      const linking = { operations: [{ action, id: four, ...link }] };
      const linked = await fleet.ada.post(path, linking, key);
      expect(linked.status, JSON.stringify(linked.body)).toBe(200);
      expect((await fleet.ada.post(path, linking, key)).body).toEqual(linked.body);
      const read = await fleet.ada.get(`/objects/deals/records/${four}`);
      expect(linked.body.data.results[0].version).toBe(read.body.data.version);
    }
  });
});
