// Gives the whole test run one PostgreSQL: the server of TEST_DATABASE_URL (a superuser), or a
// throw-away embedded one that is removed afterwards. It makes no databases; each test file does.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { type Connection, openEmbeddedPostgres } from '../src/store/embedded-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Superuser connection; `inject('postgres')` in a test. */
    postgres: Connection;
  }
}

export default async function setup(project: TestProject): Promise<(() => Promise<void>) | void> {
  const url = process.env.TEST_DATABASE_URL;
  if (url) {
    project.provide('postgres', connectionOf(url));
    return;
  }
  const parent = mkdtempSync(join(tmpdir(), 'records-tests-'));
  chmodSync(parent, 0o711); // another user has to pass where root cannot run PostgreSQL
  const postgres = await openEmbeddedPostgres({
    dataDirectory: join(parent, 'data'),
    purpose: 'service',
    durable: false,
  });
  project.provide('postgres', postgres.connection);
  return async () => {
    await postgres.stop();
    rmSync(parent, { recursive: true, force: true });
  };
}

function connectionOf(url: string): Connection {
  const { host, port, user = 'postgres', database = user, password } = new pg.Client(url);
  const connection = { host, port, user, database };
  return password === undefined || password === null ? connection : { ...connection, password };
}
