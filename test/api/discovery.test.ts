// Discovery over HTTP: objects, definitions and workflows as each person may see them.

import { describe, expect, test } from 'vitest';
import type { Client } from '../client.ts';
import { useCast } from './cast.ts';

const cast = useCast();
const { refused } = cast;

describe('discovery', () => {
  test('objects the user can read, with the others on request', async () => {
    const types = async (client: Client, query = '') =>
      (await client.get(`/objects${query}`)).body.data.map(
        (object: { object_type: string }) => object.object_type,
      );
    expect(await types(cast.rob)).toEqual(['companies', 'deals', 'boats']);
    expect(await types(cast.rob, '?include_unreadable=true')).toEqual(await types(cast.ada));
    await refused(
      () => cast.rob.get('/objects?include_unreadable=yes'),
      [400, 'validation_failed', 'include_unreadable'],
    );
  });

  test('permissions are the grant cut down by the scopes', async () => {
    const narrow = await cast.world.as('rob', { scopes: ['records:read'] });
    const permissions = async (client: Client) =>
      (await client.get('/objects/deals')).body.data.permissions;
    expect(await permissions(cast.rob)).toEqual({
      create: { allowed: true, scopes: ['owned_by_user'] },
      read: { allowed: true, scopes: ['owned_by_user'] },
      update: { allowed: true, scopes: ['owned_by_user'] },
      delete: { allowed: false, scopes: [] },
    });
    expect((await permissions(narrow)).create).toEqual({ allowed: false, scopes: [] });
    expect((await permissions(cast.mia)).read.scopes).toEqual(['owned_by_user', 'owned_by_team']);
  });

  test('fields are those the user may read, editable those the user may write', async () => {
    const { fields } = (await cast.rob.get('/objects/deals')).body.data;
    const byKey = new Map(
      fields.map((field: { key: string; editable: boolean }) => [field.key, field.editable]),
    );
    expect(byKey.has('secret')).toBe(false);
    expect([
      byKey.get('name'),
      byKey.get('code'),
      byKey.get('origin'),
      byKey.get('status'),
    ]).toEqual([true, false, false, false]);
    const company = (await cast.ada.get('/objects/companies')).body.data.fields;
    expect(company.find((field: { key: string }) => field.key === 'note')).toMatchObject({
      storage: 'jsonb',
      storage_key: 'custom_fields.note',
    });
  });

  test('workflow, ETag and refusals', async () => {
    const { body, headers } = await cast.rob.get('/workflows/pipeline');
    expect(body.data.statuses[0]).toEqual({
      id: 'open',
      name: 'Open',
      transitions: [
        { id: 'won', name: 'Won' },
        { id: 'lost', name: 'Lost' },
      ],
    });
    const again = await cast.rob.get('/workflows/pipeline', {
      'if-none-match': headers.get('etag') ?? '',
    });
    expect([again.status, again.body]).toEqual([304, undefined]);
    await refused(() => cast.rob.get('/workflows/nope'), [404, 'workflow_not_found']);
    const bea = await cast.world.as('bea');
    await refused(() => bea.get('/workflows/pipeline'), [404, 'workflow_not_found']);
    await refused(() => cast.rob.get('/objects/meetings'), [404, 'object_not_available']);
    await refused(() => cast.rob.get('/objects/UPPER'), [400, 'validation_failed', 'object_type']);
    await refused(
      () => cast.rob.get('/objects/deals?work_item_type_id=x'),
      [400, 'validation_failed', 'work_item_type_id'],
    );
  });
});
