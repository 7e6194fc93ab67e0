// The turns of the event loop during some work, and how long each of them computes: all other requests wait that long.
// Node.js 20 has no processor time of one thread. That of the process counts its other threads too (passwords,
// compression, the collector); the clock counts time without a processor. The lesser of the two is nearer to the truth.

export interface Turns<Result> {
  readonly result: Result;
  readonly count: number;
  /** Milliseconds of computing, in all and in the longest turn. */
  readonly total: number;
  readonly longest: number;
}

export async function measureTurns<Result>(work: () => Promise<Result>): Promise<Turns<Result>> {
  let [count, total, longest] = [0, 0, 0];
  let last = process.cpuUsage();
  let began = performance.now();
  let next = setImmediate(look);
  function look() {
    const { user, system } = process.cpuUsage(last);
    last = process.cpuUsage();
    const spent = Math.min((user + system) / 1000, performance.now() - began);
    began = performance.now();
    count += 1;
    total += spent;
    longest = Math.max(longest, spent);
    next = setImmediate(look);
  }
  const result = await work().finally(() => clearImmediate(next));
  return { result, count, total, longest };
}
