// Files of records over HTTP: upload, attach, download; whose files can be set, the headers of a download, and the rights
// of the moment.

import http from 'node:http';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openFileStore } from '../../src/files/file-store.ts';
import { collectFiles } from '../../src/flow/files/remove-files.ts';
import { erasing } from '../../src/flow/jobs/erasure-job.ts';
import type { Client } from '../client.ts';
import { refusalOf } from '../client.ts';
import { digest, FILED, type FileWorld, filePath, openFileWorld } from '../file-world.ts';
import { until } from '../until.ts';
import { openJobs } from './job-world.ts';

let files: FileWorld;
let ada: Client;

beforeAll(async () => {
  files = await openFileWorld();
  ({ ada } = files);
});
afterAll(() => files?.world.close());

const idOf = async (content: string, options = {}) =>
  (await files.upload(ada, content, options)).body.data.id as string;

const set = (record: string, fields: object, client = ada) =>
  client.patch(`/objects/deals/records/${record}`, { fields });

const papersOf = async (record: string) =>
  (await ada.get(`/objects/deals/records/${record}`)).body.data.fields.papers;

describe('an upload', () => {
  test('answers name, type, size and digest, and is shown by the record that gets it', async () => {
    const { status, body } = await files.upload(ada, 'Hello', { name: 'Plan.txt' });
    expect(status).toBe(201);
    const { id, ...rest } = body.data;
    expect(rest).toEqual({
      ...{ name: 'Plan.txt', type: 'text/plain', size: 5, sha256: digest('Hello') },
    });
    const record = await files.deal({ papers: [id] });
    const made = await ada.post('/objects/deals/records', {
      fields: { name: 'Same', papers: [await idOf('x')] },
    });
    const read = await ada.get(`/objects/deals/records/${made.body.data.id}`);
    expect(JSON.stringify(read.body)).toBe(JSON.stringify(made.body));
    expect(await papersOf(record)).toEqual([{ id, name: 'Plan.txt', type: 'text/plain', size: 5 }]);
    const { bytes } = await files.download(ada, filePath(record, 'papers', id));
    expect(bytes.toString()).toBe('Hello');
  });

  test('may be empty, and may have no announced length', async () => {
    const { body } = await files.upload(ada, '');
    const headers = { 'transfer-encoding': 'chunked', 'content-length': undefined };
    const chunked = await files.upload(ada, 'abc', { headers });
    expect(chunked.body.data.size).toBe(3);
    const record = await files.deal({ papers: [body.data.id, chunked.body.data.id] });
    const empty = await files.download(ada, filePath(record, 'papers', body.data.id));
    expect([empty.status, empty.bytes.length]).toEqual([200, 0]);
  });

  test('for a field is judged by its rules before anything is stored', async () => {
    const query = '&object_type=deals&field=scan';
    const before = await files.world.rows('select id from _files');
    const wrong = await files.upload(ada, 'x', { query });
    expect(refusalOf(wrong)).toEqual([415, 'unsupported_media_type', undefined]);
    const large = await files.upload(ada, 'x'.repeat(1025), { query, type: 'image/png' });
    expect(refusalOf(large)).toEqual([413, 'payload_too_large', undefined]);
    expect(await files.world.rows('select id from _files')).toEqual(before);
    expect((await files.upload(ada, 'x'.repeat(1024), { query, type: 'image/png' })).status).toBe(
      201,
    );
  });

  test('that turns out to be too large leaves nothing', async () => {
    const headers = { 'transfer-encoding': 'chunked', 'content-length': undefined };
    const options = { query: '&object_type=deals&field=scan', type: 'image/png', headers };
    const before = await files.world.rows('select id from _files');
    const { status } = await files.upload(ada, 'x'.repeat(1025), options);
    expect(status).toBe(413);
    expect(await files.world.rows('select id from _files')).toEqual(before);
  });

  test.each([
    ['&object_type=deals', 400, 'validation_failed', 'field'],
    ['&object_type=deals&field=name', 400, 'validation_failed', 'field'],
    ['&object_type=nothing&field=papers', 404, 'object_not_available', 'object_type'],
  ])('with %s is refused', async (query, ...refusal) => {
    expect(refusalOf(await files.upload(ada, 'x', { query }))).toEqual(refusal);
  });

  test('takes the right to write the field', async () => {
    const bea = await files.world.as('bea');
    expect(refusalOf(await files.upload(bea, 'x'))).toEqual([403, 'permission_denied', undefined]);
    const mia = await files.world.as('mia');
    const query = '&object_type=deals&field=scan';
    expect((await files.upload(mia, 'x', { query })).status).toBe(403);
    const rob = await files.world.as('rob');
    expect((await files.upload(rob, 'x', { query })).status).toBe(400);
    const reader = await files.world.as('ada', { scopes: ['records:read', 'comments:write'] });
    expect((await files.upload(reader, 'x')).body.error.code).toBe('insufficient_scope');
  });

  test('is made once under a key, and another content is another request', async () => {
    const headers = { 'idempotency-key': 'upload-1' };
    const first = await files.upload(ada, 'same', { headers });
    const again = await files.upload(ada, 'same', { headers });
    expect(again.body).toEqual(first.body);
    expect((await files.upload(ada, 'other', { headers })).body.error.code).toBe(
      'idempotency_key_reused',
    );
    const rows = await files.world.rows('select sha256 from _files where name = $1', ['a.txt']);
    const digests = rows.map(({ sha256 }) => (sha256 as Buffer).toString('hex'));
    expect(digests.filter((one) => one === digest('same'))).toHaveLength(1);
    expect(digests).not.toContain(digest('other'));
  });

  test('that breaks off leaves nothing', async () => {
    const before = await files.world.rows('select id from _files');
    const request = http.request({
      ...{ host: '127.0.0.1', port: files.world.port, method: 'POST' },
      path: '/v1/files?purpose=field&name=broken',
      headers: { authorization: `Bearer ${ada.secret}`, 'content-length': 1_000_000 },
    });
    request.on('error', () => undefined);
    request.write('x'.repeat(1000));
    await until(
      async () => (await files.world.rows('select id from _files')).length > before.length,
    );
    request.destroy();
    // Before it would be given up as stalled.
    const idsAfter = async () => (await files.world.rows('select id from _files')).length;
    await expect.poll(idsAfter, { timeout: 20_000 }).toBe(before.length);
  });
});

