// Comments over HTTP: their text, which objects have them, rights, refusals. Keys and deleted records are in
// comment-effects.test.ts, pages in comment-pages.test.ts, their notifications in notifications.test.ts.

import { describe, expect, test } from 'vitest';
import type { Client } from '../client.ts';
import { useCast } from './cast.ts';

const cast = useCast();
const { deal, refused } = cast;

const commentsOf = (id: string, object = 'deals') => `/objects/${object}/records/${id}/comments`;
const UNKNOWN = '01900000-0000-7000-8000-00000000000a';
const rowsOf = (id: string) =>
  cast.world.rows('select * from _comments where record_id = $1 order by created_at, id', [id]);

async function comment(client: Client, id: string, body: object = { body: 'Hello' }) {
  const answer = await client.post(commentsOf(id), body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
}

describe('a comment', () => {
  test('is answered, listed and audited; the record stays as it is', async () => {
    const { rob, world } = cast;
    const record = await deal(rob);
    const answer = await rob.post(commentsOf(record.id), { body: 'First words' });
    const { data } = answer.body;
    expect(answer.status).toBe(201);
    expect(answer.headers.has('etag')).toBe(false);
    expect(data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      body: 'First words',
      author: { kind: 'user', id: world.users.rob, name: 'Rob' },
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: data.created_at,
    });
    expect((await rob.get(commentsOf(record.id))).body.data).toEqual([data]);
    const after = (await rob.get(`/objects/deals/records/${record.id}`)).body.data;
    expect([after.version, after.updated_at]).toEqual([record.version, record.updated_at]);
    const [, audited] = await world.rows('select * from _audit where record_id = $1 order by id', [
      record.id,
    ]);
    expect(audited).toMatchObject({
      action: 'comment',
      changed_fields: ['comments'],
      user_id: world.users.rob,
      api_key_prefix: rob.secret.slice(0, 12),
      object_type: 'deals',
      source: 'api',
      request_id: answer.headers.get('x-request-id'),
      batch_id: null,
    });
    expect(JSON.stringify(audited)).not.toContain('words');
  });

  const texts = [
    ' \r\n  edges \t\n',
    '\u202egnirts\u202c\u200b\u200d\ufeff',
    '\u001b[31mred\u001b[0m\u0007\u0001',
    '<script>alert(1)</script>&amp;"\'`',
    'e\u0301 is not é',
    "'; drop table _comments; --",
    '\u2028\u2029{"body":"x"}\\u0041',
    '👩‍👩‍👧‍👦🏳️‍🌈\u{10ffff}\ufffd\uffff',
  ];
  test('is kept byte for byte', async () => {
    const { id } = await deal(cast.rob);
    for (const body of texts) expect((await comment(cast.rob, id, { body })).body).toBe(body);
    const listed = await cast.rob.get(`${commentsOf(id)}?order=asc`);
    expect(listed.body.data.map((one: { body: string }) => one.body)).toEqual(texts);
    expect((await rowsOf(id)).map((row) => row.body)).toEqual(texts);
  });

  test('has up to 10,000 code points', async () => {
    const { id } = await deal(cast.rob);
    for (const body of ['x', '😀', 'x'.repeat(10_000), '😀'.repeat(10_000)]) {
      expect((await comment(cast.rob, id, { body })).body).toBe(body);
    }
    for (const body of ['x'.repeat(10_001), '😀'.repeat(10_001), 'e\u0301'.repeat(5001)]) {
      const send = () => cast.rob.post(commentsOf(id), { body });
      await refused(send, [400, 'validation_failed', 'body']);
    }
  });

  const bad: readonly (readonly [body: unknown, param: string | undefined])[] = [
    [{ body: '' }, 'body'],
    [{ body: ' ' }, 'body'],
    [{ body: '\u2003\n\t\u00a0\u0085' }, 'body'],
    [{ body: 'a\u0000b' }, 'body'],
    [{ body: 'a\ud800' }, 'body'],
    [{ body: 5 }, 'body'],
    [{ body: null }, 'body'],
    [{ body: ['x'] }, 'body'],
    [{}, 'body'],
    [{ body: 'x', text: 'y' }, 'text'],
    [{ body: 'x', __proto__x: 1 }, '__proto__x'],
    [{ body: 'x', mention_user_ids: null }, 'mention_user_ids'],
    [{ body: 'x', mention_user_ids: 1 }, 'mention_user_ids'],
    [{ body: 'x', mention_user_ids: [0] }, 'mention_user_ids[0]'],
    [{ body: 'x', mention_user_ids: [1, -1] }, 'mention_user_ids[1]'],
    [{ body: 'x', mention_user_ids: [1.5] }, 'mention_user_ids[0]'],
    [{ body: 'x', mention_user_ids: ['1'] }, 'mention_user_ids[0]'],
    [{ body: 'x', mention_user_ids: [null] }, 'mention_user_ids[0]'],
    [{ body: 'x', mention_user_ids: [1e300] }, 'mention_user_ids[0]'],
    [{ body: 'x', mention_user_ids: Array(21).fill(1) }, 'mention_user_ids'],
    [[], undefined],
    ['"x"', undefined],
  ];
  test.each(bad)('refuses %j', async (body, param) => {
    const send = () => cast.rob.post(commentsOf(UNKNOWN), body);
    await refused(
      send,
      param === undefined ? [400, 'validation_failed'] : [400, 'validation_failed', param],
    );
  });

  test('refuses text that is not JSON', async () => {
    const { id } = await deal(cast.rob);
    for (const body of ['{', '{"body":"x"}}', 'NaN', '\ufeff{"body":"x"}']) {
      await refused(() => cast.rob.post(commentsOf(id), body), [400, 'invalid_json']);
    }
    await refused(() => cast.rob.request('POST', commentsOf(id)), [400, 'invalid_json']);
  });
});

