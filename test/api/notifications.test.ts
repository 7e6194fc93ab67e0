// Notifications over HTTP: the recipients of a mention, those who still see it, pages, and marking as read.

import { describe, expect, test, vi } from 'vitest';
import { type Answer, type Client, refusalOf } from '../client.ts';
import { watchStatements } from '../watch-statements.ts';
import { ACME, type PersonName } from '../world.ts';
import { useCast } from './cast.ts';

const cast = useCast();
const { deal, refused } = cast;

type Name = 'ada' | 'mia' | 'rob' | 'rae' | 'sam';
const UNKNOWN = '01900000-0000-7000-8000-00000000000a';

const rows = (text: string, values: readonly unknown[] = []) =>
  cast.world.database.rows(text, values);

/** Comment on a record and mention these people; the comment. */
async function mention(
  client: Client,
  record: { readonly id: string; readonly object_type: string },
  names: readonly PersonName[],
  headers: Readonly<Record<string, string>> = {},
) {
  const path = `/objects/${record.object_type}/records/${record.id}/comments`;
  const mention_user_ids = names.map((name) => cast.world.users[name]);
  const answer = await client.post(path, { body: 'Secret words', mention_user_ids }, headers);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
}

/** The part of a record that a person sees. */
async function seenOf(name: Name, recordId: string): Promise<Answer['body'][]> {
  const { body } = await cast[name].get('/notifications?limit=100');
  return body.data.filter((one: { readonly record_id: string }) => one.record_id === recordId);
}

/** The people with a notification of a record, by name, whether they see it or not. */
async function toldOf(recordId: string) {
  const found = await rows(
    `select u.name from ws_acme._notifications n join ws_acme._users u on u.id = n.user_id
      where n.record_id = $1 order by u.name`,
    [recordId],
  );
  return found.map(({ name }) => name);
}

async function give(recordId: string, name: Name) {
  const owner = cast.world.users[name];
  await rows('update ws_acme.deals set owner_user_id = $1 where id = $2', [owner, recordId]);
}

const read = (client: Client, id: string) => client.request('POST', `/notifications/${id}/read`);

describe('the beginning of a comment', () => {
  const excerptsOf = async (client: Client) => {
    const { status, body } = await client.get('/notifications?include=excerpt&limit=100');
    expect(status).toBe(200);
    return (recordId: string) =>
      body.data
        .filter((one: { readonly record_id: string }) => one.record_id === recordId)
        .map(({ excerpt }: { readonly excerpt?: string }) => excerpt);
  };

  test('comes with a notification where it is asked for, of records that the person can read', async () => {
    const record = await deal(cast.rob);
    await mention(cast.rob, record, ['mia']);
    const body = 'é'.repeat(500);
    const mention_user_ids = [cast.world.users.mia];
    await cast.rob.post(`/objects/deals/records/${record.id}/comments`, { body, mention_user_ids });
    expect((await excerptsOf(cast.mia))(record.id)).toEqual(['é'.repeat(280), 'Secret words']);
    expect(await seenOf('mia', record.id)).not.toContainEqual(
      expect.objectContaining({ excerpt: expect.anything() }),
    );
    await give(record.id, 'sam');
    expect((await excerptsOf(cast.mia))(record.id)).toEqual([]);
  });

  test('nothing else is included', async () => {
    const answer = await cast.mia.get('/notifications?include=body');
    expect(refusalOf(answer)).toEqual([400, 'validation_failed', 'include']);
  });
});

