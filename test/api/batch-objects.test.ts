// A batch over several objects: applied operations, records of earlier operations, refusals and rights. The effects
// of random batches are compared in test/flow/batch-objects.full.test.ts.

import { uuidv7 } from 'uuidv7';
import { describe, expect, test } from 'vitest';
import type { Answer, Client } from '../client.ts';
import { useFleet } from './fleet.ts';

const fleet = useFleet();
const { deal, make, refused, trail } = fleet;

const send = (
  client: Client,
  operations: readonly unknown[],
  headers: Readonly<Record<string, string>> = {},
) => client.post('/batch', { operations }, headers);

const create = (object_type: string, fields: object) => ({ action: 'create', object_type, fields });
const company = (name: string) => create('companies', { name });
const on = (action: string, object_type: string, id: unknown, more: object = {}) => ({
  action,
  object_type,
  id,
  ...more,
});
const FIRST = { $op: 0 };
const LINK = { association_id: 'assoc.contacts_deals' };

async function applied(answer: Promise<Answer>) {
  const { status, body } = await answer;
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.results as readonly {
    readonly id: string;
    readonly version?: string;
    readonly comment_id?: string;
    readonly created?: boolean;
    readonly cleared_references?: unknown;
  }[];
}

const read = async (object: string, id: string | undefined) =>
  (await fleet.ada.get(`/objects/${object}/records/${id}`)).body.data;

