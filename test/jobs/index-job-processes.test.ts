// `apply` is killed while it builds indexes of a large table: a service that runs brings them to the
// definition that is in force by then. The lease of the command ends by moving its time.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyDefinition } from '../../src/definitions/apply/apply-definition.ts';
import type { Row } from '../../src/postgres/db.ts';
import { COMMAND, type CommandProcess, startCommand } from '../cli/command-process.ts';
import { CARS, carsWith, createCars } from '../large-cars.ts';
import { createMigratedDatabase, type OwnDatabase } from '../own-database.ts';
import { until } from '../until.ts';

let own: OwnDatabase;
let folder: string;
let service: ReturnType<typeof spawn>;

beforeAll(async () => {
  own = await createMigratedDatabase();
  folder = mkdtempSync(join(tmpdir(), 'index-jobs-'));
  service = spawn(process.execPath, [COMMAND, 'start', '--port', '0'], {
    env: { PATH: process.env.PATH, ...own.environment, DEMO: 'off' },
    stdio: 'ignore',
  });
});
afterAll(async () => {
  const ended = once(service, 'exit');
  service.kill('SIGTERM');
  await ended;
  rmSync(folder, { recursive: true, force: true });
  await own?.drop();
});

function apply(slug: string, document: unknown): CommandProcess {
  const file = join(folder, `${slug}.json`);
  writeFileSync(file, JSON.stringify(document));
  return startCommand({ ...own.environment, DEMO: 'off' }, 'apply', file, '-w', slug);
}

async function indexesOf(slug: string): Promise<readonly unknown[]> {
  const rows = await own.rows(
    `select c.relname || case when i.indisvalid then '' else '!' end as name
      from pg_index i join pg_class c on c.oid = i.indexrelid
      where i.indrelid = ('"ws_' || $1 || '".cars')::regclass and c.relname ~ 'cars.(code|size)'`,
    [slug],
  );
  return rows.map(({ name }) => name);
}

async function jobsOf(slug: string): Promise<readonly Row[]> {
  return own.rows(
    `select j.kind, j.state, j.attempts, j.error from workspace_records.jobs j
      join workspace_records.workspaces w on w.id = j.workspace_id where w.slug = $1`,
    [slug],
  );
}

/** Kill `apply` of this document in the build, which waits for an older snapshot until it is dead. */
async function killWithinBuild(slug: string, document: unknown): Promise<void> {
  await own.db.transaction(async (tx) => {
    const send = (text: string) => tx.query({ text, values: [] }, { prepare: false });
    await send('set transaction isolation level repeatable read');
    await send('select 1');
    const { child, outcome } = apply(slug, document);
    await until(async () => {
      const builds = await own.rows(
        `select from pg_stat_activity where query like 'create % concurrently %'
          and position($1 in query) > 0 and wait_event_type = 'Lock'`,
        [`"ws_${slug}"`],
      );
      return builds.length > 0;
    });
    child.kill('SIGKILL');
    await outcome;
    const held = { kind: 'indexes', state: 'running', attempts: 1, error: null };
    expect(await jobsOf(slug)).toEqual([held]);
  });
  await own.rows(
    `update workspace_records.jobs set lease_until = now() - interval '1 second' where lease_until is not null`,
  );
  await until(async () => (await jobsOf(slug)).every(({ state }) => state === 'done'));
  expect(await jobsOf(slug)).toMatchObject([{ attempts: 2 }]);
}

test('before its definition is in force: what was built is dropped', async () => {
  await createCars(own, 'early');
  await killWithinBuild('early', carsWith('code', { indexed: true }));
  expect(await indexesOf('early')).toEqual([]);
  expect((await applyDefinition(own.db, 'early', CARS)).changes).toEqual([]);
});

test('after its definition is in force: missing indexes are built', async () => {
  await createCars(own, 'late');
  const document = carsWith('size', { type: 'integer', indexed: true });
  await killWithinBuild('late', document);
  expect(await indexesOf('late')).toEqual(['cars.size.index']);
  expect((await applyDefinition(own.db, 'late', document)).changes).toEqual([]);
});

test('a complete apply leaves no work, and needs no service', async () => {
  await createCars(own, 'whole');
  await applyDefinition(own.db, 'whole', carsWith('code', { indexed: true }));
  expect(await jobsOf('whole')).toEqual([
    { kind: 'indexes', state: 'done', attempts: 1, error: null },
  ]);
  expect((await applyDefinition(own.db, 'whole', CARS)).changes).toHaveLength(1);
  expect(await jobsOf('whole')).toHaveLength(1);
});
