// What every fault has in common: clients and readers before, during and after it, the time until all is
// well again, and the invariants at the end.

import { setTimeout as sleep } from 'node:timers/promises';
import { randomOf } from '../bench/records-definition.ts';
import type { Cluster } from './cluster.ts';
import { findViolations } from './invariants.ts';
import { type Readers, startReaders } from './readers.ts';
import { openSite, type Site } from './site.ts';
import { startWorkload, type Workload } from './workload.ts';

export interface Scene {
  readonly site: Site;
  readonly work: Workload;
  readonly readers: Readers;
  readonly random: () => number;
  /** True: a few seconds are enough. */
  readonly short: boolean;
  /** Milliseconds from each healing to the first answer with 200. */
  readonly recoveries: number[];
  readonly notes: string[];
  /** What must not be and only the fault itself can tell. */
  readonly complaints: string[];
  /** Wait until a read is answered, and note the time since `healed` (`performance.now()`). */
  recovered(healed: number): Promise<void>;
}

export interface Fault {
  readonly name: string;
  readonly title: string;
  /** How often it is inflicted, in the long form and in the short one. */
  readonly cycles: number;
  readonly short?: number;
  /** Why it cannot be tried here. */
  skipped?(): string | undefined;
  /** A PostgreSQL of its own; otherwise all faults are tried on the same one. */
  openCluster?(): Promise<Cluster>;
  /** Before the service starts: what it is placed behind. */
  prepare?(site: Site): Promise<void>;
  inflict(scene: Scene, cycles: number): Promise<void>;
  /** After the service is gone: what `prepare` and `openCluster` have opened. */
  tidy?(): Promise<void>;
}

export interface Report {
  readonly name: string;
  readonly title: string;
  readonly skipped?: string | undefined;
  readonly cycles: number;
  /** How often the long form does it. */
  readonly planned: number;
  readonly acked: number;
  readonly refused: number;
  /** Writes with an attempt that told nothing. */
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
}

const RECOVER_WITHIN = 60_000;

export async function runFault(fault: Fault, run: Run): Promise<Report> {
  const begun = performance.now();
  const { cycles } = run;
  const site = await openSite(run.cluster);
  try {
    await fault.prepare?.(site);
    await site.startService();
    const before = await probe(site);
    const scene = await openScene(site, run);
    const { work, readers, complaints, notes, recoveries } = scene;
    await fault.inflict(scene, cycles);
    await sleep(300);
    await Promise.all([work.stop(), readers.stop()]);
    const after = await probe(site);
    complaints.push(...livenessProblems(after));
    notes.push(`p99 of reads before and after: ${ms(before.p99)}, ${ms(after.p99)}`);
    notes.push(`${readers.pages()} pages read`, ...statusNote(site), ...failureNotes(site));
    const { entries } = work.ledger;
    const count = (verdict: string) => entries.filter((entry) => entry.verdict === verdict).length;
    return {
      name: fault.name,
      title: fault.title,
      cycles,
      planned: fault.cycles,
      acked: count('acked'),
      refused: count('refused'),
      unknown: entries.filter(({ unknowns }) => unknowns > 0).length,
      replayed: entries.filter(({ replayed }) => replayed).length,
      violations: [...complaints, ...(await findViolations(site, work.ledger))],
      recoveries,
      seconds: (performance.now() - begun) / 1000,
      notes,
    };
  } finally {
    await site.close();
  }
}

async function openScene(site: Site, { seed, short }: Run): Promise<Scene> {
  const work = await startWorkload(site, seed);
  const recoveries: number[] = [];
  return {
    site,
    work,
    readers: startReaders(site, work),
    random: randomOf(99, seed),
    short,
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

interface Liveness {
  readonly share: number;
  readonly p99: number;
}

const PROBES = 300;
const PROBERS = 4;

/** Reads, a few at a time: the share that is answered with 200, and how long they take. */
async function probe(site: Site): Promise<Liveness> {
  const times: number[] = [];
  let good = 0;
  const ask = async () => {
    for (let number = 0; number < PROBES / PROBERS; number += 1) {
      const begun = performance.now();
      if (await site.isWell()) good += 1;
      times.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: PROBERS }, ask));
  return { share: good / times.length, p99: percentile(times, 0.99) };
}

function livenessProblems({ share }: Liveness): readonly string[] {
  return share >= 0.99 ? [] : [`V9 only ${(share * 100).toFixed(1)} % of reads succeed afterwards`];
}

/** NaN without any. */
export function percentile(figures: readonly number[], share: number): number {
  const sorted = [...figures].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function ms(milliseconds: number): string {
  return `${milliseconds.toFixed(0)} ms`;
}

function statusNote({ recorder }: Site): readonly string[] {
  const counts = [...recorder.counts].sort(([a], [b]) => a - b);
  return [`answers ${counts.map(([status, count]) => `${count} × ${status}`).join(', ')}`];
}

function failureNotes({ programs }: Site): readonly string[] {
  const lines = programs.flatMap((program) => program.failures());
  return lines.length === 0 ? [] : [`logged with 500: ${lines[0]?.slice(0, 300)}`];
}
