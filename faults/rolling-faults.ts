// X11: two processes behind a balancer, each in turn stopped and started again, as a deployment does. Clients may
// notice only a connection that is refused, or closed while idle, and tried once more.

import { setTimeout as sleep } from 'node:timers/promises';
import { cpuOf, shareOfMachine, watchMachine } from './cpu-time.ts';
import type { Fault, Scene } from './fault.ts';
import { mostOf, ms, percentile } from './figures.ts';
import { readsOf, runOpenLoad, type Sample } from './open-load.ts';
import { freePort, type Program, startProgram } from './program.ts';
import { RECORDS_PATH, type Site } from './site.ts';
import type { Lost, Outcome, Wire } from './wire.ts';

const PER_SECOND = 500;
const SHORT_PER_SECOND = 100;
const PAUSE = 4000;
const SHORT_PAUSE = 800;
/** Before any restart: whether the machine can do the rate at all. */
const CONTROL = 10_000;
const SHORT_CONTROL = 3000;
/** Milliseconds, p99 of reads: with more, a machine is too slow for the rate. */
const OVERLOADED = 300;
/** Of the machine: with more taken, too little is left to one process while the other one starts. */
const MOST_TAKEN = 0.25;
/** Milliseconds from SIGTERM to the end. */
const ENDED_WITHIN = 10_000;

export const rollingRestart: Fault = {
  name: 'X11',
  title: 'two processes restarted in turn (SIGTERM), clients and reads at a constant rate',
  cycles: 20,
  short: 2,
  async prepare(site) {
    site.place.settings = { LOG_LEVEL: 'error' };
  },
  async inflict(scene, cycles) {
    const { site, complaints } = scene;
    const direct = site.wire;
    const counts: RequestCounts = newRequestCounts();
    const processes = [site.program, await startAnother(site, direct, await freePort())];
    site.wire = balance(direct, () => processes.map(({ url }) => url), counts);
    const rate = scene.rate ?? (scene.short ? SHORT_PER_SECOND : PER_SECOND);
    const machine = watchMachine();
    const reads = startReads(site, rate);
    await sleep(scene.short ? SHORT_CONTROL : CONTROL);
    counts.overload = overloadOf(reads.p99(), counts.failures.splice(0).length);
    const endings: number[] = [];
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      await sleep(scene.short ? SHORT_PAUSE : PAUSE);
      const turn = cycle % 2;
      const old = processes[turn] as Program;
      const told = performance.now();
      counts.toldAt.set(old.url, told);
      old.signal('SIGTERM');
      const { code, signal } = await old.exit;
      endings.push(performance.now() - told);
      if (code !== 0) complaints.push(`V9 SIGTERM ended a process with ${code ?? signal}`);
      processes[turn] = await startAnother(site, direct, Number(new URL(old.url).port));
      counts.toldAt.delete(old.url);
    }
    noteReads(scene, await reads.stop());
    await scene.work.stop();
    counts.overload ??= overloadBy(machine().others);
    site.wire = direct;
    noteRestarts(scene, endings, counts);
    site.url = (processes[0] as Program).url;
  },
};

interface RequestCounts {
  refused: number;
  /** Idle sockets that a process had closed when the next request was sent on them. */
  closed: number;
  /** Those of processes that were not stopped. */
  closedEarly: number;
  /** Answers to what was in flight at SIGTERM, and those of them that did not say that they are the last. */
  inFlight: number;
  unmarked: number;
  readonly failures: string[];
  /** The sign that the machine is too slow for the rate. */
  overload: string | undefined;
  /** Processes that got the signal to stop, and the time. */
  readonly toldAt: Map<string, number>;
}

function newRequestCounts(): RequestCounts {
  const counts = { refused: 0, closed: 0, closedEarly: 0, inFlight: 0, unmarked: 0 };
  return { ...counts, overload: undefined, failures: [], toldAt: new Map() };
}

function overloadOf(p99: number, failures: number): string | undefined {
  if (failures === 0 && p99 <= OVERLOADED) return undefined;
  const answered = Number.isNaN(p99) ? 'no read was answered' : `p99 of reads was ${ms(p99)}`;
  return `before any restart ${failures} requests failed and ${answered}`;
}

function overloadBy(others: number): string | undefined {
  if (others <= MOST_TAKEN) return undefined;
  return `others took ${(others * 100).toFixed(0)} % of it`;
}

async function startAnother({ place, keys, programs }: Site, wire: Wire, port: number) {
  const program = startProgram({ ...place, port });
  programs.push(program);
  const path = `${RECORDS_PATH}?limit=1`;
  await program.ready(async () => {
    const sent = { method: 'GET', path } as const;
    return (await wire.send(program.url, keys[0]?.secret ?? '', sent)).status === 200;
  });
  return program;
}

