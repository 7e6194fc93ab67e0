// How long the Node.js that the service runs on gets fixes, for the operator who starts it.

/** The releases that `.ci/run` proves the service on, and the days on which they get the last fixes. */
const LAST_FIXES: ReadonlyMap<number, string> = new Map([
  [20, '2026-04-30'],
  [22, '2027-04-30'],
  [24, '2028-04-30'],
]);
const RECOMMENDED = 24;

/** A sentence about a Node.js (`20.19.5`) that no longer gets fixes; undefined for a supported one. */
export function describeNode(version: string, now: Date): string | undefined {
  const major = Number.parseInt(version, 10);
  const last = LAST_FIXES.get(major);
  if (last === undefined || now.toISOString().slice(0, 10) <= last) return undefined;
  return `Node.js ${major} has had no fixes since ${last}, not even for security; Node.js ${RECOMMENDED} is recommended.`;
}
