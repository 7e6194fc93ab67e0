// Data directories that are made once and used again: kept in `.bench/` with a note of what they
// were made from. Another generator, definition or migration rebuilds them.

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '../src/embedded/embedded-postgres.ts';
import type { Database } from '../src/postgres/db.ts';
import { openDatabase } from '../src/postgres/open-server.ts';
import { migrate } from '../src/workspaces/migrations.ts';

const root = join(import.meta.dirname, '..');
export const CACHE_DIRECTORY = join(root, '.bench');

/** The note on cached data. */
export interface CachedData {
  readonly dataDirectory: string;
  /** A description of the data for people. */
  readonly note: string;
}

/** The data directory of this name, filled by `fill` unless it is there already. */
export async function requireCachedData(
  name: string,
  recipe: unknown,
  fill: (db: Database, scratch: string) => Promise<string>,
): Promise<CachedData> {
  const dataDirectory = join(CACHE_DIRECTORY, name);
  const notePath = join(CACHE_DIRECTORY, `${name}.json`);
  const digest = digestOf(recipe);
  const kept = readNote(notePath);
  if (kept?.digest === digest) return { dataDirectory, note: kept.note };
  rmSync(dataDirectory, { recursive: true, force: true });
  rmSync(notePath, { force: true });
  mkdirSync(CACHE_DIRECTORY, { recursive: true });
  console.log(`making ${dataDirectory}, once`);
  const note = await fillDirectory(dataDirectory, fill);
  writeFileSync(notePath, JSON.stringify({ digest, note }));
  return { dataDirectory, note };
}

async function fillDirectory(
  dataDirectory: string,
  fill: (db: Database, scratch: string) => Promise<string>,
): Promise<string> {
  const options = { dataDirectory, purpose: 'command', durable: false } as const;
  const { connection, stop } = await openEmbeddedPostgres(options);
  const db = openDatabase({ connection, poolSize: 6, statementTimeout: 0 });
  const scratch = join(CACHE_DIRECTORY, 'scratch');
  try {
    await migrate(db);
    // A folder that the server's account can read.
    mkdirSync(scratch, { recursive: true, mode: 0o755 });
    return await fill(db, scratch);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
    await db.close();
    await stop();
  }
}

function readNote(path: string): { readonly digest: string; readonly note: string } | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

function digestOf(recipe: unknown): string {
  const hash = createHash('sha256').update(JSON.stringify(recipe));
  for (const folder of ['control', 'workspace'].map((name) => join(root, 'migrations', name))) {
    for (const file of readdirSync(folder).sort()) {
      // Comments do not count.
      hash.update(readFileSync(join(folder, file), 'utf8').replaceAll(/--.*/g, ''));
    }
  }
  return hash.digest('hex');
}
