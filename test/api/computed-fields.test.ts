// Computed fields over HTTP: a table of the places where a field can appear, and whose rights decide.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JobKind } from '../../src/control/jobs/job-lease.ts';
import { exporting } from '../../src/export/export-job.ts';
import { changingMany } from '../../src/flow/jobs/bulk-job.ts';
import { importing } from '../../src/import/import-job.ts';
import { mergePatch } from '../../src/model/definition/definition.ts';
import { type Client, refusalOf } from '../client.ts';
import { call } from '../http-client.ts';
import { dataIn, useTool } from '../mcp/agents.ts';
import { ALLOWED, makeWebhook, openReceiver, startSending } from '../webhook-world.ts';
import { ACME, openWorldWith, type World } from '../world.ts';
import { openJobs, sendFile } from './job-world.ts';

const DEALS = '/objects/deals/records';
const formula = (expression: string, result_type: string, more: object = {}) => ({
  ...{ type: 'formula', expression, result_type },
  ...more,
});
const FIELDS = {
  rate: { type: 'percent' },
  net: formula('amount * (100 - coalesce(rate, 0)) / 100', 'currency', {
    currency: 'USD',
    indexed: true,
  }),
  size: formula('if(net > 50, "large", net > 5, "medium", "small")', 'text'),
  title: formula('name & " (" & text(net) & ")"', 'text', { searchable: true }),
  renews_on: formula('add_months(closes_on, 12)', 'date'),
  quiet: formula('left(secret, 3) & name', 'text'),
  hot: formula('net > 50', 'boolean'),
};
const DOCUMENT = mergePatch(ACME, {
  objects: {
    deals: { searchable: true, history: { keep: '90d' }, trash: { keep: '30d' }, fields: FIELDS },
  },
}) as object;

let world: World;
let ada: Client;
let rob: Client;
let deal: string;
const jobs = openJobs(() => world);

beforeAll(async () => {
  world = await openWorldWith(DOCUMENT, ALLOWED);
  [ada, rob] = await Promise.all([world.as('ada'), world.as('rob')]);
  deal = await made({
    name: 'Pumps',
    amount: 80,
    rate: 25,
    closes_on: '2027-02-28',
    secret: 'xyz1',
  });
  await made({ name: 'Pipes', amount: 10 });
  await made({ name: 'Empty' });
});
afterAll(async () => {
  await jobs.stop();
  await world?.close();
});

async function made(fields: object, by = ada): Promise<string> {
  const { status, body } = await by.post(DEALS, { fields });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data.id;
}

