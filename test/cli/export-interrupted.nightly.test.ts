// Exports with a faulty destination: a pipe that is read slowly, a disk that is full, a person who presses Ctrl-C.
// Either all of it is written, or no file is left and a line gives the reason.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import { migrate } from '../../src/workspaces/migrations.ts';
import { restored, tableDigests } from '../moved-workspace.ts';
import { createOwnDatabase, type OwnDatabase } from '../own-database.ts';
import { COMMAND, PATIENCE, startCommand } from './command-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'interrupted-'));
let own: OwnDatabase;

beforeAll(async () => {
  own = await createOwnDatabase();
  await migrate(own.db);
  // By name the last table of a file.
  const name = { name: 'Name', type: 'long_text' };
  const zones = { name: 'Zones', singular_name: 'Zone', display_field: 'name', fields: { name } };
  const users = { 'ada@acme.example': { name: 'Ada', roles: ['admin'] } };
  await createWorkspace(own.db, { slug: 'acme', document: { users, objects: { zones } } });
  // Digits of random numbers: packing does not make them much smaller.
  await own.rows(`insert into ws_acme.zones (id, name, created_by_user_id)
    select gen_random_uuid(), (select string_agg(md5(random()::text || n || k), '') from generate_series(1, 40) k), 1
    from generate_series(1, 2000) n`);
});

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await own?.drop();
});

const filesThere = () => readdirSync(folder).filter((name) => name !== 'full');

const sessions = async () =>
  (
    await own.rows(
      `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
        and (state <> 'idle' or query ilike 'copy%') and application_name = 'workspace-records'`,
    )
  ).map(({ pid }) => pid);

const exportToPipe = () =>
  startCommand(own.environment, ...['workspaces', 'export', 'acme', '-o', '-']);

test('a pipe that is read slowly gets all of it', async () => {
  const { child, outcome } = exportToPipe();
  const { stdout } = child;
  if (stdout === null) throw new Error('there is no pipe');
  stdout.removeAllListeners('data');
  const packed: Buffer[] = [];
  for await (const piece of stdout) {
    packed.push(piece);
    await sleep(5);
  }
  expect(await outcome).toMatchObject({ code: 0, err: expect.stringContaining('2,000 records') });
  await restored(own, gunzipSync(Buffer.concat(packed)), { slug: 'slow', size: 99_991 });
  expect(await tableDigests(own, 'ws_slow')).toEqual(await tableDigests(own, 'ws_acme'));
});

/** A file system of 128 kB, which only the command sees. */
const SMALL_DISK = 'mount -t tmpfs -o size=128k none "$FULL" && exec "$@"';
const canMount =
  process.platform === 'linux' &&
  spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', tmpdir()]).status === 0;

test.skipIf(!canMount).concurrent.each([
  ['workspaces', 'export', 'acme'],
  ['export', 'zones', '--format', 'jsonl', '-w', 'acme'],
])('a disk that is full: %s %s', async (...args) => {
  const full = mkdtempSync(join(folder, 'full'));
  const out = join(full, 'acme.gz');
  const command = [COMMAND, ...args, '--out', out];
  const list = `"$@"; code=$?; ls -A "$FULL"; exit $code`;
  const nested = ['sh', '-c', list, 'sh', process.execPath, ...command];
  const child = spawn('unshare', ['-rm', 'sh', '-c', SMALL_DISK, 'sh', ...nested], {
    env: { PATH: process.env.PATH, ...own.environment, FULL: full },
  });
  const said = { out: '', err: '' };
  child.stdout.on('data', (text) => {
    said.out += text;
  });
  child.stderr.on('data', (text) => {
    said.err += text;
  });
  const [code] = await once(child, 'close');
  rmSync(full, { recursive: true });
  expect({ code, ...said }).toEqual({
    code: 1,
    out: '',
    err: `The export is not complete: cannot write ${out}: no space is left.\n`,
  });
});

test
  .skipIf(process.platform !== 'linux')
  .concurrent('a full disk behind standard output', async () => {
    const script = 'exec "$@" > /dev/full';
    const command = [COMMAND, 'workspaces', 'export', 'acme', '-o', '-'];
    const child = spawn('sh', ['-c', script, 'sh', process.execPath, ...command], {
      env: { PATH: process.env.PATH, ...own.environment },
    });
    let err = '';
    child.stderr.on('data', (text) => {
      err += text;
    });
    const [code] = await once(child, 'close');
    expect({ code, err }).toEqual({
      code: 1,
      err: 'The export is not complete: cannot write standard output: no space is left.\n',
    });
  });

test('Ctrl-C leaves no file and no session', async () => {
  const holding = own.db.transaction(async (tx) => {
    await tx.query({ text: 'lock table ws_acme.zones in access exclusive mode', values: [] });
    const waiting = `select pid from pg_locks where not granted and relation = 'ws_acme.zones'::regclass`;
    const { child, outcome } = startCommand(
      own.environment,
      ...['workspaces', 'export', 'acme', '--out', join(folder, 'acme.gz')],
    );
    await vi.waitFor(async () => expect(await own.rows(waiting)).toHaveLength(1), PATIENCE);
    expect(filesThere()).toEqual([expect.stringMatching(/^acme\.gz\.\d+\.part$/)]);
    child.kill('SIGINT');
    expect(await outcome).toEqual({ code: null, signal: 'SIGINT', out: '', err: '' });
    expect(filesThere()).toEqual([]);
  });
  await holding;
  const { child, outcome } = exportToPipe();
  child.stdout?.pause();
  // It writes to a pipe without a reader.
  await vi.waitFor(async () => {
    const writing = `select pid from pg_stat_activity where query like 'copy%' and wait_event = 'ClientWrite'`;
    expect(await own.rows(writing)).toHaveLength(1);
  }, PATIENCE);
  child.kill('SIGINT');
  child.stdout?.resume();
  expect((await outcome).signal).toBe('SIGINT');
  await vi.waitFor(async () => expect(await sessions()).toEqual([]), PATIENCE);
});
