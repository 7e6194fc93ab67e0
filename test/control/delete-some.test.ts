// Deletes in portions: never more rows than requested, whichever plan PostgreSQL chooses.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteSome } from '../../src/control/process/delete-some.ts';
import { identifier, sql } from '../../src/sql/sql.ts';
import { createOwnDatabase, type OwnDatabase } from '../own-database.ts';

let own: OwnDatabase;

beforeAll(async () => {
  own = await createOwnDatabase();
  await own.rows('create table old_rows (id integer primary key)');
});

afterAll(() => own?.drop());

test.each([
  ['the plan of its choice', []],
  ['a nested loop', ['hashjoin', 'mergejoin', 'hashagg', 'sort', 'material']],
])('with %s', async (_, without) => {
  await own.rows('truncate old_rows');
  await own.rows('insert into old_rows select generate_series(1, 5)');
  const doomed = { table: identifier('old_rows'), key: identifier('id'), where: sql`t.id > 0` };
  await own.db.transaction(async (tx) => {
    for (const name of without) {
      await tx.query({ text: `set local enable_${name} = off`, values: [] }, { prepare: false });
    }
    expect(await deleteSome(tx, doomed, 3)).toBe(3);
    expect(await deleteSome(tx, doomed, 3)).toBe(2);
  });
});
