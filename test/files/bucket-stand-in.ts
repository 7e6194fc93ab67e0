// A server that speaks as much of the protocol of S3 as files need, for tests: it checks each signature (Signature Version
// 4, in the header or in the address) and the digest of a body, and keeps objects in memory.

import { createHash, createHmac } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BucketSettings } from '../../src/bucket-settings.ts';

export interface BucketStandIn {
  readonly settings: BucketSettings;
  readonly objects: Map<string, Buffer>;
  /** Requests that were refused for their signature or digest. */
  readonly refused: string[];
  /** The next requests are answered with this status. */
  fail(status: number, times: number): void;
  close(): Promise<void>;
}

const SECRET = 'a secret of the tests';
const ACCESS_KEY = 'TESTACCESSKEY';

export async function openBucketStandIn(): Promise<BucketStandIn> {
  const objects = new Map<string, Buffer>();
  const refused: string[] = [];
  const failing = { status: 0, times: 0 };
  const server = http.createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      if (failing.times > 0) {
        failing.times -= 1;
        response.writeHead(failing.status).end();
        return;
      }
      const body = Buffer.concat(pieces);
      const problem = problemOf(request, body);
      if (problem !== undefined) {
        refused.push(problem);
        response.writeHead(403).end(problem);
        return;
      }
      answer(objects, { request, response, body });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    settings: {
      ...{ endpoint: `http://127.0.0.1:${port}`, bucket: 'papers', prefix: 'records/' },
      ...{ region: 'eu-test-1', accessKeyId: ACCESS_KEY, secretAccessKey: SECRET },
    },
    objects,
    refused,
    fail: (status, times) => Object.assign(failing, { status, times }),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

interface Exchange {
  readonly request: http.IncomingMessage;
  readonly response: http.ServerResponse;
  readonly body: Buffer;
}

function answer(objects: Map<string, Buffer>, { request, response, body }: Exchange): void {
  const url = new URL(request.url ?? '', 'http://x');
  const key = decodeURIComponent(url.pathname.replace(/^\/papers\/?/, ''));
  if (request.method === 'PUT') {
    if (request.headers['content-length'] === undefined) return void response.writeHead(411).end();
    objects.set(key, body);
    response.writeHead(200).end();
  } else if (request.method === 'DELETE') {
    objects.delete(key);
    response.writeHead(204).end();
  } else if (key === '') {
    const prefix = url.searchParams.get('prefix') ?? '';
    const keys = [...objects.keys()].filter((one) => one.startsWith(prefix)).slice(0, 1000);
    response.end(`<L>${keys.map((one) => `<Contents><Key>${one}</Key></Contents>`).join('')}</L>`);
  } else get(objects.get(key), url, { request, response });
}

function get(
  found: Buffer | undefined,
  url: URL,
  { request, response }: Pick<Exchange, 'request' | 'response'>,
): void {
  if (found === undefined) return void response.writeHead(404).end();
  for (const name of ['content-type', 'content-disposition']) {
    const given = url.searchParams.get(`response-${name}`);
    if (given !== null) response.setHeader(name, given);
  }
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  if (start === undefined) return void response.end(found);
  response.writeHead(206).end(found.subarray(Number(start), Number(end) + 1));
}

/** Why a request is not that of the owner of the secret; undefined: it is. */
function problemOf(request: http.IncomingMessage, body: Buffer): string | undefined {
  const url = new URL(request.url ?? '', `http://${request.headers.host}`);
  const signed = url.searchParams.has('X-Amz-Signature') ? inAddress(url) : inHeader(request);
  if (signed === undefined) return 'no signature';
  const age = Math.abs(Date.now() - momentOf(signed.date));
  if (age > signed.seconds * 1000) return 'expired';
  const digest = signed.digest ?? 'UNSIGNED-PAYLOAD';
  const sent = createHash('sha256').update(body).digest('hex');
  if (digest !== 'UNSIGNED-PAYLOAD' && digest !== sent) return 'another digest';
  const canonical = [
    request.method,
    url.pathname,
    queryOf(url),
    ...signed.names.map((name) => `${name}:${String(request.headers[name]).trim()}`),
    '',
    signed.names.join(';'),
    digest,
  ].join('\n');
  return signatureOf(canonical, signed) === signed.signature ? undefined : 'another signature';
}

interface Signed {
  readonly date: string;
  readonly scope: string;
  readonly names: readonly string[];
  readonly signature: string;
  readonly digest: string | undefined;
  readonly seconds: number;
}

function inHeader({ headers }: http.IncomingMessage): Signed | undefined {
  const [, scope = '', names = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=TESTACCESSKEY\/(\S+), SignedHeaders=(\S+), Signature=(\w+)$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  if (signature === '') return undefined;
  const digest = String(headers['x-amz-content-sha256']);
  const date = String(headers['x-amz-date']);
  return { date, scope, names: names.split(';'), signature, digest, seconds: 900 };
}

function inAddress({ searchParams }: URL): Signed {
  const text = (name: string) => searchParams.get(`X-Amz-${name}`) ?? '';
  return {
    date: text('Date'),
    scope: text('Credential').replace(`${ACCESS_KEY}/`, ''),
    names: text('SignedHeaders').split(';'),
    signature: text('Signature'),
    digest: undefined,
    seconds: Number(text('Expires')),
  };
}

function queryOf({ searchParams }: URL): string {
  const encode = (text: string) =>
    encodeURIComponent(text).replaceAll(
      /[!'()*]/g,
      (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  return [...searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');
}

function momentOf(date: string): number {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date) ?? [];
  return Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  );
}

function signatureOf(canonical: string, { date, scope }: Signed): string {
  const [day = '', region = '', service = '', end = ''] = scope.split('/');
  const mac = (key: Buffer | string, text: string) =>
    createHmac('sha256', key).update(text).digest();
  const key = [region, service, end].reduce(mac, mac(`AWS4${SECRET}`, day));
  const hash = createHash('sha256').update(canonical).digest('hex');
  return mac(key, ['AWS4-HMAC-SHA256', date, scope, hash].join('\n')).toString('hex');
}
