// Records that are merged into another one: what goes over, what stays, who may do it, and how it is undone
// (docs/design/merge.md).

import { beforeAll, describe, expect, test } from 'vitest';
import { useFleet } from './fleet.ts';
import { merge, mergeGraphs, mergePath, unmerge } from './merged.ts';
import { restore, TRASHED } from './trashed.ts';

const fleet = useFleet();
const { make, refused, trail } = fleet;

beforeAll(() => fleet.apply(TRASHED));

const idOf = async (type: string, fields: Readonly<Record<string, unknown>>): Promise<string> =>
  (await make(type, fields)).id;

const record = async (type: string, id: string) =>
  (await fleet.ada.get(`/objects/${type}/records/${id}`)).body.data;

const versionOf = async (type: string, id: string): Promise<string> =>
  (await record(type, id)).version;

describe('a merge', () => {
  test('moves references, links, comments and followers, and takes the named values', async () => {
    const [one, two] = [
      await make('companies', { name: 'One' }),
      await make('companies', { name: 'Two' }),
    ];
    const deal = await idOf('deals', { name: 'D', company_id: two.id });
    const contact = await idOf('contacts', { name: 'C', company_id: two.id });
    const boat = await idOf('boats', { name: 'B', company_id: two.id });
    const friend = await idOf('companies', { name: 'Friend' });
    const link = `/objects/companies/records/${two.id}/relationships/link.friends`;
    await fleet.ada.post(link, { target_id: friend });
    await fleet.ada.post(`/objects/companies/records/${two.id}/comments`, { body: 'Hello' });
    const answer = await merge(fleet.ada, 'companies', [one.id, two.id], {
      take: { name: two.id },
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const { record: merged, ...rest } = answer.body.data;
    expect(merged).toMatchObject({ id: one.id, display: 'Two' });
    expect(rest).toEqual({
      ...{ merge: expect.any(String), merged: [two.id] },
      references: { boats: 1, contacts: 1, deals: 1 },
    });
    for (const [type, id] of [
      ['deals', deal],
      ['contacts', contact],
      ['boats', boat],
    ] as const) {
      expect((await record(type, id)).fields.company_id).toBe(one.id);
    }
    const { body } = await fleet.ada.get(`/objects/companies/records/${one.id}/comments`);
    expect(body.data.map(({ body: text }: { body: string }) => text)).toEqual(['Hello']);
    expect((await trail(two.id)).at(-1)).toEqual(['merge', []]);
    expect((await trail(one.id)).at(-1)).toEqual(['update', ['name']]);
    expect((await trail(deal)).at(-1)).toEqual(['update', ['company_id']]);
  });

  test('frees unique values for the record that takes them, and the answer names it', async () => {
    const one = await idOf('deals', { name: 'One', code: 'merge-1' });
    const two = await idOf('deals', { name: 'Two', code: 'merge-2' });
    const answer = await merge(fleet.ada, 'deals', [one, two], { take: { code: two } });
    expect(answer.body.data.record.fields.code).toBe('merge-2');
    const { status, body } = await fleet.ada.get(`/objects/deals/records/${two}`);
    expect([status, body.error.details]).toEqual([404, { merged_into: one }]);
    const three = await idOf('deals', { name: 'Three' });
    await merge(fleet.ada, 'deals', [three, one]);
    const again = await fleet.ada.patch(`/objects/deals/records/${two}`, { fields: { name: 'x' } });
    expect(again.body.error.details).toMatchObject({ merged_into: three });
    // People who may not read the record do not learn of it.
    await fleet.set('deals', three, { owner_user_id: fleet.world.users.mia });
    const hidden = await fleet.rob.get(`/objects/deals/records/${two}`);
    expect([hidden.status, hidden.body.error.details]).toEqual([404, undefined]);
  });

  test('is repeated by its key, and changes nothing as a dry run', async () => {
    const [one, two] = [await idOf('deals', { name: 'One' }), await idOf('deals', { name: 'Two' })];
    const from = [{ id: two, expected_version: await versionOf('deals', two) }];
    const body = { from, take: { name: two } };
    const dry = await fleet.ada.post(mergePath('deals', one), { ...body, dry_run: true });
    expect(dry.body.data).toEqual({
      dry_run: true,
      changes: [{ field: 'name', old: 'One', new: 'Two' }],
      references: {},
    });
    const headers = { 'Idempotency-Key': 'merge' };
    const first = await fleet.ada.post(mergePath('deals', one), body, headers);
    const second = await fleet.ada.post(mergePath('deals', one), body, headers);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.body).toEqual(first.body);
  });

  test('is refused as a dry run is, also for references that cannot lead to one record', async () => {
    const [one, two] = [
      await idOf('companies', { name: 'One' }),
      await idOf('companies', { name: 'Two' }),
    ];
    for (const partner_id of [one, two]) await idOf('deals', { name: 'Deal', partner_id });
    const send = (more: object) => merge(fleet.ada, 'companies', [one, two], more);
    await refused(() => send({ dry_run: true }), [409, 'conflict']);
    await refused(() => send({}), [409, 'conflict']);
  });

  test('needs every right, the versions, and fields that it can take', async () => {
    const [one, two] = [await idOf('deals', { name: 'One' }), await idOf('deals', { name: 'Two' })];
    const expected_version = await versionOf('deals', two);
    const from = [{ id: two, expected_version }];
    const send = (client: typeof fleet.ada, more: object, headers = {}) =>
      client.post(mergePath('deals', one), { from, ...more }, headers);
    await refused(
      () => send(fleet.ada, { take: { name: one.replace(/^./, 'f') } }),
      [400, 'validation_failed', 'take.name'],
    );
    await refused(
      () => send(fleet.ada, { take: { none: two } }),
      [400, 'invalid_filter', 'take.none'],
    );
    await refused(
      () => send(fleet.bea, { take: { partner_id: two } }),
      [403, 'permission_denied', 'take.partner_id'],
    );
    await refused(
      () => send(fleet.bea, { take: { company_id: two } }),
      [403, 'permission_denied', 'take.company_id'],
    );
    await refused(
      () => send(fleet.ada, { from: [{ id: two, expected_version: '9-x' }] }),
      [412, 'stale_record'],
    );
    await refused(() => send(fleet.ada, {}, { 'If-Match': '"9-x"' }), [412, 'stale_record']);
    await refused(
      () => send(fleet.ada, { from: [{ id: one, expected_version }] }),
      [400, 'validation_failed'],
    );
    await refused(
      () => send(fleet.ada, { from: [{ id: 'none', expected_version }] }),
      [404, 'record_not_found', 'from[0].id'],
    );
    await refused(() => send(fleet.sam, {}), [403, 'permission_denied']);
  });
});

describe('an unmerge', () => {
  test('brings everything back, for random graphs', { timeout: 120_000 }, async () => {
    expect(await mergeGraphs(fleet, 12)).toBeGreaterThan(2);
  });

  test('names values that were changed since, and leaves them', async () => {
    const [one, two] = [await idOf('deals', { name: 'One' }), await idOf('deals', { name: 'Two' })];
    await merge(fleet.ada, 'deals', [one, two], { take: { name: two } });
    await fleet.set('deals', one, { name: 'Changed' });
    const { status, body } = await unmerge(fleet.ada, 'deals', one);
    expect([status, body.error.details]).toEqual([409, { changed_fields: ['name'] }]);
    await fleet.set('deals', one, { name: 'Two' });
    expect((await unmerge(fleet.ada, 'deals', one)).body.data.restored).toEqual([two]);
    await refused(() => unmerge(fleet.ada, 'deals', one), [409, 'conflict']);
  });

  test('undoes the merge that it names, if that is the last one', async () => {
    const [one, two, three] = await Promise.all(
      ['One', 'Two', 'Three'].map((name) => idOf('deals', { name })),
    );
    const mergeOf = async (other: string | undefined) =>
      (await merge(fleet.ada, 'deals', [String(one), String(other)])).body.data.merge as string;
    const [first, second] = [await mergeOf(two), await mergeOf(three)];
    const undo = (named: string) => unmerge(fleet.ada, 'deals', String(one), named);
    await refused(() => undo(first), [409, 'conflict', 'merge']);
    expect((await undo(second.toUpperCase())).body.data.restored).toEqual([three]);
    await refused(() => undo(second), [409, 'conflict', 'merge']);
    expect((await undo(first)).body.data.restored).toEqual([two]);
  });

  test('names the record that has a unique value of one of them', async () => {
    const ids: string[] = [];
    for (const code of ['back-1', 'back-2', 'back-3'])
      ids.push(await idOf('deals', { name: code, code }));
    const [one, two, three] = ids as [string, string, string];
    await merge(fleet.ada, 'deals', ids, { take: { code: two } });
    for (const code of ['back-1', 'back-3']) {
      const holder = await idOf('deals', { name: 'Holder', code });
      const { status, body } = await unmerge(fleet.ada, 'deals', one);
      const { param, details } = body.error;
      expect([status, param, details.existing_record_id]).toEqual([409, 'fields.code', holder]);
      await fleet.ada.delete(`/objects/deals/records/${holder}`);
    }
    expect((await unmerge(fleet.ada, 'deals', one)).body.data.restored).toEqual([two, three]);
  });

  test('leaves out a reference to a record that is gone since', async () => {
    const [old, present] = [
      await idOf('companies', { name: 'Old' }),
      await idOf('companies', { name: 'Present' }),
    ];
    const one = await idOf('deals', { name: 'One', partner_id: old });
    const two = await idOf('deals', { name: 'Two', partner_id: present });
    await merge(fleet.ada, 'deals', [one, two], { take: { partner_id: two } });
    expect((await fleet.ada.delete(`/objects/companies/records/${old}`)).status).toBe(200);
    const { body } = await unmerge(fleet.ada, 'deals', one);
    expect(body.data.not_restored.fields).toEqual(['partner_id']);
    expect((await record('deals', one)).fields.partner_id).toBeNull();
  });

  test('makes no circle of work items', async () => {
    const item = (title: string, parent?: string) =>
      idOf('work_items', {
        ...{ title, work_item_type_id: 'task' },
        ...(parent === undefined ? {} : { parent_work_item_id: parent }),
      });
    const [above, beside] = [await item('Above'), await item('Beside')];
    const [one, two] = [await item('One', above), await item('Two', beside)];
    const take = { parent_work_item_id: two };
    expect((await merge(fleet.ada, 'work_items', [one, two], { take })).status).toBe(200);
    await fleet.set('work_items', above, { parent_work_item_id: one });
    await refused(() => unmerge(fleet.ada, 'work_items', one), [422, 'invalid_write']);
  });

  test('gives links back that have another name since', async () => {
    const [one, two, friend] = [
      await idOf('companies', { name: 'One' }),
      await idOf('companies', { name: 'Two' }),
      await idOf('companies', { name: 'Friend' }),
    ];
    const linked = (id: string, key: string) =>
      `/objects/companies/records/${id}/relationships/link.${key}`;
    await fleet.ada.post(linked(two, 'friends'), { target_id: friend });
    await merge(fleet.ada, 'companies', [one, two]);
    const { friends, ...others } = TRASHED.relationships;
    const renamed = (name: string, key: string, renamed_from: string) => ({
      ...TRASHED,
      name,
      relationships: { ...others, [key]: { ...friends, renamed_from } },
    });
    await fleet.apply(renamed('Allied', 'allies', 'friends'));
    await unmerge(fleet.ada, 'companies', one);
    const countOf = async (id: string) =>
      (await fleet.ada.get(linked(id, 'allies'))).body.data.length;
    expect([await countOf(one), await countOf(two)]).toEqual([0, 1]);
    await fleet.apply(renamed('Trashed', 'friends', 'allies'));
  });

  test('is not needed to restore a merged record, without what went over', async () => {
    const [one, two] = [
      await idOf('companies', { name: 'One' }),
      await idOf('companies', { name: 'Two' }),
    ];
    const contact = await idOf('contacts', { name: 'C', company_id: two });
    await merge(fleet.ada, 'companies', [one, two]);
    const { body } = await restore(fleet.ada, 'companies', two);
    expect(body.data.not_restored.references).toBe(1);
    expect((await record('contacts', contact)).fields.company_id).toBe(one);
    await refused(() => unmerge(fleet.ada, 'companies', one), [409, 'conflict']);
  });
});
