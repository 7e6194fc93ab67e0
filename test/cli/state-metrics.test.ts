// The metrics that the first process reads in the database, with values of jobs, webhooks, files and backups.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStateMetrics } from '../../src/cli/service/state-metrics.ts';
import { putBackup } from '../../src/control/process/state-figures.ts';
import { type FileWorld, openFileWorld } from '../file-world.ts';

let files: FileWorld;

beforeAll(async () => {
  files = await openFileWorld();
});
afterAll(() => files?.world.close());

/** The figures of a process that starts now. */
async function figures(): Promise<ReadonlyMap<string, number>> {
  const read = openStateMetrics(files.world.database.db, { release: '1.2.3', quota: 5000 });
  const lines = (await read()).split('\n').filter((line) => /^\w/.test(line));
  return new Map(
    lines.map((line) => {
      const [name, value] = line.replace('workspace_records_', '').split(' ');
      return [String(name), Number(value)];
    }),
  );
}

test('jobs, webhooks and files are those of all workspaces', async () => {
  const { database } = files.world;
  const before = await figures();
  expect(before.get('build_info{version="1.2.3"}')).toBe(1);
  expect(before.get('files_quota_bytes')).toBe(5000);
  expect([before.get('jobs{state="failed"}'), before.get('webhooks{state="broken"}')]).toEqual([
    0, 0,
  ]);
  await database.rows(
    `insert into workspace_records.jobs (id, kind, state, finished_at)
      values (gen_random_uuid(), 'leftovers', 'failed', now())`,
  );
  for (const schema of ['ws_acme', 'ws_globex']) {
    await database.rows(
      `insert into ${schema}._files (id, name, type, size, sha256, uploaded_by)
        values (gen_random_uuid(), 'a', 'text/plain', ${schema === 'ws_acme' ? 4000 : 300}, '', 1)`,
    );
  }
  const hook = { url: 'https://receiver.example/hook', events: ['record.*'] };
  const made = await files.ada.post('/webhooks', hook);
  expect(made.status).toBe(201);
  await database.rows(`update ws_acme._webhooks set state = 'broken'`);
  const after = await figures();
  expect(after.get('jobs{state="failed"}')).toBe(1);
  expect(after.get('webhooks{state="broken"}')).toBe(1);
  expect(after.get('files_largest_bytes')).toBe(4000);
});

test('the age of backups is that of the workspace that has gone longest without one', async () => {
  const { rows, db } = files.world.database;
  expect((await figures()).get('backup_age_seconds')).toBeNaN();
  const workspaces = await rows('select id, slug from workspace_records.workspaces');
  const id = (slug: string) => Number(workspaces.find((one) => one.slug === slug)?.id);
  await rows(`update workspace_records.workspaces set created_at = now() - interval '40 hours'`);
  await putBackup(db, id('acme'));
  expect((await figures()).get('backup_age_seconds')).toBeCloseTo(40 * 3600, -2);
  await putBackup(db, id('globex'));
  expect((await figures()).get('backup_age_seconds')).toBeLessThan(60);
});
