// X9 and X10: clients that go away in the middle, read nothing, send a byte a second, or are ten
// thousand. Those that behave must not notice.

import http from 'node:http';
import net, { type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Fault, ms, percentile, type Scene } from './fault.ts';
import { startIdleProcess } from './idle-process.ts';
import { requireAlive } from './kill-faults.ts';
import { runOpenLoad } from './open-load.ts';
import type { Memory } from './probe.ts';
import { RECORDS_PATH, SCHEMA, type Site } from './site.ts';

const MEGABYTE = 2 ** 20;
const MOST_GROWTH = 50 * MEGABYTE;
const READERS_THAT_DO_NOT = 50;
const SLOW_SENDERS = 10;
/** Milliseconds: the time a request may take to arrive, and what looks for late ones. */
const TIMED_OUT_WITHIN = 18_000;

export const badClients: Fault = {
  name: 'X9',
  title: 'clients that cut, read nothing or send slowly',
  cycles: 60,
  async prepare(site) {
    site.place.probed = true;
  },
  async inflict(scene, cycles) {
    const { site, complaints, notes } = scene;
    const before = await site.program.ask<Memory>({ ask: 'memory' });
    const slow = Array.from({ length: SLOW_SENDERS }, () => sendSlowly(site));
    // What those who do not read have asked for is a lot to do: the slow ones come first.
    await sleep(500);
    const stuck = Array.from({ length: READERS_THAT_DO_NOT }, () => askWithoutReading(site));
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      await cutAfterRequest(scene);
      await cutInTheMiddle(site);
    }
    await requireCancelled(scene);
    const times = await Promise.all(slow);
    const late = times.filter((time) => !(time < TIMED_OUT_WITHIN));
    if (late.length > 0) complaints.push(`V9 ${late.length} slow requests were not ended in time`);
    const after = await site.program.ask<Memory>({ ask: 'memory' });
    for (const socket of stuck) socket.destroy();
    const growth = after.resident - before.resident;
    if (growth > MOST_GROWTH) complaints.push(`V9 memory grew by ${megabytes(growth)}`);
    notes.push(
      `${cycles} writes and ${cycles} lists cut`,
      `slow senders ended after ${ms(Math.max(...times))}`,
      `memory grew by ${megabytes(growth)} (≤ ${megabytes(MOST_GROWTH)})`,
    );
    requireAlive(scene);
  },
};

function megabytes(bytes: number): string {
  return `${(bytes / MEGABYTE).toFixed(0)} MB`;
}

function headOf({ keys }: Site, method: string, path: string): string {
  return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${keys[0]?.secret}\r\n`;
}

function connect({ url }: Site): Socket {
  const socket = net.connect({ host: '127.0.0.1', port: Number(new URL(url).port) });
  socket.on('error', () => undefined);
  return socket;
}

function askWithoutReading(site: Site): Socket {
  const socket = connect(site);
  const request = `${headOf(site, 'GET', `${RECORDS_PATH}?limit=100`)}\r\n`;
  socket.pause();
  socket.write(request.repeat(20));
  return socket;
}

/** Milliseconds until the service ends a request whose body never comes. */
function sendSlowly(site: Site): Promise<number> {
  return new Promise((resolve) => {
    const begun = performance.now();
    const socket = connect(site);
    const timer = setInterval(() => socket.write('x'), 1000);
    socket.resume();
    socket.write(`${headOf(site, 'POST', RECORDS_PATH)}Content-Type: application/json\r\n`);
    socket.write('Content-Length: 1000\r\n\r\n{');
    socket.on('close', () => {
      clearInterval(timer);
      resolve(performance.now() - begun);
    });
    setTimeout(() => socket.destroy(), TIMED_OUT_WITHIN + 5000);
  });
}

/** The write is made or not; sent again under its key, it is there once. */
async function cutAfterRequest({ site, work, random }: Scene): Promise<void> {
  const { ledger } = work;
  const entry = ledger.open(0, 'create');
  const { token } = entry;
  const body = JSON.stringify({ fields: { name: token, token } });
  const socket = connect(site);
  const head = headOf(site, 'POST', RECORDS_PATH);
  socket.write(
    `${head}Content-Type: application/json\r\nIdempotency-Key: ${token}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  await sleep(random() * 30);
  socket.resetAndDestroy();
  entry.unknowns += 1;
  const secret = site.keys[0]?.secret ?? '';
  for (let tries = 0; tries < 300 && entry.verdict === 'unresolved'; tries += 1) {
    const sent = { method: 'POST', path: RECORDS_PATH, body, key: token } as const;
    const answer = await site.wire.send(site.url, secret, sent);
    if (answer.status === 201) {
      entry.verdict = 'acked';
      entry.replayed = answer.headers['idempotent-replayed'] === 'true';
      const { data } = JSON.parse(answer.body) as { data: { id: string; version: string } };
      ledger.made({ id: data.id, objectType: 'deals', token, client: 0 });
      ledger.versioned(data.id, data.version, token);
    } else await sleep(20);
  }
}

