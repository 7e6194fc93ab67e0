// Deleted records that are kept: gone for every reader, listed for those who may delete them, and back with everything
// that belonged to them (docs/design/trash.md).

import { beforeAll, describe, expect, test } from 'vitest';
import type { FieldType } from '../../src/model/values/field-types.ts';
import { JSONB_TYPES, PLAIN_TYPES } from '../sample-definition.ts';
import { SAMPLES } from '../sample-values.ts';
import { useFleet } from './fleet.ts';
import { contentOf, deletedPath, remove, restore, TRASHED } from './trashed.ts';

const fleet = useFleet();
const { batch, make, refused, trail } = fleet;

beforeAll(() => fleet.apply(TRASHED));

const idOf = async (type: string, fields: Readonly<Record<string, unknown>>): Promise<string> =>
  (await make(type, fields)).id;

const link = (type: string, id: string, association: string, target_id: string) =>
  fleet.ada.post(`/objects/${type}/records/${id}/relationships/${association}`, { target_id });

const comment = (type: string, id: string, body: string) =>
  fleet.ada.post(`/objects/${type}/records/${id}/comments`, { body });

const record = async (type: string, id: string) =>
  (await fleet.ada.get(`/objects/${type}/records/${id}`)).body.data;

const NOTHING_MISSING = { links: 0, references: 0, fields: [] };

describe('a deleted record', () => {
  test('is gone for every reader, and its unique values are free', async () => {
    const deal = await make('deals', { name: 'Kestrel', code: 'free-1' });
    const before = await fleet.ada.delete(`/objects/deals/records/${deal.id}`);
    expect(before.body.data).toEqual({ id: deal.id, object_type: 'deals', deleted: true });
    const path = `/objects/deals/records/${deal.id}`;
    expect((await fleet.ada.get(path)).status).toBe(404);
    expect((await fleet.ada.patch(path, { fields: { name: 'x' } })).status).toBe(404);
    const listed = await fleet.ada.get('/objects/deals/records?filter[code][eq]=free-1');
    expect(listed.body.data).toEqual([]);
    expect((await fleet.ada.get(`/search?q=Kestrel`)).body.data).toEqual([]);
    await idOf('deals', { name: 'Other', code: 'free-1' });
  });

  test('is listed with its name, its end and the person who deleted it', async () => {
    const id = await idOf('companies', { name: 'Petrel Ltd' });
    await remove(fleet.ada, 'companies', id);
    const { body } = await fleet.ada.get(`${deletedPath('companies')}?q=PETREL`);
    const [found, ...others] = body.data;
    expect(others).toEqual([]);
    expect(found).toMatchObject({ id, object_type: 'companies', display: 'Petrel Ltd' });
    expect(found.deleted_by_user_id).toBe(fleet.world.users.ada);
    const days = Date.parse(found.restorable_until) - Date.parse(found.deleted_at);
    expect(days / 86_400_000).toBeCloseTo(30, 1);
    const { rob } = fleet.world.users;
    const none = await fleet.ada.get(`${deletedPath('companies')}?deleted_by=${rob}`);
    expect(none.body.data).toEqual([]);
  });

  test('is on a page after those that were deleted later', async () => {
    const names = ['One', 'Two', 'Three', 'Four', 'Five'].map((name) => `Paged ${name}`);
    for (const name of names)
      await remove(fleet.ada, 'events', await idOf('events', { title: name }));
    const seen: string[] = [];
    let cursor = '';
    do {
      const path = `${deletedPath('events')}?q=Paged&limit=2&cursor=${cursor}`;
      const { body } = await fleet.ada.get(path);
      seen.push(...body.data.map(({ display }: { display: string }) => display));
      cursor = body.pagination.next_cursor ?? '';
    } while (cursor !== '');
    expect(seen).toEqual(names.toReversed());
    await refused(
      () => fleet.ada.get(`${deletedPath('events')}?q=Page&cursor=x`),
      [400, 'invalid_cursor', 'cursor'],
    );
  });

  test('of an object without trash is gone at once', async () => {
    const path = deletedPath('contracts');
    await refused(() => fleet.ada.get(path), [403, 'write_not_supported']);
    const id = await idOf('contracts', { title: 'Short' });
    await remove(fleet.ada, 'contracts', id);
    await refused(() => restore(fleet.ada, 'contracts', id), [403, 'write_not_supported']);
    expect(await fleet.world.rows('select from _trash where record_id = $1', [id])).toEqual([]);
  });
});

