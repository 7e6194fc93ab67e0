// X12: the clock of the service jumps and drifts while that of PostgreSQL stays, and the reverse. The times that
// matter must come from the database: times of records, expiry of keys, rate windows.

import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openCluster } from './cluster.ts';
import type { Fault, Scene } from './fault.ts';
import { requireAlive } from './kill-faults.ts';
import { makeKey, RECORDS_PATH } from './site.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;

interface Move {
  /** Milliseconds ahead of the true time. */
  readonly to: number;
  /** Gets there in small steps, as a clock that drifts; otherwise at once. */
  readonly drifts?: true;
}

/** One after the other: jumps, drifts by ten minutes both ways, backwards by 90 s. */
const MOVES: readonly Move[] = [
  { to: HOUR },
  { to: -HOUR },
  { to: 0 },
  { to: 10 * MINUTE, drifts: true },
  { to: 0, drifts: true },
  { to: -10 * MINUTE, drifts: true },
  { to: 0 },
  { to: -90_000 },
];
const STEPS = 40;
const STEP_TIME = 100;
const SETTLED = 1500;
const RATE = 5;

/** Sets one of the two clocks, in milliseconds ahead. */
type SetClock = (ahead: number) => Promise<void>;

export const movedClock: Fault = {
  name: 'X12',
  title: 'the clock of the service jumps by an hour, drifts by 10 minutes, goes back by 90 s',
  cycles: MOVES.length,
  async prepare(site) {
    site.place.probed = true;
  },
  async inflict(scene, cycles) {
    const { site } = scene;
    const set: SetClock = async (ahead) => void (await site.program.ask({ ask: 'clock', ahead }));
    const expires = HOUR / 2000;
    const lasting = await makeKey(site, { expires });
    const limited = await makeKey(site, { requestsPerMinute: RATE });
    await eachMove(cycles, set, async () => {
      await requireDatabaseTime(scene);
      await requireMe(scene, lasting.secret, 200);
      await scene.recovered(performance.now());
    });
    await requireRate(scene, limited.secret, set);
    await set(0);
    requireAlive(scene);
  },
};

async function eachMove(cycles: number, set: SetClock, check: (ahead: number) => Promise<void>) {
  let from = 0;
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    const { to, drifts } = MOVES[cycle % MOVES.length] as Move;
    const steps = drifts ? STEPS : 1;
    for (let step = 1; step < steps; step += 1) {
      await set(Math.round(from + ((to - from) * step) / steps));
      await sleep(STEP_TIME);
    }
    await set(to);
    from = to;
    await sleep(SETTLED);
    await check(to);
  }
}

const ME = { method: 'GET', path: '/v1/me' } as const;

async function requireMe(scene: Scene, secret: string, expected: number): Promise<void> {
  const { site, complaints } = scene;
  const { status } = await site.wire.send(site.url, secret, ME);
  if (status !== expected) complaints.push(`a key was answered ${status}, not ${expected}`);
}

const MADE_WITHIN = 20_000;

/** New records must have the present time of PostgreSQL. */
async function requireDatabaseTime({ site, work, complaints }: Scene): Promise<void> {
  const { entries } = work.ledger;
  const known = entries.length;
  const giveUp = Date.now() + MADE_WITHIN;
  while (Date.now() < giveUp) {
    const { token } =
      entries.slice(known).findLast((entry) => entry.kind === 'create' && isMade(entry)) ?? {};
    const [row] = await site.rows(
      `select extract(epoch from clock_timestamp() - created_at)::float as age from s.deals
        where token = $1`,
      [token ?? ''],
    );
    if (row !== undefined) {
      const age = Number(row.age);
      if (Math.abs(age) > 60) complaints.push(`a record made just now is ${age} s old`);
      return;
    }
    await sleep(50);
  }
  complaints.push('V9 nothing could be made after the clock was moved');
}

function isMade({ outcome }: { readonly outcome: string }): boolean {
  return outcome === 'acked';
}

