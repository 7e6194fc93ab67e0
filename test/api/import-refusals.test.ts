// Refusals of files, imports and jobs, the rights to each, and rights that end while a job works.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { importing } from '../../src/import/import-job.ts';
import { LIMITS } from '../../src/limits.ts';
import { type Database, wrapDatabase } from '../../src/postgres/db.ts';
import type { Answer, Client } from '../client.ts';
import { call } from '../http-client.ts';
import { openWorld, type World } from '../world.ts';
import { openJobs, sendFile, sentFile } from './job-world.ts';

let world: World;
let ada: Client;
let bot: Client;
let mia: Client;
const jobs = openJobs(() => world);
const UNKNOWN = '01900000-0000-7000-8000-00000000000a';

beforeAll(async () => {
  world = await openWorld();
  ada = await world.as('ada');
  bot = await world.as('bot');
  mia = await world.as('mia');
});
afterEach(() => jobs.stop());
afterAll(() => world.close());

const start = (client: Client, file_id: string, body: object = {}) =>
  client.post('/imports', { file_id, mapping: { object_type: 'companies' }, ...body });
const refusal = ({ status, body }: Pick<Answer, 'status' | 'body'>) => [
  status,
  body.error.code,
  body.error.param,
];
const all = () => world.digest();

describe('a file', () => {
  test('is kept for a day', async () => {
    const { json, status } = await sendFile(world, ada, 'name\nA\n');
    expect([status, json.data]).toMatchObject([
      201,
      { name: 'rows.csv', format: 'csv', bytes: 7, id: expect.any(String) },
    ]);
    const kept = Date.parse(json.data.expires_at) - Date.parse(json.data.created_at);
    expect(kept).toBe(24 * 3600_000);
    const expire = 'update workspace_records.files set expires_at = now() where id = $1';
    await world.database.rows(expire, [json.data.id]);
    expect(refusal(await start(ada, json.data.id))).toEqual([404, 'record_not_found', 'file_id']);
  });

  test.each([
    ['application/xml', '{}', [415, 'unsupported_media_type']],
    ['text/csv; charset=latin1', 'a\n', [415, 'unsupported_media_type']],
    ['text/csv; header=absent', 'a\n', [415, 'unsupported_media_type']],
    ['text/csv', '', [400, 'validation_failed']],
  ])('as %s is refused', async (type, text, expected) => {
    const { status, json } = await sendFile(world, ada, text, type);
    expect([status, json.error.code]).toEqual(expected);
  });

  test('may have a charset of UTF-8, and any format that is read', async () => {
    for (const [type, format] of [
      ['text/csv; charset=UTF-8', 'csv'],
      ['text/csv; header=present; charset="utf-8"', 'csv'],
      ['Text/Tab-Separated-Values', 'tsv'],
      ['application/jsonl', 'jsonl'],
      ['application/x-ndjson', 'jsonl'],
    ] as const) {
      const { status, json } = await sendFile(world, ada, '{}', type);
      expect([status, json.data?.format]).toEqual([201, format]);
    }
  });

  test('is sent without another coding', async () => {
    const answers = ['Identity', 'gzip', 'x'].map(async (coding) => {
      const headers = { 'content-type': 'text/csv', 'content-encoding': coding };
      const request = { method: 'POST', key: ada.secret, body: 'name\nA\n', headers };
      const { status, json } = await call(world.port, '/v1/files', request);
      return [status, json.error?.code];
    });
    const refused = [415, 'unsupported_media_type'];
    expect(await Promise.all(answers)).toEqual([[201, undefined], refused, refused]);
  });

  test('is as large as the limit and not one byte larger', async () => {
    const most = 'x'.repeat(LIMITS.sentFileBytes);
    expect((await sendFile(world, ada, most)).status).toBe(201);
    const { status, json } = await sendFile(world, ada, `${most}x`);
    expect([status, json.error.code, json.error.details]).toEqual([
      ...[413, 'payload_too_large', { limit_bytes: LIMITS.sentFileBytes }],
    ]);
    const last = 'name\nA long name\n';
    await world.database.rows('delete from workspace_records.files where bytes <> $1', [
      LIMITS.sentFileBytes,
    ]);
    await world.database.rows('update workspace_records.files set bytes = $1', [
      LIMITS.filesOfWorkspaceBytes - last.length,
    ]);
    expect((await sendFile(world, ada, last)).status).toBe(201);
    const full = await sendFile(world, ada, 'x');
    expect([full.status, full.json.error.code]).toEqual([409, 'conflict']);
    await world.database.rows('delete from workspace_records.files where bytes > 1000');
  });

  test('is for administrators, and its name is a name', async () => {
    const answer = await sendFile(world, mia, 'name\n');
    expect([answer.status, answer.json.error.code]).toEqual([403, 'permission_denied']);
    const reader = await world.as('ada', { scopes: ['records:read'] });
    const scope = await sendFile(world, reader, 'name\n');
    expect([scope.status, scope.json.error.code]).toEqual([403, 'insufficient_scope']);
    for (const name of ['a%00b', 'a%0Ab', 'x'.repeat(256)]) {
      const headers = { 'content-type': 'text/csv' };
      const request = { method: 'POST', key: ada.secret, body: 'name\n', headers };
      const { status, json } = await call(world.port, `/v1/files?name=${name}`, request);
      expect([status, json.error.param]).toEqual([400, 'name']);
    }
  });
});

