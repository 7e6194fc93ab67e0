// The history of records over HTTP: pages with the rights of now, restores as updates, definitions that change meanwhile.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sweepHistory } from '../../src/flow/jobs/sweeper.ts';
import { mergePatch } from '../../src/model/definition/definition.ts';
import { type Answer, type Client, refusalOf } from '../client.ts';
import { ACME, openWorldWith, type World } from '../world.ts';

const HISTORY = { history: { keep: '90d' } };
const DOCUMENT = mergePatch(ACME, { objects: { deals: HISTORY } }) as object;
const DEALS = '/objects/deals/records';

let world: World;
let ada: Client;
let rob: Client;
let sam: Client;

beforeAll(async () => {
  world = await openWorldWith(DOCUMENT);
  [ada, rob, sam] = await Promise.all([world.as('ada'), world.as('rob'), world.as('sam')]);
});
afterAll(() => world?.close());

/** The path of a new deal of rob. */
let deal: string;

beforeEach(async () => {
  const { body } = await rob.post(DEALS, { fields: { name: 'Pumps', amount: 10 } });
  deal = `${DEALS}/${body.data.id}`;
});

const patch = (fields: object, by = ada) => by.patch(deal, { fields });
const history = (by = ada, query = '') => by.get(`${deal}/history${query}`);
const restore = (revision: number, fields: readonly string[], by = ada, headers = {}) =>
  by.post(`${deal}/restore`, { revision, fields }, headers);
const rehearse = (revision: number, fields: readonly string[], by = ada) =>
  by.post(`${deal}/restore`, { revision, fields, dry_run: true });

interface Shown {
  readonly revision: number;
  readonly changes: readonly { readonly field: string; readonly old: unknown }[];
}

/** `[revision, {field: old value}]` of each entry. */
const oldOf = ({ body }: Answer) =>
  (body.data as readonly Shown[]).map(({ revision, changes }) => [
    revision,
    Object.fromEntries(changes.map(({ field, old }) => [field, old])),
  ]);

describe('a page', () => {
  test('has the author, the time and both values of each change, the last one first', async () => {
    await patch({ amount: 20, tags: ['new'] });
    const moved = await rob.post(`${deal}/status`, { status_id: 'won' });
    const { body } = await history();
    const [last, first] = body.data;
    expect(last).toMatchObject({
      ...{ revision: 3, user_id: world.users.rob, source: 'api', action: 'status' },
      ...{ version: moved.body.data.version, at: moved.body.data.updated_at },
      changes: [{ field: 'status', old: 'open', new: 'won' }],
    });
    expect(first).toMatchObject({ revision: 2, user_id: world.users.ada, action: 'update' });
    expect(first.changes).toEqual([
      { field: 'amount', old: 10, new: 20 },
      { field: 'tags', old: null, new: ['new'] },
    ]);
    expect(body.pagination).toEqual({ limit: 25, has_more: false, next_cursor: null });
  });

  test('is empty for a new record, and continues where the last one ended', async () => {
    expect((await history()).body.data).toEqual([]);
    for (const amount of [1, 2, 3, 4, 5]) await patch({ amount });
    const pages: unknown[] = [];
    let cursor = '';
    do {
      const { body } = await history(ada, `?limit=2&cursor=${cursor}`);
      pages.push(body.data.map(({ revision }: Shown) => revision));
      cursor = body.pagination.next_cursor ?? '';
    } while (cursor !== '');
    expect(pages).toEqual([[6, 5], [4, 3], [2]]);
  });

  test('can be about one field', async () => {
    await patch({ amount: 20 });
    await patch({ name: 'Valves' });
    expect(oldOf(await history(ada, '?field=name'))).toEqual([[3, { name: 'Pumps' }]]);
    expect(refusalOf(await history(ada, '?field=nope'))).toEqual([400, 'invalid_filter', 'field']);
  });

  test('has references that a delete of their target clears, and goes with its record', async () => {
    const company = await ada.post('/objects/companies/records', { fields: { name: 'Acme' } });
    const { id } = company.body.data;
    await patch({ company_id: id });
    await ada.delete(`/objects/companies/records/${id}`);
    const { body } = await history();
    expect(body.data.map(({ revision, changes }: Shown) => [revision, changes])).toEqual([
      [3, [{ field: 'company_id', old: id, new: null }]],
      [2, [{ field: 'company_id', old: null, new: id }]],
    ]);
    const count = () =>
      world.rows('select count(*)::integer as n from _history where record_id = $1', [
        deal.slice(DEALS.length + 1),
      ]);
    expect(await count()).toEqual([{ n: 2 }]);
    await ada.delete(deal);
    expect(await count()).toEqual([{ n: 0 }]);
    expect(refusalOf(await history())).toEqual([404, 'record_not_found', 'record_id']);
  });

  test('does not exist for other objects', async () => {
    const { body } = await ada.post('/objects/readings/records', { fields: { value: 1 } });
    const reading = `/objects/readings/records/${body.data.id}`;
    const refused = [404, 'history_not_supported', 'object_type'];
    expect(refusalOf(await ada.get(`${reading}/history`))).toEqual(refused);
    const wish = { revision: 1, fields: ['value'] };
    expect(refusalOf(await ada.post(`${reading}/restore`, wish))).toEqual(refused);
  });
});

