// The change feed over HTTP: what comes, to whom, from which cursor on, and what it costs to wait.

import { afterEach, describe, expect, test, vi } from 'vitest';
import { exporting } from '../../src/export/export-job.ts';
import { startJobs } from '../../src/flow/jobs/job-runner.ts';
import { type Answer, type Client, refusalOf } from '../client.ts';
import { call } from '../http-client.ts';
import { type Watch, watchStatements } from '../watch-statements.ts';
import type { PersonName } from '../world.ts';
import { FLEET, useFleet } from './fleet.ts';

const fleet = useFleet();
const { make, deal } = fleet;
const DEALS = '/objects/deals/records';

let watch: Watch | undefined;
afterEach(() => {
  watch?.stop();
  watch = undefined;
});

interface Page {
  // biome-ignore lint/suspicious/noExplicitAny: events have several forms
  readonly data: any[];
  readonly cursor: string;
  readonly hasMore: boolean;
}

function pageOf({ status, body }: Answer): Page {
  expect(status, JSON.stringify(body)).toBe(200);
  const { next_cursor, has_more } = body.pagination;
  return { data: body.data, cursor: next_cursor, hasMore: has_more };
}

async function changes(client: Client, query: Record<string, string | number> = {}): Promise<Page> {
  const text = new URLSearchParams(
    Object.entries(query).map(([key, value]) => [key, `${value}`] as [string, string]),
  );
  return pageOf(await client.get(`/changes?${text}`));
}

/** All pages behind a cursor. */
async function rest(
  client: Client,
  cursor: string,
  query: Record<string, string | number> = {},
): Promise<Page> {
  const data: Page['data'] = [];
  let page = await changes(client, { ...query, cursor });
  for (; ; page = await changes(client, { ...query, cursor: page.cursor })) {
    data.push(...page.data);
    if (!page.hasMore) return { ...page, data };
  }
}

const now = async (client: Client) => (await changes(client)).cursor;
const typesOf = ({ data }: Page) => data.map(({ type }) => type);
const done = async (answer: Promise<Answer>) => {
  const { status, body } = await answer;
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  return body.data;
};
const sql = (text: string, values: readonly unknown[] = []) =>
  fleet.world.database.rows(text, values);

