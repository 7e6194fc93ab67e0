// A large definition of one workspace does not delay the clients of another: the work is done in short turns of the
// event loop. Their processor time is compared with that of all, so that no speed of a machine decides (D148).

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/limits.ts';
import { mergePatch } from '../../src/model/definition/definition.ts';
import type { Client } from '../client.ts';
import { measureTurns } from '../turns.ts';
import { ACME, openWorld, type World } from '../world.ts';

let world: World;
let ada: Client;
let guest: Client;

beforeAll(async () => {
  world = await openWorld();
  ada = await world.as('ada');
  guest = await world.as('gus@globex.example', { workspace: 'globex' });
  // The first document of a process compiles its schema.
  await ada.post('/definition/plan', { patch: ACME });
});
afterAll(() => world?.close());

const TYPES = ['text', 'number', 'date', 'boolean', 'long_text', 'integer'];
const fieldsOf = (count: number, fieldOf: (at: number) => object) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, fieldOf(at)]));
const objectsOf = (count: number, fields: object) => ({
  objects: Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `thing_${at}`,
      { name: `Things ${at}`, singular_name: 'Thing', fields },
    ]),
  ),
});
const typed = (at: number) => ({ type: TYPES[at % TYPES.length], storage: 'jsonb' });
const patterned = (at: number) => ({ type: 'text', pattern: `^(a|b)K.{1,60}x{1,30}${at}$` });

/** The share of the processor time that the longest turn has: the least of three times, as others run too. */
async function longestShare(work: (time: number) => Promise<void>): Promise<number> {
  const shares: number[] = [];
  for (const time of [0, 1, 2]) {
    const { longest, total } = await measureTurns(() => work(time));
    shares.push(longest / total);
  }
  return Math.min(...shares);
}

async function untilDone<Result>(work: Promise<Result>, ask: () => Promise<unknown>) {
  let isDone = false;
  let asked = 0;
  const done = work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await ask();
    asked += 1;
  }
  return { result: await done, asked };
}

describe('while a plan is made', () => {
  test.each([
    ['many fields', objectsOf(20, fieldsOf(500, typed)), 20],
    ['many objects', objectsOf(900, fieldsOf(8, typed)), 900],
    ['patterns that are costly together', objectsOf(1, fieldsOf(300, patterned)), 0],
  ] as const)('%s: others are answered', async (_, patch, changes) => {
    const plan = () => ada.post('/definition/plan', { patch: mergePatch(ACME, patch) });
    const share = await longestShare(async () => {
      const { result, asked } = await untilDone(plan(), () => guest.get('/me'));
      expect(result.status).toBe(200);
      expect(result.body.data.changes).toHaveLength(changes);
      expect(asked).toBeGreaterThan(4);
    });
    expect(share).toBeLessThan(0.2);
  });
});

test('a list of revisions shows the first changes of each', async () => {
  const roles = Object.fromEntries(
    Array.from({ length: LIMITS.changesOfRevision + 1 }, (_, at) => [`role_${at}`, {}]),
  );
  await world.apply(mergePatch(ACME, { roles }));
  const { data } = (await ada.get('/definition/revisions?limit=2')).body;
  const [last, before] = data;
  const count = (before.changes?.length ?? 0) + before.more_changes;
  expect(count).toBe(
    (await ada.get(`/definition/revisions/${before.revision}`)).body.data.changes.length,
  );
  expect(last.changes).toHaveLength(LIMITS.changesOfRevision);
  const { changes } = (await ada.get(`/definition/revisions/${last.revision}`)).body.data;
  expect(changes).toHaveLength(LIMITS.changesOfRevision + last.more_changes);
  expect(changes.slice(0, LIMITS.changesOfRevision)).toEqual(last.changes);
});

test('results of a large definition are made in short turns too', async () => {
  await world.apply(mergePatch(ACME, objectsOf(20, fieldsOf(500, typed))));
  const paths = ['/me', '/definition', '/definition?form=patch', '/definition/revisions/2'];
  for (const path of paths) expect((await ada.get(path)).status).toBe(200);
  const changed = await longestShare(async (time) => {
    expect((await ada.post('/roles', { key: `clerk_${time}` })).status).toBe(201);
  });
  expect(changed).toBeLessThan(0.08);
  const printed = await longestShare(async (time) => {
    // Each has rights of its own, so that no cache has them yet.
    const scopes = ['records:read', ['users:read', 'comments:read', 'audit:read'][time] as string];
    const client = await world.as('ada', { scopes });
    expect((await client.get('/openapi.json?workspace=true')).status).toBe(200);
  });
  expect(printed).toBeLessThan(0.35);
});

test('a document has at most so many characters', async () => {
  const most = LIMITS.definitionCharacters;
  const empty = JSON.stringify({ description: '' }).length;
  const problemsOf = async (length: number) => {
    const patch = { description: 'x'.repeat(length - empty) };
    const { body } = await ada.post('/definition/plan', { patch });
    return body.data.problems;
  };
  expect(await problemsOf(most)).toMatchObject([{ path: 'description' }]);
  const message = `must not be longer than ${most} characters`;
  expect(await problemsOf(most + 1)).toEqual([{ path: '', message }]);
});
