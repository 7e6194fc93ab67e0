// The statements of live events stay cheap however long the audit is: they read only new rows.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { findWorkspace, loadModel } from '../../src/control/workspace/workspaces.ts';
import type { WorkspaceModel } from '../../src/model/definition/model.ts';
import { type EventPosition, planEventPage } from '../../src/plan/events/event-position.ts';
import { unseenBy } from '../../src/plan/events/snapshot-moment.ts';
import { behindSql, eventsSql, turnOfMoveSql } from '../../src/sql/events/event-sql.ts';
import { type Sql, toStatement } from '../../src/sql/sql.ts';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import { migrate } from '../../src/workspaces/migrations.ts';
import { createOwnDatabase, type OwnDatabase } from '../own-database.ts';

let own: OwnDatabase;
let model: WorkspaceModel;
const TRANSACTIONS = 200;
const EACH = 100;

beforeAll(async () => {
  own = await createOwnDatabase();
  await migrate(own.db);
  await createWorkspace(own.db, { slug: 'long', document: { name: 'Long', objects: {} } });
  const workspace = await findWorkspace(own.db, 'long');
  model = (await loadModel(own.db, workspace?.id ?? 0)) as WorkspaceModel;
  for (let made = 0; made < TRANSACTIONS; made += 1) await write(EACH);
  await own.rows('analyze ws_long._audit');
});
afterAll(() => own.drop());

const source = () => ({ model, renamed: [], days: 30 });

async function write(rows: number): Promise<void> {
  await own.rows(
    `insert into ws_long._audit (user_id, object_type, record_id, action, changed_fields, source)
      select 1, 'deals', gen_random_uuid(), 'delete', '{}', 'api' from generate_series(1, $1)`,
    [rows],
  );
}

async function snapshot(): Promise<string> {
  const [row] = await own.rows('select pg_current_snapshot()::text as snapshot');
  return row?.snapshot as string;
}

/** Blocks of 8 kB that the statement reads, with and without knowing its parameters. */
async function blocksOf(statement: Sql): Promise<readonly number[]> {
  const { text, values } = toStatement(statement);
  const blocks: number[] = [];
  for (const mode of ['force_custom_plan', 'force_generic_plan']) {
    await own.db.transaction(async (tx) => {
      await tx.query({ text: `set local plan_cache_mode = ${mode}`, values: [] });
      const explain = `explain (analyze, buffers, format json) ${text}`;
      const [row = {}] = await tx.query({ text: explain, values });
      const [{ Plan: plan }] = row['QUERY PLAN'] as [{ Plan: Record<string, number> }];
      blocks.push((plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0));
    });
  }
  return blocks;
}

test('a look reads what came since the last one', async () => {
  const delivered = await snapshot();
  await write(3);
  const statement = eventsSql(source(), planEventPage({ delivered }, await snapshot(), 200));
  const found = await own.db.query(toStatement(statement));
  expect(found).toHaveLength(3);
  expect(Math.max(...(await blocksOf(statement)))).toBeLessThan(100);
});

test('a page reads as many rows as it has, and pages are all rows once', async () => {
  const [first] = await own.rows(
    'select min(transaction)::text as transaction from ws_long._audit',
  );
  const delivered = `${first?.transaction}:${first?.transaction}:`;
  const end = await snapshot();
  const [later] = await own.rows('select count(*)::integer as count from ws_long._audit');
  const ids: unknown[] = [];
  let position: EventPosition = { delivered };
  for (;;) {
    const statement = eventsSql(source(), planEventPage(position, end, 1500));
    const rows = await own.db.query(toStatement(statement));
    ids.push(...rows.map(({ id }) => id));
    if (rows.length < 1500) break;
    const { transaction, id } = rows.at(-1) as { transaction: string; id: number };
    const within = { to: end, after: { transaction, id } };
    position = { delivered, within };
  }
  expect(ids).toHaveLength(later?.count as number);
  expect(new Set(ids).size).toBe(ids.length);
  const page = eventsSql(source(), planEventPage(position, end, 100));
  expect(Math.max(...(await blocksOf(page)))).toBeLessThan(300);
});

test('the distance of a reader that is behind is counted up to the limit', async () => {
  const behind = async (from: string, pending: string[], most: number) => {
    const unseen = unseenBy(`${from}:${from}:${pending}`);
    const bounds = { to: await snapshot(), most };
    const found = await own.db.query(toStatement(behindSql(model.schema, unseen, bounds)));
    return found[0]?.too_far;
  };
  const rows = await own.rows(
    'select distinct transaction::text::bigint as transaction from ws_long._audit order by 1 desc limit 5',
  );
  const fifth = String(rows[4]?.transaction);
  // The last one has three rows, the four before it a hundred each.
  expect(await behind(fifth, [], 403)).toBe(false);
  expect(await behind(fifth, [], 402)).toBe(true);
  expect(await behind('999999999', [fifth], 100)).toBe(false);
  expect(await behind('999999999', [fifth], 99)).toBe(true);
  expect(await behind(String(rows[0]?.transaction), [fifth], 103)).toBe(false);
  expect(await behind(String(rows[0]?.transaction), [fifth], 102)).toBe(true);
  const to = await snapshot();
  const few = behindSql(model.schema, unseenBy(`${fifth}:${fifth}:`), { to, most: 10 });
  expect(Math.max(...(await blocksOf(few)))).toBeLessThan(100);
});

test('on a cluster a look reads what was written on its node, and a move has a turn', async () => {
  await own.rows(`insert into ws_long._audit
      (id, transaction, user_id, object_type, record_id, action, changed_fields, source)
    overriding system value
    select (node << 48) + number, coalesce(known::text::xid8, pg_current_xact_id()), 1, 'deals',
      gen_random_uuid(), 'delete', '{}', 'api'
    from (values (1::bigint, 1, 4000000000), (1, 2, 4000000007), (2, 3, 4000000003), (2, 4, null))
      as written(node, number, known)`);
  const at = (group: number) => `:e.1.${group}`;
  const seen = async (delivered: string, end: string) => {
    const page = eventsSql(source(), planEventPage({ delivered }, end, 200));
    const rows = await own.db.query(toStatement(page));
    return rows.map(({ id }) => Number(BigInt(id as number) % 2n ** 48n));
  };
  const all = '5000000000:5000000000:';
  expect(await seen(`4000000000:4000000000:${at(1)}`, all + at(1))).toEqual([1, 2]);
  expect(await seen(`4000000001:4000000001:${at(1)}`, all + at(1))).toEqual([2]);
  expect(await seen(`4000000000:4000000000:${at(2)}`, all + at(2))).toEqual([3]);
  const [last] = await own.rows(`select max(transaction)::text as transaction from ws_long._audit
    where transaction < '3000000000'`);
  const step = { before: all + at(1), now: all + at(2) };
  const turn = await own.db.query(toStatement(turnOfMoveSql(model.schema, step, 60)));
  // The row that arrived names another transaction than the one that stored it.
  expect(turn).toEqual([{ last: '4000000007', first: last?.transaction }]);
});
