// The programs of the guide that keep a copy: while clients write, rights and the definition change and the programs are
// killed, their copies end equal to what a list shows their readers.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, createClient } from '../packages/client/src/index.ts';
import { exporting } from '../src/export/export-job.ts';
import { erasing } from '../src/flow/jobs/erasure-job.ts';
import { type JobRunner, startJobs } from '../src/flow/jobs/job-runner.ts';
import { TSX } from './cli/command-process.ts';
import { blocksOf } from './guide-blocks.ts';
import { createOwnDatabase, type OwnDatabase } from './own-database.ts';
import { until } from './until.ts';
import { ACME, openWorld, type PersonName, type World } from './world.ts';

const ROOT = resolve(import.meta.dirname, '..');
const PROGRAMS = {
  'warehouse.mts': [process.execPath, '--import', TSX, 'warehouse.mts'],
  'warehouse.py': ['python3', 'warehouse.py'],
} as const;
type Program = keyof typeof PROGRAMS;

const hasPython = spawnSync('python3', ['--version']).error === undefined;
if (!hasPython) console.warn('The program in Python is not run: python3 is missing.');

let world: World;
let warehouse: OwnDatabase;
/** Of somebody who reads everything. */
let all: OwnDatabase;
let jobs: JobRunner;
let folder: string;
let ada: Client;

