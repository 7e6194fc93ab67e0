// The effects of questions on other requests, and the rate of a change by question: neighbours of the most expensive
// tree that is accepted, and a bulk change as a job.

import { setTimeout as sleep } from 'node:timers/promises';
import { median } from './measure.ts';
import { atLeast, atMost, type Result } from './report.ts';
import type { Visitor } from './site.ts';

const DEALS = '/v1/objects/deals/records';
/** Gets of neighbours in one measurement, one each so many milliseconds. */
const GETS = 400;
const EVERY = 10;
const ROUNDS = 7;
const SETTLE = 1000;

interface Place {
  readonly url: string;
  readonly visitor: Visitor;
}

type Json = Readonly<Record<string, unknown>>;

/**
 * The most expensive tree that was found: texts that no record has. 32 guesses at how few they are add up to so many
 * that PostgreSQL walks the records in the order of the answer instead of asking its text indexes. Trees that it can
 * see through, or that match much, take less than a quarter of it.
 */
const DEAREST: Json = {
  where: {
    any: Array.from({ length: 32 }, (_, index) => ({
      field: index % 2 === 0 ? 'name' : 'code',
      op: 'ends_with',
      value: `zz${index}`,
    })),
  },
};

/**
 * How many times as long the slowest twentieth of gets takes while another client sends the most expensive tree all
 * the time.
 */
export async function measureNeighbours(place: Place): Promise<Result> {
  const { data } = (await send(place, 'GET', `${DEALS}?limit=100`)) as {
    data: readonly { id: string }[];
  };
  const paths = data.map(({ id }) => `${DEALS}/${id}`);
  const alone: number[] = [];
  const beside: number[] = [];
  let longest = 0;
  await tailOf(place, paths);
  for (let round = 0; round < ROUNDS; round += 1) {
    alone.push(await tailOf(place, paths));
    const state = { isOver: false };
    const asking = (async () => {
      while (!state.isOver) {
        const started = performance.now();
        await send(place, 'POST', `${DEALS}/query`, DEAREST, [503]);
        longest = Math.max(longest, performance.now() - started);
      }
    })();
    beside.push(await tailOf(place, paths));
    state.isOver = true;
    await asking;
    await sleep(SETTLE);
  }
  return {
    task: 'p95 of gets beside the dearest tree, to without',
    service: `${median(beside).toFixed(1)} ms; the tree took at most ${(longest / 1000).toFixed(2)} s`,
    floor: `without ${median(alone).toFixed(1)} ms`,
    figure: median(beside.map((tail, round) => tail / (alone[round] as number))),
    target: atMost(1.3),
  };
}

/** Milliseconds that 95 of 100 gets are within, sent one after the other in time and not waiting for each other. */
async function tailOf(place: Place, paths: readonly string[]): Promise<number> {
  const taken = await Promise.all(
    Array.from({ length: GETS }, async (_, index) => {
      await sleep(index * EVERY);
      const started = performance.now();
      await send(place, 'GET', paths[index % paths.length] as string);
      return performance.now() - started;
    }),
  );
  return taken.sort((one, other) => one - other)[Math.floor(0.95 * taken.length)] as number;
}

/** Deals that a bulk change changes. */
const CHANGED = 100_000;
const MOST_AMOUNT = 1_000_000;

/** Records that a bulk change by question changes in a second, the job's beginning and end included. */
export async function measureBulk(place: Place, records: number): Promise<Result> {
  const amount = Math.round(MOST_AMOUNT * Math.min(1, CHANGED / records));
  const where = { field: 'amount', op: 'lt', value: amount };
  const change = { where, action: 'update', fields: { name: `Changed ${Date.now()}` } };
  const path = `${DEALS}/bulk`;
  const { data: rehearsed } = await send(place, 'POST', path, { ...change, dry_run: true });
  const { count } = rehearsed as { readonly count: number };
  const started = performance.now();
  const { data: job } = await send(place, 'POST', path, { ...change, expected_count: count });
  const finished = await endOf(place, (job as { readonly id: string }).id);
  const seconds = (performance.now() - started) / 1000;
  if (finished.state !== 'done' || finished.counts.changed !== count) {
    throw new Error(`the job changed not all: ${JSON.stringify(finished)}`);
  }
  return {
    task: 'bulk change by question, an audit row for each',
    service: `${count.toLocaleString('en')} records in ${seconds.toFixed(1)} s`,
    floor: '—',
    figure: count / seconds,
    target: atLeast(3000, 'records/s'),
  };
}

interface EndedJob {
  readonly state: string;
  readonly finished_at: string | null;
  readonly counts: { readonly changed: number };
}

async function endOf(place: Place, id: string): Promise<EndedJob> {
  for (;;) {
    const { data } = await send(place, 'GET', `/v1/jobs/${id}`);
    const job = data as EndedJob;
    if (job.finished_at !== null) return job;
    await sleep(200);
  }
}

/** The body of the answer. Errors: another status than success, unless it is borne. */
async function send(
  { url, visitor }: Place,
  method: string,
  path: string,
  ...[body, borne = []]: readonly [body?: Json, borne?: readonly number[]]
): Promise<{ readonly data?: unknown }> {
  const answer = await fetch(url + path, {
    method,
    headers: { ...visitor.headers, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok && !borne.includes(answer.status)) throw new Error(`${method} ${path}: ${text}`);
  return JSON.parse(text);
}
