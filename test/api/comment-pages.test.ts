// Pages of comments over HTTP: both orders, equal times, concurrent writes and deletes, limits and cursors, authors
// who have left.

import { describe, expect, test } from 'vitest';
import type { Client } from '../client.ts';
import { watchStatements } from '../watch-statements.ts';
import { useCast } from './cast.ts';

const cast = useCast();
const { deal, refused } = cast;

const commentsOf = (id: string) => `/objects/deals/records/${id}/comments`;

const rows = (text: string, values: readonly unknown[] = []) =>
  cast.world.database.rows(text, values);

/** A deal of Rob's with comments of distinct texts; `at`: the second each is of. */
async function discussed(at: readonly number[]): Promise<string> {
  const { id } = await deal(cast.rob);
  await rows(
    `insert into ws_acme._comments (id, object_type, record_id, body, author_user_id, created_at)
      select gen_random_uuid(), 'deals', $1, n::text, $2,
        timestamptz '2001-01-01T00:00:00Z' + s * interval '1 second'
      from unnest($3::integer[]) with ordinality a (s, n)`,
    [id, cast.world.users.rob, at],
  );
  return id;
}

interface Walked {
  readonly bodies: readonly string[];
  readonly pages: number;
}

async function walk(path: string, limit: number, between = async () => {}): Promise<Walked> {
  const bodies: string[] = [];
  let cursor: string | null = '';
  let pages = 0;
  while (cursor !== null) {
    const answer: Awaited<ReturnType<Client['get']>> = await cast.rob.get(
      `${path}${path.includes('?') ? '&' : '?'}limit=${limit}&cursor=${cursor}`,
    );
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const { data, pagination } = answer.body;
    bodies.push(...data.map((one: { readonly body: string }) => one.body));
    expect(pagination).toMatchObject({ limit, has_more: pagination.next_cursor !== null });
    if (pagination.next_cursor !== null) expect(data).toHaveLength(limit);
    cursor = pagination.next_cursor;
    expect(cursor?.length ?? 0).toBeLessThanOrEqual(200);
    expect(cursor ?? '').toMatch(/^[A-Za-z0-9_-]*$/);
    pages += 1;
    if (cursor !== null) await between();
  }
  return { bodies, pages };
}

describe('walks', () => {
  test('both ways with equal times, on pages of every size', async () => {
    const id = await discussed([5, 5, 5, 9, 1, 5, 9, 9, 5]);
    const stored = await rows(
      'select body from ws_acme._comments where record_id = $1 order by created_at, id',
      [id],
    );
    const bodies = stored.map(({ body }) => body);
    expect(new Set(bodies).size).toBe(9);
    for (const limit of [1, 2, 3, 8, 9, 10, 100]) {
      const pages = Math.max(1, Math.ceil(9 / limit));
      expect(await walk(`${commentsOf(id)}?order=asc`, limit)).toEqual({ bodies, pages });
      const reversed = { bodies: bodies.toReversed(), pages };
      expect(await walk(`${commentsOf(id)}?order=desc`, limit)).toEqual(reversed);
      expect(await walk(commentsOf(id), limit)).toEqual(reversed);
    }
  });

  test('while others write and delete', async () => {
    const id = await discussed([1, 1, 1, 2, 2, 3]);
    const path = commentsOf(id);
    const old = (await walk(path, 100)).bodies;
    let said = 0;
    const write = async () => {
      said += 1;
      expect((await cast.mia.post(path, { body: `late ${said}` })).status).toBe(201);
    };
    expect((await walk(path, 2, write)).bodies).toEqual(old);
    const upward = await walk(`${path}?order=asc`, 3, async () => {
      if (said < 5) await write();
    });
    expect(upward.bodies).toEqual([
      ...old.toReversed(),
      ...[1, 2, 3, 4, 5].map((n) => `late ${n}`),
    ]);
    const shrinking = await walk(path, 4, async () => {
      await rows('delete from ws_acme._comments where body = any($1)', [
        [upward.bodies[7], upward.bodies[6], upward.bodies[0]],
      ]);
    });
    const gone = new Set([upward.bodies[6], upward.bodies[0]]);
    expect(shrinking.bodies).toEqual(upward.bodies.toReversed().filter((body) => !gone.has(body)));
  });

  test('other records and other objects with the same id are not in it', async () => {
    const [id, other] = [await discussed([1, 2]), await discussed([1])];
    await rows(
      `insert into ws_acme._comments (id, object_type, record_id, body, author_user_id)
        values (gen_random_uuid(), 'companies', $1, 'elsewhere', 1)`,
      [id],
    );
    expect((await walk(commentsOf(id), 10)).bodies).toHaveLength(2);
    expect((await walk(commentsOf(other), 10)).bodies).toHaveLength(1);
  });

  test('a page is one statement', async () => {
    const id = await discussed([1, 2]);
    const watch = watchStatements(cast.world.database, /"deals"|_comments/);
    expect((await cast.rob.get(commentsOf(id))).status).toBe(200);
    watch.stop();
    expect(watch.statements).toHaveLength(1);
  });
});

