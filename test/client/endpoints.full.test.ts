// The client against the running service: every endpoint by its own call, pages to the end, filters and
// errors as the service means them.

import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Client,
  createClient,
  earlier,
  type Filter,
  isRecordsError,
} from '../../packages/client/src/index.ts';
import { ROUTES } from '../../src/api/index.ts';
import { openAuthenticator } from '../authenticator.ts';
import { codeNow } from '../factor-world.ts';
import { ACME, GATED_ACME, openWorldWith, type World } from '../world.ts';
import { clientInPage, clientOf } from './client-world.ts';
import type { Noted } from './guarded-fetch.ts';

const OPERATOR_KEY = 'operator-key-of-the-tests-0123456789';
let world: World;
let ada: Client;
let noted: readonly Noted[];

const WORK = {
  ...ACME,
  workflows: {
    ...ACME.workflows,
    work: { name: 'Work', initial: 'todo', statuses: { todo: { name: 'To do' } } },
  },
  work_item_types: { task: { name: 'Task', prefix: 'TASK', workflow: 'work' } },
};

beforeAll(async () => {
  world = await openWorldWith(GATED_ACME, { OPERATOR_KEY, OAUTH: 'on' });
  ({ client: ada, noted } = await clientOf(world, 'ada'));
});
afterAll(() => world?.close());

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Files, jobs and the audit. */
async function transfer(): Promise<void> {
  const file = await ada.files.send(new Blob(['name\nSent\n']), { name: 'sent.csv' });
  expect(file).toMatchObject({ name: 'sent.csv', format: 'csv', bytes: 10 });
  const reading = await ada.imports.read({ file_id: file.id });
  expect(reading).toMatchObject({ columns: [{ heading: 'name' }] });
  const mapping = { object_type: 'companies', match: ['name'] };
  const job = await ada.imports.start({ file_id: file.id, mapping, dry_run: true });
  expect(await ada.jobs.get(job.id)).toMatchObject({ kind: 'import', about: { dry_run: true } });
  await expect(ada.imports.rejects(job.id)).rejects.toMatchObject({ code: 'record_not_found' });
  await expect(ada.files.upload('x')).rejects.toMatchObject({ code: 'permission_denied' });
  const place = { objectType: 'deals', recordId: job.id, field: 'name', fileId: file.id };
  await expect(ada.files.download(place)).rejects.toMatchObject({ code: 'record_not_found' });
  const records = [{ object_type: 'companies', id: '01900000-0000-7000-8000-000000000000' }];
  const erasure = await ada.erasures.start({ records, dry_run: true });
  expect(erasure).toMatchObject({ kind: 'erasure', about: { record_count: 1, dry_run: true } });
  await ada.jobs.cancel(erasure.id);
  const exported = await ada.exports.start({ object_type: 'companies' });
  await expect(ada.exports.file(exported.id)).rejects.toMatchObject({ code: 'conflict' });
  const archive = await ada.exports.workspace();
  expect(archive).toMatchObject({ kind: 'workspace_export', state: 'queued', about: {} });
  await ada.jobs.cancel(archive.id);
  expect((await collect(ada.jobs.all({ state: 'queued' }))).map(({ id }) => id)).toEqual([
    exported.id,
    job.id,
  ]);
  const waiting = ada.jobs.get(job.id, { wait: 30, timeout: 1000 });
  expect((await ada.jobs.cancel(job.id)).state).toBe('cancelled');
  expect((await waiting).state).toBe('cancelled');
  const [entry] = (await ada.audit.list({ subject_id: job.id, limit: 1 })).data;
  expect(entry).toMatchObject({ subject_type: 'job', action: 'cancel' });
  expect(await collect(ada.audit.all({ subject_id: job.id, action: 'cancel' }))).toEqual([entry]);
}

/** The routes that were called. */
function askedOf(requests: readonly Noted[]): ReadonlySet<string> {
  return new Set(
    requests.flatMap(({ method, path }) => {
      const bare = path.replace(/\?.*/, '');
      const found = ROUTES.filter((route) => {
        const pattern = new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
        return route.method === method && pattern.test(bare);
      });
      return found.slice(-1).map(({ operationId }) => operationId);
    }),
  );
}