beforeAll(async () => {
  world = await openWorld();
  warehouse = await createOwnDatabase();
  all = await createOwnDatabase();
  const { db, listeners } = world.database;
  const kinds = [exporting(db), erasing(db, { pause: 0 })];
  jobs = await startJobs({ db, listeners, onError: console.error, kinds });
  folder = mkdtempSync(join(tmpdir(), 'records-copies-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  for (const { title, text } of blocksOf(
    readFileSync(join(ROOT, 'docs/guide/changes.md'), 'utf8'),
  )) {
    if (title !== undefined) writeFileSync(join(folder, title), text);
  }
  ada = (await clientOf('ada')).client;
});
afterAll(async () => {
  await jobs?.stop();
  await warehouse?.drop();
  await all?.drop();
  await world?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function clientOf(person: PersonName) {
  const { secret: apiKey } = await world.key(person);
  const baseUrl = `http://127.0.0.1:${world.port}/v1`;
  return { apiKey, baseUrl, client: createClient({ baseUrl, apiKey }) };
}

interface Copy {
  /** Begins to follow. */
  start(): void;
  kill(): Promise<void>;
  /** Runs it until it has everything. */
  catchUp(): Promise<void>;
  /** By object type and id. */
  records(): Promise<Readonly<Record<string, unknown>>>;
}

function openCopy(
  name: Program,
  { apiKey, baseUrl }: { readonly apiKey: string; readonly baseUrl: string },
  place: OwnDatabase = warehouse,
): Copy {
  const env = { B: baseUrl, COPY_KEY: apiKey, WAREHOUSE: place.environment.DATABASE_URL };
  const [command, ...args] = PROGRAMS[name];
  let child: ChildProcess | undefined;
  const run = (...more: readonly string[]) =>
    spawn(command, [...args, ...more], {
      ...{ cwd: folder, stdio: 'ignore' },
      env: { PATH: process.env.PATH, ...env },
    });
  const ended = (one: ChildProcess) => new Promise((end) => one.once('close', end));
  const restart = (failed: ChildProcess) => {
    if (child === failed) start();
  };
  // As the guide says, something starts it again when it fails.
  const start = () => {
    const one = run();
    child = one;
    one.once('close', (code) => child === one && code !== null && setTimeout(restart, 100, one));
  };
  return {
    start,
    async kill() {
      const last = child;
      child = undefined;
      if (last === undefined || last.exitCode !== null) return;
      const end = ended(last);
      last.kill('SIGKILL');
      await end;
    },
    async catchUp() {
      expect(await ended(run('once')), name).toBe(0);
    },
    records: name === 'warehouse.mts' ? () => inPostgres(place) : inSqlite,
  };
}

async function inPostgres(place: OwnDatabase): Promise<Readonly<Record<string, unknown>>> {
  const rows = await place.rows('select object_type, id, fields from copy');
  return Object.fromEntries(rows.map((row) => [`${row.object_type} ${row.id}`, row.fields]));
}

const READ = `import json, sqlite3
rows = sqlite3.connect("warehouse.db").execute("select object_type || ' ' || id, fields from copy").fetchall()
print(json.dumps({key: json.loads(fields) for key, fields in rows}))`;

async function inSqlite(): Promise<Readonly<Record<string, unknown>>> {
  const { stdout } = spawnSync('python3', ['-c', READ], { cwd: folder, encoding: 'utf8' });
  return JSON.parse(stdout);
}

/** The records that lists and records show the reader. */
async function shownTo(client: Client): Promise<Readonly<Record<string, unknown>>> {
  const shown: Record<string, unknown> = {};
  for (const { object_type } of await client.objects.list()) {
    for await (const { id } of client.records(object_type).all()) {
      const { custom_fields, ...fields } = (await client.records(object_type).get(id)).fields;
      shown[`${object_type} ${id}`] = { ...fields, ...(custom_fields as object | undefined) };
    }
  }
  return shown;
}

/** The keys of an object and of a status, before a change of the definition and after it. */
const BEFORE = { boats: 'boats', won: 'won' };
const AFTER = { boats: 'ships', won: 'closed' };

/** Writes of every kind by an administrator, one after the other. */
async function write(rounds: number, { boats, won }: typeof BEFORE): Promise<void> {
  const { mia, rob, rae, sam } = world.users;
  const owners = [mia, rob, rae, sam];
  const company = await ada
    .records('companies')
    .create({ name: 'C', custom_fields: { note: 'x' } });
  for (let round = 0; round < rounds; round += 1) {
    const owner_user_id = owners[round % owners.length];
    const deals = ada.records('deals');
    const ids = [];
    for (const name of ['Kept', 'Moved', 'Given', 'Gone']) {
      ids.push((await deals.create({ name: `${name} ${round}`, owner_user_id })).id);
    }
    const [kept = '', moved = '', given = '', gone = ''] = ids;
    await deals.update(kept, { secret: `s${round}`, company_id: company.id });
    await deals.status(moved, won);
    await deals.update(given, { owner_user_id: owners[(round + 1) % owners.length] });
    await deals.delete(gone);
    await ada.records(boats).create({ name: `Boat ${round}`, company_id: company.id });
    await ada.records('companies').update(company.id, { custom_fields: { note: `n${round}` } });
  }
}

/** Of Rae's deals, which all readers have, one goes into another one, and one is erased. */
async function mergeAndErase(): Promise<void> {
  const deals = ada.records('deals');
  const { data } = await deals.list({ filters: { owner_user_id: world.users.rae }, limit: 3 });
  const [kept, merged, erased] = data.map(({ id, version }) => ({ id, version: String(version) }));
  if (kept === undefined || merged === undefined || erased === undefined)
    throw new Error(`Rae has ${data.length} deals.`);
  const from = [{ id: merged.id, expected_version: merged.version }];
  await deals.merge(kept.id, { from, take: { name: merged.id } });
  let job = await ada.erasures.start({ records: [{ object_type: 'deals', id: erased.id }] });
  while (job.finished_at === null) job = await ada.jobs.get(job.id, { wait: 30 });
  expect(job).toMatchObject({ state: 'done', counts: { records: 1 } });
}

const setRoles = (person: string, roles: string) =>
  world.database.rows(`update ws_acme._users set roles = $1 where name = $2`, [roles, person]);

/** A field, an object and a status have other keys, and a field is gone. */
async function changeDefinition(): Promise<void> {
  const { boats, deals, ...objects } = ACME.objects;
  const { amount, tags: _, ...fields } = deals.fields;
  const { rep, ...roles } = ACME.roles;
  const { boats: ofBoats, ...ofObjects } = rep.objects;
  const { pipeline } = ACME.workflows;
  const { won, open, ...statuses } = pipeline.statuses;
  await world.apply(
    {
      ...ACME,
      workflows: {
        pipeline: {
          ...pipeline,
          statuses: {
            ...statuses,
            open: { ...open, transitions: ['closed', 'lost'] },
            closed: { ...won, renamed_from: 'won' },
          },
        },
      },
      objects: {
        ...objects,
        deals: { ...deals, fields: { ...fields, value: { ...amount, renamed_from: 'amount' } } },
        ships: { ...boats, renamed_from: 'boats' },
      },
      roles: { ...roles, rep: { ...rep, objects: { ...ofObjects, ships: ofBoats } } },
    },
    ['deals.tags'],
  );
}

test('copies end equal to lists', async () => {
  await write(3, BEFORE);
  const copies: { name: Program; client: Client; copy: Copy }[] = [];
  const follow = async (name: Program, person: PersonName, place?: OwnDatabase) => {
    const key = await clientOf(person);
    copies.push({ name, client: key.client, copy: openCopy(name, key, place) });
  };
  await follow('warehouse.mts', 'mia');
  await follow('warehouse.mts', 'ada', all);
  if (hasPython) await follow('warehouse.py', 'rae');
  const each = async (work: (copy: Copy) => unknown) => {
    for (const { copy } of copies) await work(copy);
  };
  await each((copy) => copy.start());
  await write(5, BEFORE);
  await each((copy) => copy.kill());
  await write(3, BEFORE);
  await setRoles('Rae', '{manager}');
  await each((copy) => copy.start());
  await write(3, BEFORE);
  await changeDefinition();
  await write(3, AFTER);
  await setRoles('Rae', '{rep}');
  await setRoles('Mia', '{manager,rep}');
  await each((copy) => copy.kill());
  await each((copy) => copy.catchUp());
  await mergeAndErase();
  await write(2, AFTER);
  for (const { name, client, copy } of copies) {
    await copy.catchUp();
    const shown = await shownTo(client);
    expect(Object.keys(shown).length).toBeGreaterThan(10);
    expect(await copy.records(), name).toEqual(shown);
  }
});

test('a program that follows has a change within a moment, and reads everything again when its cursor is not valid', async () => {
  const key = await clientOf('mia');
  const { client } = key;
  const copy = openCopy('warehouse.mts', key);
  copy.start();
  await until(async () => {
    const { id } = await ada.records('companies').create({ name: 'Soon' });
    await new Promise((resolve) => setTimeout(resolve, 500));
    return Object.hasOwn(await copy.records(), `companies ${id}`);
  });
  await copy.kill();
  const [place] = await warehouse.rows('select cursor from place');
  // As after a restore: the numbers of transactions have gone back.
  await world.database.rows(
    'select workspace_records.begin_epoch(epoch::text) from workspace_records.crash_epoch',
  );
  const pages = client.changes({ cursor: String(place?.cursor), wait: 0 });
  await expect(pages.next()).rejects.toMatchObject({ details: { reason: 'restored' } });
  await copy.catchUp();
  expect(await copy.records()).toEqual(await shownTo(client));
});
