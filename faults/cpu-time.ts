// The users of the processors: with thousands of connections, the measurements of a fault are not of the service
// alone when its clients run on the same cores.

import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { childrenOf } from './cluster.ts';

/** Ticks of a second in /proc. */
const TICKS = 100;

/**
 * Seconds of processor time of a process and of its children that have ended; 0 where the system does not report it.
 */
export function cpuOf(pid: number): number {
  const ticks = fieldsOf(`/proc/${pid}/stat`).slice(11, 15).map(Number);
  return ticks.reduce((sum, tick) => sum + tick, 0) / TICKS;
}

/** Of all cores, over so many seconds. */
export function shareOfMachine(used: number, seconds: number): number {
  return used / (seconds * cpus().length);
}

/** Seconds in which a core of this machine was idle. */
function idleSeconds(): number {
  return cpus().reduce((sum, { times }) => sum + times.idle, 0) / 1000;
}

export interface MachineUse {
  /** Shares of all cores. */
  readonly idle: number;
  /** The share of other processes, started neither by this one nor by its children. */
  readonly others: number;
}

/** From now until the call of the result. Only Linux reports it; elsewhere the share of others is 0. */
export function watchMachine(): () => MachineUse {
  const [begun, own, idle] = [performance.now(), cpuOfTree(process.pid), idleSeconds()];
  return () => {
    const seconds = (performance.now() - begun) / 1000;
    const free = shareOfMachine(idleSeconds() - idle, seconds);
    const ours = shareOfMachine(cpuOfTree(process.pid) - own, seconds);
    const others = process.platform === 'linux' ? Math.max(0, 1 - free - ours) : 0;
    return { idle: free, others };
  };
}

/** A process that is gone counts by way of its parent. */
function cpuOfTree(pid: number): number {
  try {
    const children = childrenOf(pid).map(cpuOfTree);
    return cpuOf(pid) + children.reduce((sum, used) => sum + used, 0);
  } catch {
    return 0;
  }
}

/** The fields after the name of the process, which may contain any character. */
function fieldsOf(path: string): readonly string[] {
  try {
    const text = readFileSync(path, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}
