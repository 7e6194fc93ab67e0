// `npm run bench:changes`: whether the change feed is complete while many write, and what waiting and long histories cost.
// It prints one line for each part; a part that fails ends the run with 1.
//   --changes N   changes that the writers make (1000000)
//   --rate N      changes a second, at most (as many as the writers can)
//   --hold N      seconds that one transaction stays open (60)
//   --waiters N   requests that wait at the same time (1000)
//   --rows N      audit rows of the long history (10000000)
//   --only PARTS  comma-separated: complete, waiters, history

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { percentile } from '../faults/figures.ts';
import { sql, toStatement } from '../src/sql/sql.ts';
import { openSite, type Site, type Visitor } from './site.ts';

const { values: options } = parseArgs({
  options: {
    changes: { type: 'string', default: '1000000' },
    rate: { type: 'string', default: 'Infinity' },
    hold: { type: 'string', default: '60' },
    waiters: { type: 'string', default: '1000' },
    rows: { type: 'string', default: '10000000' },
    only: { type: 'string', default: 'complete,waiters,history' },
  },
});
const WRITERS = 32;
const READERS = 4;
const BATCH = 100;
const SCHEMA = 'ws_feed';
const COMPANIES = '/objects/companies/records';
/** Seconds that a reader waits. */
const WAIT = 5;

// biome-ignore lint/suspicious/noExplicitAny: answers of several routes
type Answer = any;