describe('the feed', () => {
  test('has an event for each change, with its revision, its author and its source', async () => {
    const from = await now(fleet.ada);
    const record = await deal(fleet.ada);
    const path = `${DEALS}/${record.id}`;
    await done(fleet.ada.patch(path, { fields: { amount: 5 } }));
    await done(fleet.ada.post(`${path}/status`, { status_id: 'won' }));
    const said = await done(fleet.ada.post(`${path}/comments`, { body: 'Done' }));
    const page = await changes(fleet.ada, { cursor: from });
    const origin = {
      user: { id: fleet.world.users.ada },
      source: 'api',
      batch_id: null,
      occurred_at: expect.any(String),
    };
    const of = { id: expect.any(String), object_type: 'deals', record_id: record.id };
    const version = (revision: number) => `${revision}-${record.id.slice(-12)}`;
    expect(page.data).toEqual([
      {
        ...{ ...of, type: 'record.created', revision: 1, version: version(1), ...origin },
        changed_fields: expect.arrayContaining(['name']),
      },
      {
        ...{ ...of, type: 'record.updated', revision: 2, version: version(2), ...origin },
        changed_fields: ['amount'],
      },
      {
        ...{ ...of, type: 'record.status_changed', revision: 3, version: version(3), ...origin },
        changed_fields: ['status'],
      },
      { ...of, type: 'comment.created', comment: said, ...origin },
    ]);
    expect(page.hasMore).toBe(false);
    await done(fleet.ada.delete(path));
    const [gone, ...others] = (await rest(fleet.ada, from)).data;
    expect(gone).toMatchObject({ type: 'record.deleted', revision: 4, changed_fields: [] });
    expect([others, 'version' in gone]).toEqual([[], false]);
  });

  test('names a batch once, and counts what its deletes change elsewhere', async () => {
    const company = await make('companies', { name: 'Referred to' });
    const record = await make('deals', { name: 'Refers', partner_id: company.id });
    const from = await now(fleet.ada);
    const operations = [1, 2].map((n) => ({ action: 'create', fields: { name: `B${n}` } }));
    await done(fleet.batch(fleet.ada, operations));
    await done(fleet.ada.delete(`/objects/companies/records/${company.id}`));
    const { data } = await rest(fleet.ada, from);
    const batch = data.filter(({ batch_id }) => batch_id !== null);
    expect(batch.map(({ type, revision }) => [type, revision])).toEqual([
      ['record.created', 1],
      ['record.created', 1],
    ]);
    expect(new Set(batch.map(({ batch_id }) => batch_id)).size).toBe(1);
    const cleared = data.find(({ record_id }) => record_id === record.id);
    const { body } = await fleet.ada.get(`${DEALS}/${record.id}`);
    expect(cleared).toMatchObject({ type: 'record.updated', version: body.data.version });
  });

  test('names the application for changes of a session', async () => {
    const session = await fleet.world.inSession('ada');
    const from = await now(fleet.ada);
    const body = { fields: { name: 'In a session' } };
    const record = await done(session.post('/objects/companies/records', body));
    const { data } = await rest(fleet.ada, from);
    expect(data).toMatchObject([{ record_id: record.id, source: 'application' }]);
  });

  test('gives the record as it is now, with the fields that the reader may read', async () => {
    const from = await now(fleet.rob);
    const record = await deal(fleet.rob);
    await fleet.set('deals', record.id, { amount: 1, secret: 'hidden from reps' });
    await fleet.set('deals', record.id, { amount: 2 });
    const page = await rest(fleet.rob, from, { include: 'record' });
    expect(typesOf(page)).toEqual(['record.created', 'record.updated', 'record.updated']);
    for (const { record: shown } of page.data) {
      expect(shown).toMatchObject({ id: record.id, fields: { amount: 2 } });
      expect(shown.fields).not.toHaveProperty('secret');
    }
    expect(JSON.stringify(page.data)).not.toContain('hidden from reps');
    const some = { include: 'record', object_type: 'deals', fields: 'amount' };
    const [first] = (await rest(fleet.rob, from, some)).data;
    expect(first.record.fields).toEqual({ amount: 2 });
  });

  test('shortens a page whose records do not fit into an answer', async () => {
    const from = await now(fleet.ada);
    const long = 'x'.repeat(95_000);
    const made: string[] = [];
    for (let n = 0; n < 60; n += 1) {
      made.push((await make('gauges', { label: `G${n}`, p_json: { long } })).id);
    }
    const page = await changes(fleet.ada, { cursor: from, include: 'record' });
    expect(page.data.length).toBeLessThan(made.length);
    expect(page.hasMore).toBe(true);
    const all = await rest(fleet.ada, from, { include: 'record' });
    expect(all.data.map(({ record }) => record.id)).toEqual(made);
    for (const id of made) await done(fleet.ada.delete(`/objects/gauges/records/${id}`));
  });

  test('filters by object and type, with one cursor for all filters', async () => {
    const from = await now(fleet.ada);
    const company = await make('companies', { name: 'Filtered' });
    const record = await deal(fleet.ada);
    const comments = `/objects/companies/records/${company.id}/comments`;
    await done(fleet.ada.post(comments, { body: 'Filtered' }));
    const some = async (query: Record<string, string | number>) => {
      const { data } = await rest(fleet.ada, from, query);
      return data.map(({ type, record_id }) => [type, record_id]);
    };
    const [ofCompany, ofDeal] = [company.id, record.id].map((id) => ['record.created', id]);
    const said = ['comment.created', company.id];
    expect(await some({ object_type: 'companies' })).toEqual([ofCompany, said]);
    expect(await some({ type: 'record.*' })).toEqual([ofCompany, ofDeal]);
    expect(await some({ type: 'comment.created,record.deleted' })).toEqual([said]);
    expect(await some({ object_type: 'deals,companies', limit: 1 })).toEqual([
      ofCompany,
      ofDeal,
      said,
    ]);
    const { cursor } = await changes(fleet.ada, { cursor: from, type: 'comment.*', limit: 1 });
    expect((await rest(fleet.ada, cursor)).data).toEqual([]);
  });

  test('needs a scope for each kind of event', async () => {
    const as = (...scopes: string[]) => fleet.world.as('ada', { scopes });
    const [records, comments] = [await as('records:read'), await as('comments:read')];
    const from = await Promise.all([records, comments].map(now));
    const company = await make('companies', { name: 'Scoped' });
    const path = `/objects/companies/records/${company.id}/comments`;
    await done(fleet.ada.post(path, { body: 'Scoped' }));
    expect(typesOf(await rest(records, from[0] as string))).toEqual(['record.created']);
    expect(typesOf(await rest(comments, from[1] as string))).toEqual(['comment.created']);
    const none = await as('workspace:read');
    expect(refusalOf(await none.get('/changes'))[1]).toBe('insufficient_scope');
  });
});