describe('applied operations', () => {
  test('all eight actions over five objects, with one audit row each of the same batch', async () => {
    const contact = await make('contacts', { name: 'Jo' });
    const moved = await make('contracts', { title: 'Moved' });
    const gone = await make('products', { name: 'Gone' });
    const mia = Number((await fleet.mia.get('/me')).body.data.user.id);
    const operations = [
      company('Acme'),
      create('deals', { name: 'Big', company_id: FIRST }),
      on('update', 'contacts', contact.id, { fields: { name: 'Joe' } }),
      on('status', 'contracts', moved.id, { status_id: 'shelved' }),
      on('link', 'deals', { $op: 1 }, { ...LINK, target_id: contact.id }),
      on('comment', 'companies', FIRST, { body: 'New here', mention_user_ids: [mia] }),
      on('delete', 'products', gone.id),
      {
        action: 'upsert',
        object_type: 'deals',
        match: { code: 'EIGHT' },
        fields: { name: 'Up', company_id: FIRST },
      },
      on('unlink', 'deals', { $op: 7 }, { association_id: 'ref.company_id', target_id: FIRST }),
    ];
    const answer = await send(fleet.ada, operations);
    const results = await applied(Promise.resolve(answer));
    expect(answer.body.data).toMatchObject({ status: 'completed', count: 9, atomic: true });
    expect(results).toMatchObject(
      operations.map(({ action, object_type }) => ({ action, object_type, status: 'succeeded' })),
    );
    const [made, big] = results;
    expect((await read('deals', big?.id)).fields.company_id).toBe(made?.id);
    expect((await read('deals', results[7]?.id)).fields.company_id).toBeNull();
    expect(results[7]).toMatchObject({ created: true });
    expect((await read('contracts', moved.id)).status).toBe('shelved');
    const linked = await fleet.ada.get(
      `/objects/deals/records/${big?.id}/relationships/assoc.contacts_deals`,
    );
    expect(linked.body.data.map(({ id }: { id: string }) => id)).toEqual([contact.id]);
    const comments = await fleet.ada.get(`/objects/companies/records/${made?.id}/comments`);
    expect(comments.body.data).toMatchObject([{ id: results[5]?.comment_id, body: 'New here' }]);
    const told = await fleet.mia.get('/notifications');
    expect(told.body.data[0]).toMatchObject({ record_id: made?.id });
    for (const [object, result] of [
      ['deals', results[1]],
      ['deals', results[7]],
      ['contacts', results[2]],
      ['contracts', results[3]],
    ] as const) {
      expect((await read(object, result?.id)).version).toBe(result?.version);
    }
    const audit = await fleet.world.rows(
      'select record_id, object_type, action, batch_id from _audit where request_id = $1 order by id',
      [answer.headers.get('x-request-id')],
    );
    expect(audit.map(({ record_id }) => record_id)).toEqual(results.map(({ id }) => id));
    expect(audit.map(({ object_type }) => object_type)).toEqual(
      operations.map(({ object_type }) => object_type),
    );
    expect(audit.map(({ action }) => action)).toEqual([
      ...['create', 'create', 'update', 'status', 'link', 'comment', 'delete', 'create', 'unlink'],
    ]);
    expect(new Set(audit.map(({ batch_id }) => batch_id)).size).toBe(1);
  });

  test('an order with its lines, in one round trip for each message', async () => {
    const lines = Array.from({ length: 20 }, (_, index) =>
      create('boats', { name: `Boat ${index}`, company_id: FIRST }),
    );
    const [order, ...made] = await applied(send(fleet.ada, [company('Order'), ...lines]));
    const found = await fleet.ada.get(`/objects/boats/records?filter[company_id]=${order?.id}`);
    expect(found.body.data.map(({ id }: { id: string }) => id).sort()).toEqual(
      made.map(({ id }) => id).sort(),
    );
  });

  test('orders and lines in turns keep their references and the order of their audit rows', async () => {
    const operations = Array.from({ length: 6 }, (_, index) =>
      index % 2 === 0
        ? company(`Turn ${index}`)
        : create('boats', { name: `Turn ${index}`, company_id: { $op: index - 1 } }),
    );
    const answer = await send(fleet.ada, operations);
    const results = await applied(Promise.resolve(answer));
    for (const index of [1, 3, 5]) {
      const boat = await read('boats', results[index]?.id);
      expect(boat.fields.company_id).toBe(results[index - 1]?.id);
    }
    const audit = await fleet.world.rows(
      'select record_id from _audit where request_id = $1 order by id',
      [answer.headers.get('x-request-id')],
    );
    expect(audit.map(({ record_id }) => record_id)).toEqual(results.map(({ id }) => id));
  });

  test('an upsert is the record that it finds or makes, wherever it is named', async () => {
    const hit = await deal(fleet.ada, { code: 'UP-1' });
    const contact = await make('contacts', { name: 'Jo' });
    const operations = (code: string) => [
      { action: 'upsert', object_type: 'deals', match: { code }, fields: { name: code } },
      create('deals', { name: 'After', related_id: FIRST }),
      on('link', 'deals', FIRST, { ...LINK, target_id: contact.id }),
      on('link', 'contacts', contact.id, { ...LINK, target_id: { $op: 1 } }),
      on('comment', 'deals', FIRST, { body: 'Up' }),
      on('update', 'deals', FIRST, { fields: { amount: 3 } }),
    ];
    const found = await applied(send(fleet.ada, operations('UP-1')));
    expect(found.map(({ id }) => id)).toEqual([
      ...[hit.id, found[1]?.id, hit.id, contact.id, hit.id, hit.id],
    ]);
    expect((await read('deals', found[1]?.id)).fields.related_id).toBe(hit.id);
    expect(await read('deals', hit.id)).toMatchObject({
      version: found[5]?.version,
      fields: { amount: 3, name: 'UP-1' },
    });
    expect((await trail(hit.id)).map(([action]) => action)).toEqual([
      ...['create', 'update', 'link', 'comment', 'update'],
    ]);
    const made = await applied(send(fleet.ada, operations('UP-2')));
    expect(made[0]).toMatchObject({ created: true });
    expect((await read('deals', made[1]?.id)).fields.related_id).toBe(made[0]?.id);
    expect((await read('deals', made[0]?.id)).version).toBe(made[0]?.version);
    expect(made[0]?.version).toMatch(/^2-/);
  });

  test('work items get their numbers in order, and a tree of one batch its parents', async () => {
    const item = (title: string, more: object = {}) =>
      create('work_items', { work_item_type_id: 'task', title, ...more });
    const results = await applied(
      send(fleet.ada, [
        item('Root'),
        company('Between'),
        item('Child', { parent_work_item_id: FIRST }),
        item('Grandchild', { parent_work_item_id: { $op: 2 } }),
      ]),
    );
    const items = await Promise.all([0, 2, 3].map((at) => read('work_items', results[at]?.id)));
    expect(items.map(({ fields }) => fields.parent_work_item_id)).toEqual([
      null,
      results[0]?.id,
      results[2]?.id,
    ]);
    const numbers = items.map(({ public_id }) => Number(public_id.split('-')[1]));
    expect(numbers).toEqual([0, 1, 2].map((more) => (numbers[0] as number) + more));
  });

  test('a record that was searched for before is found by its last name only', async () => {
    const [one] = await applied(
      send(fleet.ada, [
        company('Xylophone first'),
        on('update', 'companies', FIRST, { fields: { name: 'Quetzal second' } }),
      ]),
    );
    const search = async (q: string) =>
      (await fleet.ada.get(`/search?q=${q}`)).body.data.map(({ id }: { id: string }) => id);
    expect(await search('quetzal')).toEqual([one?.id]);
    expect(await search('xylophone')).toEqual([]);
  });

  test('a delete clears references of other objects, before and after their own change', async () => {
    const target = await make('companies', { name: 'Cleared' });
    const [early, late] = [
      await deal(fleet.ada, { company_id: target.id }),
      await deal(fleet.ada, { company_id: target.id }),
    ];
    const results = await applied(
      send(fleet.ada, [
        on('update', 'deals', early.id, { fields: { amount: 1 } }),
        on('delete', 'companies', target.id),
        on('update', 'deals', late.id, { fields: { amount: 2 } }),
      ]),
    );
    expect(results[1]).toMatchObject({ cleared_references: { deals: 2 } });
    for (const [index, { id }] of [
      [0, early],
      [2, late],
    ] as const) {
      const now = await read('deals', id);
      expect(now.fields.company_id).toBeNull();
      expect(now.version).toBe(results[index]?.version);
      expect(now.version).toMatch(/^3-/);
    }
  });

  test('records that need another can be deleted before it, and not after', async () => {
    const target = await make('companies', { name: 'Needed' });
    const boat = await make('boats', { name: 'B', company_id: target.id });
    const [remove, sink] = [on('delete', 'companies', target.id), on('delete', 'boats', boat.id)];
    await refused(() => send(fleet.ada, [remove, sink]), [409, 'conflict', 'operations[0]']);
    expect(await applied(send(fleet.ada, [sink, remove]))).toHaveLength(2);
  });

  test('a repeated key returns the stored answer; and only to callers who may still read it', async () => {
    const key = { 'idempotency-key': uuidv7() };
    const operations = [
      create('deals', { name: 'Once' }),
      create('boats', { name: 'Once', company_id: (await make('companies', { name: 'O' })).id }),
    ];
    const first = await send(fleet.rob, operations, key);
    expect(first.status, JSON.stringify(first.body)).toBe(200);
    const before = await fleet.world.digest();
    const again = await send(fleet.rob, operations, key);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    const other = await send(fleet.rob, [operations[0]], key);
    expect(other.body.error.code).toBe('idempotency_key_reused');
    expect(await fleet.world.digest()).toBe(before);
    const { id } = (await fleet.sam.get('/me')).body.data.user;
    await fleet.set('deals', first.body.data.results[0].id, { owner_user_id: id });
    expect((await send(fleet.rob, operations, key)).body.error.code).toBe('record_not_found');
  });
});

