// X15: the service is killed at each statement of a definition that it applies over HTTP, by the request itself and
// in a job. Afterwards the old revision or the new one is there, whole: document, tables, records, search results.

import { isDeepStrictEqual } from 'node:util';
import type { DatabaseProxy } from '../test/faults/database-proxy.ts';
import { applyOverHttp, type Depots, lookAt, makeDepots, type Sight } from './depots.ts';
import type { Fault, Scene } from './fault.ts';
import { requireAlive } from './kill-faults.ts';
import { endLeases, openProxyOf, settleJobs } from './site.ts';

const STRIKE_WITHIN = 60_000;

let proxy: DatabaseProxy;

export const killApply: Fault = {
  name: 'X15',
  title: 'kill -9 at each statement of a definition applied over HTTP',
  cycles: 120,
  short: 2,
  async prepare(site) {
    proxy = await openProxyOf(site);
  },
  async inflict(scene, cycles) {
    const { site, work, readers, notes } = scene;
    await Promise.all([work.stop(), readers.stop()]);
    const depots = await makeDepots(site);
    const known = await learn(depots);
    const counts = { old: 0, new: 0, missed: 0 };
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      const kind = KINDS[cycle % KINDS.length] as Kind;
      // The points cover all statements evenly, and one behind them.
      const rounds = Math.max(1, cycles / KINDS.length);
      const part = (Math.floor(cycle / KINDS.length) + scene.random()) / rounds;
      const at = 1 + Math.floor(Math.min(part, 1) * ((known.statements.get(kind) ?? 0) + 1));
      counts[await killOnce(scene, { depots, known, ...kind, at })] += 1;
    }
    notes.push(
      `${[...known.statements.values()].join(', ')} statements each; ${counts.old} times it was the ` +
        `old revision, ${counts.new} times the new one, ${counts.missed} times it was over before`,
    );
    if (counts.old + counts.new === 0) scene.complaints.push('nothing was killed');
    requireAlive(scene);
  },
};

type Form = 'plain' | 'other';

interface Kind {
  readonly to: Form;
  readonly background: boolean;
}

/** Both directions, each by the request and in a job; each starts where the one before it ends. */
const KINDS: readonly Kind[] = [
  { to: 'other', background: false },
  { to: 'plain', background: true },
  { to: 'other', background: true },
  { to: 'plain', background: false },
];

/** The expected state of each form without a kill, and the number of its statements. */
interface Known {
  readonly sights: Readonly<Record<Form, Sight>>;
  readonly statements: ReadonlyMap<Kind, number>;
}

async function learn(depots: Depots): Promise<Known> {
  const sights: Partial<Record<Form, Sight>> = {};
  const statements = new Map<Kind, number>();
  for (const kind of KINDS) {
    proxy.arm();
    await applyOverHttp(depots, kind.to, kind.background);
    // Jobs are queried on other connections.
    await settleJobs(depots.site);
    statements.set(kind, proxy.seen().length);
    sights[kind.to] ??= await lookAt(depots);
  }
  return { sights, statements } as Known;
}

interface Kill extends Kind {
  readonly depots: Depots;
  readonly known: Known;
  /** The statement that PostgreSQL no longer gets, counted from the request on. */
  readonly at: number;
}

/** The revision in force afterwards. */
async function killOnce(scene: Scene, kill: Kill): Promise<'old' | 'new' | 'missed'> {
  const { site, recoveries, complaints } = scene;
  const { depots, to, background, at } = kill;
  proxy.arm({ kind: 'held', at });
  const applying = applyOverHttp(depots, to, background);
  const ended = applying.then(
    (accepted) => accepted,
    () => undefined,
  );
  const isStruck = await strikes(ended, background);
  if (isStruck) site.program.signal('SIGKILL');
  else proxy.arm();
  const accepted = await ended;
  if (isStruck) {
    await site.program.exit;
    await endLeases(site);
    proxy.arm();
    recoveries.push(await site.startService());
  }
  await settleJobs(site);
  const place = `${to}${background ? ' in a job' : ''} at statement ${at}`;
  const found = await compare(kill);
  if (found === undefined) {
    complaints.push(`X15 ${place}: neither the old revision nor the new one, whole`);
  }
  if (found === 'old' && accepted !== undefined) {
    complaints.push(`X15 ${place}: answered with ${accepted}, and the old revision is in force`);
  }
  if (found !== 'new') await applyOverHttp(depots, to, false);
  await settleJobs(site);
  if ((await compare(kill)) !== 'new') complaints.push(`X15 ${place}: not as without a kill`);
  return isStruck ? (found ?? 'old') : 'missed';
}

/** The kill comes while the request waits, or its job works. */
async function strikes(ended: Promise<unknown>, background: boolean): Promise<boolean> {
  const giveUp = performance.now() + STRIKE_WITHIN;
  const over = { isSo: false };
  // The statements of a job come after the answer.
  if (!background) void ended.then(() => Object.assign(over, { isSo: true }));
  while (!proxy.hasStruck() && !over.isSo && performance.now() < giveUp) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return proxy.hasStruck();
}

async function compare({ depots, known, to }: Kill): Promise<'old' | 'new' | undefined> {
  const sight = await lookAt(depots);
  if (isDeepStrictEqual(sight, known.sights[to])) return 'new';
  const from = to === 'other' ? 'plain' : 'other';
  return isDeepStrictEqual(sight, known.sights[from]) ? 'old' : undefined;
}
