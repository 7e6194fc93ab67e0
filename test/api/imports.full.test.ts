// Imports over HTTP: files, jobs, rejects that are mended and imported again, rights that go, processes that die.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { importing } from '../../src/import/import-job.ts';
import type { Answer, Client } from '../client.ts';
import { call } from '../http-client.ts';
import { until } from '../until.ts';
import { openWorld, type World } from '../world.ts';
import { openJobs, sentFile } from './job-world.ts';

let world: World;
let ada: Client;
const jobs = openJobs(() => world);

beforeAll(async () => {
  world = await openWorld();
  ada = await world.as('ada');
});
beforeEach(async () => {
  await world.database.rows('truncate ws_acme.companies, ws_acme.deals cascade');
  await jobs.work(importing(world.database.db));
});
afterEach(async () => {
  await jobs.stop();
  expect(jobs.errors).toEqual([]);
});
afterAll(() => world.close());

async function start(file_id: string, body: object = {}, client = ada): Promise<Answer> {
  const mapping = { object_type: 'companies', match: ['name'] };
  return client.post('/imports', { file_id, mapping, ...body });
}

/** Import a file; the job when it has ended. */
async function imported(text: string, body: object = {}, type?: string) {
  const { status, body: answer } = await start(await sentFile(world, ada, text, type), body);
  expect(status, JSON.stringify(answer)).toBe(202);
  return jobs.ended(ada, answer.data.id);
}

const names = async () =>
  (await world.rows('select name from companies order by name')).map(({ name }) => name);
const rejects = (id: string, client = ada) =>
  call(world.port, `/v1/imports/${id}/rejects`, { key: client.secret });

