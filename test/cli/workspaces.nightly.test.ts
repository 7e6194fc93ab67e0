// `workspaces`: export, restore, rename, delete and list as commands, and a restore that is killed.

import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Command, CommanderError } from 'commander';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { addWorkspacesCommand } from '../../src/cli/commands/workspace-commands.ts';
import { openWholeFile } from '../../src/cli/whole-file.ts';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import { restOfServer, tableDigests, workspaceOf } from '../moved-workspace.ts';
import { createMigratedDatabase, type OwnDatabase } from '../own-database.ts';
import { COMMAND } from './command-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'workspaces-'));
const file = join(folder, 'acme.gz');
const at = (name: string) => join(folder, name);
let own: OwnDatabase;

beforeAll(async () => {
  own = await createMigratedDatabase();
  const users = { 'ada@acme.example': { name: 'Ada', roles: ['admin'] } };
  for (const slug of ['acme', 'other']) {
    await createWorkspace(own.db, { slug, document: { users } });
  }
  await own.rows(`insert into ws_acme.companies (id, name, created_by_user_id)
    select gen_random_uuid(), md5(n::text), 1 from generate_series(1, 4000) n`);
  for (const [name, value] of Object.entries(own.environment)) vi.stubEnv(name, value);
});

afterEach(() => vi.restoreAllMocks());

afterAll(async () => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
  await own?.drop();
});

interface CommandOutput {
  readonly out: string;
  readonly err: string;
}

/** Run a command; returns its output. */
async function workspaces(...args: readonly string[]): Promise<CommandOutput> {
  const written = { out: '', err: '' };
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.out += text;
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written.err += text;
    return true;
  });
  const program = new Command().exitOverride();
  addWorkspacesCommand(program);
  const quiet = { outputError: () => undefined };
  for (const command of program.commands) {
    for (const child of command.commands) child.exitOverride().configureOutput(quiet);
  }
  try {
    await program.parseAsync(['workspaces', ...args], { from: 'user' });
  } finally {
    vi.restoreAllMocks();
  }
  return written;
}

test('to a file that only its owner can read, and back next to the old one', async () => {
  const { out } = await workspaces('export', 'acme', '--out', file);
  expect(out).toMatch(/^Exported "acme" to .+acme\.gz, [\d.]+ kB: 4,000 records and 0 API keys \(/);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['acme.gz']);
  const restored = await workspaces('restore', file, '--slug', 'copy');
  expect(restored.out).toMatch(
    /^Restored "copy" \(id \d+\) as of 2\S+Z: 4,000 records and 0 API keys \([\d.]+ s\)\.\n$/,
  );
  const digests = await tableDigests(own, 'ws_acme');
  expect(await tableDigests(own, 'ws_copy')).toEqual(digests);
});

