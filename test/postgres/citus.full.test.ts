// A PostgreSQL with Citus, or its double: the control schema stays, every workspace becomes a shard, and no statement
// of a request needs two servers.

import { Command } from 'commander';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { addWorkspacesCommand } from '../../src/cli/commands/workspace-commands.ts';
import { applyDefinition } from '../../src/definitions/apply/apply-definition.ts';
import { completeIndexes } from '../../src/definitions/apply/prepare/index-builds.ts';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import { deleteWorkspace, renameWorkspace } from '../../src/workspaces/workspace-lifecycle.ts';
import type { Client } from '../client.ts';
import { openEvents } from '../event-client.ts';
import {
  COMPUTING,
  catalogOf,
  exported,
  fillWorkspace,
  openSite,
  restored,
  type Site,
  tableDigests,
  workspaceOf,
} from '../moved-workspace.ts';
import { NO_FILES } from '../no-files.ts';
import { installStandIn, whyNoStandIn } from './citus-stand-in.ts';

const reason = await whyNoStandIn();
const title = reason === undefined ? 'with Citus' : `with Citus (left out: ${reason})`;

/** Functions of the control schema that a statement may call on another server: they depend on their arguments only. */
const PURE: ReadonlySet<string> = new Set([
  'close_shard',
  'folded',
  'refuse_tree',
  'require_assumption',
  'require_in_force',
  'slips',
]);
/** Functions that report on the server they run on, and so may run on any. */
const OF_ITS_SERVER: ReadonlySet<string> = new Set([
  'begin_epoch',
  'changes_kept_since',
  'continues',
  'moment',
  'node_group',
]);
const ANYWHERE: ReadonlySet<string> = new Set([...PURE, ...OF_ITS_SERVER]);
/** Words of functions that look into tables. */
const LOOKS = /\b(?:execute|perform|insert|update|delete|join|from(?! generate_series))\b/i;
const NAME = /"?(ws_[a-z0-9_-]+|workspace_records)"?\."?([A-Za-z0-9_.-]+)"?(\(?)/g;
const COLLATION = / collate "workspace_records"\."[^"]+"/g;
/** The statements that make a workspace; Citus sends them to the server. Migrations begin with a comment. */
const DDL = /^\s*(?:--|create |alter )/;
/** Numbers of transactions of the server that runs the statement. */
const OF_ONE_SERVER = /pg_current_(?:snapshot|xact_id)/;

/** Texts of all statements since the last time, COPY left out. */
function watchTexts(): () => readonly string[] {
  const texts: string[] = [];
  const { query } = pg.Client.prototype;
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...args: unknown[]
  ) {
    const [first] = args as [string | { readonly text?: string }];
    const text = typeof first === 'string' ? first : first.text;
    if (text !== undefined) texts.push(text);
    return Reflect.apply(query, this, args);
  });
  return () => texts.splice(0);
}

/** The problems of a statement for which each schema may be on another server. */
function wrongWith(text: string): readonly string[] {
  // Collations are on each server.
  const names = [...text.replace(COLLATION, '').matchAll(NAME)].map(
    ([, schema = '', name = '', call]) => {
      return { schema, name, isCall: call !== '' };
    },
  );
  const isControl = ({ schema }: { readonly schema: string }) => schema === 'workspace_records';
  const tables = names.filter(({ isCall }) => !isCall);
  const workspaces = new Set(tables.filter((name) => !isControl(name)).map(({ schema }) => schema));
  if (workspaces.size === 0) return [];
  const strange = names.filter(
    (name) => isControl(name) && !(name.isCall && ANYWHERE.has(name.name)),
  );
  return [
    ...(workspaces.size > 1 ? [`several workspaces: ${[...workspaces]}`] : []),
    ...strange.map(({ name }) => `what is in the control schema: ${name}`),
    ...(OF_ONE_SERVER.test(text) ? ['transactions of one server'] : []),
  ];
}

