// Live events over HTTP: every kind of event, its form, and its readers.

import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  appendAdministrativeAudit,
  OPERATOR,
} from '../../src/control/workspace/administrative-audit.ts';
import type { Client } from '../client.ts';
import { type EventClient, openEvents } from '../event-client.ts';
import { call } from '../http-client.ts';
import { lacks } from '../own-database.ts';
import type { PersonName } from '../world.ts';
import { FLEET, useFleet } from './fleet.ts';

const addFormats = addFormatsModule as unknown as (ajv: Ajv2020) => void;

const fleet = useFleet();
const { make, deal } = fleet;
const DEALS = '/objects/deals/records';

const opened: EventClient[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
});

async function listen(
  { secret }: Pick<Client, 'secret'>,
  lastEventId?: string,
): Promise<EventClient> {
  const stream = await openEvents({ port: fleet.world.port, secret, lastEventId });
  expect(stream.status, stream.text()).toBe(200);
  opened.push(stream);
  return stream;
}

const as = (name: PersonName, ...scopes: string[]) => fleet.world.as(name, { scopes });

/** An event that everybody may see comes after all earlier ones: then those have come, or never will. */
async function settle(...streams: readonly EventClient[]): Promise<void> {
  const { id } = await make('companies', { name: 'The end' });
  await comment(fleet.ada, { object_type: 'companies', id });
  await Promise.all(streams.map((one) => one.next(({ data }) => data.record_id === id)));
}

/** The names of a stream's events about a record. */
const told = ({ events }: EventClient, { id }: { readonly id: string }) =>
  events.filter(({ data }) => data.record_id === id).map(({ name }) => name);

const changedKeys = ({ events }: EventClient, { id }: { readonly id: string }) =>
  events.filter(({ data }) => data.record_id === id).map(({ data }) => data.changed_fields);

async function comment(
  client: Client,
  { object_type, id }: { readonly object_type: string; readonly id: string },
  names: readonly PersonName[] = [],
) {
  const mention_user_ids = names.map((name) => fleet.world.users[name]);
  const path = `/objects/${object_type}/records/${id}/comments`;
  const answer = await client.post(path, { body: 'Line 1\n\ndata: 2\r\u2028', mention_user_ids });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
}

async function done(answer: Promise<{ readonly status: number; readonly body: unknown }>) {
  const { status, body } = await answer;
  expect(status, JSON.stringify(body)).toBeLessThan(300);
}

