// Reads that take longer than they may: 503 as ever, with the fields that have no index. Time is short here, and a lock
// makes all reads of the object slow.

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
