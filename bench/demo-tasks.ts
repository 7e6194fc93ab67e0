// The measurements of every run, on the demo data: importing its files, getting and listing its deals.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  differentSumQuestions,
  expandedQuestions,
  filteredListQuestions,
  searchBoxQuestions,
  sumQuestions,
} from './demo-questions.ts';
import {
  byOneAndByMany,
  commentQuestions,
  getQuestions,
  measureAgainstFloor,
  plainListQuestions,
} from './floor-tasks.ts';
import type { Load } from './measure.ts';
import { startService } from './processes.ts';
import { atLeast, type Result } from './report.ts';
import { openSite, type Site } from './site.ts';

const FILES = [
  ['companies.mapping.yaml', 'accounts.csv'],
  ['products.mapping.yaml', 'products.csv'],
  ['deals.mapping.yaml', 'sales_pipeline.csv'],
] as const;

/** The measurements of the demo, by the names `--only` takes. */
export const DEMO_TASKS = [
  ...(['get', 'get-keys', 'plain-list', 'plain-list-keys'] as const),
  ...(['filtered-list', 'filtered-list-keys', 'sums', 'sums-keys'] as const),
  ...(['different-sums', 'different-sums-keys', 'expanded', 'expanded-keys'] as const),
  ...(['search-box', 'search-box-keys', 'comments'] as const),
] as const;

/** Import the files of the demo into an empty workspace; the largest of them is the result. */
export async function measureImport(): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'records-bench-'));
  const service = await startService(folder, { DEMO: 'off' });
  try {
    const examples = join(import.meta.dirname, '..', 'examples', 'crm-sales');
    const definition = join(examples, 'definition.yaml');
    service.command('workspaces', 'create', 'bench', '--definition', definition);
    const into = ['import', '--workspace', 'bench', '--json', '--mapping'];
    let result: Result | undefined;
    for (const [mapping, file] of FILES) {
      const started = performance.now();
      const report = service.command(...into, join(examples, mapping), join(examples, file));
      const { read } = JSON.parse(report) as { read: number };
      const elapsed = (performance.now() - started) / 1000;
      result = {
        task: 'import of a CSV file',
        service: `${read.toLocaleString('en')} records in ${elapsed.toFixed(1)} s`,
        floor: '—',
        figure: read / elapsed,
        target: atLeast(2000, 'records/s'),
      };
    }
    if (result === undefined) throw new Error('there is no file to import');
    return result;
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The first start loads the demo through the write path. */
export async function measureDemoReads(
  dataDirectory: string,
  load: Load,
  wanted: (name: string) => boolean,
): Promise<readonly Result[]> {
  // The demo is there before the site, which runs without one.
  await (await startService(dataDirectory)).stop();
  const site = await openSite(dataDirectory);
  const results: Result[] = [];
  try {
    const visitor = await site.visit('demo');
    const rows = await site.db.query({
      text: 'select id from ws_demo.deals order by random() limit 500',
      values: [],
    });
    const ids = rows.map((row) => String(row.id));
    const discussed = ids.slice(0, 50);
    await addComments(site, discussed);
    const questions = [
      ...byOneAndByMany(getQuestions(visitor, ids), 1),
      ...byOneAndByMany(await plainListQuestions(visitor), 0.9),
      ...byOneAndByMany(filteredListQuestions(visitor), 0.9),
      ...byOneAndByMany(sumQuestions(visitor), 0.95),
      ...byOneAndByMany(differentSumQuestions(visitor), 1),
      ...byOneAndByMany(await expandedQuestions(visitor), 1),
      ...byOneAndByMany(await searchBoxQuestions(visitor), 0.9),
      commentQuestions(visitor, discussed),
    ].filter(({ name }) => wanted(name));
    for (const one of questions) results.push(await measureAgainstFloor(site, visitor, one, load));
    console.log(`memory after load  ${site.service.memory()} MB`);
    return results;
  } finally {
    await site.close();
  }
}

/** Sixty comments of some length on each of these deals. */
async function addComments({ db }: Site, ids: readonly string[]): Promise<void> {
  await db.query({
    text: `insert into ws_demo._comments (id, object_type, record_id, body, author_user_id, created_at)
      select gen_random_uuid(), 'deals', d.id, repeat('They want to talk about the price. ', 1 + n % 5),
        (select min(id) from ws_demo._users), now() - n * interval '1 hour'
      from unnest($1::uuid[]) d(id) cross join generate_series(1, 60) n`,
    values: [ids],
  });
}
