// Reads of a large table: an index serves every shape of list, and the rows it touches do not grow
// with the table. EXPLAIN_ROWS sets the size of the table.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadModel } from '../../src/control/workspace/workspaces.ts';
import { readPage } from '../../src/flow/records/read/read-flow.ts';
import type { ObjectModel, WorkspaceModel } from '../../src/model/definition/model.ts';
import type { Caller } from '../../src/model/rights/access.ts';
import type { ConditionInput } from '../../src/plan/read/filter.ts';
import { parseQuestion, type Question } from '../../src/plan/read/question.ts';
import {
  cursorAfter,
  isPlainWalk,
  planGet,
  planList,
  type ReadPlan,
} from '../../src/plan/read/read-plan.ts';
import type { SortInput } from '../../src/plan/read/record-query.ts';
import type { Row } from '../../src/postgres/db.ts';
import { openDatabase } from '../../src/postgres/open-server.ts';
import { pagesSql, readSql } from '../../src/sql/read/read-sql.ts';
import { toStatement } from '../../src/sql/sql.ts';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import { migrate } from '../../src/workspaces/migrations.ts';
import { type ListParts, listOf } from '../list-request.ts';
import { createOwnDatabase, type OwnDatabase } from '../own-database.ts';
import { callerOf, objectOf } from '../sample-definition.ts';
import { withoutIndexes } from './without-indexes.ts';

const ROWS = Number(process.env.EXPLAIN_ROWS ?? 200_000);
/** Fewer than 3 % of the table, and the same for a larger one. */
const TOUCHED = 5000;
/**
 * Where few rows pass a filter and the order is by another field, PostgreSQL reads either what passes
 * or the order until the page is full, whichever it takes for less: a part that shrinks with the table.
 */
const FILTERED = ROWS / 10;
const USERS = 50;

const DOCUMENT = {
  objects: {
    deals: {
      fields: {
        stage: {
          type: 'select',
          indexed: true,
          options: ['lead', 'open', 'won', 'lost', 'none'].map((value) => ({ value })),
        },
        amount: { type: 'currency', currency: 'USD', indexed: true },
        close_date: { type: 'date', indexed: true },
        region: { type: 'text' },
      },
    },
  },
  roles: {
    own: { objects: { deals: { read: 'own' } } },
    team: { objects: { deals: { read: 'team' } } },
  },
  users: Object.fromEntries(
    Array.from({ length: USERS }, (_, n) => [`p${n}@explain.test`, { name: `P${n}`, roles: [] }]),
  ),
};

