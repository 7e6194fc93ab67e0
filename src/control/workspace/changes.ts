// The one rule for the age of cached data and of rights (D80, D650): before they are used, one statement for all keys and
// workspaces reads what has changed since the last check, unless that is less than 900 ms ago and this process has
// answered no administrative change since. A process has one of these; the caches are elsewhere.

import { horizonOf, isSameEpoch } from '../../plan/events/snapshot-moment.ts';
import { isAway, type Queryable, type Row } from '../../postgres/db.ts';
import type { Listeners } from '../../postgres/listen.ts';
import { MOMENT } from '../../sql/events/moment-sql.ts';
import { CONTROL_SCHEMA, identifier, sql, toStatement } from '../../sql/sql.ts';
import { queryMoment } from '../process/moments.ts';
import { CHANNEL } from './workspaces.ts';

export interface Changes {
  /** Check for changes, unless the last check is recent enough: then there is no wait. */
  catchUp(): Promise<void> | undefined;
  /** The last look is too old for requests from now on, whatever its age. */
  expire(): void;
  /**
   * Another number after each call of `expire` and each change that a check has found: rights that were read before
   * have to be read again before anything is sent by them.
   */
  version(): number;
  /** Call a cache with the changes of each check, until the process ends. */
  onChange(forget: (changed: Changed) => void): void;
  /** Milliseconds since 1970 by the clock of the database; rather ahead than behind. */
  databaseTime(): number;
}

interface Look {
  /** The time by `performance.now()` before the statement was sent. */
  readonly askedAt: number;
  /** The time at which the last answered statement was sent, by `performance.now()`. */
  readonly answeredAt: number;
  readonly expiries: number;
  readonly databaseTime: number;
}

/** Below the second of D14. */
const LOOK_AFTER = 900;

const CHANGED_SINCE = toStatement(sql`
  select ${MOMENT} as moment,
    extract(epoch from now())::float8 * 1000 as database_time,
    changed.workspace_id, changed.transaction::text
  from pg_current_snapshot() as seen
  left join ${identifier(CONTROL_SCHEMA, 'changes')} as changed
    on changed.transaction >= ${''}::xid8 and changed.transaction < pg_snapshot_xmax(seen)`);

/** The workspaces that have changed; everything, when the database was lost since the last look. */
export type Changed = readonly number[] | 'everything';

/** The last change of each workspace. */
function foundIn(rows: readonly Row[]): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  for (const { workspace_id, transaction } of rows) {
    if (workspace_id !== null) found.set(workspace_id as number, transaction as string);
  }
  return found;
}

/** The result of a check that has found no change. */
function unchanged(last: Look, asked: Pick<Look, 'askedAt' | 'expiries'>): Look {
  return { ...last, ...asked, databaseTime: last.databaseTime + asked.askedAt - last.askedAt };
}

/** The caches of a process, and how often they were called. */
function openCaches() {
  const caches: ((changed: Changed) => void)[] = [];
  let reports = 0;
  return {
    add: (cache: (changed: Changed) => void) => void caches.push(cache),
    reports: () => reports,
    forget(changed: Changed): void {
      reports += 1;
      for (const cache of caches) cache(changed);
    },
  };
}

/**
 * Caches are called with the changes. Data loaded before that call may be stale; data loaded afterwards is not, or the
 * next check finds it. `tolerance`: milliseconds for which cached data is used while the server of the control schema
 * is away; during that time no change is possible there either.
 */
export function openChanges(db: Queryable, tolerance = 0): Changes {
  const caches = openCaches();
  // Transactions before its horizon had ended when the last check saw the rows; later ones are unknown. During a long
  // transaction it does not advance, and changes are reported again.
  let seen: string | undefined;
  let announced: ReadonlyMap<number, string> = new Map();
  let expiries = 0;
  let last: Look = { askedAt: -Infinity, answeredAt: -Infinity, expiries, databaseTime: 0 };
  let looking: Promise<void> | undefined;

  async function look(asked: Pick<Look, 'askedAt' | 'expiries'>): Promise<void> {
    const horizon = seen === undefined ? '0' : horizonOf(seen);
    const statement = { text: CHANGED_SINCE.text, values: [horizon] };
    const { moment, rows } = await queryMoment(db, { statement }, seen);
    // In another epoch the rows behind the horizon are not the changes: any number may be used again.
    const isLost = seen !== undefined && !isSameEpoch(moment, seen);
    const found = foundIn(rows);
    const changed = [...found].filter(([id, transaction]) => announced.get(id) !== transaction);
    announced = found;
    seen = moment;
    const databaseTime = rows[0]?.database_time as number;
    last = { ...asked, answeredAt: asked.askedAt, databaseTime };
    if (isLost || changed.length > 0)
      caches.forget(isLost ? 'everything' : changed.map(([id]) => id));
  }

  function lookOnce(): Promise<void> {
    const asked = { askedAt: performance.now(), expiries };
    looking ??= look(asked)
      .catch((error: unknown) => {
        if (!isAway(error) || asked.askedAt - last.answeredAt >= tolerance) throw error;
        last = unchanged(last, asked);
      })
      .finally(() => {
        looking = undefined;
      });
    return looking;
  }

  /** A look that was under way already may be too old when it ends; the one after it is not. */
  async function lookFor(isYoung: () => boolean): Promise<void> {
    while (!isYoung()) await lookOnce();
  }

  return {
    catchUp() {
      const now = performance.now();
      const known = expiries;
      const isYoung = () => now - last.askedAt < LOOK_AFTER && last.expiries >= known;
      return isYoung() ? undefined : lookFor(isYoung);
    },
    expire() {
      expiries += 1;
    },
    version: () => expiries + caches.reports(),
    onChange: caches.add,
    databaseTime: () => last.databaseTime + performance.now() - last.askedAt,
  };
}

/** Check at once for changes of other processes. NOTIFY is only a hint: its payload is not read. */
export async function followChanges(listeners: Listeners, { expire }: Changes): Promise<void> {
  await listeners.listen(CHANNEL, expire);
}