describe('a mention', () => {
  test('notifies those who can read the record, without the text', async () => {
    const record = await deal(cast.rob);
    const comment = await mention(cast.rob, record, ['mia', 'rae', 'sam', 'ada', 'bea', 'con']);
    // Con sees all deals, although no key of theirs works.
    expect(await toldOf(record.id)).toEqual(['Ada', 'Con', 'Mia']);
    const [seen] = await seenOf('mia', record.id);
    expect(seen).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      kind: 'mention',
      object_type: 'deals',
      record_id: record.id,
      comment_id: comment.id,
      author: { kind: 'user', id: cast.world.users.rob, name: 'Rob' },
      created_at: comment.created_at,
      read_at: null,
    });
    const stored = await rows('select n::text from ws_acme._notifications n');
    expect(JSON.stringify(stored)).not.toContain('words');
    for (const name of ['rob', 'rae', 'sam'] as const) {
      expect(await seenOf(name, record.id)).toEqual([]);
    }
  });

  test('notifies by the reach of each object', async () => {
    const made = await cast.ada.post('/objects/companies/records', { fields: { name: 'Seen' } });
    const company = made.body.data;
    const everybody = ['ada', 'mia', 'rob', 'rae', 'sam', 'bea', 'con'] as const;
    await mention(cast.rae, company, everybody);
    expect(await toldOf(company.id)).toEqual(['Ada', 'Bea', 'Mia', 'Rae', 'Rob', 'Sam']);
    const contact = await cast.ada.post('/objects/contacts/records', { fields: { name: 'x' } });
    await mention(cast.ada, contact.body.data, everybody);
    expect(await toldOf(contact.body.data.id)).toEqual(['Ada']);
  });

  test('notifies once, and the author too', async () => {
    const record = await deal(cast.rob);
    await mention(cast.rob, record, ['rob', 'mia', 'rob', 'mia']);
    expect(await toldOf(record.id)).toEqual(['Mia', 'Rob']);
    expect(await seenOf('rob', record.id)).toHaveLength(1);
  });

  test('notifies for the comment that is there only', async () => {
    const record = await deal(cast.rob);
    const path = `/objects/deals/records/${record.id}/comments`;
    const { users } = cast.world;
    const send = (body: object) => () => cast.rob.post(path, { body: 'x', ...body });
    const nobody = send({ mention_user_ids: [users.mia, users.zed] });
    await refused(nobody, [400, 'validation_failed', 'mention_user_ids']);
    expect(await toldOf(record.id)).toEqual([]);
    const headers = { 'idempotency-key': 'told-once' };
    await mention(cast.rob, record, ['mia'], headers);
    await mention(cast.rob, record, ['mia'], headers);
    expect(await toldOf(record.id)).toEqual(['Mia']);
    const orphans = await rows(
      `select 1 from ws_acme._notifications n where not exists (
        select from ws_acme._comments c where c.id = n.comment_id)`,
    );
    expect(orphans).toEqual([]);
  });
});

describe('is seen only while its record can be read', () => {
  test('when the owner changes, and changes back', async () => {
    const record = await deal(cast.rob);
    await mention(cast.rob, record, ['mia', 'rob', 'ada']);
    const [notification] = await seenOf('mia', record.id);
    await give(record.id, 'sam');
    expect(await seenOf('mia', record.id)).toEqual([]);
    expect(await seenOf('rob', record.id)).toEqual([]);
    expect(await seenOf('sam', record.id)).toEqual([]);
    expect(await seenOf('ada', record.id)).toHaveLength(1);
    const unseen = () => read(cast.mia, notification.id);
    await refused(unseen, [404, 'record_not_found', 'notification_id']);
    await give(record.id, 'rae');
    expect(await seenOf('mia', record.id)).toHaveLength(1);
    expect(await seenOf('rob', record.id)).toEqual([]);
    expect((await read(cast.mia, notification.id)).status).toBe(200);
  });

  test('not when the record is gone', async () => {
    const record = await deal(cast.rob);
    await mention(cast.rob, record, ['mia']);
    const [notification] = await seenOf('mia', record.id);
    expect((await cast.ada.delete(`/objects/deals/records/${record.id}`)).status).toBe(200);
    expect(await seenOf('mia', record.id)).toEqual([]);
    await refused(
      () => read(cast.mia, notification.id),
      [404, 'record_not_found', 'notification_id'],
    );
  });

  test('not when the roles no longer grant any right on the object', async () => {
    const record = await deal(cast.rae);
    await mention(cast.rae, record, ['rae']);
    const [notification] = await seenOf('rae', record.id);
    const roles = async (keys: string, expected: number) => {
      const { users } = cast.world;
      await rows('update ws_acme._users set roles = $1 where id = $2', [keys, users.rae]);
      // Processes know within a second.
      const isKnown = async () => expect(await seenOf('rae', record.id)).toHaveLength(expected);
      await vi.waitFor(isKnown, { timeout: 60_000, interval: 20 });
    };
    await roles('{blind}', 0);
    const unseen = () => read(cast.rae, notification.id);
    await refused(unseen, [404, 'record_not_found', 'notification_id']);
    const sailor = { developer: true, objects: { boats: { read: 'organisation' } } };
    await cast.world.apply({
      ...ACME,
      roles: { ...ACME.roles, sailor },
      users: { ...ACME.users, 'rae@acme.example': { name: 'Rae', roles: ['sailor'] } },
    });
    await vi.waitFor(
      async () => expect((await cast.rae.get('/objects/companies')).status).toBe(404),
      { timeout: 60_000, interval: 20 },
    );
    expect((await cast.rae.get('/notifications')).body).toEqual({
      data: [],
      pagination: { limit: 50, has_more: false, next_cursor: null },
    });
    await refused(unseen, [404, 'record_not_found', 'notification_id']);
    await roles('{rep}', 1);
  });
});

