// Erasures over HTTP: which records, who may, the report, and the traces that are left. That they survive the end of a
// process is in test/jobs, and the files of the database are searched in test/erased-words.nightly.test.ts.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { erasing } from '../../src/flow/jobs/erasure-job.ts';
import { type Client, refusalOf } from '../client.ts';
import { DEALS, leaveTraces, TRACED, type Traced, wordsInDump, wordsOf } from '../erased-traces.ts';
import { openWorldWith, type World } from '../world.ts';
import { openJobs } from './job-world.ts';

let world: World;
let ada: Client;
const jobs = openJobs(() => world);

beforeAll(async () => {
  world = await openWorldWith(TRACED);
  ada = await world.as('ada');
});
afterAll(async () => {
  await jobs.stop();
  await world?.close();
});

const ABSENT = '01900000-0000-7000-8000-0000000000aa';
const deal = (id: string) => ({ object_type: 'deals', id });

async function erased(records: readonly object[], more: object = {}, client = ada) {
  const answer = await client.post('/erasures', { records, ...more });
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  await jobs.work(erasing(world.database.db, { pause: 0 }));
  const ended = await jobs.ended(client, answer.body.data.id);
  await jobs.stop();
  expect(jobs.errors).toEqual([]);
  return ended;
}

const traces = () => leaveTraces({ world, ada });

/** The counts of an erasure of one deal with all its traces. */
const FOUND = {
  ...{
    records: 1,
    trash: 0,
    history: 4,
    comments: 2,
    attachments: 3,
    links: 1,
    status_requests: 2,
  },
  ...{ stored_answers: 13, deliveries: 1, refusals: 1, files: 3, rejected_rows: 2 },
  ...{ search_words: 0, refused: 0 },
};

async function expectGone(deals: readonly Traced[]): Promise<void> {
  expect(await wordsInDump(world.database, wordsOf(deals))).toEqual(new Map());
}

test('a dry run counts what an erasure removes, and changes nothing', async () => {
  const one = await traces();
  const before = await world.digest();
  const dry = await erased([deal(one.id)], { dry_run: true });
  expect(dry).toMatchObject({ state: 'done', counts: FOUND, about: { dry_run: true } });
  expect(dry.notes).toEqual([
    expect.stringMatching(/^File of an import: /),
    ...[1, 2].map(() => expect.stringMatching(/^File of an export: /)),
  ]);
  const [stored] = await world.rows(
    `select count(*) as rows from _audit where action in ('erase', 'delete') and record_id = $1`,
    [one.id],
  );
  expect(Number(stored?.rows)).toBe(0);
  // Its job has an audit row.
  await world.rows(`delete from _audit where subject_type = 'erasure'`);
  expect(await world.digest()).toBe(before);
  const real = await erased([deal(one.id)]);
  // The request of the dry run is one more.
  const counts = { ...dry.counts, job_requests: dry.counts.job_requests + 1 };
  expect(real).toMatchObject({ state: 'done', counts, notes: [] });
  await expectGone([one]);
});

test('records that exist, that are in the trash, and that are gone lose every trace', async () => {
  const [live, trashed, gone] = [await traces(), await traces(), await traces()];
  for (const { id } of [trashed, gone]) await ada.delete(`${DEALS}/${id}`);
  await ada.delete(`/objects/deals/deleted/${gone.id}`);
  const all = [live, trashed, gone];
  const left = await wordsInDump(world.database, wordsOf(all));
  expect(left.size).toBeGreaterThan(20);
  const { counts } = await erased(all.map(({ id }) => deal(id)));
  expect(counts).toMatchObject({ records: 1, trash: 1, comments: 4, links: 2, stored_answers: 39 });
  await expectGone(all);
  for (const { id } of all) {
    expect((await ada.get(`${DEALS}/${id}`)).status).toBe(404);
    const restored = await ada.post(`/objects/deals/deleted/${id}/restore`, undefined);
    expect(restored.status).toBe(404);
    const rows = await world.rows(
      `select action, changed_fields from _audit where record_id = $1 order by id desc limit 2`,
      [id],
    );
    expect(rows[0]).toEqual({ action: 'erase', changed_fields: [] });
  }
});

test('records that were merged into an erased one lose every trace as well', async () => {
  const [kept, merged] = [await traces(), await traces()];
  const { body } = await ada.get(`${DEALS}/${merged.id}`);
  const from = [{ id: merged.id, expected_version: body.data.version }];
  const answer = await ada.post(`${DEALS}/${kept.id}/merge`, { from });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  expect((await erased([deal(kept.id)])).state).toBe('done');
  await expectGone([kept, merged]);
});

test('a key of an erased record writes nothing again', async () => {
  const one = await traces();
  await erased([deal(one.id)]);
  const before = await world.rows('select count(*) as rows from deals');
  const answer = await one.again();
  expect(refusalOf(answer)).toEqual([404, 'record_not_found', undefined]);
  expect(await world.rows('select count(*) as rows from deals')).toEqual(before);
});

