// Upserts in batches: how a record is recognised, which are refused, and that no answer reveals records or values the
// caller may not see.

import { describe, expect, test } from 'vitest';
import { useFleet } from './fleet.ts';

const fleet = useFleet();
const { batch, deal, make, refused, trail } = fleet;

type Fields = Readonly<Record<string, unknown>>;

const upsertOf = (match: unknown, fields?: Fields, target = 'deals') => ({
  action: 'upsert',
  target,
  match,
  ...(fields === undefined ? {} : { fields }),
});

/** Upsert one record; its result. */
async function upsert(match: Fields, fields?: Fields, object = 'deals') {
  const answer = await batch(fleet.ada, [upsertOf(match, fields, object)], object);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data.results[0];
}

describe('matches', () => {
  test('no hit creates with match merged into fields, one hit updates', async () => {
    const made = await upsert({ code: 'U-1', amount: 5 }, { name: 'Made' });
    expect(made).toMatchObject({ action: 'upsert', status: 'succeeded', created: true });
    const created = (await fleet.ada.get(`/objects/deals/records/${made.id}`)).body.data;
    expect(created.fields).toMatchObject({ name: 'Made', code: 'U-1', amount: 5, status: 'open' });
    const hit = await upsert({ code: 'U-1' }, { amount: 6 });
    expect([hit.id, hit.created, hit.version.split('-')[0]]).toEqual([made.id, false, '2']);
    const same = await upsert({ code: 'U-1', amount: 6 }, { amount: 6.0 });
    expect([same.id, same.created, same.version]).toEqual([made.id, false, hit.version]);
    expect(await upsert({ code: 'U-1' })).toEqual(same);
    expect(await trail(made.id)).toEqual(
      [
        ['create', ['name', 'code', 'amount', 'owner_user_id'].sort()],
        ['update', ['amount']],
      ].map(([action, keys]) => [action, expect.arrayContaining(keys as string[])]),
    );
  });

  test('values are compared as they are stored: e-mail in lower case, text exactly', async () => {
    const { id } = await upsert({ email: 'Jo@Example.ORG' }, { name: 'Jo' }, 'contacts');
    const again = await upsert(
      { email: 'JO@example.org' },
      { email: 'jo@EXAMPLE.org', phone: '+1 234' },
      'contacts',
    );
    expect([again.id, again.created]).toEqual([id, false]);
    expect((await upsert({ name: 'jo' }, {}, 'contacts')).created).toBe(true);
    const at = await upsert({ signed_at: '2026-01-01T00:00:00+02:00' }, { name: 'At' });
    expect((await upsert({ signed_at: '2025-12-31T22:00:00Z' })).id).toBe(at.id);
  });

  test('not by a field that is never written, whether or not a record has it', async () => {
    const { id, created_at } = await deal(fleet.ada, { amount: 77 });
    const absent = '01a1fd00-0000-7000-8000-000000000000';
    const matches = [{ id }, { id: absent }, { id: 'nope' }, { status: 'open' }, { created_at }];
    for (const match of [...matches, { origin: 'x' }]) {
      const [key = ''] = Object.keys(match);
      await refused(
        () => batch(fleet.ada, [upsertOf({ ...match, amount: 77 }, { name: 'x' })]),
        [422, 'invalid_write', `operations[0].match.${key}`],
      );
    }
  });

  test('by the owner', async () => {
    const { id, owner_user_id } = await deal(fleet.ada, { amount: 78 });
    expect((await upsert({ amount: 78, owner_user_id })).id).toBe(id);
  });

  test('the rules of a new record hold', async () => {
    await refused(
      () => batch(fleet.ada, [upsertOf({ code: 'U-RULES' })]),
      [422, 'invalid_write', 'operations[0].fields.name'],
    );
    await refused(
      () => batch(fleet.ada, [upsertOf({ amount: -5 }, { name: 'x' })]),
      [400, 'invalid_filter', 'operations[0].match.amount'],
    );
  });

  test.each([
    [{}, undefined, 'validation_failed', 'match'],
    [{ code: 'x', name: 'x', amount: 1, rank: 1 }, undefined, 'validation_failed', 'match'],
    [{ code: null }, undefined, 'invalid_filter', 'match.code'],
    [{ code: '' }, undefined, 'invalid_filter', 'match.code'],
    [{ code: 5 }, undefined, 'invalid_filter', 'match.code'],
    [{ code: 'a\0' }, undefined, 'invalid_filter', 'match.code'],
    [{ code: { eq: 'x' } }, undefined, 'invalid_filter', 'match.code'],
    [{ amount: '5' }, undefined, 'invalid_filter', 'match.amount'],
    [{ tags: ['new'] }, undefined, 'invalid_filter', 'match.tags'],
    [{ nope: 1 }, undefined, 'invalid_filter', 'match.nope'],
    [{ custom_fields: { a: 1 } }, undefined, 'invalid_filter', 'match.custom_fields'],
    [{ code: 'x' }, { code: 'y' }, 'validation_failed', 'match.code'],
    [{ code: 'x' }, { code: null }, 'validation_failed', 'match.code'],
    [{ code: 'x' }, { nope: 1 }, 'invalid_filter', 'fields.nope'],
  ] as const)('refuses %j with %j', async (match, fields, code, param) => {
    await refused(
      () => batch(fleet.ada, [upsertOf(match, fields)]),
      [400, code, `operations[0].${param}`],
    );
  });

  test('a jsonb field cannot be matched, three keys can', async () => {
    const match = { note: 'x' };
    await refused(
      () => batch(fleet.ada, [upsertOf(match, {}, 'companies')], 'companies'),
      [400, 'invalid_filter', 'operations[0].match.note'],
    );
    const three = { code: 'U-THREE', name: 'x', amount: 3 };
    expect((await upsert(three)).created).toBe(true);
    expect((await upsert({ amount: 3, name: 'x', code: 'U-THREE' })).created).toBe(false);
  });

  test('more than one hit is a conflict', async () => {
    await deal(fleet.ada, { name: 'Double' });
    await deal(fleet.ada, { name: 'Double' });
    await refused(
      () => batch(fleet.ada, [upsertOf({ name: 'Double' })]),
      [409, 'conflict', 'operations[0].match'],
    );
  });
});