describe('a reader', () => {
  test('sees records within reach, and those that enter and leave it', async () => {
    const people = ['ada', 'mia', 'rob', 'rae', 'sam'] as const;
    const from = new Map<PersonName, string>();
    for (const name of people) from.set(name, await now(fleet[name]));
    const record = await deal(fleet.rob);
    const owner = (name: 'sam' | 'rob') =>
      done(
        fleet.ada.patch(`${DEALS}/${record.id}`, {
          fields: { owner_user_id: fleet.world.users[name] },
        }),
      );
    const seen = async (name: PersonName) => {
      const client = fleet[name as 'ada'];
      const page = await rest(client, from.get(name) as string);
      from.set(name, page.cursor);
      return page.data.map(({ type, record_id }) => (record_id === record.id ? type : record_id));
    };
    expect(await Promise.all(people.map(seen))).toEqual([
      ['record.created'],
      ['record.created'],
      ['record.created'],
      [],
      [],
    ]);
    await owner('sam');
    expect(await Promise.all(people.map(seen))).toEqual([
      ['record.updated'],
      ['record.left'],
      ['record.left'],
      [],
      ['record.entered'],
    ]);
    await owner('rob');
    expect(await Promise.all(people.map(seen))).toEqual([
      ['record.updated'],
      ['record.entered'],
      ['record.entered'],
      [],
      ['record.left'],
    ]);
  });

  test('is told once which objects to list again when the rights have changed', async () => {
    const from = await now(fleet.sam);
    const record = await deal(fleet.rob);
    await sql(`update ws_acme._users set roles = '{clerk}' where name = 'Sam'`);
    let cursor = from;
    await vi.waitFor(
      async () => {
        const page = await rest(fleet.sam, from);
        expect(page.data[0]?.type).toBe('reach.changed');
        expect(page.data[0].object_types).toContain('deals');
        expect(page.data[1]?.record_id).toBe(record.id);
        cursor = page.cursor;
      },
      { timeout: 10_000 },
    );
    expect((await rest(fleet.sam, cursor)).data).toEqual([]);
    const [first] = (await rest(fleet.sam, from)).data;
    const [again] = (await rest(fleet.sam, from)).data;
    expect(again.id).toBe(first.id);
    await sql(`update ws_acme._users set roles = '{rep}' where name = 'Sam'`);
    await vi.waitFor(async () => {
      expect(typesOf(await rest(fleet.sam, cursor))).toEqual(['reach.changed']);
    });
  });

  test('is told of renames, and gets earlier changes in present keys', async () => {
    const from = await now(fleet.ada);
    const record = await make('deals', { name: 'Before the rename', amount: 1 });
    const { amount, ...others } = FLEET.objects.deals.fields;
    const { boats, ...objects } = FLEET.objects;
    const fields = { ...others, value: { ...amount, renamed_from: 'amount' } };
    await fleet.world.apply({
      ...FLEET,
      objects: {
        ...objects,
        deals: { ...FLEET.objects.deals, fields },
        ships: { ...boats, renamed_from: 'boats' },
      },
      relationships: {
        ...FLEET.relationships,
        deal_boat: { ...FLEET.relationships.deal_boat, to: 'ships' },
      },
      roles: {
        ...FLEET.roles,
        rep: {
          ...FLEET.roles.rep,
          objects: (({ boats: own, ...rest }) => ({ ...rest, ships: own }))(
            FLEET.roles.rep.objects,
          ),
        },
      },
    });
    await vi.waitFor(async () => {
      const { data } = await rest(fleet.ada, from);
      expect(data[0]).toMatchObject({
        type: 'definition.changed',
        renamed: expect.arrayContaining([
          { of: 'field', object_type: 'deals', from: 'amount', to: 'value' },
          { of: 'object', object_type: 'ships', from: 'boats', to: 'ships' },
        ]),
      });
      const created = data.find(({ record_id }) => record_id === record.id);
      expect(created.changed_fields).toContain('value');
      expect(created.changed_fields).not.toContain('amount');
    });
    await fleet.world.apply({
      ...FLEET,
      objects: {
        ...FLEET.objects,
        deals: {
          ...FLEET.objects.deals,
          fields: { ...others, amount: { ...amount, renamed_from: 'value' } },
        },
        boats: { ...boats, renamed_from: 'ships' },
      },
    });
  });
});

