// The first query of a server without a table of crash epochs makes it (D333): many do so at once, all are answered,
// and one epoch begins.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMigratedDatabase, type OwnDatabase } from '../own-database.ts';
import { timesOf } from '../until.ts';

let own: OwnDatabase;

beforeAll(async () => {
  own = await createMigratedDatabase();
});
afterAll(() => own?.drop());

test('many begin the first epoch of a server together', async () => {
  for (let round = 0; round < timesOf(40); round += 1) {
    await own.rows('drop table if exists workspace_records.crash_epoch');
    const begun = await Promise.all(
      Array.from({ length: 8 }, () =>
        own.rows("select workspace_records.begin_epoch('') as begun"),
      ),
    );
    expect(begun.flat().filter((row) => row.begun === true)).toHaveLength(1);
    expect(await own.rows('select epoch from workspace_records.crash_epoch')).toHaveLength(1);
  }
});
