// One change of many records: requests and refusals, the changes and the report of the job, and whose rights count.
// That each record is changed once, whatever happens to the process, is in test/jobs.

import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changingMany } from '../../src/flow/jobs/bulk-job.ts';
import { requireBulkSize } from '../../src/flow/jobs/bulk-request.ts';
import { LIMITS } from '../../src/limits.ts';
import type { Client } from '../client.ts';
import { openEvents } from '../event-client.ts';
import { lacks } from '../own-database.ts';
import { until } from '../until.ts';
import { useFleet } from './fleet.ts';
import { openJobs } from './job-world.ts';

const fleet = useFleet();
const { deal, make, refused } = fleet;
const jobs = openJobs(() => fleet.world);

beforeAll(() => jobs.work());
afterAll(() => jobs.stop());

/** Marks the records of one test. */
let tag = '';
beforeEach(() => {
  tag = uuidv7();
});

const PATH = '/objects/deals/records/bulk';
const tagged = () => ({ field: 'name', op: 'eq', value: tag });
const update = (fields: object, more: object = {}) => ({
  ...{ where: tagged(), action: 'update', fields },
  ...more,
});

async function deals(count: number, client: Client = fleet.ada): Promise<readonly string[]> {
  const made = Array.from({ length: count }, () => deal(client, { name: tag }));
  return (await Promise.all(made)).map(({ id }) => id);
}

