// X7: system calls of PostgreSQL that fail, by strace: fdatasync with EIO and pwrite with ENOSPC. PostgreSQL must
// panic, the service must not report any write as made, and nothing acknowledged may be lost.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, childrenOf } from './cluster.ts';
import type { Fault, Scene } from './fault.ts';
import { requireAlive } from './kill-faults.ts';

const TRACER = '/usr/bin/strace';
const INJECTIONS = ['fdatasync:error=EIO', 'pwrite64:error=ENOSPC'];
/** The call that fails, counted in each process: up to this one, early ones more often than late. */
const LATEST = 200;
const PANIC_WITHIN = 10_000;
const DETACHED_WITHIN = 5_000;

export const failingWrites: Fault = {
  name: 'X7',
  title: 'fdatasync fails with EIO, pwrite with ENOSPC, in turn',
  cycles: 50,
  skipped: cannotTrace,
  async inflict(scene, cycles) {
    const { random, notes, complaints } = scene;
    let panics = 0;
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      const when = 1 + Math.floor(LATEST * random() ** 2);
      const injection = `${INJECTIONS[cycle % INJECTIONS.length]}:when=${when}`;
      if (await failOnce(scene, injection)) panics += 1;
    }
    notes.push(`${panics} times PostgreSQL panicked; the other failures hit nothing that mattered`);
    if (panics === 0) complaints.push('nothing failed: the fault did not happen');
    requireAlive(scene);
  },
};

/** True when PostgreSQL panicked. It is never left traced, whatever happens. */
async function failOnce(scene: Scene, injection: string): Promise<boolean> {
  const { cluster } = scene.site;
  const before = cluster.panics().length;
  const tracer = attach(cluster, injection);
  try {
    const giveUp = Date.now() + PANIC_WITHIN;
    while (cluster.panics().length === before && Date.now() < giveUp) await sleep(20);
  } finally {
    await detach(tracer, scene);
  }
  await cluster.start();
  await scene.recovered(performance.now());
  return cluster.panics().length > before;
}

function cannotTrace(): string | undefined {
  if (!existsSync(TRACER)) return 'strace is not installed';
  try {
    execFileSync(TRACER, ['-o', '/dev/null', '-e', 'trace=fdatasync', 'true'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'processes cannot be traced here';
  }
}

/** Follows the processes of PostgreSQL and those it starts from now on. */
function attach(cluster: Cluster, injection: string): ChildProcess {
  const call = injection.split(':', 1)[0];
  const trace = ['-f', '-q', '-o', '/dev/null', '-e', `trace=${call}`, '-e', `inject=${injection}`];
  const postmaster = cluster.pid();
  const processes = [postmaster, ...childrenOf(postmaster)].flatMap((pid) => ['-p', String(pid)]);
  return spawn(TRACER, [...trace, ...processes], { stdio: 'ignore' });
}

/** A normal stop first: a process continues after its tracer was killed, but in the middle of a call. */
async function detach(tracer: ChildProcess, { notes }: Scene): Promise<void> {
  if (tracer.exitCode !== null || tracer.signalCode !== null) return;
  const ended = once(tracer, 'exit');
  tracer.kill('SIGINT');
  const killTimer = setTimeout(() => {
    notes.push('strace had to be killed');
    tracer.kill('SIGKILL');
  }, DETACHED_WITHIN);
  await ended;
  clearTimeout(killTimer);
}
