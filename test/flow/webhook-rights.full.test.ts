// Webhooks send what their owner may read at that moment, and no more: rights that are lost between an event and an attempt,
// filters compared with an oracle, conditions on the record as it is.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../client.ts';
import {
  deliveriesOf,
  makeWebhook,
  type NotingReceiver,
  openReceiver,
  type Received,
  stateOf,
} from '../webhook-world.ts';
import { ACME } from '../world.ts';
import {
  ada,
  clock,
  create,
  receiver,
  setUpWebhooks,
  update,
  wake,
  world,
} from './webhook-set-up.ts';

setUpWebhooks();

let rob: Client;

beforeAll(async () => {
  rob = await world.as('rob');
});

const MINUTE = 60_000;
const CANARY = 'canary-of-a-secret';

/** The rights that a process remembers are as old as those of requests. */
const forget = () => new Promise((done) => setTimeout(done, 1100));

async function pass(milliseconds: number): Promise<void> {
  clock.pass(milliseconds);
  await wake();
  await new Promise((done) => setTimeout(done, 300));
}

describe('rights', () => {
  test('hidden fields are in no body, and changes of them alone in no event', async () => {
    await makeWebhook(rob, receiver, { payload: 'record' });
    const id = await create('deals', {
      name: 'Own',
      secret: CANARY,
      owner_user_id: world.users.rob,
    });
    await update('deals', id, { secret: `${CANARY} 2` });
    await update('deals', id, { secret: `${CANARY} 3`, amount: 3 });
    await create('deals', { name: `${CANARY} of others`, owner_user_id: world.users.sam });
    await update('deals', id, { amount: 4 });
    await expect.poll(() => receiver.events().length).toBe(3);
    const changed = receiver.events().map(({ body }) => body.data.changed_fields);
    expect(changed.slice(1)).toEqual([['amount'], ['amount']]);
    expect(JSON.stringify(receiver.all)).not.toContain('canary');
    expect(JSON.stringify(receiver.all)).not.toContain('"secret"');
  });

  /** Losses between a failed attempt and the next one. */
  const losses: readonly (readonly [string, (id: string) => Promise<unknown>, string])[] = [
    ['a record', (id) => update('deals', id, { owner_user_id: world.users.sam }), 'dropped'],
    ['a record that is deleted', (id) => ada.delete(`/objects/deals/records/${id}`), 'dropped'],
    ['the object', () => applyRole({ objects: {} }), 'dropped'],
  ];
  test.each(losses)('%s that is lost is not in the next attempt', async (_, lose, state) => {
    const { id } = await makeWebhook(rob, receiver, { payload: 'record' });
    receiver.answer(({ body }) => (body.type === 'ping' ? 204 : 500));
    const record = await create('deals', { name: CANARY, owner_user_id: world.users.rob });
    await expect
      .poll(async () => (await deliveriesOf(ada, id, '?state=pending'))[0]?.attempts)
      .toBe(1);
    const seen = receiver.all.length;
    await lose(record);
    await forget();
    receiver.answer(() => 204);
    await pass(MINUTE);
    await expect
      .poll(async () => (await deliveriesOf(ada, id, '?type=record.created'))[0]?.state)
      .toBe(state);
    const later = receiver.all.slice(seen);
    expect(JSON.stringify(later)).not.toContain(CANARY);
    await world.apply(ACME);
  });

  test('a field that is lost is not in the next attempt', async () => {
    const { id } = await makeWebhook(rob, receiver, { payload: 'record' });
    receiver.answer(({ body }) => (body.type === 'ping' ? 204 : 500));
    await create('deals', { name: 'Kept', tags: ['hot'], owner_user_id: world.users.rob });
    await expect
      .poll(async () => (await deliveriesOf(ada, id, '?state=pending'))[0]?.attempts)
      .toBe(1);
    expect(receiver.events()[0]?.text).toContain('"tags":["hot"]');
    const fields = { secret: 'none', code: 'read', tags: 'none' } as const;
    const { deals } = ACME.roles.rep.objects;
    await applyRole({ objects: { ...ACME.roles.rep.objects, deals: { ...deals, fields } } });
    await forget();
    receiver.answer(() => 204);
    await pass(MINUTE);
    await expect.poll(async () => deliveriesOf(ada, id, '?state=pending')).toEqual([]);
    const again = receiver.events().find(({ attempt }) => attempt === 2) as Received;
    expect(again.text).not.toContain('tags');
    expect(again.body.data.record.fields.name).toBe('Kept');
    await world.apply(ACME);
  });

  async function applyRole(role: object): Promise<void> {
    const rep = { ...ACME.roles.rep, ...role };
    await world.apply({ ...ACME, roles: { ...ACME.roles, rep } });
  }

  const ends: readonly (readonly [
    string,
    () => Promise<unknown>,
    () => Promise<unknown>,
    string,
  ])[] = [
    [
      'an owner who is deactivated',
      () => ada.patch(`/users/${world.users.rob}`, { active: false }),
      () => ada.patch(`/users/${world.users.rob}`, { active: true }),
      'owner_inactive',
    ],
    [
      'an owner without developer access',
      () => applyRole({ developer: false }),
      () => world.apply(ACME),
      'owner_not_developer',
    ],
  ];
  test.each(ends)('%s stops the webhook', async (_, lose, give, reason) => {
    const { id } = await makeWebhook(rob, receiver);
    await lose();
    await forget();
    await create('companies', { name: CANARY });
    await expect.poll(async () => (await stateOf(ada, id)).state).toBe('broken');
    expect((await stateOf(ada, id)).reason.code).toBe(reason);
    const audit = await ada.get(`/audit?subject_id=${id}&action=break`);
    expect(audit.body.data).toMatchObject([{ user: null, subject_type: 'webhook' }]);
    await give();
    await forget();
    expect(receiver.events()).toEqual([]);
    // It continues where it stopped when somebody says so.
    const active = await ada.patch(`/webhooks/${id}`, { active: true });
    expect(active.body.data.state).toBe('active');
    await expect.poll(() => receiver.events().length).toBe(1);
  });

  test('a key that is revoked or expires stops what it made', async () => {
    for (const end of ['revoked_at = now()', `expires_at = now() + interval '1 second'`]) {
      const { id: key, secret } = await world.key('rob');
      const { openClient } = await import('../client.ts');
      const maker = openClient({ port: world.port, secret });
      const { id } = await makeWebhook(maker, receiver);
      await world.database.rows(`update workspace_records.api_keys set ${end} where id = $1`, [
        key,
      ]);
      await forget();
      await create('deals', { name: CANARY, owner_user_id: world.users.rob });
      await expect.poll(async () => (await stateOf(ada, id)).state).toBe('broken');
      expect((await stateOf(ada, id)).reason.code).toBe('key_ended');
    }
    expect(receiver.events()).toEqual([]);
  });

  const LOSSES_OF_MAKERS = [
    ['is no longer an administrator', { roles: ['manager'] }, false],
    ['is deactivated', { active: false }, true],
  ] as const;
  test.each(LOSSES_OF_MAKERS)(
    'a webhook for somebody else is disabled when its maker %s',
    async (_, loss, isInactive) => {
      // Keys do not change administrators.
      const setRoles = (role: string) =>
        world.database.rows('update ws_acme._users set roles = array[$2] where id = $1', [
          ...[world.users.sam, role],
        ]);
      const boss = await world.inSession('ada');
      const sam = (change: object) => boss.patch(`/users/${world.users.sam}`, change);
      for (const make of [() => world.as('sam'), () => world.inSession('sam')]) {
        await setRoles('admin');
        const maker = await make();
        const owner = { owner_user_id: world.users.rob };
        const { id } = await makeWebhook(maker, receiver, { ...owner, payload: 'record' });
        expect((await sam(loss)).status).toBe(200);
        await create('deals', { name: CANARY, owner_user_id: world.users.rob });
        await expect.poll(async () => (await stateOf(ada, id)).state).toBe('disabled');
        expect((await stateOf(ada, id)).reason.code).toBe('maker_not_administrator');
        await setRoles('admin');
        if (isInactive) expect((await sam({ active: true })).status).toBe(200);
        await expect.poll(async () => (await stateOf(ada, id)).state).toBe('disabled');
        await ada.delete(`/webhooks/${id}`);
      }
      await setRoles('rep');
      expect(receiver.events()).toEqual([]);
    },
  );

  test('a webhook for somebody else is disabled when the key of its maker is revoked', async () => {
    const { id: key, secret } = await world.key('ada');
    const { openClient } = await import('../client.ts');
    const maker = openClient({ port: world.port, secret });
    const { id } = await makeWebhook(maker, receiver, { owner_user_id: world.users.rob });
    expect((await ada.delete(`/keys/${key}`)).status).toBeLessThan(300);
    await create('deals', { name: CANARY, owner_user_id: world.users.rob });
    await expect.poll(async () => (await stateOf(ada, id)).state).toBe('disabled');
    expect((await stateOf(ada, id)).reason.code).toBe('key_ended');
    // The owner makes it their own.
    expect((await rob.patch(`/webhooks/${id}`, { active: true })).body.data.state).toBe('active');
    await expect.poll(() => receiver.events().length).toBe(1);
  });

  test('a key reads no more than its scopes, whatever its owner may', async () => {
    const narrow = await world.as('ada', { scopes: ['webhooks:write', 'records:read'] });
    await makeWebhook(narrow, receiver);
    const id = await create('companies', { name: 'Seen' });
    const path = `/objects/companies/records/${id}/comments`;
    expect((await ada.post(path, { body: CANARY })).status).toBe(201);
    await update('companies', id, { name: 'Last' });
    await expect.poll(() => receiver.events().length).toBe(2);
    expect(JSON.stringify(receiver.all)).not.toContain(CANARY);
  });
});

