// Imports of several files: in their order, with progress, problems and rejects of each; dry runs that know the rows of
// earlier files; refusals of the request.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { importing } from '../../src/import/import-job.ts';
import { LIMITS } from '../../src/limits.ts';
import { type Client, refusalOf } from '../client.ts';
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
  await world.database.rows('truncate ws_acme.companies, ws_acme.deals, ws_acme.boats cascade');
  await jobs.work(importing(world.database.db));
});
afterEach(async () => {
  await jobs.stop();
  expect(jobs.errors).toEqual([]);
});
afterAll(() => world.close());

const COMPANIES = { object_type: 'companies', match: ['name'] };
const company = { field: 'company_id', lookup: { object_type: 'companies', field: 'name' } };
/** Their company is required. */
const BOATS = { object_type: 'boats', match: ['name'], columns: { boat: 'name', company } };
const DEALS = { object_type: 'deals', match: ['code'] };
const NOTES = {
  comments_on: 'deals',
  columns: {
    deal: { field: 'record_id', lookup: { object_type: 'deals', field: 'code' } },
    no: 'id',
    text: 'body',
  },
};

type Given = readonly (readonly [text: string, mapping: object])[];

async function start(given: Given, body: object = {}, client = ada) {
  const files: object[] = [];
  for (const [text, mapping] of given) {
    files.push({ file_id: await sentFile(world, client, text), mapping });
  }
  return client.post('/imports', { files, ...body });
}

/** The job when it has ended. */
async function imported(given: Given, body: object = {}) {
  const { status, body: answer } = await start(given, body);
  expect(status, JSON.stringify(answer)).toBe(202);
  return jobs.ended(ada, answer.data.id);
}

const FILES: Given = [
  ['name,revenue\nA,1\nB,many\nC,3\n', COMPANIES],
  ['boat,company\nx,A\ny,B\nz,D\nw,C\n', BOATS],
];
const PROBLEMS = [
  { file: 1, line: 3, field: 'revenue', reason: 'The value must be a number.' },
  { file: 2, line: 3, field: 'company_id', reason: expect.stringContaining('"B"') },
  { file: 2, line: 4, field: 'company_id', reason: expect.stringContaining('"D"') },
];

test('files are imported in their order, and reported one by one', async () => {
  const job = await imported(FILES);
  expect(job).toMatchObject({
    ...{ state: 'done', error: null, progress: { done: 7, total: 7 } },
    about: { file_count: 2, dry_run: false },
    counts: { created: 4, rejected: 3 },
    files: [
      {
        ...{ object_type: 'companies', file_name: 'rows.csv' },
        ...{ progress: { done: 3, total: 3 }, counts: { created: 2, rejected: 1 } },
      },
      {
        object_type: 'boats',
        progress: { done: 4, total: 4 },
        counts: { created: 2, rejected: 2 },
      },
    ],
    problems: PROBLEMS,
  });
  expect(job.problem_groups.map(({ file }: { file: number }) => file)).toEqual([1, 2, 2]);
  const boats = await world.rows(
    'select name, (select c.name from companies c where c.id = company_id) as company from boats',
  );
  expect(boats).toEqual(
    expect.arrayContaining([
      { name: 'x', company: 'A' },
      { name: 'w', company: 'C' },
    ]),
  );
  const rejects = (file: string) =>
    call(world.port, `/v1/imports/${job.id}/rejects${file}`, { key: ada.secret });
  const [all, first, second, third, none] = await Promise.all(
    ['', '?file=1', '?file=2', '?file=3', '?file=0'].map(rejects),
  );
  expect(all?.text).toBe(
    '_line,_field,_reason,name,revenue\n3,revenue,The value must be a number.,B,many\n',
  );
  expect(first?.text).toBe(all?.text);
  expect(second?.text.split('\n').map((line) => line.split(',').at(-1))).toEqual([
    ...['company', 'B', 'D', ''],
  ]);
  expect([third?.status, third?.json.error.param]).toEqual([404, 'file']);
  expect([none?.status, none?.json.error.param]).toEqual([400, 'file']);
});