describe('without the rights', () => {
  test('an unreadable field is refused whether or not a record has the value', async () => {
    await deal(fleet.rob, { name: 'Secretive' });
    const answers = [];
    for (const secret of ['there', 'not there']) {
      if (secret === 'there') await deal(fleet.ada, { secret });
      const send = () => batch(fleet.rob, [upsertOf({ secret }, { name: 'x' })]);
      await refused(send, [403, 'permission_denied', 'operations[0].match.secret']);
      const { request_id: _, ...error } = (await send()).body.error;
      answers.push(error);
    }
    expect(answers[0]).toEqual(answers[1]);
  });

  test('records out of sight are not hits', async () => {
    const hidden = [];
    for (const amount of [1, 1, 2]) {
      hidden.push(await deal(fleet.sam, { name: 'Out of sight', amount }));
    }
    const send = () => batch(fleet.rob, [upsertOf({ name: 'Out of sight' }, { amount: 1 })]);
    const made = (await send()).body.data.results[0];
    expect(made.created).toBe(true);
    expect(hidden.map(({ id }) => id)).not.toContain(made.id);
    const found = (await send()).body.data.results[0];
    expect(found).toEqual({ ...made, created: false });
    for (const { id, version } of hidden) {
      const { data } = (await fleet.ada.get(`/objects/deals/records/${id}`)).body;
      expect(data.version).toBe(version);
    }
    // Two of one's own are too many, whatever else there is.
    await deal(fleet.rob, { name: 'Out of sight' });
    await refused(send, [409, 'conflict', 'operations[0].match']);
  });

  test('problems of other values do not reveal values out of sight', async () => {
    await deal(fleet.sam, { name: 'Guessed', amount: 4711, closes_on: '2026-05-05' });
    const guesses = [
      { name: 'Guessed' },
      { name: 'Guessed', amount: 4711 },
      { name: 'Guessed', amount: 4712 },
      { name: 'Guessed', closes_on: '2026-05-05' },
      { name: 'Nobody has this' },
    ];
    for (const status of ['open', 'won']) {
      const operations = [upsertOf({ name: 'Guessed', status }, { company_id: 'bad' })];
      const { body } = await batch(fleet.rob, operations);
      expect(body.error.details.errors.map(({ param }: { param: string }) => param)).toEqual([
        'operations[0].match.status',
        'operations[0].fields.company_id',
      ]);
    }
    const broken = [
      { company_id: 'bad' },
      { company_id: '01a1fd00-0000-7000-8000-000000000000' },
      { origin: 'x' },
    ];
    for (const fields of broken) {
      const answers = new Set<string>();
      for (const match of guesses) {
        const { status, body } = await batch(fleet.rob, [upsertOf(match, fields)]);
        answers.add(JSON.stringify([status, { ...body.error, request_id: '' }]));
      }
      expect(answers.size, [...answers].join('\n')).toBe(1);
    }
  });

  test('only a unique value out of sight is a conflict, as for any create', async () => {
    const hidden = await deal(fleet.sam, { name: 'Unique out of sight', rank: 4711 });
    const operation = upsertOf({ rank: 4711 }, { name: 'Mine' });
    await refused(
      () => batch(fleet.rob, [operation]),
      [409, 'conflict', 'operations[0].match.rank'],
    );
    const upserted = (await batch(fleet.rob, [operation])).body.error;
    expect(JSON.stringify(upserted)).not.toContain(hidden.id);
    const create = { action: 'create', fields: { name: 'Mine', rank: 4711 } };
    const created = (await batch(fleet.rob, [create])).body.error;
    expect(upserted.message).toBe(created.message);
    expect((await batch(fleet.ada, [operation])).body.data.results[0].id).toBe(hidden.id);
  });

  test('readable but not updatable is 403', async () => {
    await make('contacts', { name: 'Not yours' });
    const operations = [upsertOf({ name: 'Not yours' }, { phone: '123' }, 'contacts')];
    await refused(
      () => batch(fleet.rob, operations, 'contacts'),
      [403, 'permission_denied', 'operations[0]'],
    );
    const own = upsertOf({ name: 'Mine alone' }, { phone: '123' }, 'contacts');
    expect((await batch(fleet.rob, [own], 'contacts')).body.data.results[0].created).toBe(true);
  });

  test('a key that is read-only to the caller finds, but does not create', async () => {
    const mine = await deal(fleet.rob);
    await fleet.set('deals', mine.id, { code: 'U-READ' });
    const hit = await batch(fleet.rob, [upsertOf({ code: 'U-READ' }, { amount: 3 })]);
    expect(hit.body.data.results[0]).toMatchObject({ id: mine.id, created: false });
    await refused(
      () => batch(fleet.rob, [upsertOf({ code: 'U-NONE' }, { name: 'x' })]),
      [403, 'permission_denied', 'operations[0].match.code'],
    );
  });

  test('neither create nor update: the action itself is refused', async () => {
    const operation = upsertOf({ name: 'x' }, {}, 'companies');
    await refused(
      () => batch(fleet.rob, [operation], 'companies'),
      [403, 'permission_denied', 'operations[0]'],
    );
  });
});

