// Refusals of the batch endpoint before it writes: malformed operations, records named twice, missing scopes and
// rights; and how it reports them.

import { describe, expect, test } from 'vitest';
import { useFleet } from './fleet.ts';

const fleet = useFleet();
const { batch, deal, refused } = fleet;

const PATH = '/objects/deals/records/batch';
const NOWHERE = '01a1fd00-0000-7000-8000-000000000000';

describe('shapes', () => {
  const id = NOWHERE;
  const good = { action: 'create', fields: { name: 'x' } };
  const link = { association_id: 'ref.company_id', target_id: id };
  const long = 'x'.repeat(201);

  const malformed: readonly (readonly [operation: unknown, param: string])[] = [
    [{}, 'action'],
    [{ action: 'destroy', id }, 'action'],
    [{ action: 'CREATE', fields: {} }, 'action'],
    [{ action: null }, 'action'],
    [{ action: ['create'], fields: {} }, 'action'],
    ['create', ''],
    [null, ''],
    [[], ''],
    [{ action: 'create' }, 'fields'],
    [{ action: 'create', fields: null }, 'fields'],
    [{ action: 'create', fields: [] }, 'fields'],
    [{ action: 'create', fields: {}, id }, 'id'],
    [{ action: 'update', id }, 'fields'],
    [{ action: 'update', fields: {} }, 'id'],
    [{ action: 'update', id: 5, fields: {} }, 'id'],
    [{ action: 'update', id: '', fields: {} }, 'id'],
    [{ action: 'update', id: long, fields: {} }, 'id'],
    [{ action: 'update', id, fields: {}, expected_version: '1' }, 'expected_version'],
    [{ action: 'status', id }, 'status_id'],
    [{ action: 'status', id, status_id: '' }, 'status_id'],
    [{ action: 'status', id, status_id: long }, 'status_id'],
    [{ action: 'status', id, status_id: 'a\0' }, 'status_id'],
    [{ action: 'status', id, status_id: 'won', fields: {} }, 'fields'],
    [{ action: 'delete' }, 'id'],
    [{ action: 'delete', id, fields: {} }, 'fields'],
    [{ action: 'upsert', match: { code: 'x' } }, 'target'],
    [{ action: 'upsert', target: '', match: { code: 'x' } }, 'target'],
    [{ action: 'upsert', target: 'x'.repeat(101), match: { code: 'x' } }, 'target'],
    [{ action: 'upsert', target: 'deals' }, 'match'],
    [{ action: 'upsert', target: 'deals', match: [] }, 'match'],
    [{ action: 'upsert', target: 'deals', match: { code: 'x' }, fields: null }, 'fields'],
    [{ action: 'upsert', target: 'deals', match: { code: 'x' }, id }, 'id'],
    [{ action: 'link', id, association_id: 'ref.company_id' }, 'target_id'],
    [{ action: 'link', id, association_id: '', target_id: id }, 'association_id'],
    [{ action: 'link', id, association_id: 'x'.repeat(101), target_id: id }, 'association_id'],
    [{ action: 'link', id, ...link, target_id: long }, 'target_id'],
    [{ action: 'link', id, ...link, fields: {} }, 'fields'],
    [{ action: 'unlink', ...link }, 'id'],
    [{ action: 'unlink', id, ...link, target_id: '' }, 'target_id'],
    [{ action: 'unlink', id, ...link, status_id: 'x' }, 'status_id'],
  ];

  test('of an operation', async () => {
    const before = await fleet.world.digest();
    for (const [operation, param] of malformed) {
      const { status, body } = await batch(fleet.ada, [good, operation]);
      const expected = param === '' ? 'operations[1]' : `operations[1].${param}`;
      expect([status, body.error.code, body.error.param], JSON.stringify(operation)).toEqual([
        ...[400, 'validation_failed', expected],
      ]);
    }
    expect(await fleet.world.digest()).toBe(before);
  });

  test.each([
    [{}, 'operations'],
    [{ operations: null }, 'operations'],
    [{ operations: {} }, 'operations'],
    [{ operations: [good], atomic: true }, 'atomic'],
    [{ operations: [good], __proto__x: 1 }, '__proto__x'],
  ])('refuses the body %j', async (body, param) => {
    await refused(() => fleet.ada.post(PATH, body), [400, 'validation_failed', param]);
  });

  test('hostile keys and ids are ordinary ones', async () => {
    const body = (operation: string) => `{"operations":[${operation}]}`;
    const post = (operation: string) => () => fleet.ada.post(PATH, body(operation));
    await refused(post('{"action":"create","fields":{"name":"x","__proto__":{"a":1}}}'), [
      400,
      'invalid_filter',
      'operations[0].fields.__proto__',
    ]);
    await refused(
      post('{"action":"upsert","target":"deals","match":{"constructor":"x"},"fields":{}}'),
      [400, 'invalid_filter', 'operations[0].match.constructor'],
    );
    await refused(post('{"action":"__proto__","fields":{}}'), [400, 'validation_failed']);
    for (const wrong of ["' or 1=1 --", 'a\u0000b', '\ud800', '../../x', `${NOWHERE} `]) {
      await refused(
        () => batch(fleet.ada, [{ action: 'delete', id: wrong }]),
        [404, 'record_not_found', 'operations[0].id'],
      );
    }
  });
});

