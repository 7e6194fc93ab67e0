// Live events arrive: after breaks, out of order, from other processes, to slow readers; and streams end
// in order when the service does.

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { assembleService } from '../../src/cli/service/assemble.ts';
import { readConfig } from '../../src/config.ts';
import * as streamStart from '../../src/flow/events/stream-start.ts';
import type { RunningServer } from '../../src/http/socket/server.ts';
import { eventIdOf, openPosition, sealPosition } from '../../src/plan/events/event-id.ts';
import type { ShownEvent } from '../../src/plan/events/event-plan.ts';
import type { ReaderPosition } from '../../src/plan/events/event-position.ts';
import type { Client } from '../client.ts';
import { type EventClient, openEvents } from '../event-client.ts';
import { duringOutage } from '../outage.ts';
import { withExports } from '../replaced-exports.ts';
import { useCast } from './cast.ts';

const cast = useCast();
const { deal } = cast;
const DEALS = '/objects/deals/records';

const opened: EventClient[] = [];
const servers: RunningServer[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) one.close();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

interface Listening {
  readonly port?: number;
  readonly lastEventId?: string | undefined;
}

async function listen(client: Client, options: Listening = {}): Promise<EventClient> {
  const { port = cast.world.port, lastEventId } = options;
  const stream = await openEvents({ port, secret: client.secret, lastEventId });
  expect(stream.status, stream.text()).toBe(200);
  opened.push(stream);
  await vi.waitFor(() => expect(stream.lastId()).not.toBe(''), 60_000);
  return stream;
}

/** Another process of the deployment, as far as the database can see. */
async function startAnother(): Promise<{ readonly port: number; readonly server: RunningServer }> {
  const server = await assembleService({
    ...cast.world.database,
    config: readConfig({}),
    logger: pino({ level: 'silent' }),
  });
  servers.push(server);
  return { server, port: await server.listen({ host: '127.0.0.1', port: 0 }) };
}

const rows = (text: string, values: readonly unknown[] = []) =>
  cast.world.database.rowsNear('ws_acme', text, values);

const tells =
  (record: { readonly id: string }, name?: string) =>
  ({ data, name: told }: EventClient['events'][number]) =>
    data.record_id === record.id && (name === undefined || name === told);

const AUDITED = `insert into ws_acme._audit
  (user_id, object_type, record_id, action, changed_fields, source)
  select 1, 'deals', $1, 'update', '{amount}', 'api' from generate_series(1, $2)`;

/** Work in a transaction that somebody else holds open. */
async function withTransaction<Result>(
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const connection = await cast.world.database.connectionNear('ws_acme');
  const client = new pg.Client(connection as pg.ClientConfig);
  await client.connect();
  try {
    await client.query('begin');
    return await work(client);
  } finally {
    await client.end();
  }
}

describe('after a break', () => {
  test('missed events come first, and none that was sent before', async () => {
    const first = await listen(cast.rob);
    const known = await deal(cast.rob);
    await first.next(tells(known));
    first.close();
    await first.ended();
    const missed = await deal(cast.rob);
    const hidden = await deal(cast.sam);
    const second = await listen(cast.rob, { lastEventId: first.lastId() });
    await second.next(tells(missed));
    const live = await deal(cast.rob);
    await second.next(tells(live));
    const ids = second.events.map(({ data }) => data.record_id);
    expect(ids).toEqual([missed.id, live.id]);
    expect(ids).not.toContain(hidden.id);
  });

  test('more than a page', async () => {
    const stream = await listen(cast.rob);
    const record = await deal(cast.rob);
    await stream.next(tells(record));
    stream.close();
    await rows(AUDITED, [record.id, 950]);
    const again = await listen(cast.rob, { lastEventId: stream.lastId() });
    await vi.waitFor(() => expect(again.events.length).toBe(950), { timeout: 60_000 });
    expect(new Set(again.events.map(({ data }) => data.id)).size).toBe(950);
    // Only the id of the last of them covers all events.
    expect(new Set(again.events.slice(0, -1).map(({ id }) => id))).toEqual(
      new Set([stream.lastId()]),
    );
    expect(again.lastId()).not.toBe(stream.lastId());
  });

  test('while the feed of the last reader ends', async () => {
    const stream = await listen(cast.rob);
    const record = await deal(cast.rob);
    await stream.next(tells(record));
    const whenEnded = ({ startAfter }: typeof streamStart) => ({
      async startAfter(...asked: Parameters<typeof startAfter>) {
        const start = await startAfter(...asked);
        stream.close();
        // Longer than a pause between two polls.
        await sleep(2000);
        return start;
      },
    });
    await withExports(streamStart, whenEnded, async () => {
      const again = await listen(cast.rob, { lastEventId: stream.lastId() });
      const later = await deal(cast.rob);
      await again.next(tells(later));
    });
  });

  test('too many, or too old ones, have to be read again', async () => {
    const stream = await listen(cast.rob);
    const record = await deal(cast.rob);
    await stream.next(tells(record));
    stream.close();
    await rows(AUDITED, [record.id, 10_001]);
    const [reset] = await resetAfter(stream.lastId());
    expect(reset?.data.reason).toBe('too_far_behind');
    const [workspace] = await cast.world.database.rows(
      `select cursor_secret from workspace_records.workspaces where slug = 'acme'`,
    );
    const secret = workspace?.cursor_secret as Buffer;
    const user_id = cast.world.users.rob;
    const { lastId: now } = await listen(cast.rob);
    await vi.waitFor(() => expect(now()).not.toBe(''), 60_000);
    const position = openPosition(secret, user_id, now()) as ReaderPosition;
    const at = Date.now() - 32 * 86_400_000;
    const lastId = sealPosition(secret, { ...position, user_id, at });
    expect((await resetAfter(lastId))[0]?.name).toBe('reset');
  });

  async function resetAfter(lastEventId: string) {
    const again = await listen(cast.rob, { lastEventId });
    await again.next(({ name }) => name === 'reset');
    expect(again.lastId()).not.toBe(lastEventId);
    const record = await deal(cast.rob);
    await again.next(tells(record));
    expect(again.events.map(({ name }) => name)).toEqual(['reset', 'record.created']);
    return again.events;
  }
});

