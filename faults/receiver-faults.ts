// X17: the service and PostgreSQL are killed in turn while webhooks send to receivers that fail in every way. Each receiver takes
// every event of every company in its order, and after a kill no more twice than was in flight; one whose owner may not read
// companies gets none.

import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { UNSTORED } from '../src/flow/webhooks/sending-limits.ts';
import type { Fault, Scene } from './fault.ts';
import { killBackendOf, requireAlive } from './kill-faults.ts';
import { sendSteadily } from './open-load.ts';
import type { Site } from './site.ts';
import { fewestMissing, type LocalServer, makeWebhook, openServer } from './webhook-site.ts';

/** Writes in a second: after the last kill a receiver that fails takes about as many. */
const RATE = 10;
const COMPANIES = '/v1/objects/companies/records';
const WRITES = { events: ['record.created', 'record.updated'] };
/** Milliseconds in which something must arrive as long as something is missing. */
const PATIENCE = 120_000;
/** Failed attempts after which later events of the record are sent. */
const KEEPS_ORDER = 3;

export const killUnderReceivers: Fault = {
  name: 'X17',
  title: 'kill -9 of the service and of PostgreSQL in turn while receivers fail',
  cycles: 100,
  short: 2,
  async prepare(site) {
    site.place.settings = { ...site.place.settings, WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8' };
  },
  async inflict(scene, cycles) {
    const { site, work, readers } = scene;
    await Promise.all([work.stop(), readers.stop()]);
    const receivers = await Promise.all(Object.values(FAILURES).map(openReceiver));
    const blind = await openReceiver(FAILURES.none as Failure);
    try {
      for (const receiver of receivers) await makeWebhook(site, receiver, WRITES);
      await makeWebhook(site, blind, { ...WRITES, owner_user_id: site.people.reader });
      await killOften(scene, receivers, cycles);
      if (blind.arrivals.size > 0) {
        scene.complaints.push(
          `X17 ${blind.arrivals.size} events were beyond the rights of the owner`,
        );
      }
    } finally {
      await Promise.all([...receivers, blind].map((receiver) => receiver.close()));
    }
    requireAlive(scene);
  },
};

/** How a receiver answers the first attempt of one in `every` events; `takes`: with success. */
interface Failure {
  readonly every: number;
  readonly takes: boolean;
  answer(response: ServerResponse): void;
}

const FAILURES: Readonly<Record<string, Failure>> = {
  none: { every: 5, takes: true, answer: (response) => response.writeHead(204).end() },
  failing: { every: 5, takes: false, answer: (response) => response.writeHead(500).end() },
  // Each takes the time limit of a request, one after the other.
  hanging: { every: 50, takes: false, answer: () => undefined },
  limiting: {
    every: 5,
    takes: false,
    answer: (response) => response.writeHead(429, { 'retry-after': '2' }).end(),
  },
  redirecting: {
    every: 5,
    takes: false,
    answer: (response) => response.writeHead(302, { location: '/elsewhere' }).end(),
  },
  slow: {
    every: 5,
    takes: true,
    async answer(response) {
      response.writeHead(200);
      for (let part = 0; part < 10 && !response.destroyed; part += 1) {
        response.write('.');
        await sleep(200);
      }
      response.end();
    },
  },
};

/** Of an event at a receiver; times are of `performance.now()`. */
interface Arrival {
  readonly record: string;
  readonly revision: number;
  readonly firstAt: number;
  requests: number;
  attempt: number;
  /** How often it was taken, and when first. */
  taken: number;
  takenAt: number;
  thirdAt: number;
}

/** A number that is the same each time an event is sent. */
const placeOf = (record: string, revision: number) =>
  Number.parseInt(record.slice(-6), 16) + revision;

interface Receiver extends LocalServer {
  readonly arrivals: Map<string, Arrival>;
  readonly pings: () => number;
}

async function openReceiver({ every, takes, answer }: Failure): Promise<Receiver> {
  const arrivals = new Map<string, Arrival>();
  let pings = 0;
  const server = await openServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { type, data } = JSON.parse(text);
    if (type === 'ping') {
      pings += 1;
      response.writeHead(204).end();
      return;
    }
    const now = performance.now();
    const attempt = Number(request.headers['webhook-attempt']);
    const { record_id: record, revision } = data;
    const arrival = arrivals.get(data.id) ?? {
      ...{ record, revision, firstAt: now, requests: 0, attempt: 0, taken: 0 },
      ...{ takenAt: Number.POSITIVE_INFINITY, thirdAt: Number.POSITIVE_INFINITY },
    };
    arrivals.set(data.id, arrival);
    arrival.requests += 1;
    arrival.attempt = attempt;
    if (attempt > KEEPS_ORDER) arrival.thirdAt = Math.min(arrival.thirdAt, now);
    const fails = attempt === 1 && placeOf(record, revision) % every === 0;
    if (!fails || takes) {
      arrival.taken += 1;
      arrival.takenAt = Math.min(arrival.takenAt, now);
    }
    if (fails) answer(response);
    else response.writeHead(204).end();
  });
  return { ...server, arrivals, pings: () => pings };
}