test('every route has a call, and every call is answered', async () => {
  const companies = ada.records('companies');
  const deals = ada.records('deals');
  const me = await ada.me();
  expect(me.user).toMatchObject({ id: world.users.ada, name: 'Ada' });
  expect((await ada.users.list({ include_inactive: true, q: 'zed' })).data).toHaveLength(1);
  expect((await collect(ada.users.all({ limit: 2 }))).length).toBeGreaterThan(5);
  expect((await ada.users.get(world.users.mia)).name).toBe('Mia');
  expect((await ada.teams.list()).map(({ name }) => name)).toContain('North');
  expect((await ada.objects.list()).map((one) => one.object_type)).toContain('boats');
  const { fields, workflow } = await ada.objects.get('deals');
  expect(fields.map(({ key }) => key)).toContain('amount');
  expect((await ada.workflows.get(String(workflow?.id))).name).toBe('Pipeline');
  expect(Object.keys((await ada.openApi()).paths as object)).toContain('/objects/boats/records');

  const company = await companies.create({ name: 'Müller & Söhne', custom_fields: { score: 3 } });
  const deal = await deals.create({ name: 'First', amount: 5 });
  expect(await companies.bundle(company.id)).toMatchObject({
    ...{ complete: true, record: { id: company.id, fields: { name: 'Müller & Söhne' } } },
    ...{ comments: { data: [], has_more: false }, history: { data: [], has_more: false } },
  });
  expect(company.fields).toMatchObject({ name: 'Müller & Söhne', custom_fields: { score: 3 } });
  expect(await companies.get(company.id)).toMatchObject({
    id: company.id,
    display: company.display,
  });
  await companies.update(company.id, { tier: 'gold' });
  const past = { revision: 1, fields: ['tier'] };
  expect(await companies.restoreDryRun(company.id, past)).toEqual([
    { field: 'tier', old: 'gold', new: null },
  ]);
  expect((await companies.restore(company.id, past)).fields).toMatchObject({ tier: null });
  expect((await companies.history(company.id, { limit: 1 })).data).toMatchObject([{ revision: 3 }]);
  expect(await collect(companies.historyAll(company.id))).toHaveLength(2);
  const renamed = await deals.update(deal.id, { amount: 6 }, { version: String(deal.version) });
  expect(renamed.fields).toMatchObject({ name: 'First', amount: 6, status: 'open' });
  expect((await deals.status(deal.id, 'won')).status).toBe('won');
  expect((await deals.list({ filters: { amount: 6 } })).data).toHaveLength(1);
  expect((await deals.search({ query: 'fir' })).data).toHaveLength(1);
  const metrics = [{ name: 'total', op: 'sum', field: 'amount' }] as const;
  expect((await deals.aggregate({ metrics })).data).toEqual([{ total: 6 }]);
  const where = { field: 'amount', op: 'between', value: [5, 7] } as const;
  const answered = await deals.query({ where, count: 'exact', expand: ['owner_user_id'] });
  expect(answered).toMatchObject({
    data: [{ display: deal.display, expanded: { owner_user_id: { name: 'Ada' } } }],
    count: { value: 1, relation: 'exact' },
  });
  expect(await collect(deals.queryAll({ where }))).toHaveLength(1);
  const both = await ada.query([
    { object_type: 'deals', where },
    { object_type: 'companies', limit: 1 },
  ]);
  expect(both.map(({ data }) => data[0]?.object_type)).toEqual(['deals', 'companies']);
  const group_by = [{ field: 'created_at', by: 'year' }] as const;
  const grouped = { where, group_by, metrics };
  expect((await deals.aggregateQuery(grouped)).data).toEqual([
    { 'created_at:year': `${deal.created_at?.slice(0, 4)}-01-01`, total: 6 },
  ]);
  expect(await collect(deals.aggregateQueryAll(grouped))).toHaveLength(1);
  const kept = await ada.views.create({ object_type: 'deals', name: 'Fives', query: { where } });
  expect(await ada.views.get(kept.id)).toEqual(kept);
  const copied = await ada.views.copy(kept.id, { name: 'Copy' });
  expect(copied).toMatchObject({ name: 'Copy', shared: 'private', query: kept.query });
  const shownAs = { kind: 'calendar', group_by: 'created_at' } as const;
  await ada.views.update(copied.id, shownAs);
  expect((await ada.views.feed(copied.id)).view_id).toBe(copied.id);
  await ada.views.delete(copied.id);
  const said = await ada.views.update(kept.id, { name: 'Some' }, { version: kept.version });
  const order = { object_type: 'deals', view_ids: [kept.id], default_view_id: kept.id };
  expect(await ada.views.order(order)).toEqual(order);
  expect((await ada.views.list({ limit: 1 })).data).toEqual([{ ...said, is_default: true }]);
  expect(await collect(ada.views.all({ object_type: 'deals', kind: 'table' }))).toHaveLength(1);
  expect(await collect(ada.views.all({ kind: 'report' }))).toEqual([]);
  const counted = { object_type: 'deals', metrics: [{ name: 'deals', op: 'count' }] } as const;
  const [all] = await ada.aggregate([counted]);
  expect(all?.data).toEqual([{ deals: expect.any(Number) }]);
  const { object_type: _, ...query } = counted;
  const report = { object_type: 'deals', name: 'Count', kind: 'report', chart: 'number' } as const;
  const shown = await ada.views.create({ ...report, query });
  const tiles = [{ view_id: shown.id, width: 1 }];
  const boats = ada.records('boats');
  const { id: owner } = await companies.create({ name: 'Owner' });
  const sunk = await boats.create({ name: 'Sunk', company_id: owner });
  await boats.delete(sunk.id);
  const [gone, ...others] = (await boats.deleted({ q: 'sunk' })).data;
  expect([gone?.display, others]).toEqual(['Sunk', []]);
  const raised = await boats.restoreDeleted(sunk.id);
  expect(raised.record.fields).toMatchObject({ name: 'Sunk', company_id: owner });
  expect(raised.not_restored).toEqual({ links: 0, references: 0, fields: [] });
  await boats.delete(sunk.id);
  await boats.purge(sunk.id);
  const [single, twin] = [
    await boats.create({ name: 'Twin', company_id: owner }),
    await boats.create({ name: 'TWIN', company_id: owner }),
  ];
  const merged = {
    from: [{ id: twin.id, expected_version: String(twin.version) }],
    take: { name: twin.id },
  };
  expect((await boats.mergeDryRun(single.id, merged)).changes).toEqual([
    { field: 'name', old: 'Twin', new: 'TWIN' },
  ]);
  const done = await boats.merge(single.id, merged);
  expect(done.merged).toEqual([twin.id]);
  expect((await boats.unmerge(single.id, { merge: done.merge })).restored).toEqual([twin.id]);
  const doubles = await boats.findDuplicates();
  expect((await boats.duplicates(doubles.id)).data).toEqual([]);
  await ada.jobs.cancel(doubles.id);
  expect(await collect(boats.allDeleted())).toEqual([]);
  const board = await ada.dashboards.create({ name: 'Sales', tiles });
  expect(board).toMatchObject({ shared: 'private', tiles, views: [{ id: shown.id }] });
  expect(await ada.dashboards.get(board.id)).toEqual(board);
  const { version } = board;
  expect((await ada.dashboards.update(board.id, { name: 'All' }, { version })).name).toBe('All');
  expect(await collect(ada.dashboards.all())).toHaveLength(1);
  await ada.dashboards.delete(board.id);
  await ada.views.delete(shown.id);
  await ada.views.delete(kept.id);
  const [created] = await deals.batch([{ action: 'create', fields: { name: 'Second' } }]);
  expect(created).toMatchObject({ action: 'create', status: 'succeeded' });
  const [checked] = await ada.batchDryRun([
    { action: 'update', object_type: 'deals', id: String(created?.id), fields: { name: 'Never' } },
  ]);
  expect(checked?.id).toBe(created?.id);
  expect((await deals.get(String(created?.id))).display).toBe('Second');
  const [ordered, line] = await ada.batch([
    { action: 'create', object_type: 'companies', fields: { name: 'Ordered' } },
    { action: 'create', object_type: 'boats', fields: { name: 'Line', company_id: earlier(0) } },
  ]);
  expect(line).toMatchObject({ action: 'create', object_type: 'boats', status: 'succeeded' });
  const lines = await companies.linked(String(ordered?.id), 'inv.boats.company_id');
  expect(lines.data.map(({ id }) => id)).toEqual([line?.id]);
  const second = { field: 'name', op: 'eq', value: 'Second' } as const;
  const change = { where: second, action: 'update', fields: { amount: 2 } } as const;
  const { count, records } = await deals.bulkDryRun(change);
  expect([count, records.map(({ id }) => id)]).toEqual([1, [created?.id]]);
  const job = await deals.bulk({ ...change, expected_count: count });
  expect(job).toMatchObject({ kind: 'bulk', state: 'queued' });
  expect((await ada.jobs.cancel(job.id)).state).toBe('cancelled');

  const link = { id: deal.id, association: 'ref.company_id', target: company.id };
  expect(await deals.link(link)).toMatchObject({ linked: true });
  expect((await deals.relationships(deal.id)).map(({ id }) => id)).toContain('ref.company_id');
  const linked = await deals.linked(deal.id, 'ref.company_id');
  expect(linked).toMatchObject({ object_type: 'companies', data: [{ id: company.id }] });
  expect(await collect(companies.linkedAll(company.id, 'inv.deals.company_id'))).toHaveLength(1);
  expect(await deals.unlink(link)).toMatchObject({ linked: false });

  const mention_user_ids = [world.users.mia];
  expect(await companies.comments(company.id).mentionable('mi')).toMatchObject([{ name: 'Mia' }]);
  const comment = await companies.comments(company.id).create('Hello', { mention_user_ids });
  expect((await companies.comments(company.id).list({ order: 'asc' })).data).toEqual([comment]);
  expect(await collect(companies.comments(company.id).all())).toEqual([comment]);
  const { client: mia, noted: ofMia } = await clientOf(world, 'mia');
  const [notification] = await collect(mia.notifications.all({ unread: true }));
  expect(notification).toMatchObject({ comment_id: comment.id, read_at: null });
  const read = await mia.notifications.read(String(notification?.id));
  expect(read.read_at).not.toBeNull();
  expect((await mia.notifications.list({ unread: true })).data).toEqual([]);
  const { mail, kinds } = await mia.notifications.settings();
  expect([mail, kinds.mention]).toEqual(['at_once', { list: true, mail: true }]);
  const hourly = { mail: 'hourly', kinds: { mention: { mail: false } } } as const;
  expect(await mia.notifications.updateSettings(hourly)).toMatchObject({
    mail: 'hourly',
    kinds: { mention: { list: true, mail: false } },
  });
  const mias = mia.records('companies');
  expect(await mias.isFollowing(company.id)).toBe(false);
  expect(await mias.follow(company.id)).toBe(true);
  expect(await mias.unfollow(company.id)).toBe(false);

  const ofRequests = await askAndDecide();
  const { revision, document } = await ada.definition.get();
  const input = { patch: (await ada.definition.get({ form: 'patch' })).patch ?? {} };
  const plan = await ada.definition.plan(input);
  expect(plan).toMatchObject({ revision, changes: [], problems: [] });
  expect(await ada.definition.apply(plan, input)).toEqual({ revision, changes: [] });
  const [newest] = await collect(ada.definition.revisions.all({ limit: 1 }));
  expect(newest).toMatchObject({ revision, in_force: true });
  expect((await ada.definition.revisions.get(revision)).document).toEqual(document);
  await expect(ada.definition.apply({ ...plan, plan_id: null }, input)).rejects.toThrow(TypeError);

  expect((await ada.search('muller')).map(({ id }) => id)).toEqual([company.id]);
  const stream = ada.events.stream();
  const first = stream.next();
  let amount = 6;
  const isOpen = () => noted.some(({ path }) => path === '/events/stream');
  await expect.poll(isOpen).toBe(true);
  await expect
    .poll(async () => {
      amount += 1;
      await deals.update(deal.id, { amount });
      return Promise.race([first.then(() => true), new Promise((end) => setTimeout(end, 50))]);
    })
    .toBe(true);
  expect((await first).value).toMatchObject({
    event: 'record.updated',
    data: { record_id: deal.id },
  });
  await stream.return();
  const [changes] = await collect(ada.changes({ since: new Date(), wait: 0 }));
  expect(changes?.cursor).toMatch(/^\S+$/);
  expect(await deals.delete(deal.id)).toEqual({
    id: deal.id,
    object_type: 'deals',
    deleted: true,
  });
  await administer();
  await callWebhooks();
  await transfer();
  const operator = await clientOf(world, 'ada', { apiKey: OPERATOR_KEY });
  expect((await operator.client.createWorkspace({ slug: 'quay' })).revision).toBe(1);
  const ofOthers = [...ofMia, ...ofRequests, ...operator.noted, ...(await callInPage())];
  const asked = askedOf([...noted, ...ofOthers]);
  // Browsers, and programs of mail and calendars, go to those by themselves.
  const called = ROUTES.filter(
    ({ status, path, feed }) => status !== 303 && feed !== true && path !== '/mail/unsubscribe',
  ).map(({ operationId }) => operationId);
  expect(called.filter((id) => !asked.has(id))).toEqual([]);
});

