// Old answers of Idempotency-Keys are deleted, fresh ones stay, and clients do not wait.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Progress } from '../../src/control/jobs/jobs.ts';
import { sweepAnswers, sweeping, sweepTrash } from '../../src/flow/jobs/sweeper.ts';
import { NO_FILES } from '../no-files.ts';
import { openSampleWorkspace, type SampleWorkspace } from '../sample-workspace.ts';

let sample: SampleWorkspace;

beforeAll(async () => {
  sample = await openSampleWorkspace();
});
afterAll(() => sample.own.drop());

async function store(count: number, age: string): Promise<void> {
  await sample.own.rows(
    `insert into ws_sample._idempotency (api_key_id, key, fingerprint, status, body, object_type,
        record_ids, reach_user_ids, fields, stored_at)
      select '01900000-0000-7000-8000-000000000001', $2 || n, '', 200, '{}', 'gadgets', '{}', '{}',
        '{}', now() - $2::interval from generate_series(1, $1::integer) n`,
    [count, age],
  );
}

async function left(): Promise<unknown> {
  const rows = await sample.own.rows('select count(*)::integer n from ws_sample._idempotency');
  return rows[0]?.n;
}

test('answers of more than 24 hours ago go, however many', async () => {
  await store(2500, '24 hours 1 minute');
  await store(3, '23 hours 59 minutes');
  expect(await sweepAnswers(sample.db)).toBe(2500);
  expect(await left()).toBe(3);
  expect(await sweepAnswers(sample.db)).toBe(0);
});

test('two sweepers share the work and skip what others hold', async () => {
  await store(3000, '25 hours');
  const counts = await sample.db.transaction(async (tx) => {
    await tx.query({
      text: `select from ws_sample._idempotency where key = '25 hours1' for update`,
      values: [],
    });
    return Promise.all([sweepAnswers(sample.db), sweepAnswers(sample.db)]);
  });
  expect(counts.reduce((sum, count) => sum + count)).toBe(2999);
  expect(await left()).toBe(4);
});

test('a workspace that is deleted meanwhile is skipped', async () => {
  await sample.own.rows(`insert into workspace_records.workspaces
      (slug, name, schema_name, cursor_secret) values ('gone', 'Gone', 'ws_gone', '\\x00')`);
  await sweepAnswers(sample.db);
  await store(5, '26 hours');
  expect(await sweepAnswers(sample.db)).toBe(5);
  await sample.own.rows(`delete from workspace_records.workspaces where slug = 'gone'`);
});

test('it ends when it is delivered to', async () => {
  await store(10, '25 hours 1 second');
  expect(await sweepAnswers(sample.db, () => true)).toBe(0);
});

test('deleted records go at the end of their time, and not before', async () => {
  const { rows } = sample.own;
  await rows(`insert into ws_sample._trash
      (table_name, record_id, content, revision, deleted_by_user_id, kept_until)
    select 'gadgets', gen_random_uuid(), '{}', 2, 1,
      now() + case when n <= 1500 then interval '-1 second' else interval '1 day' end
    from generate_series(1, 1503) n`);
  expect(await sweepTrash(sample.db)).toBe(1500);
  expect(await rows('select from ws_sample._trash')).toHaveLength(3);
});

test('expired rows of sign-ins are deleted, those in force stay', async () => {
  const { rows } = sample.own;
  const workspace = `(select id from workspace_records.workspaces where slug = 'sample')`;
  await rows(`insert into workspace_records.sessions
      (id, workspace_id, user_id, token_hash, method, last_used_at, expires_at, ended_at)
    select gen_random_uuid(), ${workspace}, 1, sha256(name::bytea), 'link', now() - used, now() + lasts,
      now() - ended
    from (values ('in force', '0'::interval, '90 days'::interval, null::interval),
      ('just ended', '0', '90 days', '6 days'), ('ended', '8 days', '80 days', '8 days'),
      ('unused', '22 days', '60 days', null), ('old', '1 day', '-8 days', null))
      as given (name, used, lasts, ended)`);
  await rows(`insert into workspace_records.sign_in_links
      (id, workspace_id, user_id, token_hash, expires_at)
    values (gen_random_uuid(), ${workspace}, 1, 'a', now() - interval '8 days'),
      (gen_random_uuid(), ${workspace}, 1, 'b', now() - interval '6 days')`);
  await rows(`insert into workspace_records.sign_in_attempts (subject, attempted_at)
    values ('a', array[now() - interval '16 minutes']), ('b', '{}'),
      ('c', array[now() - interval '16 minutes', now() - interval '14 minutes'])`);
  await rows(`insert into workspace_records.rate_windows (principal_id, window_start, requests)
    values (gen_random_uuid(), now() - interval '2 days', 1), (gen_random_uuid(), now(), 1)`);
  await rows(`insert into workspace_records.sign_in_attempts (subject, attempted_at)
    select ('many ' || n)::bytea, '{}' from generate_series(1, 1500) n`);
  expect(await pass()).toMatchObject({ sessions: 3, links: 1, attempts: 1502, windows: 1 });
  expect(await pass()).toMatchObject({ sessions: 0, links: 0, attempts: 0, windows: 0 });
});

/** The counts that a pass reports. */
async function pass(): Promise<Progress> {
  let counts: Progress = {};
  await sweeping(sample.db, NO_FILES).run(
    undefined as never,
    new AbortController().signal,
    async (progress) => {
      counts = progress;
    },
  );
  return counts;
}

test('an error in one workspace does not keep the others, nor the rest of a pass, from theirs', async () => {
  const { rows } = sample.own;
  await rows(`insert into workspace_records.workspaces
      (slug, name, schema_name, cursor_secret) values ('broken', 'Broken', 'ws_broken', '\\x00')`);
  await rows('create schema ws_broken');
  await rows('create table ws_broken._idempotency (other text)');
  await store(5, '27 hours');
  const before = await left();
  await rows(
    `insert into workspace_records.sign_in_attempts (subject, attempted_at) values ('d', '{}')`,
  );
  await expect(pass()).rejects.toThrow('api_key_id');
  expect(await left()).toBe(Number(before) - 5);
  const attempts = await rows('select from workspace_records.sign_in_attempts where subject = $1', [
    'd',
  ]);
  expect(attempts).toEqual([]);
});
