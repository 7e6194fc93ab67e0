// X10: ten thousand idle connections and ten thousand whose headers never end. Well-behaved clients must not notice;
// the clients share the cores with the service, so the report names the users of the processors.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuOf, shareOfMachine, watchMachine } from './cpu-time.ts';
import type { Fault, Scene } from './fault.ts';
import { ms, percentile } from './figures.ts';
import { type IdleProcess, startIdleProcess } from './idle-process.ts';
import { requireAlive } from './kill-faults.ts';
import { readsOf, runOpenLoad, type Sample } from './open-load.ts';
import type { Delay, Memory } from './probe.ts';
import type { Site } from './site.ts';

const CONNECTIONS = 10_000;
/** More than these the service does not take. */
const MOST_CONNECTIONS = 12_000;
const HALF_ENDED_WITHIN = 12_000;

/** Of the machine: with more, others do not leave the service the time it needs. */
const MOST_TAKEN = 0.25;

export const manyConnections: Fault = {
  name: 'X10',
  title: '10,000 idle connections and 10,000 half requests, 100 reads/s',
  cycles: 1,
  async prepare(site) {
    site.place.probed = true;
  },
  async inflict(scene) {
    const { site, notes, complaints } = scene;
    await scene.work.stop();
    const baseline = p99Of(await readsFor(site, 5));
    const [idle, half] = [startIdleProcess(), startIdleProcess()];
    const task = { port: Number(new URL(site.url).port), secret: site.keys[0]?.secret ?? '' };
    try {
      const before = await site.program.ask<Memory>({ ask: 'memory' });
      const { open } = await idle.connect({ ...task, connections: CONNECTIONS, kind: 'idle' });
      const after = await site.program.ask<Memory>({ ask: 'memory' });
      const beside = p99Of(await readsFor(site, 5));
      const use = await watchSides(site, half);
      const load = readsFor(site, 25);
      await half.connect({ ...task, connections: CONNECTIONS, kind: 'half' });
      const during = await load;
      const { timedOut, closed, latest } = await half.report();
      const each = (after.resident - before.resident) / open / 1024;
      notes.push(
        `${open} idle, ${each.toFixed(1)} KB each (≤ 12)`,
        `half requests: ${timedOut} × 408, the last after ${ms(latest)}; ` +
          `${closed - timedOut} refused beyond ${MOST_CONNECTIONS}`,
      );
      await checkReadsBeside(scene, { baseline, beside, during, use });
      if (open < CONNECTIONS) complaints.push(`V9 only ${open} idle connections stayed open`);
      if (timedOut === 0) complaints.push('V9 no half request was ended with 408');
      if (latest > HALF_ENDED_WITHIN + 3000) complaints.push(`V9 a 408 after ${ms(latest)}`);
    } finally {
      await Promise.all([idle.stop(), half.stop()]);
    }
    await sleep(1000);
    await scene.recovered(performance.now());
    requireAlive(scene);
  },
};

interface Beside {
  /** p99 in milliseconds: alone, and with idle connections. */
  readonly baseline: number;
  readonly beside: number;
  /** While half requests come, wait and are ended. */
  readonly during: readonly Sample[];
  readonly use: SidesWatch;
}

/** The slow seconds, and the users of the processors in them: the service, its clients or none. */
async function checkReadsBeside(
  { notes, complaints }: Scene,
  { baseline, beside, during, use }: Beside,
): Promise<void> {
  const { text, others } = await use.stop();
  const limit = 2 * baseline;
  const slow = during.filter(({ latency }) => latency > limit);
  const seconds = [...new Set(slow.map(({ planned }) => Math.floor(planned / 1000)))];
  notes.push(
    `p99 of reads ${ms(baseline)} alone, ${ms(beside)} beside the idle ones, ` +
      `${ms(p99Of(during))} beside half requests`,
    `${slow.length} of ${during.length} reads slower than ${ms(limit)}, in the seconds ` +
      `${seconds.sort((a, b) => a - b).join(', ') || 'none'}`,
    text,
  );
  const late = p99Of(during) > limit || beside > limit;
  if (late && others <= MOST_TAKEN) complaints.push('V9 reads beside many connections were slow');
}

interface SidesWatch {
  stop(): Promise<{ readonly text: string; readonly others: number }>;
}

/** From now on: whose the processors were, and how late the event loops of both sides. */
async function watchSides({ program }: Site, half: IdleProcess): Promise<SidesWatch> {
  const begun = performance.now();
  const used = () => [program.pid, half.pid, process.pid].map(cpuOf);
  const before = used();
  const machine = watchMachine();
  await program.ask<Delay>({ ask: 'delay' });
  const own = monitorEventLoopDelay({ resolution: 10 });
  own.enable();
  return {
    async stop() {
      const seconds = (performance.now() - begun) / 1000;
      const percent = (share: number) => `${(share * 100).toFixed(0)} %`;
      const share = (amount: number) => percent(shareOfMachine(amount, seconds));
      const after = used();
      const [service, halves, reads] = after.map((now, at) => share(now - (before[at] ?? 0)));
      const { idle, others } = machine();
      const { p99, most } = await program.ask<Delay>({ ask: 'delay' });
      const text =
        `of the processors the service had ${service}, half requests ${halves}, reads ${reads}, ` +
        `others ${percent(others)}, nobody ${percent(idle)}; event loops late by ${ms(p99)} / ${ms(most)} (service) and ` +
        `${ms(own.percentile(99) / 1e6 - 10)} / ${ms(own.max / 1e6 - 10)} (reads), p99 / most`;
      return { text, others };
    },
  };
}

/** At 100 a second. */
function readsFor(site: Site, seconds: number): Promise<readonly Sample[]> {
  return runOpenLoad({ ...readsOf(site), perSecond: 100, seconds });
}

function p99Of(samples: readonly Sample[]): number {
  const latencies = samples.map(({ latency }) => latency);
  return percentile(latencies, 0.99);
}
