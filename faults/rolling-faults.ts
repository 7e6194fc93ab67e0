// X11: two processes behind a balancer, each in turn told to stop and started again, as a deployment does.
// Nobody may notice but by a connection that is refused, or closed while idle, and tried once more.

import { setTimeout as sleep } from 'node:timers/promises';
import { type Fault, ms, percentile, type Scene } from './fault.ts';
import { runOpenLoad } from './open-load.ts';
import { freePort, type Program, startProgram } from './program.ts';
import { RECORDS_PATH, type Site } from './site.ts';
import type { Lost, Outcome, Wire } from './wire.ts';

const PER_SECOND = 100;
const PAUSE = 4000;
const SHORT_PAUSE = 800;
/** Milliseconds from SIGTERM to the end. */
const ENDED_WITHIN = 10_000;

export const rollingRestart: Fault = {
  name: 'X11',
  title: `two processes restarted in turn (SIGTERM), clients and ${PER_SECOND} reads/s`,
  cycles: 20,
  short: 2,
  async prepare(site) {
    site.place.settings = { LOG_LEVEL: 'error' };
  },
  async inflict(scene, cycles) {
    const { site, complaints } = scene;
    const direct = site.wire;
    const tally = { refused: 0, closed: 0, failures: [] as string[] };
    const processes = [site.program, await startAnother(site, direct, await freePort())];
    const balanced = balance(direct, () => processes.map(({ url }) => url), tally);
    site.wire = balanced;
    let rolling = true;
    const reads = readWhile(site, () => rolling);
    const endings: number[] = [];
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      await sleep(scene.short ? SHORT_PAUSE : PAUSE);
      const turn = cycle % 2;
      const old = processes[turn] as Program;
      const told = performance.now();
      old.signal('SIGTERM');
      const { code, signal } = await old.exit;
      endings.push(performance.now() - told);
      if (code !== 0) complaints.push(`V9 SIGTERM ended a process with ${code ?? signal}`);
      processes[turn] = await startAnother(site, direct, Number(new URL(old.url).port));
    }
    rolling = false;
    const asked = await reads;
    await scene.work.stop();
    site.wire = direct;
    noteRestarts(scene, endings, tally, asked);
    site.url = (processes[0] as Program).url;
  },
};

interface Tally {
  refused: number;
  closed: number;
  readonly failures: string[];
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
function balance(direct: Wire, urlsNow: () => readonly string[], tally: Tally): Wire {
  let turn = 0;
  return {
    ...direct,
    async send(_, secret, sent) {
      turn += 1;
      const urls = urlsNow();
      const [first, second] = turn % 2 === 0 ? urls : urls.toReversed();
      const outcome = await direct.send(first as string, secret, sent);
      const again = outcome.status === undefined && mayBeRepeated(outcome, tally);
      const last: Outcome = again ? await direct.send(second as string, secret, sent) : outcome;
      if (last.status === undefined) tally.failures.push(`${sent.method} ${last.lost}`);
      else if (last.status >= 500) tally.failures.push(`${sent.method} ${last.status}`);
      return last;
    },
  };
}

function mayBeRepeated({ lost, reused }: Lost, tally: Tally): boolean {
  if (lost === 'ECONNREFUSED') tally.refused += 1;
  else if (reused && /^(?:ECONNRESET|EPIPE|socket hang up)$/.test(lost)) tally.closed += 1;
  else return false;
  return true;
}

async function readWhile({ wire, url, keys }: Site, going: () => boolean): Promise<number> {
  let asked = 0;
  while (going()) {
    const samples = await runOpenLoad({
      perSecond: PER_SECOND,
      seconds: 1,
      async send(number) {
        const { secret = '' } = keys[number % keys.length] ?? {};
        const sent = { method: 'GET', path: `${RECORDS_PATH}?limit=5` } as const;
        return { kind: 'read', status: (await wire.send(url, secret, sent)).status };
      },
    });
    asked += samples.length;
  }
  return asked;
}

function noteRestarts(
  { notes, complaints }: Scene,
  endings: readonly number[],
  { refused, closed, failures }: Tally,
  asked: number,
): void {
  const slowest = Math.max(...endings);
  if (slowest > ENDED_WITHIN) complaints.push(`V9 a process took ${ms(slowest)} to end`);
  if (failures.length > 0) {
    const shown = [...new Set(failures)].join(', ');
    complaints.push(`V9 ${failures.length} requests failed for their clients: ${shown}`);
  }
  notes.push(
    `${asked} reads and all writes without a failure the client saw, but ${failures.length}`,
    `${refused} refused connections and ${closed} closed idle ones tried again`,
    `end after SIGTERM ${ms(percentile(endings, 0.5))} / ${ms(slowest)}`,
  );
}