describe('an import is refused', () => {
  let file: string;
  beforeAll(async () => {
    file = await sentFile(world, ada, 'name\nA\n');
  });

  test.each<[string, object, readonly unknown[]]>([
    ['without a mapping', { mapping: undefined }, [400, 'validation_failed', 'mapping']],
    ['unknown properties', { delimiter: ';' }, [400, 'validation_failed', 'delimiter']],
    ['a wrong type', { dry_run: 'yes' }, [400, 'validation_failed', 'dry_run']],
    ['no object', { mapping: {} }, [400, 'validation_failed', 'mapping.object_type']],
    [
      'two objects',
      { mapping: { object_type: 'deals', comments_on: 'deals' } },
      [400, 'validation_failed', 'mapping.object_type'],
    ],
    [
      'an unknown object',
      { mapping: { object_type: 'ships' } },
      [404, 'object_not_available', 'mapping.object_type'],
    ],
    [
      'comments where there are none',
      { mapping: { comments_on: 'readings' } },
      [404, 'comments_not_supported', 'mapping.comments_on'],
    ],
    [
      'an unknown property of the mapping',
      { mapping: { object_type: 'deals', colums: {} } },
      [400, 'validation_failed', 'mapping.colums'],
    ],
    [
      'a wrong conversion',
      { mapping: { object_type: 'deals', fields: { name: { constant: 1, user: 'id' } } } },
      [400, 'validation_failed', 'mapping.fields.name.user'],
    ],
    [
      'U+0000 in a constant',
      { mapping: { object_type: 'deals', fields: { name: { constant: ['a', 'b\0'] } } } },
      [400, 'validation_failed', 'mapping.fields.name.constant[1]'],
    ],
    [
      'U+0000 in a replacement',
      {
        mapping: {
          object_type: 'deals',
          columns: { a: { field: 'name', replace: [{ text: 'a', with: '\0' }] } },
        },
      },
      [400, 'validation_failed', 'mapping.columns.a.replace[0].with'],
    ],
    [
      'half a character in the name of a column',
      { mapping: { object_type: 'deals', columns: { '\ud800': 'name' } } },
      [400, 'validation_failed', 'mapping.columns'],
    ],
    [
      'U+0000 as the delimiter',
      { mapping: { object_type: 'deals', delimiter: '\0' } },
      [400, 'validation_failed', 'mapping.delimiter'],
    ],
    [
      'a replacement that is too long',
      {
        mapping: {
          object_type: 'deals',
          columns: { a: { field: 'name', replace: [{ text: 'a', with: 'b'.repeat(20_000) }] } },
        },
      },
      [400, 'validation_failed', 'mapping.columns.a'],
    ],
    ['an unknown file', { file_id: UNKNOWN }, [404, 'record_not_found', 'file_id']],
    ['no id', { file_id: 'x' }, [404, 'record_not_found', 'file_id']],
  ])('with %s', async (_, body, expected) => {
    const before = await all();
    expect(refusal(await start(ada, file, body))).toEqual(expected);
    expect(await all()).toBe(before);
  });

  test('for people who are not administrators, and without the scopes it needs', async () => {
    expect(refusal(await start(mia, file))).toEqual([403, 'permission_denied', undefined]);
    for (const [scopes, needed] of [
      [['records:write'], 'records:read'],
      [['comments:write', 'records:read'], 'records:write'],
    ] as const) {
      const { status, body } = await start(await world.as('ada', { scopes }), file);
      expect([status, body.error.code]).toEqual([403, 'insufficient_scope']);
      expect(body.error.details.required_scope).toBe(needed);
    }
  });

  test('of a file that somebody else has sent', async () => {
    expect(refusal(await start(bot, file))).toEqual([404, 'record_not_found', 'file_id']);
    const foreign = await world.as('ada', { workspace: 'globex' });
    expect(refusal(await start(foreign, file))).toEqual([404, 'record_not_found', 'file_id']);
  });

  test('while too many wait', async () => {
    // Of exports several begin at a moment; imports of one file wait for its row.
    const exports = Array.from({ length: LIMITS.jobsOfUser + 3 }, () =>
      ada.post('/exports', { object_type: 'deals' }),
    );
    const asked = (await Promise.all(exports)).toSorted((a, b) => a.status - b.status);
    const most = Array(LIMITS.jobsOfUser).fill(202);
    expect(asked.map(({ status }) => status)).toEqual([...most, 409, 409, 409]);
    expect((await start(ada, file)).status).toBe(409);
    for (const { body } of asked.slice(0, LIMITS.jobsOfUser)) {
      await ada.request('POST', `/jobs/${body.data.id}/cancel`);
    }
    expect((await start(ada, file)).status).toBe(202);
  });
});

