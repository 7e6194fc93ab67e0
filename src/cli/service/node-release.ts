// The Node.js that the service runs on: whether it is new enough, and how long it gets fixes. This file imports nothing, so
// that every Node.js can load it.

/** The releases that `.ci/run` proves the service on, and the days on which they get the last fixes. */
const LAST_FIXES: ReadonlyMap<number, string> = new Map([
  [20, '2026-04-30'],
  [22, '2027-04-30'],
  [24, '2028-04-30'],
]);
const RECOMMENDED = 24;
/** The oldest Node.js; `engines` in package.json and scripts/build.mjs have the same. */
const LOWEST = { major: 20, minor: 19 };

/** A sentence about a Node.js (`18.20.8`) that is too old for the service; undefined for others. */
export function refuseNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < LOWEST.major || (major === LOWEST.major && minor < LOWEST.minor);
  if (!isOld) return undefined;
  const needed = `Node.js ${LOWEST.major}.${LOWEST.minor} or newer is needed`;
  return `${needed}, this is ${version}; Node.js ${RECOMMENDED} is recommended.`;
}

/** A sentence about a Node.js (`20.19.5`) that no longer gets fixes; undefined for a supported one. */
export function describeNode(version: string, now: Date): string | undefined {
  const major = Number.parseInt(version, 10);
  const last = LAST_FIXES.get(major);
  if (last === undefined || now.toISOString().slice(0, 10) <= last) return undefined;
  return `Node.js ${major} has had no fixes since ${last}, not even for security; Node.js ${RECOMMENDED} is recommended.`;
}
