// The common part of all faults: clients and readers before, during and after it, the time until all is well again,
// and the invariants at the end. It ends in bounded time, whatever the outcome.

import { setTimeout as sleep } from 'node:timers/promises';
import { randomOf } from '../bench/records-definition.ts';
import type { Cluster } from './cluster.ts';
import { ms } from './figures.ts';
import { findViolations } from './invariants.ts';
import {
  checkMemory,
  checkReads,
  memoryOf,
  probe,
  type SessionWatch,
  watchSessions,
} from './liveness.ts';
import { type Readers, startReaders } from './readers.ts';
import { openSite, type Site } from './site.ts';
import { checkStorage } from './storage.ts';
import { startWorkload, type Workload } from './workload.ts';

// soak.ts takes them from here.

export interface Scene {
  readonly site: Site;
  readonly work: Workload;
  readonly readers: Readers;
  readonly random: () => number;
  /** True: a few seconds are enough. */
  readonly short: boolean;
  /** Requests per second, where a fault sends them at a constant rate and lets it be chosen. */
  readonly rate: number | undefined;
  /** Milliseconds from each healing to the first answer with 200. */
  readonly recoveries: number[];
  readonly notes: string[];
  /** Violations that only the fault itself can detect. */
  readonly complaints: string[];
  /** Wait until a read is answered, and note the time since `healed` (`performance.now()`). */
  recovered(healed: number): Promise<void>;
}

export interface Fault {
  readonly name: string;
  readonly title: string;
  /** The number of times it is inflicted, in the long form and in the short one. */
  readonly cycles: number;
  readonly short?: number;
  /** True where transactions are delayed on purpose, or the clock that measures it is moved. */
  readonly holds?: boolean;
  /** Why it cannot be tried here. */
  skipped?(): string | undefined;
  /** A PostgreSQL of its own; otherwise all faults are tried on the same one. */
  openCluster?(): Promise<Cluster>;
  /** Called before the service starts: places it behind something. */
  prepare?(site: Site): Promise<void>;
  inflict(scene: Scene, cycles: number): Promise<void>;
  /** After the cluster is gone: what `openCluster` has opened. */
  tidy?(): Promise<void>;
}

export interface Report {
  readonly name: string;
  readonly title: string;
  readonly skipped?: string | undefined;
  readonly cycles: number;
  /** The number of times in the long form. */
  readonly planned: number;
  readonly acked: number;
  readonly refused: number;
  /** Writes with an attempt without an answer. */
  readonly unknown: number;
  /** Of those, how many had been made all the same. */
  readonly replayed: number;
  readonly violations: readonly string[];
  readonly recoveries: readonly number[];
  readonly seconds: number;
  readonly notes: readonly string[];
}

interface Run {
  readonly cluster: Cluster;
  readonly cycles: number;
  readonly seed: number;
  readonly short: boolean;
  readonly rate: number | undefined;
}

const RECOVER_WITHIN = 60_000;
/** Milliseconds that all cycles may take together, and what each adds. */
const RUN_WITHIN = 300_000;
const CYCLE_WITHIN = 30_000;

export async function runFault(fault: Fault, run: Run): Promise<Report> {
  const begun = performance.now();
  const site = await openSite(run.cluster);
  try {
    await fault.prepare?.(site);
    await site.startService();
    const { scene, violations } = await tryFault(fault, site, run);
    const { recoveries, notes, work } = scene;
    await Promise.all(site.programs.map((program) => program.stop()));
    const storage = await checkStorage(site);
    const entries = work.ledger.entries;
    const count = (outcome: string) => entries.filter((entry) => entry.outcome === outcome).length;
    return {
      name: fault.name,
      title: fault.title,
      cycles: run.cycles,
      planned: fault.cycles,
      acked: count('acked'),
      refused: count('refused'),
      unknown: entries.filter(({ unknowns }) => unknowns > 0).length,
      replayed: entries.filter(({ replayed }) => replayed).length,
      violations: [...violations, ...storage.violations],
      recoveries,
      seconds: (performance.now() - begun) / 1000,
      notes: [...notes, ...storage.notes],
    };
  } finally {
    await site.close();
  }
}

/** Everything while the service lives. */
async function tryFault(fault: Fault, site: Site, run: Run) {
  const before = await probe(site);
  const scene = await openScene(site, run);
  const { work, readers, complaints, notes } = scene;
  const watch = watchSessions(site);
  try {
    await sleep(run.short ? 0 : WARM_UP);
    const { program } = site;
    const memory = await memoryOf(site);
    await within(RUN_WITHIN + run.cycles * CYCLE_WITHIN, fault.inflict(scene, run.cycles));
    await sleep(300);
    await Promise.all([work.stop(), readers.stop()]);
    const checks = [await checkReads(site, before, !run.short)];
    if (program.ended() === undefined && !run.short) checks.push(await checkMemory(site, memory));
    complaints.push(...checks.flatMap((check) => check.complaints));
    notes.push(...checks.flatMap((check) => check.notes));
    await noteSessions(scene, fault, watch);
  } finally {
    // Clients that are not stopped would run for ever, and the process with them.
    work.abandon();
    readers.abandon();
    await watch.stop();
  }
  notes.push(`${readers.pages()} pages read`, ...statusNote(site), ...failureNotes(site));
  return { scene, violations: [...complaints, ...(await findViolations(site, work.ledger))] };
}

/** Pools, prepared statements and compiled code are not growth. */
const WARM_UP = 3000;

async function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  const over = new AbortController();
  const late = sleep(milliseconds, undefined, { signal: over.signal }).then(() => {
    throw new Error(`V9 it was not over after ${milliseconds / 1000} s`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    over.abort();
    late.catch(() => undefined);
  }
}

const IDLE_FOR = 5000;

async function noteSessions(
  { complaints, notes }: Scene,
  { holds = false }: Fault,
  watch: SessionWatch,
): Promise<void> {
  const { idle, sessions } = await watch.stop();
  notes.push(`at most ${sessions} sessions, idle in a transaction for ${ms(idle)} at most`);
  if (idle > IDLE_FOR && !holds) complaints.push(`V9 idle in a transaction for ${ms(idle)}`);
}

async function openScene(site: Site, { seed, short, rate }: Run): Promise<Scene> {
  const work = await startWorkload(site, seed);
  const recoveries: number[] = [];
  return {
    site,
    work,
    readers: startReaders(site, work),
    random: randomOf(99, seed),
    short,
    rate,
    recoveries,
    notes: [],
    complaints: [],
    async recovered(healed) {
      const giveUp = performance.now() + RECOVER_WITHIN;
      while (!(await site.isWell())) {
        if (performance.now() > giveUp) throw new Error('V9 the service did not recover');
        await sleep(10);
      }
      recoveries.push(performance.now() - healed);
    },
  };
}

function statusNote({ recorder }: Site): readonly string[] {
  const counts = [...recorder.counts].sort(([a], [b]) => a - b);
  return [`answers ${counts.map(([status, count]) => `${count} × ${status}`).join(', ')}`];
}

function failureNotes({ programs }: Site): readonly string[] {
  const lines = programs.flatMap((program) => program.failures());
  return lines.length === 0 ? [] : [`logged with 500: ${lines[0]?.slice(0, 300)}`];
}
