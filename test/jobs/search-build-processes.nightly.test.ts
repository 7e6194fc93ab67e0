// Search rows rebuilt during writes: afterwards they equal those of a fresh build, no write is lost, and people find
// the records they may read by one definition or the other. An interrupted build leaves no row.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { findWorkspace } from '../../src/control/workspace/workspaces.ts';
import { sweepLeftovers } from '../../src/definitions/apply/leftovers.ts';
import { startCommand } from '../cli/command-process.ts';
import type { Client } from '../client.ts';
import { loadSearchNames, requireSearchRows } from '../search-rows.ts';
import {
  openThings,
  RECORDS,
  START,
  sendAgain,
  THINGS,
  type Things,
  thingsWith,
} from '../things-world.ts';
import { until } from '../until.ts';
import type { World } from '../world.ts';

const SHOWN = thingsWith({
  display_field: 'code',
  fields: { note: { searchable: true }, name: { searchable: false } },
});

let things: Things;
let world: World;
let ada: Client;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'search-builds-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeEach(async () => {
  things = await openThings();
  ({ world, ada } = things);
});
afterEach(() => world?.close());

async function hits(client: Client, text: string): Promise<readonly string[]> {
  const path = `/search?q=${encodeURIComponent(text)}&limit=30`;
  const { body } = await sendAgain(() => client.get(path));
  return body.data.map(({ id }: { readonly id: string }) => id).sort();
}

/** One write of each kind to these records. */
async function writeAll(records: readonly string[]): Promise<void> {
  const [first, second, third, fourth] = records;
  const fields = { code: 'Changed', note: 'remark' };
  await ada.patch(`${THINGS}/${first}`, { fields });
  await ada.patch(`${THINGS}/${second}`, { fields: { owner_user_id: world.users.rae } });
  await ada.delete(`${THINGS}/${third}`);
  await ada.post(`${THINGS}/batch`, {
    operations: [
      { action: 'create', fields: { code: 'Created' } },
      { action: 'update', id: fourth, fields: { note: null } },
    ],
  });
}

test('concurrent writes are in the new rows, also by transactions that were under way', async () => {
  const { db } = world.database;
  const [open] = await things.ids('order by id limit 1');
  const firstOnes = await things.ids('order by id offset 1 limit 4');
  const lastOnes = await things.ids('order by id desc limit 4');
  const before = await world.rows('select count(*) as n from things');
  // In progress when the build begins; its search rows are those of the definition before.
  const applying = await db.transaction(async (tx) => {
    const send = (text: string) => tx.query({ text, values: [open] }, { prepare: false });
    await send(`update ws_acme.things set code = 'Under way', version = version + 1 where id = $1`);
    await send(`insert into ws_acme._audit (user_id, object_type, record_id, action, changed_fields, source)
      values (1, 'things', $1, 'update', '{code}', 'api')`);
    const build = await things.holdBuild();
    const outcome = things.apply(SHOWN);
    await build.within(async () => {
      await writeAll(firstOnes);
      await writeAll(lastOnes);
    });
    return { outcome };
  });
  expect((await applying.outcome).workspace.revision).toBe(things.workspace.revision + 1);
  expect(await requireSearchRows(db, await things.present())).toBeGreaterThan(RECORDS);
  expect(await hits(ada, 'Under way')).toContain(open);
  expect(await hits(ada, 'Changed')).toEqual([firstOnes[0], lastOnes[0]].sort());
  expect(await hits(ada, 'Created')).toHaveLength(2);
  expect(await hits(ada, 'Name')).toEqual([]);
  expect(await world.rows('select count(*) as n from things')).toEqual(before);
  // Records without a write keep their versions.
  const versions = await world.rows(
    'select version, count(*) as n from things group by 1 order by 1',
  );
  expect(versions).toEqual([
    { version: 1, n: RECORDS - 7 },
    { version: 2, n: 7 },
  ]);
  expect(await sweepLeftovers(db, things.workspace)).toBe(0);
  expect(await loadSearchNames(db, 'ws_acme')).toEqual(['things#2']);
});