/** Rob asks, Mia decides. */
async function askAndDecide(): Promise<readonly Noted[]> {
  const { client: rob, noted: ofRob } = await clientOf(world, 'rob');
  const { client: mia, noted: ofMia } = await clientOf(world, 'mia');
  const asked = async () => {
    const { id } = await rob.records('deals').create({ name: 'Lost' });
    await rob.records('deals').status(id, 'lost');
    return rob.records('deals').requestStatus(id, 'won', { comment: 'They called' });
  };
  const [first, second, third] = [await asked(), await asked(), await asked()];
  expect((await mia.statusRequests.list({ approver: 'me', limit: 2 })).data).toHaveLength(2);
  expect(await collect(rob.statusRequests.all({ requested_by: 'me' }))).toHaveLength(3);
  expect(await mia.statusRequests.get(first.id)).toMatchObject({ can_decide: true });
  const approved = await mia.statusRequests.approve(first.id, { comment: 'Good' });
  expect(approved).toMatchObject({ state: 'approved', approvals: { given: 1, required: 1 } });
  expect((await mia.statusRequests.reject(second.id)).state).toBe('rejected');
  expect((await rob.statusRequests.withdraw(third.id)).state).toBe('withdrawn');
  return [...ofRob, ...ofMia];
}

async function callInPage(): Promise<readonly Noted[]> {
  const { client, noted: ofPage } = await clientInPage(world, 'ada');
  const { sessions } = client;
  expect(await sessions.methods('acme')).toMatchObject({ providers: [], mail: false });
  const form = { workspace: 'acme', email: 'rob@acme.example' };
  await expect(sessions.mailLink(form)).rejects.toMatchObject({ code: 'permission_denied' });
  expect((await sessions.me()).user.name).toBe('Ada');
  expect(await sessions.setPassword({ password: 'a password of Ada' })).toBe(0);
  const { url } = await sessions.link(Number(world.users.rob));
  const token = new URL(url).hash.slice(1);
  const [link] = await sessions.links(Number(world.users.sam));
  expect(link).toBeUndefined();
  await sessions.link(Number(world.users.sam));
  const [made] = await sessions.links(Number(world.users.sam));
  await sessions.revokeLink(Number(world.users.sam), made?.id ?? '');
  expect((await sessions.list()).filter(({ current }) => current)).toHaveLength(1);
  expect((await client.viewing.start(world.users.rob)).user.name).toBe('Rob');
  await client.viewing.stop();
  await callOauth(client);
  await callSecondFactor(client);
  expect(await sessions.signOut()).toMatchObject({ ended: true });
  expect((await sessions.signIn({ token })).user.name).toBe('Rob');
  return ofPage;
}

