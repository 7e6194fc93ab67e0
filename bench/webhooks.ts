// `npm run bench:webhooks`: the time from a write to its arrival, the rate at which a backlog drains, the effect of a
// receiver that hangs on others, and of webhooks on creates; memory with a million due deliveries.
//   --seconds N      length of one measurement (10)
//   --rounds N       measurements of creates with and without webhooks (5)
//   --backlog N      records of the backlog (20000)
//   --connections N  concurrent creates (16)
//   --due N          deliveries that are due at once (1000000)

import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Cluster, openCluster } from '../faults/cluster.ts';
import { percentile } from '../faults/figures.ts';
import { openSite, type Site } from '../faults/site.ts';
import { makeWebhook } from '../faults/webhook-site.ts';
import { compareRates } from './measure.ts';
import { type NotingReceiver, openReceiver } from './noting-receivers.ts';
import { atLeast, atMost, isReached, printResult, type Result } from './report.ts';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '5' },
    backlog: { type: 'string', default: '20000' },
    connections: { type: 'string', default: '16' },
    due: { type: 'string', default: '1000000' },
  },
});
const seconds = Number(options.seconds);
const rounds = Number(options.rounds);
const backlog = Number(options.backlog);
const connections = Number(options.connections);
const due = Number(options.due);

const COMPANIES = '/v1/objects/companies/records';
const CREATES = { events: ['record.created'], object_types: ['companies'] };
const BATCH = 100;

interface Made {
  readonly receiver: NotingReceiver;
  readonly id: string;
}

function send(site: Site, method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  return site.wire.send(site.url, site.keys[0]?.secret ?? '', { method, path, body: text });
}

async function makeWebhooks(site: Site, count: number): Promise<readonly Made[]> {
  const made: Made[] = [];
  for (let index = 0; index < count; index += 1) {
    const receiver = await openReceiver();
    made.push({ receiver, id: await makeWebhook(site, receiver, CREATES) });
  }
  return made;
}

async function removeWebhooks(site: Site, made: readonly Made[]): Promise<void> {
  for (const { receiver, id } of made) {
    await send(site, 'DELETE', `/v1/webhooks/${id}`);
    await receiver.close();
  }
}

async function until(isSo: () => boolean): Promise<void> {
  const giveUp = performance.now() + 120_000;
  while (!isSo()) {
    if (performance.now() > giveUp) throw new Error('webhooks send nothing');
    await sleep(10);
  }
}

/** So many creates a second, whatever their answers. */
async function createSteadily(site: Site, rate: number): Promise<number> {
  const begun = performance.now();
  let count = 0;
  const open: Promise<unknown>[] = [];
  while (performance.now() - begun < seconds * 1000) {
    const due = ((performance.now() - begun) / 1000) * rate;
    for (; count < due; count += 1) {
      open.push(send(site, 'POST', COMPANIES, { fields: { name: `Company ${count}` } }));
    }
    await sleep(5);
  }
  await Promise.all(open);
  return count;
}

async function measureLatency(site: Site): Promise<Result> {
  const [made] = (await makeWebhooks(site, 1)) as [Made];
  const count = await createSteadily(site, 200);
  await until(() => made.receiver.delays.length >= count);
  const { delays } = made.receiver;
  await removeWebhooks(site, [made]);
  return {
    ...{ task: 'from a write to its arrival, p95 at 200/s', service: `${count} events` },
    ...{ floor: `p50 ${Math.round(percentile(delays, 0.5))} ms` },
    ...{ figure: percentile(delays, 0.95), target: atMost(250, 'ms') },
  };
}

async function measureDrain(site: Site): Promise<Result> {
  const [made] = (await makeWebhooks(site, 1)) as [Made];
  await send(site, 'PATCH', `/v1/webhooks/${made.id}`, { active: false });
  for (let index = 0; index < backlog; index += BATCH) {
    const operations = Array.from({ length: BATCH }, (_, at) => ({
      ...{ action: 'create', fields: { name: `Company ${index + at}` } },
    }));
    await send(site, 'POST', `${COMPANIES}/batch`, { operations });
  }
  const begun = performance.now();
  await send(site, 'PATCH', `/v1/webhooks/${made.id}`, { active: true });
  await until(() => made.receiver.delays.length >= backlog);
  const rate = backlog / ((performance.now() - begun) / 1000);
  await removeWebhooks(site, [made]);
  return {
    ...{ task: `a backlog of ${backlog} drains`, service: 'one webhook', floor: '–' },
    ...{ figure: rate, target: atLeast(500, 'records/s') },
  };
}