describe('the definition', () => {
  test('renames are followed, and a filter by something that is gone breaks', async () => {
    const { id } = await makeWebhook(ada, receiver, {
      ...{ object_types: ['deals'], changed_fields: ['amount'] },
      where: { field: 'amount', op: 'gt', value: 5 },
    });
    const renamed = structuredClone(ACME) as unknown as typeof ACME & {
      objects: { deals: { fields: Record<string, object> } };
    };
    const { amount, ...fields } = renamed.objects.deals.fields as Record<string, object>;
    const objects = {
      ...renamed.objects,
      deals: {
        ...renamed.objects.deals,
        fields: { ...fields, volume: { ...amount, renamed_from: 'amount' } },
      },
    };
    await world.apply({ ...renamed, objects });
    await wake();
    expect(await stateOf(ada, id)).toMatchObject({
      ...{ state: 'active', changed_fields: ['volume'] },
      where: { field: 'volume', op: 'gt', value: 5 },
    });
    await create('deals', { name: 'Large', volume: 9 });
    await expect.poll(() => receiver.events().length).toBe(1);
    expect(receiver.events()[0]?.body.data.changed_fields).toContain('volume');
    await world.apply(
      { ...ACME, objects: { ...ACME.objects, deals: { ...ACME.objects.deals, fields } } },
      ['deals.volume'],
    );
    await forget();
    await create('deals', { name: 'Any' });
    await expect.poll(async () => (await stateOf(ada, id)).state).toBe('broken');
    const { reason } = await stateOf(ada, id);
    expect([reason.code, reason.message]).toEqual([
      ...['not_readable', expect.stringContaining('changed_fields[0]')],
    ]);
    await world.apply(ACME);
  });
});

