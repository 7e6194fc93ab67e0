// Fields are renamed and records change their owners between an event and the request with it, again and again: each body has the
// names of one definition and nothing beyond the rights of its owner, and nothing is missing.

import { expect, test } from 'vitest';
import { timesOf } from '../until.ts';
import { deliveriesOf, makeWebhook, stateOf } from '../webhook-world.ts';
import { ACME } from '../world.ts';
import { create, receiver, setUpWebhooks, update, world } from './webhook-set-up.ts';

setUpWebhooks();

/** A thousand with `npm run test:long`. */
const ROUNDS = timesOf(40);
const NAMES = ['amount', 'volume'] as const;
const CANARY = 'canary-of-a-record-of-others';

/** The definition in which the amount of deals has a name. */
function definitionWith(name: string, before: string): object {
  const { amount, ...fields } = ACME.objects.deals.fields as Record<string, object>;
  const renamed = { ...amount, ...(name === before ? {} : { renamed_from: before }) };
  const deals = { ...ACME.objects.deals, fields: { ...fields, [name]: renamed } };
  return { ...ACME, objects: { ...ACME.objects, deals } };
}

test('an event is judged by the names and the rights of its moments', {
  timeout: 1_200_000,
}, async () => {
  const rob = await world.as('rob');
  const given = { payload: 'record', object_types: ['deals'], changed_fields: ['amount'] };
  const { id } = await makeWebhook(rob, receiver, given);
  const owner = { owner_user_id: world.users.rob };
  const kept = await create('deals', { name: 'Kept', ...owner });
  const moving = await create('deals', { name: 'Moving', ...owner });
  const write = async (record: string, fields: object) => {
    const { status, body } = await update('deals', record, fields);
    expect(status, JSON.stringify(body)).toBe(200);
  };
  for (let round = 1; round <= ROUNDS; round += 1) {
    const [before, name] = [NAMES[(round + 1) % 2] as string, NAMES[round % 2] as string];
    await write(kept, { [before]: round });
    await write(moving, { [before]: round });
    await Promise.all([
      world.apply(definitionWith(name, before)),
      update('deals', moving, { owner_user_id: world.users.sam }),
    ]);
    await write(moving, { name: CANARY, owner_user_id: world.users.sam, [name]: round + 0.5 });
    await write(moving, { name: 'Moving', ...owner });
  }
  const arrived = () => receiver.events().map(({ body }) => body.data);
  const revisionsOf = (record: string) =>
    arrived().flatMap((data) => (data.record_id === record ? (data.revision ?? []) : []));
  const expected = Array.from({ length: ROUNDS }, (_, index) => index + 2);
  await expect.poll(() => [...new Set(revisionsOf(kept))], { timeout: 120_000 }).toEqual(expected);
  await expect.poll(async () => deliveriesOf(rob, id, '?state=pending')).toEqual([]);
  expect(JSON.stringify(receiver.all)).not.toContain(CANARY);
  expect(await stateOf(rob, id)).toMatchObject({
    ...{ state: 'active', changed_fields: [NAMES[ROUNDS % 2]] },
  });
  for (const data of arrived()) {
    if (data.type === 'record.left') continue;
    expect(data, JSON.stringify(data)).toHaveProperty('record');
    const fields = Object.keys(data.record.fields);
    const named = NAMES.filter((name) => fields.includes(name));
    expect(named).toHaveLength(1);
    expect(data.changed_fields).toEqual(expect.arrayContaining(named));
  }
});