describe('an import', () => {
  test('makes records, says what was wrong with rows, and these can be mended', async () => {
    const job = await imported('name,revenue,extra\nA,1,x\n=B,many,"y,z"\nC,3,\n', {
      mapping: {
        object_type: 'companies',
        match: ['name'],
        columns: { name: 'name', revenue: 'revenue' },
      },
    });
    expect(job).toMatchObject({
      ...{ kind: 'import', state: 'done', asked_by_user_id: world.users.ada, error: null },
      about: { object_type: 'companies', file_name: 'rows.csv', dry_run: false },
      progress: { done: 3, total: 3 },
      counts: { created: 2, updated: 0, unchanged: 0, rejected: 1 },
      notes: ['Not imported: extra.'],
      problems: [{ line: 3, field: 'revenue', reason: 'The value must be a number.' }],
      more_problems: false,
    });
    expect(job.files).toMatchObject([
      { mapping: { match: ['name'], columns: { revenue: 'revenue' } } },
    ]);
    expect(await names()).toEqual(['A', 'C']);
    const { status, headers, text } = await rejects(job.id);
    expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(headers['content-disposition']).toBe(`attachment; filename="rejects-${job.id}.csv"`);
    expect(text).toBe(
      `_line,_field,_reason,name,revenue,extra\n3,revenue,The value must be a number.,'=B,many,"y,z"\n`,
    );
    const mended = await imported(text.replace('many', '2'), {
      mapping: { object_type: 'companies', columns: { name: 'name', revenue: 'revenue' } },
    });
    expect(mended).toMatchObject({ counts: { created: 1, rejected: 0 } });
    expect(await names()).toEqual(['=B', 'A', 'C']);
    const [row] = await world.rows(`select revenue from companies where name = '=B'`);
    expect(row).toEqual({ revenue: 2 });
  });

  test('lists the values without which it has written rows, also those of an earlier attempt', async () => {
    const rows = Array.from({ length: 300 }, (_, at) => `C${at},v${at % 3}`).join('\n');
    const mapping = {
      ...{ object_type: 'companies', match: ['name'], unfit_values: 'leave_out' },
      columns: { name: 'name', revenue: 'revenue' },
    };
    const expected = [{ field: 'revenue', values: 300, names: ['v0', 'v1', 'v2'] }];
    const job = await imported(`name,revenue\n${rows}\n`, { mapping });
    expect(job).toMatchObject({ counts: { created: 300 }, emptied_values: expected });
    const again = 'update workspace_records.jobs set state = $2, finished_at = null where id = $1';
    await world.database.rows(again, [job.id, 'queued']);
    const repeated = await jobs.ended(ada, job.id);
    expect(repeated).toMatchObject({ counts: { created: 300 }, emptied_values: expected });
  });

  test('rejects rows whose replacements multiply, and costs little', async () => {
    const replace = [...'abcdefghij'].map((text) => ({
      text,
      with: String.fromCharCode(text.charCodeAt(0) + 1).repeat(500),
    }));
    const rows = `name\n${'a\n'.repeat(500)}`;
    const columns = { name: { field: 'name', replace } };
    const before = process.memoryUsage.rss();
    const job = await imported(rows, { mapping: { object_type: 'companies', columns } });
    expect(process.memoryUsage.rss() - before).toBeLessThan(500_000_000);
    expect(job.counts).toMatchObject({ created: 0, rejected: 500 });
    const reason = 'The value must not be longer than 500 characters.';
    expect(job.problems[0]).toMatchObject({ line: 2, field: 'name', reason });
  });

  test('of a file as a spreadsheet leaves it', async () => {
    const text = 'sep=;\r\nname;revenue;\r\nA;1;\r\n;;\r\nB;2\r\n';
    const job = await imported(text, { mapping: { object_type: 'companies' } });
    expect(job).toMatchObject({ state: 'done', counts: { created: 2, rejected: 0, blank: 1 } });
    expect(job.progress).toEqual({ done: 3, total: 3 });
    expect(await names()).toEqual(['A', 'B']);
  });

  test('counts the problems that many rows have, and shows values to the author', async () => {
    const job = await imported('name,revenue\nA,many\nB,some\nC,1\n', {
      mapping: { object_type: 'companies' },
    });
    const group = { field: 'revenue', rows: 2, line: 2, reason: 'The value must be a number.' };
    expect(job.problem_groups).toEqual([{ ...group, example: 'many' }]);
    const bot = await world.as('bot');
    const other = await bot.get(`/jobs/${job.id}`);
    expect(other.body.data.problem_groups).toEqual([group]);
  });

  test('of JSON lines gives JSON lines back, those that were none as well', async () => {
    const job = await imported(
      '{"name":"A"}\noops\n{"name":"B","revenue":"x","score":12345678901234567890}\n',
      { mapping: { object_type: 'companies' } },
      'application/x-ndjson',
    );
    expect(job.counts).toMatchObject({ created: 1, rejected: 2 });
    const { headers, text } = await rejects(job.id);
    expect(headers['content-type']).toBe('application/x-ndjson');
    const lines = text.split('\n').slice(0, -1);
    expect(JSON.parse(lines[0] as string)).toEqual({
      ...{ _line: 2, _field: '', _reason: 'The line is not valid JSON.', _row: 'oops' },
    });
    expect(lines[1]).toContain('"name":"B","revenue":"x","score":12345678901234567890}');
    const again = await imported(
      text,
      { mapping: { object_type: 'companies' } },
      'application/jsonl',
    );
    expect(again.counts).toMatchObject({ created: 0, rejected: 2 });
    expect(again.problems[0]).toMatchObject({
      reason: expect.stringContaining('is not corrected yet'),
    });
    const second = (await rejects(again.id)).text.split('\n')[1] as string;
    expect(second).toContain('"score":12345678901234567890,"_line":2,');
    expect(JSON.parse(second)).toMatchObject({ _line: 2, name: 'B' });
  });

  test('continues with the new definition when it changes meanwhile', async () => {
    const count = 3000;
    const lines = Array.from({ length: count }, (_, at) => `Company ${at}`).join('\n');
    const { body } = await start(await sentFile(world, ada, `name\n${lines}\n`));
    const { id } = body.data;
    let isEnded = false;
    const ended = jobs.ended(ada, id).finally(() => {
      isEnded = true;
    });
    for (let at = 0; !isEnded; at += 1) {
      expect((await ada.patch('/roles/rep', { name: `Rep ${at}` })).status).toBe(200);
    }
    expect(await ended).toMatchObject({
      ...{ state: 'done', error: null },
      counts: { created: count, rejected: 0 },
    });
    const [row] = await world.rows('select count(*)::integer as count from companies');
    expect(row).toEqual({ count });
    const failures = 'select failures from workspace_records.jobs where id = $1';
    expect(await world.database.rows(failures, [id])).toEqual([{ failures: 0 }]);
  });

  test('names rows and values only to callers who may read records', async () => {
    const { id } = await imported('name,revenue\nA,secret\n');
    const looker = await world.as('ada', { scopes: ['workspace:read'] });
    const { body } = await looker.get(`/jobs/${id}`);
    expect(body.data).toMatchObject({
      ...{ counts: { rejected: 1 }, problems: [], problem_groups: [], more_problems: true },
    });
    const reader = await world.as('ada', { scopes: ['workspace:read', 'records:read'] });
    const told = (await reader.get(`/jobs/${id}`)).body.data;
    expect([told.problems, told.problem_groups].map(({ length }) => length)).toEqual([1, 1]);
  });

  test('of a file with characters that cannot be stored ends, and quotes it without them', async () => {
    const rows = '{"name":"A","revenue":"a\\u0000b"}\n{"name":"B","a\\ud83d":1}\n';
    const mapping = { object_type: 'companies' };
    const job = await imported(rows, { mapping }, 'application/jsonl');
    expect(job).toMatchObject({ state: 'done', counts: { rejected: 2 }, error: null });
    expect(job.problem_groups).toMatchObject([
      { field: 'revenue', example: 'a\uFFFDb' },
      { field: 'a\uFFFD', example: '1' },
    ]);
  });

  test('leaves rows of the audit that name the author, and a dry run leaves none', async () => {
    const auditor = await world.as('ada', { scopes: ['audit:read'] });
    const dry = await imported('name\nA\nA\n', { dry_run: true });
    expect(dry.counts).toMatchObject({ created: 1, updated: 1, rejected: 0 });
    expect(await names()).toEqual([]);
    const job = await imported('name\nA\n');
    const { body } = await auditor.get('/audit?limit=2');
    const [record, asked] = body.data;
    expect(asked).toMatchObject({
      ...{ subject_type: 'import', subject_id: job.id, action: 'create', source: 'api' },
      changed_fields: ['file_id', 'mapping'],
    });
    expect(record).toMatchObject({ object_type: 'companies', action: 'create', source: 'import' });
    expect(record.request_id).toBe(asked.request_id);
    expect(record.user).toEqual(asked.user);
    const rows = (await auditor.get(`/audit?subject_id=${dry.id}`)).body.data;
    expect(rows).toHaveLength(1);
  });

  test('of comments', async () => {
    const { body } = await ada.post('/objects/deals/records', {
      fields: { name: 'D', code: 'C1' },
    });
    const mapping = {
      comments_on: 'deals',
      columns: {
        deal: { field: 'record_id', lookup: { object_type: 'deals', field: 'code' } },
        no: 'id',
        text: 'body',
      },
    };
    const job = await imported('deal,no,text\nC1,1,Hello\nC2,2,Bye\nC1,3,\n', { mapping });
    expect(job.counts).toMatchObject({ created: 1, rejected: 2 });
    const comments = await ada.get(`/objects/deals/records/${body.data.id}/comments`);
    expect(comments.body.data).toMatchObject([{ body: 'Hello' }]);
  });

  test('with an unusable file has failed, with the message of the command', async () => {
    const quoted = await imported('name\n"A\n');
    expect(quoted).toMatchObject({
      ...{ state: 'failed', counts: {} },
      error:
        'rows.csv:2: the row has a quotation mark that is never closed; the file may be cut off.',
    });
    const unknown = await imported('name,nam\nA,B\n');
    expect(unknown.error).toBe(
      'The mapping cannot be used:\n  columns.nam: there is no field of companies "nam"; did you mean "name"?',
    );
    expect((await rejects(quoted.id)).json.error.code).toBe('record_not_found');
    await jobs.work(importing(world.database.db, 2));
    const long = await imported('name\nA\nB\nC\n');
    expect(long.error).toBe('The file has 3 rows; 2 can be imported at once.');
    expect(await names()).toEqual([]);
    expect((await imported('name\nA\nB\n')).state).toBe('done');
  });

  test('that is cancelled has counted the rows it has written', async () => {
    const rows = Array.from({ length: 4000 }, (_, index) => `N${index},${index % 50 ? 1 : 'x'}`);
    const sent = await sentFile(world, ada, `name,revenue\n${rows.join('\n')}\n`);
    const { body } = await start(sent, { mapping: { object_type: 'companies' } });
    const { id } = body.data;
    const lines = `select count(*)::integer as done from workspace_records.import_lines where job_id = $1`;
    await until(async () => Number((await world.database.rows(lines, [id]))[0]?.done) > 300);
    await ada.request('POST', `/jobs/${id}/cancel`);
    const { state, counts, progress } = await jobs.ended(ada, id);
    const rejected = (await rejects(id)).text.trim().split('\n').length - 1;
    const created = (await names()).length;
    expect(created).toBeLessThan(3920);
    expect(state).toBe('cancelled');
    expect(counts).toMatchObject({ created, rejected, updated: 0, unchanged: 0 });
    expect(progress).toEqual({ done: created + rejected, total: 4000 });
  });

  test('is cancelled before it begins, by its author, and once', async () => {
    await jobs.stop();
    const { body } = await start(await sentFile(world, ada, 'name\nA\n'));
    const { id } = body.data;
    const path = `/jobs/${id}/cancel`;
    const answer = await ada.request('POST', path);
    expect([answer.status, answer.body.data.state]).toEqual([200, 'cancelled']);
    expect((await ada.request('POST', path)).body.data.finished_at).toBe(
      answer.body.data.finished_at,
    );
    const auditor = await world.as('ada', { scopes: ['audit:read'] });
    expect((await auditor.get(`/audit?subject_id=${id}&action=cancel`)).body.data).toHaveLength(1);
    await jobs.work(importing(world.database.db));
    expect((await imported('name\nB\n')).state).toBe('done');
    expect(await names()).toEqual(['B']);
  });
});