describe('where there are comments', () => {
  const both = (path: string) => [
    (client: Client) => client.get(path),
    (client: Client) => client.post(path, { body: 'x' }),
  ];

  test('on records of the built-in objects but products', async () => {
    for (const object of ['companies', 'contacts', 'deals', 'meetings', 'events', 'work_items']) {
      for (const send of both(commentsOf(UNKNOWN, object))) {
        await refused(() => send(cast.ada), [404, 'record_not_found', 'record_id']);
      }
    }
    for (const object of ['contacts', 'meetings', 'events']) {
      const name = object === 'contacts' ? 'name' : 'title';
      const made = await cast.ada.post(`/objects/${object}/records`, { fields: { [name]: 'x' } });
      const path = commentsOf(made.body.data.id, object);
      expect((await cast.ada.post(path, { body: 'x' })).status).toBe(201);
      expect((await cast.ada.get(path)).body.data).toHaveLength(1);
    }
  });

  test('the object type, then whether it has comments, then the record', async () => {
    const cases: readonly (readonly [path: string, code: string, param: string])[] = [
      [commentsOf(UNKNOWN, 'nope'), 'object_not_available', 'object_type'],
      [commentsOf(UNKNOWN, 'products'), 'object_not_available', 'object_type'],
      [commentsOf(UNKNOWN, 'contacts'), 'object_not_available', 'object_type'],
      [commentsOf(UNKNOWN, 'boats'), 'comments_not_supported', 'object_type'],
      [commentsOf('x', 'boats'), 'comments_not_supported', 'object_type'],
      [commentsOf(UNKNOWN), 'record_not_found', 'record_id'],
      [commentsOf('x'), 'record_not_found', 'record_id'],
      [commentsOf('x'.repeat(200)), 'record_not_found', 'record_id'],
    ];
    for (const [path, code, param] of cases) {
      for (const send of both(path)) await refused(() => send(cast.rob), [404, code, param]);
    }
    for (const object of ['products', 'boats', 'readings']) {
      const path = commentsOf(UNKNOWN, object);
      for (const send of both(path)) {
        await refused(() => send(cast.ada), [404, 'comments_not_supported', 'object_type']);
      }
    }
    for (const [path, param] of [
      [commentsOf(UNKNOWN, 'No'), 'object_type'],
      [commentsOf('x'.repeat(201)), 'record_id'],
      [commentsOf('a%00b'), 'record_id'],
    ] as const) {
      for (const send of both(path)) {
        await refused(() => send(cast.rob), [400, 'validation_failed', param]);
      }
    }
  });

  test('the shape comes before the object type, the record before the mentions', async () => {
    const blank = { body: ' ' };
    const nobody = { body: 'x', mention_user_ids: [999_999] };
    const send = (path: string, body: object) => () => cast.rob.post(path, body);
    await refused(send(commentsOf(UNKNOWN, 'nope'), blank), [400, 'validation_failed', 'body']);
    await refused(send(commentsOf(UNKNOWN), nobody), [404, 'record_not_found', 'record_id']);
    const { id } = await deal(cast.rob);
    await refused(send(commentsOf(id), nobody), [400, 'validation_failed', 'mention_user_ids']);
  });
});

