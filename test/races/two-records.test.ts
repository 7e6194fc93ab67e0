// Two records that must fit, changed by several at once under a lock record as the guide shows it (D152): no change
// is lost or made twice, however slow a client is.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../client.ts';
import { openWorld, type World } from '../world.ts';

const PATH = '/objects/deals/records';
const LOCK = { fields: { code: 'lock', name: 'Lock' } };
const PAIR = {
  filters: { code: { in: ['from', 'to'] } },
  fields: ['amount'],
  sort: [{ field: 'code' }],
};

let world: World;
let ada: Client;

beforeAll(async () => {
  world = await openWorld();
  ada = await world.as('ada');
  for (const [code, amount] of [
    ['from', 100],
    ['to', 0],
  ] as const) {
    await ada.post(PATH, { fields: { name: code, code, amount } });
  }
});
afterAll(() => world?.close());

const amounts = async () => {
  const { data } = (await ada.post(`${PATH}/search`, PAIR)).body;
  return data.map(({ id, fields }: { id: string; fields: { amount: number } }) => {
    return { id, amount: fields.amount };
  });
};

/** Move ten from one to the other under this lock; the status of the batch. */
async function move(lock: string) {
  const [from, to] = await amounts();
  const operations = [
    { action: 'update', id: from.id, fields: { amount: from.amount - 10 } },
    { action: 'update', id: to.id, fields: { amount: to.amount + 10 } },
    { action: 'delete', id: lock },
  ];
  return (await ada.post(`${PATH}/batch`, { operations })).status;
}

test('each move is done once, one after the other', async () => {
  const work = async () => {
    for (;;) {
      const lock = await ada.post(PATH, LOCK);
      if (lock.status === 201) return move(lock.body.data.id);
      expect(lock.status).toBe(409);
    }
  };
  expect(await Promise.all(Array.from({ length: 6 }, work))).toEqual(Array(6).fill(200));
  expect((await amounts()).map(({ amount }: { amount: number }) => amount)).toEqual([40, 60]);
});

test('a client that lost its lock writes nothing', async () => {
  const { id } = (await ada.post(PATH, LOCK)).body.data;
  const before = await amounts();
  expect((await ada.delete(`${PATH}/${id}`)).status).toBe(200);
  const next = (await ada.post(PATH, LOCK)).body.data.id;
  expect(await move(id)).toBe(404);
  expect(await amounts()).toEqual(before);
  expect(await move(next)).toBe(200);
});
