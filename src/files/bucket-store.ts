// Files in a bucket that speaks the protocol of S3. A file arrives in the data directory first, so that its size and
// digest are known and only whole files are sent; the bucket checks the digest.

import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { AwsClient } from 'aws4fetch';
import type { BucketSettings } from '../bucket-settings.ts';
import { writeArriving } from './arrived-file.ts';
import type { ByteRange, Digested, DownloadHeaders, FileStore, StoredAt } from './file-store.ts';
import { arrivingPath } from './folder-store.ts';

/** Seconds for which an address is valid. */
const ADDRESS_SECONDS = 60;
/** Keys in one page of a listing, of a file each. */
const LISTED = 1000;

export function openBucketStore(settings: BucketSettings, folder: string): FileStore {
  const bucket = openBucket(settings);
  return {
    async put(at, pieces) {
      const path = arrivingPath(folder, at);
      const digested = await writeArriving(path, pieces);
      try {
        await bucket.put(at, path, digested);
      } finally {
        await rm(path, { force: true });
      }
      return digested;
    },
    open: (at, range) => bucket.open(at, range),
    async remove(at) {
      await rm(arrivingPath(folder, at), { force: true });
      await bucket.remove(keyOf(settings, at));
    },
    removeAll: (workspace) => bucket.removeAll(`${settings.prefix}${workspace}/`),
    addressOf: (at, headers) => bucket.addressOf(at, headers),
  };
}

function keyOf({ prefix }: BucketSettings, { workspace, id }: StoredAt): string {
  return `${prefix}${workspace}/${id}`;
}

function openBucket(settings: BucketSettings) {
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = settings;
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3' });
  const base = `${endpoint}/${bucket}`;
  const urlOf = (key: string) => `${base}/${key.split('/').map(encodeURIComponent).join('/')}`;
  const send = async (url: string, init: Parameters<AwsClient['fetch']>[1], fine: number[]) => {
    const response = await client.fetch(url, init);
    if (fine.includes(response.status)) return response;
    await response.body?.cancel();
    throw new Error(`the bucket answered ${response.status} to ${init?.method ?? 'GET'}`);
  };
  const remove = async (key: string) => {
    await send(urlOf(key), { method: 'DELETE' }, [200, 204, 404]);
  };
  return {
    async put(at: StoredAt, path: string, { size, sha256 }: Digested) {
      const headers = {
        'Content-Length': String(size),
        'x-amz-content-sha256': sha256.toString('hex'),
      };
      const body = Readable.toWeb(createReadStream(path)) as ReadableStream;
      const init = { method: 'PUT', headers, body, duplex: 'half' } as RequestInit;
      // A body that is read once cannot be sent again.
      const request = await client.sign(urlOf(keyOf(settings, at)), init);
      const response = await fetch(request);
      await response.body?.cancel();
      if (!response.ok) throw new Error(`the bucket answered ${response.status} to PUT`);
    },
    async open(at: StoredAt, { start, end }: ByteRange) {
      const headers = { Range: `bytes=${start}-${end}` };
      const isEmpty = end < start;
      const init = isEmpty ? {} : { headers };
      const response = await send(urlOf(keyOf(settings, at)), init, [200, 206, 404]);
      const { body } = response;
      if (response.status === 404) {
        await body?.cancel();
        return undefined;
      }
      return {
        pieces: () => (body ?? []) as unknown as AsyncIterable<Buffer>,
        discard: () => void body?.cancel(),
      };
    },
    remove,
    async removeAll(prefix: string) {
      for (;;) {
        const keys = await listKeys(prefix);
        for (const key of keys) await remove(key);
        if (keys.length < LISTED) return;
      }
    },
    async addressOf(at: StoredAt, { type, disposition }: DownloadHeaders) {
      const url = new URL(urlOf(keyOf(settings, at)));
      url.searchParams.set('X-Amz-Expires', String(ADDRESS_SECONDS));
      url.searchParams.set('response-content-type', type);
      url.searchParams.set('response-content-disposition', disposition);
      const signed = await client.sign(url.href, { aws: { signQuery: true } });
      return signed.url;
    },
  };

  async function listKeys(prefix: string): Promise<readonly string[]> {
    const url = new URL(base);
    url.searchParams.set('list-type', '2');
    url.searchParams.set('prefix', prefix);
    const text = await (await send(url.href, {}, [200])).text();
    return [...text.matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key]) => key as string);
  }
}
