// Values are printed as they were sent: numbers that a double does not keep and times finer than a millisecond are
// refused with their place, sums are exact, and names that a client sends in masses are not repeated.

import { describe, expect, test } from 'vitest';
import { FIELD_TYPE_TRAITS } from '../../src/model/values/field-types.ts';
import { useCast } from './cast.ts';

const cast = useCast();

const BOATS = '/objects/boats/records';
const DEALS = '/objects/deals/records';

async function outcome(path: string, body: string) {
  const { status, body: answer } = await cast.ada.post(path, body);
  return [status, answer.error?.code, answer.error?.param];
}

describe('numbers that a double does not keep', () => {
  const NUMBERS = ['123456789012345.001', '9007199254740993', '1e400', '1e-400', '1'.repeat(1000)];

  test.each(NUMBERS)('%.20s', async (number) => {
    const written = `{"name":"x","amount":${number}}`;
    expect(await outcome(DEALS, `{"fields":${written}}`)).toEqual([
      422,
      'invalid_write',
      'fields.amount',
    ]);
    const batch = `{"operations":[{"action":"create","fields":{"name":"y"}},
      {"action":"create","fields":${written}}]}`;
    expect(await outcome(`${DEALS}/batch`, batch)).toEqual([
      422,
      'invalid_write',
      'operations[1].fields.amount',
    ]);
    const param = 'filters.amount.gte';
    const filters = `{"filters":{"amount":{"gte":${number}}}}`;
    expect(await outcome(`${DEALS}/search`, filters)).toEqual([400, 'invalid_filter', param]);
    const text = `{"filters":{"amount":{"gte":"${number}"}}}`;
    expect(await outcome(`${DEALS}/search`, text)).toEqual([400, 'invalid_filter', param]);
    const listed = await cast.ada.get(`${DEALS}?filter[amount][gte]=${number}`);
    expect([listed.status, listed.body.error.param]).toEqual([400, 'filter[amount][gte]']);
    const limit = `{"limit":10.0000000000000000${number.replace(/\D.*/, '')}}`;
    expect(await outcome(`${DEALS}/search`, limit)).toEqual([400, 'validation_failed', 'limit']);
    const match = `{"operations":[{"action":"upsert","target":"deals","match":{"amount":${number}}}]}`;
    expect(await outcome(`${DEALS}/batch`, match)).toEqual([
      400,
      'invalid_filter',
      'operations[0].match.amount',
    ]);
  });

  test('zeros at the end do not count', async () => {
    const body = '{"fields":{"name":"exact","amount":123456789012345.00000000}}';
    const { status, body: answer } = await cast.ada.post(DEALS, body);
    expect([status, answer.data.fields.amount]).toEqual([201, 123_456_789_012_345]);
  });
});

describe('sums', () => {
  test('are exact, as text where a double is not', async () => {
    for (const [name, amounts] of [
      ['large', [900_719_925_474_099, 9_007_199_254_740.98]],
      ['small', [0.1, 0.2]],
      ['long', [100_000_000_000_000, 0.25]],
    ] as const) {
      for (const amount of amounts) {
        const fields = { name: `sum ${name}`, amount };
        expect((await cast.ada.post(DEALS, { fields })).status).toBe(201);
      }
    }
    const { body } = await cast.ada.post(`${DEALS}/aggregate`, {
      filters: { name: { in: ['sum large', 'sum small', 'sum long'] } },
      group_by: ['name'],
      metrics: ['sum', 'min', 'max', 'avg'].map((op) => ({ name: op, op, field: 'amount' })),
    });
    expect(body.data).toMatchObject([
      { name: 'sum large', sum: '909727124728839.98', max: 900_719_925_474_099 },
      { name: 'sum long', sum: 100_000_000_000_000.25, min: 0.25 },
      { name: 'sum small', sum: 0.3, avg: 0.15 },
    ]);
  });
});

describe('times finer than a millisecond', () => {
  const FINE = '2026-11-22T10:00:00.123001Z';

  test('are refused as bounds', async () => {
    const filters = `{"filters":{"created_at":{"gte":"${FINE}"}}}`;
    expect(await outcome(`${BOATS}/search`, filters)).toEqual([
      400,
      'invalid_filter',
      'filters.created_at.gte',
    ]);
    const { status, body: answer } = await cast.ada.get(`${BOATS}?filter[created_at][lt]=${FINE}`);
    expect([status, answer.error.param]).toEqual([400, 'filter[created_at][lt]']);
    expect(answer.error.message).toContain('finer than a millisecond');
    const zeros = await cast.ada.get(`${BOATS}?filter[created_at][lt]=${FINE.replace('1Z', '0Z')}`);
    expect(zeros.status).toBe(200);
    const written = FIELD_TYPE_TRAITS.datetime.parse(FINE, {});
    expect(written).toEqual({ problem: 'must not be finer than a millisecond' });
  });
});

describe('names sent in masses', () => {
  const LONG = 'n'.repeat(60_000);

  async function answerTo(path: string, body: unknown) {
    const answer = await cast.ada.post(path, body);
    return { ...answer, size: JSON.stringify(answer.body).length };
  }

  test('unknown fields: the first ten, 100 characters each, and how many more', async () => {
    const fields = Object.fromEntries(Array.from({ length: 15 }, (_, at) => [`${LONG}${at}`, at]));
    const { status, body, size } = await answerTo(DEALS, { fields });
    expect([status, body.error.code]).toEqual([400, 'invalid_filter']);
    expect(body.error.details.errors).toHaveLength(11);
    expect(body.error.details.errors[10].message).toContain('5 more');
    expect(body.error.param).toBe(`fields.${'n'.repeat(99)}…`);
    expect(size).toBeLessThan(10_000);
  });

  test('a batch: a hundred problems, and how many more', async () => {
    const fields = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`${at}`, at]));
    const operations = Array.from({ length: 100 }, () => ({ action: 'create', fields }));
    const { status, body, size } = await answerTo(`${DEALS}/batch`, { operations });
    expect([status, body.error.code]).toEqual([400, 'invalid_filter']);
    expect(body.error.details).toMatchObject({ more_errors: 1000 });
    expect(size).toBeLessThan(30_000);
  });

  test('properties, match keys and names of filters', async () => {
    const match = { [LONG]: 1 };
    const upsert = { operations: [{ action: 'upsert', target: 'deals', match }] };
    const filters = { filters: { [LONG]: { eq: 1 }, [`${LONG}2`]: 1 } };
    const metrics = { metrics: [{ name: 'a', op: 'sum', field: LONG }], group_by: [LONG] };
    for (const [path, body] of [
      [DEALS, { fields: {}, [LONG]: 1 }],
      [`${DEALS}/batch`, upsert],
      [`${DEALS}/search`, filters],
      [`${DEALS}/search`, { fields: [LONG], sort: [{ field: LONG }] }],
      [`${DEALS}/aggregate`, metrics],
      [`${DEALS}/search`, { ...Object.fromEntries(Array(15).entries()), [LONG]: 1 }],
    ] as const) {
      const { status, size } = await answerTo(path, body);
      expect(status).toBe(400);
      expect(size).toBeLessThan(2500);
    }
  });
});