describe('one record, one operation', () => {
  test('a record that another operation uses', async () => {
    const { id } = await deal(fleet.ada, { name: 'Used', code: 'U-USED' });
    const hit = upsertOf({ code: 'U-USED' }, { amount: 2 });
    const others = [
      { action: 'update', id: id.toUpperCase(), fields: { amount: 1 } },
      { action: 'status', id, status_id: 'won' },
      { action: 'delete', id },
      { action: 'update', id, fields: { code: 'U-MOVED' } },
      upsertOf({ name: 'Used' }, { amount: 3 }),
      hit,
    ];
    for (const other of others) {
      await refused(() => batch(fleet.ada, [other, hit]), [409, 'conflict', 'operations[1].match']);
    }
    await refused(
      () => batch(fleet.ada, [hit, { action: 'delete', id }]),
      [409, 'conflict', 'operations[0].match'],
    );
  });

  test('a record that an earlier operation makes', async () => {
    const { id } = await deal(fleet.ada);
    const late = upsertOf({ name: 'Early', amount: 4 }, { tags: ['new'] });
    const earlier = [
      { action: 'create', fields: { name: 'Early', amount: 4 } },
      { action: 'update', id, fields: { name: 'Early', amount: 4 } },
      upsertOf({ name: 'Early' }, { amount: 4 }),
      late,
    ];
    for (const other of earlier) {
      await refused(
        () => batch(fleet.ada, [other, late]),
        [409, 'conflict', 'operations[1].match'],
      );
    }
    const { id: target } = await make('companies', { name: 'Early' });
    const link = { action: 'link', id, association_id: 'ref.company_id', target_id: target };
    await refused(
      () => batch(fleet.ada, [link, upsertOf({ company_id: target }, { name: 'x' })]),
      [409, 'conflict', 'operations[1].match'],
    );
    const mine = upsertOf({ name: 'Mine', owner_user_id: fleet.world.users.ada });
    await refused(
      () => batch(fleet.ada, [{ action: 'create', fields: { name: 'Mine' } }, mine]),
      [409, 'conflict', 'operations[1].match'],
    );
    const others = [
      { action: 'create', fields: { name: 'Early', amount: 5 } },
      upsertOf({ name: 'Earlier', amount: 4 }),
    ];
    expect((await batch(fleet.ada, [...others, late])).status).toBe(200);
  });

  test('link targets do not count', async () => {
    const target = await deal(fleet.ada, { code: 'U-TARGET' });
    const from = await deal(fleet.ada);
    const link = { action: 'link', id: from.id, association_id: 'ref.related_id' };
    const answer = await batch(fleet.ada, [
      { ...link, target_id: target.id },
      upsertOf({ code: 'U-TARGET' }, { amount: 2 }),
    ]);
    expect(answer.status).toBe(200);
  });

  test('eight racing upserts make one record', async () => {
    for (const match of [{ name: 'Race', amount: 1 }, { name: 'Race again' }]) {
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) => {
          // The order of the keys does not change the match.
          const keys = index % 2 === 0 ? Object.entries(match) : Object.entries(match).toReversed();
          return batch(fleet.ada, [upsertOf(Object.fromEntries(keys), { tags: ['hot'] })]);
        }),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
      const results = answers.map(({ body }) => body.data.results[0]);
      expect(new Set(results.map(({ id }) => id)).size).toBe(1);
      expect(results.filter(({ created }) => created)).toHaveLength(1);
    }
  });

  test('racing upserts of people who see each other make one record', async () => {
    const match = { name: 'Race of reaches', owner_user_id: fleet.world.users.rob };
    const people = [fleet.rob, fleet.mia, fleet.ada];
    const answers = await Promise.all(
      [...people, ...people, ...people].map((one) =>
        batch(one, [upsertOf(match, { tags: ['hot'] })]),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(9).fill(200));
    const results = answers.map(({ body }) => body.data.results[0]);
    expect(new Set(results.map(({ id }) => id)).size).toBe(1);
    expect(results.filter(({ created }) => created)).toHaveLength(1);
  });

  test('of racing upserts that do not see each other one has the unique value', async () => {
    const operation = upsertOf({ rank: 8181 }, { name: 'Race in the dark' });
    const answers = await Promise.all(
      [fleet.rob, fleet.sam, fleet.rae].map((one) => batch(one, [operation])),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    for (const { status, body } of answers) {
      if (status === 409) expect(body.error.details).not.toHaveProperty('existing_record_id');
    }
  });
});