describe('limits and cursors', () => {
  test('50 by default, up to 100', async () => {
    const id = await discussed(Array(101).fill(1));
    const page = async (query: string) => {
      const { body } = await cast.rob.get(`${commentsOf(id)}${query}`);
      return [body.data.length, body.pagination.limit, body.pagination.has_more];
    };
    expect(await page('')).toEqual([50, 50, true]);
    expect(await page('?limit=1')).toEqual([1, 1, true]);
    expect(await page('?limit=100&cursor=')).toEqual([100, 100, true]);
  });

  test('a record without comments has an empty page', async () => {
    const { id } = await deal(cast.rob);
    expect((await cast.rob.get(commentsOf(id))).body).toEqual({
      data: [],
      pagination: { limit: 50, has_more: false, next_cursor: null },
    });
  });

  test('refusals', async () => {
    const { id } = await deal(cast.rob);
    const wrong = (query: string, param: string, code = 'validation_failed') =>
      refused(() => cast.rob.get(`${commentsOf(id)}?${query}`), [400, code, param]);
    for (const limit of ['0', '101', '-1', '1.5', 'x', '']) await wrong(`limit=${limit}`, 'limit');
    for (const order of ['DESC', 'newest', '']) await wrong(`order=${order}`, 'order');
    await wrong('limit=1&limit=1', 'limit');
    await wrong('sort=created_at', 'sort');
    await wrong('filter[body]=x', 'filter[body]');
    await wrong(`cursor=${'x'.repeat(201)}`, 'cursor');
    await wrong(`cursor=${'x'.repeat(200)}`, 'cursor', 'invalid_cursor');
    await wrong('cursor=x%00', 'cursor');
  });

  test('a cursor belongs to its record, its order and its person', async () => {
    const [id, other] = [await discussed([1, 2, 3]), await discussed([1, 2, 3])];
    const first = await cast.rob.get(`${commentsOf(id)}?limit=1`);
    const cursor: string = first.body.pagination.next_cursor;
    const list = await cast.rob.get('/objects/deals/records?limit=1');
    const foreign: string = list.body.pagination.next_cursor;
    const middle = cursor[30] === 'A' ? 'B' : 'A';
    const cases: readonly (readonly [Client, string])[] = [
      [cast.rob, `${commentsOf(other)}?cursor=${cursor}`],
      [cast.rob, `${commentsOf(id)}?order=asc&cursor=${cursor}`],
      [cast.mia, `${commentsOf(id)}?cursor=${cursor}`],
      [cast.rob, `${commentsOf(id)}?cursor=${cursor.slice(0, 30)}${middle}${cursor.slice(31)}`],
      [cast.rob, `${commentsOf(id)}?cursor=${cursor.slice(0, -1)}`],
      [cast.rob, `${commentsOf(id)}?cursor=${cursor}A`],
      [cast.rob, `${commentsOf(id)}?cursor=${foreign}`],
    ];
    for (const [client, path] of cases) {
      await refused(() => client.get(path), [400, 'invalid_cursor', 'cursor']);
    }
    expect((await cast.rob.get(`${commentsOf(id)}?limit=100&cursor=${cursor}`)).status).toBe(200);
    const { users } = cast.world;
    await rows('update ws_acme.deals set owner_user_id = $1 where id = $2', [users.sam, id]);
    const unreadable = () => cast.rob.get(`${commentsOf(id)}?limit=1&cursor=${cursor}`);
    await refused(unreadable, [404, 'record_not_found', 'record_id']);
  });
});

test('authors who left, have no name or were deleted', async () => {
  const { id } = await deal(cast.rob);
  const { users } = cast.world;
  const [made] = await rows(
    `insert into ws_acme._users (email) values ('nobody@acme.example') returning id`,
  );
  const authors = [users.zed, made?.id, 999_999];
  await rows(
    `insert into ws_acme._comments (id, object_type, record_id, body, author_user_id, created_at)
      select gen_random_uuid(), 'deals', $1, 'x', a, now() + n * interval '1 second'
      from unnest($2::integer[]) with ordinality u (a, n)`,
    [id, authors],
  );
  const { body } = await cast.rob.get(`${commentsOf(id)}?order=asc`);
  expect(body.data.map((one: { readonly author: object }) => one.author)).toEqual([
    { kind: 'user', id: users.zed, name: 'Zed' },
    { kind: 'user', id: made?.id, name: null },
    { kind: 'user', id: 999_999, name: null },
  ]);
});
