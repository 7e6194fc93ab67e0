// The longest turn of the event loop, in processor time of this process: others wait for as long, and a machine that does
// other things besides makes it no longer.

import { setImmediate } from 'node:timers/promises';

/** Milliseconds of the longest turn while the work is done. */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let isOver = false;
  const done = work().finally(() => {
    isOver = true;
  });
  let longest = 0;
  let before = process.cpuUsage();
  while (!isOver) {
    await setImmediate();
    const { user, system } = process.cpuUsage(before);
    longest = Math.max(longest, user + system);
    before = process.cpuUsage();
  }
  await done;
  return longest / 1000;
}