describe('reading', () => {
  test('marks it once: the first time stays', async () => {
    const record = await deal(cast.rob);
    await mention(cast.rob, record, ['mia']);
    const [unread] = await seenOf('mia', record.id);
    const first = await read(cast.mia, unread.id);
    expect(first.status).toBe(200);
    const { read_at } = first.body.data;
    expect(read_at >= unread.created_at).toBe(true);
    expect(first.body.data).toEqual({ ...unread, read_at });
    const again = await Promise.all([read(cast.mia, unread.id), read(cast.mia, unread.id)]);
    for (const { status, body } of again) expect([status, body]).toEqual([200, first.body]);
    expect(await seenOf('mia', record.id)).toEqual([first.body.data]);
    const onlyUnread = await cast.mia.get('/notifications?unread=true&limit=100');
    expect(onlyUnread.body.data.filter(({ id }: { id: string }) => id === unread.id)).toEqual([]);
    const audited = await rows('select action from ws_acme._audit where record_id = $1', [
      record.id,
    ]);
    expect(audited.map(({ action }) => action)).toEqual(['create', 'comment']);
  });

  test('somebody else’s, unknown ones and no ids at all are not found', async () => {
    const record = await deal(cast.rob);
    await mention(cast.rob, record, ['mia']);
    const [notification] = await seenOf('mia', record.id);
    const ids = [notification.id, UNKNOWN, 'x', 'x'.repeat(200), 'x'.repeat(201), '%00', '%27'];
    for (const id of ids) {
      await refused(() => read(cast.ada, id), [404, 'record_not_found', 'notification_id']);
    }
    await refused(() => read(cast.mia, record.id), [404, 'record_not_found', 'notification_id']);
    expect(await seenOf('mia', record.id)).toEqual([notification]);
  });

  test('needs comments:read', async () => {
    const scopes = ['users:read', 'records:read', 'comments:write'];
    const other = await cast.world.as('mia', { scopes });
    const lacking = [403, 'insufficient_scope'] as const;
    await refused(() => other.get('/notifications'), lacking);
    await refused(() => read(other, UNKNOWN), lacking);
    const reader = await cast.world.as('mia', { scopes: ['comments:read'] });
    expect((await reader.get('/notifications')).status).toBe(200);
  });
});