describe('a restore', () => {
  test('brings back values, comments, links and references, and continues the counter', async () => {
    const company = await idOf('companies', {
      name: 'Whole',
      custom_fields: { note: 'kept', score: 3 },
    });
    const deal = await idOf('deals', { name: 'Part', company_id: company, related_id: null });
    const contact = await idOf('contacts', { name: 'Carl', company_id: company });
    const friend = await idOf('companies', { name: 'Friend' });
    await link('companies', company, 'link.friends', friend);
    await comment('companies', company, 'First');
    await comment('companies', company, 'Second');
    const [before, versions] = [await contentOf(fleet.world), await record('deals', deal)];
    const { version } = await record('companies', company);
    const { body } = await remove(fleet.ada, 'companies', company);
    expect(body.data.cleared_references).toEqual({ contacts: 1, deals: 1 });
    expect((await record('deals', deal)).fields.company_id).toBe(null);
    const answer = await restore(fleet.ada, 'companies', company);
    expect([answer.status, answer.body.data.not_restored]).toEqual([200, NOTHING_MISSING]);
    expect(await contentOf(fleet.world)).toEqual(before);
    const counter = (text: string) => Number(text.split('-')[0]);
    expect(counter(answer.body.data.record.version)).toBe(counter(version) + 2);
    expect(answer.headers.get('etag')).toContain(answer.body.data.record.version);
    expect(counter((await record('deals', deal)).version)).toBe(counter(versions.version) + 2);
    expect((await trail(company)).map(([action]) => action)).toEqual([
      ...['create', 'link', 'comment', 'comment', 'delete', 'restore'],
    ]);
    expect((await trail(contact)).at(-1)).toEqual(['update', ['company_id']]);
    await refused(() => restore(fleet.ada, 'companies', company), [404, 'record_not_found']);
  });

  test('brings back every type of field exactly', async () => {
    const company = await idOf('companies', { name: 'Pointed at' });
    const special: Readonly<Record<string, unknown>> = {
      ...{ select: 'red', multi_select: ['red', 'blue'] },
      ...{ reference: company, user: fleet.world.users.ada },
    };
    const sampleOf = (type: FieldType) => special[type] ?? SAMPLES[type].pool.at(-1);
    const id = await idOf('gauges', {
      label: 'Every type',
      ...Object.fromEntries(PLAIN_TYPES.map((type) => [`p_${type}`, sampleOf(type)])),
      custom_fields: Object.fromEntries(JSONB_TYPES.map((type) => [`j_${type}`, sampleOf(type)])),
    });
    const before = await record('gauges', id);
    await remove(fleet.ada, 'gauges', id);
    const { body } = await restore(fleet.ada, 'gauges', id);
    const { version: _, updated_at: __, ...same } = body.data.record;
    const { version: ___, updated_at: ____, ...known } = before;
    const { updated_at: _____, ...fields } = same.fields;
    const { updated_at: ______, ...knownFields } = known.fields;
    expect({ ...same, fields }).toEqual({ ...known, fields: knownFields });
  });

  test('is made once for an Idempotency-Key', async () => {
    const id = await idOf('deals', { name: 'Once' });
    await remove(fleet.ada, 'deals', id);
    const headers = { 'Idempotency-Key': 'restore-once' };
    const first = await restore(fleet.ada, 'deals', id, headers);
    const second = await restore(fleet.ada, 'deals', id, headers);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body.data).toEqual(first.body.data);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(first.body.data.record).toEqual(
      (await fleet.ada.get(`/objects/deals/records/${id}`)).body.data,
    );
  });

  test('is refused by its field when a unique value is taken', async () => {
    const id = await idOf('deals', { name: 'First', code: 'taken' });
    await remove(fleet.ada, 'deals', id);
    const other = await idOf('deals', { name: 'Second', code: 'taken' });
    const { status, body } = await restore(fleet.ada, 'deals', id);
    expect([status, body.error.code, body.error.param]).toEqual([409, 'conflict', 'fields.code']);
    expect(body.error.details.existing_record_id).toBe(other);
    await remove(fleet.ada, 'deals', other);
    expect((await restore(fleet.ada, 'deals', id)).status).toBe(200);
  });

  test('is refused without a record that it requires, and clears a reference to one that is gone', async () => {
    const company = await idOf('companies', { name: 'Needed' });
    const boat = await idOf('boats', { name: 'Tug', company_id: company });
    const deal = await idOf('deals', { name: 'Loose', company_id: company, partner_id: company });
    await remove(fleet.ada, 'boats', boat);
    await remove(fleet.ada, 'deals', deal);
    await remove(fleet.ada, 'companies', company);
    await refused(
      () => restore(fleet.ada, 'boats', boat),
      [422, 'invalid_write', 'fields.company_id'],
    );
    const { body } = await restore(fleet.ada, 'deals', deal);
    expect(body.data.not_restored).toEqual({
      ...NOTHING_MISSING,
      fields: ['company_id', 'partner_id'],
    });
    expect((await restore(fleet.ada, 'companies', company)).body.data.not_restored).toEqual(
      NOTHING_MISSING,
    );
    const { company_id, partner_id } = (await record('deals', deal)).fields;
    expect([company_id, partner_id]).toEqual([company, company]);
    expect((await restore(fleet.ada, 'boats', boat)).status).toBe(200);
  });

  test('names what was set or linked otherwise meanwhile', async () => {
    const [left, right] = [
      await idOf('companies', { name: 'L' }),
      await idOf('companies', { name: 'R' }),
    ];
    const deal = await idOf('deals', { name: 'Torn', company_id: left });
    const boat = await idOf('boats', { name: 'Barge', company_id: right });
    const [one, two] = [await idOf('deals', { name: 'One' }), await idOf('deals', { name: 'Two' })];
    await link('deals', one, 'link.deal_boat', boat);
    await remove(fleet.ada, 'companies', left);
    await fleet.set('deals', deal, { company_id: right });
    await remove(fleet.ada, 'deals', one);
    await link('deals', two, 'link.deal_boat', boat);
    const company = await restore(fleet.ada, 'companies', left);
    expect(company.body.data.not_restored).toEqual({ ...NOTHING_MISSING, references: 1 });
    expect((await record('deals', deal)).fields.company_id).toBe(right);
    const linked = await restore(fleet.ada, 'deals', one);
    expect(linked.body.data.not_restored).toEqual({ ...NOTHING_MISSING, links: 1 });
  });

  test('keeps trees of work items without cycles and the number of an item', async () => {
    const task = (title: string, parent?: string) =>
      make('work_items', {
        ...{ title, work_item_type_id: 'task' },
        ...(parent === undefined ? {} : { parent_work_item_id: parent }),
      });
    const root = await task('Root');
    const leaf = await task('Leaf', root.id);
    await remove(fleet.ada, 'work_items', leaf.id);
    const [found] = (await fleet.ada.get(`${deletedPath('work_items')}?q=Leaf`)).body.data;
    expect(found.public_id).toBe(leaf.public_id);
    await remove(fleet.ada, 'work_items', root.id);
    const back = (await restore(fleet.ada, 'work_items', leaf.id)).body.data;
    expect(back.record.public_id).toBe(leaf.public_id);
    expect(back.not_restored.fields).toEqual(['parent_work_item_id']);
    await restore(fleet.ada, 'work_items', root.id);
    const { parent_work_item_id } = (await record('work_items', leaf.id)).fields;
    expect(parent_work_item_id).toBe(root.id);
  });

  test('of records that a batch, an object batch and a bulk change deleted', async () => {
    const ids = [await idOf('deals', { name: 'B1' }), await idOf('deals', { name: 'B2' })];
    const company = await idOf('companies', { name: 'B3' });
    await link(
      'contacts',
      await idOf('contacts', { name: 'B4' }),
      'assoc.contacts_deals',
      ids[0] ?? '',
    );
    const before = await contentOf(fleet.world);
    await batch(
      fleet.ada,
      ids.map((id) => ({ action: 'delete', id })),
    );
    await fleet.ada.post('/batch', {
      operations: [{ action: 'delete', object_type: 'companies', id: company }],
    });
    for (const id of ids) expect((await restore(fleet.ada, 'deals', id)).status).toBe(200);
    expect((await restore(fleet.ada, 'companies', company)).status).toBe(200);
    expect(await contentOf(fleet.world)).toEqual(before);
  });

  test('is an event of its own for readers of changes', async () => {
    const { next_cursor: cursor } = (await fleet.ada.get('/changes')).body.pagination;
    const id = await idOf('deals', { name: 'Followed' });
    await remove(fleet.ada, 'deals', id);
    await restore(fleet.ada, 'deals', id);
    const { body } = await fleet.ada.get(`/changes?cursor=${cursor}&type=record.*`);
    const own = body.data.filter(({ record_id }: { record_id: string }) => record_id === id);
    expect(
      own.map(({ type, revision }: { type: string; revision: number }) => [type, revision]),
    ).toEqual([
      ['record.created', 1],
      ['record.deleted', 2],
      ['record.restored', 3],
    ]);
  });
});

