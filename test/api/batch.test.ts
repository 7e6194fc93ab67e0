// The batch endpoint: the operations that it applies, and their order. Atomicity, refused shapes and rights, and
// upserts have files of their own.

import { describe, expect, test } from 'vitest';
import type { Answer } from '../client.ts';
import { call } from '../http-client.ts';
import { useFleet } from './fleet.ts';

const fleet = useFleet();
const { batch, deal, make, refused, trail } = fleet;

const PATH = '/objects/deals/records/batch';
const times = <Item>(count: number, item: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => item(index));
const counterOf = (version: string) => Number(version.split('-')[0]);

async function applied(answer: Promise<Answer>) {
  const { status, body } = await answer;
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
}

describe('applied operations', () => {
  test('all seven actions, each with its result and one audit row of the same batch', async () => {
    const company = await make('companies', { name: 'Target' });
    const contact = await make('contacts', { name: 'Jo' });
    const updated = await deal(fleet.ada);
    const moved = await deal(fleet.ada);
    const deleted = await deal(fleet.ada);
    const hit = await deal(fleet.ada, { code: 'SEVEN-1' });
    const linked = await deal(fleet.ada);
    const unlinked = await deal(fleet.ada, { company_id: company.id });
    const association_id = 'assoc.contacts_deals';
    const operations = [
      { action: 'create', fields: { name: 'Made' } },
      { action: 'update', id: updated.id, fields: { amount: 7 } },
      { action: 'status', id: moved.id, status_id: 'won' },
      { action: 'delete', id: deleted.id },
      { action: 'upsert', target: 'deals', match: { code: 'SEVEN-1' }, fields: { amount: 1 } },
      { action: 'upsert', target: 'deals', match: { code: 'SEVEN-2' }, fields: { name: 'New' } },
      { action: 'link', id: linked.id, association_id, target_id: contact.id },
      {
        action: 'unlink',
        id: unlinked.id,
        association_id: 'ref.company_id',
        target_id: company.id,
      },
    ];
    const answer = await batch(fleet.ada, operations);
    const { results, ...data } = await applied(Promise.resolve(answer));
    expect(data).toEqual({ status: 'completed', object_type: 'deals', count: 8, atomic: true });
    expect(results.map((result: Record<string, unknown>) => result.action)).toEqual(
      operations.map(({ action }) => action),
    );
    expect(results[3]).toEqual({ action: 'delete', id: deleted.id, status: 'succeeded' });
    expect(results.map(({ created }: { created?: boolean }) => created)).toEqual([
      ...times(4, () => undefined),
      false,
      true,
      undefined,
      undefined,
    ]);
    const ids = results.map(({ id }: { id: string }) => id);
    expect(ids.slice(1, 5)).toEqual([updated.id, moved.id, deleted.id, hit.id]);
    expect(ids.slice(6)).toEqual([linked.id, unlinked.id]);
    const counters = results
      .filter(({ version }: { version?: string }) => version !== undefined)
      .map(({ version }: { version: string }) => counterOf(version));
    // A link between records changes neither of them.
    expect(counters).toEqual([1, 2, 2, 2, 1, 1, 2]);
    for (const { id, version } of results.filter((one: object) => 'version' in one)) {
      expect((await fleet.ada.get(`/objects/deals/records/${id}`)).body.data.version).toBe(version);
    }
    const audit = await fleet.world.rows(
      'select record_id, action, changed_fields, batch_id from _audit where request_id = $1 order by id',
      [answer.headers.get('x-request-id')],
    );
    expect(audit.map((row) => row.record_id)).toEqual(ids);
    expect(audit.map((row) => row.action)).toEqual([
      ...['create', 'update', 'status', 'delete', 'update', 'create', 'link', 'unlink'],
    ]);
    expect(audit.slice(6).map((row) => row.changed_fields)).toEqual([
      [association_id],
      ['company_id'],
    ]);
    expect(audit[0]?.batch_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(audit.map((row) => row.batch_id)).size).toBe(1);
  });

  test('in the order of the operations', async () => {
    const first = await deal(fleet.ada, { code: 'ORDER-1' });
    const second = await deal(fleet.ada, { code: 'ORDER-2' });
    const create = { action: 'create', fields: { name: 'x', code: 'ORDER-1' } };
    const remove = { action: 'delete', id: first.id };
    await refused(
      () => batch(fleet.ada, [create, remove]),
      [409, 'conflict', 'operations[0].fields.code'],
    );
    await applied(batch(fleet.ada, [remove, create]));
    await applied(
      batch(fleet.ada, [
        { action: 'update', id: second.id, fields: { code: 'ORDER-3' } },
        { action: 'create', fields: { name: 'x', code: 'ORDER-2' } },
      ]),
    );
  });

  test('a change without a difference leaves no trace', async () => {
    const { id, version } = await deal(fleet.ada, { amount: 3 });
    const before = await fleet.world.digest();
    const { results } = await applied(
      batch(fleet.ada, [{ action: 'update', id, fields: { amount: 3 } }]),
    );
    expect(results).toEqual([{ action: 'update', id, status: 'succeeded', version }]);
    expect(await fleet.world.digest()).toBe(before);
  });

  test('1 to 100 operations', async () => {
    const create = { action: 'create', fields: { name: 'Many' } };
    const all = await applied(
      batch(
        fleet.ada,
        times(100, () => create),
      ),
    );
    expect(all.count).toBe(100);
    expect(new Set(all.results.map(({ id }: { id: string }) => id)).size).toBe(100);
    expect((await applied(batch(fleet.ada, [create]))).count).toBe(1);
    for (const count of [0, 101]) {
      const operations = times(count, () => create);
      await refused(() => batch(fleet.ada, operations), [400, 'validation_failed', 'operations']);
    }
  });

  test('objects that do not support an action', async () => {
    const reading = await make('readings', { value: 1 });
    const create = { action: 'create', fields: { value: 2 } };
    await applied(batch(fleet.ada, [create], 'readings'));
    const update = { action: 'update', id: reading.id, fields: { value: 2 } };
    for (const operation of [update, { action: 'delete', id: reading.id }]) {
      await refused(
        () => batch(fleet.ada, [create, operation], 'readings'),
        [403, 'write_not_supported', 'operations[1]'],
      );
    }
    const fields = { value: 5 };
    const upsert = (match: object) =>
      batch(fleet.ada, [{ action: 'upsert', target: 'readings', match, fields }], 'readings');
    await refused(() => upsert({ value: 1 }), [400, 'validation_failed']);
    expect((await applied(upsert({ value: 5 }))).results[0].created).toBe(true);
    await refused(() => upsert({ value: 5 }), [403, 'write_not_supported', 'operations[0]']);
  });
});

