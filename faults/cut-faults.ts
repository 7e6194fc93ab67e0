// X8: a proxy between the service and PostgreSQL loses, tears, resets or delays connections at chosen
// statements, COMMIT above all.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault as Cut, DatabaseProxy } from '../test/faults/database-proxy.ts';
import type { Fault, Scene } from './fault.ts';
import { requireAlive } from './kill-faults.ts';
import { openProxyOf } from './site.ts';

const COMMIT = /^commit$/i;
const STALL = 10_000;
const STRIKE_WITHIN = 10_000;

let proxy: DatabaseProxy;

/** Every second cut loses the answer of a COMMIT, the others take turns. */
export const cutConnections: Fault = {
  name: 'X8',
  title: 'connections to PostgreSQL cut at chosen statements',
  cycles: 220,
  short: 16,
  holds: true,
  async prepare(site) {
    proxy = await openProxyOf(site);
  },
  async inflict(scene, cycles) {
    const counts = new Map<string, number>();
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      const [name, cut] = cutOf(cycle, scene.random());
      proxy.arm(cut);
      if (!(await strikes())) {
        scene.complaints.push(`the fault "${name}" did not happen`);
        continue;
      }
      counts.set(name, (counts.get(name) ?? 0) + 1);
      await sleep(30 + scene.random() * 60);
      const healed = performance.now();
      await scene.recovered(healed);
    }
    if (!scene.short) await stall(scene);
    proxy.arm();
    scene.notes.push([...counts].map(([name, count]) => `${count} × ${name}`).join(', '));
    requireAlive(scene);
  },
};

async function strikes(): Promise<boolean> {
  const giveUp = Date.now() + STRIKE_WITHIN;
  while (!proxy.hasStruck() && Date.now() < giveUp) await sleep(5);
  return proxy.hasStruck();
}

function cutOf(cycle: number, random: number): readonly [string, Cut] {
  if (cycle % 2 === 0) return ['answer of COMMIT lost', { kind: 'lost_after', at: COMMIT }];
  const at = 1 + Math.floor(random * 30);
  const others: readonly (readonly [string, Cut])[] = [
    ['lost before a statement', { kind: 'lost_before', at }],
    ['lost before COMMIT', { kind: 'lost_before', at: COMMIT }],
    ['answer of a statement lost', { kind: 'lost_after', at }],
    ['half a packet', { kind: 'torn', at }],
    ['half a COMMIT', { kind: 'torn', at: COMMIT }],
    ['reset after COMMIT was sent', { kind: 'reset', at: COMMIT }],
    ['reset after a statement was sent', { kind: 'reset', at }],
  ];
  return others[((cycle - 1) / 2) % others.length] as readonly [string, Cut];
}

/** Longer than the service waits for a statement. */
async function stall(scene: Scene): Promise<void> {
  for (let times = 0; times < 2; times += 1) {
    proxy.arm({ kind: 'held', at: COMMIT });
    await strikes();
    await sleep(STALL);
    proxy.release();
    proxy.arm();
    await scene.recovered(performance.now());
  }
  scene.notes.push(`2 × COMMIT delayed for ${STALL / 1000} s`);
}