test('a restore has no body, or an empty object', async () => {
  const id = await idOf('deals', { name: 'Bodiless' });
  await remove(fleet.ada, 'deals', id);
  const path = `${deletedPath('deals', id)}/restore`;
  const { status, body } = await fleet.ada.post(path, { x: 1 });
  expect([status, body.error?.code, body.error?.param]).toEqual([400, 'validation_failed', 'x']);
  expect((await fleet.ada.post(path, {})).status).toBe(200);
});

test('the history of a record stays with it until it is removed for good', async () => {
  const { deals } = TRASHED.objects as Readonly<Record<string, object>>;
  const history = { keep: 'forever' };
  const objects = { ...TRASHED.objects, deals: { ...deals, history } };
  const document = { ...TRASHED, name: 'With history', objects };
  await fleet.apply(document);
  const company = await idOf('companies', { name: 'In the past' });
  const id = await idOf('deals', { name: 'Old', company_id: company });
  await fleet.set('deals', id, { name: 'New' });
  await remove(fleet.ada, 'companies', company);
  await restore(fleet.ada, 'companies', company);
  await remove(fleet.ada, 'deals', id);
  await restore(fleet.ada, 'deals', id);
  const path = `/objects/deals/records/${id}/history`;
  const changed = async () => {
    const { data } = (await fleet.ada.get(path)).body;
    return data.map(({ changes }: { changes: readonly { field: string }[] }) =>
      changes.map(({ field }) => field),
    );
  };
  expect(await changed()).toEqual([['company_id'], ['company_id'], ['name']]);
  const unchanged = await idOf('deals', { name: 'As created' });
  await remove(fleet.ada, 'deals', unchanged);
  await restore(fleet.ada, 'deals', unchanged);
  await fleet.set('deals', unchanged, { name: 'Changed later' });
  const values = (revision: number) =>
    fleet.ada.post(`/objects/deals/records/${unchanged}/restore`, {
      ...{ revision, fields: ['name'], dry_run: true },
    });
  for (const revision of [1, 2, 3]) {
    const { body } = await values(revision);
    expect(body.data?.changes, `${revision}`).toEqual([
      { field: 'name', old: 'Changed later', new: 'As created' },
    ]);
  }
  await remove(fleet.ada, 'deals', id);
  await fleet.ada.delete(deletedPath('deals', id));
  expect(await fleet.world.rows('select from _history where record_id = $1', [id])).toEqual([]);
});

