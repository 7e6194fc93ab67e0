// The files of a workspace in its export: a restore and a clone have every byte, and one that fails leaves none.

import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadHeldBytes } from '../../src/control/stored/record-files.ts';
import { openFileStore } from '../../src/files/file-store.ts';
import type { FileStore } from '../../src/files/stored-bytes.ts';
import { deleteWorkspace } from '../../src/workspaces/workspace-lifecycle.ts';
import { digest, type FileWorld, openFileWorld } from '../file-world.ts';
import { exported, restored, workspaceOf } from '../moved-workspace.ts';

let files: FileWorld;
let folder: string;
let store: FileStore;
const contents = new Map<string, Buffer>();

beforeAll(async () => {
  files = await openFileWorld();
  folder = await mkdtemp(join(tmpdir(), 'exported-files-'));
  store = openFileStore({ dataDirectory: folder, filesBucket: undefined });
  const sizes = [0, 1, 1008, 1009, 262_143, 262_144, 600_001];
  const all = [...sizes.map((size) => randomBytes(size)), Buffer.from('\\.\n\\.\n\n')];
  for (const content of all) {
    const { body } = await files.upload(files.ada, content, { name: `${content.length}.bin` });
    contents.set(body.data.id, content);
  }
  await files.deal({ papers: [...contents.keys()] });
});
afterAll(async () => {
  await files?.world.close();
  await rm(folder, { recursive: true, force: true });
});

const own = () => files.world.database;
const kept = () => openFileStore(files.world.config);

async function bytesOf(from: FileStore, workspace: number, id: string, size: number) {
  const found = await from.open({ workspace, id }, { start: 0, end: size - 1 });
  if (found === undefined) return undefined;
  const pieces: Buffer[] = [];
  for await (const piece of found.pieces()) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

test('a restore has every byte of every file', async () => {
  const { file, report } = await exported(own(), 'acme', { store: kept() });
  expect(report).toMatchObject({ files: contents.size, missing_files: 0 });
  const { workspace, files: count } = await restored(own(), file, { slug: 'copy', store });
  expect(count).toBe(contents.size);
  for (const [id, content] of contents) {
    const bytes = await bytesOf(store, workspace.id, id, content.length);
    expect(bytes && digest(bytes)).toBe(digest(content));
  }
  await deleteWorkspace(own().db, await workspaceOf(own(), 'copy'), { store, farewell: 0 });
  const [[id, content]] = [...contents] as [[string, Buffer]];
  expect(await bytesOf(store, workspace.id, id, content.length)).toBeUndefined();
});

test('an upload that no record has is neither in the file nor in the sizes', async () => {
  const sizes = () => loadHeldBytes(own().db, 'ws_acme');
  const [before, rows] = [await sizes(), await own().rows('select id from ws_acme._files')];
  const { body } = await files.upload(files.ada, randomBytes(5000), { name: 'lonely.bin' });
  const { file, report } = await exported(own(), 'acme', { store: kept() });
  expect([report.files, await sizes()]).toEqual([contents.size, before]);
  expect(file.includes(body.data.id)).toBe(false);
  await restored(own(), file, { slug: 'held', store });
  expect((await own().rows('select id from ws_held._files')).length).toBe(rows.length);
});

test('a file of a record that was released by mistake is in the file', async () => {
  const [[id]] = [...contents] as [[string, Buffer]];
  const release = (at: string) =>
    own().rows(`update ws_acme._files set released_at = ${at} where id = $1`, [id]);
  await release('now()');
  const { report } = await exported(own(), 'acme', { store: kept() });
  expect([report.files, report.missing_files]).toEqual([contents.size, 0]);
  await release('null');
});

test('bytes that were lost are named, and do not prevent the restore', async () => {
  const [, [id]] = [...contents] as [unknown, [string, Buffer]];
  const { id: workspace } = await workspaceOf(own(), 'acme');
  await kept().remove({ workspace, id });
  const { file, report } = await exported(own(), 'acme', { store: kept() });
  expect(report.missing_files).toBe(1);
  const copy = await restored(own(), file, { slug: 'less', store });
  expect(copy.files).toBe(contents.size - 1);
});

test('other bytes than those of the row are refused, and nothing is left of the restore', async () => {
  const { file } = await exported(own(), 'acme', { store: kept() });
  const [, , [, content]] = [...contents] as [unknown, unknown, [string, Buffer]];
  const text = content.toString('base64').slice(0, 100);
  const at = file.indexOf(text);
  expect(at).toBeGreaterThan(0);
  const changed = Buffer.from(file);
  changed[at] = (changed[at] as number) === 65 ? 66 : 65;
  const before = (await readdir(join(folder, 'files'))).length;
  const broken = restored(own(), changed, { slug: 'broken', store });
  await expect(broken).rejects.toThrow('damaged');
  expect((await readdir(join(folder, 'files'))).length).toBe(before);
});
