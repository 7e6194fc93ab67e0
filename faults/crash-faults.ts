// X14: a backend of PostgreSQL dies during reads, and at once a key is revoked, roles and the definition change, and
// records are made. Reads assign transaction numbers that are not on the disk, so that they occur again after the
// recovery: no process may take new data for cached data.

import { setTimeout as sleep } from 'node:timers/promises';
import { CHANNEL } from '../src/control/workspace/workspaces.ts';
import { type EventReader, openEventReader } from './event-reader.ts';
import type { Fault, Scene } from './fault.ts';
import { ms } from './figures.ts';
import { killBackendOf, requireAlive } from './kill-faults.ts';
import { applyName, type Key, makeKey, RECORDS_PATH, type Site } from './site.ts';

/** Milliseconds that something old may be answered for. */
const EFFECTIVE_WITHIN = 1000;
/** A shared machine may be late itself. */
const LATENESS = 300;
const CREATES = 30;
const NUMBERS = 500;
/** Milliseconds in which somebody reads and streams look, less than those after which numbers are written. */
const LOOKED = 60;
const READERS = 4;
const COMPANIES = '/v1/objects/companies/records';
/** Milliseconds in which all events must have come. */
const TOLD_WITHIN = 10_000;

export const crashUnderReads: Fault = {
  name: 'X14',
  title: 'kill -9 of a backend under reads, then at once changes of rights and 30 creates',
  cycles: 50,
  short: 2,
  async inflict(scene, cycles) {
    const { site, work, readers, notes } = scene;
    // A write waits for the disk, and whatever was numbered before it is there too.
    await Promise.all([work.stop(), readers.stop()]);
    const run: Run = { stepped: 0, late: 0, told: 0 };
    const open = await Promise.all([0, 1].map(() => readEvents(site)));
    try {
      for (let cycle = 0; cycle < cycles; cycle += 1) await crashOnce(scene, { cycle, open, run });
    } finally {
      for (const reader of open) reader.close();
    }
    await setRoles(site, 'reader');
    notes.push(
      `numbers stepped back after ${run.stepped} of ${cycles} crashes; what was old was answered for ` +
        `${ms(run.late)} at most; ${run.told} events came, none was missing`,
    );
    requireAlive(scene);
  },
};

interface Run {
  stepped: number;
  late: number;
  told: number;
}

interface Cycle {
  readonly cycle: number;
  readonly open: readonly EventReader[];
  readonly run: Run;
}

async function crashOnce(scene: Scene, { cycle, open, run }: Cycle): Promise<void> {
  const { site, random } = scene;
  const key = await makeKey(site, {});
  const rob = await makeKey(site, { userId: site.people.reader });
  const gone = await readEvents(site);
  const reading = readAlways(site, [...site.keys.slice(0, READERS), key, rob]);
  await sleep(1000 + random() * 500);
  const before = await useNumbers(site);
  gone.close();
  await killBackendOf(scene);
  const healed = performance.now();
  if ((await newestNumber(site)) < before) run.stepped += 1;
  const name = `Acme ${cycle}`;
  const watched = [
    watch(() => isStale(site, key, '/v1/me', 200), revoke(site, key)),
    watch(
      () => isStale(site, rob, RECORDS_PATH, cycle % 2 === 0 ? 200 : 404),
      setRoles(site, cycle % 2 === 0 ? 'blind' : 'reader'),
    ),
    watch(() => hasOldName(site, name), applyName(site, name)),
  ];
  const since = open.map((reader) => reader.events().length);
  const made = createMany(site, `X14 ${cycle}`);
  await scene.recovered(healed);
  const ages = await Promise.all(watched);
  const ids = await made;
  await reading.stop();
  run.late = Math.max(run.late, ...ages);
  const old = ages.filter((age) => age > EFFECTIVE_WITHIN + LATENESS);
  if (old.length > 0) scene.complaints.push(`V9 what was old was answered for ${old.map(ms)}`);
  const back = await readEvents(site, gone.lastId());
  const streams = [
    ...open.map((reader, at) => ({ reader, from: since[at] ?? 0 })),
    { reader: back, from: 0 },
  ];
  for (const { reader, from } of streams) await requireEvents(scene, run, { reader, from, ids });
  back.close();
}

