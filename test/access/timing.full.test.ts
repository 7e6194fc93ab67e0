// Response times reveal nothing either: a record out of reach takes as long as a missing one.

import http from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, type Request } from '../http-client.ts';
import { timesOf } from '../until.ts';
import { openWorld, type World } from '../world.ts';
import { differenceOf, figuresOf, noiseOf, trimmed } from './time-figures.ts';

const ROUNDS = 120;
/** Of attempts to sign in, of each kind; more when there is time. */
const ATTEMPTS = timesOf(100);
/** Of each kind, for the means. */
const SAMPLES = Number(process.env.SIGN_IN_SAMPLES ?? 0);
/** Of the means; a row that is read for the one and not for the other is 0.25 ms of 10,000. */
const NOTICEABLE_MS = 0.1;
/** A disturbed machine gets another chance; a real difference is there every time. */
const TRIES = 6;
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
])('%s', async (_, request) => {
  await expectAlike(ROUNDS, async () => [
    await timeOf(unreadable, request),
    await timeOf(ABSENT, request),
  ]);
});

async function timeOfRefusal(name: string): Promise<number> {
  const body = { workspace: 'acme', email: `${name}@acme.example`, password: 'not the one' };
  const started = performance.now();
  const answer = await call(world.port, '/v1/sessions', { method: 'POST', body, agent });
  const took = performance.now() - started;
  expect(answer.json.error.code).toBe('invalid_credentials');
  return took;
}

/** A wrong password and an unknown address. Neither is always the first, nor the first after the deletion. */
async function timesOfRefusals(round: number): Promise<readonly [number, number]> {
  if (round % 4 === 0) await world.database.rows('delete from workspace_records.sign_in_attempts');
  if (Math.trunc(round / 4) % 2 === 0) {
    const known = await timeOfRefusal('ada');
    return [known, await timeOfRefusal('nobody')];
  }
  const unknown = await timeOfRefusal('nobody');
  return [await timeOfRefusal('ada'), unknown];
}

async function givePassword(): Promise<void> {
  const ada = await world.inSession('ada');
  await ada.put('/me/password', { password: 'a password of Ada' });
}

// Passwords of this world cost next to nothing: the differences of all other steps remain visible.
test('signing in as an unknown person and with a wrong password', async () => {
  await givePassword();
  await expectAlike(ATTEMPTS, timesOfRefusals);
});

/** SIGN_IN_SAMPLES=10000: the figures of docs/security.md. */
test.runIf(SAMPLES > 0)('the same by its means', { timeout: 3_600_000 }, async () => {
  await givePassword();
  const times: [number[], number[]] = [[], []];
  for (let round = -80; round < SAMPLES; round += 1) {
    const [known, unknown] = await timesOfRefusals(round);
    if (round < 0) continue;
    times[0].push(known);
    times[1].push(unknown);
  }
  const [known, unknown] = [trimmed(times[0]), trimmed(times[1])];
  const found = differenceOf(known, unknown);
  console.log(
    JSON.stringify(
      {
        known: figuresOf(times[0]),
        unknown: figuresOf(times[1]),
        all: differenceOf(times[0], times[1]),
        withoutSlowest: found,
        noise: [noiseOf(times[0]), noiseOf(times[1])],
      },
      null,
      1,
    ),
  );
  expect(Math.abs(found.difference)).toBeLessThan(Math.max(NOTICEABLE_MS, 4 * found.error));
});
