// X1 to X3b: processes die while clients write, the service itself, a backend of PostgreSQL, its
// postmaster, or PostgreSQL is stopped hard.

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Cluster } from './cluster.ts';
import type { Fault, Scene } from './fault.ts';
import { mostOf, ms, percentile } from './figures.ts';

/** Milliseconds after which PostgreSQL has noticed that a client is gone, and some. */
const NOTICED = 600;

export const killService: Fault = {
  name: 'X1',
  title: 'kill -9 of the service, restarted at once',
  cycles: 500,
  short: 4,
  async inflict({ site, random, recoveries, work, notes }, cycles) {
    let late = 0;
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      await sleep(20 + random() * 480);
      const { program } = site;
      const died = performance.now();
      program.signal('SIGKILL');
      await program.exit;
      recoveries.push(await site.startService());
      const times = work.inUseAt.filter((at) => at > died).map((at) => at - died);
      late = Math.max(late, ...times);
    }
    notes.push(
      late === 0
        ? 'no retry found its key still held'
        : `a key was still held ${ms(late)} after a kill at the latest (${ms(NOTICED)} allowed)`,
    );
  },
};

export const killBackend: Fault = {
  name: 'X2',
  title: 'kill -9 of a PostgreSQL backend',
  cycles: 30,
  async inflict(scene, cycles) {
    const outages: number[] = [];
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      await sleep(1000);
      const killed = await killBackendOf(scene);
      if (killed === undefined) continue;
      const healed = performance.now();
      outages.push(healed - killed);
      await scene.recovered(healed);
    }
    noteOutages(scene, outages);
  },
};

/** Kill a backend of the service and wait for the recovery; when it was killed (`performance.now()`). */
export async function killBackendOf({ site, random }: Scene): Promise<number | undefined> {
  const rows = await site.rows(
    `select pid from pg_stat_activity where datname = current_database()
      and application_name = 'workspace-records' and pid <> pg_backend_pid()`,
  );
  const row = rows[Math.floor(random() * rows.length)];
  if (row === undefined) return undefined;
  const witness = await openWitness(site.cluster);
  process.kill(Number(row.pid), 'SIGKILL');
  const killed = performance.now();
  // PostgreSQL ends all other sessions when it notices, and recovers by itself.
  await witness.ended;
  await site.cluster.start();
  return killed;
}

const NOTICED_WITHIN = 60_000;

interface Witness {
  /** Until PostgreSQL has ended the session; fails after a minute. */
  readonly ended: Promise<void>;
}

/** Open a session that only ends with all others. */
async function openWitness(cluster: Cluster): Promise<Witness> {
  const client = new pg.Client({
    ...(cluster.connection('postgres') as pg.ClientConfig),
    ssl: false,
  });
  // It gets the reason before it ends.
  client.on('error', () => undefined);
  await client.connect();
  const ended = new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => {
      reject(new Error('PostgreSQL has not noticed that a backend was killed'));
      void client.end().catch(() => undefined);
    }, NOTICED_WITHIN);
    client.once('end', () => {
      clearTimeout(late);
      resolve();
    });
  });
  return { ended };
}

export const killPostmaster: Fault = {
  name: 'X3',
  title: 'kill -9 of the postmaster, restarted at once',
  cycles: 100,
  short: 2,
  inflict: (scene, cycles) => restartPostgres(scene, cycles, () => 'KILL'),
};

export const stopPostgres: Fault = {
  name: 'X3b',
  title: 'PostgreSQL stopped with -m immediate and -m fast in turn',
  cycles: 40,
  inflict: (scene, cycles) =>
    restartPostgres(scene, cycles, (cycle) => (cycle % 2 === 0 ? 'QUIT' : 'INT')),
};

/** Recovery counts from the moment PostgreSQL takes queries again. */
async function restartPostgres(
  scene: Scene,
  cycles: number,
  signalOf: (cycle: number) => 'KILL' | 'QUIT' | 'INT',
): Promise<void> {
  const { site, random } = scene;
  const outages: number[] = [];
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    await sleep(500 + random() * 1500);
    const killed = performance.now();
    site.cluster.signal(signalOf(cycle));
    await site.cluster.gone();
    await site.cluster.start();
    const healed = performance.now();
    outages.push(healed - killed);
    await scene.recovered(healed);
  }
  noteOutages(scene, outages);
}

function noteOutages(scene: Scene, outages: readonly number[]): void {
  const [half, most] = [percentile(outages, 0.5), mostOf(outages)];
  scene.notes.push(`PostgreSQL itself was away for ${ms(half)}, at most ${ms(most)}`);
  requireAlive(scene);
}

/** The service must live through whatever happens to PostgreSQL. */
export function requireAlive({ site, complaints }: Scene): void {
  const exit = site.program.ended();
  if (exit !== undefined) complaints.push(`V9 the service ended with ${JSON.stringify(exit)}`);
}