/** Codes are set up and removed; the host of the tests is an address, so there are no passkeys. */
async function callSecondFactor({ secondFactor }: Client): Promise<void> {
  const { secret } = await secondFactor.beginCodes();
  const { recovery_codes } = await secondFactor.confirmCodes(codeNow(secret));
  expect(recovery_codes).toHaveLength(10);
  expect((await secondFactor.makeRecoveryCodes()).recovery_codes).toHaveLength(10);
  await secondFactor.removeCodes();
  expect(await secondFactor.get()).toMatchObject({ code: null, passkeys: [], recovery_codes: 0 });
  const { challenge } = await secondFactor.beginSignIn('acme');
  await expect(secondFactor.beginPasskey()).rejects.toMatchObject({ code: 'conflict' });
  const credential = openAuthenticator('localhost').create(challenge, {
    origin: 'http://localhost',
  });
  const passkey = { challenge, name: 'Phone', credential } as never;
  await expect(secondFactor.addPasskey(passkey)).rejects.toMatchObject({
    code: 'validation_failed',
  });
  const absent = { code: 'record_not_found' };
  const id = '00000000-0000-7000-8000-000000000000';
  await expect(secondFactor.removePasskey(id)).rejects.toMatchObject(absent);
  await expect(secondFactor.reset(Number(world.users.rob))).rejects.toMatchObject({
    code: 'conflict',
  });
}