test('a dry run reports the same, and writes no row', async () => {
  const before = await world.digest();
  const dry = await imported(FILES, { dry_run: true });
  expect(dry).toMatchObject({ state: 'done', problems: PROBLEMS });
  const tables = ['companies', 'boats', 'comments', 'links'];
  for (const table of tables.slice(0, 2)) {
    expect(await world.rows(`select * from ${table}`)).toEqual([]);
  }
  expect(before).toBeTypeOf('string');
  const real = await imported(FILES);
  expect([dry.counts, dry.files.map(({ counts }: { counts: object }) => counts)]).toEqual([
    real.counts,
    real.files.map(({ counts }: { counts: object }) => counts),
  ]);
});

test.each([true, false])(
  'comments on records of the file before (dry run: %s)',
  async (dry_run) => {
    const job = await imported(
      [
        ['code,name,amount\nD1,One,1\nD2,Two,x\n', DEALS],
        ['deal,no,text\nD1,1,Hello\nD1,1,Hello\nD2,2,Lost\nD1,3,\n', NOTES],
      ],
      { dry_run },
    );
    expect(job.files.map(({ counts }: { counts: object }) => counts)).toMatchObject([
      { created: 1, rejected: 1 },
      { created: 1, unchanged: 1, rejected: 2 },
    ]);
  },
);

test.each([true, false])('records of one object in two files (dry run: %s)', async (dry_run) => {
  const job = await imported(
    [
      ['name,revenue\nA,1\nB,2\n', COMPANIES],
      ['name,revenue\nB,3\nB,4\nC,4\n', COMPANIES],
    ],
    { dry_run },
  );
  expect(job.counts).toMatchObject({ created: 3, updated: 2, rejected: 0 });
  // Doubles are rows of one file.
  const doubles = [{ file: 2, line: 3, first_line: 2, value: 'B' }];
  expect(job.doubles).toEqual(dry_run ? doubles : []);
});

test.each([true, false])(
  'values that must be unique in two files (dry run: %s)',
  async (dry_run) => {
    const deals = { object_type: 'deals' };
    const job = await imported(
      [
        ['name,code\nA,1\nB,2\n', deals],
        ['name,code\nC,1\nD,3\n', deals],
      ],
      { dry_run },
    );
    expect(job.files.map(({ counts }: { counts: object }) => counts)).toMatchObject([
      { created: 2, rejected: 0 },
      { created: 1, rejected: 1 },
    ]);
  },
);

test.each([true, false])('new records alone, of two files (dry run: %s)', async (dry_run) => {
  const files: Given = [
    ['name,revenue\nA,1\nA,2\n', COMPANIES],
    ['name,revenue\nA,3\nB,4\n', COMPANIES],
  ];
  const job = await imported(files, { dry_run, only_new: true });
  expect(job.counts).toMatchObject({ created: 2, updated: 0, skipped: 2, rejected: 0 });
});

test.each([true, false])('references by ids that a file brings (dry run: %s)', async (dry_run) => {
  const [known, unknown] = ['a', 'b'].map((end) => `01900000-0000-7000-8000-00000000000${end}`);
  const job = await imported(
    [
      [`id,name\n${known},A\n`, { object_type: 'companies' }],
      [`name,company_id\nx,${known}\ny,${unknown}\n`, { object_type: 'boats' }],
    ],
    { dry_run },
  );
  expect(job.files.map(({ counts }: { counts: object }) => counts)).toMatchObject([
    { created: 1, rejected: 0 },
    { created: 1, rejected: 1 },
  ]);
});

