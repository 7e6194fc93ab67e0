// Time tells nothing either: a record out of reach takes as long as one that is not there.

import http from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, type Request } from '../http-client.ts';
import { openWorld, type World } from '../world.ts';

const ROUNDS = 120;
/** A disturbed machine gets another chance; a real difference is there every time. */
const TRIES = 3;
const DIFFERENCE = 0.3;

let world: World;
let key: string;
let unreadable: string;
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

beforeAll(async () => {
  world = await openWorld();
  key = (await world.key('rob')).secret;
  const sam = await world.as('sam');
  // Neither the first nor the only record there is.
  for (let index = 0; index < 20; index += 1) {
    const { body } = await sam.post('/objects/deals/records', { fields: { name: `Of ${index}` } });
    unreadable = body.data.id;
    await sam.post(`/objects/deals/records/${unreadable}/comments`, { body: 'Said' });
  }
});
afterAll(() => {
  agent.destroy();
  return world?.close();
});

const ABSENT = '01a1fd00-0000-7000-8000-000000000000';

async function timeOf(id: string, { path, ...request }: Request & { readonly path: string }) {
  const started = performance.now();
  const to = `/v1/objects/deals/records/${id}${path}`;
  const answer = await call(world.port, to, { ...request, key, agent });
  expect(answer.json.error.code).toBe('record_not_found');
  return performance.now() - started;
}

const median = (times: readonly number[]) => {
  return [...times].sort((a, b) => a - b)[Math.trunc(times.length / 2)] as number;
};

test.each([
  ['GET', { path: '' }],
  ['PATCH', { path: '', method: 'PATCH', body: { fields: { name: 'x' } } }],
  ['comments', { path: '/comments' }],
  ['a new comment', { path: '/comments', method: 'POST', body: { body: 'x' } }],
])('%s', { timeout: 60_000 }, async (_, request) => {
  const differences: number[] = [];
  for (let tries = 0; tries < TRIES; tries += 1) {
    const times = { unreadable: [] as number[], absent: [] as number[] };
    for (let round = -20; round < ROUNDS; round += 1) {
      const [first, second] = [await timeOf(unreadable, request), await timeOf(ABSENT, request)];
      // The first ones warm up.
      if (round < 0) continue;
      times.unreadable.push(first);
      times.absent.push(second);
    }
    const [a, b] = [median(times.unreadable), median(times.absent)];
    differences.push(Math.abs(a - b) / Math.max(a, b));
    if ((differences.at(-1) as number) < DIFFERENCE) return;
  }
  expect.fail(`the medians differ by ${differences.map((one) => one.toFixed(2)).join(', ')}`);
});