describe('records that refer to each other', () => {
  const association_id = 'ref.related_id';

  test('links to records that the same batch deletes', async () => {
    const [from, target, other] = [
      await deal(fleet.ada),
      await deal(fleet.ada),
      await deal(fleet.ada),
    ];
    const link = { action: 'link', id: from.id, association_id, target_id: target.id };
    const remove = { action: 'delete', id: target.id };
    await refused(
      () => batch(fleet.ada, [remove, link]),
      [404, 'record_not_found', 'operations[1].target_id'],
    );
    await refused(
      () =>
        batch(fleet.ada, [
          remove,
          { action: 'update', id: other.id, fields: { related_id: target.id } },
        ]),
      [422, 'invalid_write', 'operations[1].fields.related_id'],
    );
    await applied(batch(fleet.ada, [link, remove]));
    const left = await fleet.ada.get(`/objects/deals/records/${from.id}`);
    expect(left.body.data.fields.related_id).toBeNull();
    expect(await trail(from.id)).toEqual([
      ['create', ['name', 'owner_user_id']],
      ['link', ['related_id']],
      ['update', ['related_id']],
    ]);
  });

  test.each(['before', 'after'])('the answer has the final version: delete %s', async (when) => {
    const target = await deal(fleet.ada);
    const from = await deal(fleet.ada, { related_id: target.id });
    const update = { action: 'update', id: from.id, fields: { amount: 4 } };
    const remove = { action: 'delete', id: target.id };
    const operations = when === 'before' ? [remove, update] : [update, remove];
    const key = { 'idempotency-key': `version-${when}` };
    const first = await batch(fleet.ada, operations, 'deals', key);
    const { results } = await applied(Promise.resolve(first));
    const told = results.find(({ id }: { id: string }) => id === from.id).version;
    const left = await fleet.ada.get(`/objects/deals/records/${from.id}`);
    expect(left.body.data.version).toBe(told);
    expect(left.body.data.fields).toMatchObject({ related_id: null, amount: 4 });
    const again = await batch(fleet.ada, operations, 'deals', key);
    expect(again.body).toEqual(first.body);
  });

  test('symmetric links in one batch are one link', async () => {
    const [one, two] = [
      await make('companies', { name: '1' }),
      await make('companies', { name: '2' }),
    ];
    const link = (id: string, target_id: string) => ({
      action: 'link',
      id,
      association_id: 'link.friends',
      target_id,
    });
    await applied(batch(fleet.ada, [link(one.id, two.id), link(two.id, one.id)], 'companies'));
    expect((await trail(one.id)).slice(1)).toEqual([['link', ['link.friends']]]);
    expect((await trail(two.id)).slice(1)).toEqual([]);
  });

  test('a link taken by another operation of the same batch', async () => {
    const boat = await make('boats', {
      name: 'Boat',
      company_id: (await make('companies', { name: 'Yard' })).id,
    });
    const [one, two] = [await deal(fleet.ada), await deal(fleet.ada)];
    const link = (id: string) => ({
      action: 'link',
      id,
      association_id: 'link.deal_boat',
      target_id: boat.id,
    });
    await refused(() => batch(fleet.ada, [link(one.id), link(two.id)]), [409, 'conflict']);
    await applied(batch(fleet.ada, [link(one.id)]));
    await refused(
      () =>
        batch(fleet.ada, [{ action: 'update', id: one.id, fields: { amount: 8 } }, link(two.id)]),
      [409, 'conflict', 'operations[1].target_id'],
    );
  });
});

