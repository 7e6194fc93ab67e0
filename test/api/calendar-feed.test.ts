// Feeds of calendars: what a program of calendars gets, read by a parser of its own, and whose rights decide.

import ICAL from 'ical.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, refusalOf } from '../client.ts';
import { call } from '../http-client.ts';
import { ACME, openWorldWith, type World } from '../world.ts';

const TALKS = {
  ...{ name: 'Talks', singular_name: 'Talk', display_field: 'title' },
  fields: {
    title: { type: 'text' },
    starts_at: { type: 'datetime' },
    ends_at: { type: 'datetime' },
    start_date: { type: 'date' },
    end_date: { type: 'date' },
    start_day: { type: 'date' },
    end_day: { type: 'date', storage: 'jsonb' },
  },
};
const ROLES = {
  ...ACME.roles,
  rep: {
    ...ACME.roles.rep,
    objects: { ...ACME.roles.rep.objects, talks: { read: 'own', create: 'own' } },
  },
};

let world: World;
let ada: Client;
let rob: Client;

beforeAll(async () => {
  world = await openWorldWith({
    ...ACME,
    objects: { ...ACME.objects, talks: TALKS },
    roles: ROLES,
  });
  ada = await world.as('ada', { scopes: ALL, requestsPerMinute: 10_000 });
  rob = await world.as('rob', { scopes: ALL, requestsPerMinute: 10_000 });
});
afterAll(() => world?.close());

const ALL = ['records:read', 'records:write', 'records:delete', 'keys:write', 'workspace:write'];
const DAY = 86_400_000;
const days = (count: number) => new Date(Date.now() + count * DAY).toISOString().slice(0, 10);

async function makeView(client: Client, more: object = {}): Promise<string> {
  const view = { object_type: 'talks', name: 'My talks', kind: 'calendar', group_by: 'starts_at' };
  const made = await client.post('/views', { ...view, query: {}, ...more });
  expect(made.status).toBe(201);
  return made.body.data.id;
}

async function makeFeed(client: Client, more: object = {}): Promise<{ id: string; path: string }> {
  const made = await client.post(`/views/${await makeView(client, more)}/feed`, {});
  expect(made.status).toBe(201);
  const { url, id } = made.body.data;
  return { id, path: new URL(url).pathname };
}

async function makeTalk(client: Client, fields: object): Promise<{ id: string; version: string }> {
  const made = await client.post('/objects/talks/records', { fields });
  expect(made.status).toBe(201);
  return made.body.data;
}

const read = (path: string, headers: Record<string, string> = {}) =>
  call(world.port, path, { headers, owner: ada.secret });

/** The events as a parser of its own reads them, by summary. */
async function eventsOf(path: string) {
  const { status, text } = await read(path);
  expect(status).toBe(200);
  const calendar = new ICAL.Component(ICAL.parse(text));
  const events = calendar.getAllSubcomponents('vevent').map((one) => new ICAL.Event(one));
  return { calendar, events: new Map(events.map((event) => [event.summary, event])) };
}

