// The effects of a comment besides its row: its answer is kept for its key, and it goes with its record, whichever
// request is first.

import { describe, expect, test, vi } from 'vitest';
import { sql, toStatement } from '../../src/sql/sql.ts';
import type { Answer, Client } from '../client.ts';
import { useCast } from './cast.ts';

const cast = useCast();
const { deal, refused } = cast;

const UNKNOWN = '01900000-0000-7000-8000-00000000000a';
const commentsOf = (id: string) => `/objects/deals/records/${id}/comments`;
const rowsOf = (id: string) =>
  cast.world.rows('select * from _comments where record_id = $1', [id]);

async function comment(client: Client, id: string, body: object = { body: 'Hello' }) {
  const answer = await client.post(commentsOf(id), body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
}

describe('under an Idempotency-Key', () => {
  let count = 0;
  const keyed = (client: Client, id: string, body: object = { body: 'Once' }, key?: string) => {
    count += 1;
    const headers = { 'idempotency-key': key ?? `comment-${count}` };
    return () => client.post(commentsOf(id), body, headers);
  };

  async function expectReplay(first: Answer, send: () => Promise<Answer>) {
    const before = await cast.world.digest();
    const again = await send();
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(first.headers.has('idempotent-replayed')).toBe(false);
    const ids = [first, again].map(({ headers }) => headers.get('x-request-id'));
    expect(ids[0]).not.toBe(ids[1]);
    expect(await cast.world.digest()).toBe(before);
  }

  test('there is one comment with one notification, and the same answer again', async () => {
    const { id } = await deal(cast.rob);
    const body = { body: 'Once 😀', mention_user_ids: [cast.world.users.mia] };
    const send = keyed(cast.rob, id, body);
    const first = await send();
    expect(first.status).toBe(201);
    expect((await cast.rob.get(commentsOf(id))).body.data).toEqual([first.body.data]);
    await expectReplay(first, send);
    await expectReplay(first, send);
    expect(await rowsOf(id)).toHaveLength(1);
    const told = await cast.world.rows('select * from _notifications where record_id = $1', [id]);
    expect(told).toHaveLength(1);
  });

  test('another body or record is another request', async () => {
    const [one, other] = [await deal(cast.rob), await deal(cast.rob)];
    const first = keyed(cast.rob, one.id, { body: 'Once' }, 'taken');
    expect((await first()).status).toBe(201);
    const reused = [422, 'idempotency_key_reused', 'Idempotency-Key'] as const;
    await refused(keyed(cast.rob, one.id, { body: 'Twice' }, 'taken'), reused);
    await refused(keyed(cast.rob, other.id, { body: 'Once' }, 'taken'), reused);
  });

  test('a refused comment gives the key back', async () => {
    const { id } = await deal(cast.rob);
    const nobody = { body: 'x', mention_user_ids: [999_999] };
    const bad = [400, 'validation_failed', 'mention_user_ids'] as const;
    await refused(keyed(cast.rob, id, nobody, 'released'), bad);
    const unknown = [404, 'record_not_found', 'record_id'] as const;
    await refused(keyed(cast.rob, UNKNOWN, { body: 'x' }, 'released'), unknown);
    expect((await keyed(cast.rob, id, { body: 'x' }, 'released')()).status).toBe(201);
  });

  test('a caller who lost the right to read does not get the stored answer', async () => {
    const { users } = cast.world;
    const { rows } = cast.world.database;
    const { id } = await deal(cast.rob);
    const send = keyed(cast.rob, id);
    const first = await send();
    await rows('update ws_acme.deals set owner_user_id = $1 where id = $2', [users.sam, id]);
    await refused(send, [404, 'record_not_found', 'record_id']);
    await rows('update ws_acme.deals set owner_user_id = $1 where id = $2', [users.rob, id]);
    await setRoles('rob', '{blind}', 404);
    await refused(send, [404, 'object_not_available', 'object_type']);
    await setRoles('rob', '{rep}', 200);
    await expectReplay(first, send);
    await rows('delete from ws_acme.deals where id = $1', [id]);
    await expectReplay(first, send);
  });

  /** The service has the change within a second. */
  async function setRoles(name: 'rob', roles: string, expected: number) {
    const { users, rows } = cast.world;
    await rows('update ws_acme._users set roles = $1 where id = $2', [roles, users[name]]);
    const isKnown = async () =>
      expect((await cast[name].get('/objects/deals')).status).toBe(expected);
    await vi.waitFor(isKnown, { timeout: 60_000, interval: 20 });
  }

  test('many at once make one comment', async () => {
    const { id } = await deal(cast.rob);
    const send = keyed(cast.rob, id, { body: 'Many' }, 'many');
    const answers = await Promise.all(Array.from({ length: 12 }, send));
    for (const { status, body } of answers.filter((answer) => answer.status !== 201)) {
      expect([status, body.error.code]).toEqual([409, 'idempotency_key_in_use']);
    }
    expect(answers.some(({ status }) => status === 201)).toBe(true);
    expect(await rowsOf(id)).toHaveLength(1);
  });
});

describe('a deleted record', () => {
  const path = (id: string) => `/objects/deals/records/${id}`;
  const traces = async (ids: readonly string[]) => {
    const found = await Promise.all(
      ['_comments', '_notifications'].map((table) =>
        cast.world.rows(`select record_id from ${table} where record_id = any($1)`, [ids]),
      ),
    );
    return found.map((rows) => rows.length);
  };

  test('takes its comments and notifications along, alone and in a batch', async () => {
    const records = await Promise.all([1, 2, 3, 4].map(() => deal(cast.rob)));
    const ids: string[] = records.map(({ id }) => id);
    for (const id of ids) {
      await comment(cast.rob, id, { body: 'x', mention_user_ids: [cast.world.users.mia] });
      await comment(cast.mia, id);
    }
    expect((await cast.ada.delete(path(ids[0] as string))).status).toBe(200);
    // Mia is mentioned, and Rob owns the record.
    expect(await traces(ids)).toEqual([6, 6]);
    const operations = ids.slice(1, 3).map((id) => ({ action: 'delete', id }));
    const batch = await cast.ada.post('/objects/deals/records/batch', { operations });
    expect(batch.status).toBe(200);
    expect(await traces(ids)).toEqual([2, 2]);
    expect(await traces(ids.slice(3))).toEqual([2, 2]);
  });

  test('a comment waits for a delete that is under way, and finds no record', async () => {
    const { id } = await deal(cast.rob);
    const { db } = cast.world.database;
    let answer: Promise<Answer> | undefined;
    await db.transaction(async (tx) => {
      await tx.query(toStatement(sql`delete from ws_acme.deals where id = ${id}::uuid`));
      answer = cast.rob.post(commentsOf(id), { body: 'x' });
      await vi.waitFor(() => expectWaiting('for key share'), { timeout: 60_000 });
    });
    const { status, body } = (await answer) as Answer;
    expect([status, body.error.code]).toEqual([404, 'record_not_found']);
    expect(await traces([id])).toEqual([0, 0]);
  });

  test('a delete waits for a comment that is under way, and takes it along', async () => {
    const { id } = await deal(cast.rob);
    const { db } = cast.world.database;
    let answer: Promise<Answer> | undefined;
    await db.transaction(async (tx) => {
      const hold = sql`select id from ws_acme.deals where id = ${id}::uuid for key share`;
      await tx.query(toStatement(hold));
      answer = cast.ada.delete(path(id));
      await vi.waitFor(() => expectWaiting('for update'), { timeout: 60_000 });
      const add = sql`insert into ws_acme._comments (id, object_type, record_id, body, author_user_id)
        values (gen_random_uuid(), 'deals', ${id}::uuid, 'x', 1)`;
      await tx.query(toStatement(add));
    });
    expect((await answer)?.status).toBe(200);
    expect(await traces([id])).toEqual([0, 0]);
  });

  async function expectWaiting(lock: string) {
    const waiting = await cast.world.database.rowsNear(
      'ws_acme',
      `select query from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock' and query like '%' || $1 || '%'`,
      [lock],
    );
    expect(waiting).toHaveLength(1);
  }

  test('in any order of requests, no comment is left without its record', async () => {
    for (let round = 0; round < 15; round += 1) {
      const { id } = await deal(cast.rob);
      const mention_user_ids = [cast.world.users.mia];
      const say = () => cast.rob.post(commentsOf(id), { body: 'x', mention_user_ids });
      const [deleted, ...said] = await Promise.all([
        cast.ada.delete(path(id)),
        say(),
        say(),
        say(),
      ]);
      expect(deleted?.status).toBe(200);
      for (const { status, body } of said) {
        if (status !== 201) expect([status, body.error.code]).toEqual([404, 'record_not_found']);
      }
      expect(await traces([id])).toEqual([0, 0]);
    }
  });
});