test('readers of changes hear of it, with a revision of its own', async () => {
  const start = (await ada.get('/changes')).body.pagination.next_cursor;
  const one = await traces();
  await ada.delete(`${DEALS}/${one.id}`);
  await erased([deal(one.id)]);
  const { body } = await ada.get(`/changes?cursor=${start}&type=record.*&object_type=deals`);
  const own = body.data.filter((event: { record_id: string }) => event.record_id === one.id);
  const [deletion, erasure] = own.slice(-2);
  expect([deletion.type, erasure.type]).toEqual(['record.deleted', 'record.erased']);
  expect(erasure.revision).toBe(deletion.revision + 1);
  expect(erasure).toMatchObject({ changed_fields: [], source: 'bulk' });
});

test('records that others require are refused, unless these are erased as well', async () => {
  const company = async () =>
    (await ada.post('/objects/companies/records', { fields: { name: 'Harbour' } })).body.data.id;
  const boat = async (company_id: string) =>
    (await ada.post('/objects/boats/records', { fields: { name: 'Tied', company_id } })).body.data
      .id;
  const runs = async (records: readonly object[]) => [
    await erased(records, { dry_run: true }),
    await erased(records),
  ];
  const files = () => world.database.rows('select id from workspace_records.files order by id');
  await traces();
  const before = await files();
  expect(before).toHaveLength(3);
  const kept = await company();
  await boat(kept);
  for (const run of await runs([{ object_type: 'companies', id: kept }])) {
    expect(run).toMatchObject({
      ...{ state: 'done', counts: { records: 0, files: 0, refused: 1 }, notes: [] },
      problems: [{ record_id: kept, reason: 'Other records require this one: 1 boats.' }],
    });
    expect(run.progress.done).toBe(run.progress.total);
  }
  expect((await ada.get(`/objects/companies/records/${kept}`)).status).toBe(200);
  // No record was erased, so nothing else was either.
  expect(await files()).toEqual(before);
  const harbour = await company();
  const tied = await boat(harbour);
  const both = [
    { object_type: 'companies', id: harbour },
    { object_type: 'companies', id: kept },
    { object_type: 'boats', id: tied },
  ];
  for (const { counts, problems } of await runs(both)) {
    expect(counts).toMatchObject({ records: 2, refused: 1 });
    expect(problems).toMatchObject([{ record_id: kept }]);
  }
});

test('objects whose records cannot be deleted over HTTP lose erased ones as well', async () => {
  const { body } = await ada.post('/objects/readings/records', { fields: { value: 5 } });
  const { id } = body.data;
  expect((await ada.delete(`/objects/readings/records/${id}`)).status).toBe(403);
  const done = await erased([{ object_type: 'readings', id }]);
  expect(done).toMatchObject({ counts: { records: 1, refused: 0 } });
  expect((await ada.get(`/objects/readings/records/${id}`)).status).toBe(404);
});

test('words that no record has any longer leave the search index', async () => {
  await world.database.rows(
    `insert into ws_acme._search_words (variant, word) values ('orphaned', 'orphaned'), ('orphane', 'orphaned')`,
  );
  const { counts } = await erased([deal(ABSENT)]);
  expect(counts.search_words).toBe(2);
  expect(await world.rows(`select word from _search_words where word = 'orphaned'`)).toEqual([]);
});

test('only administrators, with both scopes, whose sign-in is fresh', async () => {
  const body = { records: [deal(ABSENT)] };
  const mia = await world.as('mia');
  expect(refusalOf(await mia.post('/erasures', body))).toEqual([
    403,
    'permission_denied',
    undefined,
  ]);
  const writer = await world.as('ada', { scopes: ['workspace:write'] });
  const lacking = await writer.post('/erasures', body);
  expect(refusalOf(lacking)).toEqual([403, 'insufficient_scope', 'records']);
  const deleter = await world.as('ada', { scopes: ['records:delete', 'records:write'] });
  expect((await deleter.post('/erasures', body)).status).toBe(403);
  const session = await world.inSession('ada');
  await world.database.rows(
    `update workspace_records.sessions set created_at = now() - interval '31 minutes' where id = $1`,
    [session.sessionId],
  );
  const stale = await session.post('/erasures', body);
  expect(refusalOf(stale)).toEqual([403, 'fresh_sign_in_required', undefined]);
});

test('names that are none are refused before a job is made', async () => {
  const sent = async (records: unknown) => refusalOf(await ada.post('/erasures', { records }));
  expect(await sent([deal('x')])).toEqual([400, 'validation_failed', 'records[0].id']);
  expect(await sent([deal(ABSENT), { object_type: 'nope', id: ABSENT }])).toEqual([
    404,
    'object_not_available',
    'records[1].object_type',
  ]);
  expect(await sent([])).toEqual([400, 'validation_failed', 'records']);
});

test('an author who is no administrator any longer ends the job before anything is removed', async () => {
  const one = await traces();
  const { body } = await ada.post('/erasures', { records: [deal(one.id)] });
  await world.database.rows(`update ws_acme._users set roles = '{rep}' where id = $1`, [
    world.users.ada,
  ]);
  await jobs.work(erasing(world.database.db, { pause: 0 }));
  const zed = await world.as('bot');
  const ended = await jobs.ended(zed, body.data.id);
  await jobs.stop();
  await world.database.rows(`update ws_acme._users set roles = '{admin}' where id = $1`, [
    world.users.ada,
  ]);
  expect(ended).toMatchObject({ state: 'failed', error: expect.stringContaining('no longer') });
  expect(await world.rows('select id from deals where id = $1', [one.id])).toHaveLength(1);
});