/** p95 of the receivers but the first one. */
async function othersAt(site: Site, hangs: boolean): Promise<number> {
  const made = await makeWebhooks(site, 50);
  const [first, ...others] = made as [Made, ...Made[]];
  if (hangs) first.receiver.hang();
  const count = await createSteadily(site, 5);
  await until(() => others.every(({ receiver }) => receiver.delays.length >= count));
  const delays = others.flatMap(({ receiver }) => receiver.delays);
  await removeWebhooks(site, made);
  return percentile(delays, 0.95);
}

async function measureHanging(site: Site): Promise<Result> {
  const without = await othersAt(site, false);
  const withOne = await othersAt(site, true);
  return {
    ...{ task: 'p95 of 49 receivers while one hangs', service: `${Math.round(withOne)} ms` },
    ...{ floor: `${Math.round(without)} ms without`, figure: withOne / without },
    target: atMost(1.5),
  };
}

/** Creates while three webhooks send them, and while the same are paused. */
async function measureCreates(site: Site): Promise<Result> {
  const made = await makeWebhooks(site, 3);
  const setActive = (active: boolean) => async () => {
    const change = active ? { active, resume: 'now' } : { active };
    for (const { id } of made) await send(site, 'PATCH', `/v1/webhooks/${id}`, change);
    await sleep(500);
  };
  const headers = {
    authorization: `Bearer ${site.keys[0]?.secret}`,
    'content-type': 'application/json',
  };
  const body = JSON.stringify({ fields: { name: 'Company' } });
  const side = {
    url: site.url,
    requests: [{ path: COMPANIES, method: 'POST', headers, body }],
  } as const;
  const ratios: number[] = [];
  const load = { seconds, rounds: 0, connections };
  const rates: number[][] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, active] of [false, true].entries()) {
      await setActive(active)();
      const { first } = await compareRates(side, side, { ...load, rounds: 1 });
      rates[index]?.push(first);
    }
    ratios.push((rates[1]?.at(-1) ?? 0) / (rates[0]?.at(-1) ?? 1));
  }
  await removeWebhooks(site, made);
  const medianOf = (all: readonly number[] = []) => percentile(all, 0.5);
  return {
    ...{ task: `creates with three webhooks, ${connections} clients` },
    ...{
      service: `${Math.round(medianOf(rates[1]))}/s`,
      floor: `${Math.round(medianOf(rates[0]))}/s`,
    },
    ...{ figure: medianOf(ratios), target: atLeast(0.95) },
  };
}

const PORTION = 100_000;

/** The growth of the process while it sends some of many deliveries that are due, as after a replay. */
async function measureMemory(site: Site): Promise<Result> {
  const [made] = (await makeWebhooks(site, 1)) as [Made];
  await createSteadily(site, 200);
  const before = site.program.memory();
  for (let count = 0; count < due; count += PORTION) {
    await site.rows(
      `insert into s._webhook_deliveries (id, webhook_id, event_id, type, transaction, audit_id, object_type,
        record_id, state, next_attempt_at)
      select gen_random_uuid(), $1, 'due ' || n, 'record.created', a.transaction, a.id, a.object_type,
        gen_random_uuid(), 'pending', now()
      from generate_series($2::integer, $3::integer) n
      cross join (select * from s._audit where action = 'create' and object_type = 'companies' limit 1) a`,
      [made.id, count + 1, Math.min(due, count + PORTION)],
    );
  }
  await site.rows('update workspace_records.webhook_runners set wanted_at = clock_timestamp()');
  const sent = made.receiver.delays.length;
  let most = before;
  for (let second = 0; second < seconds * 2; second += 1) {
    await sleep(1000);
    most = Math.max(most, site.program.memory());
  }
  const rate = Math.round((made.receiver.delays.length - sent) / (seconds * 2));
  await removeWebhooks(site, [made]);
  return {
    ...{ task: `memory while ${due} deliveries are due`, service: `${rate} sent a second` },
    ...{ floor: `${Math.round(before / 1e6)} MB before`, figure: (most - before) / 1e6 },
    target: atMost(50, 'MB'),
  };
}

const MEASURES = [measureLatency, measureDrain, measureHanging, measureCreates, measureMemory];

async function run(cluster: Cluster): Promise<void> {
  const site = await openSite(cluster);
  site.place.settings = { WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8' };
  try {
    await site.startService();
    const results: Result[] = [];
    for (const measure of MEASURES) {
      const result = await measure(site);
      printResult(result);
      results.push(result);
    }
    process.exitCode = results.every(isReached) ? 0 : 1;
  } finally {
    await site.close();
  }
}

const cluster = await openCluster();
try {
  await run(cluster);
} finally {
  await cluster.close();
}