/** A client of a program that is entered, gets access and is switched off. */
async function callOauth({ oauth }: Client): Promise<void> {
  const redirect_uri = 'https://agent.example/callback';
  const entered = { name: 'ERP', redirect_uris: [redirect_uri], confidential: true };
  const { client_id, client_secret } = await oauth.enter(entered);
  expect(client_secret).toEqual(expect.any(String));
  const code_challenge = 'x'.repeat(43);
  const query = new URLSearchParams({
    ...{ client_id, redirect_uri, response_type: 'code' },
    ...{ code_challenge, code_challenge_method: 'S256' },
  }).toString();
  const { digest } = await oauth.read(query);
  expect(await oauth.grant({ query, digest, write: false, days: 1 })).toMatch(/[?]code=/);
  await oauth.switch({ client_id, enabled: false });
  expect(await oauth.clients()).toMatchObject([{ client_id, enabled: false, grants: 0 }]);
}

/** The process of this test sends no webhooks. */
async function callWebhooks(): Promise<void> {
  const { webhooks } = ada;
  const made = await webhooks.create({ url: 'https://a.example/', events: ['record.*'] });
  expect(made.secret).toMatch(/^whsec_/);
  expect((await webhooks.list({ limit: 1 })).data.map(({ id }) => id)).toEqual([made.id]);
  expect(await collect(webhooks.all())).toHaveLength(1);
  expect(await webhooks.get(made.id)).toMatchObject({ url: made.url, state: 'active' });
  const paused = await webhooks.update(made.id, { active: false }, { version: made.version });
  expect(paused.state).toBe('paused');
  expect((await webhooks.rotateSecret(made.id)).secret).not.toBe(made.secret);
  expect((await webhooks.rotateSecret(made.id, { overlap_hours: 0 })).secret_state).toBe('set');
  await webhooks.update(made.id, { active: true });
  const deliveries = webhooks.deliveries(made.id);
  const [ping] = await collect(deliveries.all({ type: 'ping' }));
  expect((await deliveries.replay(String(ping?.id))).state).toBe('pending');
  expect((await deliveries.list()).data.length).toBeGreaterThan(0);
  const job = await webhooks.replay(made.id, { since: '2026-01-01' });
  expect((await ada.jobs.cancel(job.id)).state).toBe('cancelled');
  await expect(webhooks.test(made.id, { timeout: 500 })).rejects.toMatchObject({
    code: 'timed_out',
  });
  await webhooks.delete(made.id);
}

