// Requests of every kind while roles and fields change: each is planned again by the definition that is in force
// then, and none is refused because it met a change.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyDefinition } from '../../src/definitions/apply/apply-definition.ts';
import { isDefinitionChanged } from '../../src/errors.ts';
import { writeRecords } from '../../src/flow/records/write-flow.ts';
import { mergePatch } from '../../src/model/definition/definition.ts';
import type { Answer, Client } from '../client.ts';
import { SAMPLE_DOCUMENT } from '../sample-definition.ts';
import { openSampleWorkspace } from '../sample-workspace.ts';
import { ACME, openWorld, type World } from '../world.ts';
import { PATIENCE } from './racing.ts';

let world: World;
let ada: Client;

beforeAll(async () => {
  world = await openWorld();
  ada = await world.as('ada');
});
afterAll(() => world?.close());

const DEALS = '/objects/deals/records';

async function newDeal(): Promise<string> {
  const { body } = await ada.post(DEALS, { fields: { name: 'n' } });
  return body.data.id;
}

/** The concurrent requests of clients, by the number of the request. */
async function openWork(): Promise<readonly ((index: number) => Promise<Answer>)[]> {
  const [updated, commented, moved] = [await newDeal(), await newDeal(), await newDeal()];
  const named = (index: number) => ({ fields: { name: `n ${index}` } });
  return [
    (index) => ada.post(DEALS, named(index)),
    (index) => ada.post(DEALS, named(index)),
    (index) =>
      ada.post(DEALS, named(index), {
        'idempotency-key': `key ${commented} ${index}`.replaceAll(' ', '-'),
      }),
    (index) => ada.patch(`${DEALS}/${updated}`, named(index)),
    (index) => ada.post(`${DEALS}/batch`, { operations: [{ action: 'create', ...named(index) }] }),
    (index) => ada.post(`${DEALS}/${commented}/comments`, { body: `c ${index}` }),
    (index) =>
      ada.post(`${DEALS}/${moved}/status`, { status_id: index % 2 === 0 ? 'lost' : 'open' }),
    () => ada.get(`${DEALS}?fields=name,extra&limit=5`),
    () => ada.get(`${DEALS}/${updated}`),
    () => ada.post(`${DEALS}/aggregate`, { metrics: [{ name: 'n', op: 'count' }] }),
  ];
}

test(
  'requests that meet a change of the definition are planned again',
  async () => {
    const withExtra = mergePatch(ACME, {
      objects: { deals: { fields: { extra: { type: 'text' } } } },
    });
    await world.apply(withExtra);
    const work = await openWork();
    const answers: Answer[] = [];
    const ended = new AbortController();
    const working = work.map(async (send) => {
      for (let index = 0; !ended.signal.aborted; index += 1) answers.push(await send(index));
    });
    for (const index of [0, 1, 2, 3, 4, 5]) {
      expect((await ada.patch('/roles/rep', { name: `Rep ${index}` })).status).toBe(200);
      if (index % 3 === 2) await changeFields(index === 2);
    }
    ended.abort();
    await Promise.all(working);
    const refused = answers.filter(({ status }) => status >= 500);
    expect(refused.map(({ status, body }) => [status, body.error.message])).toEqual([]);
    const unexpected = answers.filter(({ status }) => status >= 300 && status !== 400);
    expect(unexpected.map(({ status, body }) => [status, body])).toEqual([]);
  },
  PATIENCE,
);

/** Without the field, questions for it are 400; no other request fails. */
async function changeFields(isGone: boolean): Promise<void> {
  const patch = { objects: { deals: { fields: { extra: isGone ? null : { type: 'text' } } } } };
  const { roles } = (await ada.get('/definition?form=patch')).body.data.patch;
  await world.apply(mergePatch({ ...ACME, roles }, patch), isGone ? ['deals.extra'] : []);
}

test('a final refusal says that the definition has changed', async () => {
  const sample = await openSampleWorkspace();
  try {
    const { db, model } = sample;
    const context = { db, model, caller: sample.caller('anna'), requestId: null };
    const gadgets = sample.object('gadgets');
    const patch = { roles: { admin: { name: 'Other' } } };
    await applyDefinition(db, 'sample', mergePatch(SAMPLE_DOCUMENT, patch));
    const operation = { action: 'create', fields: { name: 'x' } } as const;
    const request = { operations: [operation], source: 'api', batch: false } as never;
    const errors = await Promise.all(
      [1, 2, 3].map(() =>
        writeRecords(context, gadgets, request).then(undefined, (error) => error),
      ),
    );
    expect(errors.map(isDefinitionChanged)).toEqual([true, true, true]);
    expect(errors[0]).toMatchObject({
      code: 'service_unavailable',
      message: 'The definition of the workspace has changed. Send the request again.',
      headers: { 'Retry-After': '1' },
    });
  } finally {
    await sample.own.drop();
  }
});
