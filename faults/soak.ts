// `npm run soak`: a steady load for a long time, three times what the service can do, and ten thousand
// idle connections. Writes what it measured into docs/reliability.md.
//   --seconds N   length of the steady load (600)
//   --rate N      its requests per second (200)
//   --only NAMES  comma-separated: steady, overload, idle
//   --seed N      order of the requests (1)
//   --short       five seconds at 20/s: only a failed request counts, and nothing is written

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openCluster } from './cluster.ts';
import { mostOf, ms, percentile } from './figures.ts';
import { startIdleProcess } from './idle-process.ts';
import { runOpenLoad, type Sample } from './open-load.ts';
import type { Delay, Memory } from './probe.ts';
import { type Figure, printFigure, writeFigures } from './report.ts';
import { openSite, type Site } from './site.ts';
import { openTraffic, type Traffic } from './soak-traffic.ts';
import { openConnections } from './steady-connections.ts';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    rate: { type: 'string', default: '200' },
    only: { type: 'string', default: 'steady,overload,idle' },
    seed: { type: 'string', default: '1' },
    short: { type: 'boolean', default: false },
  },
});
const { short } = options;
const seconds = short ? 5 : Number(options.seconds);
const rate = short ? 20 : Number(options.rate);
const MEGABYTE = 2 ** 20;
const FAILURES = 'steady: failures';

/** Good: every answer that is not a refusal or an error. */
const isGood = ({ status }: Sample) => status !== undefined && status < 400;

async function measureSteady(traffic: Traffic, site: Site): Promise<readonly Figure[]> {
  const memories: Memory[] = [];
  await site.program.ask<Delay>({ ask: 'delay' });
  const over = new AbortController();
  const watching = (async () => {
    while (!over.signal.aborted) {
      memories.push(await site.program.ask<Memory>({ ask: 'memory' }));
      const until = Date.now() + Math.min(60_000, (seconds * 1000) / 6);
      while (!over.signal.aborted && Date.now() < until) await sleep(200);
    }
  })();
  const own = monitorEventLoopDelay();
  own.enable();
  const samples = await runOpenLoad({ ...traffic, perSecond: rate, seconds });
  over.abort();
  await watching;
  const { most } = await site.program.ask<Delay>({ ask: 'delay' });
  const late = `event loops late by at most ${ms(most)} (service) and ${ms(own.max / 1e6)} (clients)`;
  memories.push(await site.program.ask<Memory>({ ask: 'memory' }));
  const notes = `${samples.length} requests at ${rate}/s, 70 % reads; ${late}; ${stallsIn(samples)}`;
  return [...steadyFigures(samples, notes), ...memoryFigures(memories)];
}

/** The times of slow samples: a machine that stalls makes a few bad stretches, a bad service many. */
function stallsIn(samples: readonly Sample[]): string {
  const slow = samples.filter(({ latency }) => latency > SLOW).map(({ planned }) => planned / 1000);
  const stretches = [...new Set(slow.map((second) => Math.floor(second / STRETCH) * STRETCH))];
  const shown = stretches.sort((a, b) => a - b).slice(0, 20);
  const found = `${slow.length} slower than ${SLOW} ms`;
  return slow.length === 0
    ? found
    : `${found}, planned in the ${STRETCH} s from ${shown.join(', ')} s`;
}

const SLOW = 500;
const STRETCH = 5;

/** `27 × 200, 3 × no answer` */
function statusesOf(samples: readonly Sample[]): string {
  const counts = new Map<string, number>();
  for (const { status } of samples) {
    const name = String(status ?? 'no answer');
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => `${count} × ${name}`).join(', ');
}

function steadyFigures(samples: readonly Sample[], notes: string): readonly Figure[] {
  const failed = samples.filter(({ status }) => status === undefined || status >= 500);
  const kinds = [
    ['reads', 'read', 40],
    ['writes', 'write', 80],
  ] as const;
  return [
    {
      name: FAILURES,
      figure: `${failed.length} of ${samples.length}`,
      target: '0',
      reached: failed.length === 0,
      notes: `${statusesOf(samples)}; ${notes}`,
    },
    ...kinds.map(([name, kind, most]): Figure => {
      const times = samples.filter((one) => one.kind === kind).map(({ latency }) => latency);
      const p99 = percentile(times, 0.99);
      return {
        name: `steady: p99 of ${name}`,
        figure: ms(p99),
        target: `≤ ${most} ms`,
        reached: p99 <= most,
        notes: `p50 ${ms(percentile(times, 0.5))}, most ${ms(mostOf(times))}`,
      };
    }),
  ];
}

/** The first third is warming up: pools, prepared statements, compiled code. */
function memoryFigures(memories: readonly Memory[]): readonly Figure[] {
  const heaps = memories.map(({ heap }) => heap / MEGABYTE);
  const early = heaps[Math.floor(heaps.length / 3)] as number;
  const late = heaps.at(-1) as number;
  const resident = mostOf(memories.map((memory) => memory.resident)) / MEGABYTE;
  return [
    {
      name: 'steady: heap after collection',
      figure: `${early.toFixed(1)} → ${late.toFixed(1)} MB`,
      target: 'flat (± 10 %)',
      reached: late <= early * 1.1,
      notes: `every sample: ${heaps.map((heap) => heap.toFixed(0)).join(', ')} MB`,
    },
    {
      name: 'steady: resident memory',
      figure: `${resident.toFixed(0)} MB`,
      target: '≤ 300 MB',
      reached: resident <= 300,
      notes: 'with the probe that measures it loaded',
    },
  ];
}

