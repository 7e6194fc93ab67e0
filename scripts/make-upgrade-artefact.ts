// Makes the data of this release that later releases are tested with (test/upgrade): a dump of a small database, the
// file that `workspaces export` writes, and what the service answers over both. `--url` names an empty database in UTF8
// that the `pg_dump` of this machine can read.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { pino } from 'pino';
import { createKey } from '../src/cli/commands/keys.ts';
import { assembleService } from '../src/cli/service/assemble.ts';
import { readConfig } from '../src/config.ts';
import { openFileStore } from '../src/files/file-store.ts';
import { SCOPES } from '../src/model/rights/access.ts';
import { packageVersion } from '../src/package-folder.ts';
import { openConnections } from '../src/postgres/connections.ts';
import { createWorkspace } from '../src/workspaces/create-workspace.ts';
import { migrate } from '../src/workspaces/migrations.ts';
import { exportWorkspace } from '../src/workspaces/workspace-export.ts';
import { type Answer, DEFINITION, fillUpgradeWorld, PEOPLE, type Person } from './upgrade-world.ts';

const FOLDER = resolve(import.meta.dirname, '..', 'test', 'upgrade');
const SLUG = 'upgrade';
/** Requests expire after a year at the latest, and the answers about them must not change then. */
const NEVER_EXPIRES = `update ws_${SLUG}._status_requests set expires_at = '2999-01-01'`;

const { url = '' } = parseArgs({ options: { url: { type: 'string' } } }).values;
if (url === '') {
  process.stderr.write('Usage: npx tsx scripts/make-upgrade-artefact.ts --url postgres://…\n');
  process.exit(2);
}

const version = packageVersion();
const dataDirectory = mkdtempSync(join(tmpdir(), 'upgrade-'));
const config = readConfig({
  ...{ DATABASE_URL: url, DATA_DIRECTORY: dataDirectory, REQUESTS_PER_MINUTE: '1000000' },
  SECRETS_KEY: Buffer.alloc(32, 'key').toString('base64'),
});
const connection = { connectionString: url };
const connections = openConnections({ connection, poolSize: 4, statementTimeout: 0 });
try {
  await make();
} finally {
  await connections.close();
  rmSync(dataDirectory, { recursive: true });
}

async function make(): Promise<void> {
  const { db } = connections;
  await migrate(db);
  const workspace = await createWorkspace(db, { slug: SLUG, document: DEFINITION });
  const keys: Partial<Record<Person, string>> = {};
  for (const [person, email] of Object.entries(PEOPLE)) {
    const request = { scopes: SCOPES, requests_per_minute: null, expires: null, type: undefined };
    const { secret } = await createKey(db, { ...request, workspace, email, name: 'Upgrade' });
    keys[person as Person] = secret;
  }
  const server = await assembleService({
    ...connections,
    config,
    logger: pino({ level: 'silent' }),
  });
  const port = await server.listen({ host: '127.0.0.1', port: 0 });
  const answers: { readonly path: string; readonly body: unknown }[] = [];
  try {
    const ask = (person: Person, method: string, path: string, body?: unknown) =>
      call(`http://127.0.0.1:${port}/v1${path}`, String(keys[person]), method, body);
    const questions = await fillUpgradeWorld(ask);
    await db.query({ text: NEVER_EXPIRES, values: [] });
    for (const path of questions) {
      const { status, body } = await ask('mia', 'GET', path);
      if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`);
      answers.push({ path, body });
    }
  } finally {
    await server.close();
  }
  put('answers.json', JSON.stringify({ slug: SLUG, key: keys.mia, answers }));
  const options = { release: version, withoutKeys: false, store: openFileStore(config) };
  const pieces: Buffer[] = [];
  await exportWorkspace(db, workspace, options, async (all) => {
    for await (const piece of all) pieces.push(piece);
  });
  put('workspace', Buffer.concat(pieces));
  put('sql', dump());
}

async function call(at: string, key: string, method: string, body: unknown): Promise<Answer> {
  const bytes = Buffer.isBuffer(body) ? Uint8Array.from(body) : undefined;
  const type = bytes === undefined ? 'application/json' : 'text/plain';
  const response = await fetch(at, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': type }),
    },
    ...(body === undefined ? {} : { body: bytes ?? JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

/** Plain SQL that any client can send; lines for psql are left out. */
function dump(): string {
  const args = ['--inserts', '--rows-per-insert=100', '--no-owner', '--no-privileges', url];
  const { status, stdout, stderr } = spawnSync('pg_dump', args, {
    ...{ encoding: 'utf8', maxBuffer: 2 ** 28 },
  });
  if (status !== 0) throw new Error(stderr);
  return stdout.replaceAll(/^\\.*\n/gm, '');
}

function put(part: string, content: string | Buffer): void {
  const file = join(FOLDER, `${version}.${part}.gz`);
  const bytes = gzipSync(content, { level: 9 });
  writeFileSync(file, bytes);
  process.stdout.write(`wrote ${file} (${bytes.length} bytes)\n`);
}