test('renames of several revisions come one after the other, also on small pages', async () => {
  const from = await now(fleet.mia);
  const { code, ...others } = FLEET.objects.deals.fields;
  const named = (key: string, renamed_from: string) => {
    const fields = { ...others, [key]: { ...code, renamed_from } };
    const grant = ({ code: right, ...rest }: Record<string, string>) => ({ ...rest, [key]: right });
    const { rep } = FLEET.roles;
    const deals = { ...rep.objects.deals, fields: grant({ ...rep.objects.deals.fields }) };
    return {
      ...FLEET,
      objects: { ...FLEET.objects, deals: { ...FLEET.objects.deals, fields } },
      roles: { ...FLEET.roles, rep: { ...rep, objects: { ...rep.objects, deals } } },
    };
  };
  const keys = ['code', 'sign', 'mark', 'code'] as const;
  const pairs = keys.slice(1).map((to, index) => ({ from: keys[index] as string, to }));
  for (const { from: key, to } of pairs) await fleet.world.apply(named(to, key));
  const whole = await rest(fleet.mia, from);
  expect(whole.data.map(({ renamed }) => renamed)).toEqual(
    pairs.map((pair) => [{ of: 'field', object_type: 'deals', ...pair }]),
  );
  const revisions = whole.data.map(({ revision }) => revision);
  expect(revisions).toEqual(revisions.toSorted());
  const times = whole.data.map(({ occurred_at }) => occurred_at);
  expect(times).toEqual(times.toSorted());
  expect((await changes(fleet.mia, { cursor: from, limit: 1 })).data).toHaveLength(1);
  expect((await rest(fleet.mia, from)).data).toEqual(whole.data);
  const small = await rest(fleet.mia, from, { limit: 1 });
  expect(small.data).toEqual(whole.data);
  expect((await rest(fleet.mia, small.cursor)).data).toEqual([]);
});

