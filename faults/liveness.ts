// V9: after a fault reads succeed and are as fast as before, the process is as small, and none of its sessions stays
// in a transaction. The noise of a machine must not count as the service's: the best of several windows counts, and
// where none is good a fresh process is measured next to it.

import { setTimeout as sleep } from 'node:timers/promises';
import { ms, percentile } from './figures.ts';
import type { Memory } from './probe.ts';
import { freePort, startProgram } from './program.ts';
import type { Site } from './site.ts';

export interface Liveness {
  /** Of reads that are answered with 200. */
  readonly share: number;
  /** Milliseconds. */
  readonly p99: number;
}

export interface CheckResult {
  readonly complaints: readonly string[];
  readonly notes: readonly string[];
}

const PROBES = 300;
const PROBERS = 4;

/** Reads, a few at a time. */
export async function probe(site: Site, url = site.url): Promise<Liveness> {
  const times: number[] = [];
  let good = 0;
  const ask = async () => {
    for (let number = 0; number < PROBES / PROBERS; number += 1) {
      const begun = performance.now();
      if (await site.isWell(url)) good += 1;
      times.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: PROBERS }, ask));
  return { share: good / times.length, p99: percentile(times, 0.99) };
}

const SETTLED_WITHIN = 30_000;
const PAUSE = 500;
/** Milliseconds that have no meaning on a machine with other work. */
const NOISE = 20;

/** `strict`: also whether reads are as fast as before. */
export async function checkReads(
  site: Site,
  before: Liveness,
  strict: boolean,
): Promise<CheckResult> {
  const limit = Math.max(2 * before.p99, NOISE);
  const isGood = ({ share, p99 }: Liveness) => share >= 0.99 && (!strict || p99 <= limit);
  const after = await bestOf(site, site.url, isGood);
  const notes = [`p99 of reads before and after: ${ms(before.p99)}, ${ms(after.p99)}`];
  const found = `${(after.share * 100).toFixed(1)} %`;
  if (after.share < 0.99) {
    return { complaints: [`V9 only ${found} of reads succeed afterwards`], notes };
  }
  if (isGood(after)) return { complaints: [], notes };
  const fresh = await probeFresh(site, ({ p99 }) => 2 * p99 <= after.p99);
  notes.push(`p99 of reads from a fresh process then: ${ms(fresh.p99)}`);
  const slower = after.p99 > Math.max(2 * fresh.p99, NOISE);
  const complaints = [`V9 p99 of reads ${ms(before.p99)} before, ${ms(after.p99)} afterwards`];
  return { complaints: slower ? complaints : [], notes };
}

/** The first good window, or the best of those that there is time for. */
async function bestOf(
  site: Site,
  url: string,
  isGood: (window: Liveness) => boolean,
): Promise<Liveness> {
  const giveUp = Date.now() + SETTLED_WITHIN;
  let best = await probe(site, url);
  while (!isGood(best) && Date.now() < giveUp) {
    await sleep(PAUSE);
    const next = await probe(site, url);
    if (next.share > best.share || (next.share === best.share && next.p99 < best.p99)) best = next;
  }
  return best;
}

async function probeFresh(site: Site, isGood: (window: Liveness) => boolean): Promise<Liveness> {
  const program = startProgram({ ...site.place, port: await freePort() });
  site.programs.push(program);
  await program.ready(() => site.isWell(program.url));
  try {
    return await bestOf(site, program.url, isGood);
  } finally {
    await program.stop();
  }
}

const MEGABYTE = 2 ** 20;
/** Without any fault a process still grew by 20 to 50 MB in its first minute under load. */
const BREATH = 100 * MEGABYTE;

/** Resident memory of the service in bytes; after a garbage collection where the service has a probe. */
export async function memoryOf({ place, program }: Site): Promise<number> {
  if (!place.probed) return program.memory();
  return (await program.ask<Memory>({ ask: 'memory' })).resident;
}

/** Of a process that lived through it. */
export async function checkMemory(site: Site, before: number): Promise<CheckResult> {
  const after = await memoryOf(site);
  const text = `${(before / MEGABYTE).toFixed(0)} MB before, ${(after / MEGABYTE).toFixed(0)} MB after`;
  const grown = after > before * 1.1 && after > before + BREATH;
  return { notes: [`resident ${text}`], complaints: grown ? [`V9 resident memory ${text}`] : [] };
}

export interface SessionWatch {
  /** Milliseconds that a session of the service was idle in a transaction for, and how many there were. */
  stop(): Promise<{ readonly idle: number; readonly sessions: number }>;
}

const LOOK_EVERY = 2000;

/** From outside, while it lasts; failed queries are left out. */
export function watchSessions(site: Site): SessionWatch {
  const over = new AbortController();
  let idle = 0;
  let sessions = 0;
  const watching = (async () => {
    while (!over.signal.aborted) {
      const [row] = await site.rows(SESSIONS).catch(() => []);
      idle = Math.max(idle, Number(row?.idle ?? 0));
      sessions = Math.max(sessions, Number(row?.sessions ?? 0));
      await sleep(LOOK_EVERY, undefined, { signal: over.signal }).catch(() => undefined);
    }
  })();
  return {
    async stop() {
      over.abort();
      await watching;
      return { idle, sessions };
    },
  };
}

const SESSIONS = `select count(*)::integer as sessions, 1000 * extract(epoch from
    max(clock_timestamp() - state_change) filter (where state like 'idle in transaction%'))::float as idle
  from pg_stat_activity where datname = current_database()
    and application_name = 'workspace-records' and pid <> pg_backend_pid()`;