/** The actions of administrators; the only trace is an inactive person. */
async function administer(): Promise<void> {
  const role = await ada.roles.create({ key: 'clerk', objects: { deals: { read: 'own' } } });
  expect((await ada.roles.list()).map(({ key }) => key)).toContain(role.key);
  const changed = await ada.roles.update('clerk', { objects: { deals: { read: 'team' } } });
  expect(changed.objects.deals?.read).toBe('team');
  const person = await ada.users.create({ email: 'nia@acme.example', name: 'Nia' });
  const team = await ada.teams.create({ name: 'East' });
  expect((await ada.teams.update(team.id, { name: 'Far East' })).name).toBe('Far East');
  const placed = await ada.users.setTeams(person.id, [team.id]);
  expect(placed.teams).toEqual([{ id: team.id, name: 'Far East' }]);
  expect((await ada.members.list({ team_id: team.id, active: true })).data).toHaveLength(1);
  expect((await collect(ada.members.all({ limit: 4 }))).length).toBeGreaterThan(5);
  expect((await ada.members.get(person.id)).sign_in.password).toBe(false);
  await ada.teams.delete(team.id);
  const key = await ada.keys.create({ name: 'One', user_id: person.id, scopes: [] });
  expect(key.secret).toMatch(/^wrs_p_/);
  expect((await ada.keys.update(key.id, { name: 'Two' })).name).toBe('Two');
  expect((await ada.keys.revoke(key.id)).revoked_at).not.toBeNull();
  const query = { user_id: person.id, include_revoked: true };
  expect((await collect(ada.keys.all(query))).map(({ name }) => name)).toEqual(['Two']);
  expect((await ada.access({ user_id: person.id })).developer).toEqual({
    allowed: false,
    roles: [],
  });
  expect((await ada.users.update(person.id, { active: false })).active).toBe(false);
  await ada.roles.delete('clerk');
}