describe('a name', () => {
  const letters = ['文', 'ж', 'ע', 'ا', 'ก', '한', '😀', 'é', 'a', 'ნ'];

  test.each(letters)('of 255 bytes of %s is kept, sent and shown', async (letter) => {
    const size = Buffer.byteLength(letter);
    const name = letter.repeat(Math.floor(255 / size)) + 'x'.repeat(255 % size);
    expect(Buffer.byteLength(name)).toBe(255);
    const id = await idOf('x', { name });
    const record = await files.deal({ papers: [id] });
    expect((await papersOf(record))[0].name).toBe(name);
    const { headers } = await files.download(ada, filePath(record, 'papers', id));
    const [, extended] =
      /filename\*=UTF-8''(\S+)$/.exec(headers['content-disposition'] ?? '') ?? [];
    const plain = /filename="([\w.-]+)"/.exec(headers['content-disposition'] ?? '')?.[1];
    expect(letter === 'a' ? plain : decodeURIComponent(extended ?? '')).toBe(name);
  });

  test('of 256 bytes is refused', async () => {
    expect((await files.upload(ada, 'x', { name: 'ж'.repeat(128) })).status).toBe(400);
  });

  test.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\ann\\plan.doc', 'plan.doc'],
    ['/', 'file'],
    ['..', 'file'],
    ['a/..', 'file'],
    ['\u202efdp.exe', 'fdp.exe'],
    [`"';$(x)&.txt`, `"';$(x)&.txt`],
    ['a; filename=b', 'a; filename=b'],
  ])('%j becomes %j', async (name, kept) => {
    const id = await idOf('x', { name });
    const record = await files.deal({ papers: [id] });
    expect((await papersOf(record))[0].name).toBe(kept);
    const { status, headers } = await files.download(ada, filePath(record, 'papers', id));
    expect(status).toBe(200);
    expect(headers['content-disposition']).toMatch(
      /^attachment; filename="[\w.-]+"(?:; filename\*=UTF-8''[\w.%~!-]+)?$/,
    );
  });

  test.each(['a\r\nSet-Cookie: x', 'a\u0000b', ''])('%j is refused', async (name) => {
    expect((await files.upload(ada, 'x', { name })).status).toBe(400);
  });
});

