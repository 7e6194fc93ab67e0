// Erasures at the same moment as writes and restores of the same record: whichever comes first, no trace is left.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { countHolders } from '../../src/control/stored/erased-rows.ts';
import { erasing } from '../../src/flow/jobs/erasure-job.ts';
import type { Client } from '../client.ts';
import { DEALS, TRACED, workAt } from '../erased-traces.ts';
import { timesOf } from '../until.ts';
import { openWorldWith, type World } from '../world.ts';

const ROUNDS = timesOf(6);

let world: World;
let ada: Client;

beforeAll(async () => {
  world = await openWorldWith(TRACED);
  ada = await world.as('ada');
});
afterAll(() => world?.close());

async function erase(id: string): Promise<void> {
  const { body } = await ada.post('/erasures', { records: [{ object_type: 'deals', id }] });
  const { db } = world.database;
  await workAt(db, erasing(db, { pause: 0 }), body.data.id);
}

async function made(): Promise<string> {
  const { body } = await ada.post(DEALS, { fields: { name: 'Raced' } });
  return body.data.id;
}

const TABLES = ['deals', '_trash', '_history', '_comments', '_search'];

async function expectGone(id: string): Promise<void> {
  for (const table of TABLES) {
    const key = table === 'deals' ? 'id' : 'record_id';
    expect(await world.rows(`select from ${table} where ${key} = $1`, [id]), table).toEqual([]);
  }
  const erased = `select from _audit where record_id = $1 and action = 'erase'`;
  expect(await world.rows(erased, [id])).toHaveLength(1);
}

test('writes and comments of a record that is being erased', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const id = await made();
    const writes = Array.from({ length: 6 }, (_, at) =>
      at % 2 === 0
        ? ada.patch(
            `${DEALS}/${id}`,
            { fields: { amount: at } },
            { 'idempotency-key': `${id}${at}` },
          )
        : ada.post(`${DEALS}/${id}/comments`, { body: 'Said' }),
    );
    await Promise.all([erase(id), ...writes]);
    await expectGone(id);
    const kept = `select from _idempotency where $1::uuid = any(record_ids) and body::text <> 'null'`;
    expect(await world.rows(kept, [id])).toEqual([]);
  }
});

test('an export that began while the record was there is waited for, whenever it was requested', async () => {
  const [workspace] = await world.database.rows('select id from workspace_records.workspaces');
  const workspace_id = Number(workspace?.id);
  await world.database.rows(
    `insert into workspace_records.jobs (id, workspace_id, kind, state, lease_holder, lease_until, started_at)
      values ('ffffffff-0000-7000-8000-000000000000', $1, 'export', 'running', 'x', now(), '2026-02-01')`,
    [workspace_id],
  );
  const erasure = { workspace_id, id: '01900000-0000-7000-8000-0000000000aa' };
  const { db } = world.database;
  expect(await countHolders(db, erasure, '2026-02-02')).toBe(1);
  expect(await countHolders(db, erasure, '2026-01-31')).toBe(0);
  await world.database.rows("delete from workspace_records.jobs where lease_holder = 'x'");
});

test('restores of a deleted record that is being erased', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const id = await made();
    await ada.delete(`${DEALS}/${id}`);
    const restores = [0, 15, 30].map(async (pause) => {
      await new Promise((done) => setTimeout(done, pause));
      return ada.post(`/objects/deals/deleted/${id}/restore`, undefined);
    });
    await Promise.all([erase(id), ...restores]);
    await expectGone(id);
  }
});