/** Send it, and work until it has ended. */
async function changed(client: Client, body: object, path = PATH) {
  const answer = await client.post(path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  await jobs.work(changingMany(fleet.world.database.db));
  const ended = await jobs.ended(client, answer.body.data.id);
  await jobs.stop();
  return { ...ended, request_id: answer.headers.get('x-request-id') };
}

const fieldsOf = async (id: string) =>
  (await fleet.ada.get(`/objects/deals/records/${id}`)).body.data;

const trace = (ids: readonly string[]) =>
  fleet.world.rows(
    `select record_id, action, source, changed_fields, user_id, api_key_id, request_id from _audit
      where record_id = any($1) and source = 'bulk' order by record_id`,
    [ids],
  );

describe('changes', () => {
  test('a dry run counts farther than lists do', async () => {
    const count = LIMITS.exactCount + 2;
    await fleet.world.database.rows(
      `insert into ws_acme.companies (id, name, created_by_user_id)
        select gen_random_uuid(), $1, 1 from generate_series(1, $2::integer)`,
      [tag, count],
    );
    const body = update({ name: 'x' }, { dry_run: true });
    const { body: answer } = await fleet.ada.post('/objects/companies/records/bulk', body);
    expect(answer.data.count).toBe(count);
    await fleet.world.rows('delete from companies where name = $1', [tag]);
  });

  test('a dry run counts, shows the newest twenty, and makes no change', async () => {
    const ids = await deals(25);
    const before = await fleet.world.digest();
    const { status, body } = await fleet.ada.post(PATH, update({ amount: 5 }, { dry_run: true }));
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ dry_run: true, count: 25 });
    expect(body.data.records).toHaveLength(20);
    for (const record of body.data.records) {
      expect(ids).toContain(record.id);
      expect(record).toMatchObject({ object_type: 'deals', display: tag, status: 'open' });
      expect(record.fields).toBeUndefined();
    }
    expect(await fleet.world.digest()).toBe(before);
    const none = await fleet.ada.post(PATH, {
      ...update({}, { dry_run: true }),
      where: { field: 'name', op: 'eq', value: 'nobody' },
    });
    expect(none.body.data).toEqual({ dry_run: true, count: 0, records: [] });
  });

  test('an update of all, over pages: versions, audit rows, counts', async () => {
    const ids = await deals(40);
    const other = await deal(fleet.ada, { name: 'other' });
    await fleet.set('deals', ids[0] as string, { amount: 5 });
    const job = await changed(fleet.ada, update({ amount: 5 }, { expected_count: 40 }));
    expect(job).toMatchObject({
      ...{ kind: 'bulk', state: 'done', error: null, problems: [], more_problems: false },
      about: { object_type: 'deals', action: 'update', expected_count: 40 },
      progress: { done: 40, total: 40 },
      counts: { changed: 39, unchanged: 1, refused: 0 },
    });
    for (const id of ids) {
      const { fields, version } = await fieldsOf(id);
      expect(fields.amount).toBe(5);
      expect(version).toMatch(/^2-/);
    }
    expect((await fieldsOf(other.id)).version).toBe(other.version);
    const me = (await fleet.ada.get('/me')).body.data;
    expect(await trace(ids)).toEqual(
      [...ids]
        .sort()
        .filter((id) => id !== ids[0])
        .map((record_id) => ({
          ...{ record_id, action: 'update', source: 'bulk', changed_fields: ['amount'] },
          ...{ user_id: me.user.id, api_key_id: me.api_key.id, request_id: job.request_id },
        })),
    );
    const shown = await fleet.ada.get(`/audit?record_id=${ids[1]}&action=update`);
    expect(shown.body.data).toMatchObject([{ source: 'bulk', action: 'update' }]);
  });

  test('streams have its records in the order of all writes', async () => {
    const ids = await deals(4);
    const { port } = fleet.world;
    const stream = await openEvents({ port, secret: fleet.ada.secret });
    const told = () =>
      stream.events.filter(
        ({ data }) => data.record_id !== undefined && ids.includes(data.record_id),
      );
    await fleet.set('deals', ids[0] as string, { amount: 5 });
    await changed(fleet.ada, update({ amount: 6 }, { expected_count: 4 }));
    await fleet.set('deals', ids[3] as string, { amount: 7 });
    await until(() => told().length >= 6);
    stream.close();
    expect(told()[0]?.data.record_id).toBe(ids[0]);
    expect(
      told()
        .slice(1, -1)
        .map(({ data }) => data.record_id)
        .sort(),
    ).toEqual([...ids].sort());
    expect(told().at(-1)?.data.record_id).toBe(ids[3]);
  });

  test('moves of the workflow: those that it does not allow are reported, the others are made', async () => {
    const ids = await deals(6);
    await fleet.ada.post(`/objects/deals/records/${ids[2]}/status`, { status_id: 'won' });
    const job = await changed(fleet.ada, {
      ...{ where: tagged(), action: 'status', status_id: 'lost', expected_count: 6 },
    });
    expect(job.counts).toEqual({ changed: 5, unchanged: 0, refused: 1 });
    expect(job.problems).toEqual([
      {
        record_id: ids[2],
        field: 'status_id',
        reason: expect.stringContaining('workflow does not allow'),
      },
    ]);
    const narrow = await fleet.world.as('ada', { scopes: ['workspace:read'] });
    const told = (await narrow.get(`/jobs/${job.id}`)).body.data;
    expect(told).toMatchObject({ counts: job.counts, problems: [], more_problems: true });
    expect((await fieldsOf(ids[2] as string)).status).toBe('won');
    expect((await fieldsOf(ids[3] as string)).status).toBe('lost');
    expect((await trace(ids)).map(({ action }) => action)).toEqual(
      ids.slice(1).map(() => 'status'),
    );
  });

  test('deletes, but not what others need', async () => {
    const ids = await Promise.all(
      [0, 1, 2].map(async (n) => (await make('companies', { name: `${tag} ${n}` })).id as string),
    );
    await make('boats', { name: 'b', company_id: ids[1] });
    const where = { field: 'name', op: 'starts_with', value: tag };
    const body = { where, action: 'delete', expected_count: 3 };
    const job = await changed(fleet.ada, body, '/objects/companies/records/bulk');
    expect(job.counts).toEqual({ changed: 2, unchanged: 0, refused: 1 });
    expect(job.problems).toMatchObject([{ record_id: ids[1], field: '' }]);
    expect((await fleet.ada.get(`/objects/companies/records/${ids[0]}`)).status).toBe(404);
    expect((await fleet.ada.get(`/objects/companies/records/${ids[1]}`)).status).toBe(200);
  });

  test('a unique value is given once; the records that cannot have it are reported', async () => {
    const ids = await deals(5);
    const job = await changed(fleet.ada, update({ code: 'BULK-1' }, { expected_count: 5 }));
    expect(job.counts).toEqual({ changed: 1, unchanged: 0, refused: 4 });
    expect(job.problems.map(({ field }: { field: string }) => field)).toEqual(
      Array.from({ length: 4 }, () => 'code'),
    );
    expect(await trace(ids)).toHaveLength(1);
  });

  test('records that are gone or out of reach at that time are reported, and later ones are not changed', async () => {
    const [first, second, third] = await deals(3);
    const asked = await fleet.ada.post(PATH, update({ amount: 8 }, { expected_count: 3 }));
    await fleet.ada.delete(`/objects/deals/records/${first}`);
    await fleet.set('deals', second as string, { name: 'otherwise' });
    const [late] = await deals(1);
    await jobs.work(changingMany(fleet.world.database.db));
    const job = await jobs.ended(fleet.ada, asked.body.data.id);
    await jobs.stop();
    expect(job.counts).toEqual({ changed: 2, unchanged: 0, refused: 1 });
    expect(job.problems).toMatchObject([{ record_id: first, reason: 'There is no such record.' }]);
    // The request decided which records they are.
    expect((await fieldsOf(second as string)).fields.amount).toBe(8);
    expect((await fieldsOf(third as string)).fields.amount).toBe(8);
    expect((await fieldsOf(late as string)).fields.amount).toBeNull();
  });

  test('"me" and "now" are those of the request', async () => {
    await deals(2);
    await deals(3, fleet.rob);
    const where = {
      all: [
        tagged(),
        { field: 'owner_user_id', op: 'eq', value: { me: true } },
        { field: 'created_at', op: 'gte', value: { relative: '-1d' } },
      ],
    };
    const job = await changed(fleet.rob, {
      ...update({ amount: 3 }, { expected_count: 3 }),
      where,
    });
    expect(job.counts).toEqual({ changed: 3, unchanged: 0, refused: 0 });
  });
});