test('statements for two servers are distinguished from others', () => {
  const good =
    'select "workspace_records"."folded"(name) from "ws_a"."deals" join "ws_a"._users on true';
  expect(wrongWith(good)).toEqual([]);
  expect(wrongWith('select 1 from "workspace_records"."api_keys"')).toEqual([]);
  expect(wrongWith(`select "workspace_records"."next_public_id"('ws_a', $1)`)).toEqual([]);
  expect(wrongWith('select pg_current_snapshot()')).toEqual([]);
  expect(wrongWith('select "workspace_records"."moment"() from "ws_a"."deals"')).toEqual([]);
  for (const bad of [
    'select 1 from "ws_a"."deals" cross join "workspace_records"."workspaces"',
    'select "workspace_records"."note_people"($1) from "ws_a"."deals"',
    'select 1 from "ws_a"."deals" cross join "ws_b"."deals"',
    'select pg_current_snapshot() from "ws_a"."deals"',
  ]) {
    expect(wrongWith(bad), bad).toHaveLength(1);
  }
});

describe.skipIf(reason !== undefined)(title, () => {
  let site: Site;
  let ada: Client;
  let mia: Client;
  let loaded: readonly string[];

  beforeAll(async () => {
    site = await openSite({}, installStandIn);
    await createWorkspace(site.own.db, { slug: 'other', document: { name: 'Other' } });
    const takeTexts = watchTexts();
    ada = await fillWorkspace(site, 'acme');
    loaded = takeTexts();
    vi.restoreAllMocks();
    mia = site.client(await site.key('acme', 'mia@acme.example'));
  });

  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });

  afterAll(() => site?.close());

  const shards = async () => {
    const rows = await site.own.rows('select schema_name from citus.shards order by 1');
    return rows.map(({ schema_name }) => schema_name);
  };

  test('the control schema stays, every workspace is a shard without triggers', async () => {
    expect(await shards()).toEqual(['ws_acme', 'ws_other']);
    const triggers = await site.own.rows(
      `select distinct c.relnamespace::regnamespace::text as schema from pg_trigger t
        join pg_class c on c.oid = t.tgrelid where not tgisinternal`,
    );
    expect(triggers).toEqual([{ schema: 'workspace_records' }]);
  });

  test('functions that are called together with tables of a workspace read no table', async () => {
    const rows = await site.own.rows(
      `select p.proname::text as name, pg_get_functiondef(p.oid) as text,
          (select count(*) from pg_depend d where d.classid = 'pg_proc'::regclass
            and d.objid = p.oid and d.refclassid = 'pg_class'::regclass) as tables
        from pg_proc p where pronamespace = 'workspace_records'::regnamespace`,
    );
    const pure = rows.filter(({ name }) => PURE.has(String(name)));
    expect(pure.map(({ name }) => name).sort()).toEqual([...PURE].sort());
    for (const { name, text, tables } of pure) {
      expect([name, tables, LOOKS.exec(String(text).split(/\bAS \$/)[1] ?? '')?.[0]]).toEqual([
        name,
        0,
        undefined,
      ]);
    }
    const other = rows.find(({ name }) => name === 'next_public_id');
    expect(LOOKS.test(String(other?.text))).toBe(true);
  });

  /** Requests of every kind that the workspace was not filled with. */
  async function askEverything(): Promise<void> {
    const [{ id }, { id: other }] = (await ada.get('/objects/deals/records?sort=name')).body.data;
    const [company] = (await ada.get('/objects/companies/records?filter[name]=One')).body.data;
    const [item] = (await ada.get('/objects/work_items/records')).body.data;
    const [told] = (await ada.get('/notifications')).body.data;
    const [deals, items] = ['/objects/deals/records', '/objects/work_items/records'];
    const friends = `/objects/companies/records/${company.id}/relationships/link.friends`;
    for (const path of [
      ...['/me', '/users?q=a', '/teams', '/objects', '/objects/deals', '/workflows/pipeline'],
      ...[`${deals}/${id}`, `${deals}/${id}/comments`, `${deals}/${id}/relationships`, friends],
      ...[`${deals}?filter[company_id]=${company.id}&sort=-amount`, `${deals}?q=dea`],
      ...['/search?q=dael', '/search?q=one', '/search?q=look%20familly'],
    ]) {
      expect((await ada.get(path)).status, path).toBe(200);
    }
    const operations = [
      { action: 'create', fields: { name: 'B1', company_id: company.id } },
      { action: 'create', fields: { name: 'B2', related_id: other } },
      { action: 'status', id: other, status_id: 'won' },
      { action: 'upsert', target: 'deals', match: { code: 'C-1' }, fields: { amount: 1 } },
      { action: 'upsert', target: 'deals', match: { code: 'C-9' }, fields: { name: 'V' } },
    ];
    const [done, made] = [200, 201];
    const child = { title: 'Child', work_item_type_id: 'task', parent_work_item_id: item.id };
    const metrics = [{ name: 'n', op: 'count' }];
    const calls: readonly (readonly [path: string, body: object, status: number])[] = [
      [`${deals}/aggregate`, { group_by: ['status'], metrics }, done],
      [`${deals}/search`, { limit: 3 }, done],
      [deals, { fields: { name: 'x', code: 'C-1' } }, 409],
      [`${deals}/batch`, { operations }, done],
      [items, { fields: child }, made],
      [`${items}/batch`, { operations: [{ action: 'delete', id: item.id }] }, 409],
      [`/notifications/${told.id}/read`, {}, done],
    ];
    for (const [path, body, status] of calls) {
      const answer = await ada.post(path, body);
      expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBe(status);
    }
    expect((await ada.patch(`${deals}/${id}`, { fields: { amount: 9 } })).status).toBe(done);
    const key = { 'idempotency-key': `key-${id}` };
    for (let time = 0; time < 2; time += 1) {
      expect((await ada.post(deals, { fields: { name: 'Once' } }, key)).status).toBe(made);
    }
    const contract = await ada.post('/objects/contracts/records', { fields: { title: 'Asked' } });
    const asks = `/objects/contracts/records/${contract.body.data.id}/status_requests`;
    const asked = await ada.post(asks, { status_id: 'signed' });
    expect(asked.status, JSON.stringify(asked.body)).toBe(made);
    const request = `/status_requests/${asked.body.data.id}`;
    expect((await ada.get('/status_requests?approver=me')).status).toBe(done);
    expect((await ada.get(request)).status).toBe(done);
    expect((await ada.post(`${request}/approve`, {})).status).toBe(403);
    expect((await ada.post(`${request}/withdraw`, {})).status).toBe(done);
    const again = (await ada.post(asks, { status_id: 'signed' })).body.data.id;
    const approved = await mia.post(`/status_requests/${again}/approve`, {});
    expect(approved.status, JSON.stringify(approved.body)).toBe(done);
    const [friend] = (await ada.get(friends)).body.data;
    expect((await ada.delete(`${friends}/${friend.id}`)).status).toBe(done);
    expect((await ada.delete(`/objects/companies/records/${company.id}`)).status).toBe(done);
  }

  test('every statement of a request is about one server', async () => {
    const takeTexts = watchTexts();
    const events = await openEvents({ port: site.port, secret: ada.secret });
    await askEverything();
    await events.next(({ name }) => name === 'record.deleted');
    const lastEventId = events.lastId();
    events.close();
    const again = await openEvents({ port: site.port, secret: ada.secret, lastEventId });
    await ada.post('/objects/companies/records', { fields: { name: 'Told' } });
    await again.next(({ name }) => name === 'record.created');
    again.close();
    const asked = takeTexts();
    expect(asked.length).toBeGreaterThan(60);
    const all = [...new Set([...loaded.filter((text) => !DDL.test(text)), ...asked])];
    const wrong = all.flatMap((text) => wrongWith(text).map((what) => [what, text]));
    expect(wrong).toEqual([]);
  });

  test('the loss of a role is noticed at once, without a trigger', async () => {
    const path = '/objects/companies/records';
    expect((await ada.get(path)).status).toBe(200);
    const apply = (roles: readonly string[]) =>
      applyDefinition(site.own.db, 'acme', {
        ...COMPUTING,
        users: {
          ...COMPUTING.users,
          'ada@acme.example': { name: 'Ada', roles },
          'eve@acme.example': { name: 'Eve', roles: ['admin'] },
        },
      });
    await apply([]);
    await expect.poll(async () => (await ada.get(path)).status, { timeout: 60_000 }).toBe(403);
    await apply(['admin']);
    await expect.poll(async () => (await ada.get(path)).status, { timeout: 60_000 }).toBe(200);
    const [row] = await site.own.rows(
      `select count(*) filter (where in_force) as present,
        max(revision) = max(revision) filter (where in_force) as newest from ws_acme._definitions`,
    );
    expect(row).toEqual({ present: 1, newest: true });
  });

  test('a restored workspace is a shard like any other, and goes like any other', async () => {
    const { own } = site;
    const { file } = await exported(own, 'acme');
    await restored(own, file, { slug: 'copy' });
    expect(await shards()).toEqual(['ws_acme', 'ws_copy', 'ws_other']);
    expect(await tableDigests(own, 'ws_copy')).toEqual(await tableDigests(own, 'ws_acme'));
    expect(await catalogOf(own, 'ws_copy')).toEqual(await catalogOf(own, 'ws_acme'));
    await renameWorkspace(own.db, 'copy', { slug: 'twin' });
    await deleteWorkspace(own.db, await workspaceOf(own, 'twin'), { store: NO_FILES, farewell: 0 });
    expect(await shards()).toEqual(['ws_acme', 'ws_other']);
  });

  async function list(...args: readonly string[]): Promise<string> {
    let out = '';
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      out += text;
      return true;
    });
    const program = new Command().exitOverride();
    addWorkspacesCommand(program);
    await program.parseAsync(['workspaces', 'list', ...args], { from: 'user' });
    vi.restoreAllMocks();
    return out;
  }

  test('a workspace from before the database was a cluster is brought to its definition', async () => {
    const { db, rows } = site.own;
    const workspace = await createWorkspace(db, { slug: 'before', document: { name: 'Before' } });
    await rows(`delete from citus.shards where schema_name = 'ws_before'`);
    await rows('drop index ws_before."companies.name.by2a633a"');
    await completeIndexes(db, workspace);
    const index = `select to_regclass('ws_before."companies.name.by2a633a"') is not null as there`;
    expect(await rows(index)).toEqual([{ there: true }]);
    await deleteWorkspace(db, workspace, { store: NO_FILES, farewell: 0 });
  });

  test('the list of workspaces says where each of them is', async () => {
    for (const [name, value] of Object.entries(site.own.environment)) vi.stubEnv(name, value);
    // As one that was there before the extension.
    await site.own.rows(`delete from citus.shards where schema_name = 'ws_other'`);
    const [other, acme] = JSON.parse(await list('--sizes', '--json'));
    expect(acme).toMatchObject({ slug: 'acme', place: 'worker-2:5432', records: null });
    expect(acme.bytes).toBeGreaterThan(100_000);
    expect(other).toMatchObject({ slug: 'other', place: null, records: expect.any(Number) });
    const places = JSON.parse(await list('--json')).map((one: object) =>
      Object.entries(one).at(-1),
    );
    expect(places).toEqual([
      ['place', null],
      ['place', 'worker-2:5432'],
    ]);
    expect(await list()).toMatch(/ created at +place\n/);
    const out = await list('--sizes');
    expect(out).toMatch(/^slug .+ records +size +files +place\n/);
    expect(out).toMatch(/^other .+ ~0 +[\d.]+ [kM]B +0 B +here$/m);
    expect(out).toMatch(/^acme .+ [\d.]+ [kM]B +0 B +worker-2:5432$/m);
  });
});
