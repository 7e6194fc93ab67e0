// The sweeper stores that requests have expired, in portions and in every workspace; pending ones stay.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { expireRequests } from '../../src/flow/jobs/sweeper.ts';
import { openWorld, type World } from '../world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.close());

const put = (schema: string, count: number, expires: string) =>
  world.database.rows(
    `insert into ${schema}._status_requests (id, object_type, record_id, workflow_id, from_status,
      to_status, record_revision, requested_by, expires_at)
      select gen_random_uuid(), 'deals', gen_random_uuid(), 'pipeline', 'lost', 'won', 1, 1,
        now() + $2::interval from generate_series(1, $1)`,
    [count, expires],
  );

test('overdue requests expire, at the time that they had', async () => {
  await put('ws_acme', 1500, '-1 hour');
  await put('ws_acme', 3, '1 hour');
  await put('ws_globex', 2, '-1 minute');
  expect(await expireRequests(world.database.db)).toBe(1502);
  const rows = await world.database.rows(
    `select state, count(*)::integer as count, bool_and(decided_at = expires_at) as at_once
      from ws_acme._status_requests group by state order by state`,
  );
  expect(rows).toEqual([
    { state: 'expired', count: 1500, at_once: true },
    { state: 'pending', count: 3, at_once: null },
  ]);
  expect(await expireRequests(world.database.db)).toBe(0);
});
