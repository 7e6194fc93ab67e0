// The definition over HTTP: reading it, planning another one, applying the plan, going back. People of every kind of
// right send the requests; a digest of all tables shows the effect of a failure.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getDefinition } from '../../src/api/definitions/definition-routes.ts';
import { applyingDefinitions } from '../../src/cli/service/applying-definitions.ts';
import { openLease } from '../../src/control/jobs/job-lease.ts';
import { APPLY_JOBS, runApplyJob } from '../../src/definitions/apply/definition-job.ts';
import { startJobs } from '../../src/flow/jobs/job-runner.ts';
import { mergePatch } from '../../src/model/definition/definition.ts';
import { SCOPES } from '../../src/model/rights/access.ts';
import type { Client } from '../client.ts';
import { until } from '../until.ts';
import { ACME, openWorld, type World } from '../world.ts';

let world: World;
const clients: Record<string, Client> = {};

beforeAll(async () => {
  world = await openWorld();
  for (const name of ['ada', 'mia', 'rob', 'bea', 'bot']) clients[name] = await world.as(name);
});
afterAll(() => world?.close());

const ada = () => clients.ada as Client;

const boats = (fields: unknown) => ({ objects: { boats: { fields } } });
const patchWith = (patch: unknown) => mergePatch(ACME, patch);

async function plan(patch: unknown) {
  const { status, body } = await ada().post('/definition/plan', { patch });
  expect(status).toBe(200);
  return body.data;
}

async function apply(patch: unknown, allow: readonly string[] = []) {
  const { plan_id, revision } = await plan(patch);
  return ada().post(
    '/definition/apply',
    { patch, plan_id, allow },
    { 'if-match': `"${revision}"` },
  );
}

/** Back to the definition of the world. */
async function restore(): Promise<void> {
  const { changes } = await plan(ACME);
  const losses = changes.flatMap(({ allow }: { allow: string | null }) => allow ?? []);
  await world.apply(ACME, losses);
}

describe('GET /definition', () => {
  test('an administrator sees all of it, with the revision as tag', async () => {
    const { status, headers, body } = await ada().get('/definition');
    expect(status).toBe(200);
    const { revision, complete, document } = body.data;
    expect(headers.get('etag')).toMatch(new RegExp(`^"${revision}\\.`));
    expect(complete).toBe(true);
    expect(document.objects.boats.fields.company_id.reference_object_type).toBe('companies');
    expect(Object.keys(document.roles)).toEqual(['admin', 'rep', 'manager', 'contractor', 'blind']);
    const again = await ada().get('/definition', { 'if-none-match': headers.get('etag') ?? '' });
    expect([again.status, again.body]).toEqual([304, undefined]);
    const patch = await ada().get('/definition?form=patch');
    expect(patch.body.data).toEqual({ revision, complete: true, patch: ACME });
  });

  test('it is read and printed once, for all callers', async () => {
    const headers = { authorization: `Bearer ${ada().secret}` };
    const answers = [];
    for (let time = 0; time < 2; time += 1) {
      answers.push(await world.invoke(getDefinition, { headers }));
    }
    const [first, next] = answers as { readonly body: { readonly data: object } }[];
    expect(first?.body.data).toBe(next?.body.data);
  });

  test('others see the parts they may read', async () => {
    const { body } = await (clients.rob as Client).get('/definition');
    const { complete, document } = body.data;
    expect(complete).toBe(false);
    expect(Object.keys(document.objects)).toEqual(['companies', 'deals', 'boats']);
    expect(document.objects.companies.fields).not.toHaveProperty('revenue');
    expect(document.objects.deals.fields).not.toHaveProperty('secret');
    expect(Object.keys(document.roles)).toEqual(['rep']);
    expect(document.roles.rep.objects.deals.fields).toEqual({ code: 'read' });
    expect(Object.keys(document.workflows)).toEqual(['pipeline']);
    expect(Object.keys(document.relationships)).toEqual([]);
    expect(document).not.toHaveProperty('users');
    expect(document).not.toHaveProperty('teams');
    const mia = (await (clients.mia as Client).get('/definition')).body.data.document;
    expect(Object.keys(mia.teams)).toEqual(['North', 'South']);
    expect(mia.users['ada@acme.example']).toEqual({
      name: 'Ada',
      title: 'Administrator',
      roles: [],
    });
    const bea = (await (clients.bea as Client).get('/definition')).body.data.document;
    expect(bea.objects.companies).not.toHaveProperty('display_field');
  });

  test('refusals', async () => {
    const form = await (clients.rob as Client).get('/definition?form=patch');
    expect([form.status, form.body.error.code]).toEqual([403, 'permission_denied']);
    const wrong = await ada().get('/definition?form=yaml');
    expect([wrong.status, wrong.body.error.param]).toEqual([400, 'form']);
    const others = SCOPES.filter((scope) => scope !== 'workspace:read');
    const poor = await (await world.as('ada', { scopes: others })).get('/definition');
    expect(poor.body.error).toMatchObject({
      code: 'insufficient_scope',
      details: { required_scope: 'workspace:read' },
    });
  });
});