describe('a request that waits', () => {
  test('is answered by the next change, and by nothing when the time is over', async () => {
    const from = await now(fleet.rob);
    const started = performance.now();
    const waiting = changes(fleet.rob, { cursor: from, wait: 20 });
    await deal(fleet.sam);
    const record = await deal(fleet.rob);
    const page = await waiting;
    expect(page.data.map(({ record_id }) => record_id)).toEqual([record.id]);
    expect(performance.now() - started).toBeLessThan(15_000);
    const empty = await changes(fleet.rob, { cursor: page.cursor, wait: 1 });
    expect([empty.data, empty.hasMore]).toEqual([[], false]);
    const next = await deal(fleet.rob);
    const { data } = await rest(fleet.rob, empty.cursor);
    expect(data.map(({ record_id }) => record_id)).toEqual([next.id]);
  });

  test('waits for what it asks for', async () => {
    const from = await now(fleet.ada);
    const waiting = changes(fleet.ada, { cursor: from, wait: 20, type: 'record.deleted' });
    const record = await deal(fleet.ada);
    await done(fleet.ada.delete(`${DEALS}/${record.id}`));
    expect(typesOf(await waiting)).toEqual(['record.deleted']);
  });

  test('sends no statement of its own where others have waited', async () => {
    const first = await changes(fleet.ada, { wait: 1 });
    const other = changes(fleet.ada, { cursor: first.cursor, wait: 3 });
    const second = await changes(fleet.ada, { cursor: first.cursor, wait: 1 });
    watch = watchStatements(fleet.world.database, /./);
    const third = await changes(fleet.ada, { cursor: second.cursor, wait: 1 });
    expect(watch.statements).toEqual([]);
    expect([third.data, (await other).data]).toEqual([[], []]);
  });

  test('ends when its key is revoked', async () => {
    const key = await fleet.world.key('rob');
    const client = await fleet.world.as('rob');
    const { cursor } = await changes(client);
    const { port } = fleet.world;
    const waiting = fetch(`http://127.0.0.1:${port}/v1/changes?wait=30&cursor=${cursor}`, {
      headers: { authorization: `Bearer ${key.secret}` },
    });
    await vi.waitFor(async () => {
      const { status } = await fleet.ada.get('/me');
      expect(status).toBe(200);
    });
    await sql('update workspace_records.api_keys set revoked_at = now() where id = $1', [key.id]);
    expect((await waiting).status).toBe(401);
  });
});

test('an export and its changes are a copy, whatever is written meanwhile', async () => {
  const records = await Promise.all([1, 2, 3].map(() => deal(fleet.rob)));
  const started = await done(fleet.rob.post('/exports', { object_type: 'deals', format: 'jsonl' }));
  expect(started.changes_cursor).toMatch(/^[\w-]{100,}$/);
  const { db, listeners } = fleet.world.database;
  const runner = await startJobs({
    ...{ db, listeners },
    kinds: [exporting(db)],
    onError: console.error,
  });
  await fleet.set('deals', records[0].id, { amount: 71 });
  const job = await vi.waitFor(
    async () => {
      const { body } = await fleet.rob.get(`/jobs/${started.id}`);
      expect(body.data.state).toBe('done');
      return body.data;
    },
    { timeout: 60_000 },
  );
  await fleet.set('deals', records[1].id, { amount: 72 });
  await done(fleet.ada.delete(`${DEALS}/${records[2].id}`));
  const copy = new Map<string, number | null>();
  const file = await call(fleet.world.port, `/v1/exports/${job.id}/file`, {
    key: fleet.rob.secret,
  });
  for (const line of file.text.trim().split('\n')) {
    const { id, amount } = JSON.parse(line);
    copy.set(id, amount);
  }
  for (const event of (await rest(fleet.rob, job.changes_cursor, { include: 'record' })).data) {
    if (event.type === 'record.deleted') copy.delete(event.record_id);
    else copy.set(event.record_id, event.record.fields.amount);
  }
  await runner.stop();
  const { body } = await fleet.rob.get(`${DEALS}?limit=100&fields=amount`);
  // biome-ignore lint/suspicious/noExplicitAny: records of any form
  const listed = body.data.map(({ id, fields }: any) => [id, fields.amount]);
  expect([...copy].sort()).toEqual(listed.sort());
});