describe('rights are those of now', () => {
  test('a hidden field is in no page, size, cursor, filter or restore', async () => {
    await patch({ secret: 's1' });
    await patch({ secret: 's2', amount: 20 });
    for (const secret of ['s3', 's4', 's5']) await patch({ secret });
    await patch({ amount: 30 });
    const { body } = await history(rob, '?limit=1');
    expect(body.data.map(({ changes }: Shown) => changes)).toEqual([
      [{ field: 'amount', old: 20, new: 30 }],
    ]);
    const rest = await history(rob, `?limit=1&cursor=${body.pagination.next_cursor}`);
    expect(oldOf(rest)).toEqual([[3, { amount: 10 }]]);
    expect(rest.body.pagination.has_more).toBe(false);
    const refused = [403, 'permission_denied', 'field'];
    expect(refusalOf(await history(rob, '?field=secret'))).toEqual(refused);
    expect(refusalOf(await restore(2, ['secret'], rob))).toEqual([
      ...[403, 'permission_denied', 'fields.secret'],
    ]);
  });

  test('a field that the person reads and may not write is not restored', async () => {
    await patch({ code: 'C1' });
    expect(oldOf(await history(rob))).toEqual([[2, { code: null }]]);
    expect(refusalOf(await restore(1, ['code'], rob))).toEqual([
      ...[403, 'permission_denied', 'fields.code'],
    ]);
  });

  test('the history goes with the record to another owner', async () => {
    await patch({ amount: 20 });
    expect((await history(rob)).status).toBe(200);
    await patch({ owner_user_id: world.users.sam });
    expect(refusalOf(await history(rob))).toEqual([404, 'record_not_found', 'record_id']);
    expect(refusalOf(await restore(1, ['amount'], rob))).toEqual([
      ...[404, 'record_not_found', 'record_id'],
    ]);
    expect(oldOf(await history(sam))).toEqual([
      [3, { owner_user_id: world.users.rob }],
      [2, { amount: 10 }],
    ]);
  });
});

describe('a restore', () => {
  test('is an update: a version, an audit entry, a history of its own', async () => {
    await patch({ amount: 20, name: 'Valves' });
    await patch({ amount: 30 });
    const { status, body, headers } = await restore(1, ['amount', 'name'], rob);
    expect([status, body.data.fields.amount, body.data.fields.name]).toEqual([200, 10, 'Pumps']);
    expect(headers.get('etag')).toContain(body.data.version);
    expect(oldOf(await history()).at(0)).toEqual([4, { name: 'Valves', amount: 30 }]);
    const [audited] = await world.rows(
      'select action, changed_fields, source from _audit where record_id = $1 and revision = 4',
      [body.data.id],
    );
    expect(audited).toEqual({
      action: 'update',
      changed_fields: ['amount', 'name'],
      source: 'api',
    });
    const again = await restore(1, ['amount'], rob);
    expect(again.body.data.version).toBe(body.data.version);
  });

  test('is rehearsed', async () => {
    await patch({ amount: 20 });
    const { status, body } = await rehearse(1, ['amount', 'name']);
    expect([status, body.data]).toEqual([
      ...[200, { dry_run: true, changes: [{ field: 'amount', old: 20, new: 10 }] }],
    ]);
    expect(oldOf(await history())).toEqual([[2, { amount: 10 }]]);
    expect(refusalOf(await rehearse(1, ['status']))).toEqual([
      ...[422, 'invalid_write', 'fields.status'],
    ]);
  });

  test('is refused as its rehearsal is, also for a value that another record has', async () => {
    await patch({ code: 'taken' });
    await patch({ code: 'other' });
    await ada.post(DEALS, { fields: { name: 'Holder', code: 'taken' } });
    for (const answer of [await rehearse(2, ['code']), await restore(2, ['code'])]) {
      expect(refusalOf(answer)).toEqual([409, 'conflict', 'fields.code']);
    }
  });

  test('takes If-Match', async () => {
    const before = await patch({ amount: 20 });
    await patch({ amount: 30 });
    const stale = { 'if-match': `"${before.body.data.version}"` };
    expect(refusalOf(await restore(1, ['amount'], ada, stale)).slice(0, 2)).toEqual([
      ...[412, 'stale_record'],
    ]);
    expect((await restore(1, ['amount'], ada, { 'if-match': '*' })).status).toBe(200);
  });

  test('is done once for a key, also when what it restored is swept', async () => {
    await patch({ amount: 20 });
    const key = { 'idempotency-key': `once ${deal}`.replaceAll(' ', '-') };
    const first = await restore(1, ['amount'], ada, key);
    await world.rows(`update ws_acme._history set at = now() - interval '91 days'`);
    expect(await sweepHistory(world.database.db)).toBeGreaterThan(0);
    const second = await restore(1, ['amount'], ada, key);
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(refusalOf(await restore(1, ['amount']))).toEqual([422, 'invalid_write', 'revision']);
  });

  test('refuses a revision that is not there yet, fields that are none, and statuses', async () => {
    const refused = async (revision: number, fields: readonly string[]) =>
      refusalOf(await restore(revision, fields));
    expect(await refused(2, ['amount'])).toEqual([422, 'invalid_write', 'revision']);
    expect(await refused(1, ['nope'])).toEqual([422, 'invalid_write', 'fields.nope']);
    expect(await refused(1, ['status'])).toEqual([422, 'invalid_write', 'fields.status']);
    expect(await refused(1, [])).toEqual([400, 'validation_failed', 'fields']);
  });

  test('refuses fields that nobody writes, as an update does', async () => {
    for (const field of ['id', 'created_at', 'updated_at', 'origin']) {
      const answer = [422, 'invalid_write', `fields.${field}`];
      expect(refusalOf(await patch({ [field]: null }))).toEqual(answer);
      expect(refusalOf(await restore(1, [field]))).toEqual(answer);
      expect(refusalOf(await rehearse(1, [field]))).toEqual(answer);
    }
  });

  test('repeats itself when somebody else was faster', async () => {
    await patch({ amount: 20 });
    const others = Array.from({ length: 6 }, (_, index) => patch({ name: `Name ${index}` }));
    const [restored] = await Promise.all([restore(1, ['amount']), ...others]);
    expect([restored.status, restored.body.data.fields.amount]).toEqual([200, 10]);
    expect((await ada.get(deal)).body.data.fields.amount).toBe(10);
  });
});

