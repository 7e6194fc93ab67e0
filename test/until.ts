// Waits of tests, so that none depends on the speed of the machine: they wait for a state, compare work with
// other work of the same run, and repeat with a longer lifetime when something expired too early.

import { setTimeout as sleep } from 'node:timers/promises';

/** Whether there is time for every case (`npm run test:long`), and not only for some on every commit. */
export const IS_LONG = process.env.LONGER !== undefined;

/**
 * The number of repetitions of a random test: so many on every commit, LONGER times as many when there is time (`npm
 * run test:long`).
 */
export function timesOf(usual: number): number {
  return usual * Number(process.env.LONGER ?? 1);
}

/** Repeat the check until it is true; a test that waits in vain ends by its own timeout. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(10);
}

/** A promise that a test keeps open until it calls `release`. */
export function hold(): { readonly held: Promise<void>; readonly release: () => void } {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { held, release };
}

/** The least milliseconds of processor time that this process needed for it. */
export async function leastWork(work: () => unknown, tries = 5): Promise<number> {
  const spent: number[] = [];
  for (let index = 0; index < tries; index += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    spent.push((user + system) / 1000);
  }
  return Math.min(...spent);
}

/** Try with seconds of life; again with more when it was over before anything could be tried with it. */
export async function withLifetime(attempt: (seconds: number) => Promise<boolean>): Promise<void> {
  for (const seconds of [1, 4, 16, 64]) if (await attempt(seconds)) return;
  throw new Error('it never lived long enough to be tried');
}
