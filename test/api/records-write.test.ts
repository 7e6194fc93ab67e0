// Writing records over HTTP: every operation with its answer, its refusals and its traces.

import { describe, expect, test } from 'vitest';
import type { Client } from '../client.ts';
import { useCast } from './cast.ts';

const cast = useCast();
const { deal, refused } = cast;

describe('create', () => {
  test('answers 201 with every readable field, an ETag and an audit row', async () => {
    const answer = await cast.ada.post('/objects/deals/records', {
      fields: { name: 'First', amount: 12.5, closes_on: '2026-12-01', tags: ['hot', 'new'] },
    });
    expect(answer.status).toBe(201);
    const { data } = answer.body;
    expect(data).toMatchObject({
      object_type: 'deals',
      display: 'First',
      status: 'open',
      owner_user_id: cast.world.users.ada,
      fields: {
        name: 'First',
        amount: 12.5,
        closes_on: '2026-12-01',
        tags: ['hot', 'new'],
        code: null,
        secret: null,
        status: 'open',
        owner_user_id: cast.world.users.ada,
      },
    });
    expect(answer.headers.get('etag')).toContain(`"${data.version}.`);
    const [audit, ...more] = await cast.world.rows('select * from _audit where record_id = $1', [
      data.id,
    ]);
    expect(more).toEqual([]);
    expect(audit).toMatchObject({
      user_id: cast.world.users.ada,
      api_key_prefix: cast.ada.secret.slice(0, 12),
      object_type: 'deals',
      action: 'create',
      source: 'api',
      request_id: answer.headers.get('x-request-id'),
      batch_id: null,
    });
    expect(audit?.changed_fields).toEqual(
      expect.arrayContaining(['name', 'amount', 'closes_on', 'tags']),
    );
    expect((await cast.ada.get(`/objects/deals/records/${data.id}`)).body.data).toEqual(data);
  });

  test('jsonb fields are under custom_fields, for writing and for reading', async () => {
    const answer = await cast.ada.post('/objects/companies/records', {
      fields: { name: 'Custom', custom_fields: { note: 'hello', score: 7 } },
    });
    expect(answer.body.data.fields.custom_fields).toEqual({ note: 'hello', score: 7 });
    const id = answer.body.data.id;
    await cast.ada.patch(`/objects/companies/records/${id}`, {
      fields: { custom_fields: { note: null } },
    });
    const after = await cast.ada.get(`/objects/companies/records/${id}?fields=note,score`);
    expect(after.body.data.fields).toEqual({ custom_fields: { note: null, score: 7 } });
  });

  test.each([
    ['no fields', {}, [400, 'validation_failed', 'fields']],
    ['fields null', { fields: null }, [400, 'validation_failed', 'fields']],
    ['fields an array', { fields: [] }, [400, 'validation_failed', 'fields']],
    ['extra property', { fields: { name: 'x' }, extra: 1 }, [400, 'validation_failed', 'extra']],
    ['unknown field', { fields: { name: 'x', nope: 1 } }, [400, 'invalid_filter', 'fields.nope']],
    [
      '__proto__',
      '{"fields":{"name":"x","__proto__":1}}',
      [400, 'invalid_filter', 'fields.__proto__'],
    ],
    ['required missing', { fields: { amount: 1 } }, [422, 'invalid_write', 'fields.name']],
    ['required null', { fields: { name: null } }, [422, 'invalid_write', 'fields.name']],
    ['required empty', { fields: { name: '' } }, [422, 'invalid_write', 'fields.name']],
    ['wrong type', { fields: { name: 5 } }, [422, 'invalid_write', 'fields.name']],
    [
      'below minimum',
      { fields: { name: 'x', amount: -1 } },
      [422, 'invalid_write', 'fields.amount'],
    ],
    [
      'bad date',
      { fields: { name: 'x', closes_on: 'now' } },
      [422, 'invalid_write', 'fields.closes_on'],
    ],
    [
      'bad option',
      { fields: { name: 'x', tags: ['cold'] } },
      [422, 'invalid_write', 'fields.tags'],
    ],
    ['status', { fields: { name: 'x', status: 'won' } }, [422, 'invalid_write', 'fields.status']],
    ['id', { fields: { name: 'x', id: 'y' } }, [422, 'invalid_write', 'fields.id']],
    [
      'read-only field',
      { fields: { name: 'x', origin: 'y' } },
      [422, 'invalid_write', 'fields.origin'],
    ],
    ['NUL', { fields: { name: 'a\0b' } }, [422, 'invalid_write', 'fields.name']],
    ['lone surrogate', '{"fields":{"name":"\\ud800"}}', [422, 'invalid_write', 'fields.name']],
    [
      'no such user',
      { fields: { name: 'x', owner_user_id: 999999 } },
      [422, 'invalid_write', 'fields.owner_user_id'],
    ],
    [
      'no such company',
      { fields: { name: 'x', company_id: '01a1fd00-0000-7000-8000-000000000000' } },
      [422, 'invalid_write', 'fields.company_id'],
    ],
    [
      'jsonb key at the top',
      { fields: { name: 'x', note: 'y' } },
      [400, 'invalid_filter', 'fields.note'],
    ],
    ['malformed JSON', '{"fields":', [400, 'invalid_json']],
    ['an array', [], [400, 'validation_failed']],
  ] as const)('refuses %s', async (_, body, expected) => {
    const object = JSON.stringify(body).includes('"note"') ? 'companies' : 'deals';
    await refused(() => cast.ada.post(`/objects/${object}/records`, body), expected);
  });

  test('all problems are listed, the first decides', async () => {
    const { body } = await cast.ada.post('/objects/deals/records', {
      fields: { amount: 'x', closes_on: 'y', tags: 'z' },
    });
    const params = body.error.details.errors.map((error: { param: string }) => error.param);
    expect(params).toEqual(
      expect.arrayContaining(['fields.amount', 'fields.closes_on', 'fields.tags', 'fields.name']),
    );
  });

  test('inactive people cannot own, agents can, an owner needs the right to be assigned', async () => {
    const { zed, bot } = cast.world.users;
    const ofZed = { name: 'x', owner_user_id: zed };
    await refused(
      () => cast.ada.post('/objects/deals/records', { fields: ofZed }),
      [422, 'invalid_write', 'fields.owner_user_id'],
    );
    expect((await deal(cast.ada, { owner_user_id: bot })).owner_user_id).toBe(bot);
    const fields = { name: 'x', owner_user_id: cast.world.users.rae };
    await refused(
      () => cast.rob.post('/objects/deals/records', { fields }),
      [403, 'permission_denied', 'fields.owner_user_id'],
    );
    expect((await deal(cast.mia, { owner_user_id: cast.world.users.rob })).owner_user_id).toBe(
      cast.world.users.rob,
    );
  });

  test('object, action and field permissions', async () => {
    const create = (client: Client, object: string, fields: object) => () =>
      client.post(`/objects/${object}/records`, { fields });
    await refused(create(cast.rob, 'companies', { name: 'x' }), [403, 'permission_denied']);
    await refused(create(cast.rob, 'meetings', { title: 'x' }), [404, 'object_not_available']);
    await refused(create(cast.ada, 'nope', { name: 'x' }), [404, 'object_not_available']);
    await refused(create(cast.rob, 'deals', { name: 'x', code: 'C' }), [
      403,
      'permission_denied',
      'fields.code',
    ]);
    await refused(create(cast.rob, 'deals', { name: 'x', secret: 's' }), [
      403,
      'permission_denied',
      'fields.secret',
    ]);
  });

  test('unique values: the second create is 409', async () => {
    await deal(cast.ada, { code: 'UNIQUE-1' });
    await refused(
      () => cast.ada.post('/objects/deals/records', { fields: { name: 'x', code: 'UNIQUE-1' } }),
      [409, 'conflict', 'fields.code'],
    );
  });
});