test('all pages, in order and once', async () => {
  const boats = ada.records('readings');
  const created = await boats.batchAll(
    Array.from({ length: 230 }, (_, index) => {
      return { action: 'create', fields: { value: index } } as const;
    }),
  );
  expect(created).toHaveLength(230);
  expect(noted.filter(({ path }) => path.endsWith('/readings/records/batch'))).toHaveLength(3);
  const query = { fields: ['value'], sort: ['-value'] } as const;
  const values = (await collect(boats.all(query))).map(({ fields }) => fields.value);
  expect(values).toEqual(Array.from({ length: 230 }, (_, index) => 229 - index));
  expect(noted.filter(({ path }) => path.includes('/readings/records?'))).toHaveLength(3);
  const pages = await collect(boats.pages({ limit: 90 }));
  expect(pages.map(({ data }) => data.length)).toEqual([90, 90, 50]);
  expect(pages[0]?.data[0]).not.toHaveProperty('fields');
  const groups = ada.records('readings').aggregateAll({
    group_by: ['value'],
    metrics: [{ name: 'count', op: 'count' }],
  });
  expect(await collect(groups)).toHaveLength(230);
});

test('filters mean the same in both forms, whatever is in the values', async () => {
  const companies = ada.records('companies');
  const names = ['a,b', 'say "x"', '"', 'plain & simple=?#%', '{eq:1}', 'null', 'ümlaut,"', '[x]'];
  await companies.batch(names.map((name) => ({ action: 'create', fields: { name } })));
  const found = async (filter: Filter) => {
    const filters = { name: filter };
    const byQuery = await companies.list({ filters, fields: ['name'], sort: ['name'], limit: 50 });
    const sort = [{ field: 'name' }];
    const byBody = await companies.search({ filters, fields: ['name'], sort, limit: 50 });
    expect(byQuery.data).toEqual(byBody.data);
    return byQuery.data.map(({ fields }) => fields.name);
  };
  expect(await found({ in: names })).toEqual(names.toSorted(new Intl.Collator('en').compare));
  for (const name of names) {
    expect(await found({ eq: name })).toEqual([name]);
    expect((await companies.list({ filters: { name } })).data).toHaveLength(1);
  }
  expect(await found({ gte: 'say', lt: 'sb' })).toEqual(['say "x"']);
  expect((await companies.list({ filters: { name: null } })).data).toEqual([]);
  expect((await companies.list({ filters: { name: { is_null: false } } })).data).not.toEqual([]);
});

test('a query too long for a query string is sent as a body, on all pages', async () => {
  const companies = ada.records('companies');
  const before = noted.length;
  const filters = { name: { in: Array.from({ length: 99 }, (_, n) => 'x'.repeat(100) + n) } };
  await companies.batch(
    ['1', '2', '3'].map((n) => ({ action: 'create', fields: { name: 'x'.repeat(100) + n } })),
  );
  const query = { filters, fields: ['name'], sort: ['-name'], q: 'xx', limit: 2 } as const;
  const records = await collect(companies.all(query));
  expect(records.map(({ fields }) => String(fields.name).slice(-1))).toEqual(['3', '2', '1']);
  const sent = noted.slice(before + 1).map(({ method, path }) => `${method} ${path}`);
  const search = 'POST /objects/companies/records/search';
  expect(sent).toEqual([search, search]);
});

