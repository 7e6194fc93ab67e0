// X12: the clock of the service jumps and drifts, that of PostgreSQL does not. What counts must come from
// the database: times of records, expiry of keys, rate windows.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault, Scene } from './fault.ts';
import { requireAlive } from './kill-faults.ts';
import { makeKey, RECORDS_PATH } from './site.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;
/** Milliseconds ahead of the true time, one after the other. */
const CLOCKS = [HOUR, -HOUR, 10 * MINUTE, 5 * MINUTE, -10 * MINUTE, 0, -90_000, 90_000];
const SETTLED = 1500;
const RATE = 5;

export const movedClock: Fault = {
  name: 'X12',
  title: 'the clock of the service jumps by up to an hour',
  cycles: CLOCKS.length,
  async prepare(site) {
    site.place.probed = true;
  },
  async inflict(scene, cycles) {
    const { site, notes } = scene;
    const lasting = await makeKey(site, { expires: HOUR / 2000 });
    const limited = await makeKey(site, { requestsPerMinute: RATE });
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      const ahead = CLOCKS[cycle % CLOCKS.length] as number;
      await site.program.ask({ ask: 'clock', ahead });
      await sleep(SETTLED);
      await requireDatabaseTime(scene, ahead);
      const { status } = await site.wire.send(site.url, lasting.secret, ME);
      if (status !== 200) scene.complaints.push(`a key that lasts was answered ${status}`);
      await scene.recovered(performance.now());
    }
    await requireRate(scene, limited.secret);
    await site.program.ask({ ask: 'clock', ahead: 0 });
    notes.push('the clock of PostgreSQL stays: moving it needs libfaketime');
    requireAlive(scene);
  },
};

const ME = { method: 'GET', path: '/v1/me' } as const;

/** What was made just now says so by the time of PostgreSQL. */
async function requireDatabaseTime({ site, complaints }: Scene, ahead: number): Promise<void> {
  const [row] = await site.rows(
    `select extract(epoch from now() - max(created_at))::float as age from s.deals`,
  );
  const age = Number(row?.age);
  if (Math.abs(age) < 60) return;
  complaints.push(`a record made ${ahead / 1000} s ahead is ${age} s old`);
}

/** A budget that is used up stays so, whichever way the clock jumps; it may come back each minute. */
async function requireRate({ site, complaints, notes }: Scene, secret: string): Promise<void> {
  let good = 0;
  const [begin] = await site.rows('select floor(extract(epoch from now()) / 60)::bigint as minute');
  for (const ahead of CLOCKS) {
    await site.program.ask({ ask: 'clock', ahead });
    for (let number = 0; number < RATE * 2; number += 1) {
      const path = `${RECORDS_PATH}?limit=1`;
      const { status } = await site.wire.send(site.url, secret, { method: 'GET', path });
      if (status === 200) good += 1;
    }
  }
  const [end] = await site.rows('select floor(extract(epoch from now()) / 60)::bigint as minute');
  const windows = Number(end?.minute) - Number(begin?.minute) + 1;
  notes.push(
    `${good} of ${CLOCKS.length * RATE * 2} requests let in over ${windows} minute windows`,
  );
  if (good > RATE * windows) complaints.push(`a clock that jumps let in ${good} requests`);
  if (good === 0) complaints.push('the limited key was never let in');
}
