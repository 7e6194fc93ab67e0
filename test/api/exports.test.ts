// Exports over HTTP: the author gets the records they may read, in a file that only they can get.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { exporting } from '../../src/export/export-job.ts';
import { LIMITS } from '../../src/limits.ts';
import { mergePatch } from '../../src/model/definition/definition.ts';
import type { Answer, Client } from '../client.ts';
import { call } from '../http-client.ts';
import { ACME, openWorld, type World } from '../world.ts';
import { openJobs } from './job-world.ts';

let world: World;
let ada: Client;
let mia: Client;
let rob: Client;
const jobs = openJobs(() => world);

beforeAll(async () => {
  world = await openWorld();
  ada = await world.as('ada');
  mia = await world.as('mia');
  rob = await world.as('rob');
  const create = (client: Client, fields: object) =>
    client.post('/objects/deals/records', { fields });
  await create(ada, { name: 'Ada', amount: 1, secret: 'S1' });
  await create(mia, { name: '=Mia', amount: 2, secret: 'S2' });
  await create(rob, { name: 'Rob', amount: 3 });
});
afterEach(async () => {
  await jobs.stop();
  expect(jobs.errors).toEqual([]);
});
afterAll(() => world.close());

const file = (client: Client, id: string) =>
  call(world.port, `/v1/exports/${id}/file`, { key: client.secret });

/** Export; the job when it has ended, and its file. */
async function exported(client: Client, body: object) {
  const { status, body: answer } = await client.post('/exports', body);
  expect(status, JSON.stringify(answer)).toBe(202);
  await jobs.work(exporting(world.database.db));
  const job = await jobs.ended(client, answer.data.id);
  return { job, download: await file(client, job.id) };
}

const refusal = ({ status, body }: Pick<Answer, 'status' | 'body'>) => [
  status,
  body.error.code,
  body.error.param,
];

test('the file has the requested rows, in the requested order', async () => {
  const body = {
    ...{ object_type: 'deals', fields: ['name', 'amount', 'owner_user_id'] },
    ...{ filters: { amount: { gte: 2 } }, sort: [{ field: 'amount', direction: 'desc' }] },
  };
  const { job, download } = await exported(ada, body);
  expect(job).toMatchObject({
    ...{ kind: 'export', state: 'done', about: { object_type: 'deals', format: 'csv' } },
    ...{ progress: { done: 2, total: 2 }, counts: { bytes: download.text.length }, problems: [] },
  });
  expect(download.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-length': String(download.text.length),
    'content-disposition': 'attachment; filename="deals.csv"',
  });
  expect(download.text).toBe(
    `name,amount,owner_user_id\nRob,3,rob@acme.example\n'=Mia,2,mia@acme.example\n`,
  );
  const raw = await exported(ada, { ...body, raw: true, format: 'jsonl', query: 'mia' });
  expect(raw.download.headers['content-type']).toBe('application/x-ndjson');
  expect(raw.download.text).toBe('{"name":"=Mia","amount":2,"owner_user_id":"mia@acme.example"}\n');
});

test('an Excel file is a workbook with a name of its own', async () => {
  const body = { object_type: 'deals', format: 'xlsx', names: true, fields: ['name'] };
  const { job, download } = await exported(ada, body);
  expect(job.about.format).toBe('xlsx');
  expect(download.headers).toMatchObject({
    'content-type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'content-length': String(job.counts.bytes),
    'content-disposition': 'attachment; filename="deals.xlsx"',
  });
  expect(download.text).toMatch(/^PK.*xl\/worksheets\/sheet1\.xml/s);
});

test('contact cards have the fields that the person may read, and only contacts have cards', async () => {
  const contacts = (fields: object) =>
    mergePatch(ACME, {
      roles: { rep: { objects: { contacts: { read: 'organisation', fields } } } },
    });
  await world.apply(contacts({ phone: 'none' }));
  const fields = { name: 'Ann, Ö.', email: 'ann@example.com', phone: '+49 30 1' };
  const { body } = await ada.post('/objects/contacts/records', { fields });
  await ada.post('/objects/contacts/records', { fields: { ...fields, name: 'Bob' } });
  const where = { field: 'id', op: 'in', value: [body.data.id] };
  const request = { object_type: 'contacts', format: 'vcf', where };
  const { download } = await exported(ada, request);
  expect(download.headers).toMatchObject({
    'content-type': 'text/vcard; charset=utf-8',
    'content-disposition': 'attachment; filename="contacts.vcf"',
  });
  const [begin, version, uid, ...rest] = download.text.split('\r\n');
  expect([begin, version, uid]).toEqual([
    ...['BEGIN:VCARD', 'VERSION:4.0', `UID:urn:uuid:${body.data.id}`],
  ]);
  const shown = ['FN:Ann\\, Ö.', 'N:;Ann\\, Ö.;;;', 'EMAIL:ann@example.com'];
  expect(rest).toEqual([...shown, 'TEL:+49 30 1', 'END:VCARD', '']);
  const { download: ofRob } = await exported(rob, request);
  expect(ofRob.text.split('\r\n').slice(3)).toEqual([...shown, 'END:VCARD', '']);
  await world.apply(contacts({ phone: 'none', email: 'none' }));
  const none = [400, 'validation_failed', 'format'];
  expect(refusal(await rob.post('/exports', request))).toEqual(none);
  expect(refusal(await ada.post('/exports', { object_type: 'deals', format: 'vcf' }))).toEqual(
    none,
  );
  await world.apply(ACME);
});

