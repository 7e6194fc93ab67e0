// One code, recovery code, passkey or challenge that two processes get at once: one of them signs in.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSecretKeys } from '../../src/control/stored/secret-keys.ts';
import { type GivenFactor, signInWithFactor } from '../../src/flow/people/second-step.ts';
import type { Database } from '../../src/postgres/db.ts';
import { openDatabase } from '../../src/postgres/open-server.ts';
import { codeNow, ORIGIN, openFactorWorld } from '../factor-world.ts';
import { timesOf } from '../until.ts';
import { openWorld, type World } from '../world.ts';

const ROUNDS = timesOf(6);

let world: World;
let factor: ReturnType<typeof openFactorWorld>;
let processes: (Database & { close(): Promise<void> })[];

beforeAll(async () => {
  world = await openWorld();
  factor = openFactorWorld(world);
  await factor.setPassword('rob');
  const { connection } = world.database;
  processes = [0, 1].map(() => openDatabase({ connection, poolSize: 4, statementTimeout: 60_000 }));
});
afterAll(async () => {
  for (const one of processes ?? []) await one.close();
  await world?.close();
});

/** The outcomes of requests that two processes judge at once. */
async function race(steps: readonly { challenge: string; given: GivenFactor }[]) {
  const { secretsKeys, secretsKeyFile } = world.config;
  const keys = openSecretKeys({ keys: secretsKeys, file: secretsKeyFile });
  const origin = {
    ...{ address: '192.0.2.1', agent: '', requestId: 'req', tokens: [] },
    ...{ site: { origin: ORIGIN, hostname: 'localhost' }, isHostOf: () => true },
  };
  await factor.forgetAttempts();
  const outcomes = await Promise.allSettled(
    steps.map((step, index) => {
      const db = processes[index % 2] as Database;
      return signInWithFactor({ db, keys, now: Date.now() }, step, origin);
    }),
  );
  return outcomes.map((one) => (one.status === 'fulfilled' ? 'in' : one.reason.code)).sort();
}

const ONE = ['in', 'invalid_credentials', 'invalid_credentials', 'invalid_credentials'];

test('a code, a recovery code and a challenge sign in once', async () => {
  const { cookie } = await factor.byPassword('rob');
  const { secret, recovery_codes } = await factor.setUpCodes(cookie);
  for (let round = 0; round < ROUNDS; round += 1) {
    await factor.forgetStep();
    await factor.forgetAttempts();
    const challenges = [];
    for (const _ of ONE) challenges.push((await factor.challenge('rob')).challenge);
    const code = codeNow(secret);
    expect(await race(challenges.map((challenge) => ({ challenge, given: { code } })))).toEqual(
      ONE,
    );
    const recovery_code = recovery_codes[round % 5] as string;
    if (round < 5) {
      const given = { recovery_code };
      expect(await race(challenges.map((challenge) => ({ challenge, given })))).toEqual(ONE);
    }
  }
  // Different factors for one challenge: those that did not win stay.
  const { challenge } = await factor.challenge('rob');
  const left = recovery_codes.slice(5, 9);
  expect(
    await race(left.map((recovery_code) => ({ challenge, given: { recovery_code } }))),
  ).toEqual(ONE);
  const { data } = (await factor.send('GET', '/me/second_factor', undefined, cookie)).json;
  expect(data.recovery_codes).toBe(10 - Math.min(ROUNDS, 5) - 1);
  await factor.send('DELETE', '/me/second_factor/code', undefined, cookie);
});

test('a counter of an authenticator signs in once', async () => {
  const { cookie } = await factor.byPassword('rob');
  const { device, userHandle } = await factor.addPasskey(cookie);
  for (let round = 1; round <= ROUNDS; round += 1) {
    const steps = [];
    for (const _ of ONE) {
      const challenge = await factor.begin();
      const assertion = device.get(challenge, { origin: ORIGIN, userHandle, counter: round });
      steps.push({ challenge, given: { assertion } as GivenFactor });
    }
    expect(await race(steps)).toEqual(ONE);
  }
});
