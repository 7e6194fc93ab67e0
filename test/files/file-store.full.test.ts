// The stores of files, a folder and a bucket, by the same tests: whole files only, parts of them, removal, paths of ids
// alone.

import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openFileStore } from '../../src/files/file-store.ts';
import type { FileStore, StoredAt } from '../../src/files/stored-bytes.ts';
import { digest } from '../file-world.ts';
import { type BucketStandIn, openBucketStandIn } from './bucket-stand-in.ts';

let dataDirectory: string;
let bucket: BucketStandIn;
beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'file-store-'));
  bucket = await openBucketStandIn();
});
afterAll(async () => {
  await bucket?.close();
  await rm(dataDirectory, { recursive: true, force: true });
});

async function* piecesOf(...pieces: readonly (Buffer | Error)[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    if (piece instanceof Error) throw piece;
    yield piece;
  }
}

async function read(store: FileStore, at: StoredAt, start: number, end: number) {
  const found = await store.open(at, { start, end });
  if (found === undefined) return undefined;
  const pieces: Buffer[] = [];
  for await (const piece of found.pieces()) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

const filesIn = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])).filter((one) =>
    one.isFile(),
  );

describe.each(['folder', 'bucket'] as const)('a %s', (kind) => {
  let store: FileStore;
  const at = (id = uuidv7(), workspace = 7): StoredAt => ({ workspace, id });
  const folder = () => join(dataDirectory, kind, 'files');

  beforeAll(() => {
    store = openFileStore({
      dataDirectory: join(dataDirectory, kind),
      filesBucket: kind === 'folder' ? undefined : bucket.settings,
    });
  });

  test('gives back what it was given, whole and in parts', async () => {
    const content = randomBytes(700_000);
    const place = at();
    const pieces = [
      content.subarray(0, 3),
      content.subarray(3, 400_000),
      content.subarray(400_000),
    ];
    const stored = await store.put(place, piecesOf(...pieces));
    expect([stored.size, stored.sha256.toString('hex')]).toEqual([700_000, digest(content)]);
    expect(await read(store, place, 0, 699_999)).toEqual(content);
    expect(await read(store, place, 5, 5)).toEqual(content.subarray(5, 6));
    expect(await read(store, place, 300_000, 699_999)).toEqual(content.subarray(300_000));
  });

  test('keeps empty files', async () => {
    const place = at();
    expect((await store.put(place, piecesOf())).size).toBe(0);
    expect(await read(store, place, 0, -1)).toEqual(Buffer.alloc(0));
  });

  test('has nothing of a file that did not come to its end', async () => {
    const place = at();
    const before = await filesIn(folder());
    const broken = store.put(place, piecesOf(Buffer.from('x'), new Error('cut')));
    await expect(broken).rejects.toThrow('cut');
    expect(await store.open(place, { start: 0, end: 0 })).toBeUndefined();
    expect(await filesIn(folder())).toEqual(before);
  });

  test('removes files, one and all of a workspace', async () => {
    const [one, two, other] = [at(undefined, 8), at(undefined, 8), at(undefined, 9)];
    for (const place of [one, two, other]) await store.put(place, piecesOf(Buffer.from('x')));
    await store.remove(one);
    await store.remove(one);
    expect(await store.open(one, { start: 0, end: 0 })).toBeUndefined();
    await store.removeAll(8);
    expect(await store.open(two, { start: 0, end: 0 })).toBeUndefined();
    expect(await read(store, other, 0, 0)).toEqual(Buffer.from('x'));
    await store.removeAll(10);
  });

  test('can discard what it has opened', async () => {
    const place = at();
    await store.put(place, piecesOf(Buffer.from('x')));
    (await store.open(place, { start: 0, end: 0 }))?.discard();
  });

  test.each(['..', '../../etc/passwd', 'x', `${uuidv7()}/..`])('refuses the id %j', async (id) => {
    if (kind === 'bucket') return;
    await expect(store.put(at(id), piecesOf(Buffer.from('x')))).rejects.toThrow('not the id');
  });
});

describe('a bucket', () => {
  const store = () =>
    openFileStore({ dataDirectory: join(dataDirectory, 'more'), filesBucket: bucket.settings });
  const place = { workspace: 3, id: uuidv7() };

  test('takes signed requests only', async () => {
    bucket.refused.length = 0;
    await store().put(place, piecesOf(Buffer.from('signed')));
    expect(bucket.refused).toEqual([]);
    expect(bucket.objects.get(`records/3/${place.id}`)?.toString()).toBe('signed');
    const wrong = openFileStore({
      dataDirectory,
      filesBucket: { ...bucket.settings, secretAccessKey: 'another' },
    });
    await expect(wrong.put(place, piecesOf(Buffer.from('x')))).rejects.toThrow('403');
    expect(bucket.refused).toEqual(['another signature']);
  });

  test('gives an address that is valid for a minute and for this file only', async () => {
    const disposition = `attachment; filename="a.txt"; filename*=UTF-8''%E2%9C%93(1).txt`;
    const address = await store().addressOf(place, { type: 'text/plain', disposition });
    const url = new URL(String(address));
    expect(url.searchParams.get('X-Amz-Expires')).toBe('60');
    const answer = await fetch(url);
    expect([answer.status, await answer.text()]).toEqual([200, 'signed']);
    expect(answer.headers.get('content-disposition')).toBe(disposition);
    url.searchParams.set('X-Amz-Expires', '6000');
    expect((await fetch(url)).status).toBe(403);
  });

  test('leaves nothing behind when it refuses a file', async () => {
    bucket.fail(500, 1);
    const other = { workspace: 3, id: uuidv7() };
    await expect(store().put(other, piecesOf(Buffer.from('x')))).rejects.toThrow('500');
    expect(await filesIn(join(dataDirectory, 'more'))).toEqual([]);
  });
});