test('conditions are those of questions: behind references, relative, of a time zone', async () => {
  const { body } = await ada.post('/objects/companies/records', { fields: { name: 'Whole' } });
  const linked = { name: 'Linked', amount: 9, company_id: body.data.id };
  await ada.post('/objects/deals/records', { fields: linked });
  const is = (field: string, op: string, value: unknown) => ({ field, op, value });
  const asked = { object_type: 'deals', fields: ['name'], sort: [{ field: 'amount' }] };
  const where = { any: [is('company_id.name', 'eq', 'Whole'), is('amount', 'between', [2, 2])] };
  const lines = async (client: Client, more: object) =>
    (await exported(client, { ...asked, ...more })).download.text.split('\n').slice(1, -1);
  expect(await lines(ada, { where })).toEqual(["'=Mia", 'Linked']);
  const through = { where, sort: [{ field: 'company_id.name', direction: 'desc' }] };
  expect(await lines(ada, through)).toEqual(['Linked', "'=Mia"]);
  const today = is('created_at', 'gte', { relative: 'start_of_year' });
  const timezone = 'Pacific/Auckland';
  expect(await lines(rob, { where: { all: [today] }, timezone })).toEqual(['Rob']);
  const refused = async (client: Client, more: object) =>
    refusal(await client.post('/exports', { ...asked, ...more }));
  expect(await refused(ada, { timezone: 'Mars' })).toEqual([400, 'validation_failed', 'timezone']);
  expect(await refused(ada, { where: { all: [] } })).toEqual([400, 'invalid_filter', 'where.all']);
  expect(await refused(ada, { where: is('nothing', 'eq', 1) })).toEqual([
    ...[400, 'invalid_filter', 'where.field'],
  ]);
  expect(await refused(ada, { sort: [{ field: 'company_id.name' }] })).toEqual([
    ...[400, 'invalid_filter', 'sort[0].field'],
  ]);
  expect(await refused(rob, { where: is('secret', 'eq', 'S1') })).toEqual([
    ...[403, 'permission_denied', 'where.field'],
  ]);
  await ada.delete(`/objects/companies/records/${body.data.id}`);
});

test('a column has its name in the file, and Excel recognises UTF-8', async () => {
  const fields = ['custom_fields.name', 'amount'];
  const sort = [{ field: 'amount' }];
  const { download } = await exported(ada, { object_type: 'deals', fields, sort, bom: true });
  expect(download.text.startsWith('\uFEFFname,amount\nAda,1\n')).toBe(true);
  const lines = { object_type: 'deals', fields, sort, bom: true, format: 'jsonl' };
  expect((await exported(ada, lines)).download.text.startsWith('{')).toBe(true);
  const unknown = await ada.post('/exports', { object_type: 'deals', fields: ['custom_fields.x'] });
  expect(refusal(unknown)).toEqual([400, 'invalid_filter', 'fields']);
});

test('others get the rows in their reach, and the fields of their roles', async () => {
  const fields = ['name', 'secret'];
  const { job, download } = await exported(rob, { object_type: 'deals', fields });
  expect(download.text).toBe('name\nRob\n');
  expect(job.notes).toEqual(['Not readable: secret.']);
  const { download: all } = await exported(rob, { object_type: 'deals' });
  const [header, row, ...more] = all.text.split('\n');
  expect(header).toContain('owner_user_id');
  expect(header).not.toMatch(/secret|created_by/);
  // Without the directory addresses stay hidden.
  expect(row).not.toContain('@');
  expect(more).toEqual(['']);
  const owners = { object_type: 'deals', fields: ['owner_user_id'] };
  expect((await exported(ada, owners)).download.text).toContain('ada@acme.example');
  const narrow = await world.as('ada', { scopes: ['records:read', 'workspace:read'] });
  const ids = (await exported(ada, { ...owners, user_ids: true })).download.text;
  expect(ids).toContain(`\n${world.users.ada}\n`);
  expect(ids).not.toContain('@');
  expect((await exported(narrow, owners)).download.text).not.toContain('@');
  const { download: team } = await exported(mia, { object_type: 'deals', fields: ['name'] });
  expect(team.text).toBe(`name\n'=Mia\nRob\n`);
});

