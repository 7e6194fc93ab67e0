// Each proxy of deploy/, with its file as it is shipped, before two processes of the built service: tags, streams,
// uploads, addresses, sign-in, and restarts under load.

import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { constants, createGunzip } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort, type Program, startProgram } from '../../faults/program.ts';
import { connectionUrl } from '../../src/postgres/connection-url.ts';
import { openTcpProxy, type TcpProxy } from '../citus/tcp-proxy.ts';
import { runCommandHere } from '../cli/command-here.ts';
import { until } from '../until.ts';
import { ACME, openWorldWith, type World } from '../world.ts';
import {
  HOST,
  makeCertificate,
  PROXIES,
  type ProxyName,
  type ProxyPlace,
  type RunningProxy,
  startProxy,
} from './proxy-programs.ts';

const UPLOADED = 100 * 1024 * 1024;
const REQUESTS = 2000;
/** Unpacks every piece at once. */
const SYNC = constants.Z_SYNC_FLUSH;
let world: World;
let folder: string;
let secret: string;
let certificate: Buffer;
/** The way of the processes to PostgreSQL. */
let database: TcpProxy;
const ports: number[] = [];
const services: Program[] = [];

beforeAll(async () => {
  const { deals } = ACME.objects;
  const withFiles = {
    ...deals,
    fields: { ...deals.fields, contract: { type: 'file', max_bytes: UPLOADED } },
  };
  world = await openWorldWith({ ...ACME, objects: { ...ACME.objects, deals: withFiles } });
  ({ secret } = await world.key('ada'));
  folder = mkdtempSync(join(tmpdir(), 'proxies-'));
  chmodSync(folder, 0o755);
  certificate = makeCertificate(folder);
  chmodSync(join(folder, 'key.pem'), 0o644);
  const { host, port } = world.database.connection;
  database = await openTcpProxy(String(host), Number(port));
  for (let index = 0; index < 2; index += 1) {
    ports.push(await freePort());
    await startService(index);
  }
});
afterAll(async () => {
  for (const service of services) await service.stop();
  await database?.close();
  await world?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function startService(index: number): Promise<void> {
  const { connection, environment } = world.database;
  const databaseUrl = connectionUrl({ ...connection, host: '127.0.0.1', port: database.port });
  const program = startProgram({
    databaseUrl,
    port: ports[index] as number,
    settings: {
      ...environment,
      DATABASE_URL: databaseUrl,
      TRUSTED_PROXIES: '127.0.0.1',
      DATA_DIRECTORY: join(folder, 'data'),
      STRICT_TRANSPORT_SECURITY: 'max-age=600',
      WORKERS: '1',
      DRAIN_SECONDS: '5',
    },
  });
  services[index] = program;
  await program.ready(async () =>
    fetch(`${program.url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
}

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** The address of the client. */
  readonly from?: string;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

describe.each(Object.keys(PROXIES) as ProxyName[])('%s', (name) => {
  let place: ProxyPlace;
  let proxy: RunningProxy;
  const agent = new https.Agent({ keepAlive: true });

  function open(path: string, { method = 'GET', headers = {}, body, from }: Sent) {
    const request = https.request({
      ...{ host: '127.0.0.1', port: place.tlsPort, servername: HOST, ca: certificate },
      ...{ path, method, agent, ...(from === undefined ? {} : { localAddress: from }) },
      headers: { host: `${HOST}:${place.tlsPort}`, ...headers },
    });
    request.end(body);
    return request;
  }

  async function send(path: string, sent: Sent = {}): Promise<Answer> {
    const [response] = (await once(open(path, sent), 'response')) as [IncomingMessage];
    const pieces: Buffer[] = [];
    for await (const piece of response) pieces.push(piece as Buffer);
    const text = Buffer.concat(pieces).toString();
    return { status: response.statusCode ?? 0, headers: response.headers, text };
  }

  /** A read whose kept connection Apache has closed without a byte is sent again, as docs/operations.md says. */
  const read = (path: string) => {
    const sent = () => send(path, { headers: asAda() });
    const isClosed = ({ code }: NodeJS.ErrnoException) =>
      name === 'apache' && code === 'ECONNRESET';
    return sent().catch((error: Error) => (isClosed(error) ? sent() : Promise.reject(error)));
  };

  const asAda = (headers: Readonly<Record<string, string>> = {}) => ({
    ...{ authorization: `Bearer ${secret}`, 'content-type': 'application/json', ...headers },
  });
  const createDeal = async () => {
    const body = JSON.stringify({ fields: { name: `By ${name}` } });
    const made = await send('/v1/objects/deals/records', {
      ...{ method: 'POST', headers: asAda(), body },
    });
    expect(made.status, made.text).toBe(201);
    return `/v1/objects/deals/records/${JSON.parse(made.text).data.id}`;
  };

  beforeAll(async () => {
    const own = join(folder, name);
    mkdirSync(own);
    place = {
      folder: own,
      tlsPort: await freePort(),
      plainPort: await freePort(),
      upstreams: [ports[0] as number, ports[1] as number],
    };
    certificate = makeCertificate(own);
    chmodSync(join(own, 'key.pem'), 0o644);
    proxy = await startProxy(name, place);
    await until(async () => (await send('/readyz').catch(() => undefined))?.status === 200);
  });
  afterAll(async () => {
    agent.destroy();
    await proxy?.stop();
  });

  test('http leads to https, and answers say so once', async () => {
    const there = await fetch(`http://127.0.0.1:${place.plainPort}/app`, { redirect: 'manual' });
    expect(there.status === 301 || there.status === 308, String(there.status)).toBe(true);
    const { headers, status } = await send('/v1/me', { headers: asAda() });
    expect([status, headers['strict-transport-security']]).toEqual([200, 'max-age=31536000']);
  });

  test('a record changes under its tag, and is 304 while it does not', async () => {
    const path = await createDeal();
    for (let change = 0; change < 20; change += 1) {
      const read = await send(path, { headers: asAda({ 'accept-encoding': 'gzip' }) });
      const tag = String(read.headers.etag);
      const same = await send(path, {
        headers: asAda({ 'accept-encoding': 'gzip', 'if-none-match': tag }),
      });
      expect(same.status).toBe(304);
      const written = await send(path, {
        method: 'PATCH',
        headers: asAda({ 'if-match': tag }),
        body: JSON.stringify({ fields: { amount: change } }),
      });
      expect(written.status, `${tag}: ${written.text}`).toBe(200);
    }
  });

  test('a stream of events arrives at once', async () => {
    const begun = performance.now();
    const request = open('/v1/events/stream', {
      headers: asAda({ 'accept-encoding': 'gzip', accept: 'text/event-stream' }),
    });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(200);
    let text = '';
    const isCompressed = response.headers['content-encoding'] === 'gzip';
    const events = isCompressed ? response.pipe(createGunzip({ flush: SYNC })) : response;
    events.on('data', (piece) => {
      text += piece;
    });
    for (const stream of [response, events, request]) stream.on('error', () => undefined);
    await createDeal();
    await until(() => text.length > 0 && /record\.created/.test(text));
    // A buffer would be sent on after several heartbeats, one every 15 s.
    expect(performance.now() - begun).toBeLessThan(14_000);
    request.destroy();
  });

  test('a file of the largest size arrives', async () => {
    const body = Buffer.alloc(UPLOADED, 'x');
    const sent = await send('/v1/files?purpose=field&name=large.bin', {
      ...{ method: 'POST', headers: asAda({ 'content-type': 'application/octet-stream' }), body },
    });
    expect([sent.status, JSON.parse(sent.text).data?.size]).toEqual([201, UPLOADED]);
  });

  test('a person signs in, with a cookie of https', async () => {
    const { environment } = world.database;
    const args = ['--workspace', 'acme', '--user', 'ada@acme.example'];
    const { out } = await runCommandHere(environment, 'sign-in-link', ...args);
    const token = /#(?:token=)?(\S+)/.exec(out)?.[1];
    const origin = `https://${HOST}:${place.tlsPort}`;
    const headers = { 'content-type': 'application/json', origin, 'sec-fetch-site': 'same-origin' };
    const body = JSON.stringify({ token });
    const made = await send('/v1/sessions', { method: 'POST', headers, body });
    expect(made.status, made.text).toBe(201);
    const cookie = String(made.headers['set-cookie']?.[0]);
    expect(cookie).toMatch(/^__Host-wrs-\d+=.*; Secure/i);
    const session = { cookie: cookie.split(';')[0] as string, origin };
    const me = await send('/v1/me', { headers: { ...session, 'sec-fetch-site': 'same-origin' } });
    expect([me.status, JSON.parse(me.text).data.user.name]).toEqual([200, 'Ada']);
  });

  test('attempts to sign in count by the address of the client, whatever it says', async () => {
    // Of each proxy others, since they count for a quarter of an hour.
    const at = Object.keys(PROXIES).indexOf(name) * 2 + 10;
    const attempt = async (from: string, number: number) => {
      const email = `nobody-${number}@acme.example`;
      const headers = {
        'content-type': 'application/json',
        'x-forwarded-for': `203.0.113.${number}`,
      };
      const body = JSON.stringify({ workspace: 'acme', email, password: 'wrong password' });
      return (await send('/v1/sessions', { method: 'POST', headers, body, from })).status;
    };
    const statuses = [];
    for (let number = 0; number < 11; number += 1) {
      statuses.push(await attempt(`127.0.0.${at}`, number));
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
    expect(await attempt(`127.0.0.${at + 1}`, 100)).toBe(401);
  });

  test('without the database, answers are those of the service', async () => {
    const path = '/v1/objects/deals/records?limit=1';
    await database.lose();
    try {
      // Until the proxy has checked the processes.
      await sleep(3000);
      for (let request = 0; request < 10; request += 1) {
        const { status, headers, text } = await read(path);
        expect([status, text], text).toEqual([503, expect.stringContaining('"error"')]);
        expect(JSON.parse(text).error.type).toBe('api_error');
        expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      }
    } finally {
      await database.bringBack();
    }
    await until(async () => (await read(path).catch(() => undefined))?.status === 200);
  });

  /** Creates a deal with a key, and sends it again with the same key until it is answered. */
  async function insist(label: string): Promise<void> {
    const headers = asAda({ 'idempotency-key': label });
    const body = JSON.stringify({ fields: { name: label } });
    const sent = { method: 'POST', headers, body };
    for (let tries = 0; tries < 100; tries += 1) {
      const answer = await send('/v1/objects/deals/records', sent).catch(() => undefined);
      if (answer?.status === 201) return;
      expect([undefined, 409, 502, 503]).toContain(answer?.status);
      await sleep(100);
    }
    throw new Error(`${label} was never answered`);
  }

  test('a rolling restart loses no answer, and no write with a key is lost or made twice', async () => {
    const failures: string[] = [];
    let answers = 0;
    let restarting = true;
    const labels: string[] = [];
    const writers = Array.from({ length: 2 }, async (_, writer) => {
      while (restarting) {
        const label = `Keyed by ${name} ${writer} ${labels.length}`;
        await insist(label);
        labels.push(label);
        await sleep(20);
      }
    });
    const clients = Array.from({ length: 4 }, async () => {
      while (restarting || answers < REQUESTS) {
        const path = `/v1/objects/deals/records?limit=${1 + (answers % 50)}`;
        const answer = await read(path).catch((error: Error) => error);
        answers += 1;
        if (answer instanceof Error) failures.push(answer.message);
        else if (answer.status !== 200) failures.push(`${answer.status} ${answer.text}`);
        await sleep(answers < REQUESTS ? 10 : 50);
      }
    });
    try {
      for (let index = 0; index < 2; index += 1) {
        await sleep(2000);
        const old = services[index] as Program;
        old.signal('SIGTERM');
        expect(await old.exit).toMatchObject({ code: 0 });
        await startService(index);
      }
    } finally {
      restarting = false;
      await Promise.all([...clients, ...writers]);
    }
    const made = await world.rows('select name from deals where name like $1 order by 1', [
      `Keyed by ${name} %`,
    ]);
    expect(labels.length).toBeGreaterThan(50);
    expect(made.map((row) => row.name).sort()).toEqual([...labels].sort());
    expect(failures).toEqual([]);
    expect(answers).toBeGreaterThanOrEqual(REQUESTS);
  });
});