/** A budget that is used up stays so, whichever way a clock jumps; it comes back each minute of PostgreSQL. */
async function requireRate(scene: Scene, secret: string, set: SetClock): Promise<void> {
  const { site, complaints, notes } = scene;
  const minutes = new Set<unknown>();
  const noteMinute = async () => {
    const [row] = await site.rows(
      'select floor(extract(epoch from clock_timestamp()) / 60)::bigint as minute',
    );
    minutes.add(String(row?.minute));
  };
  let good = 0;
  for (const { to } of MOVES) {
    await set(to);
    await noteMinute();
    for (let number = 0; number < RATE * 2; number += 1) {
      const path = `${RECORDS_PATH}?limit=1`;
      const { status } = await site.wire.send(site.url, secret, { method: 'GET', path });
      if (status === 200) good += 1;
    }
    await noteMinute();
  }
  const sent = MOVES.length * RATE * 2;
  notes.push(`${good} of ${sent} requests of a limited key let in over ${minutes.size} minutes`);
  if (good > RATE * minutes.size) complaints.push(`a clock that jumps let in ${good} requests`);
  if (good === 0) complaints.push('the limited key was never let in');
}

/** Where Debian and others have it; PostgreSQL is started with it. */
const LIBRARY = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1',
  '/usr/lib64/faketime/libfaketime.so.1',
].find(existsSync);

let clockFile: string;

/** PostgreSQL reads the file with every query of the time: it must never be half written. */
function setDatabaseClock(ahead: number): void {
  const seconds = ahead / 1000;
  writeFileSync(`${clockFile}.new`, `${seconds < 0 ? '' : '+'}${seconds}\n`, { mode: 0o644 });
  renameSync(`${clockFile}.new`, clockFile);
}

export const movedDatabaseClock: Fault = {
  name: 'X12b',
  title: 'the clock of PostgreSQL jumps by an hour, drifts by 10 minutes, goes back by 90 s',
  cycles: MOVES.length,
  holds: true,
  skipped: () => (LIBRARY === undefined ? 'libfaketime (package faketime) is missing' : undefined),
  openCluster: () =>
    openCluster({
      environment(folder) {
        clockFile = join(folder, 'clock');
        setDatabaseClock(0);
        return {
          LD_PRELOAD: LIBRARY as string,
          FAKETIME_TIMESTAMP_FILE: clockFile,
          FAKETIME_NO_CACHE: '1',
          // Timers run by the other clock.
          FAKETIME_DONT_FAKE_MONOTONIC: '1',
        };
      },
    }),
  async inflict(scene, cycles) {
    const { site } = scene;
    const set: SetClock = async (ahead) => setDatabaseClock(ahead);
    const short = await makeKey(site, { expires: HOUR / 2000 });
    const lasting = await makeKey(site, { expires: (3 * HOUR) / 1000 });
    const limited = await makeKey(site, { requestsPerMinute: RATE });
    await requireMe(scene, short.secret, 200);
    await eachMove(cycles, set, async (ahead) => {
      await requireMoved(scene, ahead);
      await requireDatabaseTime(scene);
      await requireMe(scene, lasting.secret, 200);
      // When it is back, the refusal is remembered for a minute at most (D80).
      if (ahead === HOUR) await requireMe(scene, short.secret, 401);
      await scene.recovered(performance.now());
    });
    await requireRate(scene, limited.secret, set);
    await set(0);
    requireAlive(scene);
  },
};

/** Checks that the clock has moved: the times of PostgreSQL and of this process differ by so much. */
async function requireMoved({ site, complaints }: Scene, ahead: number): Promise<void> {
  const [row] = await site.rows('select 1000 * extract(epoch from clock_timestamp())::float as t');
  const differs = Number(row?.t) - Date.now() - ahead;
  if (Math.abs(differs) > MINUTE / 4) complaints.push(`the clock is ${differs} ms off: not moved`);
}