/** The names of the deals of a list. */
async function listed(query: string): Promise<readonly string[]> {
  const { status, body } = await ada.get(`${DEALS}?fields=name&${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.map(({ fields }: { fields: { name: string } }) => fields.name);
}

async function worked(path: string, body: object, kind: JobKind, by = ada) {
  const answer = await by.post(path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  await jobs.work(kind);
  const job = await jobs.ended(by, answer.body.data.id);
  await jobs.stop();
  return job;
}

async function fieldsOf(id: string, by = ada) {
  return (await by.get(`${DEALS}/${id}`)).body.data?.fields;
}

/** Each place of a computed field, and what is there. */
const PLACES: Readonly<Record<string, () => Promise<void>>> = {
  async 'the answers of a create, also when it is repeated, and the record'() {
    const key = { 'idempotency-key': 'computed-1' };
    const body = { fields: { name: 'Once', amount: 6 } };
    const expected = { net: 6, size: 'medium', title: 'Once (6)', renews_on: null };
    const first = await ada.post(DEALS, body, key);
    const again = await ada.post(DEALS, body, key);
    const { id } = first.body.data;
    for (const answer of [first, again, await ada.get(`${DEALS}/${id}`)]) {
      expect(answer.body.data.fields).toMatchObject(expected);
    }
  },
  async 'the answer of an update'() {
    const id = await made({ name: 'Now', amount: 6 });
    const { body } = await ada.patch(`${DEALS}/${id}`, { fields: { rate: 50 } });
    expect(body.data.fields).toMatchObject({ net: 3, size: 'small', title: 'Now (3)' });
    expect(await fieldsOf(id)).toEqual(body.data.fields);
  },
  async 'filters, also through a reference'() {
    expect(await listed('filter[size]=large')).toEqual(['Pumps']);
    expect(await listed('filter[net]=60')).toEqual(['Pumps']);
    expect(await listed('filter[title]=Pipes (10)')).toEqual(['Pipes']);
  },
  async sorts() {
    expect((await listed('filter[net][gte]=10&sort=-net'))[0]).toBe('Pumps');
    expect((await listed('filter[net][gte]=10&sort=title')).at(-1)).toBe('Pumps');
  },
  async 'groups and sums'() {
    const metrics = [{ name: 'total', op: 'sum', field: 'net' }];
    const where = { filters: { size: 'large' } };
    const { body } = await ada.post(`${DEALS}/aggregate`, {
      metrics,
      group_by: ['size'],
      ...where,
    });
    expect(body.data).toEqual([{ size: 'large', total: 60 }]);
  },
  async 'search, with the value after a change'() {
    const id = await made({ name: 'Quarry', amount: 4321 });
    const found = async (q: string) =>
      (await ada.get(`/search?q=${q}`)).body.data.map((hit: { id: string }) => hit.id);
    expect(await found('4321')).toEqual([id]);
    await ada.patch(`${DEALS}/${id}`, { fields: { amount: 8765 } });
    expect([await found('4321'), await found('8765')]).toEqual([[], [id]]);
  },
  async views() {
    const query = {
      where: { all: [{ field: 'size', op: 'eq', value: 'large' }] },
      sort: [{ field: 'net' }],
    };
    const view = {
      object_type: 'deals',
      name: 'Large',
      kind: 'table',
      columns: [{ field: 'net', total: 'sum' }],
      query,
    };
    expect((await ada.post('/views', view)).status).toBe(201);
    const board = { object_type: 'deals', name: 'Hot', kind: 'board', group_by: 'hot', query: {} };
    expect((await ada.post('/views', board)).status).toBe(201);
  },
  async 'calendar feeds'() {
    const [year = '', month = ''] = new Date().toISOString().split('-');
    const id = await made({ name: 'Renewed', closes_on: `${Number(year) - 1}-${month}-15` });
    const of = { object_type: 'deals', name: 'Renewals', kind: 'calendar', group_by: 'renews_on' };
    const query = { where: { field: 'name', op: 'eq', value: 'Renewed' } };
    const view = await ada.post('/views', { ...of, query });
    const feed = await ada.post(`/views/${view.body.data.id}/feed`, {});
    const path = new URL(feed.body.data.url).pathname;
    const { text } = await call(world.port, path, { owner: ada.secret });
    expect(text).toContain(`DTSTART;VALUE=DATE:${year}${month}15`);
    await ada.delete(`${DEALS}/${id}`);
  },
  async 'webhooks for changes of it'() {
    const receiver = await openReceiver();
    const sending = await startSending(world);
    const id = await made({ name: 'Sent', amount: 4 });
    await makeWebhook(ada, receiver, { object_types: ['deals'], changed_fields: ['size'] });
    for (const amount of [4.5, 40]) await ada.patch(`${DEALS}/${id}`, { fields: { amount } });
    await expect.poll(() => receiver.events().length).toBe(1);
    expect(receiver.events()[0]?.body.data.changed_fields).toEqual(
      expect.arrayContaining(['amount', 'size']),
    );
    await sending.stop();
    await receiver.close();
  },
  async 'the descriptions of agents'() {
    const place = { port: world.port, secret: ada.secret };
    const { text } = await useTool(place, 'describe', { object_type: 'deals' });
    const net = ['net', 'currency', `read-only, computed: ${FIELDS.net.expression}`];
    expect(dataIn(text)).toContain(JSON.stringify(net));
  },
  async exports() {
    const body = {
      object_type: 'deals',
      fields: ['name', 'net', 'size'],
      filters: { size: 'large' },
    };
    const job = await worked('/exports', body, exporting(world.database.db));
    const file = await call(world.port, `/v1/exports/${job.id}/file`, { key: ada.secret });
    expect(file.text).toMatch(/^name,net,size\nPumps,60,large\n/);
  },
  async 'the feed of changes: an input names it, other fields do not'() {
    const { next_cursor: cursor } = (await ada.get('/changes')).body.pagination;
    await ada.patch(`${DEALS}/${deal}`, { fields: { tags: ['hot'] } });
    await ada.patch(`${DEALS}/${deal}`, { fields: { closes_on: '2027-03-31' } });
    await ada.patch(`${DEALS}/${deal}`, { fields: { closes_on: '2027-02-28' } });
    const { body } = await ada.get(`/changes?cursor=${cursor}`);
    const names = body.data.map(
      ({ changed_fields }: { changed_fields: string[] }) => changed_fields,
    );
    expect(names[0]).toEqual(['tags']);
    expect(names[1].toSorted()).toEqual(['closes_on', 'renews_on']);
  },
  async 'the history of its inputs only'() {
    const { body } = await ada.get(`${DEALS}/${deal}/history`);
    const fields = body.data.flatMap((entry: { changes: { field: string }[] }) =>
      entry.changes.map(({ field }) => field),
    );
    expect(fields).toContain('closes_on');
    expect(fields).not.toContain('renews_on');
    const restore = { revision: 1, fields: ['renews_on'] };
    const refused = await ada.post(`${DEALS}/${deal}/restore`, restore);
    expect(refusalOf(refused)).toEqual([422, 'invalid_write', 'fields.renews_on']);
  },
  async 'the trash, and the record that comes back'() {
    const id = await made({ name: 'Gone', amount: 9 });
    const trashed = `${DEALS.replace('/records', '')}/deleted`;
    expect((await ada.delete(`${DEALS}/${id}`)).status).toBe(200);
    const restored = await ada.request('POST', `${trashed}/${id}/restore`, { headers: {} });
    expect(JSON.stringify(restored.body)).toContain('"net":9');
    expect(await fieldsOf(id)).toMatchObject({ net: 9, size: 'medium' });
  },
  async 'merges, by their inputs, and after they are undone'() {
    const id = await made({ name: 'Kept', amount: 9 });
    const lost = (await ada.post(DEALS, { fields: { name: 'Lost', amount: 90 } })).body.data;
    const from = [{ id: lost.id, expected_version: lost.version }];
    const merge = (take: object) => ada.post(`${DEALS}/${id}/merge`, { from, take });
    expect(refusalOf(await merge({ net: lost.id }))).toEqual([
      403,
      'permission_denied',
      'take.net',
    ]);
    expect((await merge({ amount: lost.id })).body.data.record.fields).toMatchObject({ net: 90 });
    expect((await ada.request('POST', `${DEALS}/${id}/unmerge`, { headers: {} })).status).toBe(200);
    const [merged, unmerged] = await world.rows(
      `select changed_fields from _audit where record_id = $1 and action = 'update' order by id`,
      [id],
    );
    for (const entry of [merged, unmerged]) expect(entry?.changed_fields).toContain('net');
    expect([await fieldsOf(id), await fieldsOf(lost.id)]).toMatchObject([{ net: 9 }, { net: 90 }]);
  },
  async 'bulk changes'() {
    const id = await made({ name: 'Many', amount: 9 });
    const where = { field: 'name', op: 'eq', value: 'Many' };
    const body = { where, action: 'update', fields: { amount: 90 }, expected_count: 1 };
    await worked(`${DEALS}/bulk`, body, changingMany(world.database.db));
    expect(await fieldsOf(id)).toMatchObject({ net: 90, size: 'large' });
  },
  async 'imports, which load its inputs and refuse the field'() {
    const load = async (...keys: readonly string[]) => {
      const { json } = await sendFile(world, ada, `${keys.join()}\nImported,2\n`);
      const columns = Object.fromEntries(keys.map((key) => [key, key]));
      const body = { file_id: json.data.id, mapping: { object_type: 'deals', columns } };
      return worked('/imports', body, importing(world.database.db));
    };
    expect((await load('name', 'amount')).state).toBe('done');
    expect(await listed('filter[title]=Imported (2)')).toEqual(['Imported']);
    const refused = await load('name', 'net');
    expect(refused.state).toBe('failed');
    expect(JSON.stringify(refused)).toContain('net is set by the service itself');
  },
  async 'imports of their exports, which leave it out'() {
    for (const [type, text] of [
      ['text/csv', 'name,amount,net\nBack,2,1\n'],
      ['application/x-ndjson', '{"name":"Back","amount":2,"net":1}\n'],
    ]) {
      const { json } = await sendFile(world, ada, String(text), type);
      const body = { file_id: json.data.id, mapping: { object_type: 'deals' } };
      expect((await worked('/imports', body, importing(world.database.db))).counts).toMatchObject({
        created: 1,
        rejected: 0,
      });
    }
  },
  async 'definitions, with its expression where appearance is asked for'() {
    const { body } = await ada.get('/objects/deals?include=appearance');
    const field = body.data.fields.find(({ key }: { key: string }) => key === 'renews_on');
    expect(field).toMatchObject({
      type: 'date',
      editable: false,
      formula: FIELDS.renews_on.expression,
    });
    const plain = (await ada.get('/objects/deals')).body.data.fields;
    expect(JSON.stringify(plain)).not.toContain('formula');
  },
};

describe('a computed value is in', () => {
  test.each(Object.entries(PLACES))('%s', (_, look) => look());
});

test.each(['post', 'patch'] as const)('a %s that sets it is refused', async (method) => {
  const path = method === 'post' ? DEALS : `${DEALS}/${deal}`;
  const answer = await ada[method](path, { fields: { name: 'No', net: 1 } });
  expect(refusalOf(answer)).toEqual([422, 'invalid_write', 'fields.net']);
});

test('it is as hidden as the most hidden field that it is computed from', async () => {
  const id = await made({ name: 'Rob', amount: 4, secret: 'S', owner_user_id: world.users.rob });
  expect(await fieldsOf(id, rob)).toMatchObject({ net: 4 });
  expect(await fieldsOf(id, rob)).not.toHaveProperty('quiet');
  expect(await fieldsOf(id)).toMatchObject({ quiet: 'SRob' });
  for (const query of ['filter[quiet]=SRob', 'sort=quiet', 'fields=quiet']) {
    expect(refusalOf(await rob.get(`${DEALS}?${query}`)), query).toEqual(
      refusalOf(await rob.get(`${DEALS}?${query.replace('quiet', 'secret')}`)).map((part) =>
        typeof part === 'string' ? part.replace('secret', 'quiet') : part,
      ),
    );
  }
  const { next_cursor: cursor } = (await rob.get('/changes')).body.pagination;
  await ada.patch(`${DEALS}/${id}`, { fields: { name: 'Robert' } });
  const { body } = await rob.get(`/changes?cursor=${cursor}`);
  expect(body.data[0].changed_fields).not.toContain('quiet');
  const definition = (await rob.get('/objects/deals')).body.data;
  expect(JSON.stringify(definition)).not.toContain('quiet');
});

describe('a definition', () => {
  const plan = async (fields: object) => {
    const patch = { objects: { deals: { fields } } };
    return (await ada.post('/definition/plan', { patch, merge: true })).body.data;
  };

  test.each([
    ['round(amount, 16)', 'round', 0, 15],
    ['round(amount, amount)', 'round', 0, 15],
    ['left("abc", 501)', 'left', 1, 500],
  ])('says how the last part of %s is written', async (expression, name, least, most) => {
    const { problems } = await plan({ bad: formula(expression, 'number') });
    expect(problems[0].params.problem).toMatchObject({
      message_id: 'formula_written_number',
      params: { name, least, most },
    });
  });

  test('reports the character of a problem', async () => {
    const { problems } = await plan({ bad: formula('amount + nme', 'number') });
    expect(problems).toMatchObject([
      {
        path: 'objects.deals.fields.bad.expression',
        message: expect.stringContaining('character 10'),
      },
    ]);
  });

  test('with other expressions rewrites the table once, and says how long it takes', async () => {
    const { changes } = await plan({
      size: { expression: '"one"' },
      double: formula('amount * 2', 'number'),
    });
    expect(changes).toMatchObject([
      { path: 'objects.deals.fields.size', action: 'change', effect: 'rewrites' },
      { path: 'objects.deals.fields.double', action: 'add', effect: 'rewrites', expected_ms: 0 },
    ]);
    expect(changes[0].rows).toBeGreaterThan(2);
    expect(changes[0].expected_ms).toBeGreaterThan(0);
  });

  test('cannot drop an input without its formulas, which are to be named', async () => {
    const { problems } = await plan({ rate: null });
    expect(problems.map(({ path }: { path: string }) => path)).toContain(
      'objects.deals.fields.net.expression',
    );
    const gone = { rate: null, net: null, size: null, title: null, hot: null };
    const { changes } = await plan(gone);
    const allowed = changes.flatMap(({ allow }: { allow: string | null }) => allow ?? []);
    expect(allowed.toSorted()).toEqual(
      ['hot', 'net', 'rate', 'size', 'title'].map((key) => `deals.${key}`),
    );
  });

  test('renames an input in the expressions, and computes nothing again', async () => {
    const rate = { type: 'percent', renamed_from: 'rate' };
    const { changes, problems } = await plan({ rate: null, discount: rate });
    expect(problems).toEqual([]);
    expect(changes.map(({ action }: { action: string }) => action)).toEqual(['rename']);
  });
});
