// Properties of a real cluster of Citus: a worker that is lost takes down its own workspaces only, and a workspace is
// moved while it is written to. Everything that was acknowledged is there, once (`npm run test:citus`).

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import {
  afterAll,
  afterEach,
  beforeAll,
  describe,
  expect,
  inject,
  onTestFinished,
  test,
} from 'vitest';
import { findWorkspace, type WorkspaceRow } from '../../src/control/workspace/workspaces.ts';
import { closeToWriters } from '../../src/definitions/apply/lock-tables.ts';
import { moveWorkspace } from '../../src/workspaces/workspace-move.ts';
import type { Client } from '../client.ts';
import { type EventClient, openEvents } from '../event-client.ts';
import { until } from '../until.ts';
import { openWorld, type World } from '../world.ts';
import { openTcpProxy, type TcpProxy } from './tcp-proxy.ts';

const COMPANIES = '/objects/companies/records';
/** Milliseconds: each move copies all tables. */
const TEN_MOVES = 600_000;

describe.skipIf(inject('workers').length < 2)('on a cluster with two workers', () => {
  const proxies: TcpProxy[] = [];
  let world: World;
  let secret: string;
  let ada: Client;
  let gil: Client;

  beforeAll(async () => {
    world = await openWorld();
    for (const { host, port } of inject('workers')) {
      const proxy = await openTcpProxy(String(host), Number(port));
      proxies.push(proxy);
      await world.database.rows(
        `select citus_update_node(nodeid, '127.0.0.1', $2) from pg_dist_node where nodeport = $1`,
        [port, proxy.port],
      );
    }
    ({ secret } = await world.key('ada', { requestsPerMinute: 1_000_000 }));
    ada = await world.as('ada', { requestsPerMinute: 1_000_000 });
    gil = await world.as('gil', { workspace: 'globex', requestsPerMinute: 1_000_000 });
    await part();
    // Where they are is known from the first request on.
    for (const client of [ada, gil]) expect((await client.get(COMPANIES)).status).toBe(200);
  });

  const ledgers: Ledger[] = [];
  afterEach(async () => {
    for (const proxy of proxies) await proxy.bringBack();
    for (const ledger of ledgers.splice(0)) await ledger.stop();
  });
  afterAll(async () => {
    await world?.close();
    for (const proxy of proxies) await proxy.close();
  });

  async function portOf(schema: string): Promise<number> {
    const [row] = await world.database.rows(
      `select nodeport from citus_shards where table_name = ($1 || '._users')::regclass`,
      [schema],
    );
    return Number(row?.nodeport);
  }

  /** To the other worker. */
  async function move(schema: string): Promise<void> {
    const from = await portOf(schema);
    const to = proxies.find(({ port }) => port !== from)?.port;
    const workspace = await findWorkspace(world.database.db, schema.slice('ws_'.length));
    await moveWorkspace(world.database, {
      workspace: workspace as WorkspaceRow,
      to: `127.0.0.1:${to}`,
    });
  }

  /** Each on a worker of its own. */
  async function part(): Promise<void> {
    if ((await portOf('ws_acme')) === (await portOf('ws_globex'))) await move('ws_globex');
  }

  const proxyOf = async (schema: string) => {
    const at = await portOf(schema);
    return proxies.find(({ port }) => port === at) as TcpProxy;
  };

  interface Ledger {
    readonly acknowledged: string[];
    /** Names whose request was answered 503: they may be there or not, but not twice. */
    readonly unknown: string[];
    readonly wrong: unknown[];
    /** Milliseconds of the longest time without an acknowledgement. */
    longestGap: number;
    stop(): Promise<void>;
  }

  /** Create companies one after the other, as four clients do, until it is stopped. */
  function write(client: Client, prefix: string): Ledger {
    const over = new AbortController();
    let last = performance.now();
    const ledger: Ledger = {
      ...{ acknowledged: [], unknown: [], wrong: [], longestGap: 0 },
      async stop() {
        over.abort();
        await Promise.all(writers);
      },
    };
    const writeOne = async (name: string) => {
      const { status, body, headers } = await client.post(COMPANIES, { fields: { name } });
      if (status === 503 && headers.get('retry-after') !== null) ledger.unknown.push(name);
      else if (status !== 201) ledger.wrong.push([status, body]);
      if (status !== 201) return sleep(20);
      // A record is visible to the next reader, wherever it was written.
      const read = await client.get(`${COMPANIES}/${body.data.id}`);
      if (read.status !== 200 && read.status !== 503) ledger.wrong.push([read.status, read.body]);
      ledger.acknowledged.push(name);
      ledger.longestGap = Math.max(ledger.longestGap, performance.now() - last);
      last = performance.now();
      return undefined;
    };
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let count = 0; !over.signal.aborted; count += 1)
        await writeOne(`${prefix} ${writer} ${count}`);
    });
    ledgers.push(ledger);
    return ledger;
  }

  async function expectRecords(schema: string, prefix: string, ledger: Ledger): Promise<void> {
    expect(ledger.wrong).toEqual([]);
    const rows = await world.database.rows(
      `select name, count(*)::integer as copies from ${schema}.companies
        where starts_with(name, $1) group by name`,
      [`${prefix} `],
    );
    const copies = new Map(rows.map((row) => [String(row.name), Number(row.copies)]));
    expect(ledger.acknowledged.filter((name) => copies.get(name) !== 1)).toEqual([]);
    expect(ledger.unknown.filter((name) => (copies.get(name) ?? 0) > 1)).toEqual([]);
    expect(copies.size).toBeLessThanOrEqual(ledger.acknowledged.length + ledger.unknown.length);
  }

  test(
    'a workspace is moved ten times while it is written to',
    async () => {
      const [stream, early] = [await follow(), await follow()];
      const cursor = await cursorNow();
      const ledger = write(ada, 'Moved');
      await until(() => early.events.length > 5 && early.lastId() !== '');
      early.close();
      for (let time = 0; time < 10; time += 1) {
        await move('ws_acme');
        const known = ledger.acknowledged.length;
        await until(() => ledger.acknowledged.length > known + 10);
      }
      await ledger.stop();
      await expectRecords('ws_acme', 'Moved', ledger);
      // A client that was away for all of the moves resumes at its last event.
      const late = await follow(early.lastId());
      await expectFeed(cursor);
      await expectEvents(stream);
      await expectEvents(late, early);
      process.stdout.write(
        `ten moves: ${ledger.acknowledged.length} written, ${ledger.unknown.length} refused, ` +
          `longest gap ${Math.round(ledger.longestGap)} ms\n`,
      );
    },
    TEN_MOVES,
  );

  async function cursorNow(): Promise<string> {
    const { body } = await ada.get('/changes');
    return body.pagination.next_cursor;
  }

  /** A program that was away for all of the moves reads each record that was made since its cursor, once. */
  async function expectFeed(since: string): Promise<void> {
    const created: string[] = [];
    for (let [cursor, hasMore] = [since, true]; hasMore; ) {
      const { status, body } = await ada.get(
        `/changes?object_type=companies&type=record.created&limit=200&cursor=${cursor}`,
      );
      expect(status, JSON.stringify(body)).toBe(200);
      created.push(...body.data.map(({ record_id }: { record_id: string }) => record_id));
      [cursor, hasMore] = [body.pagination.next_cursor, body.pagination.has_more];
    }
    const all = await world.database.rows(
      `select id from ws_acme.companies where starts_with(name, 'Moved ')`,
    );
    expect(new Set(created).size).toBe(created.length);
    expect(all.filter(({ id }) => !created.includes(String(id)))).toEqual([]);
  }

  const follow = (lastEventId?: string) => openEvents({ port: world.port, secret, lastEventId });

  /** Each record has an event, from this stream once, or from the one that it continues. */
  async function expectEvents(stream: EventClient, before?: EventClient): Promise<void> {
    const { body } = await ada.post(COMPANIES, { fields: { name: 'Moved last' } });
    await stream.next(({ data }) => data.record_id === body.data.id);
    const all = await world.database.rows(
      `select id from ws_acme.companies where starts_with(name, 'Moved ')`,
    );
    expect(stream.events.filter(({ name }) => name === 'reset')).toEqual([]);
    const ids = stream.events.map(({ data }) => data.record_id);
    expect(new Set(ids).size).toBe(ids.length);
    const told = new Set(ids.concat(before?.events.map(({ data }) => data.record_id) ?? []));
    expect(all.filter(({ id }) => !told.has(id))).toEqual([]);
    expect(stream.isOpen()).toBe(true);
    stream.close();
  }

  test('a transaction on the tables of a shard holds its move up, and is refused where it has left', async () => {
    const [shard] = await world.database.rows(
      `select shardid from citus_shards where table_name = 'ws_acme.companies'::regclass`,
    );
    const client = new pg.Client(await world.database.connectionNear('ws_acme'));
    await client.connect();
    onTestFinished(() => client.end());
    const enter = () =>
      client.query(`select workspace_records.enter_shard('ws_acme', $1)`, [shard?.shardid]);
    await client.query('begin');
    // Without a number yet: a move begins by waiting for all transactions that have one.
    await enter();
    let isOver = false;
    const moved = move('ws_acme').finally(() => {
      isOver = true;
    });
    const waiting = `select count(*)::integer as waiting from pg_locks
      where locktype = 'advisory' and not granted`;
    await until(async () => {
      const { rows } = await client.query(waiting);
      return rows[0].waiting > 0;
    });
    expect(isOver).toBe(false);
    await client.query(
      `insert into ws_acme.companies_${shard?.shardid} (id, created_by_user_id, name)
        values (gen_random_uuid(), 1, 'Held')`,
    );
    await client.query('commit');
    await moved;
    await expect(enter()).rejects.toMatchObject({ code: 'WR003' });
    expect(
      await world.database.rows(`select name from ws_acme.companies where name = 'Held'`),
    ).toHaveLength(1);
  });

  test('closing a table waits for writers of the shard, and delays new ones', async () => {
    const near = await world.database.connectionNear('ws_acme');
    const client = new pg.Client(near);
    await client.connect();
    onTestFinished(() => client.end());
    // Right after a move it may be the server where the workspace was.
    const waiting = `select from run_command_on_all_nodes('select count(*) from pg_locks where not granted')
      where result::integer > 0`;
    const waits = async () => (await world.database.rows(waiting)).length > 0;
    const shard = `select shardid from citus_shards where table_name = 'ws_acme.companies'::regclass`;
    const [{ shardid } = { shardid: 0 }] = await world.database.rows(shard);
    await client.query('begin');
    await client.query(`select workspace_records.enter_shard('ws_acme', $1)`, [shardid]);
    const order: string[] = [];
    let made: Promise<unknown> = Promise.resolve();
    const closed = world.database.db.transaction(async (tx) => {
      await closeToWriters(tx, 'ws_acme', 'companies');
      order.push('closed');
      made = ada.post(COMPANIES, { fields: { name: 'Delayed' } }).then(({ status }) => {
        order.push(`made ${status}`);
      });
      await until(waits);
      order.push('open');
    });
    await until(waits);
    order.push('left');
    await client.query('commit');
    await closed;
    await made;
    expect(order).toEqual(['left', 'closed', 'open', 'made 201']);
  });

  // Afterwards the coordinator still has connections that were cut.
  test('a lost worker takes down its own workspaces only, and they come back with it', async () => {
    await part();
    const proxy = await proxyOf('ws_acme');
    const own = write(ada, 'Own');
    const other = write(gil, 'Other');
    await until(() => own.acknowledged.length > 20 && other.acknowledged.length > 20);
    await proxy.lose();
    await sleep(1500);
    expect((await ada.get(COMPANIES)).status).toBe(503);
    const before = other.acknowledged.length;
    await sleep(500);
    expect(other.acknowledged.length).toBeGreaterThan(before);
    const known = own.acknowledged.length;
    await proxy.bringBack();
    const backAt = performance.now();
    await until(() => own.acknowledged.length > known);
    const back = performance.now() - backAt;
    await until(() => own.acknowledged.length > known + 20);
    await Promise.all([own.stop(), other.stop()]);
    expect(own.unknown.length).toBeGreaterThan(0);
    expect(other.unknown).toEqual([]);
    await expectRecords('ws_acme', 'Own', own);
    await expectRecords('ws_globex', 'Other', other);
    process.stdout.write(`a lost worker: back after ${Math.round(back)} ms\n`);
  });
});