describe('refusals', () => {
  const AT = 'operations[1].';

  test.each<readonly [string, unknown, string]>([
    ['itself', { $op: 1 }, 'is no earlier operation'],
    ['a later operation', { $op: 2 }, ''],
    ['one of another object', FIRST, ''],
    ...['length', 'map', '__proto__', '0', [0], 0.5, -1, null, {}].map(
      (index) => [`no index: ${JSON.stringify(index)}`, { $op: index }, ''] as const,
    ),
  ])('a reference to %s', async (_, related_id) => {
    const operations = [
      company('One'),
      create('deals', { name: 'Two', related_id }),
      create('deals', { name: 'Three' }),
    ];
    await refused(
      () => send(fleet.ada, operations),
      [400, 'validation_failed', `${AT}fields.related_id`],
    );
  });

  test('a reference to a record that is deleted', async () => {
    const { id } = await deal(fleet.ada);
    const removal = on('delete', 'deals', id);
    await refused(
      () => send(fleet.ada, [removal, create('deals', { name: 'x', related_id: FIRST })]),
      [400, 'validation_failed', `${AT}fields.related_id`],
    );
    await refused(
      () => send(fleet.ada, [removal, create('deals', { name: 'x', related_id: id })]),
      [422, 'invalid_write', `${AT}fields.related_id`],
    );
  });

  test.each([
    ['an index that is none', { $op: -1 }],
    ['an index that is a text', { $op: '0' }],
    ['more than an index', { $op: 0, more: 1 }],
  ])('an id that is %s', async (_, id) => {
    const update = on('update', 'companies', id, { fields: {} });
    await refused(
      () => send(fleet.ada, [company('One'), update]),
      [400, 'validation_failed', `${AT}id`],
    );
  });

  test('an earlier operation as value of a match, of another field, or of a delete', async () => {
    const match = { company_id: FIRST };
    await refused(
      () => send(fleet.ada, [company('One'), { action: 'upsert', object_type: 'deals', match }]),
      [400, 'validation_failed', `${AT}match.company_id`],
    );
    await refused(
      () => send(fleet.ada, [company('One'), create('deals', { name: FIRST })]),
      [422, 'invalid_write', `${AT}fields.name`],
    );
    await refused(
      () => send(fleet.ada, [company('One'), on('delete', 'companies', FIRST)]),
      [400, 'validation_failed', `${AT}id`],
    );
  });

  test('the target of a link that is of another object', async () => {
    const link = on('link', 'deals', (await deal(fleet.ada)).id, { ...LINK, target_id: FIRST });
    await refused(
      () => send(fleet.ada, [company('One'), link]),
      [400, 'validation_failed', `${AT}target_id`],
    );
  });

  test('in the batch of one object an earlier operation is a value like any other', async () => {
    const operations = [
      { action: 'create', fields: { name: 'One' } },
      { action: 'create', fields: { name: 'Two', related_id: FIRST } },
    ];
    await refused(
      () => fleet.batch(fleet.ada, operations),
      [422, 'invalid_write', `${AT}fields.related_id`],
    );
  });

  test('a record that is changed twice by its id, or under two objects', async () => {
    const { id } = await deal(fleet.ada);
    const change = on('update', 'deals', id, { fields: { amount: 1 } });
    await refused(() => send(fleet.ada, [change, change]), [400, 'validation_failed', `${AT}id`]);
    const elsewhere = on('update', 'companies', id, { fields: {} });
    await refused(
      () => send(fleet.ada, [change, elsewhere]),
      [400, 'validation_failed', `${AT}id`],
    );
    const remark = on('comment', 'deals', id, { body: 'Twice is fine' });
    await applied(send(fleet.ada, [remark, change, remark]));
  });

  test('versions: those before the request count, of records with an id', async () => {
    const { id, version } = await deal(fleet.ada);
    const change = (amount: number) =>
      on('update', 'deals', id, { fields: { amount }, expected_version: version });
    await applied(send(fleet.ada, [company('One'), change(1)]));
    await refused(
      () => send(fleet.ada, [company('Two'), change(2)]),
      [412, 'stale_record', 'operations[1]'],
    );
    const follow = on('update', 'companies', FIRST, { fields: {}, expected_version: version });
    await refused(
      () => send(fleet.ada, [company('Two'), follow]),
      [400, 'validation_failed', `${AT}expected_version`],
    );
  });

  test('objects that are not there, and comments where there are none: all of them are named', async () => {
    const operations = [
      company('One'),
      create('nothing', {}),
      on('comment', 'contracts', uuidv7(), { body: 'x' }),
    ];
    const answer = await send(fleet.ada, operations);
    expect(answer.status).toBe(404);
    expect(answer.body.error).toMatchObject({
      code: 'object_not_available',
      param: 'operations[1].object_type',
      details: {
        errors: [
          { code: 'object_not_available', operation_index: 1, action: 'create' },
          { code: 'comments_not_supported', operation_index: 2, action: 'comment' },
        ],
      },
    });
  });

  test('comments: blank ones, of missing records, and mentions of unknown people', async () => {
    const { id } = await deal(fleet.ada);
    const comment = (body: string, more: object = {}) =>
      on('comment', 'deals', id, { body, ...more });
    await refused(
      () => send(fleet.ada, [comment(' ')]),
      [400, 'validation_failed', 'operations[0].body'],
    );
    await refused(
      () => send(fleet.ada, [on('comment', 'deals', uuidv7(), { body: 'x' })]),
      [404, 'record_not_found', 'operations[0].id'],
    );
    await refused(
      () => send(fleet.ada, [comment('x', { mention_user_ids: [999_999] })]),
      [400, 'validation_failed', 'operations[0].mention_user_ids'],
    );
    await refused(
      () =>
        send(fleet.ada, [
          comment('x'),
          on('delete', 'deals', id),
          on('comment', 'deals', FIRST, { body: 'x' }),
        ]),
      [404, 'record_not_found', 'operations[2].id'],
    );
  });

  test('the first of the stages decides, for any object', async () => {
    const absent = on('update', 'companies', uuidv7(), { fields: { name: 'x' } });
    const broken = create('deals', { name: 'x', amount: -1 });
    await refused(
      () => send(fleet.ada, [broken, absent]),
      [404, 'record_not_found', 'operations[1].id'],
    );
    await refused(
      () => send(fleet.rob, [broken, create('products', { name: 'x' })]),
      [404, 'object_not_available', 'operations[1].object_type'],
    );
    await refused(
      () => send(fleet.rob, [broken, company('x')]),
      [403, 'permission_denied', 'operations[1]'],
    );
  });

  test('unique values that two operations give, and those that another record has', async () => {
    const twice = [
      create('deals', { name: 'a', code: 'TW' }),
      create('deals', { name: 'b', code: 'TW' }),
    ];
    await refused(
      () => send(fleet.ada, [company('x'), ...twice]),
      [409, 'conflict', 'operations[2].fields.code'],
    );
    await deal(fleet.ada, { code: 'TAKEN' });
    await refused(
      () => send(fleet.ada, [company('x'), create('deals', { name: 'a', code: 'TAKEN' })]),
      [409, 'conflict', 'operations[1].fields.code'],
    );
  });

  test('101 operations, and none; 100 are fine', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => company(`Many ${at}`));
    for (const count of [0, 101]) {
      await refused(() => send(fleet.ada, many(count)), [400, 'validation_failed', 'operations']);
    }
    expect(await applied(send(fleet.ada, many(100)))).toHaveLength(100);
  });

  test.each([
    [{ ...company('x'), more: 1 }, 'operations[0].more'],
    [{ action: 'create', fields: {} }, 'operations[0].object_type'],
    [{ ...company('x'), object_type: 'No' }, 'operations[0].object_type'],
    [{ action: 'make', object_type: 'deals' }, 'operations[0].action'],
    [{ action: 'comment', object_type: 'deals', id: 'x' }, 'operations[0].body'],
  ])('the shape %j', async (operation, param) => {
    await refused(() => send(fleet.ada, [operation]), [400, 'validation_failed', param]);
  });
});