describe('POST /definition/plan', () => {
  test('no change leaves no trace', async () => {
    const before = await world.digest();
    const planned = await plan(ACME);
    expect(planned).toMatchObject({ changes: [], problems: [] });
    expect(await world.digest()).toBe(before);
  });

  test('each change has its place, its effect on so many records, and the name that allows it', async () => {
    await ada().post('/objects/companies/records', { fields: { name: 'Ab' } });
    const before = await world.digest();
    const { changes, problems, plan_id } = await plan(
      patchWith({
        objects: {
          companies: { fields: { tier: null, name: { minLength: 3 }, size_m: { type: 'number' } } },
          readings: null,
        },
      }),
    );
    expect(problems).toEqual([]);
    expect(plan_id).toMatch(/^[\w-]{43}$/);
    expect(changes).toEqual([
      {
        path: 'objects.companies.fields.name',
        action: 'change',
        summary: '~ field companies.name (constraints)',
        effect: 'none',
        rows: 1,
        allow: null,
        expected_ms: 0,
      },
      expect.objectContaining({ path: 'objects.companies.fields.size_m', action: 'add', rows: 0 }),
      {
        path: 'objects.companies.fields.tier',
        action: 'remove',
        summary: '- field companies.tier (select, ends its history)',
        ends: 'tier',
        alters: true,
        effect: 'loses',
        rows: 0,
        allow: 'companies.tier',
        expected_ms: 0,
      },
      expect.objectContaining({ path: 'objects.readings', effect: 'loses', allow: 'readings' }),
    ]);
    expect(await world.digest()).toBe(before);
  });

  test('obstacles are reported with their place; then there is no plan', async () => {
    const bad = await plan(patchWith(boats({ name: { type: 'texte' }, Bad: { type: 'text' } })));
    expect(bad).toMatchObject({ plan_id: null, changes: [] });
    expect(bad.problems).toEqual([
      {
        path: 'objects.boats.fields.Bad',
        message: expect.stringContaining('not a possible key'),
      },
      {
        path: 'objects.boats.fields.name.type',
        message: expect.stringContaining('did you mean text?'),
      },
    ]);
    const refused = await plan(patchWith(boats({ name: { type: 'json' } })));
    expect(refused.problems[0].path).toMatch(/^objects\.boats\.(?:display_field|fields\.name)/);
  });

  test('values in the way are reported with their records', async () => {
    const { body } = await ada().post('/objects/companies/records', {
      fields: { name: 'Ace', custom_fields: { note: '12' } },
    });
    const other = await ada().post('/objects/companies/records', {
      fields: { name: 'Bee', custom_fields: { note: 'twelve' } },
    });
    const { problems, changes } = await plan(
      patchWith({ objects: { companies: { fields: { note: { type: 'integer' } } } } }),
    );
    expect(changes[0]).toMatchObject({
      effect: 'rewrites',
      path: 'objects.companies.fields.note',
      rows: 1,
    });
    expect(problems).toEqual([
      {
        path: 'objects.companies.fields.note',
        message: 'companies.note: values of 1 record cannot become integer',
        records: [{ id: other.body.data.id, value: 'twelve' }],
      },
    ]);
    for (const { id } of [body.data, other.body.data]) {
      await ada().delete(`/objects/companies/records/${id}`);
    }
  });

  test('a key that may not read records gets the counts, and neither records nor values', async () => {
    const narrow = await world.as('ada', { scopes: ['workspace:write'] });
    const patch = patchWith({ objects: { companies: { fields: { note: { type: 'integer' } } } } });
    const good = await plan(patch);
    const made = await ada().post('/objects/companies/records', {
      fields: { name: 'Bee', custom_fields: { note: 'twelve' } },
    });
    const problem = {
      path: 'objects.companies.fields.note',
      message: 'companies.note: values of 1 record cannot become integer',
    };
    const planned = await narrow.post('/definition/plan', { patch });
    expect(planned.body.data.problems).toEqual([problem]);
    const body = { patch, plan_id: good.plan_id, allow: [] };
    const sent = { 'if-match': `"${good.revision}"` };
    const refused = await narrow.post('/definition/apply', body, sent);
    expect(refused.status).toBe(422);
    const { path: param, message } = problem;
    expect(refused.body.error.details).toEqual({
      errors: [{ param, message, code: 'invalid_write' }],
    });
    expect(JSON.stringify([planned.body, refused.body])).not.toContain('twelve');
    const told = await ada().post('/definition/apply', body, sent);
    const { id } = made.body.data;
    expect(told.body.error.details.records).toEqual([{ id, value: 'twelve' }]);
    await ada().delete(`/objects/companies/records/${id}`);
  });

  test('a patch of additions is merged onto the one in force', async () => {
    const addition = { objects: { boats: { fields: { berth: { type: 'integer' } } } } };
    const body = { patch: addition, merge: true };
    const planned = (await ada().post('/definition/plan', body)).body.data;
    expect(planned.problems).toEqual([]);
    expect(planned.changes).toMatchObject([{ path: 'objects.boats.fields.berth', action: 'add' }]);
    const { plan_id, revision } = planned;
    const sent = { 'if-match': `"${revision}"` };
    const whole = await ada().post('/definition/apply', { patch: addition, plan_id }, sent);
    expect([whole.status, whole.body.error.param]).toEqual([422, 'plan_id']);
    const applied = await ada().post('/definition/apply', { ...body, plan_id }, sent);
    expect([applied.status, applied.body.data.changes.length]).toEqual([200, 1]);
    const { patch } = (await ada().get('/definition?form=patch')).body.data;
    expect(patch.objects.boats.fields).toEqual({
      ...ACME.objects.boats.fields,
      berth: { type: 'integer' },
    });
    const removal = { objects: { boats: { fields: { berth: null } } } };
    const gone = await ada().post('/definition/plan', { patch: removal, merge: true });
    expect(gone.body.data.changes).toMatchObject([{ action: 'remove', allow: 'boats.berth' }]);
    await restore();
  });

  test('people are merged too: as they are, with arrivals and departures', async () => {
    const patch = {
      users: {
        'new@acme.example': { name: 'New', roles: ['blind'] },
        'bea@acme.example': null,
      },
    };
    const { body } = await ada().post('/definition/plan', { patch, merge: true });
    const { problems, changes } = body.data;
    expect(problems).toEqual([]);
    expect(changes.map(({ summary }: { summary: string }) => summary).sort()).toEqual([
      '+ user new@acme.example (blind)',
      '~ user bea@acme.example (active)',
    ]);
  });

  test.each([
    { document: ACME, merge: true },
    { revision: 1, merge: true },
  ])('only a patch can be merged: %j', async (body) => {
    const { status, body: answer } = await ada().post('/definition/plan', body);
    expect([status, answer.error.code, answer.error.param]).toEqual([
      ...[400, 'validation_failed', 'merge'],
    ]);
  });

  test('a whole document and a revision are planned like a patch', async () => {
    const { document, revision } = (await ada().get('/definition')).body.data;
    for (const body of [{ document }, { revision }]) {
      const answer = await ada().post('/definition/plan', body);
      expect(answer.body.data).toMatchObject({ revision, changes: [], problems: [] });
    }
    const without = mergePatch(document, { objects: { readings: null } });
    const { body } = await ada().post('/definition/plan', { document: without });
    expect(body.data.changes).toMatchObject([{ allow: 'readings' }]);
  });

  test.each<[string, unknown, string | undefined]>([
    ['nothing', {}, 'document'],
    ['two of them', { patch: {}, document: {} }, 'document'],
    ['another property', { patch: {}, other: 1 }, 'other'],
    ['a list', { patch: [] }, 'patch'],
    ['a revision that is none', { revision: 0 }, 'revision'],
  ])('refused: %s', async (_, sent, param) => {
    const { status, body } = await ada().post('/definition/plan', sent);
    expect([status, body.error.code, body.error.param]).toEqual([400, 'validation_failed', param]);
  });

  test('only administrators, with the scope', async () => {
    for (const name of ['mia', 'rob']) {
      const { status, body } = await (clients[name] as Client).post('/definition/plan', {
        patch: {},
      });
      expect([status, body.error.code]).toEqual([403, 'permission_denied']);
    }
    const poor = await world.as('ada', { scopes: ['workspace:read'] });
    const { body } = await poor.post('/definition/plan', { patch: {} });
    expect(body.error.details.required_scope).toBe('workspace:write');
    const bot = await (clients.bot as Client).post('/definition/plan', { patch: {} });
    expect(bot.status).toBe(200);
    const gone = await ada().post('/definition/plan', { revision: 999 });
    expect([gone.status, gone.body.error.param]).toEqual([404, 'revision']);
  });

  test('20 objects with 50 fields each', async () => {
    const fields = Object.fromEntries(
      Array.from({ length: 50 }, (_, at) => [`f_${at}`, { type: 'text', maxLength: 100 }]),
    );
    const objects = Object.fromEntries(
      Array.from({ length: 20 }, (_, at) => [
        `things_${at}`,
        { name: 'Things', singular_name: 'Thing', fields },
      ]),
    );
    const { changes, problems } = await plan(patchWith({ objects }));
    expect(problems).toEqual([]);
    expect(changes).toHaveLength(20);
  });
});