test('the file equals the lists of the same person, person by person', async () => {
  const people = ['ada', 'mia', 'rob', 'rae', 'sam', 'bea', 'bot'] as const;
  for (const name of people) {
    const client = await world.as(name);
    for (const object_type of ['deals', 'companies', 'boats', 'readings']) {
      const list = await client.get(`/objects/${object_type}/records?limit=100&sort=id`);
      const asked = await client.post('/exports', { object_type, format: 'jsonl' });
      expect(asked.status === 202 ? 200 : asked.status, `${name} ${object_type}`).toBe(list.status);
      if (list.status !== 200) continue;
      await jobs.work(exporting(world.database.db));
      const job = await jobs.ended(client, asked.body.data.id);
      const lines = (await file(client, job.id)).text.split('\n').slice(0, -1);
      const rows = lines.map((line) => JSON.parse(line));
      const records = list.body.data as readonly { readonly id: string }[];
      expect(rows.map(({ id }) => id)).toEqual(records.map(({ id }) => id));
      const [first] = records;
      if (first === undefined) continue;
      const { body } = await client.get(`/objects/${object_type}/records/${first.id}`);
      const shown = { ...body.data.fields, ...body.data.fields.custom_fields };
      const { custom_fields = {}, ...direct } = rows[0];
      const system = /^(id|status|owner_user_id|created_at|updated_at|custom_fields)$/;
      const keys = [...Object.keys(direct), ...Object.keys(custom_fields)];
      expect(keys.filter((key) => !system.test(key)).sort()).toEqual(
        Object.keys(shown)
          .filter((key) => !system.test(key) && key !== 'custom_status_id')
          .sort(),
      );
    }
  }
});

test.each<[string, object, readonly unknown[]]>([
  ['an unknown object', { object_type: 'ships' }, [404, 'object_not_available', 'object_type']],
  ['no object', {}, [400, 'validation_failed', 'object_type']],
  ['a format', { object_type: 'deals', format: 'xls' }, [400, 'validation_failed', 'format']],
  ['a property', { object_type: 'deals', limit: 3 }, [400, 'validation_failed', 'limit']],
  [
    'an unknown field',
    { object_type: 'deals', fields: ['nam'] },
    [400, 'invalid_filter', 'fields'],
  ],
  [
    'a hidden field in a filter',
    { object_type: 'deals', filters: { secret: 'S1' } },
    [403, 'permission_denied', 'filters.secret'],
  ],
  [
    'a hidden field in the order',
    { object_type: 'deals', sort: [{ field: 'secret' }] },
    [403, 'permission_denied', 'sort[0].field'],
  ],
])('%s is refused', async (_, body, expected) => {
  const before = await world.digest();
  expect(refusal(await rob.post('/exports', body))).toEqual(expected);
  expect(await world.digest()).toBe(before);
});

