// Notifications beside mentions: records that others give to a person, comments on records that a person owns or follows,
// and what people have switched off. Nobody is notified of what they did themselves.

import { beforeEach, describe, expect, test } from 'vitest';
import { type Answer, type Client, refusalOf } from '../client.ts';
import type { PersonName } from '../world.ts';
import { useCast } from './cast.ts';

const cast = useCast();
const { deal, refused } = cast;

type Name = 'ada' | 'mia' | 'rob' | 'rae' | 'sam';

beforeEach(() => cast.world.database.rows('delete from ws_acme._notifications'));

async function noticesOf(name: Name): Promise<Answer['body'][]> {
  return (await cast[name].get('/notifications?limit=100')).body.data;
}

/** Kind, record and author of the notifications of a person, the newest first. */
async function told(name: Name) {
  return (await noticesOf(name)).map((one) => [one.kind, one.record_id, one.author.id]);
}

async function toldPeople(recordId: string) {
  const text = `select u.name, n.kind from ws_acme._notifications n join ws_acme._users u on u.id = n.user_id
    where n.record_id = $1 order by u.name`;
  const rows = await cast.world.database.rows(text, [recordId]);
  return rows.map(({ name, kind }) => `${name} ${kind}`);
}

const idOf = (name: PersonName) => cast.world.users[name];

async function give(client: Client, id: string, name: PersonName) {
  const body = { fields: { owner_user_id: idOf(name) } };
  const { status } = await client.patch(`/objects/deals/records/${id}`, body);
  expect(status).toBe(200);
}

async function say(client: Client, id: string, mentions: readonly PersonName[] = []) {
  const body = { body: 'Secret words', mention_user_ids: mentions.map(idOf) };
  const answer = await client.post(`/objects/deals/records/${id}/comments`, body);
  expect(answer.status).toBe(201);
  return answer.body.data;
}

const followPath = (id: string, object = 'deals') => `/objects/${object}/records/${id}/follow`;
const follow = (client: Client, id: string) => client.request('PUT', followPath(id));

describe('an assignment', () => {
  test('notifies the new owner, with the person who gave the record', async () => {
    const { id } = await deal(cast.ada);
    await give(cast.ada, id, 'rob');
    expect(await told('rob')).toEqual([['assignment', id, idOf('ada')]]);
    expect((await noticesOf('rob'))[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      ...{ kind: 'assignment', object_type: 'deals', record_id: id, comment_id: null },
      author: { kind: 'user', id: idOf('ada'), name: 'Ada' },
      ...{ created_at: expect.any(String), read_at: null },
    });
    expect(await told('ada')).toEqual([]);
  });

  test('notifies of a record that is made for somebody', async () => {
    const { id } = await deal(cast.ada, { owner_user_id: idOf('rob') });
    expect(await told('rob')).toEqual([['assignment', id, idOf('ada')]]);
  });

  test('notifies nobody of their own act, and not of a change of something else', async () => {
    const { id } = await deal(cast.ada);
    await give(cast.ada, id, 'ada');
    await cast.ada.patch(`/objects/deals/records/${id}`, { fields: { name: 'Other' } });
    expect(await toldPeople(id)).toEqual([]);
    await give(cast.ada, id, 'rob');
    await give(cast.ada, id, 'rob');
    expect(await toldPeople(id)).toEqual(['Rob assignment']);
  });

  test('of a batch notifies of each record', async () => {
    const made = await Promise.all([deal(cast.ada), deal(cast.ada)]);
    const operations = made.map(({ id }) => {
      return { action: 'update', id, fields: { owner_user_id: idOf('rob') } };
    });
    const { status } = await cast.ada.post('/objects/deals/records/batch', { operations });
    expect(status).toBe(200);
    const ids = (await told('rob')).map(([, id]) => id);
    expect(ids.sort()).toEqual(made.map(({ id }) => id).sort());
  });

  test('is hidden from a person who has lost the record, and goes with the record', async () => {
    const { id } = await deal(cast.ada, { owner_user_id: idOf('rob') });
    await give(cast.ada, id, 'sam');
    expect(await told('rob')).toEqual([]);
    const [{ id: notice }] = await noticesOf('sam');
    expect((await cast.sam.request('POST', `/notifications/${notice}/read`)).status).toBe(200);
    await cast.ada.request('DELETE', `/objects/deals/records/${id}`);
    expect(await toldPeople(id)).toEqual([]);
  });

  test('is refused without a trace', async () => {
    const { id } = await deal(cast.rob);
    const body = { fields: { owner_user_id: idOf('sam') } };
    await refused(
      () => cast.rob.patch(`/objects/deals/records/${id}`, body),
      [403, 'permission_denied'],
    );
  });
});