test('errors have the message of the service', async () => {
  const deals = ada.records('deals');
  const failed = await deals.create({ amount: -1, tags: ['x'] }).catch((error) => error);
  expect(isRecordsError(failed)).toBe(true);
  expect(isRecordsError(failed, 'invalid_write')).toBe(true);
  expect(isRecordsError(failed, 'conflict')).toBe(false);
  expect(failed).toBeInstanceOf(Error);
  expect(failed).toMatchObject({
    name: 'RecordsError',
    status: 422,
    code: 'invalid_write',
    type: 'invalid_request_error',
    requestId: expect.stringMatching(/^req_/),
    outcomeUnknown: false,
  });
  const params = failed.details.errors.map(({ param }: { readonly param: string }) => param);
  expect(params.toSorted()).toEqual(['fields.amount', 'fields.name', 'fields.tags']);
  const deal = await deals.create({ name: 'Versioned' });
  await deals.update(deal.id, { amount: 1 });
  const version = String(deal.version);
  for (const late of [
    () => deals.update(deal.id, { amount: 2 }, { version }),
    () => deals.status(deal.id, 'won', { version }),
    () => deals.delete(deal.id, { version }),
  ]) {
    await expect(late()).rejects.toMatchObject({ code: 'stale_record', status: 412 });
  }
  const { client: stranger } = await clientOf(world, 'rob', { scopes: [] });
  const denied = { code: 'insufficient_scope', type: 'permission_error' };
  await expect(stranger.objects.list()).rejects.toMatchObject(denied);
  const unused = ada.records('deals').get('01900000-0000-7000-8000-000000000000');
  await expect(unused).rejects.toMatchObject({ code: 'record_not_found', status: 404 });
});

test('a part of a path never leads to another route', async () => {
  const deals = ada.records('deals');
  const { id } = await deals.create({ name: 'Kept' });
  for (const dots of ['..', '.', '']) {
    const link = { id, association: dots, target: dots };
    await expect(deals.unlink(link)).rejects.toThrow(TypeError);
    await expect(deals.delete(dots)).rejects.toThrow(TypeError);
  }
  await expect(deals.get('a/../../x')).rejects.toMatchObject({ code: 'record_not_found' });
  expect((await deals.get(id)).id).toBe(id);
});

test('of parts of a batch those before the failing one stay, and the error lists them', async () => {
  const boats = ada.records('deals');
  const operation = (name: string | null) => ({ action: 'create', fields: { name } }) as const;
  const operations = ['p1', 'p2', 'p3', null, 'p5'].map(operation);
  const idempotencyKey = 'all-of-them';
  const failed = await boats.batchAll(operations, { size: 2, idempotencyKey }).catch((e) => e);
  expect(failed).toMatchObject({ code: 'invalid_write', completed: [{}, {}] });
  expect(failed.details.errors[0]).toMatchObject({ operation_index: 1 });
  const again = [...operations.slice(0, 3), ...['p4', 'p5'].map(operation)];
  const results = await boats.batchAll(again, { size: 2, idempotencyKey });
  expect(results.slice(0, 2)).toEqual(failed.completed);
  const { data } = await boats.list({ filters: { name: { in: ['p1', 'p2', 'p3', 'p4', 'p5'] } } });
  expect(data).toHaveLength(5);
  await expect(boats.batchAll(operations, { size: 101 })).rejects.toThrow(RangeError);
});

test('a client is refused an address or a key that can be none', () => {
  expect(() => createClient({ baseUrl: 'records.example/v1', apiKey: 'k' })).toThrow('baseUrl');
  const wrong = () => createClient({ baseUrl: 'http://a/v1', apiKey: 'hidden secret\n' });
  expect(wrong).toThrow('apiKey must be visible ASCII characters');
});

test('work items are records like others', async () => {
  await world.apply(WORK);
  const items = ada.records('work_items');
  const parent = await items.create({ title: 'Parent', work_item_type_id: 'task' });
  expect(parent).toMatchObject({ public_id: 'TASK-1', work_item_type_id: 'task', status: 'todo' });
  const operation = { action: 'upsert', target: 'task', match: { title: 'Child' } } as const;
  const [child] = await items.batch([
    { ...operation, fields: { parent_work_item_id: parent.id, work_item_type_id: 'task' } },
  ]);
  expect(child).toMatchObject({ created: true });
});
