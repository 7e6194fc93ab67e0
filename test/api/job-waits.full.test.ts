// Requests that wait for a job: the events that end them, the resources they hold meanwhile, and their number.

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { JobKind } from '../../src/control/jobs/job-lease.ts';
import { appendJob } from '../../src/control/jobs/jobs.ts';
import { type Client, refusalOf } from '../client.ts';
import { until } from '../until.ts';
import { openWorld, type World } from '../world.ts';
import { openJobs } from './job-world.ts';

let world: World;
let ada: Client;
const jobs = openJobs(() => world);

beforeAll(async () => {
  world = await openWorld({ STREAMS_PER_KEY: '30' });
  ada = await world.as('ada');
});
afterEach(async () => {
  await jobs.stop();
  await world.database.rows("delete from workspace_records.jobs where kind = 'knitting'");
});
afterAll(() => world.close());

/** A job of the workspace that no process runs yet. */
async function queued(): Promise<string> {
  const [{ id: workspace_id } = {}] = await world.database.rows(
    "select id from workspace_records.workspaces where slug = 'acme'",
  );
  const asked = { workspace_id: Number(workspace_id), asked_by_user_id: world.users.ada };
  return (await appendJob(world.database.db, { kind: 'knitting', ...asked })) as string;
}

/** Work that ends on a call. */
function knitting() {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const kind: JobKind = { kind: 'knitting', run: () => ended };
  return { kind, end };
}

const wait = (id: string, seconds: number | string, client = ada) =>
  client.get(`/jobs/${id}?wait=${seconds}`);

const waits = (count: number, of = world) => until(async () => (await of.waiting()) === count);

const seconds = async (work: () => Promise<unknown>) => {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
};

test.each([31, -1, 'x', 1.5, ''])('a wait of "%s" is refused', async (given) => {
  expect(refusalOf(await wait(await queued(), given))).toEqual([400, 'validation_failed', 'wait']);
});

test('the answer comes when the job is in another state, and with its end', async () => {
  const { kind, end } = knitting();
  const id = await queued();
  const begun = wait(id, 30);
  await jobs.work(kind);
  expect((await begun).body.data).toMatchObject({ id, state: 'running' });
  const ended = wait(id, 30);
  end();
  expect((await ended).body.data).toMatchObject({ id, state: 'done' });
  expect(await seconds(() => wait(id, 30))).toBeLessThan(15);
});

test('the answer comes when the time is over, with the job as it is', async () => {
  const id = await queued();
  const took = await seconds(async () => {
    expect((await wait(id, 1)).body.data).toMatchObject({ id, state: 'queued' });
  });
  expect(took).toBeGreaterThan(0.9);
  const longer = wait(id, 30).then(() => 'longer');
  await waits(1);
  expect(await Promise.race([longer, wait(id, 0).then(() => 'none')])).toBe('none');
  await ada.post(`/jobs/${id}/cancel`, undefined);
  await longer;
});

test('a job of another person is not found, at once', async () => {
  const rob = await world.as('rob');
  expect(refusalOf(await wait(await queued(), 30, rob))).toEqual([
    404,
    'record_not_found',
    'job_id',
  ]);
});

test('a waiting request holds no connection, and one query is for all of them', async () => {
  const { kind, end } = knitting();
  const { stats, tenants } = world.database;
  const id = await queued();
  await jobs.work(kind);
  await until(async () => (await wait(id, 0)).body.data.state === 'running');
  const waiting = Array.from({ length: 30 }, () => wait(id, 30));
  await waits(30);
  expect(tenants.load()).toMatchObject({ held: 0, waiting: 0 });
  const before = stats.statements;
  const took = await seconds(() => until(() => stats.statements >= before + 9));
  // Two looks a second, and one for changes of rights, for the whole process.
  expect((stats.statements - before) / took).toBeLessThan(10);
  end();
  for (const { body } of await Promise.all(waiting)) expect(body.data.state).toBe('done');
});

test('waits count as streams of their key, and one that has left leaves room', async () => {
  const id = await queued();
  const leaving = new AbortController();
  const { secret } = ada;
  const open = () =>
    fetch(`http://127.0.0.1:${world.port}/v1/jobs/${id}?wait=30`, {
      headers: { authorization: `Bearer ${secret}` },
      signal: leaving.signal,
    }).catch(() => undefined);
  const waiting = Array.from({ length: 30 }, open);
  await waits(30);
  const refused = await wait(id, 1);
  expect(refusalOf(refused)).toEqual([429, 'too_many_streams', undefined]);
  expect(refused.body.error.details).toEqual({ limit: 30, of: 'key' });
  expect((await wait(id, 0)).status).toBe(200);
  leaving.abort();
  await Promise.all(waiting);
  await until(async () => (await wait(id, 1)).status === 200);
});

test('a session that ends, ends its waits', async () => {
  const id = await queued();
  const session = await world.inSession('ada');
  const waiting = wait(id, 30, session);
  await waits(1);
  expect((await session.delete(`/sessions/${session.sessionId}`)).status).toBe(200);
  const took = await seconds(async () => {
    expect(refusalOf(await waiting)).toEqual([401, 'invalid_credentials', undefined]);
  });
  expect(took).toBeLessThan(20);
});

test('the answer shows what its reader may see by then', async () => {
  const { kind } = knitting();
  const id = await queued();
  const bot = await world.as('bot');
  const waiting = wait(id, 30, bot);
  await waits(1);
  const boss = await world.inSession('ada');
  const { status } = await boss.patch(`/users/${world.users.bot}`, { roles: ['rep'] });
  expect(status).toBe(200);
  await jobs.work(kind);
  expect(refusalOf(await waiting)).toEqual([404, 'record_not_found', 'job_id']);
});

test('a process that stops answers at once', async () => {
  const other = await openWorld();
  const client = await other.as('ada');
  const { db, rows } = other.database;
  const [row] = await rows("select id from workspace_records.workspaces where slug = 'acme'");
  const id = await appendJob(db, { kind: 'knitting', workspace_id: Number(row?.id) });
  const waiting = wait(String(id), 30, client);
  await waits(1, other);
  const took = await seconds(async () => {
    await Promise.all([other.close(), waiting]);
  });
  const { status, body } = await waiting;
  expect([status, body.data.state]).toEqual([200, 'queued']);
  expect(took).toBeLessThan(20);
});