describe('entries', () => {
  test('have the texts and times of the records, and nothing else of them', async () => {
    const title = `Ropes, knots; \\ and\nlines ${'ä'.repeat(60)}`;
    const starts_at = `${days(3)}T09:30:00Z`;
    const talk = await makeTalk(ada, { title, starts_at, ends_at: `${days(3)}T10:15:00Z` });
    await makeTalk(ada, { title: 'Open end', starts_at });
    await makeTalk(ada, { title: 'Backwards', starts_at, ends_at: `${days(2)}T10:15:00Z` });
    await makeTalk(ada, { starts_at: `${days(4)}T09:30:00Z` });
    await makeTalk(ada, { title: 'Long ago', starts_at: `${days(-200)}T09:30:00Z` });
    await makeTalk(ada, { title: 'No time' });
    const { path } = await makeFeed(ada);
    const { calendar, events } = await eventsOf(path);
    expect(calendar.getFirstPropertyValue('x-wr-calname')).toBe('My talks');
    expect([...events.keys()].toSorted()).toEqual(
      ['Backwards', 'Open end', title, 'Talk'].toSorted(),
    );
    const event = events.get(title);
    expect([event?.startDate.toJSDate(), event?.endDate.toJSDate()]).toEqual([
      new Date(starts_at),
      new Date(`${days(3)}T10:15:00Z`),
    ]);
    const url = String(event?.component.getFirstPropertyValue('url'));
    expect(new URL(url).pathname).toBe(`/app/acme/o/talks/${talk.id}`);
    expect(event?.uid).toContain(talk.id);
    const names = event?.component.getAllProperties().map(({ name }) => name);
    const known = [
      'uid',
      'dtstamp',
      'last-modified',
      'sequence',
      'dtstart',
      'dtend',
      'summary',
      'url',
    ];
    expect(names).toEqual(known);
    for (const name of ['Open end', 'Backwards']) {
      expect(events.get(name)?.component.getFirstProperty('dtend')).toBeNull();
    }
  });

  test('are whole days for dates, the last one included', async () => {
    await makeTalk(ada, { title: 'Fair', start_date: days(10), end_date: days(12) });
    const { path } = await makeFeed(ada, { group_by: 'start_date' });
    const event = (await eventsOf(path)).events.get('Fair');
    expect(event?.startDate.isDate).toBe(true);
    expect([event?.startDate.toString(), event?.endDate.toString()]).toEqual([days(10), days(13)]);
  });

  test('have an end or none, also from a field among the custom ones', async () => {
    const start_day = days(20);
    await makeTalk(ada, { title: 'Long', start_day, custom_fields: { end_day: days(21) } });
    await makeTalk(ada, { title: 'Short', start_day });
    const { path } = await makeFeed(ada, { group_by: 'start_day' });
    const { events } = await eventsOf(path);
    expect(events.get('Long')?.endDate.toString()).toBe(days(22));
    expect(events.get('Short')?.component.getFirstProperty('dtend')).toBeNull();
  });

  test('are those of the conditions and the text of the view', async () => {
    const starts_at = `${days(5)}T08:00:00Z`;
    for (const title of ['Green tea', 'Green salad', 'Red tea'])
      await makeTalk(ada, { title, starts_at });
    const where = { field: 'title', op: 'starts_with', value: 'Green' };
    const { path } = await makeFeed(ada, { query: { where, query: 'tea' } });
    expect([...(await eventsOf(path)).events.keys()]).toEqual(['Green tea']);
  });

  test('are the nearest 2,000', async () => {
    await world.rows(`insert into ws_acme.talks (id, title, start_date, owner_user_id, created_by_user_id)
      select gen_random_uuid(), 'Day ' || n, current_date + n, ${world.users.rob}, ${world.users.rob}
      from (values (1)) v cross join generate_series(-170, 150) n cross join generate_series(1, 8)`);
    const { path } = await makeFeed(rob, { group_by: 'start_date' });
    const { text } = await read(path);
    const shown = [...text.matchAll(/SUMMARY:Day (-?\d+)/g)].map(([, day]) => Number(day));
    // 151 days from today on, and 99 before.
    expect([shown.length, Math.max(...shown), Math.min(...shown)]).toEqual([2000, 150, -99]);
  });
});