describe('the answer', () => {
  test('has the headers of every answer and of a stream, and its first bytes at once', async () => {
    const stream = await listen(fleet.rob);
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-content-type-options': 'nosniff',
      'x-accel-buffering': 'no',
      'x-request-id': expect.stringMatching(/^req_/),
      'ratelimit-limit': '1000000',
    });
    await vi.waitFor(
      () => expect(stream.text()).toMatch(/^retry: 1000\nid: [\w-]{22,}\n\n/),
      60_000,
    );
  });

  test('has no event of administrative actions', async () => {
    const stream = await listen(fleet.ada);
    const event = { subject_type: 'key', subject_id: 'a key', action: 'revoke' } as const;
    const { db } = fleet.world.database;
    await appendAdministrativeAudit(db, 'ws_acme', OPERATOR, [event]);
    const record = await make('companies', { name: 'Beside' });
    await settle(stream);
    expect(told(stream, record)).toEqual(['record.created']);
    expect(stream.text()).not.toContain('revoke');
  });

  test('to HEAD is the headers', async () => {
    const { port } = fleet.world;
    const asked = { method: 'HEAD', key: fleet.rob.secret };
    const { status, headers, text } = await call(port, '/v1/events/stream', asked);
    expect([status, text]).toEqual([200, '']);
    expect(headers['content-type']).toBe('text/event-stream; charset=utf-8');
  });

  test('counts once, and needs one of two scopes', async () => {
    const poor = await as('ada', 'records:write', 'comments:write');
    const refused = await openEvents({ port: fleet.world.port, secret: poor.secret });
    await refused.ended();
    expect([refused.status, JSON.parse(refused.text()).error]).toMatchObject([
      403,
      { code: 'insufficient_scope', details: { required_scope: 'records:read' } },
    ]);
    const key = await fleet.world.key('ada', { requestsPerMinute: 100 });
    const stream = await listen(key);
    await settle(stream);
    await new Promise((resolve) => setTimeout(resolve, 1100));
    const me = await call(fleet.world.port, '/v1/me', { key: key.secret });
    // A minute may have begun after the stream.
    expect(['98', '99']).toContain(me.headers['ratelimit-remaining']);
  });

  test('to an id of no stream, or of another workspace, is 400', async () => {
    const other = await fleet.world.as('ada@globex.example', { workspace: 'globex' });
    const foreign = await listen(other);
    await vi.waitFor(() => expect(foreign.lastId()).not.toBe(''), 60_000);
    for (const lastEventId of ['5', 'x'.repeat(22), foreign.lastId()]) {
      const { port } = fleet.world;
      const refused = await openEvents({ port, secret: fleet.ada.secret, lastEventId });
      await refused.ended();
      expect([refused.status, JSON.parse(refused.text()).error]).toMatchObject([
        400,
        { code: 'validation_failed', param: 'Last-Event-ID' },
      ]);
    }
    const { port } = fleet.world;
    const empty = await openEvents({ port, secret: fleet.ada.secret, lastEventId: '' });
    opened.push(empty);
    expect(empty.status).toBe(200);
  });
});

describe('events', () => {
  test('of every kind, in the form the document describes', async () => {
    const stream = await listen(fleet.ada);
    const record = await deal(fleet.ada);
    const company = await make('companies', { name: 'Linked' });
    const path = `${DEALS}/${record.id}`;
    await done(fleet.ada.patch(path, { fields: { amount: 5, code: 'C' } }));
    await done(fleet.ada.post(`${path}/status`, { status_id: 'won' }));
    await done(fleet.ada.post(`${path}/relationships/ref.company_id`, { target_id: company.id }));
    await done(fleet.ada.post(`${path}/relationships/link.deal_agency`, { target_id: company.id }));
    await done(fleet.ada.delete(`${path}/relationships/link.deal_agency/${company.id}`));
    const said = await comment(fleet.rob, company, ['ada', 'rob']);
    // Of a deleted record no other event would be sent.
    await stream.next(({ name }) => name === 'record.unlinked');
    await done(fleet.ada.delete(path));
    await stream.next(({ name }) => name === 'record.deleted');
    const byAda = stream.events.filter(({ data }) => data.record_id === record.id);
    expect(byAda.map(({ name, data }) => [name, data.revision, data.changed_fields])).toEqual([
      ['record.created', 1, expect.arrayContaining(['name'])],
      ['record.updated', 2, ['amount', 'code']],
      ['record.status_changed', 3, ['status']],
      ['record.linked', 4, ['company_id']],
      ['record.linked', 4, ['link.deal_agency']],
      ['record.unlinked', 4, ['link.deal_agency']],
      ['record.deleted', 5, []],
    ]);
    const listed = await fleet.ada.get('/notifications?limit=1');
    const told = stream.events.filter(({ data }) => data.record_id === company.id);
    const [, commented, notified] = told;
    expect(commented).toMatchObject({
      name: 'comment.created',
      data: { object_type: 'companies', record_id: company.id, comment: said },
    });
    expect(notified).toMatchObject({ name: 'notification.created', data: listed.body.data[0] });
    const ids = stream.events.map(({ data }) => data.id);
    expect(new Set(ids).size).toBe(ids.length);
    await expectDocumented(stream);
  });

  test('of batches and of the effects of a delete elsewhere', async () => {
    const company = await make('companies', { name: 'Referred to' });
    const record = await make('deals', { name: 'Refers', partner_id: company.id });
    const stream = await listen(fleet.ada);
    const operations = [1, 2, 3].map((n) => ({ action: 'create', fields: { name: `B${n}` } }));
    await done(fleet.batch(fleet.ada, operations));
    await done(fleet.ada.delete(`/objects/companies/records/${company.id}`));
    await settle(stream);
    expect(
      stream.events
        .slice(0, 5)
        .map(({ name }) => name)
        .sort(),
    ).toEqual([
      'record.created',
      'record.created',
      'record.created',
      'record.deleted',
      'record.updated',
    ]);
    expect(changedKeys(stream, record)).toEqual([['partner_id']]);
  });
});