describe('rights', () => {
  test('a key needs the scope of each action', async () => {
    const writer = await fleet.world.as('ada', { scopes: ['records:read', 'records:write'] });
    const { id } = await deal(fleet.ada);
    for (const [operation, scope] of [
      [on('delete', 'deals', id), 'records:delete'],
      [on('comment', 'deals', id, { body: 'x' }), 'comments:write'],
    ] as const) {
      const answer = await send(writer, [company('x'), operation]);
      expect(answer.body.error).toMatchObject({
        code: 'insufficient_scope',
        param: 'operations[1]',
        details: { required_scope: scope },
      });
    }
    expect((await send(writer, [company('x')])).status).toBe(200);
    const commenter = await fleet.world.as('ada', { scopes: ['comments:write'] });
    expect((await send(commenter, [on('comment', 'deals', id, { body: 'x' })])).status).toBe(403);
  });

  test('an earlier operation gives no more access than its record would', async () => {
    const sam = (await fleet.sam.get('/me')).body.data.user.id;
    const given = () => ({ fields: { owner_user_id: sam } });
    await applied(send(fleet.mia, [on('update', 'deals', (await deal(fleet.rob)).id, given())]));
    // Mia may give a deal of her team away; from then on she cannot read it.
    for (const follow of [
      on('update', 'deals', FIRST, { fields: { amount: 1 } }),
      on('comment', 'deals', FIRST, { body: 'x' }),
      on('status', 'deals', FIRST, { status_id: 'won' }),
    ]) {
      const give = on('update', 'deals', (await deal(fleet.rob)).id, given());
      await refused(
        () => send(fleet.mia, [give, follow]),
        [404, 'record_not_found', 'operations[1].id'],
      );
    }
    const give = on('update', 'deals', (await deal(fleet.rob)).id, given());
    const refer = { fields: { related_id: FIRST } };
    const other = (await deal(fleet.rob)).id;
    await refused(
      () => send(fleet.mia, [give, on('update', 'deals', other, refer)]),
      [422, 'invalid_write', 'operations[1].fields.related_id'],
    );
  });

  test('a record out of reach is not there, also for comments and links', async () => {
    const hidden = await deal(fleet.sam);
    const contact = await make('contacts', { name: 'Jo' });
    for (const operation of [
      on('comment', 'deals', hidden.id, { body: 'x' }),
      on('update', 'deals', hidden.id, { fields: { amount: 1 } }),
      on('link', 'deals', hidden.id, { ...LINK, target_id: contact.id }),
    ]) {
      await refused(
        () => send(fleet.rob, [create('deals', { name: 'x' }), operation]),
        [404, 'record_not_found', 'operations[1].id'],
      );
    }
    await refused(
      () => send(fleet.rob, [create('deals', { name: 'x', related_id: hidden.id })]),
      [422, 'invalid_write', 'operations[0].fields.related_id'],
    );
  });

  test('no access to another workspace', async () => {
    const other = await fleet.world.as('ada', { workspace: 'globex' });
    const { id } = await deal(fleet.ada);
    const answer = await send(other, [on('comment', 'deals', id, { body: 'x' })]);
    expect(answer.body.error.code).toBe('record_not_found');
  });
});