describe('the files of a record', () => {
  test('are only those of the person who writes, and each is on one record', async () => {
    const rob = await files.world.as('rob');
    const own = await files.deal({}, rob);
    const foreign = await idOf('of ada');
    expect(refusalOf(await set(own, { papers: [foreign] }, rob))).toEqual([
      ...[422, 'invalid_write', 'fields.papers'],
    ]);
    const { body } = await files.upload(rob, 'of rob');
    const { id } = body.data;
    expect((await set(own, { papers: [id] }, rob)).status).toBe(200);
    const another = await files.deal({}, rob);
    expect((await set(another, { papers: [id] }, rob)).status).toBe(422);
    expect((await set(another, { papers: [id] })).status).toBe(422);
    // Somebody else who may write the record keeps it there.
    const more = await idOf('more');
    expect((await set(own, { papers: [more, id] })).status).toBe(200);
  });

  test('are sent as they were shown, in any order, and the same value changes nothing', async () => {
    const [one, two] = [await idOf('1'), await idOf('2')];
    const record = await files.deal({ papers: [one, two] });
    const shown = await papersOf(record);
    const { body } = await ada.get(`/objects/deals/records/${record}`);
    const same = await set(record, { papers: shown });
    expect(same.body.data.version).toBe(body.data.version);
    const turned = await set(record, { papers: [two, { id: one, name: 'other', size: 0 }] });
    expect(turned.body.data.fields.papers).toEqual(shown.toReversed());
  });

  test('can be removed and set again, by everybody who may write the field', async () => {
    const id = await idOf('back');
    const record = await files.deal({ papers: [id] });
    expect((await set(record, { papers: null })).body.data.fields.papers).toBeNull();
    expect((await files.download(ada, filePath(record, 'papers', id))).status).toBe(404);
    const other = await files.deal();
    const mia = await files.world.as('mia');
    expect((await set(other, { papers: [id] }, mia)).status).toBeGreaterThanOrEqual(403);
    expect((await set(record, { papers: [id] })).status).toBe(200);
    expect((await files.download(ada, filePath(record, 'papers', id))).status).toBe(200);
  });

  test('one file twice in a batch goes to the first record only', async () => {
    const id = await idOf('once');
    const operations = [1, 2].map((n) => ({
      ...{ action: 'create', fields: { name: `Twice ${n}`, papers: [id] } },
    }));
    const { status, body } = await ada.post('/objects/deals/records/batch', { operations });
    expect([status, body.error.param]).toEqual([422, 'operations[1].fields.papers']);
  });

  test('two writes at the same time cannot both have a file', async () => {
    const id = await idOf('raced');
    const records = [await files.deal(), await files.deal(), await files.deal()];
    const answers = await Promise.all(records.map((record) => set(record, { papers: [id] })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
  });

  test('a field of one file takes one, of its types and sizes', async () => {
    const png = () => files.upload(ada, 'x', { type: 'image/png' });
    const [one, two] = [(await png()).body.data.id, (await png()).body.data.id];
    expect(
      (await ada.post('/objects/deals/records', { fields: { name: 'x', scan: [one, two] } }))
        .status,
    ).toBe(422);
    const text = await idOf('x');
    const record = await files.deal({ scan: [one] });
    for (const [ids, message] of [
      [[text], 'The field takes no files of the type text/plain.'],
      [
        [(await files.upload(ada, 'x'.repeat(1025), { type: 'image/png' })).body.data.id],
        'The field takes files of at most 1024 bytes.',
      ],
    ] as const) {
      const { status, body } = await set(record, { scan: ids });
      expect([status, body.error.message]).toEqual([422, message]);
    }
    expect((await set(record, { scan: [two] })).status).toBe(200);
  });

  test.each([
    ['x'],
    [['x']],
    [[{}]],
    [[['01990000-0000-7000-8000-000000000000']]],
    [['01990000-0000-7000-8000-000000000000']],
    [[{ id: { $ne: 1 } }]],
    [Array(30).fill('01990000-0000-7000-8000-000000000000')],
    [{ id: '01990000-0000-7000-8000-000000000000' }],
  ])('%j is refused', async (papers) => {
    const { status } = await ada.post('/objects/deals/records', { fields: { name: 'x', papers } });
    expect(status).toBe(422);
  });

  test('are found by whether there are any, and by nothing else', async () => {
    const record = await files.deal({ papers: [await idOf('x')] });
    const found = await ada.get('/objects/deals/records?filter[papers][is_null]=false&limit=100');
    expect(found.body.data.map(({ id }: { id: string }) => id)).toContain(record);
    for (const query of ['sort=papers', 'filter[papers]=x', 'filter[papers][in]=x']) {
      expect((await ada.get(`/objects/deals/records?${query}`)).status).toBe(400);
    }
    const group = { group_by: ['papers'], metrics: [{ name: 'n', op: 'count' }] };
    expect((await ada.post('/objects/deals/records/aggregate', group)).status).toBe(400);
  });

  test('are names in the history, which does not restore them', async () => {
    const record = await files.deal({ papers: [await idOf('x', { name: 'Old.txt' })] });
    await set(record, { papers: null });
    const { body } = await ada.get(`/objects/deals/records/${record}/history`);
    expect(JSON.stringify(body.data)).toContain('["Old.txt"]');
    expect(JSON.stringify(body.data)).not.toContain('sha256');
    const restore = { revision: 1, fields: ['papers'] };
    const answer = await ada.post(`/objects/deals/records/${record}/restore`, restore);
    expect(answer.status).toBe(422);
  });
});

describe('a download', () => {
  let record: string;
  let id: string;
  let path: string;
  const content = Buffer.from(Array.from({ length: 1000 }, (_, at) => at % 251));

  beforeAll(async () => {
    const { body } = await files.upload(ada, content, { name: 'x.bin', type: 'application/x-bin' });
    ({ id } = body.data);
    record = await files.deal({ papers: [id] });
    path = filePath(record, 'papers', id);
  });

  test('can only be saved, whatever it is', async () => {
    for (const [type, text] of [
      ['text/html', '<script>alert(1)</script>'],
      ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
      ['application/xhtml+xml', '<html/>'],
    ] as const) {
      const { body } = await files.upload(ada, text, { type });
      const one = await files.deal({ papers: [body.data.id] });
      const { headers } = await files.download(ada, filePath(one, 'papers', body.data.id));
      expect(headers).toMatchObject({
        'content-type': type,
        'content-disposition': 'attachment; filename="a.txt"',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "sandbox; default-src 'none'",
        'cache-control': 'private, max-age=0, must-revalidate, no-transform',
      });
    }
  });

  test.each([
    ['bytes=0-0', 206, 'bytes 0-0/1000', [0, 1]],
    ['bytes=10-19', 206, 'bytes 10-19/1000', [10, 20]],
    ['bytes=990-', 206, 'bytes 990-999/1000', [990, 1000]],
    ['bytes=-10', 206, 'bytes 990-999/1000', [990, 1000]],
    ['bytes=-5000', 206, 'bytes 0-999/1000', [0, 1000]],
    ['bytes=0-99999', 206, 'bytes 0-999/1000', [0, 1000]],
    ['bytes=0-1,4-5', 200, undefined, [0, 1000]],
    ['items=0-1', 200, undefined, [0, 1000]],
    ['bytes=9-3', 200, undefined, [0, 1000]],
    ['bytes=-', 200, undefined, [0, 1000]],
  ] as const)('with %s is %d', async (range, status, told, [from, to]) => {
    const answer = await files.download(ada, path, { range });
    expect(answer.status).toBe(status);
    expect(answer.headers['content-range']).toBe(told);
    expect(answer.bytes.equals(content.subarray(from, to))).toBe(true);
  });

  test.each(['bytes=1000-', 'bytes=1000-1001', 'bytes=-0'])('with %s is 416', async (range) => {
    const { status, headers } = await files.download(ada, path, { range });
    expect([status, headers['content-range']]).toEqual([416, 'bytes */1000']);
  });

  test('heeds the tag of the file', async () => {
    const { headers } = await files.download(ada, path);
    const etag = String(headers.etag);
    const known = await files.download(ada, path, { 'if-none-match': etag });
    expect([known.status, known.bytes.length]).toEqual([304, 0]);
    const part = await files.download(ada, path, { range: 'bytes=0-9', 'if-range': etag });
    expect(part.status).toBe(206);
    const other = await files.download(ada, path, { range: 'bytes=0-9', 'if-range': '"x"' });
    expect([other.status, other.bytes.length]).toEqual([200, 1000]);
  });

  test('has the same headers for HEAD', async () => {
    const answer = await fetch(`http://127.0.0.1:${files.world.port}/v1${path}`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${ada.secret}` },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-length')).toBe('1000');
  });

  test('is 404 without the rights of this moment', async () => {
    const rob = await files.world.as('rob');
    expect((await files.download(rob, path)).status).toBe(404);
    const own = await files.deal({}, rob);
    const { body } = await files.upload(rob, 'mine');
    await set(own, { papers: [body.data.id] }, rob);
    const mine = filePath(own, 'papers', body.data.id);
    expect((await files.download(rob, mine)).status).toBe(200);
    const hidden = structuredClone(FILED) as typeof FILED;
    Object.assign(hidden.roles.rep.objects.deals.fields, { papers: 'none' });
    await files.world.apply(hidden);
    expect((await files.download(rob, mine)).status).toBe(404);
    await files.world.apply(FILED);
    expect((await files.download(rob, mine)).status).toBe(200);
    const sam = await files.world.as('sam');
    expect((await files.download(sam, mine)).status).toBe(404);
  });

  test.each([
    ['another field', () => filePath(record, 'scan', id)],
    ['a field that holds no files', () => filePath(record, 'name', id)],
    ['a field that does not exist', () => filePath(record, 'nope', id)],
    ['another file', () => filePath(record, 'papers', record)],
    ['no id', () => filePath(record, 'papers', 'x')],
    ['a path', () => filePath(record, 'papers', '..%2f..%2fetc%2fpasswd')],
    ['a path of dots', () => filePath(record, 'papers', '%2e%2e')],
    ['another record', () => filePath(id, 'papers', id)],
  ])('of %s is 404', async (_, pathOf) => {
    const { status, bytes } = await files.download(ada, pathOf());
    expect(status).toBe(404);
    expect(bytes.toString()).not.toContain('root:');
  });

  test('of bytes that are lost is a failure of the service, and of an erased file 404', async () => {
    const [lost, erased] = [await idOf('lost'), await idOf('erased')];
    const record = await files.deal({ papers: [lost, erased] });
    const { config, database } = files.world;
    const [{ id: workspace } = {}] = await database.rows(
      `select id from workspace_records.workspaces where slug = 'acme'`,
    );
    const store = openFileStore(config);
    const placeOf = (id: string) => ({ workspace: Number(workspace), id });
    for (const id of [lost, erased]) await store.remove(placeOf(id));
    const codeOf = async (id: string) => {
      const { status, bytes } = await files.download(ada, filePath(record, 'papers', id));
      return [status, JSON.parse(bytes.toString()).error.code];
    };
    expect(await codeOf(lost)).toEqual([500, 'internal_error']);
    expect((await set(record, { papers: [lost] })).status).toBe(200);
    expect(await codeOf(erased)).toEqual([404, 'record_not_found']);
    for (const id of [lost, erased]) await store.put(placeOf(id), Readable.from([]));
  });

  test('without a key is 401', async () => {
    const { status } = await fetch(`http://127.0.0.1:${files.world.port}/v1${path}`);
    expect(status).toBe(401);
  });
});

describe('the sweeper', () => {
  const collect = async () => {
    const { world } = files;
    const [{ id } = {}] = await world.database.rows(
      `select id from workspace_records.workspaces where slug = 'acme'`,
    );
    const keeping = { db: world.database.db, store: openFileStore(world.config) };
    return collectFiles(keeping, { id: Number(id), schema: 'ws_acme' }, 1000);
  };
  const age = (hours: number) =>
    files.world.rows(
      `update ws_acme._files set released_at = now() - interval '${hours} hours'
        where released_at is not null`,
    );
  const isStored = async (id: string) =>
    (await files.world.rows('select id from _files where id = $1', [id])).length > 0;

  test('removes files that nothing has had for a day, bytes and row', async () => {
    await age(25);
    await collect();
    const [fresh, kept, left] = [await idOf('1'), await idOf('2'), await idOf('3')];
    const record = await files.deal({ papers: [kept, left] });
    await set(record, { papers: [kept] });
    await collect();
    expect(await Promise.all([fresh, kept, left].map(isStored))).toEqual([true, true, true]);
    await age(25);
    expect(await collect()).toBe(2);
    expect(await Promise.all([fresh, kept, left].map(isStored))).toEqual([false, true, false]);
    expect((await files.download(ada, filePath(record, 'papers', kept))).status).toBe(200);
    expect((await files.world.rows('select id from _files')).length).toBe(await files.stored());
  });

  test('keeps files of deleted records until the trash is emptied', async () => {
    const id = await idOf('trashed');
    const record = await files.deal({ papers: [id] });
    await ada.delete(`/objects/deals/records/${record}`);
    await collect();
    await age(25);
    await collect();
    expect(await isStored(id)).toBe(true);
    expect((await files.download(ada, filePath(record, 'papers', id))).status).toBe(404);
    await ada.post(`/objects/deals/deleted/${record}/restore`, {});
    expect((await files.download(ada, filePath(record, 'papers', id))).bytes.toString()).toBe(
      'trashed',
    );
    await ada.delete(`/objects/deals/records/${record}`);
    await ada.delete(`/objects/deals/deleted/${record}`);
    await collect();
    await age(25);
    await collect();
    expect(await isStored(id)).toBe(false);
  });

  test('takes a release back that was wrong', async () => {
    const id = await idOf('held');
    const record = await files.deal({ papers: [id] });
    await files.world.rows(
      `update ws_acme._files set released_at = now() - interval '3 days' where id = $1`,
      [id],
    );
    await collect();
    expect((await files.download(ada, filePath(record, 'papers', id))).status).toBe(200);
    const [row] = await files.world.rows('select released_at from _files where id = $1', [id]);
    expect(row?.released_at).toBeNull();
  });
});

test('all files that erased records had are removed at once', async () => {
  const { world } = files;
  const [kept, taken, other] = [await idOf('1'), await idOf('2'), await idOf('3')];
  const record = await files.deal({ papers: [kept, taken] });
  await set(record, { papers: [kept] });
  await files.deal({ papers: [other] });
  const page = await world.inSession('ada');
  const jobs = openJobs(() => world);
  await jobs.work(erasing(world.database.db, { pause: 0, store: openFileStore(world.config) }));
  const asked = await page.post('/erasures', { records: [{ object_type: 'deals', id: record }] });
  const job = await jobs.ended(ada, asked.body.data.id);
  await jobs.stop();
  expect(job).toMatchObject({ state: 'done', counts: { attachments: 2 } });
  const rows = await world.rows('select id from _files where id = any($1)', [[kept, taken, other]]);
  expect(rows.map(({ id }) => id)).toEqual([other]);
  expect((await files.download(ada, filePath(record, 'papers', kept))).status).toBe(404);
});

test('the quota holds at its limit and refuses one byte beyond', async () => {
  const small = await openFileWorld({ FILES_QUOTA_BYTES: '1000' });
  try {
    expect((await small.upload(small.ada, 'x'.repeat(600))).status).toBe(201);
    expect((await small.upload(small.ada, 'x'.repeat(401))).body.error).toMatchObject({
      ...{ code: 'conflict', details: { limit_bytes: 1000 } },
    });
    const headers = { 'transfer-encoding': 'chunked', 'content-length': undefined };
    expect((await small.upload(small.ada, 'x'.repeat(401), { headers })).status).toBe(409);
    expect((await small.upload(small.ada, 'x'.repeat(400))).status).toBe(201);
    expect((await small.upload(small.ada, 'x')).status).toBe(409);
    expect((await small.upload(small.ada, '')).status).toBe(201);
    const both = await openFileWorld({ FILES_QUOTA_BYTES: '1000' });
    const uploads = Array.from({ length: 8 }, () => both.upload(both.ada, 'x'.repeat(300)));
    const statuses = (await Promise.all(uploads)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(3);
    await both.world.close();
  } finally {
    await small.world.close();
  }
});