describe('the file', () => {
  test('is only for its author, and only with the scope to read', async () => {
    const { job } = await exported(rob, { object_type: 'deals' });
    const other = await world.as('rae');
    const foreign = await world.as('rob', { workspace: 'globex' });
    for (const client of [ada, mia, other, foreign]) {
      const { status, json } = await file(client, job.id);
      expect([status, json.error.code, json.error.param]).toEqual([
        ...[404, 'record_not_found', 'job_id'],
      ]);
    }
    const writer = await world.as('rob', { scopes: ['records:write'] });
    expect((await file(writer, job.id)).json.error.code).toBe('insufficient_scope');
    expect((await file(rob, job.id)).status).toBe(200);
  });

  test('goes with the rights it was made by', async () => {
    const { job } = await exported(mia, { object_type: 'deals' });
    const { users } = world;
    const leave = 'delete from ws_acme._team_members where user_id = $1';
    await world.database.rows(leave, [users.rob]);
    const { status, json } = await file(await world.as('mia'), job.id);
    expect([status, json.error.code]).toEqual([403, 'permission_denied']);
    const join = `insert into ws_acme._team_members select id, $1 from ws_acme._teams where name = 'North'`;
    await world.database.rows(join, [users.rob]);
    expect((await file(await world.as('mia'), job.id)).status).toBe(200);
  });

  test('goes with the rights on what its question went through, and stays when keys change', async () => {
    const { note, revenue } = ACME.objects.companies.fields;
    const behind = { field: 'company_id.revenue', op: 'is_null', value: true };
    const { job } = await exported(mia, { object_type: 'deals', fields: ['name'], where: behind });
    const { job: sorted } = await exported(mia, {
      ...{ object_type: 'deals', fields: ['name'] },
      ...{ where: { not: behind }, sort: [{ field: 'name' }] },
    });
    const statuses = async () => {
      const answers = [await file(mia, job.id), await file(mia, sorted.id)];
      return answers.map(({ status }) => status);
    };
    expect(await statuses()).toEqual([200, 200]);
    const hidden = {
      roles: { manager: { objects: { companies: { fields: { revenue: 'none' } } } } },
    };
    await world.apply(mergePatch(ACME, hidden));
    expect(await statuses()).toEqual([403, 403]);
    await world.apply(ACME);
    expect(await statuses()).toEqual([200, 200]);
    const fields = {
      ...{ note: null, remark: { ...note, renamed_from: 'note' }, added: { type: 'text' } },
      ...{ revenue: null, turnover: { ...revenue, renamed_from: 'revenue' } },
    };
    const role = (turnover: string) => ({
      objects: { companies: { fields: { revenue: null, turnover } } },
    });
    const roles = { rep: role('none'), manager: role('read') };
    const renamed = mergePatch(ACME, { objects: { companies: { fields } }, roles });
    await world.apply(renamed);
    expect(await statuses()).toEqual([200, 200]);
    const { download } = await exported(ada, { object_type: 'companies' });
    expect(download.text.split('\n')[0]?.split(',')).toContain('turnover');
    // A field of its own that has the key is not the one that was read.
    const other = { fields: { turnover: { renamed_from: null }, revenue } };
    const otherwise = {
      manager: { objects: { companies: { fields: { turnover: 'none', revenue: 'read' } } } },
    };
    await world.apply(mergePatch(renamed, { objects: { companies: other }, roles: otherwise }));
    expect(await statuses()).toEqual([403, 403]);
  });

  test('is not there before the end, nor after its day', async () => {
    const { body } = await ada.post('/exports', { object_type: 'deals' });
    const early = await file(ada, body.data.id);
    expect([early.status, early.json.error.code]).toEqual([409, 'conflict']);
    await jobs.work(exporting(world.database.db));
    const job = await jobs.ended(ada, body.data.id);
    const expire = 'update workspace_records.files set expires_at = now() where job_id = $1';
    await world.database.rows(expire, [job.id]);
    expect((await file(ada, job.id)).json.error.code).toBe('record_not_found');
  });

  test('has a limit', async () => {
    const { body } = await ada.post('/exports', { object_type: 'deals' });
    await jobs.work(exporting(world.database.db, 20));
    const job = await jobs.ended(ada, body.data.id);
    expect([job.state, job.error]).toEqual([
      ...['failed', 'The file would be larger than 20 bytes. Add a filter.'],
    ]);
  });

  test('is not made when the key is revoked by then', async () => {
    const [revoked, other] = [await world.as('rae'), await world.as('rae')];
    const { body } = await revoked.post('/exports', { object_type: 'companies' });
    await world.database.rows(
      'update workspace_records.api_keys set revoked_at = now() where prefix = $1',
      [revoked.secret.slice(0, 12)],
    );
    await jobs.work(exporting(world.database.db));
    const job = await jobs.ended(other, body.data.id);
    expect([job.state, job.error]).toEqual([
      ...['failed', 'The person who started the job no longer has permission for it.'],
    ]);
  });

  test('fits in the space left of a workspace, and not with one byte more', async () => {
    await world.database.rows('delete from workspace_records.files');
    const { job } = await exported(ada, { object_type: 'deals' });
    for (const [more, state, error] of [
      [0, 'done', null],
      [1, 'failed', expect.stringContaining('The workspace has too many files.')],
    ] as const) {
      const kept = LIMITS.filesOfWorkspaceBytes - job.counts.bytes + more;
      await world.database.rows('delete from workspace_records.files where job_id <> $1', [job.id]);
      await world.database.rows('update workspace_records.files set bytes = $1', [kept]);
      expect((await exported(ada, { object_type: 'deals' })).job).toMatchObject({ state, error });
    }
    await world.database.rows('delete from workspace_records.files');
  });

  test('of many pieces is whole', async () => {
    await world.database.rows(
      `insert into ws_acme.companies (id, name, created_by_user_id)
        select gen_random_uuid(), repeat('x', 400) || n, 1 from generate_series(1, 8000) n`,
    );
    const { job, download } = await exported(ada, { object_type: 'companies', fields: ['name'] });
    expect(job.counts.bytes).toBe(download.text.length);
    expect(download.text.length).toBeGreaterThan(3_000_000);
    const names = download.text.split('\n').slice(1, -1);
    expect(new Set(names).size).toBe(8000);
  });
});
