// Changes of the definition of an object with 1,000,000 records while one client writes and one reads: how long the
// longest write and the longest read took, compared with writes of another workspace, which only the machine delays.
// Takes many minutes, so only `npm run test:long` runs it.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findWorkspace, type WorkspaceRow } from '../../src/control/workspace/workspaces.ts';
import { sweepLeftovers } from '../../src/definitions/apply/leftovers.ts';
import { mergePatch } from '../../src/model/definition/definition.ts';
import { startCommand } from '../cli/command-process.ts';
import type { Answer, Client } from '../client.ts';
import { IS_LONG } from '../until.ts';
import { ACME, openWorld, type World } from '../world.ts';

const RECORDS = Number(process.env.RECORDS ?? 1_000_000);
const MINUTES = 60_000;
const THINGS = '/objects/things/records';
const COMPANIES = '/objects/companies/records';
/** Milliseconds that a writer may be delayed, beyond the time of a write of another workspace then. */
const LONGEST = 1000;

const START = mergePatch(ACME, {
  objects: {
    things: {
      ...{ name: 'Things', singular_name: 'Thing', searchable: false, workflow: 'flow' },
      fields: {
        name: { type: 'text', indexed: true },
        code: { type: 'text' },
        size: { type: 'number' },
        note: { type: 'text', storage: 'jsonb' },
        remark: { type: 'text', storage: 'jsonb' },
      },
    },
  },
  workflows: { flow: { name: 'Flow', initial: 'open', statuses: { open: { name: 'Open' } } } },
});

type Step = readonly [name: string, patch: object, ...options: readonly string[]];
const things = (patch: object) => ({ objects: { things: patch } });
const field = (key: string, words: unknown) => things({ fields: { [key]: words } });
const STEPS: readonly Step[] = [
  [
    'a key in custom_fields renamed',
    things({
      fields: { note: null, memo: { type: 'text', storage: 'jsonb', renamed_from: 'note' } },
    }),
  ],
  ['a key in custom_fields dropped', field('remark', null), '--allow-drop', 'things.remark'],
  ['number to text', field('size', { type: 'text' })],
  ['to custom_fields', field('size', { storage: 'jsonb' })],
  ['back to a column, with an index', field('size', { storage: 'physical', indexed: true })],
  [
    'a status renamed',
    {
      workflows: {
        flow: {
          initial: 'new',
          statuses: { open: null, new: { name: 'New', renamed_from: 'open' } },
        },
      },
    },
  ],
  ['searchable', things({ searchable: true, display_field: 'name' })],
  ['another display field', things({ display_field: 'code' })],
  ['no owners', things({ owned: false }), '--allow-drop', 'things.owner_user_id'],
];

const folder = mkdtempSync(join(tmpdir(), 'million-definition-'));
let world: World;
let ada: Client;
let elsewhere: Client;
let workspace: WorkspaceRow;

beforeAll(async () => {
  if (!IS_LONG) return;
  world = await openWorld();
  await world.apply(START);
  ada = await world.as('ada', { requestsPerMinute: 1_000_000 });
  elsewhere = await world.as('ada', { requestsPerMinute: 1_000_000, workspace: 'globex' });
  const { db, rows } = world.database;
  workspace = (await findWorkspace(db, 'acme')) as WorkspaceRow;
  await rows(`insert into ws_acme.things (id, created_by_user_id, owner_user_id, status, name, code,
      size, custom_fields)
    select gen_random_uuid(), 1, 1, 'open', 'Name ' || n, 'Code ' || n, n / 8.0,
      jsonb_build_object('note', 'Note ' || n, 'remark', 'Remark ' || n)
    from generate_series(1, ${RECORDS}) n`);
  await rows('vacuum analyze ws_acme.things');
}, 20 * MINUTES);
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await world?.close();
}, MINUTES);

/** A request that meets the change is refused without an effect, and sent again (D99). */
async function longestOf(send: () => Promise<Answer>, state: { readonly isOver: boolean }) {
  let [longest, count] = [0, 0];
  while (!state.isOver) {
    const start = performance.now();
    while ((await send()).status === 503);
    longest = Math.max(longest, performance.now() - start);
    count += 1;
  }
  return { longest, count };
}

async function apply(document: unknown, options: readonly string[]): Promise<void> {
  const file = join(folder, 'document.json');
  writeFileSync(file, JSON.stringify(document));
  const environment = { ...world.database.environment, DEMO: 'off' };
  const { outcome } = startCommand(environment, 'apply', file, '-w', 'acme', ...options);
  const { code, err } = await outcome;
  expect(code, err).toBe(0);
}

test.skipIf(!IS_LONG)(
  `${RECORDS} records`,
  async () => {
    let document: unknown = START;
    const found = await world.rows('select id from things limit 50');
    const figures: [string, number][] = [];
    let at = 0;
    const write = () => {
      at += 1;
      const { id } = found[at % found.length] as { readonly id: unknown };
      return ada.patch(`${THINGS}/${id}`, { fields: { code: `Code ${at}` } });
    };
    const other = await elsewhere.post(COMPANIES, { fields: { name: 'Elsewhere' } });
    const writeElsewhere = () =>
      elsewhere.patch(`${COMPANIES}/${other.body.data.id}`, { fields: { name: `Name ${at}` } });
    const measured = async (name: string, change: () => Promise<unknown>) => {
      const state = { isOver: false };
      const writing = longestOf(write, state);
      const writingElsewhere = longestOf(writeElsewhere, state);
      const reading = longestOf(() => ada.get(`${THINGS}?limit=10`), state);
      const start = performance.now();
      await change().finally(() => {
        state.isOver = true;
      });
      const seconds = (performance.now() - start) / 1000;
      const [written, read, usual] = [await writing, await reading, await writingElsewhere];
      console.info(
        `${name}: ${seconds.toFixed(1)} s; longest of ${written.count} writes ${written.longest.toFixed(0)} ms, ` +
          `of ${read.count} reads ${read.longest.toFixed(0)} ms, elsewhere ${usual.longest.toFixed(0)} ms`,
      );
      return written.longest - usual.longest;
    };
    for (const [name, patch, ...options] of STEPS) {
      document = mergePatch(document, patch);
      figures.push([name, await measured(name, () => apply(document, options))]);
      const sweep = () => sweepLeftovers(world.database.db, workspace);
      figures.push([`${name}, swept`, await measured(`${name}, swept`, sweep)]);
    }
    expect(figures.filter(([, waited]) => waited > LONGEST)).toEqual([]);
  },
  90 * MINUTES,
);
