// The check of the disk after a fault finds a page that was changed without PostgreSQL; pg_checksums runs where it is
// of the same release, and its complaints are reported.

import * as fs from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Cluster, openCluster } from '../../faults/cluster.ts';
import { checkStorage, failureOf, matchingProgram } from '../../faults/storage.ts';
import type { Row } from '../../src/postgres/db.ts';
import { openDatabase } from '../../src/postgres/open-server.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await openCluster();
});
afterAll(() => cluster.close());

async function rows(text: string): Promise<readonly Row[]> {
  const connection = cluster.connection('postgres');
  const db = openDatabase({ connection, poolSize: 1, statementTimeout: 60_000 });
  try {
    return await db.query({ text, values: [] }, { prepare: false });
  } finally {
    await db.close();
  }
}

/** One bit in the middle of the first page. */
function damage(file: string): void {
  const handle = fs.openSync(file, 'r+');
  const byte = Buffer.alloc(1);
  fs.readSync(handle, byte, 0, 1, 5000);
  fs.writeSync(handle, Buffer.from([(byte[0] as number) ^ 1]), 0, 1, 5000);
  fs.closeSync(handle);
}

async function stopped<Result>(work: () => Result): Promise<Result> {
  cluster.signal('INT');
  await cluster.gone();
  const result = work();
  await cluster.start();
  return result;
}

test('a damaged page is found, a sound cluster is not complained of', async () => {
  const site = { cluster, connection: cluster.connection('postgres'), rows };
  await rows('create table things (id integer primary key, text text)');
  await rows(`insert into things select n, repeat('x', 100) from generate_series(1, 500) n`);
  expect((await checkStorage(site)).violations).toEqual([]);

  const [row] = await rows(`select pg_relation_filepath('things') as path`);
  await stopped(() => damage(join(cluster.dataDirectory, String(row?.path))));
  const { violations } = await checkStorage(site);
  expect(violations.join('\n')).toMatch(/V12 .*(?:invalid page|verification failed)/);
});

const DEBIAN = '/usr/lib/postgresql/15/bin';

test.skipIf(!fs.existsSync(join(DEBIAN, 'pg_checksums')))(
  'pg_checksums is taken of the same release only, and its complaints are reported',
  async () => {
    const binaries = { ...cluster.binaries, major: 15, initdb: join(DEBIAN, 'initdb') };
    const program = await matchingProgram('pg_checksums', { binaries });
    expect(program).toBe(join(DEBIAN, 'pg_checksums'));
    expect(
      await matchingProgram('pg_checksums', { binaries: { ...binaries, major: 3 } }),
    ).toBeUndefined();

    expect(await failureOf(program as string, ['--version'])).toEqual([]);
    const failures = await failureOf(program as string, ['--pgdata', cluster.dataDirectory]);
    expect(failures).toEqual([expect.stringMatching(/^V12 pg_checksums: /)]);
  },
);
