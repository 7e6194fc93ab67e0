// The demo against its own files: every record, the rights of each person, a load that is killed and continued.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadDemo } from '../src/cli/service/demo.ts';
import { readConfig } from '../src/config.ts';
import { loadMemberByEmail } from '../src/control/people/people.ts';
import { openChanges } from '../src/control/workspace/changes.ts';
import { openRegistry } from '../src/control/workspace/registry.ts';
import { findWorkspace, listWorkspaces, loadModel } from '../src/control/workspace/workspaces.ts';
import { openAuthenticator } from '../src/flow/people/authenticate.ts';
import { readPage } from '../src/flow/records/read/read-flow.ts';
import { writeRecords } from '../src/flow/records/write-flow.ts';
import type { ObjectModel, WorkspaceModel } from '../src/model/definition/model.ts';
import { type Caller, callerOf, canReadField, DEFAULT_SCOPES } from '../src/model/rights/access.ts';
import { hashOf } from '../src/model/rights/api-key-form.ts';
import type { Row } from '../src/postgres/db.ts';
import { createWorkspace } from '../src/workspaces/create-workspace.ts';
import { COMMAND } from './cli/command-process.ts';
import { createDemo, emailOf, type Line, linesOf } from './demo-world.ts';
import { listOf } from './list-request.ts';
import { createMigratedDatabase, type OwnDatabase } from './own-database.ts';
import { IS_LONG, until } from './until.ts';

const accounts = linesOf('accounts.csv');
const products = linesOf('products.csv');
const agents = linesOf('sales_teams.csv');
const pipeline = linesOf('sales_pipeline.csv');
const items = linesOf('onboarding_items.csv');
const comments = linesOf('onboarding_comments.csv');
/** People, and records around today. */
const [contacts, openDeals, meetings, events, tasks] = [
  'contacts',
  'open_deals',
  'meetings',
  'events',
  'tasks',
].map((name) => linesOf(`${name}.csv`)) as [Line[], Line[], Line[], Line[], Line[]];
const remarks = [linesOf('deal_comments.csv'), linesOf('task_comments.csv')];
const links = [
  'deal_contacts',
  'meeting_companies',
  'meeting_contacts',
  'meeting_deals',
  'event_contacts',
].flatMap((name) => linesOf(`${name}.csv`));

const orNull = (text: string | undefined) => (text === '' ? null : text);
const numberOrNull = (text: string | undefined) => (text === '' ? null : Number(text));

/** Load and listen: all output on the terminal. */
async function load(own: OwnDatabase, environment: NodeJS.ProcessEnv = {}): Promise<string> {
  const said: string[] = [];
  const output = { write: (text: string) => said.push(text) };
  const announce = await loadDemo({ db: own.db, config: readConfig(environment) }, output);
  await announce('http://127.0.0.1:3000');
  return said.join('');
}

async function openEmpty(): Promise<OwnDatabase> {
  return createMigratedDatabase();
}

const rowsOf = (own: OwnDatabase, table: string) =>
  own.rows(`select * from "ws_demo"."${table}" order by id`);

/** Every deal as the file has it, in its own words. */
async function dealsAsLines(own: OwnDatabase): Promise<readonly Row[]> {
  return own.rows(`select d.opportunity_id, d.name, d.status, u.name as sales_agent,
      p.name as product, c.name as account, d.engage_date, d.close_date, d.close_value,
      case when d.engage_date is not null then d.created_at end as created_at,
      d.version, d.custom_fields
    from ws_demo.deals d left join ws_demo._users u on u.id = d.owner_user_id
    left join ws_demo.products p on p.id = d.product_id
    left join ws_demo.companies c on c.id = d.company_id
    where d.opportunity_id not like 'OPP-%'`);
}