test('batches over the same records in any order never fail for a deadlock', async () => {
  const deals = await Promise.all(times(12, () => deal(fleet.ada)));
  const operations = (amount: number) =>
    deals.map(({ id }) => ({ action: 'update', id, fields: { amount } }));
  const answers = await Promise.all(
    times(8, (round) => {
      const list = operations(round + 1);
      return batch(fleet.ada, round % 2 === 0 ? list : list.toReversed());
    }),
  );
  expect(answers.map(({ status }) => status)).toEqual(times(8, () => 200));
  const { body } = await fleet.ada.get(`/objects/deals/records/${deals[0]?.id}`);
  expect(counterOf(body.data.version)).toBe(9);
});

test('a body of up to 8 MiB', async () => {
  const description = '😀'.repeat(20_000);
  const fields = { title: 'Big', work_item_type_id: 'task', description };
  const operations = times(30, () => ({ action: 'create', fields }));
  expect(JSON.stringify({ operations }).length).toBeGreaterThan(1024 * 1024);
  await applied(batch(fleet.ada, operations, 'work_items'));
  const { port } = fleet.world;
  const send = (path: string, body: string) =>
    call(port, `/v1${path}`, { method: 'POST', key: fleet.ada.secret, body });
  const before = await fleet.world.digest();
  const padding = (bytes: number) => `{"operations":[]${' '.repeat(bytes)}}`;
  const big = await send(PATH, padding(8 * 1024 * 1024));
  expect([big.status, big.json.error.code]).toEqual([413, 'payload_too_large']);
  const full = await send(PATH, padding(8 * 1024 * 1024 - 17));
  expect([full.status, full.json.error.param]).toEqual([400, 'operations']);
  const single = await send('/objects/deals/records', padding(1024 * 1024));
  expect(single.status).toBe(413);
  expect(await fleet.world.digest()).toBe(before);
});