describe('POST /definition/apply', () => {
  test('the plan is carried out, and the audit and the revision name the author', async () => {
    const { body: before } = await ada().get('/definition');
    const { status, headers, body } = await apply(
      patchWith(boats({ length_m: { type: 'number' } })),
    );
    expect(status).toBe(200);
    const revision = before.data.revision + 1;
    const changes = [
      {
        path: 'objects.boats.fields.length_m',
        action: 'add',
        summary: '+ field boats.length_m (number)',
      },
    ];
    expect(body.data).toEqual({ revision, changes });
    const [row] = await world.rows('select * from _audit order by at desc, id desc limit 1');
    expect(row).toMatchObject({
      user_id: world.users.ada,
      source: 'api',
      subject_type: 'definition',
      subject_id: 'objects.boats.fields.length_m',
      action: 'create',
      request_id: headers.get('x-request-id'),
      api_key_prefix: ada().secret.slice(0, 12),
    });
    const now = await ada().get('/definition');
    expect(now.body.data.revision).toBe(revision);
    expect(now.body.data.document.objects.boats.fields).toHaveProperty('length_m');
    const { body: kept } = await ada().get(`/definition/revisions/${revision}`);
    expect(kept.data).toMatchObject({
      revision,
      in_force: true,
      source: 'api',
      applied_by: { id: world.users.ada, name: 'Ada', email: 'ada@acme.example' },
      changes,
    });
    await restore();
  });

  test('without If-Match, with a stale one, with another plan', async () => {
    const patch = patchWith(boats({ length_m: { type: 'number' } }));
    const { plan_id, revision } = await plan(patch);
    const before = await world.digest();
    const sent = { patch, plan_id };
    const outcome = async (body: unknown, headers = {}) => {
      const { status, body: answer } = await ada().post('/definition/apply', body, headers);
      return [status, answer.error.code, answer.error.param];
    };
    expect(await outcome(sent)).toEqual([400, 'validation_failed', 'If-Match']);
    expect(await outcome(sent, { 'if-match': 'x' })).toEqual([
      400,
      'validation_failed',
      'If-Match',
    ]);
    const current = { 'if-match': `"${revision}"` };
    expect(await outcome(sent, { 'if-match': `"${revision - 1}"` })).toEqual([
      412,
      'stale_record',
      'If-Match',
    ]);
    expect(await outcome({ ...sent, plan_id: 'other' }, current)).toEqual([
      422,
      'invalid_write',
      'plan_id',
    ]);
    expect(await outcome({ ...sent, patch: ACME }, current)).toEqual([
      422,
      'invalid_write',
      'plan_id',
    ]);
    expect(await outcome({ patch }, current)).toEqual([400, 'validation_failed', 'plan_id']);
    expect(await outcome({ ...sent, allow: ['boats.name'] }, current)).toEqual([
      422,
      'invalid_write',
      'allow',
    ]);
    expect(await world.digest()).toBe(before);
  });

  test('each loss has to be named', async () => {
    const patch = patchWith({ objects: { readings: null, deals: { fields: { tags: null } } } });
    const before = await world.digest();
    const { status, body } = await apply(patch, ['readings']);
    expect([status, body.error.code]).toEqual([422, 'invalid_write']);
    expect(body.error.details.errors).toMatchObject([{ param: 'allow', loss: 'deals.tags' }]);
    expect(await world.digest()).toBe(before);
    expect((await apply(patch, ['readings', 'deals.tags'])).status).toBe(200);
    await restore();
  });

  test('of two with one revision one comes too late', async () => {
    const patches = ['a_one', 'a_two'].map((key) => patchWith(boats({ [key]: { type: 'text' } })));
    const plans = await Promise.all(patches.map(plan));
    const answers = await Promise.all(
      patches.map((patch, at) =>
        ada().post(
          '/definition/apply',
          { patch, plan_id: plans[at].plan_id },
          { 'if-match': `"${plans[at].revision}"` },
        ),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
    await restore();
  });

  test('only administrators, with the scope', async () => {
    const before = await world.digest();
    const sent = { patch: {}, plan_id: 'x' };
    const { status, body } = await (clients.mia as Client).post('/definition/apply', sent);
    expect([status, body.error.code]).toEqual([403, 'permission_denied']);
    const poor = await world.as('ada', { scopes: ['workspace:read'] });
    const { body: answer } = await poor.post('/definition/apply', sent);
    expect(answer.error.details.required_scope).toBe('workspace:write');
    expect(await world.digest()).toBe(before);
  });

  test('in a job when it takes long, or when the request says so', async () => {
    const patch = patchWith(boats({ mast: { type: 'text' } }));
    const { plan_id, revision } = await plan(patch);
    const headers = { 'if-match': `"${revision}"` };
    const sent = { patch, plan_id, background: true };
    const { status, body } = await ada().post('/definition/apply', sent, headers);
    expect([status, body.data.job.kind]).toEqual([202, 'apply_definition']);
    const second = await ada().post('/definition/apply', sent, headers);
    expect([second.status, second.body.error.code]).toEqual([409, 'conflict']);
    expect(await jobAfterRun(body.data.job.id)).toMatchObject({
      state: 'done',
      asked_by_user_id: world.users.ada,
      progress: { revision: revision + 1, changes: [{ path: 'objects.boats.fields.mast' }] },
    });
    const { body: kept } = await ada().get(`/definition/revisions/${revision + 1}`);
    expect(kept.data.applied_by.id).toBe(world.users.ada);
    await restore();
  });

  test('a job does the same as the request would, and changes since then end it', async () => {
    const patch = patchWith(boats({ mast: { type: 'text' } }));
    const begin = async () => {
      const { plan_id, revision } = await plan(patch);
      const headers = { 'if-match': `"${revision}"` };
      const sent = { patch, plan_id, background: true };
      return (await ada().post('/definition/apply', sent, headers)).body.data.job.id;
    };
    const roles = (name: string, value: string) =>
      world.rows(`update ws_acme._users set roles = $2 where id = $1`, [
        world.users[name as 'ada'],
        value,
      ]);
    // In the meantime: a key makes no administrator again of somebody who was unmade.
    const first = await begin();
    await roles('zed', '{}');
    expect(await jobAfterRun(first)).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('in a session, not with an API key'),
    });
    await roles('zed', '{admin}');
    const second = await begin();
    await roles('ada', '{manager}');
    expect(await jobAfterRun(second)).toMatchObject({
      state: 'failed',
      error: 'The person who started the job no longer has permission for it.',
    });
    await roles('ada', '{admin}');
    const third = await begin();
    await world.apply(patchWith({ name: 'Other' }));
    expect(await jobAfterRun(third)).toMatchObject({ state: 'failed', attempts: 1 });
    await restore();
  });
});