describe('refusals', () => {
  test('another number of records: no job is left', async () => {
    await deals(3);
    for (const expected_count of [2, 4, LIMITS.bulkRecords]) {
      const body = update({ amount: 1 }, { expected_count });
      await refused(() => fleet.ada.post(PATH, body), [409, 'conflict', 'expected_count']);
    }
    const [pages] = await fleet.world.database.rows(
      'select count(*)::integer as n from workspace_records.bulk_pages',
    );
    expect(pages?.n).toBe(0);
  });

  test('more records than one change can have', () => {
    requireBulkSize(LIMITS.bulkRecords);
    expect(() => requireBulkSize(LIMITS.bulkRecords + 1)).toThrow(
      expect.objectContaining({ code: 'validation_failed', param: 'where' }),
    );
  });

  test.each([
    ['no condition', { where: { all: [] } }, 400, 'invalid_filter', 'where.all'],
    ['nothing at all', { where: undefined }, 400, 'validation_failed', 'where'],
    ['no number', { expected_count: undefined }, 400, 'validation_failed', 'expected_count'],
    ['none', { expected_count: 0 }, 400, 'validation_failed', 'expected_count'],
    ['too many', { expected_count: 250_001 }, 400, 'validation_failed', 'expected_count'],
    ['an unknown property', { more: 1 }, 400, 'validation_failed', 'more'],
    ['a status beside fields', { status_id: 'won' }, 400, 'validation_failed', 'status_id'],
    ['another action', { action: 'upsert' }, 400, 'validation_failed', 'action'],
    ['an unknown field', { fields: { nope: 1 } }, 400, 'invalid_filter', 'fields.nope'],
    ['a value of another type', { fields: { amount: 'x' } }, 422, 'invalid_write', 'fields.amount'],
    ['a status as field', { fields: { status: 'won' } }, 422, 'invalid_write', 'fields.status'],
    ['a time zone', { timezone: 'Mars' }, 400, 'validation_failed', 'timezone'],
    [
      'a condition on an unknown field',
      { where: { field: 'nope', op: 'eq', value: 1 } },
      ...[400, 'invalid_filter', 'where.field'],
    ],
  ] as const)('%s', async (_, more, status, code, param) => {
    const body = { ...update({ amount: 1 }, { expected_count: 1 }), ...more };
    await refused(
      () => fleet.ada.post(PATH, body),
      [status as number, code as string, param as string],
    );
    const rehearsal = { ...body, dry_run: true };
    if (param === 'expected_count' && more.expected_count === undefined) return;
    await refused(
      () => fleet.ada.post(PATH, rehearsal),
      [status as number, code as string, param as string],
    );
  });

  test('a status that the workflow does not have, and an object without one', async () => {
    const body = { where: tagged(), action: 'status', status_id: 'nope', expected_count: 1 };
    await refused(() => fleet.ada.post(PATH, body), [422, 'invalid_write', 'status_id']);
    const companies = '/objects/companies/records/bulk';
    await refused(
      () => fleet.ada.post(companies, { ...body, status_id: 'won' }),
      [422, 'invalid_write', 'status_id'],
    );
  });

  test('more jobs than one may wait for', async () => {
    await deals(1);
    const asked = await Promise.all(
      Array.from({ length: 21 }, () =>
        fleet.mia.post(PATH, update({ amount: 1 }, { dry_run: false, expected_count: 1 })),
      ),
    );
    // Mia does not see the deals of Ada.
    expect(new Set(asked.map(({ body }) => body.error.param))).toEqual(new Set(['expected_count']));
  });
});