describe('rights', () => {
  test('a record is found by people who may delete and read those of its last owner', async () => {
    const mine = (await fleet.deal(fleet.rob, { name: 'Of rob' })).id;
    const far = (await fleet.deal(fleet.sam, { name: 'Of sam' })).id;
    for (const id of [mine, far]) await remove(fleet.ada, 'deals', id);
    const { body } = await fleet.mia.get(`${deletedPath('deals')}?q=Of`);
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([mine]);
    await refused(() => restore(fleet.mia, 'deals', far), [404, 'record_not_found', 'record_id']);
    await refused(() => fleet.rob.get(deletedPath('deals')), [403, 'permission_denied']);
    await refused(() => restore(fleet.rob, 'deals', mine), [403, 'permission_denied']);
    expect((await restore(fleet.mia, 'deals', mine)).status).toBe(200);
    await refused(() => restore(fleet.bea, 'boats', far), [404, 'object_not_available']);
  });

  test('a hidden field is neither named nor counted', async () => {
    const company = await idOf('companies', { name: 'Secret partner' });
    const deal = await idOf('deals', { name: 'Bound', partner_id: company });
    await remove(fleet.ada, 'deals', deal);
    await remove(fleet.ada, 'companies', company);
    // bea may delete deals, but not read this reference.
    const { body } = await restore(fleet.bea, 'deals', deal);
    expect(body.data.not_restored).toEqual(NOTHING_MISSING);
    expect(JSON.stringify(body)).not.toContain('partner_id');
  });

  test('a key needs the scopes to delete and to read', async () => {
    const reader = await fleet.world.as('ada', { scopes: ['records:read'] });
    const deleter = await fleet.world.as('ada', { scopes: ['records:delete'] });
    await refused(() => reader.get(deletedPath('deals')), [403, 'insufficient_scope']);
    await refused(
      () => deleter.get(deletedPath('deals')),
      [403, 'insufficient_scope', 'object_type'],
    );
  });
});