test('a process that dies after the change is in force: the next one finds it done', async () => {
  const { db } = world.database;
  const patch = patchWith(boats({ rudder: { type: 'text' } }));
  const { plan_id, revision } = await plan(patch);
  const headers = { 'if-match': `"${revision}"` };
  const sent = { patch, plan_id, background: true };
  const { body } = await ada().post('/definition/apply', sent, headers);
  const lease = await openLease(db, { kinds: [APPLY_JOBS] });
  if (lease === undefined) throw new Error('there is no job');
  await runApplyJob(db, lease.job, lease.signal, lease.report);
  lease.end('stopping');
  await world.database.rows(
    `update workspace_records.jobs set lease_until = now() - interval '1 second' where id = $1`,
    [body.data.job.id],
  );
  expect(await jobAfterRun(body.data.job.id)).toMatchObject({ state: 'done', attempts: 2 });
  expect((await ada().get('/definition')).body.data.revision).toBe(revision + 1);
  await restore();
});

/** The job, after a process that runs jobs has ended it. */
async function jobAfterRun(id: string) {
  const { db, listeners } = world.database;
  const jobs = await startJobs({
    db,
    listeners,
    kinds: [applyingDefinitions(db)],
    onError: (error) => {
      throw error;
    },
  });
  const load = async () =>
    (await world.database.rows('select * from workspace_records.jobs where id = $1', [id]))[0];
  await until(async () => ['done', 'failed'].includes(String((await load())?.state)));
  await jobs.stop();
  return load();
}