describe('a cursor', () => {
  test('is of a workspace and a person', async () => {
    const { cursor } = await changes(fleet.ada);
    const other = await fleet.world.as('ada@globex.example', { workspace: 'globex' });
    for (const client of [other, fleet.rob]) {
      const answer = await client.get(`/changes?cursor=${cursor}`);
      expect(refusalOf(answer)).toEqual([400, 'invalid_cursor', 'cursor']);
    }
    for (const text of ['5', 'x'.repeat(22), `${cursor}A`]) {
      const answer = await fleet.ada.get(`/changes?cursor=${text}`);
      expect(refusalOf(answer)).toEqual([400, 'invalid_cursor', 'cursor']);
    }
  });

  test('may begin at the oldest change, or not later than a time', async () => {
    const record = await deal(fleet.ada);
    const all = await rest(fleet.ada, 'start', { limit: 1000 });
    expect(all.data.at(-1)).toMatchObject({ record_id: record.id, type: 'record.created' });
    const since = new Date(Date.now() + 60_000).toISOString();
    expect((await changes(fleet.ada, { since })).data).toEqual(
      (await changes(fleet.ada, { cursor: 'start', limit: 100 })).data,
    );
    const early = new Date(Date.now() - 31 * 86_400_000).toISOString();
    const refused = await fleet.ada.get(`/changes?since=${early}`);
    expect(refusalOf(refused)).toEqual([410, 'cursor_expired', 'since']);
    expect(refused.body.error.details).toEqual({ reason: 'too_old' });
  });

  test('outlasts a crash of the database, and no restore from a backup', async () => {
    const { cursor } = await changes(fleet.ada);
    const record = await deal(fleet.ada);
    // A recovery empties unlogged tables.
    const near = (text: string) => fleet.world.database.rowsNear('ws_acme', text);
    await near('truncate workspace_records.crash_epoch');
    const { data } = await rest(fleet.ada, cursor);
    expect(data.map(({ record_id }) => record_id)).toEqual([record.id]);
    await near(`update workspace_records.epochs set lineage = 'of another server'`);
    await near('truncate workspace_records.crash_epoch');
    const refused = await fleet.ada.get(`/changes?cursor=${cursor}`);
    expect(refusalOf(refused)).toEqual([410, 'cursor_expired', 'cursor']);
    expect(refused.body.error.details).toEqual({ reason: 'restored' });
    // Changes of the other server are not kept: their numbers mean nothing here.
    const start = await rest(fleet.ada, 'start');
    expect(start.data).toEqual([]);
    const next = await deal(fleet.ada);
    const after = await rest(fleet.ada, start.cursor);
    expect(after.data.map(({ record_id }) => record_id)).toEqual([next.id]);
  });

  test('is not for a person who may no longer read anything', async () => {
    const key = await fleet.world.as('bea');
    const { cursor } = await changes(key);
    await sql(`update ws_acme._users set roles = '{nothing}' where name = 'Bea'`);
    await vi.waitFor(async () => {
      const { status } = await key.get(`/changes?cursor=${cursor}`);
      expect(status).not.toBe(200);
    });
    await sql(`update ws_acme._users set roles = '{clerk}' where name = 'Bea'`);
  });
});

test.each([
  ['type=record.vanished', 400, 'validation_failed', 'type'],
  ['type=record', 400, 'validation_failed', 'type'],
  ['object_type=nothing', 404, 'object_not_available', 'object_type'],
  ['object_type=companies,nothing', 404, 'object_not_available', 'object_type'],
  ['fields=name', 400, 'validation_failed', 'fields'],
  ['fields=name&include=record', 400, 'validation_failed', 'fields'],
  ['object_type=deals&fields=nothing&include=record', 400, 'invalid_filter', 'fields'],
  ['include=records', 400, 'validation_failed', 'include'],
  ['limit=0', 400, 'validation_failed', 'limit'],
  ['limit=1001', 400, 'validation_failed', 'limit'],
  ['wait=31', 400, 'validation_failed', 'wait'],
  ['since=yesterday', 400, 'validation_failed', 'since'],
  ['since=2026-01-01T00:00:00Z&cursor=start', 400, 'validation_failed', 'since'],
  ['page=2', 400, 'validation_failed', 'page'],
] as const)('%s is refused', async (query, status, code, param) => {
  expect(refusalOf(await fleet.ada.get(`/changes?${query}`))).toEqual([status, code, param]);
});
