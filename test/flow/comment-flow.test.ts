// The statements of a comment: how often it queries the database, and its repetition when the definition it was
// validated by is no longer in force.

import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  markNotificationRead,
  readNotifications,
} from '../../src/flow/events/notification-flow.ts';
import { readComments } from '../../src/flow/records/comment-flow.ts';
import type { Answer } from '../../src/flow/records/idempotency.ts';
import { type Written, writeOnce, writeRecords } from '../../src/flow/records/write-flow.ts';
import type { WorkspaceModel } from '../../src/model/definition/model.ts';
import { openSampleWorkspace, type SampleWorkspace } from '../sample-workspace.ts';

let sample: SampleWorkspace;
let company: string;

/** By the requests alone: on a cluster the place of the workspace is queried meanwhile. */
const sent = { statements: 0, roundTrips: 0 };
const context = (over: { readonly model?: WorkspaceModel } = {}) => {
  return {
    db: sample.own.tenants.forTenant({ workspace: 1, principal: 'anna' }, sent),
    model: sample.model,
    caller: sample.caller('anna'),
    requestId: 'r',
    ...over,
  };
};
const companies = () => sample.object('companies');
const respond = ({ results }: Written) => {
  return { status: 201, body: results[0]?.comment, fields: [] };
};

function say(text: string, key?: string, over: { readonly model?: WorkspaceModel } = {}) {
  const { user } = sample.caller('anna');
  const fingerprint = createHash('sha256').update(text).digest();
  const comment = { action: 'comment', id: company, body: text } as const;
  const operations = [{ ...comment, mention_user_ids: [user.id] }];
  const request = { operations, source: 'api', batch: false, answered: [] } as const;
  if (key === undefined) return writeRecords(context(over), companies(), request);
  const once = { claim: { key, fingerprint }, respond };
  return writeOnce(context(over), companies(), request, once);
}

async function trips(run: () => Promise<unknown>): Promise<number> {
  const before = sent.roundTrips;
  await run();
  return sent.roundTrips - before;
}

const countOf = async (table: string) => {
  const [row] = await sample.own.rows(`select count(*) from ws_sample.${table}`);
  return Number(row?.count);
};

beforeAll(async () => {
  sample = await openSampleWorkspace();
});

beforeEach(async () => {
  const operations = [{ action: 'create', fields: { name: 'Talked about' } }] as const;
  const request = { operations, source: 'api', batch: false } as const;
  const { results } = await writeRecords(context(), companies(), request);
  company = results[0]?.id as string;
});

afterAll(() => sample?.own.drop());

describe('round trips', () => {
  test('a comment takes two, under a key three, whether it is new or stored', async () => {
    expect(await trips(() => say('one'))).toBe(2);
    expect(await trips(() => say('two', 'k'))).toBe(3);
    // Reading the stored answer, checking the right to read it, the end of the transaction.
    expect(await trips(() => say('two', 'k'))).toBe(3);
  });

  test('pages and marks take one', async () => {
    await say('one');
    const page = { id: company, order: 'asc', limit: 10, cursor: undefined } as const;
    expect(await trips(() => readComments(context(), companies(), page))).toBe(1);
    const asked = { unread: true, limit: 10, cursor: undefined };
    expect(await trips(() => readNotifications(context(), asked))).toBe(1);
    const [first] = (await readNotifications(context(), asked)).rows;
    expect(await trips(() => markNotificationRead(context(), String(first?.id)))).toBe(1);
  });

  test('impossible comments send no query', async () => {
    const unknown = { code: 'record_not_found' };
    const before = sample.own.stats.statements;
    await expect(markNotificationRead(context(), 'x')).rejects.toMatchObject(unknown);
    const nobody = { ...context(), caller: sample.caller('anna', []) };
    const asked = { unread: false, limit: 10, cursor: undefined };
    expect(sample.own.stats.statements).toBe(before);
    // Webhooks and jobs can notify a person who reads no object.
    expect((await readNotifications(nobody, asked)).rows).toEqual([]);
    await expect(markNotificationRead(nobody, company)).rejects.toMatchObject(unknown);
    expect(sample.own.stats.statements).toBe(before + 2);
  });
});

test('the answer has the id and the time under which the comment is read afterwards', async () => {
  const { body } = (await say('as it is', 'same')) as Answer;
  const page = { id: company, order: 'asc', limit: 10, cursor: undefined } as const;
  const { rows } = await readComments(context(), companies(), page);
  expect(rows).toMatchObject([body]);
  expect(body).toEqual({ id: expect.any(String), created_at: expect.any(String) });
});

test('a definition that is no longer in force: no row is left, the key is free', async () => {
  const tables = ['_comments', '_notifications', '_audit', '_idempotency'];
  const before = await Promise.all(tables.map(countOf));
  const model = { ...sample.model, revision: sample.model.revision - 1 };
  const late = { code: 'service_unavailable', headers: { 'Retry-After': '1' } };
  await expect(say('late', undefined, { model })).rejects.toMatchObject(late);
  await expect(say('late', 'late', { model })).rejects.toMatchObject(late);
  expect(await Promise.all(tables.map(countOf))).toEqual(before);
  expect(await say('in time', 'late')).toMatchObject({ status: 201 });
});