describe('removing for good', () => {
  test('leaves nothing to restore, and an audit row without values', async () => {
    const id = await idOf('companies', { name: 'Erasable' });
    await remove(fleet.ada, 'companies', id);
    const { status, body } = await fleet.ada.delete(deletedPath('companies', id));
    expect([status, body.data]).toEqual([200, { id, object_type: 'companies', purged: true }]);
    expect(await fleet.world.rows('select from _trash where record_id = $1', [id])).toEqual([]);
    expect((await trail(id)).at(-1)).toEqual(['purge', []]);
    await refused(() => restore(fleet.ada, 'companies', id), [404, 'record_not_found']);
    await refused(() => fleet.ada.delete(deletedPath('companies', id)), [404, 'record_not_found']);
  });

  test('is what happens to a record whose time is over', async () => {
    const id = await idOf('companies', { name: 'Late' });
    await remove(fleet.ada, 'companies', id);
    const past = `update "ws_acme"._trash set kept_until = now() - interval '1 second' where record_id = $1`;
    await fleet.world.database.rows(past, [id]);
    expect((await fleet.ada.get(`${deletedPath('companies')}?q=Late`)).body.data).toEqual([]);
    await refused(() => restore(fleet.ada, 'companies', id), [404, 'record_not_found']);
  });
});

test('definitions say for an application whether deleted records are kept', async () => {
  const shown = async (query: string) => (await fleet.ada.get(`/objects/deals${query}`)).body.data;
  expect((await shown('?include=appearance')).trash).toEqual({ days: 30 });
  expect('trash' in (await shown(''))).toBe(false);
});
