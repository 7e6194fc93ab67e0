// Work items over HTTP: numbers that people use, types with fields of their own, trees (specification
// §2.1, §2.5, §4.2, §4.3; docs/decisions.md, D59).

import { beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../client.ts';
import { FLEET, useFleet } from './fleet.ts';

const fleet = useFleet();
const { batch, make, refused } = fleet;

const WORKS = {
  ...FLEET,
  name: 'Works',
  objects: {
    ...FLEET.objects,
    work_items: {
      fields: {
        estimate: { type: 'integer', default: 3 },
        inspector: { type: 'text', required: true },
        remark: { type: 'text', storage: 'jsonb' },
      },
    },
  },
  work_item_types: {
    ...FLEET.work_item_types,
    task: { ...FLEET.work_item_types.task, fields: ['estimate'] },
    permit: { ...FLEET.work_item_types.permit, fields: ['inspector', 'remark'] },
  },
  roles: {
    ...FLEET.roles,
    rep: {
      ...FLEET.roles.rep,
      objects: {
        ...FLEET.roles.rep.objects,
        work_items: { create: 'own', read: 'own', update: 'own', delete: 'own' },
      },
    },
  },
};

beforeAll(() => fleet.apply(WORKS));

type Fields = Readonly<Record<string, unknown>>;
const ITEMS = '/objects/work_items/records';
const ABSENT = '01a1fd00-0000-7000-8000-000000000000';

const task = (fields: Fields = {}) => make('work_items', { title: 'Task', ...TASK, ...fields });
const TASK = { work_item_type_id: 'task' };
const permit = (fields: Fields = {}) =>
  make('work_items', { title: 'Permit', ...PERMIT, ...fields });
const PERMIT = { work_item_type_id: 'permit', inspector: 'Mia' };
const numberOf = (publicId: string) => Number(publicId.split('-')[1]);
const create = (fields: Fields, client: Client = fleet.ada) =>
  client.post(ITEMS, { fields: { title: 'Item', ...TASK, ...fields } });
const adopt = (id: string, parent: string | null) =>
  fleet.ada.patch(`${ITEMS}/${id}`, { fields: { parent_work_item_id: parent } });

describe('public_id', () => {
  test('each type counts for itself, and every answer has the number', async () => {
    const [first, second] = [await task(), await task()];
    const other = await permit();
    expect(first.public_id).toMatch(/^TASK-[1-9][0-9]*$/);
    expect(numberOf(second.public_id)).toBe(numberOf(first.public_id) + 1);
    expect(other.public_id).toMatch(/^PER-[1-9][0-9]*$/);
    const { public_id } = first;
    const got = (await fleet.ada.get(`${ITEMS}/${first.id}`)).body.data;
    expect([got.public_id, got.fields.public_id, got.work_item_type_id]).toEqual([
      public_id,
      public_id,
      'task',
    ]);
    const moved = await fleet.ada.post(`${ITEMS}/${first.id}/status`, { status_id: 'won' });
    expect(moved.body.data.public_id).toBe(public_id);
    const listed = (await fleet.ada.get(`${ITEMS}?filter[public_id]=${public_id}`)).body.data;
    expect(listed.map(({ id }: Fields) => id)).toEqual([first.id]);
    const counted = await fleet.ada.post(`${ITEMS}/aggregate`, {
      filters: { public_id: { in: [public_id, second.public_id] } },
      group_by: ['public_id', 'custom_status_id'],
      metrics: [{ name: 'items', op: 'count' }],
    });
    expect(counted.body.data).toEqual([
      { public_id, custom_status_id: 'won', items: 1 },
      { public_id: second.public_id, custom_status_id: 'open', items: 1 },
    ]);
  });

  test('linked records have it too', async () => {
    const parent = await task();
    const child = await task({ parent_work_item_id: parent.id });
    const path = `${ITEMS}/${child.id}/relationships/ref.parent_work_item_id`;
    const [linked] = (await fleet.ada.get(path)).body.data;
    expect([linked.id, linked.public_id]).toEqual([parent.id, parent.public_id]);
  });

  test('is not a record id, and cannot be written', async () => {
    const { id, public_id } = await task();
    await refused(
      () => fleet.ada.get(`${ITEMS}/${public_id}`),
      [404, 'record_not_found', 'record_id'],
    );
    await refused(
      () => fleet.ada.patch(`${ITEMS}/${id}`, { fields: { public_id: 'X-1' } }),
      [422, 'invalid_write', 'fields.public_id'],
    );
    await refused(() => create({ public_id: 'X-1' }), [422, 'invalid_write', 'fields.public_id']);
    const match = { public_id: 'TASK-999999' };
    const fields = { title: 'x', ...TASK };
    const upsert = { action: 'upsert', target: 'work_items', match, fields };
    await refused(
      () => batch(fleet.ada, [upsert], 'work_items'),
      [422, 'invalid_write', 'operations[0].match.public_id'],
    );
    await refused(
      () => fleet.ada.get('/objects/deals/records?filter[public_id]=TASK-1'),
      [400, 'invalid_filter', 'filter[public_id]'],
    );
  });

  test('racing creates and batches give no number twice', async () => {
    const operations = Array.from({ length: 10 }, () => ({
      action: 'create',
      fields: { title: 'Many', ...TASK },
    }));
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, () => create({})),
      ...Array.from({ length: 5 }, () => batch(fleet.ada, operations, 'work_items')),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array(5).fill(200),
      ...Array(10).fill(201),
    ]);
    const rows = await fleet.world.rows('select public_id from work_items');
    expect(new Set(rows.map((row) => row.public_id)).size).toBe(rows.length);
  });

  test('an upsert takes a number only for a record it creates', async () => {
    const operation = {
      action: 'upsert',
      target: 'task',
      match: { title: 'Synchronised' },
      fields: { due_date: '2026-12-01' },
    };
    const before = await task();
    for (const created of [true, false, false]) {
      const answer = await batch(fleet.ada, [operation], 'work_items');
      expect(answer.body.data.results[0].created).toBe(created);
    }
    const after = await task();
    expect(numberOf(after.public_id)).toBe(numberOf(before.public_id) + 2);
  });

  test('a repeated request gets the number of the first', async () => {
    const headers = { 'Idempotency-Key': 'number-once' };
    const send = () => fleet.ada.post(ITEMS, { fields: { title: 'Once', ...TASK } }, headers);
    const [first, again] = [await send(), await send()];
    expect(first.status).toBe(201);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body.data.public_id).toBe(first.body.data.public_id);
    const got = (await fleet.ada.get(`${ITEMS}/${first.body.data.id}`)).body.data;
    expect(got.public_id).toBe(first.body.data.public_id);
  });

  test('search finds it, and leads to it', async () => {
    const item = await permit({ title: 'Crane on the quay' });
    for (const q of [item.public_id, item.public_id.toLowerCase(), 'crane on the quay']) {
      const [hit] = (await fleet.ada.get(`/search?q=${encodeURIComponent(q)}`)).body.data;
      expect(hit).toMatchObject({ id: item.id, url: `/app/acme/o/work_items/${item.public_id}` });
    }
    const hits = (await fleet.rob.get(`/search?q=${item.public_id}`)).body.data;
    expect(hits).toEqual([]);
  });
});

