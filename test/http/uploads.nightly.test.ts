// Uploads to the service as a process: the memory stays flat while many large files arrive, and a process that is killed in
// the middle of one leaves nothing that can be seen, and nothing for longer than a day.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openFileStore } from '../../src/files/file-store.ts';
import { collectFiles } from '../../src/flow/files/remove-files.ts';
import { COMMAND, PATIENCE } from '../cli/command-process.ts';
import { digest, type FileWorld, filePath, openFileWorld, sendBytes } from '../file-world.ts';
import { until } from '../until.ts';

const MEGABYTE = 2 ** 20;
const FILES = 50;
const AT_ONCE = 5;
const CONTENT = Buffer.alloc(25 * MEGABYTE, 'abcdefghijklmnopqrstuvwxyz0123456789');

let files: FileWorld;
let dataDirectory: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'uploads-'));
  files = await openFileWorld({ DATA_DIRECTORY: dataDirectory });
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await files?.world.close();
  await rm(dataDirectory, { recursive: true, force: true });
});

async function start() {
  const child = spawn(process.execPath, [COMMAND, 'start', '--port', '0', '--workers', '1'], {
    env: {
      ...process.env,
      ...files.world.database.environment,
      ...{ DEMO: 'off', DATA_DIRECTORY: dataDirectory },
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  children.push(child);
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const listening = /Listening on http:\/\/127\.0\.0\.1:(\d+)\/v1/;
  await vi.waitFor(() => expect(said).toMatch(listening), { timeout: PATIENCE, interval: 20 });
  return { child, port: Number(listening.exec(said)?.[1]) };
}

/** Bytes; of the whole process, buffers included. */
function residentOf({ pid }: ChildProcess): number {
  const [, kilobytes] =
    /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

const upload = (port: number, name: string) =>
  sendBytes({
    ...{ port, method: 'POST', path: `/v1/files?purpose=field&name=${name}` },
    ...{ secret: files.ada.secret, headers: { 'content-type': 'text/plain' }, body: CONTENT },
  });

const filesIn = async () =>
  (await readdir(join(dataDirectory, 'files'), { recursive: true, withFileTypes: true }))
    .filter((one) => one.isFile())
    .map(({ name }) => name);

test.runIf(process.platform === 'linux')(
  '50 uploads of 25 MB and their downloads need the memory of a few',
  { timeout: PATIENCE },
  async () => {
    const { child, port } = await start();
    const first = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, at) => upload(port, `w${at}`)),
    );
    expect(first.map(({ status }) => status)).toEqual(Array(AT_ONCE).fill(201));
    const before = residentOf(child);
    let most = before;
    const timer = setInterval(() => {
      most = Math.max(most, residentOf(child));
    }, 20);
    const ids: string[] = [];
    for (let round = 0; round < FILES / AT_ONCE; round += 1) {
      const answers = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, at) => upload(port, `f${round}-${at}`)),
      );
      for (const { status, bytes } of answers) {
        expect(status, bytes.toString()).toBe(201);
        ids.push(JSON.parse(bytes.toString()).data.id);
      }
    }
    const record = await files.deal({ papers: ids.slice(0, 20) });
    const path = `/v1${filePath(record, 'papers', ids[0] as string)}`;
    const secret = files.ada.secret;
    const { bytes } = await sendBytes({ port, method: 'GET', path, secret, headers: {} });
    expect(digest(bytes)).toBe(digest(CONTENT));
    clearInterval(timer);
    // All of them together would be 1,250 MB.
    expect((most - before) / MEGABYTE).toBeLessThan(100);
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  },
);

test('a kill in the middle of an upload leaves nothing that can be seen', {
  timeout: PATIENCE,
}, async () => {
  const { child, port } = await start();
  const before = await filesIn();
  const rows = () => files.world.rows('select id, sha256 from _files where sha256 is null');
  const request = http.request({
    ...{ host: '127.0.0.1', port, method: 'POST', path: '/v1/files?purpose=field&name=killed' },
    headers: { authorization: `Bearer ${files.ada.secret}`, 'content-length': CONTENT.length },
  });
  request.on('error', () => undefined);
  request.write(CONTENT.subarray(0, 5 * MEGABYTE));
  await until(async () => (await filesIn()).some((name) => name.endsWith('.part')));
  const [{ id } = {}] = await rows();
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  const set = { fields: { name: 'x', papers: [id] } };
  expect((await files.ada.post('/objects/deals/records', set)).status).toBe(422);
  const [workspace] = await files.world.database.rows(
    `select id from workspace_records.workspaces where slug = 'acme'`,
  );
  await files.world.rows(
    `update ws_acme._files set released_at = now() - interval '25 hours' where sha256 is null`,
  );
  const keeping = { db: files.world.database.db, store: openFileStore(files.world.config) };
  await collectFiles(keeping, { id: Number(workspace?.id), schema: 'ws_acme' }, 1000);
  expect(await rows()).toEqual([]);
  expect((await filesIn()).sort()).toEqual(before.sort());
});

test('a slow upload may take longer than another request', { timeout: PATIENCE }, async () => {
  const request = http.request({
    ...{ host: '127.0.0.1', port: files.world.port, method: 'POST' },
    path: '/v1/files?purpose=field&name=slow',
    headers: { authorization: `Bearer ${files.ada.secret}`, 'content-length': 18 },
  });
  const answered = once(request, 'response');
  for (let second = 0; second < 18; second += 1) {
    request.write('x');
    await sleep(1000);
  }
  request.end();
  const [response] = (await answered) as [http.IncomingMessage];
  response.resume();
  expect(response.statusCode).toBe(201);
});
