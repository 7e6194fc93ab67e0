// A workspace is moved while a change of its definition rebuilds data: the file has one definition or the other with
// all of its data, and none of an interrupted build.

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { applyDefinition } from '../../src/definitions/apply/apply-definition.ts';
import { sweepLeftovers } from '../../src/definitions/apply/leftovers.ts';
import {
  exported,
  openSite,
  restored,
  type Site,
  tableDigests,
  workspaceOf,
} from '../moved-workspace.ts';
import { loadPresent, requireSearchRows } from '../search-rows.ts';
import { openThings, RECORDS, type Things, thingsWith } from '../things-world.ts';
import { IS_LONG } from '../until.ts';

const CHANGES = [
  ['search rows', thingsWith({ display_field: 'code', fields: { note: { searchable: true } } })],
  ['values', thingsWith({ fields: { note: { storage: 'jsonb' } } })],
] as const;
/** On every commit each of the two is moved in one way, and in both when there is time. */
const [OF_SEARCH, OF_VALUES] = IS_LONG ? [CHANGES, CHANGES] : [[CHANGES[0]], [CHANGES[1]]];

let there: Site;
let things: Things;
let copies = 0;

beforeAll(async () => {
  there = await openSite();
});
afterAll(() => there?.close());
beforeEach(async () => {
  things = await openThings();
});
afterEach(() => things?.world.close());

/** Restores a file as another workspace, and expects it to be whole. */
async function restoredWhole(file: Buffer) {
  copies += 1;
  const slug = `copy-${copies}`;
  const { records } = await restored(there.own, file, { slug, withoutKeys: true });
  expect(records).toBe(RECORDS);
  const workspace = await workspaceOf(there.own, slug);
  await requireSearchRows(there.own.db, await loadPresent(there.own.db, workspace.id, 'things'));
  return workspace;
}

const isOver = async (work: Promise<unknown>) =>
  Promise.race([work.then(() => true), new Promise((resolve) => setTimeout(resolve, 500, false))]);

test.each(OF_SEARCH)(
  'an export waits for a change that rebuilds %s, and has all of it',
  async (_, document) => {
    const build = await things.holdBuild();
    const applying = things.apply(document);
    let exporting: ReturnType<typeof exported> | undefined;
    await build.within(async () => {
      exporting = exported(things.world.database, 'acme');
      expect(await isOver(exporting)).toBe(false);
    });
    const { workspace } = await applying;
    const { file = Buffer.alloc(0) } = (await exporting) ?? {};
    const copy = await restoredWhole(file);
    expect(copy.revision).toBe(workspace.revision);
    const [own, moved] = await Promise.all([
      tableDigests(things.world.database, 'ws_acme'),
      tableDigests(there.own, copy.schema),
    ]);
    expect(moved.things).toEqual(own.things);
  },
);

test.each(OF_VALUES)(
  'an export has none of %s that were interrupted in the middle',
  async (_, document) => {
    const { db, rows } = things.world.database;
    const id = await things.leaveJob(document);
    const begun = await rows(`select 1 from ws_acme._leftovers where build is not null`);
    expect(begun).toHaveLength(1);

    const { file } = await exported(things.world.database, 'acme');
    const copy = await restoredWhole(file);
    expect(copy.revision).toBe(things.workspace.revision);
    expect(await sweepLeftovers(there.own.db, copy)).toBe(0);
    await applyDefinition(there.own.db, copy.slug, document);
    const present = await loadPresent(there.own.db, copy.id, 'things');
    await requireSearchRows(there.own.db, present);

    // Here it continues undisturbed.
    await things.resumeJob(id);
    await requireSearchRows(db, await things.present());
  },
);