function expectedDeal(line: Line): Row {
  const product = line.product === 'GTXPro' ? 'GTX Pro' : line.product;
  const { opportunity_id, sales_agent, account, deal_stage, engage_date, close_date } = line;
  return {
    opportunity_id,
    name: account === '' ? product : `${product} – ${account}`,
    status: deal_stage?.toLowerCase(),
    sales_agent,
    product,
    account: orNull(account),
    engage_date: orNull(engage_date),
    close_date: orNull(close_date),
    close_value: numberOrNull(line.close_value),
    created_at: engage_date === '' ? null : `${engage_date}T00:00:00.000Z`,
    version: 1,
    custom_fields: {},
  };
}

/** Every project and task as the file has it. */
async function itemsAsLines(own: OwnDatabase): Promise<readonly Row[]> {
  const rows = await own.rows(`select w.public_id as id, w.work_item_type_id as type,
      p.public_id as parent, d.opportunity_id as opportunity, c.name as account, w.title, w.status,
      u.name as assignee, w.due_date as due, w.created_at as created, w.updated_at as updated,
      w.go_live_on as go_live, w.health, w.phase, w.estimate_hours as hours, w.version
    from ws_demo.work_items w left join ws_demo._users u on u.id = w.owner_user_id
    left join ws_demo.work_items p on p.id = w.parent_work_item_id
    left join ws_demo.deals d on d.id = w.deal_id
    left join ws_demo.companies c on c.id = w.company_id
    where w.work_item_type_id <> 'task'`);
  return [...rows].sort(byNumber);
}

function expectedItem(line: Line): Row {
  const { type, created = '', updated = '', hours, ...fields } = line;
  const texts = Object.entries(fields).map(([key, text]) => [key, orNull(text)] as const);
  return {
    ...Object.fromEntries(texts),
    type: type === 'Project' ? 'onboarding_project' : 'onboarding_task',
    created: created.replace('+0000', 'Z'),
    updated: updated.replace('+0000', 'Z'),
    hours: numberOrNull(hours),
    version: 1,
  };
}

const byNumber = (a: Row, b: Row) => (String(a.id) < String(b.id) ? -1 : 1);

async function expectComplete(own: OwnDatabase): Promise<void> {
  const byId = (a: Row, b: Row) => (String(a.opportunity_id) < String(b.opportunity_id) ? -1 : 1);
  const deals = [...(await dealsAsLines(own))].sort(byId);
  expect(deals).toEqual(pipeline.map(expectedDeal).sort(byId));
  const companies = await rowsOf(own, 'companies');
  const nameOf = new Map(companies.map(({ id, name }) => [id, name]));
  const asLines = companies.map(
    (row): Row => ({
      ...row,
      parent: nameOf.get(row.parent_company_id) ?? null,
    }),
  );
  expect(asLines).toHaveLength(accounts.length);
  for (const line of accounts) {
    const { account, sector, office_location, subsidiary_of } = line;
    expect(asLines.find(({ name }) => name === account)).toMatchObject({
      sector,
      office_location,
      year_established: Number(line.year_established),
      revenue: Number(line.revenue),
      employees: Number(line.employees),
      parent: orNull(subsidiary_of),
      tier: null,
    });
  }
  const shown = (await rowsOf(own, 'products')).map(({ name, series, sales_price }) => ({
    product: name,
    series,
    sales_price: String(sales_price),
  }));
  expect(shown).toEqual(products);
  expect(await itemsAsLines(own)).toEqual(items.map(expectedItem).sort(byNumber));
  expect(await rowsOf(own, '_comments')).toHaveLength(comments.length + remarks.flat().length);
  for (const [table, lines] of Object.entries({ contacts, meetings, events }))
    expect(await rowsOf(own, table), table).toHaveLength(lines.length);
  expect((await findWorkspace(own.db, 'demo'))?.state).toBe('ready');
}

