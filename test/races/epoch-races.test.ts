// The first query of a server without a table of crash epochs makes it (D333): many do so at once, all are answered,
// and one epoch begins. A reader that stays behind during several crashes continues (D455).

import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadChangesMoment } from '../../src/control/process/moments.ts';
import { endFor, noteTurn, type Turns } from '../../src/flow/events/event-moves.ts';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
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

test('a reader that stays behind while the database crashes several times continues', async () => {
  await createWorkspace(own.db, { slug: 'acme' });
  const turns: Turns = new Map();
  const before = await loadChangesMoment(own.db, 'ws_acme');
  const presents: string[] = [];
  const note = (from: string, now: string) =>
    noteTurn(own.db, 'ws_acme', turns, { before: from, now, elapsed: Number.POSITIVE_INFINITY });
  for (let crash = 0; crash < 3; crash += 1) {
    // Recovery empties unlogged tables.
    await own.rows('truncate workspace_records.crash_epoch');
    const now = await loadChangesMoment(own.db, 'ws_acme');
    presents.push(now);
    await note(before, now);
    expect(endFor(turns, before, now)).toBe(now);
  }
  // Readers whose present is older than that of others.
  for (const from of [before, ...presents]) for (const now of presents) await note(from, now);
  for (const from of [before, ...presents]) {
    expect(endFor(turns, from, presents.at(-1) as string)).toBe(presents.at(-1));
  }
});