describe('pages', () => {
  /** Sam's notifications of deals and companies at these seconds; every third deal is not Sam's. */
  async function fill(at: readonly number[]): Promise<readonly unknown[]> {
    await rows('delete from ws_acme._notifications');
    const company = await cast.ada.post('/objects/companies/records', { fields: { name: 'x' } });
    const [mine, other] = [await deal(cast.sam), await deal(cast.rob)];
    const records = [
      ['companies', company.body.data.id],
      ['deals', mine.id],
      ['deals', other.id],
    ];
    for (const [index, second] of at.entries()) {
      await rows(
        `insert into ws_acme._notifications
          (id, user_id, comment_id, object_type, record_id, author_user_id, created_at)
          values (gen_random_uuid(), $1, gen_random_uuid(), $2, $3, 1,
            timestamptz '2001-01-01T00:00:00Z' + $4 * interval '1 second')`,
        [cast.world.users.sam, ...(records[index % 3] as string[]), second],
      );
    }
    const ids = await rows(
      `select id from ws_acme._notifications where record_id <> $1
        order by created_at desc, id desc`,
      [other.id],
    );
    return ids.map(({ id }) => id);
  }

  async function walk(query: string, between = async (_last: string) => {}) {
    const ids: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const answer: Answer = await cast.sam.get(`/notifications?${query}&cursor=${cursor}`);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      const { data, pagination } = answer.body;
      ids.push(...data.map((one: { readonly id: string }) => one.id));
      expect(pagination.has_more).toBe(pagination.next_cursor !== null);
      if (pagination.has_more) expect(data).toHaveLength(pagination.limit);
      cursor = pagination.next_cursor;
      if (cursor !== null) await between(ids[ids.length - 1] as string);
    }
    return ids;
  }

  test('newest first, full although some cannot be seen', async () => {
    const expected = await fill([5, 5, 5, 1, 5, 9, 9, 9, 9, 5, 5, 5]);
    expect(expected).toHaveLength(8);
    for (const limit of [1, 2, 3, 7, 8, 100]) {
      expect(await walk(`limit=${limit}`)).toEqual(expected);
      expect(await walk(`limit=${limit}&unread=true`)).toEqual(expected);
    }
  });

  test('stay complete while they are read', async () => {
    const expected = await fill([1, 1, 1, 2, 2, 2, 3, 3, 3]);
    const reading = async (id: string) => {
      expect((await read(cast.sam, id)).status).toBe(200);
    };
    expect(await walk('limit=2&unread=true', reading)).toEqual(expected);
    const left = await walk('limit=100&unread=true');
    expect(left).toEqual(expected.filter((_, index) => index % 2 === 0 || index === 5));
    expect(await walk('limit=4')).toEqual(expected);
  });

  test('50 by default; each is one statement', async () => {
    await fill(Array(78).fill(1));
    const watch = watchStatements(cast.world.database, /_notifications|"deals"/);
    const { body } = await cast.sam.get('/notifications');
    watch.stop();
    expect(watch.statements).toHaveLength(1);
    expect(body.data).toHaveLength(50);
    expect(body.pagination).toMatchObject({ limit: 50, has_more: true });
  });

  test('refusals', async () => {
    await fill([1, 2, 3]);
    const first = await cast.sam.get('/notifications?limit=1');
    const cursor: string = first.body.pagination.next_cursor;
    const wrong = (client: Client, query: string, param: string, code = 'validation_failed') =>
      refused(() => client.get(`/notifications?${query}`), [400, code, param]);
    for (const limit of ['0', '101', 'x']) await wrong(cast.sam, `limit=${limit}`, 'limit');
    for (const unread of ['1', 'TRUE', '']) await wrong(cast.sam, `unread=${unread}`, 'unread');
    await wrong(cast.sam, 'order=asc', 'order');
    await wrong(cast.sam, `cursor=${'x'.repeat(501)}`, 'cursor');
    await wrong(cast.sam, `cursor=${'x'.repeat(500)}`, 'cursor', 'invalid_cursor');
    await wrong(cast.sam, `unread=true&cursor=${cursor}`, 'cursor', 'invalid_cursor');
    await wrong(cast.ada, `cursor=${cursor}`, 'cursor', 'invalid_cursor');
    await wrong(cast.sam, `cursor=${cursor}A`, 'cursor', 'invalid_cursor');
    expect((await cast.sam.get(`/notifications?cursor=${cursor}`)).status).toBe(200);
  });
});