describe('rights', () => {
  test('a reader of the record may comment, although they cannot change it', async () => {
    const company = await cast.ada.post('/objects/companies/records', { fields: { name: 'Acme' } });
    const path = commentsOf(company.body.data.id, 'companies');
    expect((await cast.rob.post(path, { body: 'x' })).status).toBe(201);
    const mine = await deal(cast.rob);
    for (const client of [cast.rob, cast.mia, cast.ada]) await comment(client, mine.id);
    for (const client of [cast.rae, cast.sam]) {
      await refused(() => client.get(commentsOf(mine.id)), [404, 'record_not_found', 'record_id']);
      await refused(
        () => client.post(commentsOf(mine.id), { body: 'x' }),
        [404, 'record_not_found', 'record_id'],
      );
    }
    const misplaced = commentsOf(mine.id, 'companies');
    await refused(() => cast.ada.get(misplaced), [404, 'record_not_found', 'record_id']);
    await refused(
      () => cast.ada.post(misplaced, { body: 'x' }),
      [404, 'record_not_found', 'record_id'],
    );
  });

  test('the scopes are those of comments alone', async () => {
    const { id } = await deal(cast.rob);
    const reader = await cast.world.as('rob', { scopes: ['comments:read'] });
    const writer = await cast.world.as('rob', { scopes: ['comments:write'] });
    await comment(writer, id);
    expect((await reader.get(commentsOf(id))).body.data).toHaveLength(1);
    const lacking = [403, 'insufficient_scope'] as const;
    await refused(() => writer.get(commentsOf(id)), lacking);
    await refused(() => reader.post(commentsOf(id), { body: 'x' }), lacking);
    const others = ['users:read', 'records:read', 'records:write', 'records:delete'];
    const other = await cast.world.as('rob', { scopes: others });
    await refused(() => other.get(commentsOf(id)), lacking);
    await refused(() => other.post(commentsOf(id), { body: 'x' }), lacking);
  });

  test('a service user is an author of the kind agent', async () => {
    const { id } = await deal(cast.rob);
    const bot = await cast.world.as('bot');
    const { author } = await comment(bot, id);
    expect(author).toEqual({ kind: 'agent', id: cast.world.users.bot, name: 'Bot' });
    expect((await cast.rob.get(commentsOf(id))).body.data[0].author).toEqual(author);
  });

  test('a mention of anyone but an active person is one and the same refusal', async () => {
    const { id } = await deal(cast.rob);
    const { users, rows } = cast.world;
    const foreign = await cast.world.database.rows(
      'select max(id) + 100 as id from ws_globex._users',
    );
    const ids = [users.zed, users.bot, foreign[0]?.id, 999_999, 3_000_000_000, 2 ** 53 - 1];
    const bodies = new Set<string>();
    for (const bad of ids) {
      const send = async () => {
        const mention_user_ids = [users.mia, bad];
        const answer = await cast.rob.post(commentsOf(id), { body: 'x', mention_user_ids });
        const { request_id: _, ...error } = answer.body.error;
        bodies.add(JSON.stringify(error));
        return answer;
      };
      await refused(send, [400, 'validation_failed', 'mention_user_ids']);
    }
    expect(bodies.size).toBe(1);
    expect(await rows(`select 1 from _notifications where kind = 'mention'`)).toEqual([]);
  });

  test('20 mentions, repeated ones and people who cannot read are fine', async () => {
    const { id } = await deal(cast.rob);
    const { users } = cast.world;
    const mention_user_ids = [users.sam, ...Array(19).fill(users.rae)];
    const { body } = await comment(cast.rob, id, { body: 'x', mention_user_ids });
    expect(body).toBe('x');
    await comment(cast.rob, id, { body: 'x', mention_user_ids: [] });
    const rows = await cast.world.rows('select * from _notifications where record_id = $1', [id]);
    expect(rows).toEqual([]);
  });
});
