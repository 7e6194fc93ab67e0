// Words in every place that the service has of records: after an erasure no table of the database and no statistics have
// any of them, and after the tables and the log are rewritten no file of the data directory.

import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { overwriteLog, rewriteTables, tablesWithTraces } from '../src/control/stored/dead-rows.ts';
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../src/embedded/embedded-postgres.ts';
import { openFileStore } from '../src/files/file-store.ts';
import { erasing } from '../src/flow/jobs/erasure-job.ts';
import { connectionUrl } from '../src/postgres/connection-url.ts';
import { openConnections } from '../src/postgres/connections.ts';
import type { Client } from './client.ts';
import {
  DEALS,
  leaveTraces,
  TRACED,
  type Traced,
  wordsInDump,
  wordsOf,
  workAt,
} from './erased-traces.ts';
import type { OwnDatabase } from './own-database.ts';
import { fillWorkspaces, serve, type World } from './world.ts';

const PATIENCE = 300_000;
const root = mkdtempSync(join(tmpdir(), 'records-erased-'));
// Another user has to pass where root cannot run PostgreSQL.
chmodSync(root, 0o711);
const directory = join(root, 'data');
let embedded: EmbeddedPostgres;
let world: World;
let ada: Client;

beforeAll(async () => {
  embedded = await openEmbeddedPostgres({ dataDirectory: directory, purpose: 'service' });
  const database = openOwn();
  await fillWorkspaces(database);
  world = await serve(database);
  await world.apply(TRACED);
  ada = await world.as('ada');
}, PATIENCE);

afterAll(async () => {
  await embedded?.stop();
  rmSync(root, { recursive: true, force: true, maxRetries: 20 });
}, PATIENCE);

/** A database over a server of its own, which is removed with its directory. */
function openOwn(): OwnDatabase {
  const { connection } = embedded;
  const { close, ...connections } = openConnections({
    connection,
    poolSize: 8,
    statementTimeout: 0,
  });
  const { db } = connections;
  const rows: OwnDatabase['rows'] = (text, values = []) =>
    db.query({ text, values }, { prepare: false });
  return {
    ...{ ...connections, connection, hasPlaces: false, rows },
    rowsNear: (_, text, values) => rows(text, values),
    connectionNear: async () => connection,
    leave: close,
    drop: close,
    environment: {
      DATABASE_URL: connectionUrl(connection),
      UNSAFE_DATABASE: 'allow',
      SECRETS_KEY: Buffer.alloc(32, 'key').toString('base64'),
      DRAIN_SECONDS: '0',
    },
  };
}

/** The words that a file of a directory has, with the file. */
function wordsInFiles(words: readonly string[], directory: string): ReadonlyMap<string, string> {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true });
  const found = new Map<string, string>();
  for (const file of files.filter((one) => one.isFile())) {
    const path = join(file.parentPath, file.name);
    const bytes = readFileSync(path);
    for (const word of words) if (bytes.includes(word)) found.set(word, relative(directory, path));
  }
  return found;
}

test('no dump, and no file after a rewrite, has a word of an erased record', {
  timeout: PATIENCE,
}, async () => {
  const traced: Traced[] = [];
  for (let count = 0; count < 5; count += 1) traced.push(await leaveTraces({ world, ada }));
  const [, trashed, , purged] = traced as [Traced, Traced, Traced, Traced];
  for (const { id } of [trashed, purged]) await ada.delete(`${DEALS}/${id}`);
  await ada.delete(`/objects/deals/deleted/${purged.id}`);
  await world.database.rows('analyze');
  await world.database.rows('checkpoint');
  const words = wordsOf(traced);
  // The bytes of files are in their store.
  const inStore = traced.map((one) => one.words.fileBytes as string);
  const inDatabase = words.filter((word) => !inStore.includes(word));
  const { dataDirectory: filesDirectory } = world.config;
  expect(inDatabase).toHaveLength(5 * 37);
  const planted = await wordsInDump(world.database, words);
  expect(new Set(planted.values()).size).toBeGreaterThan(9);
  // A delete has removed status requests, and from the trash the rest.
  const present = traced.filter((one) => one !== purged && one !== trashed);
  const unplanted = present.flatMap(({ words: own }) =>
    Object.keys(own).filter((place) => place !== 'fileBytes' && !planted.has(own[place] as string)),
  );
  expect(unplanted).toEqual([]);
  expect(wordsInFiles(words, directory).size).toBe(inDatabase.length);
  expect(wordsInFiles(words, filesDirectory).size).toBe(inStore.length);

  const records = traced.map(({ id }) => ({ object_type: 'deals', id }));
  const { status, body } = await ada.post('/erasures', { records });
  expect(status).toBe(202);
  const { db } = world.database;
  await workAt(db, erasing(db, { pause: 0, store: openFileStore(world.config) }), body.data.id);
  expect(await wordsInDump(world.database, words)).toEqual(new Map());
  expect(wordsInFiles(words, filesDirectory)).toEqual(new Map());
  // The bytes of dead rows: this is why there is a rewrite.
  expect(wordsInFiles(words, directory).size).toBeGreaterThan(0);

  const tables = await world.database.rows(
    `select tablename from pg_tables where schemaname = 'ws_acme' and tablename not like '\\_%'`,
  );
  const names = tables.map(({ tablename }) => String(tablename));
  await rewriteTables(db, tablesWithTraces('ws_acme', names));
  expect(await overwriteLog(db)).toBe(true);
  await world.close();
  await embedded.stop();
  expect(wordsInFiles(words, directory)).toEqual(new Map());
});