/** For how many milliseconds after the change what was before it was still answered. */
async function watch(isOld: () => Promise<boolean>, change: Promise<void>): Promise<number> {
  await change;
  const changed = performance.now();
  let last = 0;
  while (performance.now() < changed + 3 * EFFECTIVE_WITHIN) {
    const asked = performance.now() - changed;
    if (await isOld()) last = asked;
    await sleep(20);
  }
  return last;
}

async function isStale(site: Site, key: Key, path: string, old: number): Promise<boolean> {
  const { status } = await site.wire.send(site.url, key.secret, { method: 'GET', path });
  return status === old;
}

async function hasOldName(site: Site, name: string): Promise<boolean> {
  const { secret = '' } = site.keys[1] ?? {};
  const answer = await site.wire.send(site.url, secret, { method: 'GET', path: '/v1/me' });
  return answer.status === 200 && !answer.body.includes(`"${name}"`);
}

async function revoke(site: Site, key: Key): Promise<void> {
  const text = 'update workspace_records.api_keys set revoked_at = now() where id = $1';
  await site.rows(text, [key.id]);
}

async function setRoles(site: Site, role: 'reader' | 'blind'): Promise<void> {
  await site.rows('update s._users set roles = array[$1] where id = $2', [
    role,
    site.people.reader,
  ]);
}

/**
 * Assign numbers as reads do, and more of them, and let the service check for changes at that time, so that its
 * cached state is ahead of the disk; returns the newest number.
 */
async function useNumbers(site: Site): Promise<bigint> {
  await site.rows(`do $$ begin
    for n in 1..${NUMBERS} loop perform pg_current_xact_id(); commit; end loop; end $$`);
  await site.rows('select pg_notify($1, $2)', [CHANNEL, '']);
  await sleep(LOOKED);
  return newestNumber(site);
}

async function newestNumber(site: Site): Promise<bigint> {
  const [row] = await site.rows('select pg_snapshot_xmax(pg_current_snapshot())::text as newest');
  return BigInt(row?.newest as string);
}

/** Requests one after the other by each of the keys, whatever they are answered. */
function readAlways(site: Site, keys: readonly Key[]): { stop(): Promise<unknown> } {
  const stop = new AbortController();
  const running = keys.map(async ({ secret }) => {
    while (!stop.signal.aborted) {
      await site.wire.send(site.url, secret, { method: 'GET', path: `${RECORDS_PATH}?limit=1` });
      await sleep(2);
    }
  });
  return {
    stop() {
      stop.abort();
      return Promise.all(running);
    },
  };
}

/** Create records, each again until it is answered; their ids. */
async function createMany(site: Site, name: string): Promise<readonly string[]> {
  const ids: string[] = [];
  const { secret = '' } = site.keys[2] ?? {};
  const giveUp = performance.now() + TOLD_WITHIN * 3;
  while (ids.length < CREATES && performance.now() < giveUp) {
    const body = JSON.stringify({ fields: { name: `${name} ${ids.length}` } });
    const sent = { method: 'POST', path: COMPANIES, body } as const;
    const answer = await site.wire.send(site.url, secret, sent);
    if (answer.status === 201) ids.push(JSON.parse(answer.body).data.id);
    else await sleep(5);
  }
  return ids;
}

function readEvents(site: Site, lastEventId?: string): Promise<EventReader> {
  return openEventReader(site.url, site.keys[0]?.secret ?? '', lastEventId);
}

interface ExpectedEvents {
  readonly reader: EventReader;
  /** Of its events these come before. */
  readonly from: number;
  readonly ids: readonly string[];
}

/** The reader gets an event for each record: its position outlasts the crash (D455). */
async function requireEvents(
  scene: Scene,
  run: Run,
  { reader, from, ids }: ExpectedEvents,
): Promise<void> {
  const giveUp = performance.now() + TOLD_WITHIN;
  for (;;) {
    const events = reader.events().slice(from);
    const known = new Set(events.map(({ record_id }) => record_id));
    const missing = ids.filter((id) => !known.has(id));
    if (missing.length === 0) {
      run.told += ids.length;
      return;
    }
    if (performance.now() > giveUp) {
      scene.complaints.push(`V13 ${missing.length} of ${ids.length} events never came`);
      return;
    }
    await sleep(20);
  }
}