describe('transactions', () => {
  test('that take long delay no reader, and are sent when they end', async () => {
    const stream = await listen(cast.rob);
    const record = await deal(cast.rob);
    await withTransaction(async (client) => {
      await client.query(AUDITED, [record.id, 1]);
      const later = await deal(cast.rob);
      await stream.next(tells(later));
      const last = stream.lastId();
      const more = await deal(cast.rob);
      await stream.next(tells(more));
      expect(stream.events.some(tells(record, 'record.updated'))).toBe(false);
      // A reader that was cut off meanwhile gets it as well.
      await client.query('commit');
      const again = await listen(cast.rob, { lastEventId: last });
      for (const one of [stream, again]) await one.next(tells(record, 'record.updated'));
      await again.next(tells(more));
      expect(stream.events.filter(tells(record, 'record.updated'))).toHaveLength(1);
    });
  });

  test('that fail are not sent', async () => {
    const stream = await listen(cast.rob);
    const record = await deal(cast.rob);
    await withTransaction(async (client) => {
      await client.query(AUDITED, [record.id, 1]);
      await client.query('rollback');
    });
    const later = await deal(cast.rob);
    await stream.next(tells(later));
    expect(stream.events.some(tells(record, 'record.updated'))).toBe(false);
  });

  test('numbered like those of another server, after a restore, are not sent again', async () => {
    const stream = await listen(cast.rob);
    const record = await deal(cast.rob);
    await stream.next(tells(record));
    await rows(
      `insert into ws_acme._audit (transaction, at, user_id, object_type, record_id, action,
          changed_fields, source)
        select (pg_current_xact_id()::text::bigint + n)::text::xid8, now() - interval '3 days', 1,
          'deals', $1, 'update', '{amount}', 'api' from generate_series(0, 9) n`,
      [record.id],
    );
    for (let made = 0; made < 5; made += 1) await stream.next(tells(await deal(cast.rob)));
    expect(stream.events.some(tells(record, 'record.updated'))).toBe(false);
  });
});

test('a write of one process is sent by another, without a notification', async () => {
  const other = await startAnother();
  const stream = await listen(cast.mia, { port: other.port });
  for (let round = 0; round < 3; round += 1) {
    const record = await deal(cast.rob);
    await stream.next(tells(record));
  }
});

/**
 * Writers, some in transactions that end late or not at all, and a reader who is cut off again and again
 * and comes back with the last id.
 */
