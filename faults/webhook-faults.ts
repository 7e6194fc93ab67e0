// X16: the service is killed while records are created at a steady rate and three webhooks send them. Each receiver gets
// every record that exists, and after each kill repeats at most as many requests as were in flight.

import { setTimeout as sleep } from 'node:timers/promises';
import { UNSTORED } from '../src/flow/webhooks/sending-limits.ts';
import type { Fault, Scene } from './fault.ts';
import { mostOf } from './figures.ts';
import { requireAlive } from './kill-faults.ts';
import { sendSteadily } from './open-load.ts';
import type { Site } from './site.ts';
import { fewestMissing, type LocalServer, makeWebhook, openServer } from './webhook-site.ts';

const WEBHOOKS = 3;
/** Creates in a second. */
const RATE = 200;
const CREATES = { events: ['record.created'], object_types: ['companies'] };
/** Milliseconds in which something must arrive as long as something is missing. */
const PATIENCE = 60_000;

export const killUnderWebhooks: Fault = {
  name: 'X16',
  title: 'kill -9 of the service while three webhooks send 200 records a second',
  cycles: 20,
  short: 2,
  async prepare(site) {
    site.place.settings = { ...site.place.settings, WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8' };
  },
  async inflict(scene, cycles) {
    const { site, work, readers } = scene;
    await Promise.all([work.stop(), readers.stop()]);
    const receivers = await Promise.all(Array.from({ length: WEBHOOKS }, openReceiver));
    try {
      for (const receiver of receivers) await makeWebhook(site, receiver, CREATES);
      await killOften(scene, receivers, cycles);
    } finally {
      await Promise.all(receivers.map((receiver) => receiver.close()));
    }
    requireAlive(scene);
  },
};

interface Receiver extends LocalServer {
  /** How often each record arrived. */
  readonly records: ReadonlyMap<string, number>;
  readonly pings: () => number;
  readonly requests: () => number;
}

async function openReceiver(): Promise<Receiver> {
  const records = new Map<string, number>();
  let pings = 0;
  let requests = 0;
  const server = await openServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { type, data } = JSON.parse(Buffer.concat(chunks).toString());
    if (type === 'ping') pings += 1;
    else {
      requests += 1;
      records.set(data.record_id, (records.get(data.record_id) ?? 0) + 1);
    }
    response.writeHead(204).end();
  });
  return { ...server, records, pings: () => pings, requests: () => requests };
}

async function killOften(
  scene: Scene,
  receivers: readonly Receiver[],
  cycles: number,
): Promise<void> {
  const { site, random, recoveries, notes, complaints } = scene;
  const writing = startWriting(site);
  const repeats: number[] = [];
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    await sleep(500 + random() * 1500);
    const before = repeatsOf(receivers);
    site.program.signal('SIGKILL');
    await site.program.exit;
    const requests = requestsOf(receivers);
    recoveries.push(await site.startService());
    // The next process sends once the lease of this one is over.
    await until(() => requestsOf(receivers) > requests + 100);
    await sleep(1000);
    repeats.push(repeatsOf(receivers) - before);
  }
  await writing.stop();
  const [requests, stopped] = [requestsOf(receivers), performance.now()];
  const missing = await missingOf(site, receivers);
  const seconds = (performance.now() - stopped) / 1000;
  const drained = Math.round((requestsOf(receivers) - requests) / seconds);
  const most = mostOf(repeats);
  const created = receivers[0]?.records.size ?? 0;
  notes.push(
    `${created} records to ${WEBHOOKS} receivers, ${missing} missing, ${most} repeats a kill at most`,
    `the rest arrived within ${Math.round(seconds)} s, ${drained} a second`,
  );
  if (missing > 0) complaints.push(`X16 ${missing} events never arrived`);
  if (most > UNSTORED) complaints.push(`X16 ${most} requests were repeated after one kill`);
}

const requestsOf = (receivers: readonly Receiver[]) =>
  receivers.reduce((sum, { requests }) => sum + requests(), 0);

const repeatsOf = (receivers: readonly Receiver[]) =>
  receivers.reduce((sum, { requests, records }) => sum + requests() - records.size, 0);

async function until(isSo: () => boolean): Promise<void> {
  const giveUp = performance.now() + PATIENCE;
  while (!isSo()) {
    if (performance.now() > giveUp) throw new Error('X16 webhooks send nothing');
    await sleep(20);
  }
}

/** Creates at a steady rate, whatever becomes of them. */
function startWriting({ wire, url, keys }: Site) {
  return sendSteadily(RATE, (count) => {
    const body = JSON.stringify({ fields: { name: `Company ${count}` } });
    const path = '/v1/objects/companies/records';
    const secret = keys[count % keys.length]?.secret ?? '';
    return wire.send(url, secret, { method: 'POST', path, body });
  });
}

/** Records that exist and that some receiver did not get, however many waited after the last kill. */
async function missingOf(site: Site, receivers: readonly Receiver[]): Promise<number> {
  const rows = await site.rows(
    `select record_id from s._audit where object_type = 'companies' and action = 'create'
      and at >= (select min(created_at) from s._webhooks)`,
  );
  const countMissing = () =>
    rows.flatMap(({ record_id }) =>
      receivers.filter(({ records }) => !records.has(String(record_id))),
    ).length;
  return fewestMissing(countMissing, PATIENCE);
}