/** In turn; what was surely not served is sent to the other one, once. */
function balance(direct: Wire, urlsNow: () => readonly string[], counts: RequestCounts): Wire {
  let turn = 0;
  return {
    ...direct,
    async send(_, secret, sent) {
      turn += 1;
      const urls = urlsNow();
      const [first, second] = (turn % 2 === 0 ? urls : urls.toReversed()) as [string, string];
      const begun = performance.now();
      const outcome = await direct.send(first, secret, sent);
      noteLast(counts, first, begun, outcome);
      const again = outcome.status === undefined && mayBeRepeated(outcome, first, counts);
      const last: Outcome = again ? await direct.send(second, secret, sent) : outcome;
      if (last.status === undefined) counts.failures.push(`${sent.method} ${last.lost}`);
      else if (last.status >= 500) counts.failures.push(`${sent.method} ${last.status}`);
      return last;
    },
  };
}

function noteLast(counts: RequestCounts, url: string, begun: number, outcome: Outcome): void {
  const told = counts.toldAt.get(url);
  if (told === undefined || begun > told || outcome.status === undefined) return;
  counts.inFlight += 1;
  if (outcome.headers.connection !== 'close') counts.unmarked += 1;
}

function mayBeRepeated({ lost, reused }: Lost, url: string, counts: RequestCounts): boolean {
  if (lost === 'ECONNREFUSED') counts.refused += 1;
  else if (reused && /^(?:ECONNRESET|EPIPE|socket hang up)$/.test(lost)) {
    counts.closed += 1;
    if (!counts.toldAt.has(url)) counts.closedEarly += 1;
  } else return false;
  return true;
}

interface Reads {
  readonly rate: number;
  readonly seconds: number;
  readonly samples: readonly Sample[];
  /** Of all the machine's cores, what this process took. */
  readonly share: number;
}

function startReads(site: Site, rate: number) {
  const samples: Sample[] = [];
  const begun = performance.now();
  const cpu = cpuOf(process.pid);
  const over = new AbortController();
  const running = (async () => {
    // Second by second, the next one without waiting for the last answers of this one.
    const waiting: Promise<void>[] = [];
    while (!over.signal.aborted) {
      const second = runOpenLoad({ ...readsOf(site), perSecond: rate, seconds: 1 });
      waiting.push(second.then((found) => void samples.push(...found)));
      await sleep(1000);
    }
    await Promise.all(waiting);
  })();
  return {
    /** Of those that were answered so far. */
    p99: () =>
      percentile(
        samples.map(({ latency }) => latency),
        0.99,
      ),
    async stop(): Promise<Reads> {
      over.abort();
      const seconds = (performance.now() - begun) / 1000;
      const share = shareOfMachine(cpuOf(process.pid) - cpu, seconds);
      await running;
      return { rate, seconds, samples, share };
    },
  };
}

function noteReads({ notes }: Scene, { rate, seconds, samples, share }: Reads): void {
  const latencies = samples.map(({ latency }) => latency);
  notes.push(
    `${samples.length} reads at ${rate}/s planned, ${(samples.length / seconds).toFixed(0)}/s done, ` +
      `p50 ${ms(percentile(latencies, 0.5))}, p99 ${ms(percentile(latencies, 0.99))}`,
    `the clients themselves took ${(share * 100).toFixed(0)} % of the machine`,
  );
}

function noteRestarts(
  { notes, complaints }: Scene,
  endings: readonly number[],
  counts: RequestCounts,
): void {
  const slowest = mostOf(endings);
  const { failures, refused, closed, closedEarly, inFlight, unmarked, overload } = counts;
  const shown = failures.length === 0 ? '' : ` (${[...new Set(failures)].join(', ')})`;
  if (slowest > ENDED_WITHIN) complaints.push(`V9 a process took ${ms(slowest)} to end`);
  if (failures.length > 0 && overload === undefined) {
    complaints.push(`V9 ${failures.length} requests failed for their clients${shown}`);
  }
  if (closedEarly > 0) complaints.push(`V9 ${closedEarly} sockets closed without any SIGTERM`);
  notes.push(
    `${failures.length} failures that a client saw${shown}`,
    ...(overload === undefined ? [] : [`not judged: too much for this machine, ${overload}`]),
    `${refused} refused connections and ${closed} idle sockets closed just then tried again`,
    `${inFlight} requests in flight at SIGTERM, ${unmarked} answered without Connection: close`,
    `end after SIGTERM ${ms(percentile(endings, 0.5))} / ${ms(slowest)}`,
  );
}
