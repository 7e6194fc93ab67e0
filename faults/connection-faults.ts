// X9: clients that go away in the middle, read nothing, or read and send a byte a second. Well-behaved clients must
// not notice, and memory must not grow.

import http from 'node:http';
import net, { type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Fault, Scene } from './fault.ts';
import { mostOf, ms } from './figures.ts';
import { requireAlive } from './kill-faults.ts';
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
  title: 'clients that cut, read nothing, or read and send slowly',
  cycles: 60,
  async prepare(site) {
    site.place.probed = true;
  },
  async inflict(scene, cycles) {
    const { site, complaints, notes } = scene;
    await makeLongList(site);
    const before = await site.program.ask<Memory>({ ask: 'memory' });
    const downloads = Array.from({ length: SLOW_READERS }, () => readSlowly(site));
    const slow = Array.from({ length: SLOW_SENDERS }, () => sendSlowly(site));
    // The requests of clients that do not read are a lot of work: the slow ones come first.
    await sleep(500);
    const stuck = Array.from({ length: READERS_THAT_DO_NOT }, () => askWithoutReading(site));
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      await cutAfterRequest(scene);
      await cutInTheMiddle(site, cycle % LONG_EVERY === 0 ? LONG_LIST : SHORT_LIST);
    }
    await requireCancelled(scene);
    const times = await Promise.all(slow);
    const late = times.filter((time) => !(time < TIMED_OUT_WITHIN));
    if (late.length > 0) complaints.push(`V9 ${late.length} slow requests were not ended in time`);
    const after = await site.program.ask<Memory>({ ask: 'memory' });
    for (const socket of stuck) socket.destroy();
    noteDownloads(scene, downloads);
    const growth = after.resident - before.resident;
    if (growth > MOST_GROWTH) complaints.push(`V9 memory grew by ${megabytes(growth)}`);
    notes.push(
      `${cycles} writes and ${cycles} lists cut`,
      `slow senders ended after ${ms(mostOf(times))}`,
      `memory grew by ${megabytes(growth)} (≤ ${megabytes(MOST_GROWTH)})`,
    );
    requireAlive(scene);
  },
};

/** As long as a page can be: a hundred texts of 100,000 letters. */
const LONG_LIST = '/v1/objects/companies/records?limit=100';
const SHORT_LIST = `${RECORDS_PATH}?limit=100`;
const LONG_EVERY = 6;
const SLOW_READERS = 3;
const LONG_TEXT = 100_000;
const BATCH = 50;

/** And read it once: what that costs is not the cost of bad clients. */
async function makeLongList(site: Site): Promise<void> {
  const secret = site.keys[0]?.secret ?? '';
  const fields = { name: 'long', memo: 'm'.repeat(LONG_TEXT) };
  const operations = Array.from({ length: BATCH }, () => ({ action: 'create', fields }));
  const body = JSON.stringify({ operations });
  const path = '/v1/objects/companies/records/batch';
  for (let number = 0; number < 2; number += 1) {
    const { status } = await site.wire.send(site.url, secret, { method: 'POST', path, body });
    if (status !== 200) throw new Error(`the long list was answered ${status}`);
  }
  await site.wire.send(site.url, secret, { method: 'GET', path: LONG_LIST });
}

interface Download {
  readonly socket: Socket;
  /** Bytes. */
  read: number;
}

/** A byte a second; the rest waits in the buffers of the system and in the service. */
function readSlowly(site: Site): Download {
  const socket = connect(site);
  const download = { socket, read: 0 };
  socket.pause();
  socket.write(`${headOf(site, 'GET', LONG_LIST)}\r\n`);
  const timer = setInterval(() => {
    if (socket.read(1) !== null) download.read += 1;
  }, 1000);
  socket.on('close', () => clearInterval(timer));
  return download;
}

function noteDownloads({ notes, complaints }: Scene, downloads: readonly Download[]): void {
  const open = downloads.filter(({ socket }) => !socket.destroyed).length;
  const read = downloads.map((download) => download.read);
  notes.push(`${open} slow downloads of 10 MB still open after ${mostOf(read)} bytes`);
  if (Math.min(...read) === 0) complaints.push('V9 a slow download did not begin');
  for (const { socket } of downloads) socket.destroy();
}

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
  for (let tries = 0; tries < 300 && entry.outcome === 'unresolved'; tries += 1) {
    const sent = { method: 'POST', path: RECORDS_PATH, body, key: token } as const;
    const answer = await site.wire.send(site.url, secret, sent);
    if (answer.status === 201) {
      entry.outcome = 'acked';
      entry.replayed = answer.headers['idempotent-replayed'] === 'true';
      const { data } = JSON.parse(answer.body) as { data: { id: string; version: string } };
      ledger.made({ id: data.id, objectType: 'deals', token, client: 0 });
      ledger.versioned(data.id, data.version, token);
    } else await sleep(20);
  }
}

function cutInTheMiddle(site: Site, list: string): Promise<void> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${site.keys[0]?.secret}` };
    const request = http.get(`${site.url}${list}`, { headers, agent: false }, (response) => {
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
