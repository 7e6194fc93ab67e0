// X4 and X5: PostgreSQL is there but does not answer, frozen as a whole or locked where everybody reads.
// The service must say so in time, and be itself again when it is over.

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Fault, Scene } from './fault.ts';
import { mostOf, ms, percentile } from './figures.ts';
import { requireAlive } from './kill-faults.ts';
import { readsOf, runOpenLoad, type Sample } from './open-load.ts';
import type { Delay } from './probe.ts';
import { SCHEMA, type Site } from './site.ts';

const FREEZE = 30_000;
const SHORT_FREEZE = 4_000;
/** Milliseconds of waiting that only a freeze explains. */
const NOTICED = 2000;
/** Milliseconds in which everything is answered, whatever PostgreSQL does. */
const ANSWERED_WITHIN = 7_000;
/** A shared machine may be late itself. */
const LATENESS = 1_000;

export const freezePostgres: Fault = {
  name: 'X4',
  title: 'all of PostgreSQL stopped (SIGSTOP), then continued',
  cycles: 1,
  short: 1,
  holds: true,
  async prepare(site) {
    site.place.probed = true;
  },
  async inflict(scene, cycles) {
    const { site } = scene;
    const frozenFor = scene.short ? SHORT_FREEZE : FREEZE;
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      await site.program.ask<Delay>({ ask: 'delay' });
      const seconds = frozenFor / 1000 + 4;
      const load = runOpenLoad({ ...readsOf(site), perSecond: 200, seconds });
      await sleep(2000);
      const begun = performance.now();
      site.cluster.freeze();
      await sleep(frozenFor);
      site.cluster.thaw();
      const thawed = performance.now();
      await scene.recovered(thawed);
      noteWrites(scene, begun);
      noteFreeze(scene, await load, await site.program.ask<Delay>({ ask: 'delay' }));
    }
    requireAlive(scene);
  },
};

function noteWrites({ work, notes, complaints }: Scene, since: number): void {
  const during = work.attempts.filter(({ begun, took }) => begun + took > since);
  const slowest = mostOf(during.map(({ took }) => took));
  notes.push(`the slowest attempt to write was over after ${ms(slowest)}`);
  if (slowest > ANSWERED_WITHIN + LATENESS) {
    complaints.push(`V9 an attempt to write took ${ms(slowest)}`);
  }
}

function noteFreeze(scene: Scene, samples: readonly Sample[], delay: Delay): void {
  const { notes, complaints } = scene;
  const slowest = mostOf(samples.map(({ latency }) => latency));
  const refused = samples.filter(({ status }) => status === 503);
  const strange = samples.filter(({ status }) => status !== 200 && status !== 503);
  if (strange.length > 0) complaints.push(`V10 ${strange.length} reads with ${strange[0]?.status}`);
  if (slowest > ANSWERED_WITHIN + LATENESS) {
    complaints.push(`V9 a read was answered after ${ms(slowest)}`);
  }
  // A short freeze may be over before anybody has waited long enough to be refused.
  if (refused.length === 0 && slowest < NOTICED) {
    complaints.push('V9 nobody had to wait: the freeze did not happen');
  }
  notes.push(
    `${samples.length} reads at 200/s: ${refused.length} × 503, the slowest answer after ${ms(slowest)}`,
  );
  noteDelay(scene, delay);
}

function noteDelay({ notes }: Scene, { p99, most, busy }: Delay): void {
  const share = (busy * 100).toFixed(0);
  notes.push(
    `event loop delay p99 ${ms(p99)}, at most ${ms(most)}, busy for ${share} % of the time`,
  );
}

const LOCKED_FOR = 10_000;

export const exhaustPool: Fault = {
  name: 'X5',
  title: 'the table everybody reads locked, 500 reads/s',
  cycles: 1,
  async prepare(site) {
    site.place.probed = true;
  },
  async inflict(scene, cycles) {
    const { site, notes, complaints } = scene;
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      const client = new pg.Client(site.connection as pg.ClientConfig);
      await client.connect();
      await client.query(`begin; lock table "${SCHEMA}".deals in access exclusive mode`);
      await site.program.ask<Delay>({ ask: 'delay' });
      const whoAmI = pollMe(site);
      const load = { ...readsOf(site), perSecond: 500, seconds: LOCKED_FOR / 1000 };
      const samples = await runOpenLoad(load);
      noteDelay(scene, await site.program.ask<Delay>({ ask: 'delay' }));
      await client.query('rollback');
      await client.end();
      await scene.recovered(performance.now());
      const me = await whoAmI.stop();
      const refused = samples.filter(({ status }) => status === 503);
      const strange = samples.filter(({ status }) => status !== 200 && status !== 503);
      if (strange.length > 0) complaints.push(`V10 reads with ${strange[0]?.status}`);
      if (me.bad > 0) complaints.push(`V9 /me failed ${me.bad} of ${me.asked} times`);
      const latencies = refused.map(({ latency }) => latency);
      // Those that hold a connection wait for the lock itself.
      const waited = latencies.filter((latency) => latency < 2000);
      notes.push(
        `${refused.length} of ${samples.length} refused; p50 ${ms(percentile(latencies, 0.5))}, ` +
          `p99 of those without a connection ${ms(percentile(waited, 0.99))}, ` +
          `at most ${ms(mostOf(latencies))}; /me answered ${me.asked} times`,
      );
    }
    requireAlive(scene);
  },
};

function pollMe({ wire, url, keys }: Site) {
  const stop = new AbortController();
  let asked = 0;
  let bad = 0;
  const running = (async () => {
    while (!stop.signal.aborted) {
      const { secret = '' } = keys[1] ?? {};
      const { status } = await wire.send(url, secret, { method: 'GET', path: '/v1/me' });
      asked += 1;
      if (status !== 200) bad += 1;
      await sleep(100);
    }
  })();
  return {
    async stop() {
      stop.abort();
      await running;
      return { asked, bad };
    },
  };
}
