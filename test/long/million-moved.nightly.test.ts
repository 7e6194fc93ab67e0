// A workspace of 1,000,000 records to a file and back, by the commands: every table is the same, in memory
// that does not grow with it. Takes minutes, so only `npm run test:long`
// runs it.

import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import { migrate } from '../../src/workspaces/migrations.ts';
import { startCommand } from '../cli/command-process.ts';
import { createOwnDatabase, type OwnDatabase } from '../own-database.ts';
import { IS_LONG } from '../until.ts';

const RECORDS = 1_000_000;
const MINUTES = 60_000;

const folder = mkdtempSync(join(tmpdir(), 'million-'));
let own: OwnDatabase;

beforeAll(async () => {
  if (!IS_LONG) return;
  own = await createOwnDatabase();
  await migrate(own.db);
  const users = { 'ada@acme.example': { name: 'Ada', roles: ['admin'] } };
  for (const slug of ['large', 'small']) {
    await createWorkspace(own.db, { slug, document: { users } });
  }
  await own.rows(`insert into ws_large.companies (id, name, created_by_user_id)
    select gen_random_uuid(), md5(n::text) || E' \\\\ \\t' || n, 1 from generate_series(1, ${RECORDS}) n`);
  await own.rows(`insert into ws_large._audit (user_id, object_type, record_id, action, changed_fields, source)
    select 1, 'companies', id, 'create', '{name}', 'import' from ws_large.companies`);
}, 20 * MINUTES);
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await own?.drop();
}, MINUTES);

interface Run {
  readonly out: string;
  readonly seconds: number;
  /** The largest resident size seen, in MB. */
  readonly memory: number;
}

async function run(...args: readonly string[]): Promise<Run> {
  const started = performance.now();
  const { child, outcome } = startCommand(own.environment, 'workspaces', ...args);
  const status = `/proc/${child.pid}/status`;
  let memory = 0;
  const timer = setInterval(() => {
    const text = existsSync(status) ? readFileSync(status, 'utf8') : '';
    memory = Math.max(memory, Number(/VmHWM:\s+(\d+)/.exec(text)?.[1] ?? 0) / 1024);
  }, 100);
  const { code, out, err } = await outcome;
  clearInterval(timer);
  expect(code, err).toBe(0);
  const seconds = (performance.now() - started) / 1000;
  console.info(`${args.join(' ')}: ${seconds.toFixed(1)} s, ${memory.toFixed(0)} MB`);
  return { out, seconds, memory };
}

/** Rows and a sum of their digests, whatever order they are in; numbers of transactions stay out. */
async function digests(schema: string): Promise<unknown> {
  const tables = await own.rows(
    `select tablename as name from pg_tables where schemaname = $1 and tablename <> '_idempotency'
      order by 1`,
    [schema],
  );
  const found = [];
  for (const { name } of tables) {
    const text = `select count(*) as rows,
        sum(hashtextextended((to_jsonb(t) - 'transaction')::text, 0)::numeric)::text as digest
      from "${schema}"."${name}" t`;
    found.push([name, await own.rows(text)]);
  }
  return found;
}

test.skipIf(!IS_LONG)(
  '1,000,000 records',
  async () => {
    const at = (name: string) => join(folder, name);
    const small = await run('export', 'small', '--out', at('small.gz'));
    const large = await run('export', 'large', '--out', at('large.gz'));
    expect(large.out).toContain('1,000,000 records');
    const smallBack = await run('restore', at('small.gz'), '--slug', 'small-again');
    const largeBack = await run('restore', at('large.gz'), '--slug', 'large-again');
    expect(await digests('ws_large-again')).toEqual(await digests('ws_large'));
    const bytes = statSync(at('large.gz')).size / 2 ** 20;
    console.info(`The file has ${bytes.toFixed(0)} MB.`);
    if (small.memory === 0) return;
    // The growth of a heap before a collection, for any work.
    expect(large.memory).toBeLessThan(small.memory + 200);
    expect(largeBack.memory).toBeLessThan(smallBack.memory + 200);
  },
  30 * MINUTES,
);