/** Ids grow with time, as those of the service do. */
function idSql(number: string): string {
  return `('01900000-0000-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;
}

const COMPANIES = 20_000;

const FILL_COMPANIES = `
  insert into ws_explain.companies (id, created_by_user_id, name)
  select ${idSql('n')}, 1, 'Company ' || n from generate_series(0, ${COMPANIES - 1}) n`;

/** Uneven owners and stages, a fifth without amount, a quarter without date, no deal `none`. */
const FILL = `
  insert into ws_explain.deals (id, created_at, created_by_user_id, owner_user_id, name, stage,
    amount, close_date, region, company_id)
  select ${idSql('n')}, now() + (n - $1::integer) * interval '1 minute', 1,
    1 + floor(${USERS} * power(random(), 2)), 'Deal ' || n,
    (array['lead', 'lead', 'lead', 'open', 'open', 'won', 'lost', null])[1 + floor(8 * random())],
    case when random() < 0.8 then round((exp(6 + 5 * random()))::numeric, 2) end,
    case when random() < 0.75 then date '2024-01-01' + floor(1000 * random())::integer end,
    'Region ' || n % 20, ${idSql(`n % ${COMPANIES}`)}
  from generate_series(1, $1::integer) n`;

let database: OwnDatabase;
let model: WorkspaceModel;
let deals: ObjectModel;

beforeAll(async () => {
  database = await createOwnDatabase();
  const { db, rows } = database;
  await migrate(db);
  const { id } = await createWorkspace(db, { slug: 'explain', document: DOCUMENT });
  model = (await loadModel(db, id)) as WorkspaceModel;
  deals = objectOf(model, 'deals');
  await withoutIndexes(database, ['ws_explain', 'deals'], () =>
    db.transaction(async (tx) => {
      // Foreign keys are not part of the test.
      await tx.query({ text: 'set local session_replication_role = replica', values: [] });
      // The same rows each time: by which of two plans a page is read may depend on few of them.
      await tx.query({ text: 'select setseed(0.25)', values: [] });
      await tx.query({ text: FILL, values: [ROWS] });
      await tx.query({ text: FILL_COMPANIES, values: [] });
    }),
  );
  // All rows are its sample, so that plans do not depend on which ones are drawn.
  await rows('alter table ws_explain.deals alter column name set statistics 10000');
  await rows('analyze ws_explain.deals');
  await rows('analyze ws_explain.companies');
});

afterAll(() => database?.drop());

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Actual Loops': number;
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

function nodesOf(node: PlanNode): readonly PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

/** Rows that a node brought up or threw away. */
function touchedBy(node: PlanNode): number {
  const removed =
    (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  return (node['Actual Rows'] + removed) * node['Actual Loops'];
}

async function explain(plan: ReadPlan, asked = readSql(plan)): Promise<readonly PlanNode[]> {
  const { text, values } = toStatement(asked);
  const [row] = await database.rows(`explain (analyze, format json) ${text}`, values);
  const [explained] = (row as Row)['QUERY PLAN'] as [{ readonly Plan: PlanNode }];
  return nodesOf(explained.Plan).filter((node) => node['Actual Loops'] > 0);
}

/** No scan of the table, and no node that brings up more rows than `limit`. */
async function expectBounded(plan: ReadPlan, limit = TOUCHED): Promise<void> {
  const nodes = await explain(plan);
  expect(nodes.map((node) => node['Node Type'])).not.toContain('Seq Scan');
  for (const node of nodes) expect(touchedBy(node), node['Node Type']).toBeLessThan(limit);
}

const EVERYBODY: readonly string[] = ['admin'];

const REQUEST: ListParts = {
  fields: ['name', 'stage', 'amount', 'close_date', 'region'],
  limit: 50,
};

function plan(request: ListParts, caller?: Caller): ReadPlan {
  return planList(
    model,
    caller ?? callerOf(model, EVERYBODY),
    deals,
    listOf({ ...REQUEST, ...request }),
  );
}

function sortBy(...keys: readonly string[]): readonly SortInput[] {
  return keys.map((key) =>
    key.startsWith('-')
      ? { param: 'sort', field: key.slice(1), direction: 'desc' }
      : { param: 'sort', field: key, direction: 'asc' },
  );
}

/** A row from the middle of the table for which this holds. */
async function rowWhere(condition: string): Promise<Row> {
  const [row] = await database.rows(
    `select * from ws_explain.deals
      where ${condition} and id > ${idSql(`${Math.floor(ROWS / 2)}`)} order by id limit 1`,
  );
  return row as Row;
}

const INDEXED = ['name', 'stage', 'amount', 'close_date', 'created_at', 'id'];
const NULLABLE = ['stage', 'amount', 'close_date'];
const BOTH = (keys: readonly string[]) => keys.flatMap((key) => [key, `-${key}`]);

describe('first page', () => {
  test('in default order', () => expectBounded(plan({})));

  test.each(BOTH(INDEXED))('sorted by %s', (key) => expectBounded(plan({ sort: sortBy(key) })));

  test.each([
    ['-close_date', 'name'],
    ['close_date', '-amount', 'name'],
    ['amount', 'region'],
    ['-created_at', 'name'],
  ])('sorted by %s, then %s', (...keys) => expectBounded(plan({ sort: sortBy(...keys) })));

  test.each(BOTH(NULLABLE))(
    'the nulls of %s are not looked for behind a full page',
    async (key) => {
      const sort = sortBy(key);
      const [first] = sort;
      const nodes = await explain(plan({ sort }));
      const scanned = nodes.reduce((sum, node) => sum + (node.Plans ? 0 : touchedBy(node)), 0);
      // The page, its look-ahead, and both counted again.
      expect(scanned, first?.field).toBeLessThanOrEqual(3 * 51);
    },
  );
});

describe('page after a cursor', () => {
  async function expectNextBounded(sort: readonly SortInput[], condition: string): Promise<void> {
    const cursor = cursorAfter(
      model,
      callerOf(model, EVERYBODY),
      plan({ sort }),
      await rowWhere(condition),
    );
    await expectBounded(plan({ sort, cursor }));
  }

  test('in default order', () => expectNextBounded([], 'true'));

  test.each(BOTH(INDEXED))('sorted by %s, among the values', (key) =>
    expectNextBounded(sortBy(key), `${key.replace('-', '')} is not null`),
  );

  test.each(BOTH(NULLABLE))('sorted by %s, among the nulls', (key) =>
    expectNextBounded(sortBy(key), `${key.replace('-', '')} is null`),
  );

  test.each(BOTH(['close_date']))('sorted by %s and another field', async (key) => {
    const sort = sortBy(key, 'name');
    await expectNextBounded(sort, 'close_date is not null and name is not null');
  });
});

describe('pages of one walk together', () => {
  test.each([
    ['of everything', 'admin', 1],
    ['of one who has many records', 'own', 1],
    ['of one who has few', 'own', USERS],
    ['of one who has none', 'own', 999],
  ])('%s: each takes its rows from the index', async (_, role, id) => {
    const walk = plan({}, callerOf(model, [role], { id }));
    expect(isPlainWalk(walk)).toBe(true);
    const row = await rowWhere('true');
    const starts = [undefined, [row.created_at, row.id]] as ReadPlan['after'][];
    const nodes = await explain(walk, pagesSql(walk, [...starts, ...starts]));
    expect(nodes.map((node) => node['Node Type'])).not.toContain('Seq Scan');
    for (const node of nodes) expect(touchedBy(node), node['Node Type']).toBeLessThan(4 * TOUCHED);
  });
});

describe('filters', () => {
  function filter(field: string, op: ConditionInput['op'], value: unknown): ConditionInput {
    return { param: field, field, op, value, text: false };
  }

  test.each<readonly [string, readonly ConditionInput[]]>([
    ['a value', [filter('stage', 'eq', 'won')]],
    ['a value nothing has', [filter('stage', 'eq', 'none')]],
    ['one of two values', [filter('stage', 'in', ['won', 'none'])]],
    ['no value', [filter('close_date', 'is_null', true)]],
    ['an equal amount', [filter('amount', 'eq', 1000)]],
    ['a long range', [filter('amount', 'gte', 1000)]],
    ['a short range', [filter('amount', 'gte', 59_800)]],
    [
      'a range of dates',
      [filter('close_date', 'gte', '2024-05-01'), filter('close_date', 'lt', '2024-05-08')],
    ],
    ['two fields', [filter('stage', 'eq', 'lost'), filter('amount', 'lte', 500)]],
  ])('%s', async (_, filters) => {
    await expectBounded(plan({ filters }), FILTERED);
    await expectBounded(plan({ filters, sort: sortBy('-close_date') }), FILTERED);
    await expectBounded(plan({ filters, sort: sortBy('amount') }), FILTERED);
  });
});

describe('reach', () => {
  const colleagues = (from: number) => Array.from({ length: 10 }, (_, index) => from + index);

  test.each([
    ['own records, of one who has many', 'own', 1, []],
    ['own records, of one who has few', 'own', USERS, []],
    ['own records, of one who has none', 'own', 999, []],
    ['records of a team that has many', 'team', 1, colleagues(2)],
    ['records of a team that has few', 'team', 40, colleagues(41)],
  ] as const)('%s', async (_, role, id, others) => {
    const caller = callerOf(model, [role], { id, colleagues: others });
    await expectBounded(plan({}, caller));
    for (const key of BOTH(['amount', 'close_date'])) {
      await expectBounded(plan({ sort: sortBy(key) }, caller), FILTERED);
    }
    const cursor = cursorAfter(model, caller, plan({}, caller), await rowWhere('true'));
    await expectBounded(plan({ cursor }, caller));
  });
});

describe('text in the display field', () => {
  const won: ConditionInput = {
    param: 'stage',
    field: 'stage',
    op: 'eq',
    value: 'won',
    text: false,
  };

  test.each([
    ['in a few records', `al ${ROWS - 77}`],
    ['in no record', 'Zanzibar'],
  ])('%s', async (_, text) => {
    for (const caller of [undefined, callerOf(model, ['own'], { id: 1 })]) {
      await expectBounded(plan({ text }, caller));
      await expectBounded(plan({ text, filters: [won] }, caller));
      for (const key of ['-amount', 'close_date', 'region', 'name']) {
        await expectBounded(plan({ text, sort: sortBy(key) }, caller));
      }
    }
  });

  test.each(['deal', 'D', 'al'])('in all records: %s', async (text) => {
    await expectBounded(plan({ text }));
    await expectBounded(plan({ text, sort: sortBy('-amount') }));
    await expectBounded(plan({ text, filters: [won] }), FILTERED);
    await expectBounded(plan({ text }, callerOf(model, ['own'], { id: 1 })), FILTERED);
  });
});

test('a page with a text is planned for this text, after any other query', async () => {
  const { connection } = database;
  const db = openDatabase({ connection, poolSize: 1, statementTimeout: 0 });
  try {
    const caller = callerOf(model, EVERYBODY);
    const read = (text: string | undefined) =>
      readPage({ db, model, caller }, deals, listOf({ ...REQUEST, text }));
    for (const text of [undefined, 'xx', 'xx', 'Zanzibar', undefined, undefined]) await read(text);
    const text = `select statement from pg_prepared_statements where statement like 'select t.%'`;
    const prepared = await db.query({ text, values: [] }, { prepare: false });
    expect(prepared).toHaveLength(1);
    expect(prepared[0]?.statement).not.toContain('folded');
  } finally {
    await db.close();
  }
});

describe('questions', () => {
  const planOf = (question: Question) => {
    const { query, limit } = parseQuestion(question, '', () => deals);
    const asked = { endpoint: 'query', query, limit, cursor: undefined };
    return planList(model, callerOf(model, EVERYBODY), deals, asked);
  };
  const is = (field: string, op: string, value: unknown) => ({ field, op, value });

  test.each<readonly [string, Question]>([
    [
      'any of two indexed conditions',
      { where: { any: [is('name', 'eq', 'Deal 77'), is('amount', 'between', [70_000, 70_005])] } },
    ],
    ['a part of an indexed text', { where: is('name', 'contains', 'EAL 12345') }],
    ['the end of an indexed text', { where: is('name', 'ends_with', ' 12345') }],
    ['a field behind a reference', { where: is('company_id.name', 'eq', 'Company 77') }],
    [
      'not a field behind a reference',
      { where: { not: is('company_id.name', 'eq', 'Company 77') } },
    ],
    ['an order behind a reference', { sort: [{ field: 'company_id.name' }] }],
    ['the same, descending', { sort: [{ field: 'company_id.name', direction: 'desc' }] }],
  ])('%s', (_, question) => expectBounded(planOf(question)));
});

test('one record by its id', async () => {
  const { id } = await rowWhere('true');
  const caller = callerOf(model, EVERYBODY);
  const nodes = await explain(
    planGet(model, caller, deals, { ids: [String(id)], fields: undefined }),
  );
  expect(nodes.map((node) => node['Node Type'])).toEqual(['Index Scan']);
});