test('a later file that cannot be used is refused before anything is written', async () => {
  const job = await imported([
    ['name\nA\n', COMPANIES],
    ['boat,company\n"x,A\n', BOATS],
  ]);
  expect(job).toMatchObject({
    ...{ state: 'failed', counts: {}, files: [] },
    error:
      'rows.csv:2: the row has a quotation mark that is never closed; the file may be cut off.',
  });
  const unknown = await imported([
    ['name\nA\n', COMPANIES],
    ['name\nA\n', { ...COMPANIES, columns: { nam: 'name' } }],
  ]);
  expect(unknown.error).toContain('The mapping of rows.csv cannot be used:');
  expect(await world.rows('select * from companies')).toEqual([]);
});

test('the rows of all files count against the limit', async () => {
  await jobs.work(importing(world.database.db, 3));
  const two = (names: string): Given => [
    ['name\nA\nB\n', COMPANIES],
    [`name\n${names}`, COMPANIES],
  ];
  expect((await imported(two('C\n'))).state).toBe('done');
  const { error } = await imported(two('C\nD\n'));
  expect(error).toBe('The files have 4 rows; 3 can be imported at once.');
});

test('one that is cancelled in its second file has counted the rows it has written', async () => {
  const many = Array.from({ length: 4000 }, (_, index) => `N${index}`).join('\n');
  const { body } = await start([
    ['name\nA\n', COMPANIES],
    [`name\n${many}\n`, COMPANIES],
  ]);
  const { id } = body.data;
  const lines =
    'select count(*)::integer as done from workspace_records.import_lines where job_id = $1';
  await until(async () => Number((await world.database.rows(lines, [id]))[0]?.done) > 300);
  await ada.request('POST', `/jobs/${id}/cancel`);
  const { state, counts, files } = await jobs.ended(ada, id);
  const [row] = await world.rows('select count(*)::integer as created from companies');
  expect([state, counts.created]).toEqual(['cancelled', row?.created]);
  expect(files).toMatchObject([
    { counts: { created: 1 }, progress: { done: 1, total: 1 } },
    { counts: { created: counts.created - 1 }, progress: { total: 4000 } },
  ]);
});

describe('a request', () => {
  test.each([
    ['nothing', {}, [400, 'validation_failed', 'file_id']],
    ['no mapping', { file_id: 'x' }, [400, 'validation_failed', 'mapping']],
    ['no files', { files: [] }, [400, 'validation_failed', 'files']],
    [
      'both',
      { file_id: 'x', files: [{ file_id: 'x', mapping: COMPANIES }] },
      [400, 'validation_failed', 'files'],
    ],
    [
      'an unknown file',
      { files: [{ file_id: 'x', mapping: COMPANIES }] },
      [404, 'record_not_found', 'files[0].file_id'],
    ],
    [
      'rows of nothing',
      {
        files: [
          { file_id: 'x', mapping: COMPANIES },
          { file_id: 'x', mapping: {} },
        ],
      },
      [400, 'validation_failed', 'files[1].mapping.object_type'],
    ],
    [
      'comments where there are none',
      { files: [{ file_id: 'x', mapping: { comments_on: 'nowhere' } }] },
      [404, 'object_not_available', 'files[0].mapping.comments_on'],
    ],
  ] as const)('with %s is refused', async (_, body, expected) => {
    expect(refusalOf(await ada.post('/imports', body))).toEqual(expected);
  });

  test('has so many files and not one more', async () => {
    const file = { file_id: await sentFile(world, ada, 'name\nA\n'), mapping: COMPANIES };
    const most = Array.from({ length: LIMITS.importFiles }, () => file);
    expect((await ada.post('/imports', { files: most })).status).toBe(202);
    const refused = await ada.post('/imports', { files: [...most, file] });
    expect(refusalOf(refused)).toEqual([400, 'validation_failed', 'files']);
  });

  test('needs the scope for the rows of each file', async () => {
    const client = await world.as('ada', { scopes: ['records:read', 'records:write'] });
    const given: Given = [
      ['code,name\nD,D\n', DEALS],
      ['deal,no,text\nD,1,x\n', NOTES],
    ];
    expect(refusalOf(await start(given, {}, client))).toEqual([
      403,
      'insufficient_scope',
      undefined,
    ]);
  });
});