/** Every event against the schema of the OpenAPI document. */
async function expectDocumented({ events }: EventClient): Promise<void> {
  const { json } = await call(fleet.world.port, '/v1/openapi.json', { key: fleet.ada.secret });
  const ajv = new Ajv2020({ strict: false });
  addFormats(ajv);
  ajv.addSchema({ ...json, $id: 'openapi' });
  const place = '/paths/~1events~1stream/get/responses/200/content/text~1event-stream/schema';
  const validate = ajv.getSchema(`openapi#${place}`);
  for (const { name, id, data } of events) {
    expect(validate?.({ event: name, id, data }), ajv.errorsText(validate?.errors)).toBe(true);
  }
  expect(validate?.({ event: 'record.created', data: { id: 'x' } })).toBe(false);
}

describe('a reader gets', () => {
  test('of records within reach', async () => {
    const streams = await Promise.all(
      [fleet.ada, fleet.mia, fleet.rob, fleet.sam].map((one) => listen(one)),
    );
    const own = await deal(fleet.rob);
    const others = await deal(fleet.sam);
    const unowned = await make('deals', { name: 'Nobody reads it but Ada' });
    const [ada, mia, rob, sam] = streams as [EventClient, EventClient, EventClient, EventClient];
    await settle(...streams);
    const seen = (stream: EventClient) =>
      [own, others, unowned].map((record) => told(stream, record).length);
    expect([ada, mia, rob, sam].map(seen)).toEqual([
      [1, 1, 1],
      [1, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
    ]);
  });

  test('of deletes by the reach that was', async () => {
    const record = await deal(fleet.rob);
    const streams = await Promise.all([fleet.mia, fleet.rob, fleet.sam].map((one) => listen(one)));
    await done(fleet.mia.delete(`${DEALS}/${record.id}`));
    await settle(...streams);
    // A new reader may get the creation as well.
    expect(streams.map((stream) => told(stream, record).at(-1))).toEqual([
      'record.deleted',
      'record.deleted',
      undefined,
    ]);
  });

  test('that a record was given away, and no change before', async () => {
    const record = await deal(fleet.rob);
    const [stream, others] = [await listen(fleet.rob), await listen(fleet.rae)];
    await fleet.set('deals', record.id, { amount: 77 });
    await done(
      fleet.ada.patch(`${DEALS}/${record.id}`, {
        fields: { owner_user_id: fleet.world.users.sam },
      }),
    );
    await settle(stream, others);
    expect(told(stream, record).at(-1)).toBe('record.left');
    const left = stream.events.find(({ name }) => name === 'record.left');
    expect(left?.data).toEqual({
      type: 'record.left',
      id: expect.any(String),
      object_type: 'deals',
      record_id: record.id,
      occurred_at: expect.any(String),
    });
    expect(told(others, record)).toEqual([]);
    await expectDocumented(stream);
  });

  test('of the version that a record has', async () => {
    const stream = await listen(fleet.ada);
    const record = await deal(fleet.rob);
    await fleet.set('deals', record.id, { amount: 1 });
    const { body } = await fleet.ada.get(`${DEALS}/${record.id}`);
    await settle(stream);
    const last = stream.events.filter(({ data }) => data.record_id === record.id).at(-1);
    expect(last?.data.version).toBe(body.data.version);
  });

  test('only keys of fields they may read, and no event when there are none', async () => {
    const record = await deal(fleet.rob);
    const stream = await listen(fleet.rob);
    await fleet.set('deals', record.id, { secret: 'a', amount: 1 });
    await fleet.set('deals', record.id, { secret: 'b' });
    await settle(stream);
    expect(changedKeys(stream, record)).toEqual([['amount']]);
  });

  test('of relationships to objects they may read only', async () => {
    const record = await deal(fleet.rob);
    const company = await make('companies', { name: 'Agency' });
    const product = await make('products', { name: 'Not for reps' });
    const stream = await listen(fleet.rob);
    const path = `${DEALS}/${record.id}/relationships`;
    await done(fleet.ada.post(`${path}/link.deals_products`, { target_id: product.id }));
    await done(fleet.ada.post(`${path}/link.deal_agency`, { target_id: company.id }));
    await settle(stream);
    expect(changedKeys(stream, record)).toEqual([['link.deal_agency']]);
    expect(stream.text()).not.toContain('products');
  });

  test('of what their scopes are for', async () => {
    const records = await listen(await as('ada', 'records:read'));
    const comments = await listen(await as('ada', 'comments:read'));
    const record = await deal(fleet.rob);
    await comment(fleet.rob, record, ['ada']);
    await settle(records, comments);
    expect(told(records, record)).toEqual(['record.created']);
    expect(told(comments, record)).toEqual(['comment.created', 'notification.created']);
  });

  test('of their own mentions, while they may read the record', async () => {
    const streams = await Promise.all(
      [fleet.ada, fleet.mia, fleet.rae, fleet.rob].map((one) => listen(one)),
    );
    const record = await deal(fleet.rob);
    await comment(fleet.rob, record, ['mia', 'rae']);
    await settle(...streams);
    expect(streams.map((stream) => told(stream, record).slice(1))).toEqual([
      ['comment.created'],
      ['comment.created', 'notification.created'],
      [],
      ['comment.created'],
    ]);
  });

  test('no events of other workspaces', async () => {
    const other = await fleet.world.as('ada@globex.example', { workspace: 'globex' });
    const [here, there] = [await listen(fleet.ada), await listen(other)];
    const made = await other.post('/objects/companies/records', { fields: { name: 'Theirs' } });
    const record = await deal(fleet.ada);
    await there.next(({ data }) => data.record_id === made.body.data.id);
    await settle(here);
    expect(told(here, record)).toEqual(['record.created']);
    expect(here.text()).not.toContain(made.body.data.id);
    expect(there.events).toHaveLength(1);
  });
});

describe('a stream ends, or shows less,', () => {
  const sql = (text: string, values: readonly unknown[]) => fleet.world.database.rows(text, values);

  test('when the key is revoked', async () => {
    const key = await fleet.world.key('rob');
    const stream = await listen(key);
    await sql('update workspace_records.api_keys set revoked_at = now() where id = $1', [key.id]);
    await stream.ended();
  });

  test('when the user is deactivated or is no longer a developer', async () => {
    const [rae, bea] = [await listen(fleet.rae), await listen(fleet.bea)];
    await sql(`update ws_acme._users set active = false where name = 'Rae'`, []);
    await sql(`update ws_acme._users set roles = '{contractor}' where name = 'Bea'`, []);
    await Promise.all([rae.ended(), bea.ended()]);
    await sql(`update ws_acme._users set active = true where name = 'Rae'`, []);
    await sql(`update ws_acme._users set roles = '{clerk}' where name = 'Bea'`, []);
  });

  test('when the key loses its scopes', async () => {
    const key = await fleet.world.key('ada');
    const stream = await listen(key);
    const set = (scopes: readonly string[]) =>
      sql('update workspace_records.api_keys set scopes = $2 where id = $1', [key.id, scopes]);
    await set(['comments:read']);
    await vi.waitFor(
      async () => {
        const record = await deal(fleet.ada);
        await settle(stream);
        expect(told(stream, record)).toEqual([]);
      },
      { timeout: 60_000 },
    );
    await set(['records:write']);
    await stream.ended();
  });

  test('when the user loses a grant', async () => {
    const stream = await listen(fleet.sam);
    const roles = (names: string) =>
      sql(`update ws_acme._users set roles = $1 where name = 'Sam'`, [names]);
    await roles('{clerk}');
    const others = async () => {
      const record = await deal(fleet.rob);
      await settle(stream);
      return told(stream, record);
    };
    await vi.waitFor(async () => expect(await others()).toHaveLength(1), { timeout: 60_000 });
    await roles('{rep}');
    await vi.waitFor(async () => expect(await others()).toEqual([]), { timeout: 60_000 });
    expect(stream.isOpen()).toBe(true);
    const changes = stream.events.filter(({ name }) => name === 'reach.changed');
    expect(changes).toHaveLength(2);
    for (const { data } of changes) expect(data.object_types).toContain('deals');
    await expectDocumented(stream);
  });

  test('and reports a new definition, but not the rights of others', async () => {
    const stream = await listen(fleet.ada);
    await sql(`update ws_acme._users set title = 'Other' where name = 'Sam'`, []);
    const { companies } = FLEET.objects;
    const fields = { ...companies.fields, motto: { type: 'text' } };
    const objects = { ...FLEET.objects, companies: { ...companies, fields } };
    await fleet.world.apply({ ...FLEET, objects });
    const changed = await stream.next(({ name }) => name === 'definition.changed');
    expect(changed.data).toMatchObject({ renamed: [], removed: [] });
    const reach = await stream.next(({ name }) => name === 'reach.changed');
    expect(reach.data.object_types).toEqual(['companies']);
    expect(stream.events.filter(({ name }) => name.endsWith('.changed'))).toHaveLength(2);
  });

  test.skipIf(lacks('triggers'))(
    'and a reader that resumes from an id gets the missed events, once',
    async () => {
      const roles = (names: string) =>
        sql(`update ws_acme._users set roles = $1 where name = 'Sam'`, [names]);
      const before = await listen(fleet.sam);
      await settle(before);
      const left = before.lastId();
      before.close();
      await roles('{clerk}');
      const changes = async (stream: EventClient) => {
        await settle(stream);
        return stream.events.flatMap(({ name }) => (name.endsWith('.changed') ? [name] : []));
      };
      await vi.waitFor(
        async () => expect(await changes(await listen(fleet.sam, left))).toEqual(['reach.changed']),
        { timeout: 60_000 },
      );
      const after = await listen(fleet.sam);
      await settle(after);
      expect(await changes(await listen(fleet.sam, after.lastId()))).toEqual([]);
      await roles('{rep}');
    },
  );
});

describe('in a session', () => {
  test('its identity is where a stream begins that misses no event', async () => {
    const { cookie } = await fleet.world.inSession('ada');
    const session = { port: fleet.world.port, headers: { cookie } };
    const me = await call(fleet.world.port, '/v1/me', { headers: { cookie } });
    const { last_event_id } = JSON.parse(me.text).data;
    const record = await make('companies', { name: 'Before the stream' });
    const stream = await openEvents({ ...session, secret: '', lastEventId: last_event_id });
    opened.push(stream);
    await settle(stream);
    expect(told(stream, record)).toEqual(['record.created']);
    const again = await openEvents({ ...session, secret: '', lastEventId: stream.lastId() });
    opened.push(again);
    await settle(again);
    expect(told(again, record)).toEqual([]);
    // Stand-ins for `EventSource` send the id in the address; a header is of a later event.
    const query = `?lastEventId=${encodeURIComponent(last_event_id)}`;
    const standIn = await openEvents({ ...session, secret: '', query });
    const both = await openEvents({ ...session, secret: '', query, lastEventId: stream.lastId() });
    opened.push(standIn, both);
    await Promise.all([settle(standIn), settle(both)]);
    expect([told(standIn, record), told(both, record)]).toEqual([['record.created'], []]);
  });
});
