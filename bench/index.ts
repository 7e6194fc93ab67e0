// `npm run bench`: the service against a floor that runs the same SQL, in turns on the same machine.
// It prints ratios; absolute numbers of a shared machine mean little.
//   --records N      also measure growth, on a workspace of N records made once in .bench/
//   --only NAMES     comma-separated names of tasks (TASKS below); docs/performance.md is not written
//   --seconds N      length of one measurement (3)
//   --rounds N       measurements of each side per task (5)
//   --connections N  concurrent requests against the floor (32)
//   --against FOLDER compare with another checkout that is built, in turns; docs/performance.md is not written
//   --short          every task for a second, on few records; docs/performance.md is not written
// It ends with 1 when a task could not be measured.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compareBuilds } from './against.ts';
import { CACHE_DIRECTORY } from './cached-data.ts';
import { DEMO_TASKS, measureDemoReads, measureImport } from './demo-tasks.ts';
import {
  aggregateQuestions,
  listQuestions,
  measureAgainstFloor,
  recordSearchQuestions,
  searchQuestions,
  searchTexts,
} from './floor-tasks.ts';
import { GROWTH_TASKS, growthQuestions, measureGrowthOf } from './growth-questions.ts';
import { measureWalk, measureWidth, measureWorkspaces, type Workspaces } from './growth-tasks.ts';
import { measureLive } from './live-tasks.ts';
import type { Load } from './measure.ts';
import { startService } from './processes.ts';
import { requireRecords, requireWorkspaces } from './records-data.ts';
import { printResult, type Result, writeReport } from './report.ts';
import { openSite, type Site } from './site.ts';
import { measureWrites, WRITE_TASKS } from './write-tasks.ts';

const TASKS = [
  'import',
  ...DEMO_TASKS,
  ...WRITE_TASKS,
  'live',
  'list',
  'record-search',
  'aggregate',
  'search',
  ...GROWTH_TASKS,
  'walk-default',
  'walk-indexed',
  'width',
  'workspaces',
] as const;
type TaskName = (typeof TASKS)[number];
/** The records of the large workspace of `--short`. */
const SHORT_RECORDS = 20_000;

const { values: options } = parseArgs({
  options: {
    records: { type: 'string' },
    only: { type: 'string' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '32' },
    against: { type: 'string' },
    short: { type: 'boolean', default: false },
  },
});
const { short } = options;
const load: Load = {
  seconds: short ? 1 : Number(options.seconds),
  rounds: short ? 1 : Number(options.rounds),
  connections: Number(options.connections),
};
const records = short ? SHORT_RECORDS : Number(options.records ?? 0);
const only: readonly string[] = options.only?.split(',') ?? TASKS;
const unknown = only.filter((name) => !TASKS.some((task) => task === name));
if (unknown.length > 0) throw new Error(`no such task: ${unknown}; there are ${TASKS}`);
const wanted = (name: string) => only.includes(name);

const results: Result[] = [];
const failures: string[] = [];

/** Measure what is wanted of these tasks, which share a site. A failure is noted, and the other tasks are measured. */
async function measure(
  names: TaskName | readonly TaskName[],
  tasks: () => Promise<Result | readonly Result[]>,
): Promise<void> {
  const chosen = [names].flat().filter(wanted);
  if (chosen.length === 0) return;
  try {
    for (const result of [await tasks()].flat()) {
      printResult(result);
      results.push(result);
    }
  } catch (error) {
    console.log(`${chosen} could not be measured: ${(error as Error).message}`);
    failures.push(`Not measured: ${chosen.join(', ')}.`);
  }
}

async function measureRecords(site: Site): Promise<void> {
  const [small, large] = [await site.visit('small'), await site.visit('large')];
  const workspaces: Workspaces = { small, large, records };
  const sample = (schema: string, column: string, count: number) =>
    sampleOf(site, { schema, column, count });
  const names = await sample('ws_large', 'name', 200);
  const ids = {
    small: await sample('ws_small', 'id', 5000),
    large: await sample('ws_large', 'id', 5000),
  };
  for (const questions of [
    listQuestions(large),
    recordSearchQuestions(large),
    aggregateQuestions(large),
    searchQuestions(large, searchTexts(names)),
  ]) {
    const name = questions.name as TaskName;
    await measure(name, () => measureAgainstFloor(site, large, questions, load));
  }
  const growth = growthQuestions(workspaces, { ids, names });
  for (const name of GROWTH_TASKS) {
    await measure(name, () => measureGrowthOf(site, workspaces, growth[name], load));
  }
  const byAge = { order: 'default order', sort: '' };
  const byDate = { order: 'an indexed field', sort: '-close_date' };
  await measure('walk-default', () => measureWalk(workspaces, byAge, load));
  await measure('walk-indexed', () => measureWalk(workspaces, byDate, load));
  await measure('width', () => measureWidth(workspaces, load));
}

/** Values from all over the table of deals, the same ones in every run. */
async function sampleOf(
  { db }: Site,
  { schema, column, count }: { readonly schema: string; column: string; count: number },
): Promise<readonly string[]> {
  const rows = await db.query({
    text: `select ${column}::text as value from ${schema}.deals order by md5(id::text) limit ${count}`,
    values: [],
  });
  return rows.map(({ value }) => String(value));
}

async function postgresVersion({ db }: Site): Promise<string> {
  const text = `select split_part(current_setting('server_version'), ' ', 1) as version`;
  const [row] = await db.query({ text, values: [] });
  return String(row?.version);
}

async function withSite<Value>(
  dataDirectory: string,
  work: (site: Site) => Promise<Value>,
  isProbed = false,
): Promise<Value> {
  const site = await openSite(dataDirectory, isProbed);
  try {
    return await work(site);
  } finally {
    await site.close();
  }
}

/** A site of its own with the demo, gone afterwards. */
async function withDemo<Value>(
  work: (site: Site) => Promise<Value>,
  isProbed = false,
): Promise<Value> {
  const folder = mkdtempSync(join(tmpdir(), 'records-bench-'));
  try {
    await (await startService(folder)).stop();
    return await withSite(folder, work, isProbed);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureAtScale(): Promise<void> {
  const kept = await requireRecords(records);
  const postgres = await withSite(kept.dataDirectory, async (site) => {
    await measureRecords(site);
    return postgresVersion(site);
  });
  await measure('workspaces', async () => {
    const count = short ? 20 : 1000;
    const { dataDirectory } = await requireWorkspaces(count);
    return withSite(dataDirectory, (site) => measureWorkspaces(site, count, load));
  });
  if (short || options.only !== undefined) return;
  const { seconds, rounds, connections } = load;
  const text = `${rounds} rounds of ${seconds} s, ${connections} connections against the floor`;
  writeReport(results, { postgres, records, notes: [kept.note, ...failures], options: text });
}

mkdirSync(CACHE_DIRECTORY, { recursive: true });
if (options.against !== undefined) {
  const compared = options.only ?? [...DEMO_TASKS, ...WRITE_TASKS].join(',');
  await compareBuilds(options.against, compared, load);
  process.exit();
}
await measure('import', measureImport);
const demo = join(CACHE_DIRECTORY, 'demo');
await measure(DEMO_TASKS, () => measureDemoReads(demo, load, wanted));
// On data of its own: it grows.
await measure(WRITE_TASKS, () => withDemo((site) => measureWrites(site, load, wanted)));
await measure('live', () => withDemo(measureLive, true));
if (records > 0) await measureAtScale();
if (failures.length > 0) process.exitCode = 1;