describe('another definition', () => {
  const applied = (change: object, allow: readonly string[] = []) =>
    world.apply(mergePatch(DOCUMENT, { objects: { deals: change } }), allow);

  test('an option that is gone is named', async () => {
    await applied({});
    await patch({ tags: ['hot'] });
    await patch({ tags: ['new'] });
    await applied({ fields: { tags: { options: [{ value: 'new' }] } } });
    expect(refusalOf(await restore(2, ['tags']))).toEqual([422, 'invalid_write', 'fields.tags']);
  });

  test('turned off, it is a loss; turned on again, it begins again', async () => {
    await applied({});
    await patch({ amount: 20 });
    await expect(applied({ history: null })).rejects.toThrow('history:deals');
    await applied({ history: null }, ['history:deals']);
    expect(refusalOf(await history())).toEqual([404, 'history_not_supported', 'object_type']);
    await patch({ amount: 30 });
    await applied(HISTORY);
    expect((await history()).body.data).toEqual([]);
    await patch({ amount: 40 });
    expect(oldOf(await history())).toEqual([[4, { amount: 30 }]]);
    const refused = [422, 'invalid_write', 'fields.amount'];
    expect(refusalOf(await restore(1, ['amount']))).toEqual(refused);
    expect(await sweepHistory(world.database.db)).toBeGreaterThan(0);
    const [row] = await world.rows(
      'select count(*)::integer as n from _history where record_id = $1',
      [deal.slice(DEALS.length + 1)],
    );
    expect(row).toEqual({ n: 1 });
  });

  test('a rename carries the history, another type ends it, a new field of the key has none', async () => {
    await patch({ amount: 20, secret: 'old' });
    const { tags: _, amount, ...fields } = ACME.objects.deals.fields;
    await world.apply(
      {
        ...DOCUMENT,
        objects: {
          ...ACME.objects,
          deals: {
            ...ACME.objects.deals,
            ...HISTORY,
            fields: {
              ...fields,
              worth: { ...amount, renamed_from: 'amount' },
              secret: { type: 'long_text' },
            },
          },
        },
      },
      ['deals.tags'],
    );
    expect(oldOf(await history())).toEqual([[2, { worth: 10 }]]);
    expect((await restore(1, ['worth'])).body.data.fields.worth).toBe(10);
    expect(refusalOf(await restore(1, ['amount']))).toEqual([
      ...[422, 'invalid_write', 'fields.amount'],
    ]);
    expect(refusalOf(await restore(1, ['secret']))).toEqual([
      ...[422, 'invalid_write', 'fields.secret'],
    ]);
    await patch({ secret: 'newer' });
    expect(oldOf(await history(ada, '?field=secret'))).toEqual([[4, { secret: 'old' }]]);
    expect((await restore(3, ['secret'])).body.data.fields.secret).toBe('old');
  });
});
