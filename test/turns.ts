// The turns of the event loop during some work, and the processor time of each: how long everybody else waits.

export interface Turns<Result> {
  readonly result: Result;
  readonly count: number;
  /** Milliseconds of the processor, in all and in the longest turn. */
  readonly total: number;
  readonly longest: number;
}

export async function measureTurns<Result>(work: () => Promise<Result>): Promise<Turns<Result>> {
  let [count, total, longest] = [0, 0, 0];
  let last = process.cpuUsage();
  let next = setImmediate(look);
  function look() {
    const { user, system } = process.cpuUsage(last);
    last = process.cpuUsage();
    const spent = (user + system) / 1000;
    count += 1;
    total += spent;
    longest = Math.max(longest, spent);
    next = setImmediate(look);
  }
  const result = await work().finally(() => clearImmediate(next));
  return { result, count, total, longest };
}