test('writers that never pause', async () => {
  const { db } = world.database;
  const writing = things.keepWriting(3, 'code');
  for (const document of [SHOWN, START, SHOWN]) await things.apply(document);
  const written = await writing.stop();
  await requireSearchRows(db, await things.present());
  const versions = await world.rows('select id, version from things where version > 1');
  expect(new Map(versions.map(({ id, version }) => [id, Number(version) - 1]))).toEqual(written);
  await sweepLeftovers(db, things.workspace);
  expect(await loadSearchNames(db, 'ws_acme')).toHaveLength(1);
});

test('with other owners people find the records of one definition or the other', async () => {
  const rob = await world.as('rob', { requestsPerMinute: 1_000_000 });
  const [mine, written] = await things.ids(
    `where created_by_user_id <> owner_user_id order by owner_user_id = ${world.users.rob} desc, id limit 2`,
  );
  const both = await things.ids(
    `where created_by_user_id <> owner_user_id and owner_user_id <> ${world.users.rob} limit 1`,
  );
  await ada.patch(`${THINGS}/${mine}`, { fields: { name: 'Unique word' } });
  await ada.patch(`${THINGS}/${both[0]}`, { fields: { name: 'Unique word' } });
  expect(written).toBeDefined();
  expect(await hits(rob, 'Unique word')).toEqual([mine]);
  const seen: (readonly string[])[] = [];
  const applying = things.apply(thingsWith({ owned: false }), {
    allowDrop: ['things.owner_user_id'],
  });
  const state = { isOver: false };
  const reading = (async () => {
    while (!state.isOver) seen.push(await hits(rob, 'Unique word'));
  })();
  await applying;
  await until(async () => (await hits(rob, 'Unique word'))[0] === both[0]);
  state.isOver = true;
  await reading;
  const changed = seen.findIndex(([id]) => id === both[0]);
  seen.forEach((found, at) => {
    expect(found).toEqual([changed === -1 || at < changed ? mine : both[0]]);
  });
  await requireSearchRows(world.database.db, await things.present());
});

/** The definition is the one before, and the aborted one leaves no row. */
async function requireUntouched(): Promise<void> {
  const { db } = world.database;
  const now = await findWorkspace(db, 'acme');
  expect(now?.revision).toBe(things.workspace.revision);
  // PostgreSQL may not have noticed yet that a killed process is gone: until then the build is somebody's.
  await until(async () => (await sweepLeftovers(db, things.workspace)) === 0);
  expect(await loadSearchNames(db, 'ws_acme')).toEqual(['things']);
  await requireSearchRows(db, await things.present());
}

test('a cancelled build leaves no row', async () => {
  const ending = new AbortController();
  const build = await things.holdBuild();
  const applying = things.apply(SHOWN, { signal: ending.signal }).then(
    () => 'applied',
    (error: Error) => error.message,
  );
  await build.within(async () => ending.abort(new Error('enough')));
  expect(await applying).toBe('enough');
  await requireUntouched();
});

test('a killed apply leaves no row', async () => {
  const file = join(folder, 'shown.json');
  writeFileSync(file, JSON.stringify(SHOWN));
  const environment = { ...world.database.environment, DEMO: 'off' };
  const build = await things.holdBuild();
  const { child, outcome } = startCommand(environment, 'apply', file, '-w', 'acme');
  await build.within(async () => {
    child.kill('SIGKILL');
    await outcome;
  });
  const jobs = `select state from workspace_records.jobs where kind = 'leftovers'`;
  expect(await world.database.rows(jobs)).toEqual([{ state: 'queued' }]);
  await requireUntouched();
  await things.apply(SHOWN);
  await requireSearchRows(world.database.db, await things.present());
});

test('a job continues where a process has stopped', async () => {
  const { db, rows } = world.database;
  const id = await things.leaveJob(SHOWN);
  const [before] = await rows(`select id, build ->> 'after' as after from ws_acme._leftovers`);
  expect(before?.after).not.toBeNull();
  // The job that deletes leftovers leaves this one to the other job.
  expect(await sweepLeftovers(db, things.workspace)).toBe(1);
  await writeAll(await things.ids('order by id limit 4'));
  await things.resumeJob(id);
  const [after] = await rows('select min(id) as id from ws_acme._leftovers');
  // The build's own row is gone: it was taken over, and its data has the name of the definition.
  expect(Number(after?.id)).toBe(Number(before?.id) + 1);
  await requireSearchRows(db, await things.present());
});