async function send(site: Site, path: string, body: object, method: 'POST' | 'PATCH' = 'POST') {
  const sent = { method, path, body: JSON.stringify(body) };
  return site.wire.send(site.url, site.keys[0]?.secret ?? '', sent);
}

async function killOften(scene: Scene, receivers: readonly Receiver[], cycles: number) {
  const { site, random, recoveries, notes, complaints } = scene;
  const writing = startWriting(site);
  let repeats = 0;
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    await sleep(500 + random() * 1500);
    const before = repeatsOf(receivers);
    if (cycle % 2 === 0) {
      site.program.signal('SIGKILL');
      await site.program.exit;
      recoveries.push(await site.startService());
    } else {
      await killBackendOf(scene);
      await scene.recovered(performance.now());
    }
    repeats = Math.max(repeats, repeatsOf(receivers) - before);
  }
  await writing.stop();
  const expected = await expectedOf(site);
  const missing = await missingOf(expected, receivers);
  const events = receivers.reduce((sum, { arrivals }) => sum + arrivals.size, 0);
  const disorder = receivers.reduce((sum, receiver) => sum + disorderOf(receiver), 0);
  notes.push(
    `${events} events to ${receivers.length} receivers, ${missing} missing, ${disorder} out of order, ${repeats} taken twice` +
      ' after one kill at most',
  );
  if (missing > 0) complaints.push(`X17 ${missing} events were never taken`);
  if (disorder > 0) complaints.push(`X17 ${disorder} events came before an earlier one was taken`);
  if (repeats > UNSTORED) complaints.push(`X17 ${repeats} events were taken twice after one kill`);
}

const repeatsOf = (receivers: readonly Receiver[]) =>
  receivers
    .flatMap(({ arrivals }) => [...arrivals.values()])
    .reduce((sum, { taken }) => sum + Math.max(0, taken - 1), 0);

/** Creates companies, and changes others seven times as often, whatever becomes of the requests. */
function startWriting(site: Site) {
  const companies: string[] = [];
  return sendSteadily(RATE, async (count) => {
    const company = companies[count % 8 === 0 ? -1 : Math.floor(count / 8) % companies.length];
    const fields = { name: `Company ${count}` };
    if (company !== undefined) return send(site, `${COMPANIES}/${company}`, { fields }, 'PATCH');
    const made = await send(site, COMPANIES, { fields });
    if (made.status === 201) companies.push(JSON.parse(made.body).data.id);
    return made;
  });
}

async function expectedOf(site: Site): Promise<readonly string[]> {
  const rows = await site.rows(
    `select record_id, revision from s._audit where object_type = 'companies' and action in ('create', 'update')
      and at >= (select max(created_at) from s._webhooks)`,
  );
  return rows.map(({ record_id, revision }) => `${record_id} ${revision}`);
}

/** Events that some receiver has not taken, however many waited after the last kill. */
async function missingOf(expected: readonly string[], receivers: readonly Receiver[]) {
  const countMissing = () =>
    receivers.reduce((sum, { arrivals }) => {
      const taken = [...arrivals.values()].filter((arrival) => arrival.taken > 0);
      const names = new Set(taken.map(({ record, revision }) => `${record} ${revision}`));
      return sum + expected.filter((name) => !names.has(name)).length;
    }, 0);
  return fewestMissing(countMissing, PATIENCE);
}

/** Events that came first before the one before them was taken, or had failed three times. */
function disorderOf({ arrivals }: Receiver): number {
  const records = new Map<string, Arrival[]>();
  for (const arrival of arrivals.values()) {
    records.set(arrival.record, [...(records.get(arrival.record) ?? []), arrival]);
  }
  let disorder = 0;
  for (const all of records.values()) {
    const sorted = all.toSorted((one, other) => one.revision - other.revision);
    for (const [index, { firstAt }] of sorted.entries()) {
      const before = sorted[index - 1];
      if (before && firstAt < Math.min(before.takenAt, before.thirdAt)) disorder += 1;
    }
  }
  return disorder;
}