const CLOSED_CLIENTS = 32;
const CAPACITY_SECONDS = 10;
const OVERLOAD_SECONDS = 15;
const REFUSED_WITHIN = 1100;

async function measureOverload(traffic: Traffic): Promise<readonly Figure[]> {
  const capacity = await capacityOf(traffic);
  await sleep(1000);
  const perSecond = capacity * 3;
  const samples = await runOpenLoad({ ...shifted(traffic), perSecond, seconds: OVERLOAD_SECONDS });
  const good = samples.filter(isGood);
  const ended = mostOf(samples.map(({ planned, latency }) => planned + latency)) / 1000;
  const share = good.length / ended / capacity;
  const refusals = samples.filter((sample) => sample.status === 503);
  const late = percentile(
    refusals.map(({ latency }) => latency),
    0.99,
  );
  return [
    {
      name: 'overload: good answers',
      figure: `${(share * 100).toFixed(0)} % of capacity`,
      target: '≥ 80 %',
      reached: share >= 0.8,
      notes:
        `capacity ${capacity.toFixed(0)}/s with ${CLOSED_CLIENTS} clients; then ` +
        `${perSecond.toFixed(0)}/s for ${OVERLOAD_SECONDS} s, sent from the same machine; ` +
        statusesOf(samples),
    },
    {
      name: 'overload: p99 of refusals',
      figure: refusals.length === 0 ? 'none refused' : ms(late),
      target: `≤ ${REFUSED_WITHIN} ms`,
      reached: refusals.length > 0 && late <= REFUSED_WITHIN,
      notes: `${refusals.length} of ${samples.length} refused`,
    },
  ];
}

/** Good answers per second when each client sends its next request after the answer. */
async function capacityOf(traffic: Traffic): Promise<number> {
  let number = FIRST_OF_CAPACITY;
  let good = 0;
  const until = performance.now() + CAPACITY_SECONDS * 1000;
  const worker = async () => {
    while (performance.now() < until) {
      number += 1;
      const { status = 0 } = await traffic.send(number);
      if (status >= 200 && status < 400) good += 1;
    }
  };
  await Promise.all(Array.from({ length: CLOSED_CLIENTS }, worker));
  return good / CAPACITY_SECONDS;
}

/** Keys are made of numbers: no two measurements may use the same ones. */
const FIRST_OF_CAPACITY = 10_000_000;
const FIRST_OF_OVERLOAD = 20_000_000;

function shifted({ send }: Traffic): Traffic {
  return { send: (number) => send(FIRST_OF_OVERLOAD + number) };
}

const IDLE_CONNECTIONS = 10_000;
const KILOBYTE = 1024;

async function measureIdle(site: Site): Promise<readonly Figure[]> {
  const before = await site.program.ask<Memory>({ ask: 'memory' });
  const clients = startIdleProcess();
  try {
    const port = Number(new URL(site.url).port);
    const { secret = '' } = site.keys[0] ?? {};
    const task = { port, connections: IDLE_CONNECTIONS, kind: 'idle', secret } as const;
    const { open } = await clients.connect(task);
    const after = await site.program.ask<Memory>({ ask: 'memory' });
    const each = (after.resident - before.resident) / open / KILOBYTE;
    const heap = (after.heap - before.heap) / open / KILOBYTE;
    return [
      {
        name: 'idle connections: memory each',
        figure: `${each.toFixed(1)} KB`,
        target: '≤ 12 KB',
        reached: each <= 12 && open === IDLE_CONNECTIONS,
        notes: `${open} open after one request each; ${heap.toFixed(1)} KB of it on the heap`,
      },
    ];
  } finally {
    await clients.stop();
  }
}

async function withTraffic(
  site: Site,
  count: number,
  measure: (traffic: Traffic, site: Site) => Promise<readonly Figure[]>,
): Promise<readonly Figure[]> {
  const connections = await openConnections(site, count);
  try {
    return await measure(await openTraffic(site, Number(options.seed), connections.send), site);
  } finally {
    connections.close();
  }
}

const cluster = await openCluster();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void cluster.close().finally(() => process.exit(1)));
}
const figures: Figure[] = [];
const tell = (found: readonly Figure[]) => {
  for (const figure of found) printFigure(figure);
  figures.push(...found);
};
try {
  const site = await openSite(cluster);
  try {
    site.place.probed = true;
    await site.startService();
    const wanted = short ? ['steady'] : options.only.split(',');
    if (wanted.includes('idle')) tell(await measureIdle(site));
    if (wanted.includes('steady')) tell(await withTraffic(site, 64, measureSteady));
    if (wanted.includes('overload')) tell(await withTraffic(site, 2000, measureOverload));
    for (const problem of site.recorder.problems) console.log(`  !!    ${problem}`);
    for (const line of site.program.fatal()) console.log(`  !!    ${line}`);
  } finally {
    await site.close();
  }
} finally {
  await cluster.close();
}
if (!short) writeFigures(figures);
const judged = short ? figures.filter(({ name }) => name === FAILURES) : figures;
if (judged.length === 0 || judged.some(({ reached }) => !reached)) process.exitCode = 1;