describe('a comment', () => {
  test('notifies the owner and the followers, each once, but not its author', async () => {
    const { id } = await deal(cast.rob);
    for (const client of [cast.mia, cast.ada]) expect((await follow(client, id)).status).toBe(200);
    const comment = await say(cast.ada, id, ['mia']);
    expect(await toldPeople(id)).toEqual(['Mia mention', 'Rob comment']);
    expect(await noticesOf('rob')).toMatchObject([{ kind: 'comment', comment_id: comment.id }]);
    await say(cast.rob, id);
    expect(await toldPeople(id)).toEqual([
      ...['Ada comment', 'Mia comment', 'Mia mention', 'Rob comment'],
    ]);
    const stored = await cast.world.database.rows('select n::text from ws_acme._notifications n');
    expect(JSON.stringify(stored)).not.toContain('words');
  });

  test('notifies of an excerpt where it is asked for', async () => {
    const { id } = await deal(cast.rob);
    await say(cast.ada, id);
    const { body } = await cast.rob.get('/notifications?include=excerpt');
    expect(body.data).toMatchObject([{ kind: 'comment', excerpt: 'Secret words' }]);
  });

  test('notifies nobody who is not active, no agent, and nobody who has stopped following', async () => {
    const { id } = await deal(cast.rob);
    await follow(cast.mia, id);
    await follow(await cast.world.as('bot'), id);
    expect((await cast.mia.request('DELETE', followPath(id))).body.data).toEqual({
      following: false,
    });
    await cast.world.database.rows('insert into ws_acme._follows values ($1, $2, $3)', [
      ...[idOf('zed'), 'deals', id],
    ]);
    await say(cast.rob, id);
    expect(await toldPeople(id)).toEqual([]);
  });

  test('is hidden from followers who can no longer read the record', async () => {
    const { id } = await deal(cast.rob);
    await follow(cast.mia, id);
    await give(cast.ada, id, 'sam');
    await say(cast.sam, id);
    expect(await told('mia')).toEqual([]);
    expect(await told('rob')).toEqual([]);
  });
});

describe('following', () => {
  test('is a state of the record for the person', async () => {
    const { id } = await deal(cast.rob);
    const state = async () => (await cast.mia.get(followPath(id))).body.data;
    expect(await state()).toEqual({ following: false });
    for (const _ of [1, 2]) {
      expect((await follow(cast.mia, id)).body.data).toEqual({ following: true });
    }
    expect(await state()).toEqual({ following: true });
    expect((await cast.rob.get(followPath(id))).body.data).toEqual({ following: false });
  });

  test('needs a record that the person can read, of an object with comments', async () => {
    const { id } = await deal(cast.sam);
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      for (const [path, code, param] of [
        [followPath(id), 'record_not_found', 'record_id'],
        [followPath('no id'), 'record_not_found', 'record_id'],
        [followPath(id, 'boats'), 'comments_not_supported', 'object_type'],
        [followPath(id, 'nothing'), 'object_not_available', 'object_type'],
      ] as const) {
        await refused(() => cast.rob.request(method, path), [404, code, param]);
      }
    }
  });

  test('ends with the record, and has a limit for each record', async () => {
    const { id } = await deal(cast.rob);
    await cast.world.database.rows(
      `insert into ws_acme._follows (user_id, object_type, record_id)
        select 1000 + n, 'deals', $1 from generate_series(1, 500) n`,
      [id],
    );
    await refused(() => follow(cast.mia, id), [409, 'conflict', 'record_id']);
    await cast.ada.request('DELETE', `/objects/deals/records/${id}`);
    expect(
      await cast.world.database.rows('select 1 from ws_acme._follows where record_id = $1', [id]),
    ).toEqual([]);
  });
});

describe('settings', () => {
  const path = '/me/notification_settings';
  const change = (body: object) => cast.rob.patch(path, body);
  beforeEach(() => cast.world.database.rows('delete from ws_acme._notification_settings'));

  test('have defaults, and keep what is not sent', async () => {
    const { body } = await cast.rob.get(path);
    expect(body.data).toMatchObject({
      ...{ mail: 'at_once', language: null, time_zone: 'UTC', sends_mail: false },
      kinds: { mention: { list: true, mail: true }, due: { list: true, mail: true } },
    });
    const kinds = { mention: { mail: false }, due: { list: false } };
    await change({ mail: 'daily', time_zone: 'Europe/Berlin', language: 'de', kinds });
    const { body: later } = await change({ kinds: { mention: { list: false, mail: true } } });
    expect(later.data).toMatchObject({
      ...{ mail: 'daily', language: 'de', time_zone: 'Europe/Berlin' },
      kinds: { mention: { list: false, mail: true }, due: { list: false, mail: true } },
    });
    expect((await change({ language: null })).body.data.language).toBeNull();
    expect((await cast.mia.get(path)).body.data.mail).toBe('at_once');
  });

  test.each([
    [{ mail: 'weekly' }, 'mail'],
    [{ language: 'fr' }, 'language'],
    [{ time_zone: 'Mars/Olympus' }, 'time_zone'],
    [{ kinds: { gossip: { list: false } } }, 'kinds.gossip'],
    [{ kinds: { mention: { bell: false } } }, 'kinds.mention.bell'],
  ])('%j is refused', async (body, param) => {
    expect(refusalOf(await change(body))).toEqual([400, 'validation_failed', param]);
  });

  test('leave a kind out of the list and out of the stream', async () => {
    await change({ kinds: { assignment: { list: false } } });
    const { id } = await deal(cast.ada, { owner_user_id: idOf('rob') });
    await say(cast.ada, id);
    expect((await told('rob')).map(([kind]) => kind)).toEqual(['comment']);
    await change({ kinds: { assignment: { list: true } } });
    expect((await told('rob')).map(([kind]) => kind)).toEqual(['comment', 'assignment']);
  });

  test('of two requests at once are both kept', async () => {
    await Promise.all([
      change({ kinds: { mention: { mail: false } } }),
      change({ kinds: { comment: { mail: false } } }),
      change({ kinds: { due: { mail: false } } }),
    ]);
    const { kinds } = (await cast.rob.get(path)).body.data;
    expect([kinds.mention.mail, kinds.comment.mail, kinds.due.mail]).toEqual([false, false, false]);
  });
});