describe('rights', () => {
  test('a record may be in one operation only, however its id is written', async () => {
    const { id } = await deal(fleet.ada);
    const update = { action: 'update', id, fields: { amount: 1 } };
    for (const again of [id, id.toUpperCase()]) {
      for (const other of [
        { ...update, id: again },
        { action: 'delete', id: again },
        { action: 'status', id: again, status_id: 'won' },
      ]) {
        await refused(
          () => batch(fleet.ada, [update, other]),
          [400, 'validation_failed', 'operations[1].id'],
        );
      }
    }
  });

  test('a delete needs its scope, before anything else is looked at', async () => {
    const narrow = await fleet.world.as('ada', { scopes: ['records:read', 'records:write'] });
    const { id } = await deal(fleet.ada);
    const wrong = { action: 'update', id: 'nope', fields: { nope: 1 } };
    const operations = [wrong, { action: 'delete', id }];
    await refused(() => batch(narrow, operations), [403, 'insufficient_scope', 'operations[1]']);
    const { body } = await batch(narrow, operations);
    expect(body.error.details).toMatchObject({ required_scope: 'records:delete' });
    const allowed = await batch(narrow, [{ action: 'update', id, fields: { amount: 2 } }]);
    expect(allowed.status).toBe(200);
    const reader = await fleet.world.as('ada', { scopes: ['records:read', 'records:delete'] });
    await refused(() => batch(reader, [{ action: 'delete', id }]), [403, 'insufficient_scope']);
  });

  test('all operations are authorised before any is validated', async () => {
    const mine = await deal(fleet.rob);
    const foreign = await deal(fleet.sam);
    const broken = { action: 'update', id: mine.id, fields: { amount: -1 } };
    const unknown = { action: 'create', fields: { name: 'x', nope: 1 } };
    const forbidden = { action: 'create', fields: { name: 'x', code: 'y' } };
    const hidden = { action: 'update', id: foreign.id, fields: { amount: 1 } };
    const refusal = [403, 'permission_denied', 'operations[2].fields.code'] as const;
    await refused(() => batch(fleet.rob, [broken, unknown, forbidden]), refusal);
    await refused(
      () => batch(fleet.rob, [broken, hidden]),
      [404, 'record_not_found', 'operations[1].id'],
    );
    await refused(
      () => batch(fleet.rob, [broken, { action: 'delete', id: mine.id }]),
      [403, 'permission_denied', 'operations[1]'],
    );
  });

  test('details.errors names every operation that failed, in their order', async () => {
    const { id } = await deal(fleet.ada, { code: 'ERRORS-1' });
    const match = { code: 'ERRORS-1' };
    const { body } = await batch(fleet.ada, [
      { action: 'create', fields: { amount: -1 } },
      { action: 'create', fields: { name: 'fine' } },
      { action: 'update', id, fields: { closes_on: 'now', tags: ['cold'] } },
      { action: 'upsert', target: 'deals', match, fields: { amount: 5 } },
    ]);
    const { code, param, details } = body.error;
    expect([code, param]).toEqual(['invalid_write', 'operations[0].fields.amount']);
    const found = details.errors.map((one: Record<string, unknown>) => [
      one.operation_index,
      one.action,
      one.param,
      one.code,
    ]);
    expect(found).toEqual([
      [0, 'create', 'operations[0].fields.amount', 'invalid_write'],
      [0, 'create', 'operations[0].fields.name', 'invalid_write'],
      [2, 'update', 'operations[2].fields.closes_on', 'invalid_write'],
      [2, 'update', 'operations[2].fields.tags', 'invalid_write'],
      [3, 'upsert', 'operations[3].match', 'conflict'],
    ]);
    const keys = await batch(fleet.ada, [
      { action: 'update', id, fields: {} },
      { action: 'update', id, fields: {} },
      { action: 'create', fields: { nope: 1 } },
    ]);
    expect(keys.body.error.param).toBe('operations[1].id');
    expect(keys.body.error.details.errors).toMatchObject([
      { operation_index: 1, action: 'update', code: 'validation_failed' },
      { operation_index: 2, action: 'create', code: 'invalid_filter' },
    ]);
  });
});