describe('update', () => {
  test('only the fields sent change; the version rises by one', async () => {
    const created = await deal(cast.ada, { amount: 1 });
    const answer = await cast.ada.patch(`/objects/deals/records/${created.id}`, {
      fields: { amount: 2 },
    });
    expect(answer.status).toBe(200);
    const { fields, version } = answer.body.data;
    expect(fields).toMatchObject({ amount: 2, name: 'Deal' });
    expect([created.version, version].map((token) => token.split('-')[0])).toEqual(['1', '2']);
    expect(answer.headers.get('etag')).toContain(`"${version}.`);
    const audit = await cast.world.rows(
      'select action, changed_fields from _audit where record_id = $1 order by id',
      [created.id],
    );
    expect(audit[1]).toEqual({ action: 'update', changed_fields: ['amount'] });
  });

  test('a change without a difference keeps the version and leaves no trace', async () => {
    const { id, version } = await deal(cast.ada, { amount: 5, tags: ['new'] });
    const before = await cast.world.digest();
    const fields = { amount: 5.0, tags: ['new'], name: 'Deal' };
    const answer = await cast.ada.patch(`/objects/deals/records/${id}`, { fields });
    expect([answer.status, answer.body.data.version]).toEqual([200, version]);
    expect(await cast.world.digest()).toBe(before);
  });

  test('refusals', async () => {
    const { id } = await deal(cast.ada, { secret: 'x' });
    const path = `/objects/deals/records/${id}`;
    const patch = (body: unknown) => () => cast.ada.patch(path, body);
    await refused(patch({ fields: { name: 'x', nope: 1 } }), [
      400,
      'invalid_filter',
      'fields.nope',
    ]);
    await refused(patch({ fields: { name: 'x', status: 'won' } }), [
      422,
      'invalid_write',
      'fields.status',
    ]);
    await refused(patch({ fields: { name: null } }), [422, 'invalid_write', 'fields.name']);
    await refused(patch({ fields: { amount: '5' } }), [422, 'invalid_write', 'fields.amount']);
    await refused(patch({}), [400, 'validation_failed', 'fields']);
    await refused(() => cast.sam.patch(path, { fields: { name: 'x' } }), [404, 'record_not_found']);
    await refused(
      () => cast.ada.patch('/objects/deals/records/nope', { fields: {} }),
      [404, 'record_not_found'],
    );
    await refused(
      () => cast.ada.patch(`/objects/deals/records/${'x'.repeat(201)}`, { fields: {} }),
      [400, 'validation_failed', 'record_id'],
    );
    const reading = await cast.ada.post('/objects/readings/records', { fields: { value: 1 } });
    await refused(
      () =>
        cast.ada.patch(`/objects/readings/records/${reading.body.data.id}`, {
          fields: { value: 2 },
        }),
      [403, 'write_not_supported'],
    );
  });

  test('readable but not updatable is 403; field without write permission is 403', async () => {
    const company = await cast.ada.post('/objects/companies/records', {
      fields: { name: 'Locked' },
    });
    const path = `/objects/companies/records/${company.body.data.id}`;
    await refused(
      () => cast.rob.patch(path, { fields: { name: 'x' } }),
      [403, 'permission_denied'],
    );
    await refused(
      () => cast.mia.patch(path, { fields: { revenue: 5 } }),
      [403, 'permission_denied', 'fields.revenue'],
    );
    expect((await cast.mia.patch(path, { fields: { name: 'Opened' } })).status).toBe(200);
  });

  test('the answer is the row as written even when the writer loses sight of it', async () => {
    const { id } = await deal(cast.rob, { name: 'Leaving' });
    const to = cast.world.users.sam;
    const answer = await cast.mia.patch(`/objects/deals/records/${id}`, {
      fields: { owner_user_id: to },
    });
    expect([answer.status, answer.body.data.owner_user_id]).toEqual([200, to]);
    expect((await cast.mia.get(`/objects/deals/records/${id}`)).status).toBe(404);
  });

  test('disjoint fields of concurrent writers all survive', async () => {
    const { body } = await cast.ada.post('/objects/companies/records', {
      fields: { name: 'Busy' },
    });
    const path = `/objects/companies/records/${body.data.id}`;
    const answers = await Promise.all([
      cast.ada.patch(path, { fields: { revenue: 1 } }),
      cast.ada.patch(path, { fields: { tier: 'gold' } }),
      cast.ada.patch(path, { fields: { custom_fields: { note: 'a' } } }),
      cast.ada.patch(path, { fields: { custom_fields: { score: 3 } } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { fields, version } = (await cast.ada.get(path)).body.data;
    expect(fields).toMatchObject({
      revenue: 1,
      tier: 'gold',
      custom_fields: { note: 'a', score: 3 },
    });
    expect(version).toMatch(/^5-/);
  });
});

describe('preconditions', () => {
  test('If-Match and expected_version', async () => {
    const { id, version } = await deal(cast.ada);
    const other = await deal(cast.ada);
    const path = `/objects/deals/records/${id}`;
    let amount = 0;
    const patch = (match: string | undefined, expected?: unknown) => {
      amount += 1;
      const fields = { amount };
      const body = expected === undefined ? { fields } : { fields, expected_version: expected };
      return cast.ada.patch(path, body, match === undefined ? {} : { 'if-match': match });
    };
    const stale = (match: string | undefined, expected?: unknown) =>
      refused(() => patch(match, expected), [412, 'stale_record']);
    const broken = (match: string | undefined, expected?: unknown) =>
      refused(() => patch(match, expected), [400, 'validation_failed']);
    await stale('"nope"');
    await stale('""');
    await stale(`W/"${other.version}"`);
    await stale(`"${other.version}"`);
    await stale(undefined, 'nope');
    await stale(undefined, `"${version}"`);
    for (const bad of ['nope', '"nope', `"${version}" "x"`, `*, "${version}"`]) await broken(bad);
    await broken(undefined, 'x'.repeat(201));
    await broken(undefined, null);
    await broken(`"${version}"`, 'other');
    expect((await patch(`"x", "${version}"`)).status).toBe(200);
    const now = (await cast.ada.get(path)).body.data.version;
    expect((await patch(`"${now}"`, now)).status).toBe(200);
    expect((await patch('*')).status).toBe(200);
    await stale(undefined, now);
    await refused(
      () =>
        cast.ada.patch(
          `/objects/deals/records/${crypto.randomUUID()}`,
          { fields: {} },
          { 'if-match': '*' },
        ),
      [404, 'record_not_found'],
    );
  });

  test('the precondition comes after permission, before the rules', async () => {
    const { id } = await deal(cast.rob);
    const path = `/objects/deals/records/${id}`;
    const stale = { 'if-match': '"old"' };
    await refused(
      () => cast.rob.patch(path, { fields: { code: 'x' } }, stale),
      [403, 'permission_denied'],
    );
    await refused(
      () => cast.rob.patch(path, { fields: { nope: 1 } }, stale),
      [400, 'invalid_filter'],
    );
    await refused(
      () => cast.rob.patch(path, { fields: { amount: -1 } }, stale),
      [412, 'stale_record'],
    );
    await refused(
      () => cast.rob.post(`${path}/status`, { status_id: 'nope' }, stale),
      [412, 'stale_record'],
    );
    await refused(() => cast.ada.delete(path, stale), [412, 'stale_record']);
  });

  test('16 writers with one version: exactly one wins', async () => {
    const { id, version } = await deal(cast.ada);
    const path = `/objects/deals/records/${id}`;
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, amount) =>
        cast.ada.patch(path, { fields: { amount }, expected_version: version }),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    // Amount 0 differs from null, so every writer changes something.
    expect(statuses).toEqual([200, ...Array.from({ length: 15 }, () => 412)]);
  });
});

describe('status', () => {
  test('moves along the workflow only', async () => {
    const { id } = await deal(cast.rob);
    const move = (status_id: string) =>
      cast.rob.post(`/objects/deals/records/${id}/status`, { status_id });
    const moved = await move('lost');
    expect([moved.status, moved.body.data.status]).toEqual([200, 'lost']);
    await refused(() => move('won'), [422, 'invalid_write', 'status_id']);
    await refused(() => move('lost'), [422, 'invalid_write', 'status_id']);
    await refused(() => move('nope'), [422, 'invalid_write', 'status_id']);
    expect((await move('open')).status).toBe(200);
    expect((await move('won')).status).toBe(200);
    await refused(() => move('open'), [422, 'invalid_write', 'status_id']);
    const audit = await cast.world.rows(
      'select action, changed_fields from _audit where record_id = $1 order by id',
      [id],
    );
    expect(audit.slice(1)).toEqual(Array(3).fill({ action: 'status', changed_fields: ['status'] }));
  });

  test('refusals', async () => {
    const { id } = await deal(cast.ada);
    const path = `/objects/deals/records/${id}/status`;
    await refused(() => cast.ada.post(path, {}), [400, 'validation_failed', 'status_id']);
    await refused(
      () => cast.ada.post(path, { status_id: '' }),
      [400, 'validation_failed', 'status_id'],
    );
    await refused(
      () => cast.ada.post(path, { status_id: 'won', x: 1 }),
      [400, 'validation_failed', 'x'],
    );
    await refused(() => cast.sam.post(path, { status_id: 'won' }), [404, 'record_not_found']);
    const company = await cast.ada.post('/objects/companies/records', { fields: { name: 'x' } });
    const none = `/objects/companies/records/${company.body.data.id}/status`;
    await refused(
      () => cast.ada.post(none, { status_id: 'won' }),
      [422, 'invalid_write', 'status_id'],
    );
  });

  test('of two racing moves to different statuses exactly one wins', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { id } = await deal(cast.ada);
      const path = `/objects/deals/records/${id}/status`;
      const answers = await Promise.all(
        ['won', 'lost'].map((status_id) => cast.ada.post(path, { status_id })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    }
  });
});

describe('delete', () => {
  test('removes for good and says so', async () => {
    const { id } = await deal(cast.ada);
    const answer = await cast.ada.delete(`/objects/deals/records/${id}`);
    expect([answer.status, answer.body]).toEqual([
      200,
      { data: { id, object_type: 'deals', deleted: true } },
    ]);
    expect((await cast.ada.get(`/objects/deals/records/${id}`)).status).toBe(404);
    await refused(() => cast.ada.delete(`/objects/deals/records/${id}`), [404, 'record_not_found']);
    const audit = await cast.world.rows(
      'select action from _audit where record_id = $1 order by id',
      [id],
    );
    expect(audit.map((row) => row.action)).toEqual(['create', 'delete']);
  });

  test('optional references become null, required ones keep the record', async () => {
    const make = async (object: string, fields: object) =>
      (await cast.ada.post(`/objects/${object}/records`, { fields })).body.data.id;
    const optional = await make('companies', { name: 'Optional' });
    const required = await make('companies', { name: 'Required' });
    const referring = await make('deals', { name: 'x', company_id: optional });
    await make('boats', { name: 'x', company_id: required });
    expect((await cast.ada.delete(`/objects/companies/records/${optional}`)).status).toBe(200);
    const left = await cast.ada.get(`/objects/deals/records/${referring}?fields=company_id`);
    expect(left.body.data.fields.company_id).toBeNull();
    await refused(
      () => cast.ada.delete(`/objects/companies/records/${required}`),
      [409, 'conflict'],
    );
  });

  test('a malformed path value is not found', async () => {
    const long = 'x'.repeat(201);
    await refused(
      () => cast.ada.delete(`/objects/deals/records/${long}`),
      [404, 'record_not_found'],
    );
    await refused(() => cast.ada.delete('/objects/DEALS/records/x'), [404, 'object_not_available']);
  });

  test('permission, capability and scope', async () => {
    const mine = await deal(cast.rob);
    await refused(
      () => cast.rob.delete(`/objects/deals/records/${mine.id}`),
      [403, 'permission_denied'],
    );
    expect((await cast.mia.delete(`/objects/deals/records/${mine.id}`)).status).toBe(200);
    const reading = await cast.ada.post('/objects/readings/records', { fields: { value: 1 } });
    const path = `/objects/readings/records/${reading.body.data.id}`;
    await refused(() => cast.ada.delete(path), [403, 'write_not_supported']);
    const narrow = await cast.world.as('ada', { scopes: ['records:read', 'records:write'] });
    await refused(() => narrow.delete(path), [403, 'insufficient_scope']);
  });
});

test('records of another workspace do not exist here', async () => {
  const foreign = await cast.world.as('ada', { workspace: 'globex' });
  const { id } = await deal(foreign, { name: 'globex-canary-7f3a' });
  await refused(() => cast.ada.get(`/objects/deals/records/${id}`), [404, 'record_not_found']);
  await refused(
    () => cast.ada.patch(`/objects/deals/records/${id}`, { fields: {} }),
    [404, 'record_not_found'],
  );
  await refused(() => cast.ada.delete(`/objects/deals/records/${id}`), [404, 'record_not_found']);
});
