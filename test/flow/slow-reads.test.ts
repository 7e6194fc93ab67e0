// Reads that take longer than they may: 503 as ever, with the fields that have no index; and reads whose clients have gone,
// also when they share a statement. Time is short here, and a lock makes all reads of the object slow.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readGroups, readPage } from '../../src/flow/records/read/read-flow.ts';
import type { Database } from '../../src/postgres/db.ts';
import { openDatabase } from '../../src/postgres/open-server.ts';
import { listOf, queryOf } from '../list-request.ts';
import { openSampleWorkspace, type SampleWorkspace } from '../sample-workspace.ts';

let sample: SampleWorkspace;
let hasty: Database;

beforeAll(async () => {
  sample = await openSampleWorkspace();
  const { connection } = sample.own;
  hasty = openDatabase({ connection, poolSize: 2, statementTimeout: 300 });
});
afterAll(async () => {
  await hasty?.close();
  await sample?.own.drop();
});

const told = (fields: string) =>
  `The query took too long. Fields without an index: ${fields}. Add a filter on an indexed field, ` +
  'or declare "indexed: true" in the definition.';
const above = (field: string) => ({ param: '', field, op: 'gte', value: 5, text: false }) as const;

test('fields without an index are named, once each, where there are any', async () => {
  const gadgets = sample.object('gadgets');
  const context = { db: hasty, model: sample.model, caller: sample.caller('anna') };
  const sort = [{ param: '', field: 'a_number', direction: 'desc' as const }];
  const filters = [above('a_number'), above('rating')];
  const groups = {
    ...{ group_by: ['a_text'], metrics: [{ name: 'n', op: 'count' as const }] },
    ...{ order_by: undefined, limit: 5, cursor: undefined },
  };
  await sample.db.transaction(async (tx) => {
    const text = 'lock table ws_sample.gadgets in access exclusive mode';
    await tx.query({ text, values: [] });
    const slow = (read: Promise<unknown>, message: string) =>
      expect(read).rejects.toMatchObject({
        ...{ code: 'service_unavailable', message, headers: { 'Retry-After': '1' } },
      });
    await slow(readPage(context, gadgets, listOf({ filters, sort })), told('"a_number", "rating"'));
    const counted = { ...listOf({ filters }), counted: true };
    await slow(readPage(context, gadgets, counted), told('"a_number", "rating"'));
    const asked = { ...groups, query: queryOf({ filters: [above('rating')] }) };
    await slow(readGroups(context, gadgets, asked), told('"rating"'));
    await slow(readPage(context, gadgets, listOf({})), 'The service is busy. Try again shortly.');
  });
});

test('a statement that requests share is cancelled with the last of them', async () => {
  const gadgets = sample.object('gadgets');
  const { connection, rows } = sample.own;
  const db = openDatabase({ connection, poolSize: 4, statementTimeout: 20_000, sharing: 'always' });
  const waiting = async () => {
    const [row] = await rows(
      `select count(*)::integer as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%gadgets%'`,
    );
    return Number(row?.count);
  };
  const clients = Array.from({ length: 6 }, () => new AbortController());
  try {
    await sample.db.transaction(async (tx) => {
      await tx.query({ text: 'lock table ws_sample.gadgets in access exclusive mode', values: [] });
      const reads = clients.map(({ signal }) => {
        const caller = sample.caller('anna');
        const context = { db, model: sample.model, caller, signal: () => signal };
        return readPage(context, gadgets, listOf({})).catch((error: Error) => error);
      });
      await expect.poll(waiting).toBeGreaterThan(0);
      const [last, ...others] = clients;
      for (const client of others) client.abort();
      await sleep(200);
      expect(await waiting()).toBe(1);
      last?.abort();
      await expect.poll(waiting, { timeout: 3000 }).toBe(0);
      for (const read of reads) expect(await read).toMatchObject({ code: 'service_unavailable' });
    });
  } finally {
    await db.close();
  }
});