describe('a reading', () => {
  test('has the rights of its person at that moment, whatever else is sent', async () => {
    const starts_at = `${days(6)}T08:00:00Z`;
    await makeTalk(ada, { title: 'Of Ada', starts_at });
    const own = await makeTalk(rob, { title: 'Of Rob', starts_at });
    const { path } = await makeFeed(rob);
    const { secret } = await world.key('ada');
    const names = async () => {
      const { text } = await read(path, { authorization: `Bearer ${secret}` });
      return [...text.matchAll(/SUMMARY:(.*)\r/g)].map(([, name]) => name);
    };
    expect(await names()).toEqual(['Of Rob']);
    const owner = { fields: { owner_user_id: world.users.ada } };
    expect((await ada.patch(`/objects/talks/records/${own.id}`, owner)).status).toBe(200);
    expect(await names()).toEqual([]);
  });

  test('that has not changed is 304, and a changed record has a higher number', async () => {
    const talk = await makeTalk(ada, { title: 'First', starts_at: `${days(7)}T08:00:00Z` });
    const { path } = await makeFeed(ada, { query: { filters: { id: talk.id } } });
    const first = await read(path);
    const etag = String(first.headers.etag);
    expect((await read(path, { 'if-none-match': etag })).status).toBe(304);
    const before = (await eventsOf(path)).events.get('First')?.sequence ?? 0;
    await ada.patch(`/objects/talks/records/${talk.id}`, { fields: { title: 'Second' } });
    expect((await read(path, { 'if-none-match': etag })).status).toBe(200);
    expect((await eventsOf(path)).events.get('Second')?.sequence).toBeGreaterThan(before);
  });

  test('ends with the key, the view and the person; each is 404', async () => {
    const statusOf = async (path: string) => (await read(path)).status;
    const revoked = await makeFeed(ada);
    expect((await ada.delete(`/keys/${revoked.id}`)).status).toBe(200);
    const viewless = await makeFeed(ada);
    const { view_id } = (await ada.get('/keys')).body.data.find(
      ({ id }: { readonly id: string }) => id === viewless.id,
    );
    await ada.delete(`/views/${view_id}`);
    const sam = await makeFeed(await world.as('sam', { scopes: ALL }), {
      ...{ object_type: 'deals', group_by: 'closes_on' },
    });
    expect(await statusOf(sam.path)).toBe(200);
    const table = await makeFeed(ada);
    const changed = (await ada.get('/keys')).body.data[0].view_id;
    await ada.patch(`/views/${changed}`, { kind: 'table', group_by: null });
    await world.rows(`update ws_acme._users set active = false where id = ${world.users.sam}`);
    const unknown = `/v1/calendar/wrs_c_${'0'.repeat(38)}.ics`;
    const { secret } = await world.key('ada');
    const ofKey = `/v1/calendar/${secret}.ics`;
    const paths = [revoked.path, viewless.path, table.path, sam.path, unknown, ofKey];
    expect(await Promise.all(paths.map(statusOf))).toEqual(paths.map(() => 404));
  });

  test('needs its own path: the secret is no key', async () => {
    const { path } = await makeFeed(ada);
    const secret = /wrs_c_\w+/.exec(path)?.[0];
    const answer = await read('/v1/me', { authorization: `Bearer ${secret}` });
    expect([answer.status, JSON.parse(answer.text).error.code]).toEqual([401, 'invalid_api_key']);
  });
});

describe('making', () => {
  test('is refused for other views, views of others, and without the rights of keys', async () => {
    const feedOf = async (client: Client, id: string) => {
      const { status, body } = await client.post(`/views/${id}/feed`, {});
      return [status, body.error?.code];
    };
    const table = await makeView(ada, { kind: 'table', group_by: null });
    expect(refusalOf(await ada.post(`/views/${table}/feed`, {}))).toEqual([
      422,
      'invalid_write',
      'view_id',
    ]);
    const view = await makeView(ada);
    expect(await feedOf(rob, view)).toEqual([404, 'record_not_found']);
    const narrow = await world.as('ada', { scopes: ['records:read', 'records:write'] });
    expect(await feedOf(narrow, view)).toEqual([403, 'insufficient_scope']);
    const blind = await world.as('ada', { scopes: ['keys:write'] });
    expect(await feedOf(blind, view)).toEqual([403, 'insufficient_scope']);
  });

  test('makes a key that is listed with its view', async () => {
    const view = await makeView(rob);
    const made = await rob.post(`/views/${view}/feed`, { name: 'Phone' });
    const { url, secret, ...key } = made.body.data;
    const [listed] = (await rob.get('/keys?limit=1')).body.data;
    expect(listed).toEqual(key);
    expect(key).toMatchObject({
      name: 'Phone',
      view_id: view,
      scopes: ['records:read'],
      gates: false,
    });
    expect([secret.slice(0, 12), new URL(url).pathname]).toEqual([
      key.prefix,
      `/v1/calendar/${secret}.ics`,
    ]);
  });
});
