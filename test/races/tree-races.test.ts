// Work items that get parents at the same moment: the result is trees, never a cycle, never more than ten levels.

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { LIMITS } from '../../src/limits.ts';
import { mergePatch } from '../../src/model/definition/definition.ts';
import type { WriteOperation } from '../../src/plan/write/write-operation.ts';
import { identifier, sql, toStatement } from '../../src/sql/sql.ts';
import { lockTreeSql } from '../../src/sql/write/work-item-sql.ts';
import { LINKED_DOCUMENT } from '../linked-definition.ts';
import { until } from '../until.ts';
import {
  codesOf,
  openTrack,
  PATIENCE,
  race,
  requireInvariants,
  rounds,
  type Track,
} from './racing.ts';

const DOCUMENT = mergePatch(LINKED_DOCUMENT, {
  workflows: { work: { name: 'Work', initial: 'open', statuses: { open: { name: 'Open' } } } },
  work_item_types: { task: { name: 'Task', prefix: 'TASK', workflow: 'work' } },
});

let track: Track;

beforeAll(async () => {
  track = await openTrack(DOCUMENT);
});

afterEach(async () => {
  await requireInvariants(track);
  expect(await track.rows(BROKEN, [LIMITS.workItemLevels]), 'trees').toEqual([]);
}, PATIENCE);

afterAll(() => track?.close());

/** Work items that no first one leads to within so many levels: in a cycle, or too deep. */
const BROKEN = `with recursive tree (id, level) as (
    select id, 1 from s.work_items where parent_work_item_id is null
    union all
    select w.id, t.level + 1 from tree t join s.work_items w on w.parent_work_item_id = t.id
    where t.level < $1
  ) select w.id from s.work_items w where not exists (select from tree t where t.id = w.id)`;

const OBJECT = { objectType: 'work_items' };

async function item(parent_work_item_id: string | null = null): Promise<string> {
  const fields = { title: 'Item', work_item_type_id: 'task', parent_work_item_id };
  return String((await track.make('work_items', fields)).id);
}

/** So many work items, each below the one before. */
async function chain(length: number): Promise<readonly string[]> {
  const ids = [await item()];
  while (ids.length < length) ids.push(await item(ids.at(-1)));
  return ids;
}

const adopt = (id: string, parent: string): WriteOperation => ({
  action: 'update',
  id,
  fields: { parent_work_item_id: parent },
});
const add = (parent: string): WriteOperation => ({
  action: 'create',
  fields: { title: 'New', work_item_type_id: 'task', parent_work_item_id: parent },
});
const send = (operation: WriteOperation) => () => track.write([operation], OBJECT);

test('a move waits for a move that is not committed, and sees it', async () => {
  const [a, b] = [await item(), await item()];
  const { schema } = track.sample.model;
  const waiting = `select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  const answered = await track.sample.own.db.transaction(async (tx) => {
    await tx.query(toStatement(lockTreeSql(schema, 'move')));
    const move = sql`update ${identifier(schema, 'work_items')}
      set parent_work_item_id = ${b}::uuid where id = ${a}::uuid`;
    await tx.query(toStatement(move));
    let isAnswered = false;
    const outcome = send(adopt(b, a))().finally(() => {
      isAnswered = true;
    });
    await until(async () => isAnswered || (await track.rows(waiting)).length > 0);
    return { outcome };
  });
  expect((await answered.outcome).code).toBe('invalid_write');
});

test(
  'A below B against B below A: one wins',
  async () => {
    await rounds(async () => {
      const [a, b] = [await item(), await item()];
      const outcomes = await race([send(adopt(a, b)), send(adopt(b, a))]);
      expect(codesOf(outcomes)).toEqual(['invalid_write', 'ok']);
    });
  },
  PATIENCE,
);

test(
  'a ring of eight closes nowhere',
  async () => {
    await rounds(async () => {
      const ids = await Promise.all(Array.from({ length: 8 }, () => item()));
      const moves = ids.map((id, place) => send(adopt(id, ids[(place + 1) % 8] as string)));
      const outcomes = await race(moves);
      expect(codesOf(outcomes)).toEqual(['invalid_write', ...Array(7).fill('ok')]);
    }, 0.5);
  },
  PATIENCE,
);

test(
  'a tree that sinks while items are added to its end: never more than ten levels',
  async () => {
    await rounds(async () => {
      const [upper, lower] = [await chain(5), await chain(5)];
      const sink = send(adopt(lower[0] as string, upper[4] as string));
      const outcomes = await race([
        send(add(lower[4] as string)),
        sink,
        send(add(upper[4] as string)),
      ]);
      expect(outcomes[2]?.code).toBe('ok');
      expect([outcomes[0]?.code, outcomes[1]?.code].sort()).toEqual(['invalid_write', 'ok']);
    }, 0.5);
  },
  PATIENCE,
);

test(
  'batches that move the same items in opposite orders: no client gets a deadlock',
  async () => {
    await rounds(async () => {
      const ids = await Promise.all(Array.from({ length: 6 }, () => item()));
      const root = await item();
      const moves = ids.map((id) => adopt(id, root));
      const write = (operations: readonly WriteOperation[]) => () =>
        track.write(operations, { ...OBJECT, batch: true });
      const outcomes = await race([write(moves), write(moves.toReversed()), write(moves)]);
      expect(codesOf(outcomes)).toEqual(['ok', 'ok', 'ok']);
    }, 0.3);
  },
  PATIENCE,
);