test('an existing file is replaced only on request', async () => {
  writeFileSync(at('there'), 'precious');
  const message = /^There is a file .+there already; --force replaces it\.$/;
  await expect(workspaces('export', 'other', '-o', at('there'))).rejects.toThrow(message);
  expect(readFileSync(at('there'), 'utf8')).toBe('precious');
  await workspaces('export', 'other', '-o', at('there'), '--force');
  expect(gunzipSync(readFileSync(at('there'))).toString()).toMatch(
    /^\{"format":"workspace-records/,
  );
});

test('a nightly job writes all of them, tries them, and removes older files', async () => {
  const place = at('nightly');
  const older = ['2026-01-01T00-00-00Z', '2026-01-02T00-00-00Z'].map((time) => `acme.${time}.gz`);
  mkdirSync(place);
  for (const name of [...older, 'acme.gz', 'acme-2.2026-01-01T00-00-00Z.gz']) {
    writeFileSync(join(place, name), '');
  }
  const before = await restOfServer(own, '');
  const { out } = await workspaces('export', '--all', '--out', place, '--keep', '2', '--verify');
  expect(out).toMatch(/^Restored .+acme\.2\S+Z\.gz for a trial: 4,000 records \(/m);
  const backups = await own.rows(
    `select w.slug from workspace_records.backups join workspace_records.workspaces w on w.id = workspace_id
      where written_at > now() - interval '1 hour'`,
  );
  expect(backups.map(({ slug }) => slug)).toEqual(expect.arrayContaining(['acme', 'other']));
  expect(await restOfServer(own, '')).toEqual(before);
  const files = readdirSync(place).sort();
  const own2 = files.filter((name) => name.startsWith('acme.2'));
  expect(own2).toHaveLength(2);
  expect(own2[0]).toBe(older[1]);
  expect(files).toEqual(expect.arrayContaining(['acme.gz', 'acme-2.2026-01-01T00-00-00Z.gz']));
  expect(files.filter((name) => name.startsWith('other.2'))).toHaveLength(1);
});

test('one that fails does not keep the others from their files', async () => {
  const place = at('others');
  await own.rows('alter table ws_acme._definitions rename to hidden');
  const failing = workspaces('export', '--all', '--out', place);
  await expect(failing).rejects.toThrow(/^Not exported: acme\.$/);
  await own.rows('alter table ws_acme.hidden rename to _definitions');
  expect(readdirSync(place).filter((name) => name.startsWith('acme.'))).toEqual([]);
  expect(readdirSync(place).filter((name) => name.startsWith('other.'))).toHaveLength(1);
});

test.each([
  ['neither a workspace nor --all', ['--out', 'x'], /name a workspace/],
  ['both', ['acme', '--all', '--out', 'x'], /name a workspace/],
  ['--keep for one workspace', ['acme', '--keep', '2', '--out', 'x'], /--keep needs --all/],
  ['--verify without a file', ['acme', '--verify', '--out', '-'], /--verify needs a file/],
  ['--keep 0', ['--all', '--keep', '0', '--out', 'x'], /number of files/],
])('%s is refused', async (_, args, message) => {
  await expect(workspaces('export', ...args)).rejects.toThrow(message);
});

test('a failed export leaves no file', async () => {
  await expect(workspaces('export', 'nowhere', '-o', at('none'))).rejects.toThrow(
    'There is no workspace "nowhere"',
  );
  await expect(workspaces('export', 'acme', '-o', at('no/such'))).rejects.toThrow(/^Cannot write/);
  const whole = await openWholeFile(at('half'), false);
  whole.sink.write('half');
  expect(existsSync(at('half'))).toBe(false);
  whole.discard();
  expect(readdirSync(folder).filter((name) => /none|half|part/.test(name))).toEqual([]);
});

test('files that are damaged on their way', async () => {
  const good = readFileSync(file);
  const damaged = 'The file is damaged or cut off; nothing was restored.';
  const flipped = Buffer.from(good);
  flipped[good.length >> 1] = (flipped[good.length >> 1] as number) ^ 8;
  const cases: readonly (readonly [Buffer, RegExp | string])[] = [
    [good.subarray(0, good.length - 5), damaged],
    [good.subarray(0, good.length >> 1), damaged],
    [
      flipped,
      /^The file (?:is damaged or cut off; n|cannot be restored: .* N)othing was restored\.$/,
    ],
    [Buffer.from('id,name\n1,x\n'), 'The file is not an export of a workspace.'],
    [gzipSync('id,name\n1,x\n'), 'The file is not an export of a workspace.'],
    [Buffer.alloc(0), damaged],
  ];
  const before = await restOfServer(own, '');
  for (const [bytes, message] of cases) {
    writeFileSync(at('bad'), bytes);
    const error = await workspaces('restore', at('bad'), '--slug', 'bad').catch((caught) => caught);
    expect(error.message).toMatch(message);
  }
  expect(await restOfServer(own, '')).toEqual(before);
  await expect(workspaces('restore', at('nothing'))).rejects.toThrow(/^Cannot read .*ENOENT/);
  await expect(workspaces('restore', folder)).rejects.toThrow('it is a directory');
});

test('a killed restore leaves no workspace, and can be repeated', async () => {
  const before = await restOfServer(own, 'ws_killed');
  const args = [COMMAND, 'workspaces', 'restore', '-', '--slug', 'killed'];
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, ...own.environment },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const closed = new Promise((done) => child.once('close', done));
  const bytes = readFileSync(file);
  child.stdin.on('error', () => undefined);
  child.stdin.write(bytes.subarray(0, (bytes.length * 4) / 5));
  const copying = `select pid from pg_stat_activity
    where query like 'copy%stdin%' and state = 'active' and datname = current_database()`;
  await vi.waitFor(async () => expect(await own.rows(copying)).toHaveLength(1), 60_000);
  child.kill('SIGKILL');
  await closed;
  await vi.waitFor(async () => expect(await own.rows(copying)).toEqual([]), 60_000);
  expect(await own.rows(`select to_regnamespace('ws_killed')::text as schema`)).toEqual([
    { schema: null },
  ]);
  expect(await restOfServer(own, 'ws_killed')).toEqual(before);
  expect((await workspaces('restore', file, '--slug', 'killed')).out).toContain('4,000 records');
});

test('through a pipe, and a reader that stops early is a failure', async () => {
  const run = (script: string) =>
    new Promise<CommandOutput & { code: number | null }>((done) => {
      const command = `node ${COMMAND} workspaces`;
      const child = spawn('bash', ['-c', script.replaceAll('WORKSPACES', command)], {
        env: { PATH: process.env.PATH, ...own.environment },
      });
      const said = { out: '', err: '' };
      child.stdout.on('data', (text) => {
        said.out += text;
      });
      child.stderr.on('data', (text) => {
        said.err += text;
      });
      child.on('close', (code) => done({ ...said, code }));
    });
  const piped = run('WORKSPACES export acme --out - | WORKSPACES restore - --slug piped');
  const broken = run('set -o pipefail; WORKSPACES export acme --out - | head -c 10 | wc -c');
  expect(await piped).toMatchObject({ code: 0, out: expect.stringMatching(/^Restored "piped"/) });
  expect(await broken).toMatchObject({ code: 1, out: '10\n' });
  expect((await broken).err).toContain('The reader closed the pipe. The export is not complete.');
});

test('another slug, another name', async () => {
  expect((await workspaces('rename', 'copy', 'twin')).out).toBe(
    'Renamed "copy" to "twin" (twin).\n',
  );
  await workspaces('rename', 'twin', '--name', 'The twin');
  const listed = JSON.parse((await workspaces('list', '--sizes', '--json')).out);
  const twin = listed.find(({ slug }: { readonly slug: string }) => slug === 'twin');
  expect(twin).toMatchObject({ name: 'The twin', schema: 'ws_copy', records: 4000, file_bytes: 0 });
  expect(twin.bytes).toBeGreaterThan(1_000_000);
  const { out } = await workspaces('list', '--sizes');
  expect(out).toMatch(/^slug +name +id +revision +state +created at +records +size +files\n/);
  expect(out).toMatch(/^twin +The twin +\d+ +3 +ready +\S+ +~4,000 +[\d.]+ MB +0 B$/m);
  const plain = await workspaces('list');
  expect(plain.out).toMatch(/^slug +name +id +revision +state +created at\n/);
  expect(plain.out).toMatch(/^twin +The twin +\d+ +3 +ready +\S+$/m);
  const [first] = JSON.parse((await workspaces('list', '--json')).out);
  expect(Object.keys(first)).toEqual([
    'id',
    'slug',
    'name',
    'revision',
    'state',
    'created_at',
    'schema',
  ]);
  const nothing = workspaces('rename', 'twin').catch((error: unknown) => error);
  expect(((await nothing) as CommanderError).exitCode).toBe(2);
});

test('there is nowhere to move to without a cluster', async () => {
  await expect(workspaces('move', 'twin', '--to', '127.0.0.1:5432')).rejects.toThrow(
    'There is only one server: this PostgreSQL is not a Citus cluster.',
  );
  await expect(workspaces('move', 'none', '--to', '127.0.0.1:5432')).rejects.toThrow(
    'There is no workspace "none"',
  );
});

test('a workspace is not deleted without its name', async () => {
  const before = await restOfServer(own, '');
  const unsure = await workspaces('delete', 'twin').catch((error: unknown) => error);
  expect(unsure).toBeInstanceOf(CommanderError);
  expect((unsure as CommanderError).exitCode).toBe(2);
  await expect(workspaces('delete', 'twin', '--confirm', 'twins')).rejects.toThrow(
    'That is not "twin"; nothing was deleted.',
  );
  await expect(workspaces('delete', 'none', '--confirm', 'none')).rejects.toThrow(
    'There is no workspace "none"',
  );
  expect(await restOfServer(own, '')).toEqual(before);
});

test('a deleted workspace is gone, the others are as they were', async () => {
  const { id, schema } = await workspaceOf(own, 'twin');
  const before = await restOfServer(own, schema);
  const { out } = await workspaces('delete', 'twin', '--confirm', 'twin');
  expect(out).toBe(`Deleted "twin" (id ${id}).\n`);
  expect(await restOfServer(own, schema)).toEqual(before);
  expect((await workspaces('list')).out).not.toContain('twin');
});

/** Run a command on a terminal of its own, and type a line at its prompt. */
function typeInto(line: string, ...args: readonly string[]) {
  const command = [COMMAND, 'workspaces', ...args];
  const text = [process.execPath, ...command].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qec', text, '/dev/null']);
  let shown = '';
  child.stdout.on('data', (chunk: Buffer) => {
    const asked = shown.includes('to delete it:');
    shown += chunk;
    if (!asked && shown.includes('to delete it:')) child.stdin.write(`${line}\n`);
  });
  return new Promise<{ readonly code: number | null; readonly shown: string }>((done, fail) => {
    child.once('error', fail);
    child.once('close', (code) => done({ code, shown }));
  });
}

const hasTerminal = process.platform === 'linux' && existsSync('/usr/bin/script');

test.skipIf(!hasTerminal)(
  'at the prompt of a terminal only the name itself deletes',
  async () => {
    const { id } = await createWorkspace(own.db, { slug: 'typed', document: {} });
    const wrong = await typeInto('type', 'delete', 'typed');
    expect([wrong.code, wrong.shown]).toEqual([1, expect.stringContaining('nothing was deleted')]);
    expect((await workspaces('list')).out).toContain('typed');
    const right = await typeInto('typed', 'delete', 'typed');
    expect(right.shown).toContain('and its API keys will be deleted permanently');
    expect([right.code, right.shown]).toEqual([0, expect.stringContaining(`"typed" (id ${id})`)]);
    expect((await workspaces('list')).out).not.toContain('typed');
  },
  60_000,
);

test('a copy has the same records, and no keys', async () => {
  const { out } = await workspaces('clone', 'acme', 'acme-trial');
  expect(out).toMatch(/^Copied "acme" to "acme-trial" \(id \d+\): 4,?000 records/);
  const copy = await workspaceOf(own, 'acme-trial');
  const [copied, original] = [
    await tableDigests(own, copy.schema),
    await tableDigests(own, 'ws_acme'),
  ];
  expect(copied.companies).toEqual(original.companies);
  await expect(workspaces('clone', 'acme', 'other')).rejects.toThrow(/already/);
});

test('a workspace comes with its administrator and a link', async () => {
  const admin = ['--admin', 'ann@quay.example', '--link', '--origin', 'https://crm.example'];
  const { out } = await workspaces('create', 'quay', ...admin);
  expect(out).toMatch(
    /^Created workspace "quay" .*\nhttps:\/\/crm\.example\/app\/quay\/sign-in#\S+\n$/,
  );
  const people = await own.rows('select name, email, roles from ws_quay._users where active');
  expect(people).toEqual([
    { name: 'ann@quay.example', email: 'ann@quay.example', roles: ['admin'] },
  ]);
  await expect(workspaces('create', 'pier', '--link')).rejects.toThrow(CommanderError);
});
