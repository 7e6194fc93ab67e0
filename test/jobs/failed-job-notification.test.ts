// A job that fails for good notifies the person who started it, once; one that is tried again or cancelled does not.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JobKind } from '../../src/control/jobs/job-lease.ts';
import { appendJob, requestCancel } from '../../src/control/jobs/jobs.ts';
import { ApiError } from '../../src/errors.ts';
import { type JobRunner, startJobs } from '../../src/flow/jobs/job-runner.ts';
import { until } from '../until.ts';
import { openWorld, type World } from '../world.ts';

let world: World;
let runner: JobRunner | undefined;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(async () => {
  await runner?.stop();
  await world?.close();
});

const REFUSED = new ApiError('invalid_write', { message: { id: 'test', text: 'canary' } });

async function run(kind: string, work: JobKind['run']): Promise<string> {
  const { db, listeners } = world.database;
  await runner?.stop();
  runner = await startJobs({
    ...{ db, listeners, kinds: [{ kind, run: work }], poll: 10 },
    onError: () => undefined,
  });
  const asked = { workspace_id: 1, asked_by_user_id: world.users.rob };
  return (await appendJob(db, { kind, ...asked })) as string;
}

const stateOf = async (id: string) =>
  (await world.database.rows('select state from workspace_records.jobs where id = $1', [id]))[0]
    ?.state;

async function toldOf(id: string) {
  const { body } = await (await world.as('rob')).get('/notifications');
  return body.data.filter((one: { readonly job_id?: string }) => one.job_id === id);
}

test('a refusal notifies its author at once, without the reason', async () => {
  const id = await run('import', () => Promise.reject(REFUSED));
  await until(async () => (await stateOf(id)) === 'failed');
  const told = await toldOf(id);
  expect(told).toEqual([
    {
      ...{ id, kind: 'job_failed', job_id: id, object_type: null, record_id: null },
      ...{ comment_id: null, author: { kind: 'user', id: null, name: null } },
      ...{ created_at: expect.any(String), read_at: null },
    },
  ]);
  const rob = await world.as('rob');
  const read = await rob.request('POST', `/notifications/${id}/read`);
  expect([read.status, read.body.data.read_at === null]).toEqual([200, false]);
  const { body } = await (await world.as('mia')).get('/notifications');
  expect(body.data).toEqual([]);
});

test('an attempt that is repeated, and a job that is cancelled, notify nobody', async () => {
  let attempts = 0;
  const again = await run('export', async () => {
    attempts += 1;
    throw new Error('away');
  });
  await until(() => attempts > 0);
  await until(async () => (await stateOf(again)) === 'queued');
  const ending = await run('bulk', (_, signal) => {
    return new Promise((__, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason)),
    );
  });
  await until(async () => (await stateOf(ending)) === 'running');
  await requestCancel(world.database.db, ending);
  await until(async () => (await stateOf(ending)) === 'cancelled');
  expect([await toldOf(again), await toldOf(ending)]).toEqual([[], []]);
});