interface Feed {
  readonly site: Site;
  readonly visitor: Visitor;
  ask(authorization: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Answer>;
}

async function open(): Promise<Feed & { close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-changes-'));
  const site = await openSite(folder, false, {
    ...{ STREAMS_PER_WORKSPACE: '5000', REQUESTS_PER_MINUTE: '1000000000' },
  });
  site.service.command('workspaces', 'create', 'feed', '--admin', 'admin@bench.example');
  const visitor = await site.visit('feed');
  return {
    ...{ site, visitor },
    async ask(authorization, path, body, signal) {
      const answer = await fetch(`${site.service.url}/v1${path}`, {
        headers: { authorization, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
        ...(signal === undefined ? {} : { signal }),
      });
      return { status: answer.status, body: (await answer.json()) as Answer };
    },
    async close() {
      await site.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function line(part: string, isGood: boolean, text: string): void {
  console.log(`${part.padEnd(10)}${isGood ? 'reached  ' : 'NOT REACHED  '}${text}`);
  if (!isGood) process.exitCode = 1;
}

/** Changes by `record_id revision`, with the time at which a writer got its answer. */
type Written = Map<string, number>;

async function write(feed: Feed, authorization: string, state: WriterState): Promise<void> {
  const own: string[] = [];
  while (state.count < Number(options.changes)) {
    await turn(state);
    const isBad = Math.random() < 0.1;
    const begin = Math.floor(Math.random() * own.length);
    const operations = Array.from({ length: BATCH }, (_, index) => {
      const name = `C${Math.random()}`;
      const id =
        own.length >= BATCH && index % 2 === 0 ? own[(begin + index) % own.length] : undefined;
      const isLast = index === BATCH - 1 && isBad;
      if (isLast) return { action: 'create', fields: { name: null } };
      return id === undefined
        ? { action: 'create', fields: { name } }
        : { action: 'update', id, fields: { name } };
    });
    const { status, body } = await feed.ask(authorization, `${COMPANIES}/batch`, { operations });
    // Refused before anything was written.
    if (status === 503) continue;
    if (isBad !== (status !== 200)) {
      throw new Error(`a batch answered ${status}: ${JSON.stringify(body).slice(0, 300)}`);
    }
    if (isBad) continue;
    const now = performance.now();
    for (const { id, version, created } of body.data.results as readonly Answer[]) {
      state.written.set(`${id} ${Number(String(version).split('-', 1)[0])}`, now);
      if (created && own.length < 1000) own.push(id);
    }
    state.count += BATCH;
  }
}

interface WriterState {
  count: number;
  /** By `performance.now()`: when the next batch may be written. */
  next: number;
  readonly written: Written;
}

/** Wait until a batch more is within the rate. */
async function turn(state: WriterState): Promise<void> {
  const now = performance.now();
  const at = Math.max(now, state.next);
  state.next = at + (BATCH / Number(options.rate)) * 1000;
  if (at > now) await sleep(at - now);
}

interface ReaderState {
  isOver: boolean;
  readonly seen: Map<string, number>;
  restarts: number;
}

/** Read from a kept cursor on; now and then a request is cut off, and the cursor before it counts. */
async function read(feed: Feed, authorization: string, state: ReaderState): Promise<void> {
  let cursor = (await feed.ask(authorization, '/changes')).body.pagination.next_cursor;
  for (;;) {
    const cut =
      Math.random() < 0.05 ? AbortSignal.timeout(Math.ceil(Math.random() * 200)) : undefined;
    try {
      const path = `/changes?limit=1000&wait=${WAIT}&cursor=${cursor}`;
      const { status, body } = await feed.ask(authorization, path, undefined, cut);
      if (status !== 200) throw new Error(`the feed answered ${status}: ${JSON.stringify(body)}`);
      const now = performance.now();
      for (const { record_id, revision } of body.data) {
        const key = `${record_id} ${revision}`;
        if (!state.seen.has(key)) state.seen.set(key, now);
      }
      cursor = body.pagination.next_cursor;
      if (state.isOver && body.data.length === 0) return;
    } catch (error) {
      if (cut?.aborted !== true) throw error;
      state.restarts += 1;
    }
  }
}

/** A transaction that has its number early and commits late, as a long write would. */
async function hold(feed: Feed, id: string): Promise<void> {
  await feed.site.db.transaction(async (tx) => {
    await tx.query(
      toStatement(sql`insert into ws_feed._audit (user_id, object_type, record_id, action, changed_fields, source, revision)
        values (1, 'companies', ${id}::uuid, 'update', '{name}', 'api', 1000000)`),
    );
    await sleep(Number(options.hold) * 1000);
  });
}

async function measureComplete(feed: Feed): Promise<void> {
  const keys = await feed.visitor.authorizations(WRITERS + READERS);
  const first = keys[0] as string;
  const fields = { name: 'Held' };
  const held = (await feed.ask(first, COMPANIES, { fields })).body.data.id as string;
  const readers: ReaderState[] = Array.from({ length: READERS }, () => ({
    ...{ isOver: false, restarts: 0, seen: new Map() },
  }));
  const reading = Promise.all(
    readers.map((state, index) => read(feed, keys[WRITERS + index] as string, state)),
  );
  reading.catch(() => undefined);
  await sleep(500);
  const state: WriterState = { count: 0, next: 0, written: new Map() };
  const started = performance.now();
  const holding = hold(feed, held);
  holding.catch(() => undefined);
  await Promise.all(keys.slice(0, WRITERS).map((key) => write(feed, key, state)));
  const seconds = (performance.now() - started) / 1000;
  await holding;
  for (const reader of readers) reader.isOver = true;
  await reading;
  const expected = [...state.written.keys(), `${held} 1000000`];
  const missing = readers.map(({ seen }) => expected.filter((key) => !seen.has(key)).length);
  const lags = readers.flatMap(({ seen }) =>
    [...state.written].map(([key, at]) => (seen.get(key) ?? Number.POSITIVE_INFINITY) - at),
  );
  const [p95, most] = [percentile(lags, 0.95), percentile(lags, 1)];
  const cuts = readers.reduce((sum, { restarts }) => sum + restarts, 0);
  line(
    'complete',
    missing.every((count) => count === 0) && p95 <= 1000,
    `${state.count} changes of ${WRITERS} writers in ${seconds.toFixed(0)} s (${(state.count / seconds).toFixed(0)}/s), one transaction open for ${options.hold} s, ` +
      `${READERS} readers cut off ${cuts} times: missing ${missing.join(', ')}; ` +
      `lag p95 ${p95.toFixed(0)} ms, most ${most.toFixed(0)} ms`,
  );
}

/** An idle connection of PostgreSQL reports its transactions after ten seconds. */
const FLUSHED_MS = 14_000;

async function transactions({ site }: Feed): Promise<number> {
  const [row] = await site.db.query(
    toStatement(sql`select xact_commit + xact_rollback as count, pg_stat_clear_snapshot()
      from pg_stat_database where datname = current_database()`),
  );
  return Number(row?.count);
}

/** Statements a second of the whole database: outside of transactions each is one. */
async function statementsPerSecond(feed: Feed, seconds: number): Promise<number> {
  const before = await transactions(feed);
  await sleep(seconds * 1000);
  return ((await transactions(feed)) - before) / seconds;
}

/** Keys of several people, because a person has at most 500 open streams. */
async function waitingKeys({ site, visitor }: Feed, count: number): Promise<readonly string[]> {
  const keys = await visitor.authorizations(count);
  await site.db.query(
    toStatement(sql`with made as (
        insert into ws_feed._users (email, roles)
        select 'waiter' || n || '@bench.example', '{admin}' from generate_series(1, ${count}::integer) n returning id
      ), numbered as (select id, row_number() over (order by id) as n from made)
      update workspace_records.api_keys k set user_id = m.id
      from (select id, row_number() over (order by id desc) as n from workspace_records.api_keys) o
      join numbered m on m.n = o.n where k.id = o.id and o.n <= ${count}::bigint`),
  );
  return keys;
}

/** Two a second for the workspace, and one for the process, which checks for changed rights. */
async function measureWaiters(feed: Feed): Promise<void> {
  const count = Number(options.waiters);
  const keys = await waitingKeys(feed, Math.ceil(count / 50));
  await sleep(FLUSHED_MS);
  const idle = await statementsPerSecond(feed, 10);
  const cursors = await Promise.all(
    keys.map(async (key) => (await feed.ask(key, '/changes')).body.pagination.next_cursor),
  );
  const waiting = Array.from({ length: count }, (_, index) => {
    const place = index % keys.length;
    return feed.ask(keys[place] as string, `/changes?wait=30&cursor=${cursors[place]}`);
  });
  await sleep(FLUSHED_MS);
  const busy = await statementsPerSecond(feed, 12);
  const answers = await Promise.all(waiting);
  const refused = answers.filter(({ status }) => status !== 200).length;
  const more = busy - idle;
  line(
    'waiters',
    refused === 0 && more <= 3.2,
    `${count} waiting requests: ${more.toFixed(1)} transactions/s more than the idle service has (${idle.toFixed(1)}), ${refused} refused`,
  );
}

/** Rows over the last 29 days, a hundred in a transaction. */
const FILL = `create procedure ws_feed.fill(total bigint) language plpgsql as $$
declare made bigint := 0; ids uuid[];
begin
  select array_agg(id) into ids from (select id from ws_feed.companies limit 50000) c;
  while made < total loop
    insert into ws_feed._audit (at, user_id, object_type, record_id, action, changed_fields, source, revision)
      select now() - interval '29 days' * (1 - (made + n)::float8 / total), 1, 'companies',
        ids[1 + floor(random() * array_length(ids, 1))::int], 'update', '{name}', 'api', 1
      from generate_series(1, 100) n;
    made := made + 100;
    commit;
  end loop;
end $$`;

async function measureHistory(feed: Feed): Promise<void> {
  const { site } = feed;
  const [key] = (await feed.visitor.authorizations(1)) as [string];
  const db = (text: string) => site.db.query({ text, values: [] });
  await db(`update workspace_records.epochs set began_at = now() - interval '60 days'`);
  for (let made = 0; made < 2000; made += BATCH) {
    const operations = Array.from({ length: BATCH }, (_, index) => ({
      ...{ action: 'create', fields: { name: `H${made + index}` } },
    }));
    await feed.ask(key, `${COMPANIES}/batch`, { operations });
  }
  await db(FILL);
  await db(`call ws_feed.fill(${Number(options.rows)})`);
  await db(`analyze ${SCHEMA}._audit`);
  const times: number[] = [];
  for (let turn = 0; turn < 200; turn += 1) {
    const since = new Date(Date.now() - 86_400_000 * (1 + Math.random() * 27)).toISOString();
    const begun = await feed.ask(key, `/changes?limit=1&since=${since}`);
    const cursor = begun.body.pagination.next_cursor;
    const started = performance.now();
    const { body } = await feed.ask(key, `/changes?limit=1000&cursor=${cursor}`);
    times.push(performance.now() - started);
    if (body.data?.length !== 1000) throw new Error(JSON.stringify(body).slice(0, 500));
  }
  const [p50, p95] = [percentile(times, 0.5), percentile(times, 0.95)];
  line(
    'history',
    p95 <= 50,
    `a page of 1,000 among ${options.rows} audit rows: p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`,
  );
}

const PARTS = { complete: measureComplete, waiters: measureWaiters, history: measureHistory };

const feed = await open();
for (const [name, measure] of Object.entries(PARTS)) {
  if (!options.only.split(',').includes(name)) continue;
  await measure(feed).catch((error: unknown) => line(name, false, String(error)));
}
await feed.close();
process.exit();
