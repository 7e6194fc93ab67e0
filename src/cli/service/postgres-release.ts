// Whether the PostgreSQL that the service uses has the last fixes that this release knows of, for the operator who starts
// it. The table is that of the day of this release of the service; major versions that are left out were not checked.

/** The newest minor releases, by major version, and the month in which they came out. */
const NEWEST: ReadonlyMap<number, { readonly minor: number; readonly month: string }> = new Map([
  [15, { minor: 20, month: 'November 2026' }],
  [18, { minor: 6, month: 'August 2026' }],
]);

/** A sentence about a server (`server_version_num`, such as 180004) with an older minor; undefined for others. */
export function describePostgres(version: number, isBundled: boolean): string | undefined {
  const [major, minor] = [Math.floor(version / 10_000), version % 10_000];
  const newest = NEWEST.get(major);
  if (newest === undefined || minor >= newest.minor) return undefined;
  const { minor: newer, month } = newest;
  const problem = `PostgreSQL ${major}.${minor} lacks the fixes of ${major}.${newer} (${month}), also for security.`;
  const remedy = isBundled
    ? 'The bundled server is for trying and for small trusted hosts; DATABASE_URL names another one.'
    : 'Upgrade the server; its data stays as it is.';
  return `${problem} ${remedy}`;
}
