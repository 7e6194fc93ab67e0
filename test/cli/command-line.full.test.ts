// The command line: output, exit codes, and that a failure is a line and not a stack. Of each way to end one
// is a process of its own.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOwnDatabase, type OwnDatabase } from '../own-database.ts';
import { runCommandHere } from './command-here.ts';
import { startCommand } from './command-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'command-line-'));
const file = join(folder, 'definition.yaml');
let own: OwnDatabase;

beforeAll(async () => {
  own = await createOwnDatabase();
  writeFileSync(file, 'objects: {deals: {fields: {size: {type: integer}, company_id: ~}}}');
});

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await own?.drop();
});

const run = (args: readonly string[], environment = {}) =>
  runCommandHere({ ...own.environment, ...environment }, ...args);

async function runApart(args: readonly string[], environment = {}) {
  const { code, out, err } = await startCommand({ ...own.environment, ...environment }, ...args)
    .outcome;
  return { code, out, err };
}

test('from an empty database to an applied definition', async () => {
  expect(await runApart(['workspaces', 'create', 'acme', '--name', 'Acme'])).toEqual({
    code: 0,
    out: 'Created workspace "acme" (id 1).\n',
    err: '',
  });
  const refused =
    'The definition cannot be applied to "acme", nothing was changed:\n  the change would delete data; to allow it add: --allow-drop deals.company_id\n';
  const changes =
    '+ field deals.size (integer)\n- field deals.company_id (reference)   loses data: deals.company_id\nacme: 2 changes';
  const apply = ['apply', '--workspace', 'acme'];
  expect(await run([...apply, file, '--dry-run'])).toEqual({
    code: 1,
    out: `${changes} to revision 1, none made (dry run)\n`,
    err: refused,
  });
  expect(await run([...apply, file])).toEqual({ code: 1, out: '', err: refused });
  expect(await run([...apply, '--allow-drop', 'deals.company_id', file])).toEqual({
    code: 0,
    out: `${changes}, now revision 2\n`,
    err: '',
  });
  expect(await run([...apply, file])).toEqual({
    code: 0,
    out: 'acme: no changes (revision 2)\n',
    err: '',
  });
  const addition = join(folder, 'addition.yaml');
  writeFileSync(
    addition,
    'objects: {deals: {fields: {size: {name: Size}, depth: {type: integer}}}}',
  );
  const added = '+ field deals.depth (integer)';
  const named = '~ field deals.size (name)';
  expect(await run([...apply, '--merge', '--dry-run', addition])).toEqual({
    code: 0,
    out: `${named}\n${added}\nacme: 2 changes to revision 2, none made (dry run)\n`,
    err: '',
  });
  expect((await run([...apply, '--merge', addition])).code).toBe(0);
  const { out } = await run(['workspaces', 'list', '--json']);
  expect(JSON.parse(out)).toMatchObject([{ id: 1, slug: 'acme', name: 'Acme', revision: 3 }]);
  expect(out).not.toContain('secret');
});

test.concurrent.each([
  [
    ['aply'],
    /^error: unknown command 'aply'\n\(Did you mean apply\?\)\nSee "workspace-records --help"\.\n$/,
  ],
  [
    ['apply', '-w', 'acme'],
    /^error: missing required argument 'file'\nSee "workspace-records apply --help"\.\n$/,
  ],
])('a wrong call %j exits 2', async (args, message) => {
  const { code, err } = await (args.length === 1 ? runApart : run)(args);
  expect(code).toBe(2);
  expect(err).toMatch(message);
});

test.concurrent('an unreachable database is one line without the password', async () => {
  const DATABASE_URL = 'postgres://u:geheim@127.0.0.1:1/x';
  const { code, err } = await runApart(['workspaces', 'list'], { DATABASE_URL });
  expect(code).toBe(1);
  expect(err).toBe(
    'Cannot use the PostgreSQL of DATABASE_URL (127.0.0.1:1/x): connect ECONNREFUSED 127.0.0.1:1.\n',
  );
});

test.concurrent('a server that may lose acknowledged writes is refused', async () => {
  const [{ fsync } = {}] = await own.rows("select current_setting('fsync') as fsync");
  const { code, err } = await run(['workspaces', 'list'], { UNSAFE_DATABASE: 'refuse' });
  expect([code, err]).toEqual([
    fsync === 'off' ? 1 : 0,
    fsync === 'off' ? expect.stringMatching(/^Cannot|^The server could lose/) : '',
  ]);
});

test.concurrent('only the command applies migrations when MIGRATIONS=check', async () => {
  const empty = await createOwnDatabase();
  try {
    const environment = { ...empty.environment, MIGRATIONS: 'check' };
    const refused = await run(['workspaces', 'list'], environment);
    expect([refused.code, refused.err]).toEqual([
      1,
      'The database is older than this release in workspace_records. Run "workspace-records migrate" first.\n',
    ]);
    const migrated = await run(['migrate'], environment);
    expect([migrated.code, migrated.out]).toEqual([0, 'migrated workspace_records\n']);
    const again = await run(['migrate'], environment);
    expect([again.code, again.out]).toEqual([0, 'The database is up to date.\n']);
    expect((await run(['workspaces', 'list'], environment)).code).toBe(0);
  } finally {
    await empty.drop();
  }
});

test.concurrent('a failure of the operator is one line', async () => {
  const { code, err } = await run(['apply', '-w', 'nowhere', file]);
  expect({ code, err }).toEqual({
    code: 1,
    err: 'There is no workspace "nowhere"; "workspaces list" shows all.\n',
  });
});