describe('jobs', () => {
  test('are seen by administrators and by their authors, in pages', async () => {
    const { body: foreign } = await (await world.as('ada', { workspace: 'globex' })).get('/jobs');
    expect(foreign.data).toEqual([]);
    await mia.post('/exports', { object_type: 'deals' });
    const own = await mia.get('/jobs');
    expect(own.body.data).toMatchObject([{ kind: 'export', asked_by_user_id: world.users.mia }]);
    const first = await bot.get('/jobs?limit=2');
    expect(first.body.data).toHaveLength(2);
    expect(first.body.data[0]).toEqual(own.body.data[0]);
    const second = await bot.get(`/jobs?limit=2&cursor=${first.body.pagination.next_cursor}`);
    expect(second.body.data[0].id < first.body.data[1].id).toBe(true);
    const exports = await bot.get('/jobs?kind=export&state=queued');
    expect(exports.body.data).toEqual(own.body.data);
    const wrong = await ada.get(`/jobs?limit=2&cursor=${first.body.pagination.next_cursor}`);
    expect(refusal(wrong)).toEqual([400, 'invalid_cursor', 'cursor']);
    for (const query of ['state=gone', 'kind=A', 'limit=0', 'all=true']) {
      expect((await ada.get(`/jobs?${query}`)).status).toBe(400);
    }
  });

  test('of others are not there, and cannot be cancelled', async () => {
    const { body } = await ada.get('/jobs?limit=1&kind=import');
    const { id } = body.data[0];
    for (const [method, path] of [
      ['GET', `/jobs/${id}`],
      ['POST', `/jobs/${id}/cancel`],
      ['GET', '/jobs/x'],
      ['GET', `/jobs/${UNKNOWN}`],
    ] as const) {
      const answer = await mia.request(method, path);
      expect(refusal(answer), path).toEqual([404, 'record_not_found', 'job_id']);
    }
    const rejects = await call(world.port, `/v1/imports/${id}/rejects`, { key: bot.secret });
    expect([rejects.status, rejects.json.error.code]).toEqual([404, 'record_not_found']);
    const reader = await world.as('ada', { scopes: ['workspace:read'] });
    expect((await reader.get(`/jobs/${id}`)).status).toBe(200);
    const refused = await reader.request('POST', `/jobs/${id}/cancel`);
    expect(refusal(refused).slice(0, 2)).toEqual([403, 'insufficient_scope']);
    const without = await world.as('ada', { scopes: ['records:read'] });
    expect(refusal(await without.get('/jobs')).slice(0, 2)).toEqual([403, 'insufficient_scope']);
  });

  test('of the service show no details, and stay', async () => {
    const [row] = await world.database.rows(
      `insert into workspace_records.jobs (id, workspace_id, kind, input, progress, error)
        select gen_random_uuid(), id, 'other', '{"secret": 1}', '{"done": 1, "notes": ["secret"]}',
          'secret' from workspace_records.workspaces where slug = 'acme' returning id`,
    );
    const path = `/jobs/${row?.id}`;
    const { body } = await ada.get(path);
    expect(body.data).toMatchObject({ kind: 'other', about: {}, progress: null, notes: [] });
    expect(JSON.stringify(body)).not.toContain('secret');
    const refused = await ada.request('POST', `${path}/cancel`);
    expect(refusal(refused)).toEqual([409, 'conflict', undefined]);
  });
});