function cutInTheMiddle(site: Site): Promise<void> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${site.keys[0]?.secret}` };
    const path = `${site.url}${RECORDS_PATH}?limit=100`;
    const request = http.get(path, { headers, agent: false }, (response) => {
      response.on('error', () => undefined);
      response.once('data', () => request.destroy());
    });
    request.on('error', () => undefined);
    request.on('close', () => resolve());
  });
}

const CANCELLED_WITHIN = 1000;
const ABORTED_READS = 5;

/** Reads that wait in PostgreSQL are cancelled there when their clients go away. */
async function requireCancelled({ site, complaints, notes }: Scene): Promise<void> {
  const holder = new pg.Client(site.connection as pg.ClientConfig);
  await holder.connect();
  await holder.query(`begin; lock table "${SCHEMA}".contacts in access exclusive mode`);
  const waiting = async () => {
    const [row] = await site.rows(
      `select count(*)::integer as count from pg_stat_activity
        where wait_event_type = 'Lock' and query like '%contacts%' and pid <> pg_backend_pid()
          and query like '%limit%'`,
    );
    return Number(row?.count);
  };
  const sockets = Array.from({ length: ABORTED_READS }, () => connect(site));
  const request = `${headOf(site, 'GET', '/v1/objects/contacts/records')}\r\n`;
  for (const socket of sockets) socket.write(request);
  const giveUp = Date.now() + 4000;
  while ((await waiting()) === 0 && Date.now() < giveUp) await sleep(10);
  const found = await waiting();
  for (const socket of sockets) socket.destroy();
  const begun = performance.now();
  while ((await waiting()) > 0 && performance.now() - begun < 10_000) await sleep(10);
  const took = performance.now() - begun;
  await holder.query('rollback');
  await holder.end();
  notes.push(`${found} reads left by their clients were cancelled within ${ms(took)}`);
  if (found === 0) complaints.push('V9 no read was waiting: nothing was tried');
  if (took > CANCELLED_WITHIN) complaints.push(`V9 reads were cancelled after ${ms(took)} only`);
}

const CONNECTIONS = 10_000;
/** More than these the service does not take. */
const MOST_CONNECTIONS = 12_000;
const HALF_ENDED_WITHIN = 12_000;

export const manyConnections: Fault = {
  name: 'X10',
  title: '10,000 idle connections and 10,000 half requests, 100 reads/s',
  cycles: 1,
  async prepare(site) {
    site.place.probed = true;
  },
  async inflict(scene) {
    const { site, notes, complaints } = scene;
    await scene.work.stop();
    const baseline = await readsFor(site, 5);
    const [idle, half] = [startIdleProcess(), startIdleProcess()];
    const task = { port: Number(new URL(site.url).port), secret: site.keys[0]?.secret ?? '' };
    try {
      const before = await site.program.ask<Memory>({ ask: 'memory' });
      const { open } = await idle.connect({ ...task, connections: CONNECTIONS, kind: 'idle' });
      const after = await site.program.ask<Memory>({ ask: 'memory' });
      const load = readsFor(site, 25);
      await half.connect({ ...task, connections: CONNECTIONS, kind: 'half' });
      const during = await load;
      const { timedOut, closed, latest } = await half.report();
      const each = (after.resident - before.resident) / open / 1024;
      notes.push(
        `${open} idle, ${each.toFixed(1)} KB each (≤ 12)`,
        `half requests: ${timedOut} × 408, the last after ${ms(latest)}; ` +
          `${closed - timedOut} refused beyond ${MOST_CONNECTIONS}`,
        `p99 of reads ${ms(baseline)} before, ${ms(during)} during`,
      );
      if (open < CONNECTIONS) complaints.push(`V9 only ${open} idle connections stayed open`);
      if (timedOut === 0) complaints.push('V9 no half request was ended with 408');
      if (latest > HALF_ENDED_WITHIN + 3000) complaints.push(`V9 a 408 after ${ms(latest)}`);
    } finally {
      await Promise.all([idle.stop(), half.stop()]);
    }
    await sleep(1000);
    await scene.recovered(performance.now());
    requireAlive(scene);
  },
};

/** p99 of reads at 100 a second, in milliseconds. */
async function readsFor({ wire, url, keys }: Site, seconds: number): Promise<number> {
  const samples = await runOpenLoad({
    perSecond: 100,
    seconds,
    async send(number) {
      const { secret = '' } = keys[number % keys.length] ?? {};
      const sent = { method: 'GET', path: `${RECORDS_PATH}?limit=5` } as const;
      return { kind: 'read', status: (await wire.send(url, secret, sent)).status };
    },
  });
  return percentile(
    samples.map(({ latency }) => latency),
    0.99,
  );
}