describe('a loaded demo', () => {
  let own: OwnDatabase;
  let said: string;
  let statements: number;
  let model: WorkspaceModel;

  beforeAll(async () => {
    own = await createDemo();
    const [announced] = await own.rows('select said, statements from announced');
    said = String(announced?.said);
    statements = Number(announced?.statements);
    const [workspace] = await listWorkspaces(own.db);
    model = (await loadModel(own.db, workspace?.id ?? 0)) as WorkspaceModel;
  });
  afterAll(() => own?.drop());

  async function personOf(email: string): Promise<Caller> {
    const member = await loadMemberByEmail(own.db, model.schema, email);
    if (member === undefined) throw new Error(`no ${email}`);
    return callerOf(model, member, { kind: 'export' });
  }

  const objectOf = (objectType: string) => model.objects.get(objectType) as ObjectModel;

  async function readAll(caller: Caller, objectType: string): Promise<readonly Row[]> {
    const fields = [...objectOf(objectType).fields.keys()];
    const request = listOf({ fields, limit: 10_000 });
    const page = await readPage({ db: own.db, model, caller }, objectOf(objectType), request);
    return page.rows;
  }

  test('has every record of the files with every field', () => expectComplete(own));

  test('is of today: tasks that are due, meetings, open deals with a value, mentions', async () => {
    const [mine] =
      await own.rows(`select count(*) filter (where due_date < current_date)::integer as late,
        count(*) filter (where due_date = current_date)::integer as today,
        count(*) filter (where due_date > current_date)::integer as later
      from ws_demo.work_items w join ws_demo._users u on u.id = w.owner_user_id
      where u.email = 'admin@demo.example' and w.status <> 'done'`);
    expect(mine).toEqual({ late: 3, today: 3, later: 6 });
    const [soon] =
      await own.rows(`select count(*) filter (where starts_at < now())::integer as held,
        count(*) filter (where starts_at > now())::integer as planned from ws_demo.meetings`);
    expect(Number(soon?.held)).toBeGreaterThan(8);
    expect(Number(soon?.planned)).toBeGreaterThan(8);
    const deals = await own.rows(`select close_value, close_date > current_date as ahead
      from ws_demo.deals where opportunity_id like 'OPP-%' and company_id is not null
        and product_id is not null and status in ('prospecting', 'engaging')`);
    expect(deals).toHaveLength(openDeals.length);
    const [opened] =
      await own.rows(`select count(*) = (select count(*) from ws_demo._users) as by_all
      from ws_demo._view_orders o join ws_demo._views v on v.id = o.default_view_id
      where v.name = 'Open deals'`);
    expect(opened).toEqual({ by_all: true });
    for (const { close_value, ahead } of deals)
      expect([Number(close_value) > 0, ahead]).toEqual([true, true]);
    const [unread] = await own.rows(`select count(*)::integer as mentions
      from ws_demo._notifications n join ws_demo._users u on u.id = n.user_id
      where u.email = 'admin@demo.example' and n.read_at is null`);
    expect(unread).toEqual({ mentions: 4 });
    expect(await own.rows('select 1 from ws_demo._links')).toHaveLength(links.length);
  });

  test('adds up: deals and their worth by status, owner, product and company', async () => {
    const deals = await dealsAsLines(own);
    const tally = (rows: readonly Row[], key: string) => {
      const sums = new Map<unknown, [number, number]>();
      for (const row of rows) {
        const [count, sum] = sums.get(row[key]) ?? [0, 0];
        sums.set(row[key], [count + 1, sum + Number(row.close_value ?? 0)]);
      }
      return Object.fromEntries(sums);
    };
    expect(tally(deals, 'status')).toEqual({
      won: [4238, 10_005_534],
      lost: [2473, 0],
      engaging: [1589, 0],
      prospecting: [500, 0],
    });
    const expected = pipeline.map(expectedDeal);
    for (const key of ['sales_agent', 'product', 'account']) {
      expect(tally(deals, key)).toEqual(tally(expected, key));
    }
    expect(deals.filter(({ account }) => account === null)).toHaveLength(1425);
    expect(deals.filter(({ engage_date }) => engage_date === null)).toHaveLength(500);
  });

  test('has the people, teams and roles it promises', async () => {
    const users = await rowsOf(own, '_users');
    const managers = [...new Set(agents.map(({ manager }) => String(manager)))];
    const expected = [
      ['admin@demo.example', 'admin'],
      ...managers.map((name) => [emailOf(name), 'manager']),
      ...agents.map(({ sales_agent }) => [emailOf(String(sales_agent)), 'rep']),
    ];
    expect(users.map(({ email, roles }) => [email, ...(roles as string[])]).sort()).toEqual(
      expected.sort(),
    );
    expect(users.map(({ email }) => email)).toContain('mei.mei.johns@demo.example');
    const teams = await own.rows(`select t.name, array_agg(u.email order by u.email) as members
      from ws_demo._teams t join ws_demo._team_members m on m.team_id = t.id
      join ws_demo._users u on u.id = m.user_id group by t.name`);
    expect(Object.fromEntries(teams.map(({ name, members }) => [name, members]))).toEqual(
      Object.fromEntries(
        managers.map((manager) => {
          const team = agents.filter((line) => line.manager === manager);
          const names = [manager, ...team.map(({ sales_agent }) => String(sales_agent))];
          return [manager, names.map(emailOf).sort()];
        }),
      ),
    );
  });

  test('has exactly these fields and this workflow', () => {
    const fields = (objectType: string) =>
      [...objectOf(objectType).fields.values()]
        .filter(({ system }) => !system)
        .map(({ key, type, storage }) => `${key} ${type}${storage === 'jsonb' ? ' jsonb' : ''}`);
    expect(fields('companies')).toEqual([
      'name text',
      'sector select',
      'year_established integer',
      'revenue currency',
      'employees integer',
      'office_location text',
      'parent_company_id reference',
      'tier select',
      'account_note text jsonb',
    ]);
    expect(fields('products')).toEqual(['name text', 'series select', 'sales_price currency']);
    expect(fields('deals').sort()).toEqual([
      'close_date date',
      'close_value currency',
      'company_id reference',
      'engage_date date',
      'name text',
      'opportunity_id text',
      'product_id reference',
    ]);
    const statuses = [...(objectOf('deals').workflow?.statuses.values() ?? [])];
    expect(Object.fromEntries(statuses.map(({ id, transitions }) => [id, transitions]))).toEqual({
      prospecting: ['engaging'],
      engaging: ['won', 'lost'],
      won: [],
      lost: ['prospecting'],
    });
    const owned = ['companies', 'products', 'deals'].map((type) => objectOf(type).owned);
    expect(owned).toEqual([false, false, true]);
  });

  test('a rep sees their own deals, a manager those of the team, both all companies', async () => {
    const { sales_agent: name, manager } = agents[4] as Line;
    const rep = await personOf(emailOf(String(name)));
    const boss = await personOf(emailOf(String(manager)));
    const ids = (rows: readonly Row[]) => rows.map((row) => row.opportunity_id).sort();
    const idsOf = (names: readonly unknown[]) =>
      [...pipeline, ...openDeals]
        .filter(({ sales_agent }) => names.includes(sales_agent))
        .map(({ opportunity_id }) => opportunity_id)
        .sort();
    const team = agents.filter((line) => line.manager === manager).map((line) => line.sales_agent);
    expect(ids(await readAll(rep, 'deals'))).toEqual(idsOf([name]));
    expect(ids(await readAll(boss, 'deals'))).toEqual(idsOf(team));
    const [seen] = await readAll(rep, 'companies');
    expect(seen).not.toHaveProperty('revenue');
    expect((await readAll(boss, 'companies'))[0]).toHaveProperty('revenue');
    expect(await readAll(rep, 'companies')).toHaveLength(85);
    expect(await readAll(boss, 'products')).toHaveLength(7);
    const revenue = objectOf('companies').fields.get('revenue');
    expect(revenue && canReadField(rep, objectOf('companies'), revenue)).toBe(false);
    expect([rep.access.directory, boss.access.directory]).toEqual([false, true]);
    expect([rep.access.developer, boss.access.developer]).toEqual([true, true]);
  });

  test('a rep creates and updates only deals', async () => {
    const caller = await personOf('moses.frase@demo.example');
    const write = (objectType: string, operation: object) =>
      writeRecords({ db: own.db, model, caller, requestId: null }, objectOf(objectType), {
        operations: [operation as never],
        source: 'api',
        batch: false,
      });
    const { results } = await write('deals', { action: 'create', fields: { name: 'Mine' } });
    const id = results[0]?.id;
    expect(results[0]?.row).toMatchObject({ status: 'prospecting', owner_user_id: caller.user.id });
    await write('deals', { action: 'update', id, fields: { close_value: 5 } });
    const denied = { code: 'permission_denied' };
    await expect(write('deals', { action: 'delete', id })).rejects.toMatchObject(denied);
    for (const objectType of ['companies', 'products']) {
      const create = { action: 'create', fields: { name: 'X' } };
      await expect(write(objectType, create)).rejects.toMatchObject(denied);
    }
    await own.rows(`delete from ws_demo.deals where id = $1`, [id]);
    await own.rows(`delete from ws_demo._audit where record_id = $1`, [id]);
  });

  test('left one audit row for each record and comment, which says it was an import', async () => {
    const audit = await own.rows(`select object_type, action, source, api_key_id is null as keyless,
        count(*)::integer as rows, count(distinct record_id)::integer as records
      from ws_demo._audit where object_type is not null group by 1, 2, 3, 4 order by 1, 2`);
    const rowsBy = (action: string, counts: Readonly<Record<string, number>>) =>
      Object.entries(counts).map(([object_type, rows]) => {
        const records = action === 'create' ? rows : expect.any(Number);
        return { object_type, action, source: 'import', keyless: true, rows, records };
      });
    const made = { companies: 85, contacts: 170, deals: 8824, events: 8, meetings: 30 };
    const expected = [
      ...rowsBy('create', { ...made, products: 7, work_items: 370 }),
      ...rowsBy('comment', { deals: 10, work_items: 205 }),
      ...rowsBy('link', { deals: 36, events: 32, meetings: 105 }),
    ];
    const keyOf = ({ object_type, action }: Row) => `${object_type} ${action}`;
    expect(audit).toEqual(expected.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)));
  });

  test('prints the base URL and a curl whose key works', async () => {
    expect(said).toContain('base URL http://127.0.0.1:3000/v1,');
    const [, secret = '', url] =
      /^ {2}curl -H 'Authorization: Bearer (\S+)' '(\S+)'$/m.exec(said) ?? [];
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:3000\/v1\/objects\/deals\/records\?/);
    const registry = openRegistry(own.db);
    const shared = { db: own.db, registry, changes: openChanges(own.db) };
    const { authenticate } = openAuthenticator({ ...shared, requestsPerMinute: 300 });
    const { caller } = await authenticate(secret);
    expect(caller.user.email).toBe('admin@demo.example');
    expect([...caller.scopes].sort()).toEqual([...DEFAULT_SCOPES].sort());
    expect(caller.access.administrator).toBe(true);
    expect(said).toContain('deals: 8,800 of 8,800 rows');
    // 9,500 records, 215 comments and 170 links: batches, not one after the other.
    expect(statements).toBeLessThan(2000);
  });

  test('prints a link to sign in with, which works once', async () => {
    const [, token = ''] =
      /^ {2}http:\/\/127\.0\.0\.1:3000\/app\/demo\/sign-in#([\w-]{43})$/m.exec(said) ?? [];
    const [link] = await own.rows(
      `select u.email from workspace_records.sign_in_links l join ws_demo._users u on u.id = l.user_id
        where l.token_hash = $1 and l.used_at is null`,
      [hashOf(token)],
    );
    expect(link).toEqual({ email: 'admin@demo.example' });
  });

  test('is not loaded again: the next start says how to make another key', async () => {
    const before = own.stats.statements;
    expect(await load(own)).toBe(
      'Another key for the demo: npx workspace-records keys create --workspace demo ' +
        '--user admin@demo.example --name another\n' +
        'To sign in: npx workspace-records sign-in-link --workspace demo --user admin@demo.example\n',
    );
    expect(own.stats.statements - before).toBe(2);
    await expectComplete(own);
  });
});