describe('types', () => {
  test('the definition shows the fields of a type only on request', async () => {
    const keysOf = async (query: string) => {
      const { body } = await fleet.ada.get(`/objects/work_items${query}`);
      const keys = body.data.fields.map(({ key }: Fields) => key);
      return ['public_id', 'due_date', 'estimate', 'inspector', 'remark'].filter((key) =>
        keys.includes(key),
      );
    };
    expect(await keysOf('')).toEqual(['public_id', 'due_date']);
    expect(await keysOf('?work_item_type_id=task')).toEqual(['public_id', 'due_date', 'estimate']);
    expect(await keysOf('?work_item_type_id=permit')).toEqual([
      'public_id',
      'due_date',
      'inspector',
      'remark',
    ]);
    for (const [path, param] of [
      ['/objects/work_items?work_item_type_id=none', 'work_item_type_id'],
      ['/objects/deals?work_item_type_id=task', 'work_item_type_id'],
      [`/objects/work_items?work_item_type_id=${'x'.repeat(101)}`, 'work_item_type_id'],
    ] as const) {
      await refused(() => fleet.ada.get(path), [400, 'validation_failed', param]);
    }
  });

  test('required fields and defaults are those of the type', async () => {
    expect((await task()).fields).toMatchObject({ estimate: 3, inspector: null });
    expect((await permit()).fields).toMatchObject({ estimate: null, inspector: 'Mia' });
    await refused(
      () => create({ work_item_type_id: 'permit' }),
      [422, 'invalid_write', 'fields.inspector'],
    );
  });

  test('fields of another type are refused, empty ones are not', async () => {
    await refused(() => create({ inspector: 'x' }), [422, 'invalid_write', 'fields.inspector']);
    await refused(
      () => create({ custom_fields: { remark: 'x' } }),
      [422, 'invalid_write', 'fields.custom_fields.remark'],
    );
    const { id } = await task({ inspector: null, custom_fields: { remark: null } });
    await refused(
      () => fleet.ada.patch(`${ITEMS}/${id}`, { fields: { inspector: 'x' } }),
      [422, 'invalid_write', 'fields.inspector'],
    );
    const patched = await fleet.ada.patch(`${ITEMS}/${id}`, { fields: { inspector: null } });
    expect(patched.status).toBe(200);
  });

  test.each([
    ['none', undefined],
    ['unknown', 'nothing'],
    ['no longer active', 'old'],
    ['null', null],
    ['a number', 7],
  ])('a create with a type that is %s', async (_, work_item_type_id) => {
    await refused(
      () => fleet.ada.post(ITEMS, { fields: { title: 'x', work_item_type_id } }),
      [422, 'invalid_write', 'fields.work_item_type_id'],
    );
  });

  test('the type of a work item never changes', async () => {
    const { id } = await task();
    const change = (work_item_type_id: unknown) =>
      fleet.ada.patch(`${ITEMS}/${id}`, { fields: { work_item_type_id } });
    await refused(() => change('permit'), [422, 'invalid_write', 'fields.work_item_type_id']);
    await refused(() => change(null), [422, 'invalid_write', 'fields.work_item_type_id']);
    expect((await change('task')).status).toBe(200);
  });

  test('the workflow is that of the type', async () => {
    const [one, other] = [await task(), await permit()];
    expect([one.status, other.status]).toEqual(['open', 'draft']);
    expect([one.fields.custom_status_id, other.fields.custom_status_id]).toEqual(['open', 'draft']);
    const move = (id: string, status_id: string) =>
      fleet.ada.post(`${ITEMS}/${id}/status`, { status_id });
    await refused(() => move(one.id, 'shelved'), [422, 'invalid_write', 'status_id']);
    expect((await move(other.id, 'shelved')).body.data.status).toBe('shelved');
    const path = `${ITEMS}?filter[custom_status_id]=shelved&filter[id]=${other.id}`;
    expect((await fleet.ada.get(path)).body.data).toHaveLength(1);
    await refused(
      () => fleet.ada.patch(`${ITEMS}/${one.id}`, { fields: { custom_status_id: 'won' } }),
      [422, 'invalid_write', 'fields.custom_status_id'],
    );
  });
});

