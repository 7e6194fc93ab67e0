// Time tells nothing either: a record out of reach takes as long as one that is not there.

import http from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, type Request } from '../http-client.ts';
import { timesOf } from '../until.ts';
import { openWorld, type World } from '../world.ts';

const ROUNDS = 120;
/** Of attempts to sign in, of each kind; more when there is time. */
const ATTEMPTS = timesOf(100);
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

/** Both in turns, until their medians are alike; `round` below 0: they warm up. */
async function expectAlike(
  rounds: number,
  measure: (round: number) => Promise<readonly [number, number]>,
): Promise<void> {
  const differences: number[] = [];
  for (let tries = 0; tries < TRIES; tries += 1) {
    const times: [number[], number[]] = [[], []];
    for (let round = -20; round < rounds; round += 1) {
      const [first, second] = await measure(round);
      if (round < 0) continue;
      times[0].push(first);
      times[1].push(second);
    }
    const [a, b] = [median(times[0]), median(times[1])];
    differences.push(Math.abs(a - b) / Math.max(a, b));
    if ((differences.at(-1) as number) < DIFFERENCE) return;
  }
  expect.fail(`the medians differ by ${differences.map((one) => one.toFixed(2)).join(', ')}`);
}

test.each([
  ['GET', { path: '' }],
  ['PATCH', { path: '', method: 'PATCH', body: { fields: { name: 'x' } } }],
  ['comments', { path: '/comments' }],
  ['a new comment', { path: '/comments', method: 'POST', body: { body: 'x' } }],
])('%s', { timeout: 60_000 }, async (_, request) => {
  await expectAlike(ROUNDS, async () => [
    await timeOf(unreadable, request),
    await timeOf(ABSENT, request),
  ]);
});

// Passwords of this world cost next to nothing: what is left to see is all the rest.
test('signing in as nobody and with a wrong password', { timeout: 600_000 }, async () => {
  const ada = await world.inSession('ada');
  await ada.put('/me/password', { password: 'a password of Ada' });
  const refuse = async (name: string) => {
    const body = { workspace: 'acme', email: `${name}@acme.example`, password: 'not the one' };
    const started = performance.now();
    const answer = await call(world.port, '/v1/sessions', { method: 'POST', body, agent });
    expect(answer.json.error.code).toBe('invalid_credentials');
    return performance.now() - started;
  };
  await expectAlike(ATTEMPTS, async (round) => {
    if (round % 4 === 0)
      await world.database.rows('delete from workspace_records.sign_in_attempts');
    return [await refuse('ada'), await refuse('nobody')];
  });
});
