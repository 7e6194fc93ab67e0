// Files in a bucket that speaks the protocol of S3. A file arrives in the data directory first, so that its size and
// digest are known and only whole files are sent; the bucket checks the digest.

import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { AwsClient } from 'aws4fetch';
import type { BucketSettings } from '../bucket-settings.ts';
import { writeArriving } from './arrived-file.ts';
import { arrivingPath } from './folder-store.ts';
import type {
  ByteRange,
  Digested,
  DownloadHeaders,
  FileStore,
  OpenBytes,
  StoredAt,
} from './stored-bytes.ts';

/** Seconds for which an address is valid. */
const ADDRESS_SECONDS = 60;

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

type Requested = Parameters<AwsClient['fetch']>[1];

interface Bucket {
  put(at: StoredAt, path: string, digested: Digested): Promise<void>;
  open(at: StoredAt, range: ByteRange): Promise<OpenBytes | undefined>;
  remove(key: string): Promise<void>;
  removeAll(prefix: string): Promise<void>;
  addressOf(at: StoredAt, headers: DownloadHeaders): Promise<string>;
}

function openBucket(settings: BucketSettings): Bucket {
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = settings;
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 2 });
  const base = `${endpoint}/${bucket}`;
  const urlOf = (key: string) => `${base}/${key.split('/').map(encodeURIComponent).join('/')}`;
  const urlAt = (at: StoredAt) => urlOf(keyOf(settings, at));
  const send = async (url: string, init: Requested, fine: readonly number[]) => {
    const response = await client.fetch(url, init);
    if (fine.includes(response.status)) return response;
    await response.body?.cancel();
    throw refused(response, init?.method ?? 'GET');
  };
  const remove = async (key: string) => {
    await send(urlOf(key), { method: 'DELETE' }, [200, 204, 404]);
  };
  return {
    remove,
    put: (at, path, digested) => putFile(client, urlAt(at), { path, digested }),
    async open(at, { start, end }) {
      const part = end < start ? {} : { headers: { Range: `bytes=${start}-${end}` } };
      const response = await send(urlAt(at), part, [200, 206, 404]);
      if (response.status !== 404) return bytesOf(response);
      await response.body?.cancel();
      return undefined;
    },
    async removeAll(prefix) {
      for (let keys = [prefix]; keys.length > 0; ) {
        const url = `${base}?list-type=2&prefix=${encodeURIComponent(prefix)}`;
        keys = keysIn(await (await send(url, {}, [200])).text());
        for (const key of keys) await remove(key);
      }
    },
    addressOf: (at, headers) => signedAddress(client, urlAt(at), headers),
  };
}

function refused({ status }: Response, method: string): Error {
  return new Error(`the bucket answered ${status} to ${method}`);
}

/** Once: the body is read while it is sent. */
async function putFile(
  client: AwsClient,
  url: string,
  { path, digested }: { readonly path: string; readonly digested: Digested },
): Promise<void> {
  const headers = {
    'Content-Length': String(digested.size),
    'x-amz-content-sha256': digested.sha256.toString('hex'),
  };
  const body = Readable.toWeb(createReadStream(path)) as ReadableStream;
  const init = { method: 'PUT', headers, body, duplex: 'half' } as RequestInit;
  const response = await fetch(await client.sign(url, init));
  await response.body?.cancel();
  if (!response.ok) throw refused(response, 'PUT');
}

function bytesOf({ body }: Response): OpenBytes {
  return {
    pieces: () => (body ?? Readable.from([])) as unknown as AsyncIterable<Buffer>,
    // A broken connection makes it reject.
    discard: () => void body?.cancel().catch(() => undefined),
  };
}

/** The keys in a page of a listing. The keys of the service have no characters that XML would escape. */
function keysIn(listing: string): string[] {
  return [...listing.matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key]) => key as string);
}

async function signedAddress(
  client: AwsClient,
  address: string,
  { type, disposition }: DownloadHeaders,
): Promise<string> {
  const url = new URL(address);
  url.searchParams.set('X-Amz-Expires', String(ADDRESS_SECONDS));
  url.searchParams.set('response-content-type', type);
  url.searchParams.set('response-content-disposition', disposition);
  return (await client.sign(url.href, { aws: { signQuery: true } })).url;
}