describe('once for a key', () => {
  test('the same job is returned again, and the records are changed once', async () => {
    const ids = await deals(2);
    const headers = { 'idempotency-key': uuidv7() };
    const body = update({ amount: 4 }, { expected_count: 2 });
    const first = await fleet.ada.post(PATH, body, headers);
    const again = await fleet.ada.post(PATH, body, headers);
    expect([first.status, again.status]).toEqual([202, 202]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    const other = await fleet.ada.post(PATH, { ...body, expected_count: 1 }, headers);
    expect(other.body.error.code).toBe('idempotency_key_reused');
    await jobs.work(changingMany(fleet.world.database.db));
    await jobs.ended(fleet.ada, first.body.data.id);
    await jobs.stop();
    expect(await trace(ids)).toHaveLength(2);
  });
});

describe('rights', () => {
  test('only records and fields that the person may read are counted, shown and changed', async () => {
    const own = await deals(2, fleet.rob);
    await deals(3, fleet.sam);
    const rehearsal = await fleet.rob.post(PATH, update({ amount: 1 }, { dry_run: true }));
    expect(rehearsal.body.data.count).toBe(2);
    expect(rehearsal.body.data.records.map(({ id }: { id: string }) => id).sort()).toEqual(
      [...own].sort(),
    );
    await refused(
      () => fleet.rob.post(PATH, update({ amount: 1 }, { expected_count: 5 })),
      [409, 'conflict', 'expected_count'],
    );
    const job = await changed(fleet.rob, update({ amount: 1 }, { expected_count: 2 }));
    expect(job.counts).toEqual({ changed: 2, unchanged: 0, refused: 0 });
  });

  test("changes beyond the person's rights are refused before anything is counted", async () => {
    const body = { ...update({ amount: 1 }, { expected_count: 1 }) };
    await refused(
      () => fleet.rob.post(PATH, { ...body, fields: { secret: 'x' } }),
      [403, 'permission_denied', 'fields.secret'],
    );
    await refused(
      () => fleet.rob.post(PATH, { ...body, where: { field: 'secret', op: 'eq', value: 'x' } }),
      [403, 'permission_denied', 'where.field'],
    );
    await refused(
      () => fleet.rob.post(PATH, { where: tagged(), action: 'delete', expected_count: 1 }),
      [403, 'permission_denied'],
    );
    await refused(
      () => fleet.rob.post('/objects/products/records/bulk', body),
      [404, 'object_not_available', 'object_type'],
    );
    await refused(
      () =>
        fleet.ada.post('/objects/readings/records/bulk', {
          ...body,
          where: { field: 'value', op: 'eq', value: 1 },
          fields: { value: 1 },
        }),
      [403, 'write_not_supported'],
    );
  });

  test('deletes need their scope, all of it the scope to write', async () => {
    const writer = await fleet.world.as('ada', { scopes: ['records:read', 'records:write'] });
    const body = { where: tagged(), action: 'delete', dry_run: true };
    const { status, body: answer } = await writer.post(PATH, body);
    expect([status, answer.error.code, answer.error.param]).toEqual([
      ...[403, 'insufficient_scope', 'action'],
    ]);
    const reader = await fleet.world.as('ada', { scopes: ['records:read'] });
    expect((await reader.post(PATH, update({}, { dry_run: true }))).status).toBe(403);
  });

  const setRoles = (roles: readonly string[]) =>
    fleet.world.database.rows('update ws_acme._users set roles = $2 where id = $1', [
      fleet.world.users.rae,
      roles,
    ]);

  test('the job acts with the rights of then', async () => {
    const ids = await deals(3, fleet.rae);
    const asked = await fleet.rae.post(PATH, update({ amount: 1 }, { expected_count: 3 }));
    expect(asked.status).toBe(202);
    await setRoles(['contractor']);
    const [given] = ids;
    await fleet.world.database.rows('update ws_acme.deals set owner_user_id = $2 where id = $1', [
      given,
      fleet.world.users.sam,
    ]);
    await setRoles(['rep']);
    await jobs.work(changingMany(fleet.world.database.db));
    const id = asked.body.data.id;
    const job = await jobs.ended(fleet.ada, id);
    expect(job.counts).toEqual({ changed: 2, unchanged: 0, refused: 1 });
    expect(job.problems).toMatchObject([{ record_id: given, reason: 'There is no such record.' }]);
    await jobs.stop();
    const second = await fleet.rae.post(PATH, update({ amount: 2 }, { expected_count: 2 }));
    await setRoles([]);
    await jobs.work(changingMany(fleet.world.database.db));
    const failed = await jobs.ended(fleet.ada, second.body.data.id);
    await jobs.stop();
    await setRoles(['rep']);
    expect(failed).toMatchObject({ state: 'failed', counts: {}, progress: { done: 0, total: 2 } });
    expect(failed.error).toContain('is no longer possible');
  });

  test.skipIf(lacks('locks'))('rights that go while a page is written undo it', async () => {
    const ids = await deals(2, fleet.rae);
    const asked = await fleet.rae.post(PATH, update({ amount: 8 }, { expected_count: 2 }));
    const { db, rows } = fleet.world.database;
    const waits = `select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    await db.transaction(async (tx) => {
      const held = 'select id from ws_acme.deals where id = any($1) for update';
      await tx.query({ text: held, values: [ids] });
      await jobs.work(changingMany(db));
      await until(async () => (await rows(waits)).length > 0);
      await setRoles([]);
    });
    const job = await jobs.ended(fleet.ada, asked.body.data.id);
    await jobs.stop();
    await setRoles(['rep']);
    expect(job).toMatchObject({ state: 'failed', counts: {} });
    expect(await trace(ids)).toEqual([]);
  });

  test.each([
    ['is deactivated', 'update ws_acme._users set active = $2::text is null where id = $1'],
    [
      'has revoked the key',
      `update workspace_records.api_keys set revoked_at = $2::timestamptz
        where user_id = $1 and prefix = $3`,
    ],
  ])('a person who %s makes no further change', async (why, statement) => {
    const ids = await deals(2);
    const key = await fleet.world.as('sam');
    await fleet.world.database.rows(
      'update ws_acme.deals set owner_user_id = $2 where id = any($1)',
      [ids, fleet.world.users.sam],
    );
    const { api_key } = (await key.get('/me')).body.data;
    const asked = await key.post(PATH, update({ amount: 6 }, { expected_count: 2 }));
    expect(asked.status).toBe(202);
    const values = [fleet.world.users.sam, new Date().toISOString(), api_key.prefix];
    const used = why.includes('key') ? values : values.slice(0, 2);
    await fleet.world.database.rows(statement, used);
    await jobs.work(changingMany(fleet.world.database.db));
    const job = await jobs.ended(fleet.ada, asked.body.data.id);
    await jobs.stop();
    used[1] = null as never;
    await fleet.world.database.rows(statement, used);
    expect(job).toMatchObject({ state: 'failed', progress: { done: 0, total: 2 } });
    expect(job.error).toBe('The person who started the job no longer has permission for it.');
    expect(await trace(ids)).toEqual([]);
  });

  test('a job that waits can be cancelled, by its author', async () => {
    const ids = await deals(2, fleet.rob);
    const asked = await fleet.rob.post(PATH, update({ amount: 9 }, { expected_count: 2 }));
    const path = `/jobs/${asked.body.data.id}`;
    expect((await fleet.sam.get(path)).status).toBe(404);
    expect((await fleet.rob.post(`${path}/cancel`, {})).body.data.state).toBe('cancelled');
    await jobs.work(changingMany(fleet.world.database.db));
    await jobs.stop();
    expect(await trace(ids)).toEqual([]);
  });

  test('no access to another workspace', async () => {
    await deals(1);
    const other = await fleet.world.as('ada', { workspace: 'globex' });
    const { body } = await other.post(PATH, update({ amount: 1 }, { dry_run: true }));
    expect(body.data.count).toBe(0);
  });
});