test('with cuts at any time, no event is lost and none that is hidden is sent', async () => {
  const mine = await deal(cast.rob);
  const hidden = await deal(cast.sam);
  const { id: since = 0 } = (await rows('select max(id) as id from ws_acme._audit'))[0] ?? {};
  const seen = new Set<string>();
  let lastEventId = (await listen(cast.rob)).lastId();
  let stopped = false;

  async function write(client: Client, index: number): Promise<void> {
    for (let round = 0; round < 12; round += 1) {
      const record = await deal(client, { amount: round });
      await client.patch(`${DEALS}/${record.id}`, { fields: { amount: index } });
    }
  }
  async function writeSlowly(index: number): Promise<void> {
    for (let round = 0; round < 6; round += 1) {
      await withTransaction(async (client) => {
        await client.query(AUDITED, [round % 2 === 0 ? mine.id : hidden.id, 1]);
        await sleep(10 + 25 * index);
        await client.query(AUDITED, [mine.id, 2]);
        await client.query(round === 3 ? 'rollback' : 'commit');
      });
    }
  }
  async function read(): Promise<void> {
    while (!stopped) {
      const stream = await openEvents({
        port: cast.world.port,
        secret: cast.rob.secret,
        lastEventId,
      });
      expect(stream.status).toBe(200);
      await Promise.race([sleep(Math.random() * 120), stream.ended()]);
      stream.close();
      await stream.ended();
      for (const { data } of stream.events) seen.add(data.id);
      lastEventId = stream.lastId() === '' ? lastEventId : stream.lastId();
    }
  }
  const reading = read();
  await Promise.all([
    ...[cast.rob, cast.rob, cast.sam, cast.mia].map(write),
    ...[1, 2, 3].map(writeSlowly),
  ]);
  stopped = true;
  await reading;
  const last = await listen(cast.rob, { lastEventId });
  const end = await deal(cast.rob);
  await last.next(tells(end));
  for (const { data } of last.events) seen.add(data.id);
  const written = await rows(
    `select a.id, a.record_id, d.owner_user_id = $1 as visible from ws_acme._audit a
      join ws_acme.deals d on d.id = a.record_id where a.id > $2`,
    [cast.world.users.rob, since],
  );
  const [workspace] = await cast.world.database.rows(
    `select cursor_secret from workspace_records.workspaces where slug = 'acme'`,
  );
  const idOf = (row: unknown) =>
    eventIdOf(workspace?.cursor_secret as Buffer, 0, { type: 'record.left', row } as ShownEvent);
  const visible = written.filter((row) => row.visible).map(idOf);
  expect(visible.length).toBeGreaterThan(50);
  expect(written.length).toBeGreaterThan(visible.length);
  expect([...seen].sort()).toEqual(visible.sort());
});

/** Comments of 10 kB as if many had written them. */
const COMMENTED = `with c as (
    insert into ws_acme._comments (id, object_type, record_id, body, author_user_id)
    select gen_random_uuid(), 'deals', $1, repeat('x', 10000), 1 from generate_series(1, $2)
    returning id, record_id
  )
  insert into ws_acme._audit
    (user_id, object_type, record_id, action, changed_fields, source, comment_id)
  select 1, 'deals', record_id, 'comment', '{comments}', 'api', id from c`;

test('a slow reader gets everything once, delays no other and keeps no memory', async () => {
  const record = await deal(cast.rob);
  const slow = await listen(cast.rob);
  const quick = await listen(cast.mia);
  slow.pause();
  // More than the sockets of both sides take.
  const [rounds, each] = [15, 100];
  const all = rounds * each;
  for (let round = 0; round < rounds; round += 1) await rows(COMMENTED, [record.id, each]);
  const comments = ({ events }: EventClient) =>
    events.filter(({ name }) => name === 'comment.created').map(({ data }) => data.id);
  await vi.waitFor(() => expect(comments(quick)).toHaveLength(all), { timeout: 60_000 });
  expect(comments(slow).length).toBeLessThan(all);
  expect(bufferedBytes()).toBeGreaterThan(50_000);
  expect(bufferedBytes()).toBeLessThan(500_000);
  slow.resume();
  await vi.waitFor(() => expect(comments(slow)).toHaveLength(all), { timeout: 60_000 });
  for (const stream of [slow, quick]) expect(new Set(comments(stream)).size).toBe(all);
  const later = await deal(cast.rob);
  await slow.next(tells(later));
});

/** The bytes of this process that wait for clients to read them. */
function bufferedBytes(): number {
  const { _getActiveHandles: handles } = process as unknown as {
    readonly _getActiveHandles: () => readonly { readonly writableLength?: number }[];
  };
  return handles.call(process).reduce((sum, { writableLength = 0 }) => sum + writableLength, 0);
}

test('streams outlive an outage of the database', async () => {
  const stream = await listen(cast.rob);
  const before = await deal(cast.rob);
  await stream.next(tells(before));
  await duringOutage(cast.world.database, () => sleep(1500));
  expect(stream.isOpen()).toBe(true);
  const after = await vi.waitFor(() => deal(cast.rob), { timeout: 60_000, interval: 200 });
  await stream.next(tells(after));
  expect(stream.events.filter(tells(after))).toHaveLength(1);
});

describe('when the service closes', () => {
  test('streams end at once, also those without a reader', async () => {
    const { server, port } = await startAnother();
    const streams = await Promise.all([1, 2, 3].map(() => listen(cast.rob, { port })));
    const [stuck] = streams;
    stuck?.pause();
    // After 7 seconds they would be cut.
    expect(await Promise.race([server.close(), sleep(6500, 'late')])).not.toBe('late');
    await Promise.all(streams.slice(1).map((stream) => stream.ended()));
    for (const stream of streams.slice(1)) expect(stream.text()).toMatch(/\n\n$/);
  });
});
