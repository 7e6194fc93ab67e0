// Live events: from the POST of a comment to its arrival on each of many open streams of one process, and
// what an open stream costs that process. Every stream has a key of its own.

import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../faults/figures.ts';
import { type Child, startListener } from './processes.ts';
import { atMost, type Result } from './report.ts';
import type { Site } from './site.ts';

const STREAMS = 1000;
const COMMENTS = 100;
/** Milliseconds between two comments: at random, so that they fall anywhere between two looks. */
const PAUSE = 300;
/** Milliseconds for the rest to arrive, or to be given back. */
const SETTLE = 2000;

export async function measureLive(site: Site): Promise<readonly Result[]> {
  const keys = await makeKeys(site, STREAMS + 1);
  const [writer = '', ...readers] = keys;
  const path = await commentPath(site);
  await warmUp(site, path, keys);
  const before = await site.service.memoryAfterCollection();
  const listener = await startListener();
  try {
    await listener.ask({ url: site.service.url, authorizations: readers });
    await sleep(SETTLE);
    const after = await site.service.memoryAfterCollection();
    const latencies = await measureLatencies(site, listener, { path, writer });
    const stream = (after.resident - before.resident) / STREAMS / 1024;
    const inside = (after.heap + after.external - before.heap - before.external) / STREAMS / 1024;
    return [
      {
        task: `comment to ${STREAMS} open streams, 99th percentile`,
        service: `p50 ${percentile(latencies, 0.5).toFixed(0)} ms, most ${percentile(latencies, 1).toFixed(0)} ms`,
        floor: '—',
        figure: percentile(latencies, 0.99),
        target: atMost(250, 'ms'),
      },
      {
        task: 'memory of an open stream',
        service: `${inside.toFixed(1)} KB of it in the heap and in buffers`,
        floor: '—',
        // Freed memory may be used again: then the process does not grow.
        figure: Math.max(stream, inside),
        target: atMost(20, 'KB'),
      },
    ];
  } finally {
    listener.stop();
  }
}

/** Before memory is looked at everything has run, and all keys are known. */
async function warmUp({ service }: Site, path: string, keys: readonly string[]): Promise<void> {
  const listener = await startListener();
  await listener.ask({ url: service.url, authorizations: keys.slice(0, 20) });
  for (const authorization of keys) {
    await (await fetch(`${service.url}/v1/me`, { headers: { authorization } })).text();
  }
  const [authorization = ''] = keys;
  for (let round = 0; round < 100; round += 1) {
    await post(service.url, path, { authorization, body: 'warm' });
  }
  await sleep(SETTLE);
  listener.stop();
  await sleep(SETTLE);
}

/** Keys of the readers, who are three: a person has at most 500 streams. */
async function makeKeys(site: Site, count: number): Promise<readonly string[]> {
  const people = ['cara.losch', 'celia.rouche', 'melvin.marxen'].map(
    (one) => `${one}@demo.example`,
  );
  const text = `update ws_demo._users set roles = '{admin}' where email = any($1)`;
  await site.db.query({ text, values: [people] });
  const makeOwn = async (email: string) => {
    const { authorizations } = await site.visit('demo', email);
    const own: string[] = [];
    // One at a time: the pool has few connections.
    while (own.length < count / people.length) own.push(...(await authorizations(1)));
    return own;
  };
  const keys = await Promise.all(people.map(makeOwn));
  return keys.flat().slice(0, count);
}

async function commentPath({ db }: Site): Promise<string> {
  const text = 'select id from ws_demo.deals order by id limit 1';
  const [row] = await db.query({ text, values: [] });
  return `/v1/objects/deals/records/${row?.id}/comments`;
}

const agent = new http.Agent({ keepAlive: true });

function post(
  url: string,
  path: string,
  { authorization, body }: { readonly authorization: string; readonly body: string },
): Promise<void> {
  const headers = { authorization, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const sent = http.request(`${url}${path}`, { method: 'POST', agent, headers }, (response) => {
      response.resume().on('end', resolve);
      if (response.statusCode !== 201) reject(new Error(`a comment: ${response.statusCode}`));
    });
    sent.on('error', reject);
    sent.end(JSON.stringify({ body }));
  });
}

/** The milliseconds of each comment on each stream. */
async function measureLatencies(
  { service }: Site,
  listener: Child,
  { path, writer }: { readonly path: string; readonly writer: string },
): Promise<readonly number[]> {
  const sent = new Map<number, number>();
  for (let number = 1; number <= COMMENTS; number += 1) {
    await sleep(Math.random() * PAUSE);
    sent.set(number, performance.timeOrigin + performance.now());
    await post(service.url, path, { authorization: writer, body: String(number) });
  }
  await sleep(SETTLE);
  const arrivals = (await listener.ask('report')) as readonly [number, readonly number[]][];
  const latencies = arrivals.flatMap(([number, times]) => {
    const start = sent.get(number);
    return start === undefined ? [] : times.map((time) => time - start);
  });
  if (latencies.length < COMMENTS * STREAMS) {
    throw new Error(`only ${latencies.length} of ${COMMENTS * STREAMS} comments arrived`);
  }
  return latencies;
}