describe('revisions', () => {
  test('newest first, page by page, and back again', async () => {
    await apply(patchWith(boats({ keel: { type: 'text' } })));
    await apply(patchWith(boats({ keel: { type: 'text' }, sail: { type: 'text' } })));
    const { body: all } = await ada().get('/definition/revisions?limit=100');
    const numbers = all.data.map(({ revision }: { revision: number }) => revision);
    expect(numbers).toEqual([...numbers].sort((a, b) => b - a));
    expect(all.data[0]).toMatchObject({ in_force: true, source: 'api' });
    expect(all.data.at(-1)).toMatchObject({ revision: 1, in_force: false, source: 'cli' });
    const walked: number[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await ada().get(`/definition/revisions?limit=2&cursor=${cursor}`);
      walked.push(...body.data.map(({ revision }: { revision: number }) => revision));
      if (!body.pagination.has_more) break;
      cursor = body.pagination.next_cursor;
    }
    expect(walked).toEqual(numbers);
    const back = { revision: numbers[1] };
    const { body: planned } = await ada().post('/definition/plan', back);
    expect(planned.data.changes).toMatchObject([{ allow: 'boats.sail', rows: 0 }]);
    const { plan_id, revision } = planned.data;
    const answer = await ada().post(
      '/definition/apply',
      { ...back, plan_id, allow: ['boats.sail'] },
      { 'if-match': `"${revision}"` },
    );
    expect(answer.status).toBe(200);
    const { body: now } = await ada().get('/definition?form=patch');
    expect(now.data.patch.objects.boats.fields).not.toHaveProperty('sail');
    await restore();
  });

  test('refusals', async () => {
    for (const path of ['/definition/revisions', '/definition/revisions/1']) {
      const { status, body } = await (clients.mia as Client).get(path);
      expect([status, body.error.code]).toEqual([403, 'permission_denied']);
    }
    const missing = await ada().get('/definition/revisions/9999');
    expect([missing.status, missing.body.error.code]).toEqual([404, 'record_not_found']);
    expect((await ada().get('/definition/revisions/x')).status).toBe(404);
    const cursor = await ada().get('/definition/revisions?cursor=AAAA');
    expect([cursor.status, cursor.body.error.code]).toEqual([400, 'invalid_cursor']);
  });
});
