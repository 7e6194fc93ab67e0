// The day and the last morning of time zones that people have chosen. PostgreSQL knows the zones (D690).

import { isTimeZone } from '../../plan/read/relative-time.ts';
import { isUnknownZone, type Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { zoneTimesSql } from '../../sql/read/zone-times-sql.ts';

export interface ZoneTime {
  readonly zone: string;
  /** The day there, such as `2026-11-26`. */
  readonly day: string;
  /** The last 8 in the morning, in milliseconds since 1970. */
  readonly morning: number;
}

/**
 * The times in these zones at a moment, in milliseconds since 1970. A zone that was stored and is not known to this
 * server has those of UTC.
 */
export async function loadZoneTimes(
  db: Queryable,
  zones: readonly string[],
  now: number,
): Promise<readonly ZoneTime[]> {
  if (zones.length === 0) return [];
  const named = zones.map((zone) => ({ zone, read: isTimeZone(zone) ? zone : 'UTC' }));
  try {
    const rows = await runOnce(db, zoneTimesSql(named, now));
    return rows as unknown as readonly ZoneTime[];
  } catch (error) {
    if (!isUnknownZone(error)) throw error;
    const [only, ...others] = zones;
    if (only === undefined || others.length === 0) {
      return (await loadZoneTimes(db, ['UTC'], now)).map((time) => ({ ...time, zone: only ?? '' }));
    }
    const each = await Promise.all(zones.map((zone) => loadZoneTimes(db, [zone], now)));
    return each.flat();
  }
}