describe('rights that go while an import works', () => {
  /** A database of which all transactions but the first wait until they may begin. */
  function gated(db: Database) {
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    let isFirst = true;
    const own = wrapDatabase(db, (server) => ({
      async transaction(work) {
        if (!isFirst) await gate;
        isFirst = false;
        return server.transaction(work);
      },
    }));
    return { db: own, open };
  }

  const rows = Array.from({ length: 1000 }, (_, index) => `Left ${index}`).join('\n');
  const written = async () =>
    (await world.rows(`select from companies where name like 'Left%'`)).length;

  test.each<[string, string, string]>([
    ['the role', `update _users set roles = '{}' where id = $1`, `set roles = '{admin}'`],
    ['the person', 'update _users set active = false where id = $1', 'set active = true'],
    ['the key', 'update api_keys set revoked_at = now() where user_id = $1', ''],
  ])('%s', async (_, take, give) => {
    await world.database.rows('truncate ws_acme.companies cascade');
    const client = await world.as('ada');
    const file = await sentFile(world, client, `name\n${rows}\n`);
    await world.database.rows(`delete from workspace_records.jobs`);
    const { body } = await start(client, file);
    const { db, open } = gated(world.database.db);
    await jobs.work(importing(db));
    while ((await written()) === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    const statement = take
      .replace('_users', 'ws_acme._users')
      .replace('api_keys', 'workspace_records.api_keys');
    await world.database.rows(statement, [world.users.ada]);
    open();
    const job = await jobs.ended(bot, body.data.id);
    expect([job.state, job.error]).toEqual([
      ...['failed', 'The person who started the job no longer has permission for it.'],
    ]);
    expect(await written()).toBe(100);
    // The rows that were written stay, and are counted.
    expect([job.counts.created, job.progress]).toEqual([100, { done: 100, total: 1000 }]);
    if (give !== '') {
      await world.database.rows(`update ws_acme._users ${give} where id = $1`, [world.users.ada]);
    }
  });
});