describe('an empty database', () => {
  let own: OwnDatabase;
  beforeAll(async () => {
    own = await openEmpty();
  });
  afterAll(() => own?.drop());

  test('stays empty with DEMO=off, and gets no demo in addition to another workspace', async () => {
    expect(await load(own, { DEMO: 'off' })).toBe('');
    expect(await listWorkspaces(own.db)).toEqual([]);
    expect(() => readConfig({ DEMO: 'no' })).toThrow('DEMO must be on or off, not "no".');
    await createWorkspace(own.db, { slug: 'acme' });
    expect(await load(own)).toBe('');
    expect(await listWorkspaces(own.db)).toHaveLength(1);
  });
});

test('a load that is killed is completed by the next start', async () => {
  const own = await openEmpty();
  const child = spawn(process.execPath, [COMMAND, 'start', '--port', '0'], {
    env: { PATH: process.env.PATH, ...own.environment },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  try {
    for (;;) {
      await sleep(10);
      const [found] = await own.rows(`select to_regclass('ws_demo.deals') is not null as there`);
      if (found?.there !== true) continue;
      const [deals] = await own.rows(`select count(*)::integer as loaded from ws_demo.deals`);
      if (Number(deals?.loaded) > 1000) break;
    }
    child.kill('SIGKILL');
    await ended;
    expect((await findWorkspace(own.db, 'demo'))?.state).toBe('loading');
    const [deals] = await own.rows(`select count(*)::integer as loaded from ws_demo.deals`);
    expect(Number(deals?.loaded)).toBeGreaterThan(1000);
    expect(Number(deals?.loaded)).toBeLessThan(8800);
    expect(await load(own)).toContain('curl -H');
    await expectComplete(own);
    const [audit] = await own.rows(`select count(record_id)::integer as rows from ws_demo._audit`);
    const files = [accounts, products, pipeline, items, comments, contacts, openDeals, meetings];
    const lines = [...files, events, tasks, links, ...remarks].flat();
    expect(audit?.rows).toBe(lines.length);
    const jobs = await own.rows('select kind, state, attempts from workspace_records.jobs');
    expect(jobs).toEqual([{ kind: 'demo', state: 'done', attempts: 2 }]);
  } finally {
    child.kill('SIGKILL');
    await own.drop();
  }
});

test('of two that start at once one loads, the other waits; one key is made', async () => {
  const own = await openEmpty();
  try {
    const said = await Promise.all([load(own), load(own)]);
    const announced = said.map((text) => [/curl -H/, /Another key/].map((line) => line.test(text)));
    expect(announced.sort()).toEqual([
      [false, true],
      [true, false],
    ]);
    const [keys] = await own.rows(
      'select count(*)::integer as made from workspace_records.api_keys',
    );
    expect(keys).toEqual({ made: 1 });
    await expectComplete(own);
  } finally {
    await own.drop();
  }
});

test.skipIf(!IS_LONG)(
  'a load that is stopped gives its lease back, and the next one need not wait',
  async () => {
    const own = await openEmpty();
    const config = readConfig({});
    const ends: (() => void | Promise<void>)[] = [];
    const stopped = loadDemo({ db: own.db, config }, { write: () => true }, (stop) =>
      ends.push(stop),
    );
    try {
      await until(() => ends.length > 0);
      await Promise.all([expect(stopped).rejects.toThrow('stopping'), ends[0]?.()]);
      const jobs = () => own.rows('select state, failures from workspace_records.jobs');
      expect(await jobs()).toEqual([{ state: 'queued', failures: 0 }]);
      await load(own);
      expect(await jobs()).toEqual([{ state: 'done', failures: 0 }]);
      await expectComplete(own);
    } finally {
      await own.drop();
    }
  },
);