describe('work items', () => {
  const item = (target: string, match: Fields, fields?: Fields) =>
    batch(fleet.ada, [upsertOf(match, fields, target)], 'work_items');

  test('the slug of a type is part of the match', async () => {
    const task = (await item('task', { title: 'Paint' })).body.data.results[0];
    expect(task.created).toBe(true);
    const permit = (await item('permit', { title: 'Paint' })).body.data.results[0];
    expect([permit.created, permit.id === task.id]).toEqual([true, false]);
    const shown = (await fleet.ada.get(`/objects/work_items/records/${permit.id}`)).body.data;
    expect([shown.work_item_type_id, shown.status]).toEqual(['permit', 'draft']);
    const again = await item('task', { title: 'Paint' }, { due_date: '2026-12-01' });
    expect(again.body.data.results[0]).toMatchObject({ id: task.id, created: false });
    await refused(
      () => item('work_items', { title: 'Paint' }),
      [409, 'conflict', 'operations[0].match'],
    );
    const typed = await item('work_items', { title: 'Paint', work_item_type_id: 'permit' });
    expect(typed.body.data.results[0]).toMatchObject({ id: permit.id, created: false });
  });

  test('target, match and fields must agree', async () => {
    const type = 'operations[0].match.work_item_type_id';
    await refused(
      () => item('task', { title: 'Paint', work_item_type_id: 'permit' }),
      [400, 'validation_failed', type],
    );
    await refused(
      () => item('task', { title: 'x' }, { work_item_type_id: 'permit' }),
      [400, 'validation_failed', type],
    );
    const agreeing = await item(
      'task',
      { title: 'Agree', work_item_type_id: 'task' },
      { work_item_type_id: 'task' },
    );
    expect(agreeing.status).toBe(200);
  });

  test('other targets are refused', async () => {
    for (const target of ['old', 'nope', 'deals', 'TASK', '__proto__']) {
      await refused(
        () => item(target, { title: 'x' }),
        [400, 'validation_failed', 'operations[0].target'],
      );
    }
    await refused(
      () => batch(fleet.ada, [upsertOf({ name: 'x' }, {}, 'task')]),
      [400, 'validation_failed', 'operations[0].target'],
    );
    await refused(
      () => item('work_items', { title: 'Untyped' }),
      [422, 'invalid_write', 'operations[0].fields.work_item_type_id'],
    );
    await refused(
      () => item('work_items', { title: 'x', work_item_type_id: 'old' }),
      [422, 'invalid_write', 'operations[0].fields.work_item_type_id'],
    );
  });
});