describe('filters', () => {
  interface Fact {
    readonly type: string;
    readonly object: string;
    readonly changed: readonly string[];
    readonly source: string;
    readonly own: boolean;
    readonly status: string | null;
    readonly amount: number | null;
  }

  const CHOICES = [
    { events: ['record.*'] },
    { events: ['record.created', 'comment.created'] },
    { events: ['record.*'], object_types: ['deals'] },
    {
      events: ['record.*'],
      object_types: ['deals', 'companies'],
      changed_fields: ['amount', 'tier'],
    },
    { events: ['record.status_changed'], status_to: ['won'] },
    { events: ['record.*'], except: { own: true } },
    { events: ['record.*'], except: { sources: ['application'] } },
    {
      ...{ events: ['record.*'], object_types: ['deals'] },
      where: { not: { field: 'amount', op: 'gt', value: 5 } },
    },
    {
      ...{ events: ['record.updated', 'record.deleted'], object_types: ['deals'] },
      where: {
        any: [
          { field: 'amount', op: 'gte', value: 8 },
          { field: 'status', op: 'eq', value: 'won' },
        ],
      },
    },
  ] as const;

  // biome-ignore lint/suspicious/noExplicitAny: choices of any shape.
  function isMeant(choice: any, fact: Fact): boolean {
    const { events, object_types = [], changed_fields = [], status_to = [], except = {} } = choice;
    const isOfType =
      events.includes(fact.type) ||
      (events.includes('record.*') && fact.type.startsWith('record.'));
    if (!isOfType || (object_types.length > 0 && !object_types.includes(fact.object))) return false;
    if (changed_fields.length > 0 && !fact.changed.some((key) => changed_fields.includes(key))) {
      return false;
    }
    if (
      status_to.length > 0 &&
      !(fact.type === 'record.status_changed' && status_to.includes(fact.status))
    ) {
      return false;
    }
    if (except.own === true && fact.own) return false;
    if (except.sources?.includes(fact.source)) return false;
    if (choice.where === undefined) return true;
    if (fact.type === 'record.deleted') return false;
    if ('not' in choice.where) return !((fact.amount ?? Number.NEGATIVE_INFINITY) > 5);
    return (fact.amount ?? Number.NEGATIVE_INFINITY) >= 8 || fact.status === 'won';
  }

  test('choose the events that an oracle chooses', async () => {
    const maker = await world.as('ada');
    const writers = [ada, maker, await world.inSession('ada')] as const;
    const receivers = await Promise.all(CHOICES.map(() => openReceiver()));
    for (const [index, choice] of CHOICES.entries()) {
      await makeWebhook(maker, receivers[index] as NotingReceiver, choice);
    }
    const [everything] = receivers as [NotingReceiver];
    const expected = CHOICES.map((): string[] => []);
    const random = openRandom(7);
    const deals = new Map<string, Deal>();
    for (let step = 1; step <= 60; step += 1) {
      const writer = writers[random(3)] as Client;
      const written = await writeSome({ writer, deals, random, step });
      await expect.poll(() => everything.events().length).toBe(step);
      const { data } = (everything.events().at(-1) as Received).body;
      const { type, object_type: object, changed_fields: changed, source } = data;
      const fact = { ...written, type, object, changed, source, own: writer === maker };
      const name = `${data.record_id} ${data.revision}`;
      for (const [index, choice] of CHOICES.entries()) {
        if (isMeant(choice, fact)) expected[index]?.push(name);
      }
      await expect
        .poll(() => receivers.map((one) => one.events().map(({ body }) => nameOf(body.data))))
        .toEqual(expected);
    }
    expect(expected.every((one) => one.length > 0)).toBe(true);
    await Promise.all(receivers.map((one) => one.close()));
  });

  const nameOf = (data: { readonly record_id: string; readonly revision: number }) =>
    `${data.record_id} ${data.revision}`;

  function openRandom(seed: number): (most: number) => number {
    let state = seed;
    return (most) => {
      state = (state * 16_807) % 2_147_483_647;
      return state % most;
    };
  }

  interface Deal {
    status: string;
    amount: number | null;
  }

  interface Writing {
    readonly writer: Client;
    readonly deals: Map<string, Deal>;
    readonly random: (most: number) => number;
    readonly step: number;
  }

  /** One write; the state of its record afterwards. */
  async function writeSome({ writer, deals, random, step }: Writing): Promise<Deal> {
    const [id, known] = [...deals][random(Math.max(1, deals.size))] ?? [];
    const action = random(6);
    if (id === undefined || known === undefined || action === 0) {
      const amount = random(2) === 0 ? null : random(10);
      const made = { status: 'open', amount };
      deals.set(await create('deals', { name: `${step}`, amount }, writer), made);
      return made;
    }
    const path = `/objects/deals/records/${id}`;
    if (action === 1) {
      await create('companies', { name: `${step}`, tier: 'gold' }, writer);
      return { status: '', amount: null };
    }
    if (action === 2) {
      await writer.delete(path);
      deals.delete(id);
    } else if (action <= 4 && known.status === 'open') {
      known.status = random(3) === 0 ? 'lost' : 'won';
      await writer.post(`${path}/status`, { status_id: known.status });
    } else if (action === 5) {
      known.amount = (random(10) + step) / 10;
      await writer.patch(path, { fields: { amount: known.amount } });
    } else await writer.patch(path, { fields: { name: `${step}` } });
    return known;
  }

  test('conditions and statuses are judged on the record as it is when it is sent', async () => {
    const { id } = await makeWebhook(ada, receiver, {
      ...{ events: ['record.*'], object_types: ['deals'] },
      where: { field: 'amount', op: 'gt', value: 5 },
    });
    const won = await openReceiver();
    await makeWebhook(ada, won, { events: ['record.*'], status_to: ['won'] });
    const small = await create('deals', { name: 'Small', amount: 1 });
    const large = await create('deals', { name: 'Large', amount: 9 });
    await expect.poll(() => receiver.events().length).toBe(1);
    expect(receiver.events()[0]?.body.data.record_id).toBe(large);
    receiver.answer(() => 500);
    await update('deals', large, { name: 'Larger' });
    await expect
      .poll(async () => (await deliveriesOf(ada, id, '?state=pending'))[0]?.attempts)
      .toBe(1);
    await update('deals', large, { amount: 2 });
    receiver.answer(() => 204);
    await forget();
    await pass(MINUTE);
    await expect.poll(async () => (await deliveriesOf(ada, id, '?state=dropped')).length).toBe(1);
    await ada.post(`/objects/deals/records/${small}/status`, { status_id: 'lost' });
    await ada.post(`/objects/deals/records/${large}/status`, { status_id: 'won' });
    await expect.poll(() => won.events().length).toBe(1);
    expect(won.events()[0]?.body).toMatchObject({
      ...{ type: 'record.status_changed', data: { record_id: large } },
    });
    await won.close();
  });

  test('a record that has moved on has only its last move', async () => {
    const own = await openReceiver();
    const { id } = await makeWebhook(ada, own, {
      ...{ events: ['record.*'], status_to: ['won', 'lost'] },
    });
    const record = await create('deals', { name: 'Moves', amount: 1 });
    await ada.patch(`/webhooks/${id}`, { active: false });
    for (const status_id of ['lost', 'open', 'won']) {
      await ada.post(`/objects/deals/records/${record}/status`, { status_id });
    }
    await ada.patch(`/webhooks/${id}`, { active: true, resume: 'position' });
    await expect.poll(() => own.events().length).toBe(1);
    expect(own.events()[0]?.body.data).toMatchObject({ record_id: record, revision: 4 });
    const later = await create('deals', { name: 'Later', amount: 1 });
    await ada.post(`/objects/deals/records/${later}/status`, { status_id: 'won' });
    await expect.poll(() => own.events().length).toBe(2);
    expect(own.events()[1]?.body.data.record_id).toBe(later);
    await own.close();
  });
});
