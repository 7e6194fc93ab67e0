// Requests that are under way while the definition changes: they are made for columns that may be gone.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyDefinition } from '../../src/definitions/apply/apply-definition.ts';
import {
  readGroups,
  readHits,
  readPage,
  readRecord,
} from '../../src/flow/records/read/read-flow.ts';
import { mergePatch } from '../../src/model/definition/definition.ts';
import { listOf, queryOf } from '../list-request.ts';
import { SAMPLE_DOCUMENT } from '../sample-definition.ts';
import { openSampleWorkspace, type SampleWorkspace } from '../sample-workspace.ts';

let sample: SampleWorkspace;

beforeAll(async () => {
  sample = await openSampleWorkspace();
});
afterAll(() => sample.own.drop());

const page = listOf({ fields: ['a_phone'], limit: 5 });
const groups = {
  query: queryOf({}),
  group_by: ['a_phone'],
  metrics: [{ name: 'n', op: 'count' as const }],
  order_by: undefined,
  limit: 5,
  cursor: undefined,
};

test('a read of a column that is gone can be sent again; one that fails for itself cannot', async () => {
  const { db, model } = sample;
  const context = { db, model, caller: sample.caller('anna') };
  const gadgets = sample.object('gadgets');
  const reads = [
    () => readPage(context, gadgets, page),
    () => readGroups(context, gadgets, groups),
    () => readRecord(context, gadgets, { id: sample.model.schema, fields: undefined }),
    () =>
      readRecord(context, gadgets, {
        id: '01900000-0000-7000-8000-00000000000a',
        fields: undefined,
      }),
  ];
  await sample.own.rows('alter table ws_sample.gadgets rename column a_phone to hidden');
  await expect(reads[0]?.()).rejects.toMatchObject({ code: '42703' });
  await sample.own.rows('alter table ws_sample.gadgets rename column hidden to a_phone');
  const patch = { objects: { gadgets: { fields: { a_phone: null } } } };
  await applyDefinition(db, 'sample', mergePatch(SAMPLE_DOCUMENT, patch), {
    allowDrop: ['gadgets.a_phone'],
  });
  const outcomes = await Promise.allSettled(reads.map((read) => read()));
  const codes = outcomes.map((outcome) => (outcome as PromiseRejectedResult).reason.code);
  expect(codes).toEqual([
    'service_unavailable',
    'service_unavailable',
    'record_not_found',
    'service_unavailable',
  ]);
  expect((await readHits(context, { text: 'nothing', limit: 5 })).rows).toEqual([]);
});