describe('trees', () => {
  const PARENT = 'fields.parent_work_item_id';

  /** So many work items, each below the one before. */
  async function chain(length: number) {
    const items = [await task()];
    while (items.length < length) {
      items.push(await task({ parent_work_item_id: items.at(-1).id }));
    }
    return items.map(({ id }) => id as string) as [string, ...string[]];
  }

  test('ten levels, and no more', async () => {
    const ids = await chain(10);
    await refused(() => create({ parent_work_item_id: ids[9] }), [422, 'invalid_write', PARENT]);
    expect((await create({ parent_work_item_id: ids[8] })).status).toBe(201);
    const [top, , low] = await chain(3);
    await refused(() => adopt(top, ids[7] as string), [422, 'invalid_write', PARENT]);
    expect((await adopt(top, ids[6] as string)).status).toBe(200);
    await refused(() => create({ parent_work_item_id: low }), [422, 'invalid_write', PARENT]);
  });

  test('no work item is below itself', async () => {
    const [top, middle, low] = await chain(3);
    for (const parent of [top, middle, low] as string[]) {
      await refused(() => adopt(top, parent), [422, 'invalid_write', PARENT]);
    }
    await refused(
      () =>
        fleet.ada.post(`${ITEMS}/${top}/relationships/ref.parent_work_item_id`, { target_id: low }),
      [422, 'invalid_write', 'target_id'],
    );
    expect((await adopt(low as string, top)).status).toBe(200);
    expect((await adopt(middle as string, null)).status).toBe(200);
    expect((await adopt(top, middle as string)).status).toBe(200);
  });

  test('a batch is validated by its result', async () => {
    const [top, low] = (await chain(2)) as [string, string];
    const update = (id: string, parent_work_item_id: string | null) => ({
      action: 'update',
      id,
      fields: { parent_work_item_id },
    });
    const turned = await batch(fleet.ada, [update(top, low), update(low, null)], 'work_items');
    expect(turned.status, JSON.stringify(turned.body)).toBe(200);
    const [other] = await chain(1);
    await refused(
      () => batch(fleet.ada, [update(other, low), update(low, top)], 'work_items'),
      [422, 'invalid_write', 'operations[1].fields.parent_work_item_id'],
    );
    const key = { 'Idempotency-Key': 'tree' };
    const send = () => batch(fleet.ada, [update(low, low)], 'work_items', key);
    await refused(send, [422, 'invalid_write', 'operations[0].fields.parent_work_item_id']);
    const root = await create({ title: 'Root' });
    const leaf = await create({ parent_work_item_id: root.body.data.id });
    const upsert = {
      action: 'upsert',
      target: 'task',
      match: { title: 'Root' },
      fields: { parent_work_item_id: leaf.body.data.id },
    };
    await refused(
      () => batch(fleet.ada, [upsert], 'work_items'),
      [422, 'invalid_write', 'operations[0].fields.parent_work_item_id'],
    );
  });

  test('a parent that the caller cannot read looks like one that is not there', async () => {
    const foreign = await task();
    const mine = (await create({}, fleet.rob)).body.data;
    for (const parent of [foreign.id, ABSENT, 'no id', mine.public_id]) {
      await refused(
        () => create({ parent_work_item_id: parent }, fleet.rob),
        [422, 'invalid_write', PARENT],
      );
    }
    const messages = await Promise.all(
      [foreign.id, ABSENT].map(async (parent) => {
        const { error } = (await create({ parent_work_item_id: parent }, fleet.rob)).body;
        return { ...error, request_id: '' };
      }),
    );
    expect(messages[0]).toEqual(messages[1]);
    const child = await create({ parent_work_item_id: mine.id }, fleet.rob);
    expect(child.body.data.fields.parent_work_item_id).toBe(mine.id);
  });
});
